"""One board of any size, updated incrementally: only the agents that see a change think again."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.compiled import compile_book
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import live as live_kernels
from teamplay.engine.kernels.rule import DEEPEST
from teamplay.engine.program import ORDERED, Program
from teamplay.game import Game, Move, Position
from teamplay.grid import Cell
from teamplay.language.rulebook import Rulebook

REMEMBERED = 1 << 14  # answers kept for packed features
SMALL_BOARD = 64  # cells; below, plain kernels answer before the compiler has loaded


class Live(NamedTuple):
    """The state of a live board, for the kernels."""

    seen: NDArray[np.int8]  # [cells]: marks as the team sees them
    table: NDArray[np.int64]  # [codes]: features of what is seen along an axis, packed
    plain: int  # 1 where all features are patterns
    codes: NDArray[np.uint16]  # [cells, axes]: what each agent sees
    packed: NDArray[np.int64]  # [cells]: its features
    said: NDArray[np.int32]  # [cells]: its priority
    letters: NDArray[np.int8]  # [cells]: its letters as bits
    nodes: NDArray[np.int32]  # [2 * leaves, 3]: a tree over blocks of cells; node 1 is the root
    stale: NDArray[np.int32]  # [leaves + 1]: how many leaves have to be renewed, and which
    todo: NDArray[np.int32]  # how many agents have to think again, and which
    memo: NDArray[np.int64]  # [remembered, 3]: packed features, priority, letters
    line: NDArray[np.int8]
    features: NDArray[np.int64]
    stack: NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """How much memory the arrays take."""
        return sum(array.nbytes for array in self if isinstance(array, np.ndarray))


class LiveBoard:
    """A team's board: tell it what is placed, ask it for the most urgent moves."""

    def __init__(self, book: Rulebook, large: bool | None = None) -> None:
        self.book, self.game = book, book.game
        size = self.game.grid.size
        self.large = size > SMALL_BOARD if large is None else large
        self.kernels = kernels(live_kernels, self.large)
        self.compiled = compile_book(book, self.large)
        self.live = _live(self.compiled.table, size, len(self.game.grid.axes), self.compiled.program)
        self.recompute()

    @property
    def nbytes(self) -> int:
        """How much memory the board, the game and the table take."""
        arrays = (*self.compiled.game, *self.compiled.program)
        return self.live.nbytes + sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))

    def recompute(self) -> None:
        """Work everything out afresh from the marks."""
        self.kernels.recompute(self.compiled.game, self.compiled.program, self.live)

    def put(self, cell: Cell, mark: int) -> None:
        """A mark as the team sees it: 0 blank, 1 mine (or the first letter), 2 theirs (or the second)."""
        self.kernels.put(self.compiled.game, self.compiled.program, self.live, cell, mark)

    def meet(self, position: Position) -> None:
        """Take over a position, changing only what differs."""
        seen = _seen(self.game, position)
        for cell in np.flatnonzero(seen != self.live.seen):
            self.put(int(cell), int(seen[cell]))

    def moves(self, position: Position) -> list[Move]:
        """The tied most urgent moves in a position, as the reference team names them."""
        self.meet(position)
        cells = np.zeros(self.game.grid.size, dtype=np.int64)
        # The team's own marks are always 1 on its board, which the placement rule takes for the first seat's.
        seat = position.player if self.game.shared else 0
        count = self.kernels.ties(self.compiled.game, self.live, seat, cells)
        return [move for cell in cells[:count].tolist() for move in self._moves(cell, position.player)]

    def _moves(self, cell: Cell, player: int) -> list[Move]:
        if not self.game.shared:
            return [Move(cell, self.game.marks[player])]
        bits = int(self.live.letters[cell]) or -1  # an agent that stays silent would place any letter
        return [Move(cell, mark) for i, mark in enumerate(self.game.marks) if bits >> i & 1]


def _seen(game: Game, position: Position) -> NDArray[np.int8]:
    """The marks of a position as the seat to move sees them: [cells]."""
    code = {"b": 0} | {mark: i for i, mark in enumerate(game.marks if game.shared else ("x", "o"), 1)}
    table = bytes(code.get(chr(byte), 0) for byte in range(256))
    return np.frombuffer(game.seen(position).encode("ascii").translate(table), dtype=np.int8)


def _live(table: NDArray[np.int64], size: int, axes: int, program: Program) -> Live:
    """Empty arrays for a board."""
    kinds, looks = program.kinds, program.looks
    leaves = 1 << max(1, -(-size // live_kernels.BLOCK) - 1).bit_length()
    coded = size if len(table) else 0
    nodes = np.zeros((2 * leaves, 3), dtype=np.int32)
    nodes[:, live_kernels.LEAST] = live_kernels.TAKEN
    return Live(
        seen=np.zeros(size, dtype=np.int8),
        table=table,
        plain=int(not (kinds > ORDERED).any()),
        codes=np.zeros((coded, axes), dtype=np.uint16),
        packed=np.zeros(coded, dtype=np.int64),
        said=np.zeros(size, dtype=np.int32),
        letters=np.zeros(size, dtype=np.int8),
        nodes=nodes,
        stale=np.zeros(leaves + 1, dtype=np.int32),
        todo=np.zeros(2 * axes * looks + 1, dtype=np.int32),
        memo=np.full((REMEMBERED, 3), -1, dtype=np.int64),
        line=np.zeros(2 * looks + 1, dtype=np.int8),
        features=np.zeros(max(1, len(kinds)), dtype=np.int64),
        stack=np.zeros(DEEPEST, dtype=np.int64),
    )
