"""Many boards at once: what every agent says on each, and which moves are the most urgent."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import board_of
from teamplay.engine.compiled import compile_books, switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import batch as batch_kernels
from teamplay.engine.live import live
from teamplay.game import Position
from teamplay.language.rulebook import Rulebook

Marks = NDArray[np.int8]  # [boards, cells]: marks from 1, in the game's order; 0 is blank
Numbers = NDArray[np.int64]  # [boards, cells]


class Batch:
    """A table without chance, ready to answer for batches of boards, whoever is to move."""

    def __init__(self, book: Rulebook, large: bool, looks_up: bool | None = None) -> None:
        self.game = book.game
        self._compiled = compile_books(book, book, large if looks_up is None else looks_up)
        self._live = live(self._compiled)
        off = switched_off(self._compiled.game.numbers, self._compiled.rows)
        self._kernels = kernels(batch_kernels, large, off)

    def boards(self, positions: Sequence[Position]) -> tuple[Marks, Numbers]:
        """Positions as arrays: the marks, [boards, cells], and who is to move, [boards]."""
        marks = [board_of(self.game, position) for position in positions]
        seats = np.array([position.seat for position in positions], dtype=np.int64)
        return np.array(marks, dtype=np.int8).reshape(len(positions), self.game.grid.size), seats

    def answers(self, boards: Marks, seats: Numbers) -> tuple[Numbers, Numbers]:
        """Priorities and letters (as bits, in the game's order) of all agents.

        A cell that can't be played has the priority `TAKEN`, an agent that stays silent `SILENT` and all letters.
        """
        priorities, letters = np.zeros(boards.shape, dtype=np.int64), np.zeros(boards.shape, dtype=np.int64)
        self._kernels.answers(*self._compiled.game, *self._live, boards, seats, priorities, letters)
        return priorities, letters

    def ties(self, boards: Marks, seats: Numbers) -> Numbers:
        """The letters of the tied most urgent moves, 0 where a cell is not chosen."""
        priorities, letters = self.answers(boards, seats)
        self._kernels.keep_urgent(priorities, letters)
        return letters
