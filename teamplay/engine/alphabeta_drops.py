"""Which alpha-beta search fits a game, and the one for pieces that drop: its tables, and its nodes or its time."""

import time
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from teamplay.engine.alphabeta import FEW, UNBOUNDED, AlphaBetaSearch, Line
from teamplay.engine.arrays import board_of
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import alphabeta_drops as kernel
from teamplay.engine.kernels.alphabeta import DECIDED
from teamplay.engine.kernels.alphabeta_drops import LIMITS, LOOK, NODES, REST, DropBench, DropSearcher
from teamplay.engine.playouts import seeded
from teamplay.engine.solver.kernels import drops
from teamplay.engine.solver.kernels.drops import DropRules
from teamplay.engine.solver.kernels.memory import LIMIT
from teamplay.engine.solver.rules import method_of
from teamplay.engine.solver.search import Workplace
from teamplay.game import Game, Move, Position

LOOKS, PROVES = 0.25, 0.625  # how much of the nodes or of the time the first look gets, and the solver
PER_SECOND = 1 << 22  # nodes for which there is room in the tables, where time is the bound
LARGEST = 22  # the logarithm of the slots at most
NO_RULES = DropRules(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), 0, 0, 0, 0, 0, 0, 0, False)


def deepening_search(game: Game, nodes: int) -> "AlphaBetaSearch | DropSearch":
    """The search that goes deeper and deeper for a game: by bitboards where pieces drop and lines win, if they fit."""
    if drop_rules(game):
        return DropSearch(game)
    return AlphaBetaSearch(game, nodes=nodes) if nodes else AlphaBetaSearch(game)


def drop_rules(game: Game) -> DropRules | None:
    """The rules, as masks, of a game whose pieces drop into columns; None for other games and too large boards."""
    method = method_of(game, symmetry=True)
    return method.rules if method and method.kernels is drops else None


def searcher(game: Game, nodes: int) -> DropSearcher:
    """What a search of so many nodes needs; of a game of another kind an empty one, which chooses nothing."""
    rules = drop_rules(game) or NO_RULES
    bits = (rules.height + 1) * rules.columns
    slots = 1 << min(LARGEST, (2 * nodes).bit_length())
    bench = DropBench(
        table=np.zeros((slots, 2), dtype=np.int64),
        history=np.zeros((2, bits), dtype=np.int64),
        jitter=np.zeros(bits, dtype=np.int64),
        scratch=np.zeros((bits + 2, 2, rules.columns), dtype=np.int64),
        counters=np.zeros(5, dtype=np.int64),
    )
    made = DropSearcher(rules, bench, Workplace(game.grid.size).room(np.zeros((max(2, slots // 2), 3), dtype=np.int64)))
    allow(made, nodes)
    return made


def allow(searcher: DropSearcher, nodes: int) -> None:
    """Share the nodes of a search out to its phases."""
    searcher.bench.counters[LIMITS + LOOK] = int(nodes * LOOKS)
    searcher.room.control[LIMIT] = int(nodes * PROVES)
    searcher.bench.counters[LIMITS + REST] = nodes


class DropSearch:
    """Searches positions of one game whose pieces drop into columns; `large` forces or forbids the compiler."""

    def __init__(self, game: Game, large: bool | None = None) -> None:
        self.game, self.large = game, large
        self._nodes, self._searcher = 0, searcher(game, 0)

    def best(self, position: Position, nodes: int, seconds: float, seed: int = 0) -> Line:
        """The best move found within N nodes or some seconds; 0 is no bound. By nodes it is always the same move.

        The seed decides among moves that look alike. The clock starts when the kernels are loaded.
        """
        large = bool(seconds) or nodes > FEW if self.large is None else self.large
        quick = kernels(kernel, large)
        most = min(nodes or UNBOUNDED, int(seconds * PER_SECOND) if seconds else UNBOUNDED)
        if most != self._nodes:  # the tables too must be the same for the same nodes
            self._nodes, self._searcher = most, searcher(self.game, most)
        task = self._searcher, board_of(self.game, position), position.seat, seeded(seed)
        if seconds:
            allow(self._searcher, 0)
            quick.choose_drop(*task)
        allow(self._searcher, nodes or UNBOUNDED)
        cell, value, depth = self._timed(quick, task, seconds) if seconds else quick.choose_drop(*task)
        move = Move(int(cell), self.game.marks[position.seat])
        return Line(move, int(value), int(depth), int(self._searcher.bench.counters[NODES]), abs(value) > DECIDED)

    def _timed(self, quick: Any, task: tuple[Any, ...], seconds: float) -> tuple[int, int, int]:
        """A search in a thread; when the time of a phase is up, the clock takes its nodes away."""
        counters, control = self._searcher.bench.counters, self._searcher.room.control
        proved = seconds * (LOOKS + PROVES)
        ends = (
            (counters, LIMITS + LOOK, seconds * LOOKS),
            (control, LIMIT, proved),
            (counters, LIMITS + REST, seconds),
        )
        begun = time.perf_counter()
        with ThreadPoolExecutor(1) as beside:
            running = beside.submit(quick.choose_drop, *task)
            try:
                for limits, place, end in ends:
                    wait([running], max(0.0, begun + end - time.perf_counter()))
                    limits[place] = 0
            finally:  # Ctrl-C
                allow(self._searcher, 0)
            found: tuple[int, int, int] = running.result()
            return found
