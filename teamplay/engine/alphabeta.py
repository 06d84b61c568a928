"""Alpha-beta search on the compiled engine: deeper and deeper, until the nodes or the time are used up."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from teamplay.engine.arrays import board_of, game_arrays
from teamplay.engine.compiled import switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import alphabeta as kernel
from teamplay.engine.kernels import outlook
from teamplay.engine.kernels.alphabeta import DECIDED, FAR, HASH, JITTER, STOPPED, Bench, BoundTable
from teamplay.engine.kernels.game import is_race
from teamplay.game import BLANK, Game, Move, Position

FEW = 300  # nodes that plain kernels visit before the compiler has loaded
MOST_SLOTS = 1 << 20
DEEPEST = 64  # plies
UNBOUNDED = 1 << 60


@dataclass(frozen=True)
class Line:
    """The move that a search found, what it is worth to the seat to move, and how deep the search went."""

    move: Move
    value: int
    depth: int
    nodes: int
    decided: bool  # whether the value is that of the end of the game, and no move was left out that might change it


class AlphaBetaSearch:
    """Searches positions of one game; `large` forces or forbids the compiler, `deepest` bounds the depth.

    `nodes` is how many are visited for one move at the most: the transposition table is no larger than that needs.
    """

    def __init__(self, game: Game, large: bool | None = None, deepest: int = DEEPEST, nodes: int = MOST_SLOTS) -> None:
        self.game, self.large, self.deepest = game, large, deepest
        self._arrays = game_arrays(game)
        cells, actions = game.grid.size, game.grid.size * self._arrays.letters
        chance = np.random.default_rng(20_260_101)
        words = chance.integers(1, HASH, size=(len(game.marks) + 2, cells), dtype=np.int64)
        words[0] = 0
        self._plies = min(DEEPEST, cells) + 2
        self.bench = Bench(
            board=np.zeros(cells, dtype=np.int8),
            zobrist=words,
            turn=chance.integers(1, HASH, size=2, dtype=np.int64),
            killers=np.zeros((self._plies, 2), dtype=np.int32),
            history=np.zeros((2, actions), dtype=np.int32),
            jitter=np.zeros(actions, dtype=np.int32),
            actions=np.zeros((self._plies, actions), dtype=np.int32),
            scores=np.zeros((self._plies, actions), dtype=np.int32),
            gains=np.zeros((self._plies, actions), dtype=np.int32),
            changed=np.zeros(cells, dtype=np.int64),
            turned=np.zeros((self._plies, cells), dtype=np.int32),
            counters=np.zeros(2, dtype=np.int64),
        )
        slots = min(MOST_SLOTS, 1 << (4 * max(nodes, 1)).bit_length())
        self.bounds = BoundTable(
            keys=np.zeros(slots, dtype=np.int64),
            values=np.zeros(slots, dtype=np.int32),
            depths=np.zeros(slots, dtype=np.int8),
            kinds=np.zeros(slots, dtype=np.int8),
            moves=np.zeros(slots, dtype=np.int32),
        )

    def best(self, position: Position, nodes: int, seconds: float, seed: int = 0) -> Line:
        """The best move found within N nodes or some seconds; 0 is no bound. By nodes it is always the same move.

        The seed decides among moves that look alike. One ply is always searched; a depth that is cut off does not
        count. The clock starts when the kernels are loaded.
        """
        large = bool(seconds) or nodes > FEW if self.large is None else self.large
        quick = kernels(kernel, large, switched_off(self._arrays))
        self._begin(seed)
        counters = self.bench.counters
        counters[:] = 0, UNBOUNDED
        found = self._line(position, 1, self._depth(quick, position, 1))
        counters[1] = nodes or UNBOUNDED
        end = time.perf_counter() + seconds
        for depth in range(2, min(self.deepest, self._plies - 1, position.marks.count(BLANK)) + 1):
            if found.decided:
                break
            value = self._timed(lambda: self._depth(quick, position, depth), end if seconds else None)  # noqa: B023
            if value == STOPPED:
                break
            found = self._line(position, depth, value)
        return found

    def _begin(self, seed: int) -> None:
        """Forget what was learnt of another position."""
        self.bench.killers[:] = -1
        self.bench.history[:] = 0
        self.bounds.keys[:] = 0
        chance = np.random.default_rng(seed)
        self.bench.jitter[:] = chance.integers(0, JITTER, size=len(self.bench.jitter))

    def _depth(self, quick: Any, position: Position, depth: int) -> int:
        """The value of a position, searched to a depth; STOPPED when the nodes are used up."""
        bench = self.bench
        bench.board[:] = board_of(self.game, position)
        points = position.scores[0] - position.scores[1]
        counted = is_race(self._arrays)
        windows = int(kernels(outlook, quick is not kernel).all_windows(self._arrays, bench.board)) if counted else 0
        here = position.seat, 0, -1, points, windows, self._key(position)
        return int(quick.search(self._arrays, self.bounds, bench, here, depth, -FAR, FAR))

    def _timed(self, search: Callable[[], int], end: float | None) -> int:
        """A search that is stopped at a time: it runs in a thread, and the clock takes its nodes away."""
        if end is None:
            return search()
        with ThreadPoolExecutor(1) as beside:
            running = beside.submit(search)
            try:
                return running.result(max(0.0, end - time.perf_counter()))
            except TimeoutError:
                self.bench.counters[1] = 0
                return running.result()
            finally:
                self.bench.counters[1] = 0 if not running.done() else self.bench.counters[1]

    def _line(self, position: Position, depth: int, value: int) -> Line:
        action = int(self.bounds.moves[self._slot(position)])
        cell, letter = divmod(action, self._arrays.letters)
        move = Move(cell, self.game.marks[letter if self.game.shared else position.seat])
        decided = value > DECIDED or (value < -DECIDED and not outlook.is_wide(self._arrays))
        return Line(move, value, depth, int(self.bench.counters[0]), decided)

    def _key(self, position: Position) -> int:
        key = 0
        for cell, mark in enumerate(board_of(self.game, position)):
            key ^= int(self.bench.zobrist[mark, cell])
        return key

    def _slot(self, position: Position) -> int:
        points = position.scores[0] - position.scores[1]
        return int(kernel.hashed(self.bench, position.seat, points, self._key(position))) % len(self.bounds.keys)
