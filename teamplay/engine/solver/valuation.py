"""The whole of a game of points: the value of every position it has, reached or not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.jit import kernels
from teamplay.engine.solver.kernels import tables
from teamplay.engine.solver.rules import method_of
from teamplay.errors import TeamplayError
from teamplay.game import Game, Position

MOST_POSITIONS = 1 << 28  # one byte each
FEW_POSITIONS = 1 << 9  # up to which the compiler is not worth its second


@dataclass(frozen=True)
class Valuation:
    """The points still to come from each position, mine less theirs, for the side to move."""

    game: Game
    values: NDArray[np.int8]  # [(letters + 1) ** cells]

    def index(self, position: Position) -> int:
        """Where a position stands: one digit a cell, the first cell the last digit; 0 for a blank, then the letters."""
        base = len(self.game.marks) + 1
        return sum((self.game.marks.index(mark) + 1) * base**cell for cell, mark in _marks(self.game, position))

    def value(self, position: Position) -> int:
        """The value of a position."""
        return int(self.values[self.index(position)])


def _marks(game: Game, position: Position) -> list[tuple[int, str]]:
    return [(cell, mark) for cell, mark in enumerate(position.marks) if mark in game.marks]


def valuation(game: Game, large: bool | None = None) -> Valuation:
    """Every value of a game of points with one or two letters that both may place."""
    method = method_of(game, symmetry=False)
    if method is None or method.name != "words" or not game.shared or game.goal.effect != "scores":
        raise TeamplayError(f"{game} has no table of all values: that needs points and one or two shared letters.")
    size = (len(game.marks) + 1) ** game.grid.size
    if size > MOST_POSITIONS:
        raise TeamplayError(
            f"A table of all values of {game} would have {size:,} positions; {MOST_POSITIONS:,} are the most."
        )
    values = np.zeros(size, dtype=np.int8)
    kernels(tables, size > FEW_POSITIONS if large is None else large).fill(method.rules, values, game.grid.size)
    return Valuation(game, values)
