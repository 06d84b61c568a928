"""Progress on standard error, on a terminal and when the work takes long."""

import shutil
import sys
import threading
import time

from teamplay.api.progress import Advance

FIRST = 0.5  # seconds before anything is shown
PAUSE = 0.2  # seconds between two lines
TICK = 1.0  # seconds between two looks at the clock while nothing is reported


class Progress:
    """One line that is rewritten, and wiped at the end.

    A thread shows `text` if the work is not over after half a second, and adds the time so far whenever nothing was
    reported for a second: a single move, game or compilation may take minutes, and must not look hung.
    """

    def __init__(self, text: str = "working") -> None:
        self.watched = sys.stderr.isatty()
        self._began = self._said = time.monotonic()
        self._next = self._began + FIRST
        self._text, self._width = text, 0
        self._lock, self._over = threading.Lock(), threading.Event()
        self._clock: threading.Thread | None = None

    def __enter__(self) -> "Progress":
        if self.watched:
            self._clock = threading.Thread(target=self._tick, daemon=True)
            self._clock.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._clock:
            self._clock.join()
        self.wipe()

    def due(self) -> bool:
        """Whether it is time for another line."""
        return self.watched and time.monotonic() >= self._next

    def say(self, text: str) -> None:
        """Write a line in the place of the last."""
        self._said = time.monotonic()
        self._next = self._said + PAUSE
        self._text = text
        self._write(text)

    def wipe(self) -> None:
        """Take the line away, so that something else can be printed."""
        if self._width:
            self._write("")
            self._write("", end="\r")

    def report(self, step: Advance) -> None:
        """Show how far a long call is, at most a few times per second."""
        if self.due():
            self.say(str(step))

    def _tick(self) -> None:
        if not self._over.wait(FIRST) and not self._width:
            self._write(f"{self._text} …")
        while not self._over.wait(TICK):
            now = time.monotonic()
            if now - self._said >= TICK:
                self._write(f"{self._text} ({now - self._began:.0f} s)")

    def _write(self, text: str, end: str = "") -> None:
        """Write over the line; one that the terminal would wrap is cut, for only its last row could be taken back."""
        text = text[: shutil.get_terminal_size().columns - 1]
        with self._lock:
            sys.stderr.write(f"\r{text.ljust(self._width)}{end}")
            sys.stderr.flush()
            self._width = len(text)
