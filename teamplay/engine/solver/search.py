"""Running a search: plain at first, compiled and with more memory when it turns out large, stopped at a bound."""

import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.jit import compiled
from teamplay.engine.solver.kernels import memory as memory_kernels
from teamplay.engine.solver.kernels.memory import HALT, LIMIT, POSITIONS, SearchRoom
from teamplay.engine.solver.kernels.workers import ALONE, BACK, DOWNWARDS, STAY, UPWARDS, WORKER
from teamplay.engine.solver.rules import Method, masks
from teamplay.game import BLANK, Game, Position

PLAIN = 2_000  # positions before the compiler is worth its second
FIRST_ROWS = 1 << 12
GROWTH = 16
ROW_BYTES = 24
QUICK = 1 << 14  # positions that are searched before somebody could look at the clock; a thread costs as much
CARRIED = 1 << 14  # rows that are copied into a larger memory between two looks at the clock
TICK = 0.1  # seconds


class Stopped(Exception):
    """The search ended before it knew; the text says which bound was reached."""


@dataclass(frozen=True)
class Limits:
    """Where a search gives up."""

    seconds: float | None = None
    positions: int | None = None


@dataclass
class Clock:
    """How long a search has been going on, and how far it may go."""

    limits: Limits = Limits()
    watch: Callable[[int, float], None] | None = None  # told positions and seconds from time to time
    begun: float = field(default_factory=time.monotonic)
    positions: int = 0
    counts: bool = False  # positions are bound from outside, so that every run must count the same

    def __post_init__(self) -> None:
        self.counts |= self.limits.positions is not None

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    @property
    def left(self) -> int:
        """How many more positions may be searched."""
        return 1 << 60 if self.limits.positions is None else max(0, self.limits.positions - self.positions)

    @property
    def late(self) -> bool:
        return self.limits.seconds is not None and self.seconds >= self.limits.seconds

    def tick(self, positions: int) -> None:
        """Tell who watches."""
        if self.watch:
            self.watch(positions, self.seconds)

    def part(self, positions: int) -> "Clock":
        """A clock for a part of the search that may cost N positions at most; who watches sees the whole."""
        before = self.positions
        left = None if self.limits.seconds is None else self.limits.seconds - self.seconds
        limits = Limits(left, min(self.left, positions))
        part = Clock(limits, lambda found, _: self.tick(before + found))
        part.counts = self.counts
        return part

    def check(self) -> None:
        """Stop at a bound."""
        if self.late:
            raise Stopped(f"{self.limits.seconds:g} second{'s' * (self.limits.seconds != 1)}")
        if not self.left:
            raise Stopped(f"{self.limits.positions:,} position{'s' * (self.limits.positions != 1)}")


class Workplace:
    """What one worker writes on."""

    def __init__(self, cells: int) -> None:
        self.scratch = np.zeros((2 * cells + 2, 3, 2 * cells), dtype=np.int64)
        self.control = np.array([0, 1 << 61, 0, ALONE, STAY, 0])
        self.path = np.zeros((2 * cells + 2, 4), dtype=np.int64)

    def room(self, memory: NDArray[np.int64], worker: int = ALONE) -> SearchRoom:
        """What a worker needs to begin a search."""
        self.control[HALT], self.control[WORKER], self.control[BACK] = 0, worker, STAY
        return SearchRoom(memory, self.scratch, self.control, self.path)


class Search:
    """One set of rules, and all that was learnt about positions under them."""

    def __init__(self, game: Game, method: Method, rules: Any, large: bool | None, most_rows: int) -> None:
        """`large` decides about compiling; None leaves it to the size that the search turns out to have."""
        kernels = method.kernels
        self._game, self._source, self._rules, self._most_rows = game, kernels, rules, most_rows
        self._bits = method.bits
        self._plain_only = large is False
        plain = getattr(kernels, "MOST_PLAIN", game.grid.size)  # blanks with which plain kernels are worth a try
        self._most_plain = -1 if method.signed else plain
        self._kernels = kernels
        self._is_compiled = False
        self._memory = np.zeros((FIRST_ROWS * GROWTH if self._plain_only else FIRST_ROWS, 3), dtype=np.int64)
        self._workplaces = [Workplace(game.grid.size)]
        self._workers = min(getattr(kernels, "WORKERS", 1), os.cpu_count() or 1)
        if large:
            self._grow()

    def score(self, position: Position, alpha: int, beta: int, clock: Clock) -> int:
        """The score of a position, exact inside the window, a bound outside; `Stopped` where the clock says so."""
        control = self._workplaces[0].control
        if not self._is_compiled and not self._plain_only and position.marks.count(BLANK) > self._most_plain:
            self._grow()
        while True:
            clock.check()
            before = self._positions
            control[LIMIT] = min(int(control[POSITIONS]) + clock.left, self._enough)
            try:
                score = self._run((*masks(self._game, position, self._bits), 0, alpha, beta), clock)
            except KeyboardInterrupt:
                self._memory[:] = 0  # plain kernels may have been caught with half a row written
                raise
            finally:
                clock.positions += self._positions - before
            if score is not None:
                return score
            if int(control[POSITIONS]) >= self._enough:
                clock.check()
                self._grow(clock)

    @property
    def _enough(self) -> int:
        """How many positions this memory is good for."""
        if self._plain_only or (self._is_compiled and len(self._memory) >= self._most_rows):
            return 1 << 61
        return len(self._memory) if self._is_compiled else PLAIN

    @property
    def _positions(self) -> int:
        """How many positions were searched, by all workers."""
        return sum(int(workplace.control[POSITIONS]) for workplace in self._workplaces)

    def _run(self, question: tuple[int, ...], clock: Clock) -> int | None:
        """The score of a position in a window; None if the search was halted."""
        workplace = self._workplaces[0]
        if not self._is_compiled and clock.limits.seconds is None:
            return self._asked(workplace, question)
        control, limit = workplace.control, int(workplace.control[LIMIT])
        if self._is_compiled:
            control[LIMIT] = min(limit, int(control[POSITIONS]) + QUICK)
            score = self._asked(workplace, question)
            if score is not None or control[LIMIT] == limit:
                return score
            control[LIMIT] = limit
        return self._watched(question, clock)

    def _asked(self, workplace: Workplace, question: tuple[int, ...], worker: int = ALONE) -> int | None:
        """What one worker finds; None if it was halted."""
        score = int(self._kernels.search(self._rules, workplace.room(self._memory, worker), *question))
        return None if workplace.control[HALT] else score

    def _watched(self, question: tuple[int, ...], clock: Clock) -> int | None:
        """Search in threads, so that somebody may look at the clock and press Ctrl-C meanwhile.

        One worker is enough where positions are counted, as its count is the same in every run.
        """
        workers = [ALONE]
        if self._is_compiled and not clock.counts and self._workers > 1:
            workers = [UPWARDS, DOWNWARDS]
        while len(self._workplaces) < len(workers):
            self._workplaces.append(Workplace(self._game.grid.size))
        workplaces = self._workplaces[: len(workers)]
        others = clock.positions - self._positions
        with ThreadPoolExecutor(len(workers)) as pool:
            running = [
                pool.submit(self._asked, workplace, question, worker)
                for workplace, worker in zip(workplaces, workers, strict=True)
            ]
            try:
                while not wait(running, TICK, FIRST_COMPLETED).done:
                    clock.tick(others + self._positions)
                    if clock.late:
                        break
            finally:
                while any(not each.done() for each in running):  # Ctrl-C, or one has finished: let the others end
                    for workplace in workplaces:
                        workplace.control[HALT] = 1
                    wait(running, TICK)
        return next((score for each in running if (score := each.result()) is not None), None)

    def _grow(self, clock: Clock | None = None) -> None:
        """Compile, and take more memory; all of it rather than most: the last two would not fit beside each other.

        A gigabyte of fresh memory takes seconds to fill, so the clock is looked at meanwhile. Where it stops, the
        memory stays as it was.
        """
        rows = len(self._memory) * GROWTH
        rows = rows if rows * GROWTH <= self._most_rows else self._most_rows
        larger = np.zeros((rows, 3), dtype=np.int64)
        if not self._is_compiled:
            self._kernels = compiled(self._source)
            self._is_compiled = True
        for begin in range(0, len(self._memory), CARRIED):
            if clock:
                clock.check()
            compiled(memory_kernels).carry(self._memory[begin : begin + CARRIED], larger)
        self._memory = larger
