"""Whole games of table against table, many of them."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.alphabeta import AlphaBetaSearch
from teamplay.engine.alphabeta_drops import searcher
from teamplay.engine.arrays import board_of
from teamplay.engine.compiled import compile_books, switched_off
from teamplay.engine.fixed_depth import FixedDepthSearch
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import live as live_kernels
from teamplay.engine.kernels import play
from teamplay.engine.kernels.game import DRAW, NOBODY
from teamplay.engine.kernels.play import Bout
from teamplay.engine.kernels.playout import RECORDED, GameLog
from teamplay.engine.live import live
from teamplay.engine.playouts import Results, game_log, results, seeded
from teamplay.errors import TeamplayError
from teamplay.game import Move
from teamplay.language.rulebook import Rulebook

SMALL_BOARD = 2000  # cells, on which plain kernels work out the start before the compiler has compiled them


@dataclass(frozen=True)
class SearchingSeat:
    """A seat for which `minimax` chooses: within N nodes, or to a depth."""

    nodes: int = 0
    depth: int = 0


class Contest:
    """Two tables without chance at one game, made ready; ties are broken by chance.

    In place of one of the tables a `SearchingSeat` may sit.
    """

    def __init__(
        self,
        first: Rulebook | SearchingSeat,
        second: Rulebook | SearchingSeat,
        large: bool,
        looks_up: bool | None = None,
    ) -> None:
        self._searcher, seat = NOBODY, SearchingSeat()
        if isinstance(first, SearchingSeat):
            assert not isinstance(second, SearchingSeat)
            self._searcher, seat, first = 0, first, replace(second, sections=())
        elif isinstance(second, SearchingSeat):
            self._searcher, seat, second = 1, second, replace(first, sections=())
        if first.game != second.game:
            raise TeamplayError(f"{first.name} plays {first.game}, {second.name} plays {second.game}.")
        self.game = first.game
        self._compiled = compile_books(first, second, large if looks_up is None else looks_up)
        off = switched_off(self._compiled.game, self._compiled.rows)
        search = AlphaBetaSearch(self.game, large, nodes=seat.nodes)
        search.bench.counters[1] = seat.nodes
        by_columns = searcher(self.game, seat.nodes)
        board = live(self._compiled)
        board.state.board[:] = board_of(self.game, self.game.start)
        recompute = kernels(live_kernels, large and self.game.grid.size > SMALL_BOARD, off).recompute
        recompute(self._compiled.game, board.teams, board.state)
        changed = np.zeros(self.game.grid.size, dtype=np.int64)
        start = deepcopy(board.state)
        self._bout = Bout(
            game=self._compiled.game,
            opener=self.game.start.seat,
            teams=board.teams,
            state=board.state,
            start=start,
            near=board.near,
            changed=changed,
            bench=search.bench,
            bounds=search.bounds,
            drops=by_columns,
            room=FixedDepthSearch(self.game, seat.depth).room,
            depth=seat.depth,
        )
        drops = by_columns.rules.board != 0
        used = {"DROPS": seat.nodes and drops, "DEEPENS": seat.nodes and not drops, "FIXED_DEPTH": seat.depth}
        off += [switch for switch, needed in used.items() if not needed]
        self._kernels = kernels(play, large, off)

    def play(self, games: int, seed: int, recorded: int = 0) -> Results:
        """Play N games from the start."""
        log = game_log(recorded)
        self._play(np.zeros((games, 0), dtype=np.int64), seed, log)
        return results(self.game, log)

    def winners(self, openings: Sequence[Sequence[Move]], seed: int) -> list[int | None]:
        """Play one game after each of these openings, none of which ends the game: the seats that win them."""
        written = np.full((len(openings), max(map(len, openings), default=0)), -1, dtype=np.int64)
        for number, moves in enumerate(openings):
            for ply, move in enumerate(moves):
                written[number, ply] = move.cell * RECORDED + self.game.marks.index(move.mark) + 1
        return [None if won == DRAW else won for won in self._play(written, seed, game_log(0)).tolist()]

    def _play(self, openings: NDArray[np.int64], seed: int, log: GameLog) -> NDArray[np.int8]:
        """One game after each opening, [games, plies]; who wins it, [games]."""
        winners = np.zeros(len(openings), dtype=np.int8)
        self._kernels.play_many(self._bout, self._searcher, openings, seeded(seed), log, winners)
        return winners
