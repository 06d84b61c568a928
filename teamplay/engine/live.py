"""One board of any size, updated incrementally: only the agents that see a change think again."""

from typing import NamedTuple

import numpy as np

from teamplay.engine.arrays import seen_by
from teamplay.engine.compiled import Compiled, compile_book, switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import live as live_kernels
from teamplay.engine.kernels.live import LiveState, Teams, Witnesses
from teamplay.engine.program import LONGEST_CODE, TAKEN
from teamplay.game import Move, Position
from teamplay.grid import Cell
from teamplay.language.rulebook import Rulebook

REMEMBERED = 1 << 16  # answers kept for packed features
SMALL_BOARD = 64  # cells; below, plain kernels answer before the compiler has loaded


class Live(NamedTuple):
    """A board for the kernels: its programs, its state, and room for the work on a change."""

    teams: Teams
    state: LiveState
    near: Witnesses

    @property
    def nbytes(self) -> int:
        """How much memory the arrays take."""
        teams, work = self.teams, self.teams.work
        return sum(array.nbytes for array in (teams.program, teams.table, teams.memo, *work, *self.state, *self.near))


def live(compiled: Compiled) -> Live:
    """Arrays for an empty board, not yet computed."""
    seats, size, axes = len(compiled.programs), len(compiled.game.places), compiled.game.axes
    blocks = -(-size // live_kernels.BLOCK)
    padded = blocks * live_kernels.BLOCK
    leaves = 1 << max(1, blocks - 1).bit_length()
    coded = size if compiled.table.size else 0
    remembered = REMEMBERED if compiled.remembers else 1
    memo = np.full((remembered, 2), -1, dtype=np.int64)
    state = LiveState(
        board=np.zeros(size, dtype=np.int8),
        codes=np.zeros((coded, axes), dtype=np.int32),
        packed=np.zeros((coded, seats), dtype=np.int64),
        said=np.full((seats, padded), TAKEN, dtype=np.int32),
        letters=np.zeros((seats, padded if compiled.game.shared else 0), dtype=np.uint8),
        least=np.full((seats, 2 * leaves), TAKEN, dtype=np.int32),
        share=np.zeros((seats, 2 * leaves), dtype=np.int32),
        stale=np.zeros((seats, leaves), dtype=np.int8),
        listed=np.zeros((seats, leaves), dtype=np.int32),
        waiting=np.zeros(seats, dtype=np.int64),
    )
    near = Witnesses(*np.zeros((4, 2 * axes * LONGEST_CODE + 1), dtype=np.int64))
    return Live(Teams(compiled.rows, compiled.table, memo, compiled.work), state, near)


class LiveBoard:
    """A team's board: `put` marks, and ask for the most urgent `moves`."""

    def __init__(self, book: Rulebook, large: bool | None = None, looks_up: bool | None = None) -> None:
        """`large` forces or forbids the compiler, `looks_up` a look-up for patterns, which large boards have."""
        self.book, self.game = book, book.game
        self.large = self.game.grid.size > SMALL_BOARD if large is None else large
        self.compiled = compile_book(book, self.large if looks_up is None else looks_up)
        self.kernels = kernels(live_kernels, self.large, switched_off(self.compiled.game, self.compiled.rows))
        self.live = live(self.compiled)
        self.recompute()

    @property
    def nbytes(self) -> int:
        """How much memory the board, the game and the table take."""
        return self.live.nbytes + self.compiled.game.places.nbytes + self.compiled.game.roles.nbytes

    def recompute(self) -> None:
        """Work everything out afresh from the marks."""
        self.kernels.recompute(self.compiled.game, self.live.teams, self.live.state)

    def put(self, cell: Cell, mark: int) -> None:
        """A mark as the team sees it: 0 blank, 1 mine (or the first letter), 2 theirs (or the second)."""
        self.kernels.put(self.compiled.game, *self.live, cell, mark)

    def meet(self, position: Position) -> None:
        """Take over a position, changing only what differs."""
        seen = seen_by(self.game, position)
        for cell in np.flatnonzero(seen != self.live.state.board):
            self.put(int(cell), int(seen[cell]))

    def moves(self, position: Position) -> list[Move]:
        """The tied most urgent moves in a position, as the reference team names them."""
        self.meet(position)
        cells = np.zeros(self.game.grid.size, dtype=np.int64)
        count = self.kernels.ties(self.compiled.game, self.live.state, 1, cells)
        return [move for cell in cells[:count].tolist() for move in self.moves_of(cell, position.seat)]

    def moves_of(self, cell: Cell, seat: int) -> list[Move]:
        """What the agent on a cell would place."""
        if not self.game.shared:
            return [Move(cell, self.game.marks[seat])]
        letters = int(self.live.state.letters[0, cell])
        return [Move(cell, mark) for i, mark in enumerate(self.game.marks) if letters >> i & 1]
