"""Whole games of table against table, many of them."""

import numpy as np

from teamplay.engine.arrays import board_of
from teamplay.engine.compiled import compile_books, switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import live as live_kernels
from teamplay.engine.kernels import play
from teamplay.engine.live import Live, live
from teamplay.engine.playouts import Results, results, seeded
from teamplay.errors import TeamplayError
from teamplay.language.rulebook import Rulebook


class Contest:
    """Two tables without chance at one game, made ready; ties are broken by chance."""

    def __init__(self, first: Rulebook, second: Rulebook, large: bool, looks_up: bool | None = None) -> None:
        if first.game != second.game:
            raise TeamplayError(f"{first.name} plays {first.game}, {second.name} plays {second.game}.")
        self.game = first.game
        self._compiled = compile_books(first, second, large if looks_up is None else looks_up)
        off = switched_off(self._compiled.game.numbers, self._compiled.rows)
        self._live = live(self._compiled)
        self._live.board[:] = board_of(self.game, self.game.start)
        kernels(live_kernels, large, off).recompute(*self._compiled.game, *self._live)
        self._start = Live._make(array.copy() for array in self._live)
        self._kernels = kernels(play, large, off)

    def play(self, games: int, seed: int, recorded: int = 0) -> Results:
        """Play so many games from the start."""
        outcomes, record = np.zeros(4, dtype=np.int64), np.full(recorded, -1, dtype=np.int64)
        changed, counted = np.zeros(self.game.grid.size, dtype=np.int64), (seeded(seed), outcomes, record)
        boards = (*self._compiled.game, self._live, self._start)
        self._kernels.play_many(*boards, changed, self.game.start.seat, games, *counted)
        return results(self.game, outcomes, record)
