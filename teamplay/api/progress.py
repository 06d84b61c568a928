"""How far is a long call? A callable of yours is called a few times per second."""

import time
from collections.abc import Callable
from dataclasses import dataclass

PAUSE = 0.2  # seconds between two reports


@dataclass(frozen=True)
class Advance:
    """What was done so far, of how many (None: unknown), after how many seconds; printed, it is a sentence."""

    done: int
    total: int | None
    unit: str  # what is counted: positions, games
    seconds: float
    text: str

    def __str__(self) -> str:
        return self.text


Report = Callable[[Advance], None]


class Reporter:
    """Reports to a callable how far the work is, at most a few times per second."""

    def __init__(self, report: Report | None, unit: str) -> None:
        self._report, self._unit = report, unit
        self._begun = time.monotonic()
        self._next = self._begun + PAUSE

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    def due(self) -> bool:
        """Whether there is a callable, and the next report is due."""
        return self._report is not None and time.monotonic() >= self._next

    def say(self, done: int, text: str, total: int | None = None) -> None:
        """Report, due or not."""
        self._next = time.monotonic() + PAUSE
        if self._report is not None:
            self._report(Advance(done, total, self._unit, self.seconds, text))


def rate(done: int, seconds: float) -> str:
    """`410,000 per second`."""
    return f"{done / max(seconds, 1e-9):,.0f} per second"
