"""Progress on standard error, where somebody is watching and the work takes long."""

import sys
import time

FIRST = 0.5  # seconds before anything is said
PAUSE = 0.2  # seconds between two lines


class Progress:
    """One line that is written over and over, and wiped away at the end."""

    def __init__(self) -> None:
        self.watched = sys.stderr.isatty()
        self._next = time.monotonic() + FIRST
        self._width = 0

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._width:
            self._write("")
            self._write("", end="\r")

    def due(self) -> bool:
        """Whether it is time for another line."""
        return self.watched and time.monotonic() >= self._next

    def say(self, text: str) -> None:
        """Write a line in the place of the last."""
        self._next = time.monotonic() + PAUSE
        self._write(text)

    def _write(self, text: str, end: str = "") -> None:
        sys.stderr.write(f"\r{text.ljust(self._width)}{end}")
        sys.stderr.flush()
        self._width = len(text)


def rate(done: int, seconds: float) -> str:
    """`410,000 a second`."""
    return f"{done / max(seconds, 1e-9):,.0f} a second"
