"""A SAT solver that can be stopped: clauses, variables, and a clock that is looked at between slices of work."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teamplay.errors import BadSpec
from teamplay.learn.refutation import check_refutation

SLICE = 2_000  # conflicts between two looks at the clock
PAUSE = 0.2  # seconds between two reports


class OutOfTime(Exception):
    """A bound was reached; the text says which."""


@dataclass
class Budget:
    """How long a search may go on, and who is told how far it is."""

    seconds: float = float("inf")
    report: Callable[[str], None] | None = None
    clock: Callable[[], float] = time.monotonic  # `time.process_time` where a result must not hang on a machine's load
    begun: float = field(init=False)
    _next: float = 0.0

    def __post_init__(self) -> None:
        self.begun = self.clock()

    @property
    def spent(self) -> float:
        return self.clock() - self.begun

    @property
    def left(self) -> float:
        return self.seconds - self.spent

    @property
    def bound(self) -> str:
        return f"{self.seconds:g} second{'s' * (self.seconds != 1)}"

    def __call__(self, text: str) -> None:
        """Report what is done, and stop at the bound."""
        now = time.monotonic()
        if self.report and now >= self._next:
            self._next = now + PAUSE
            self.report(text)
        if self.spent > self.seconds:
            raise OutOfTime(self.bound)

    def part(self, share: float, least: float = 1.0) -> "Budget":
        """A budget of some of the time that is left."""
        return Budget(min(self.left, max(least, share * self.left)), self.report, self.clock)


class Formula:
    """Clauses, and an incremental solver over them."""

    def __init__(self, budget: Budget, proved: bool = False) -> None:
        try:
            from pysat.solvers import Solver
        except ImportError:
            raise BadSpec("Learning needs a SAT solver; install it with `pip install teamplay[learn]`.") from None
        self.budget = budget
        self.variables = 0
        self.clauses = 0
        self.proved = proved  # is a `no` to be checked?
        self._solver: Any = Solver(name="glucose4", with_proof=proved)
        self._kept: list[tuple[int, ...]] = []  # all clauses, for the check of a proof
        self._model: list[int] = []

    def var(self) -> int:
        self.variables += 1
        return self.variables

    def vars(self, number: int) -> list[int]:
        return [self.var() for _ in range(number)]

    def add(self, *literals: int) -> None:
        self.clauses += 1
        self._solver.add_clause(literals)
        if self.proved:
            self._kept.append(literals)

    def prefer(self, literal: int) -> None:
        """Try this value of a variable first."""
        self._solver.set_phases([literal])

    def exactly_one(self, literals: list[int]) -> None:
        self.add(*literals)
        self.at_most_one(literals)

    def at_most_one(self, literals: list[int]) -> None:
        for i, one in enumerate(literals):
            for other in literals[i + 1 :]:
                self.add(-one, -other)

    def solve(self, assumptions: Iterable[int] = (), doing: str = "") -> bool:
        """Whether the clauses can be met; the budget may end it with OutOfTime."""
        given = list(assumptions)
        while True:
            self._solver.conf_budget(SLICE)
            found = self._solver.solve_limited(assumptions=given)
            if found is not None:
                self._model = self._solver.get_model() if found else []
                return bool(found)
            self.budget(doing or f"{self.clauses:,} clauses")

    def holds(self, literal: int) -> bool:
        """Whether a literal is true in the model that was found last, which ends with the last variable in a clause."""
        return abs(literal) <= len(self._model) and self._model[abs(literal) - 1] == literal

    def model(self) -> NDArray[np.bool_]:
        """What is true in the model that was found last, by variable. [variables + 1]"""
        found = np.zeros(self.variables + 1, dtype=np.bool_)
        found[1 : len(self._model) + 1] = np.array(self._model, dtype=np.int64) > 0
        return found

    def core(self) -> list[int]:
        """Assumptions that can't be met together."""
        return list(self._solver.get_core() or ())

    def check(self) -> int:
        """Replay the solver's proof that the clauses can't be met, nothing assumed; how many steps it has."""
        return check_refutation(self._kept, self._solver.get_proof(), self.budget)

    def close(self) -> None:
        self._solver.delete()
