"""A foreign program as a child process: lines in, lines out, each answer within a time, and no process left behind."""

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from pathlib import Path
from typing import IO

from teamplay.errors import BadFile, BadSpec, Forfeit

LONGEST_LINE = 4096  # characters; a longer line is cut
LAST_WORDS = 3  # lines that an error quotes
SHOWN = 200  # characters of a command that an error quotes
PATIENCE = 1.0  # seconds that a program gets to leave by itself


def command_words(command: str) -> list[str]:
    """A command line as the words of a program and its arguments."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadSpec(f"`{command[:80]}` is not a command line: {error}.") from None
    if not words:
        raise BadSpec("A command is missing behind the colon; write it as in a shell: `gtp:./engine -level 3`.")
    return words


class EngineProgram:
    """A running program that is spoken to line by line; `log` is a file that gets every line of both sides."""

    def __init__(self, command: str, log: str = "") -> None:
        self.command = command
        self._log = open_log(log)
        self._lines: queue.Queue[str | None] = queue.Queue()  # None is the end of its output
        self._last: deque[str] = deque(maxlen=LAST_WORDS)
        try:
            self._process = subprocess.Popen(
                command_words(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that Ctrl-C is ours alone, and its own children end with it
            )
        except OSError as error:
            raise BadSpec(f"`{command[:80]}` can't be started: {error.strerror or error}.") from None
        out, err = self._process.stdout, self._process.stderr
        assert out and err
        threading.Thread(target=self._read, args=(out,), daemon=True).start()
        threading.Thread(target=self._read_errors, args=(err,), daemon=True).start()
        self._end = weakref.finalize(self, _end, self._process, self._log)

    def say(self, line: str) -> None:
        """Send one line."""
        self._note(">", line)
        assert self._process.stdin
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except OSError:
            raise self.lost("ended early") from None

    def hear_line(self, deadline: float) -> str:
        """The next line before a moment of the monotonic clock; it may be empty."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise self.lost("did not answer in time") from None
        if line is None:
            raise self.lost("ended early")
        return line

    def hear(self, deadline: float) -> str:
        """The next line that is not empty."""
        while not (line := self.hear_line(deadline)).strip():
            pass
        return line

    def lost(self, why: str) -> Forfeit:
        """The game is lost for this program; the error quotes its last words."""
        self.close()
        words = " / ".join(self._last)
        quoted = f" Its last words were: {words}" if words else " It said nothing."
        return Forfeit(f"The program `{self.command[:SHOWN]}` {why}.{quoted}")

    def close(self, farewell: str = "") -> None:
        """End the program: politely first, if it knows a word for it."""
        if farewell and self._process.poll() is None:
            self._note(">", farewell)
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                assert self._process.stdin
                self._process.stdin.write(f"{farewell}\n".encode())
                self._process.stdin.flush()
                self._process.wait(PATIENCE)
        self._end()

    def _read(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(ValueError, OSError):  # the stream was closed while it was read
            # Lines may end in CR, LF or both.
            for data in stream:
                for line in data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")[:-1]:
                    cut = line[:LONGEST_LINE]
                    if cut.strip():
                        self._last.append(cut.strip()[:200])
                    self._note("<", cut)
                    self._lines.put(cut)
        self._lines.put(None)

    def _read_errors(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(ValueError, OSError):
            for data in stream:
                line = data.decode("utf-8", "replace").strip()[:LONGEST_LINE]
                if line:
                    self._last.append(line[:200])
                    self._note("!", line)

    def _note(self, side: str, line: str) -> None:
        if self._log:
            with contextlib.suppress(OSError, ValueError):
                self._log.write(f"{side} {line}\n")


def open_log(path: str) -> IO[str] | None:
    """A file for every line of both sides, if one is wanted; it grows from game to game."""
    if not path:
        return None
    try:
        return Path(path).open("a", encoding="utf-8", buffering=1)
    except OSError as error:
        raise BadFile(f"{path} cannot be written: {error.strerror or error}.") from None


def _end(process: "subprocess.Popen[bytes]", log: IO[str] | None) -> None:
    """End a process and all that it started, and wait for it: no zombie is left."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
            break
    for stream in (process.stdin, process.stdout, process.stderr, log):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
