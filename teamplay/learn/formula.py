"""A SAT solver that can be stopped: clauses, variables, and a clock that is looked at between slices of work."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from teamplay.errors import BadSpec

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

    def __call__(self, text: str) -> None:
        """Report what is done, and stop at the bound."""
        now = time.monotonic()
        if self.report and now >= self._next:
            self._next = now + PAUSE
            self.report(text)
        if self.spent > self.seconds:
            raise OutOfTime(f"{self.seconds:g} second{'s' * (self.seconds != 1)}")

    def part(self, share: float, least: float = 1.0) -> "Budget":
        """A budget of some of the time that is left."""
        return Budget(min(self.left, max(least, share * self.left)), self.report, self.clock)


class Formula:
    """Clauses, and an incremental solver over them."""

    def __init__(self, budget: Budget, name: str = "glucose4") -> None:
        try:
            from pysat.solvers import Solver
        except ImportError:
            raise BadSpec("Learning needs a SAT solver; install it with `pip install teamplay[learn]`.") from None
        self.budget = budget
        self.variables = 0
        self.clauses = 0
        self._solver: Any = Solver(name=name)
        self._model: set[int] = set()

    def var(self) -> int:
        self.variables += 1
        return self.variables

    def vars(self, number: int) -> list[int]:
        return [self.var() for _ in range(number)]

    def add(self, *literals: int) -> None:
        self.clauses += 1
        self._solver.add_clause(literals)

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
                self._model = set(self._solver.get_model()) if found else set()
                return bool(found)
            self.budget(doing or f"{self.clauses:,} clauses")

    def holds(self, literal: int) -> bool:
        """Whether a literal is true in the model that was found last."""
        return literal in self._model

    def core(self) -> list[int]:
        """Assumptions that can't be met together."""
        return list(self._solver.get_core() or ())

    def close(self) -> None:
        self._solver.delete()
