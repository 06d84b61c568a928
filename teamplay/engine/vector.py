"""Many boards of one game, stepped together: numpy arrays in, numpy arrays out."""

import numpy as np
from numpy.typing import NDArray

from teamplay.engine import jit
from teamplay.engine.arrays import board_of, game_arrays
from teamplay.engine.compiled import switched_off
from teamplay.engine.kernels import step as kernels
from teamplay.engine.kernels.step import FINE, Boards
from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import Game, Move

FEW_STEPS = 2_000  # boards times cells that are stepped without the compiler


class VectorGame:
    """Boards of a game that all wait for a move. A game that ends is counted and begins anew at once.

    `legal` [boards, actions] says which actions are legal, `seats` [boards] who moves, `marks` [boards, cells] what is
    where (0 blank, then the game's marks from 1). An action is a cell, or in games with letters the cell times the
    number of letters plus the letter. All are views of the arrays that the next step changes.
    """

    def __init__(self, game: Game, boards: int) -> None:
        if boards < 1:
            raise BadSpec(f"At least 1 board is needed, not {boards}.")
        self.game, self.boards = game, boards
        self._arrays = game_arrays(game)
        self._start, self._opener = board_of(game, game.start), game.start.seat
        self._kernels = jit.kernels(kernels, boards * game.grid.size > FEW_STEPS, switched_off(self._arrays))
        cells, actions = game.grid.size, game.grid.size * self._arrays.letters
        self._state = Boards(
            marks=np.zeros(boards * cells, dtype=np.int8),
            seats=np.zeros(boards, dtype=np.int8),
            points=np.zeros(boards, dtype=np.int32),
            blanks=np.zeros(boards, dtype=np.int32),
            legal=np.zeros((boards, actions), dtype=np.bool_),
            rewards=np.zeros((boards, 2), dtype=np.float32),
            done=np.zeros(boards, dtype=np.bool_),
        )
        self._changed = np.zeros(cells, dtype=np.int64)
        self.reset()

    @property
    def marks(self) -> NDArray[np.int8]:
        return self._state.marks.reshape(self.boards, -1)

    @property
    def seats(self) -> NDArray[np.int8]:
        return self._state.seats

    @property
    def legal(self) -> NDArray[np.bool_]:
        return self._state.legal

    @property
    def scores(self) -> NDArray[np.int32]:
        """The first seat's points less the second's: [boards]."""
        return self._state.points

    def reset(self) -> None:
        """Begin anew on every board."""
        self._kernels.reset_all(self._arrays, self._start, self._opener, self._state)

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Make a move on every board: what each seat gained [boards, 2], and which games ended [boards].

        An illegal action is an error that names the board; then no move was made.
        """
        given = np.ascontiguousarray(actions, dtype=np.int64)
        if given.shape != (self.boards,):
            raise BadSpec(f"Actions for {self.boards} boards are wanted, not an array of shape {given.shape}.")
        wrong = self._kernels.step_all(self._arrays, self._start, self._opener, self._state, given, self._changed)
        if wrong != FINE:
            raise IllegalMove(f"Action {given[wrong]} is illegal on board {wrong}.")
        return self._state.rewards, self._state.done

    def move(self, board: int, action: int) -> Move:
        """The move that an action stands for on a board."""
        cell, letter = divmod(action, self._arrays.letters)
        return Move(cell, self.game.marks[letter if self.game.shared else int(self._state.seats[board])])

    def play_random(self, steps: int, seed: int = 1) -> int:
        """Make random moves on all boards; how many games ended. A benchmark, and a way to shuffle the boards."""
        state = np.array([seed * 0x9E3779B97F4A7C15 % (1 << 64) or 1], dtype=np.uint64)
        actions = np.zeros(self.boards, dtype=np.int64)
        ended = 0
        for _ in range(steps):
            self._kernels.random_actions(self._state, state, actions)
            _, done = self.step(actions)
            ended += int(done.sum())
        return ended
