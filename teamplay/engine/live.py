"""One board of any size, updated incrementally: only the agents that see a change think again."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import seen_by
from teamplay.engine.compiled import Compiled, compile_book, switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import live as live_kernels
from teamplay.engine.program import LETTER_MASK, LONGEST_CODE, TAKEN
from teamplay.game import Move, Position
from teamplay.grid import Cell
from teamplay.language.rulebook import Rulebook

REMEMBERED = 1 << 18  # answers kept for packed features
SMALL_BOARD = 64  # cells; below, plain kernels answer before the compiler has loaded


class Live(NamedTuple):
    """The programs of a board, one or one for each seat, and its state, for the kernels; see there."""

    program: NDArray[np.int64]
    table: NDArray[np.int64]  # [seats, codes]: features of what is seen along an axis, packed; may be empty
    memo: NDArray[np.int64]  # [remembered, 2]: packed features and answers
    board: NDArray[np.int8]  # [cells]
    codes: NDArray[np.int32]  # [cells, axes]: what each agent sees; empty without a table
    packed: NDArray[np.int64]  # [seats, cells]: its features; empty without a table
    said: NDArray[np.int64]  # [seats, cells and some more]: its answer
    nodes: NDArray[np.int64]  # [seats, 2 * leaves, 4]: trees over blocks of cells; node 1 is the root
    work: NDArray[np.int64]
    near: NDArray[np.int64]  # [3, agents that see a change]: which, and their codes before and after

    @property
    def nbytes(self) -> int:
        """How much memory the arrays take."""
        return sum(array.nbytes for array in self)


def live(compiled: Compiled) -> Live:
    """Arrays for an empty board, not yet computed."""
    seats, size = len(compiled.programs), len(compiled.game.places)
    axes = compiled.game.places.shape[1] // 2
    blocks = -(-size // live_kernels.BLOCK)
    leaves = 1 << max(1, blocks - 1).bit_length()
    coded = size if compiled.table.size else 0
    nodes = np.zeros((seats, 2 * leaves, 4), dtype=np.int64)
    nodes[:, :, live_kernels.LEAST] = TAKEN
    return Live(
        program=compiled.rows,
        table=compiled.table,
        memo=np.full((REMEMBERED if compiled.remembers else 1, 2), -1, dtype=np.int64),
        board=np.zeros(size, dtype=np.int8),
        codes=np.zeros((coded, axes), dtype=np.int32),
        packed=np.zeros((seats, coded), dtype=np.int64),
        said=np.full((seats, blocks * live_kernels.BLOCK), live_kernels.NOBODY_SAYS, dtype=np.int64),
        nodes=nodes,
        work=compiled.work,
        near=np.zeros((3, 2 * axes * LONGEST_CODE + 1), dtype=np.int64),
    )


class LiveBoard:
    """A team's board: tell it what is placed, ask it for the most urgent moves."""

    def __init__(self, book: Rulebook, large: bool | None = None, looks_up: bool | None = None) -> None:
        """`large` forces or forbids the compiler, `looks_up` a look-up for patterns, which large boards have."""
        self.book, self.game = book, book.game
        self.large = self.game.grid.size > SMALL_BOARD if large is None else large
        self.compiled = compile_book(book, self.large if looks_up is None else looks_up)
        self.kernels = kernels(live_kernels, self.large, switched_off(self.compiled.game.numbers, self.compiled.rows))
        self.live = live(self.compiled)
        self.recompute()

    @property
    def nbytes(self) -> int:
        """How much memory the board, the game and the table take."""
        return self.live.nbytes + sum(array.nbytes for array in self.compiled.game)

    def recompute(self) -> None:
        """Work everything out afresh from the marks."""
        self.kernels.recompute(*self.compiled.game, *self.live)

    def put(self, cell: Cell, mark: int) -> None:
        """A mark as the team sees it: 0 blank, 1 mine (or the first letter), 2 theirs (or the second)."""
        self.kernels.put(*self.compiled.game, *self.live, cell, mark)

    def meet(self, position: Position) -> None:
        """Take over a position, changing only what differs."""
        seen = seen_by(self.game, position)
        for cell in np.flatnonzero(seen != self.live.board):
            self.put(int(cell), int(seen[cell]))

    def moves(self, position: Position) -> list[Move]:
        """The tied most urgent moves in a position, as the reference team names them."""
        self.meet(position)
        cells = np.zeros(self.game.grid.size, dtype=np.int64)
        count = self.kernels.ties(*self.compiled.game, self.live.board, self.live.said, 1, cells)
        return [move for cell in cells[:count].tolist() for move in self._moves(cell, position.seat)]

    def _moves(self, cell: Cell, seat: int) -> list[Move]:
        if not self.game.shared:
            return [Move(cell, self.game.marks[seat])]
        letters = int(self.live.said[0, cell]) & LETTER_MASK or LETTER_MASK  # a silent agent would place any letter
        return [Move(cell, mark) for i, mark in enumerate(self.game.marks) if letters >> i & 1]
