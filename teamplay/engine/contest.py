"""Whole games of table against table, many of them."""

from copy import deepcopy

import numpy as np

from teamplay.engine.arrays import board_of
from teamplay.engine.compiled import compile_books, switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import live as live_kernels
from teamplay.engine.kernels import play
from teamplay.engine.kernels.play import Bout
from teamplay.engine.live import live
from teamplay.engine.playouts import Results, game_log, results, seeded
from teamplay.errors import TeamplayError
from teamplay.language.rulebook import Rulebook

SMALL_BOARD = 2000  # cells, on which plain kernels work out the start before the compiler has compiled them


class Contest:
    """Two tables without chance at one game, made ready; ties are broken by chance."""

    def __init__(self, first: Rulebook, second: Rulebook, large: bool, looks_up: bool | None = None) -> None:
        if first.game != second.game:
            raise TeamplayError(f"{first.name} plays {first.game}, {second.name} plays {second.game}.")
        self.game = first.game
        self._compiled = compile_books(first, second, large if looks_up is None else looks_up)
        off = switched_off(self._compiled.game, self._compiled.rows)
        board = live(self._compiled)
        board.state.board[:] = board_of(self.game, self.game.start)
        recompute = kernels(live_kernels, large and self.game.grid.size > SMALL_BOARD, off).recompute
        recompute(self._compiled.game, board.teams, board.state)
        changed = np.zeros(self.game.grid.size, dtype=np.int64)
        start = deepcopy(board.state)
        self._bout = Bout(self._compiled.game, board.teams, board.state, start, board.near, changed)
        self._kernels = kernels(play, large, off)

    def play(self, games: int, seed: int, recorded: int = 0) -> Results:
        """Play N games from the start."""
        log = game_log(recorded)
        self._kernels.play_many(self._bout, self.game.start.seat, games, seeded(seed), log)
        return results(self.game, log)
