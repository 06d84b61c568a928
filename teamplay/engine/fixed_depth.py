"""Minimax to a fixed depth on the compiled engine: every best move of a position, or of many at once."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import board_of, game_arrays
from teamplay.engine.compiled import switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import fixed_depth as kernel
from teamplay.engine.kernels.fixed_depth import FixedDepthRoom
from teamplay.game import Game, Move, Position

LONGEST_LINE = 11  # the kernels count no more marks in a window


def is_known(game: Game) -> bool:
    """Whether the kernels see a game as the plain search does."""
    goal = game.goal
    if goal.exact or goal.owner is not None or game.grid.boards > 1 or (game.k or 0) > LONGEST_LINE:
        return False
    return game.placement != "flank" or goal.kind == "majority"


class FixedDepthSearch:
    """Searches positions of one game to one depth."""

    def __init__(self, game: Game, depth: int) -> None:
        self.game, self.depth = game, depth
        self.arrays = game_arrays(game)
        cells, actions = game.grid.size, game.grid.size * self.arrays.letters
        plies = min(depth, cells) + 1
        self.room = FixedDepthRoom(
            board=np.zeros(cells, dtype=np.int8),
            actions=np.zeros((plies, actions), dtype=np.int32),
            values=np.zeros((plies, actions), dtype=np.int64),
            ended=np.zeros((plies, actions), dtype=np.bool_),
            refuters=np.zeros(plies, dtype=np.int32),
            changed=np.zeros(cells, dtype=np.int64),
            turned=np.zeros((plies, cells), dtype=np.int32),
            best=np.zeros(actions, dtype=np.int32),
        )

    @cached_property
    def _kernels(self) -> Any:
        return kernels(kernel, True, switched_off(self.arrays))

    def moves(self, position: Position) -> list[Move]:
        """Every best move, in the game's order; the game must not be over."""
        self.room.board[:] = board_of(self.game, position)
        points = position.scores[0] - position.scores[1]
        count = self._kernels.best_actions(self.arrays, self.room, position.seat, points, self.depth)
        found = []
        for action in np.sort(self.room.best[:count]).tolist():
            cell, letter = divmod(action, self.arrays.letters)
            found.append(Move(cell, self.game.marks[letter if self.game.shared else position.seat]))
        return found

    def cells(self, mine: NDArray[np.bool_], theirs: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The cells of the best moves in many positions of a game without letters or points. [positions, cells]

        Both seats see a position in the same way, so who moves takes the first seat here.
        """
        boards = mine.astype(np.int8) + 2 * theirs.astype(np.int8)
        chosen = np.zeros(boards.shape, dtype=np.bool_)
        self._kernels.best_cells(self.arrays, self.room, boards, self.depth, chosen)
        return chosen
