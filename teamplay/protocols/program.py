"""A foreign program as a child process: lines in, lines out, each answer within a time, and no process left behind."""

import contextlib
import os
import queue
import re
import select
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from teamplay.errors import BadFile, BadSpec, Forfeit

LONGEST_LINE = 4096  # bytes; what is longer is cut
MOST_WAITING = 1000  # lines that wait to be heard; then the program must wait
LAST_WORDS = 3  # lines that an error quotes
LONGEST_WORDS = 200  # characters of each of them
SHOWN = 200  # characters of a command that an error quotes
PATIENCE = 1.0  # seconds that a program gets to leave by itself
DEAF = 10.0  # seconds that a program may leave its input unread while there is no more room for it
GRACE = 1.0  # seconds after which a line that came in time must have been heard, also on a busy machine
LOOK = 0.05  # seconds between two looks at something that gives no sign

_running: "weakref.WeakSet[EngineProgram]" = weakref.WeakSet()


def command_words(command: str) -> list[str]:
    """A command line as the words of a program and its arguments."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadSpec(f"`{command[:80]}` is not a command line: {error}.") from None
    if not words:
        raise BadSpec("A command is missing behind the colon; write it as in a shell: `gtp:./engine -level 3`.")
    return words


@contextlib.contextmanager
def programs_ended() -> Iterator[None]:
    """However this block ends, the programs that its thread has started within end with it.

    A player whose program was ended starts it again when it is asked for a move.
    """
    thread, before = threading.get_ident(), set(_running)
    try:
        yield
    finally:
        for program in [each for each in _running if each.thread == thread and each not in before]:
            program.close()


@dataclass
class _Output:
    """What a program has said. Two threads fill it, which must not keep the program itself alive."""

    log: IO[str] | None
    lines: "queue.Queue[str | None]" = field(default_factory=lambda: queue.Queue(MOST_WAITING))  # None is the end
    last: deque[str] = field(default_factory=lambda: deque(maxlen=LAST_WORDS))
    closed: bool = False  # nobody listens any more

    def note(self, side: str, line: str) -> None:
        if self.log:
            with contextlib.suppress(OSError, ValueError):
                self.log.write(f"{side} {line}\n")

    def listen(self, stream: IO[bytes]) -> None:
        """Keep the lines of its output."""
        with stream, contextlib.suppress(OSError):
            for line in _lines(stream):
                self._hear("<", line)
                if not self._keep(line):
                    return
        self._keep(None)

    def listen_to_errors(self, stream: IO[bytes]) -> None:
        """Only the last words of what it says to people are kept."""
        with stream, contextlib.suppress(OSError):
            for line in _lines(stream):
                self._hear("!", line)
                if self.closed:
                    return

    def _hear(self, side: str, line: str) -> None:
        if line.strip():
            self.last.append(line.strip()[:LONGEST_WORDS])
        self.note(side, line)

    def _keep(self, line: str | None) -> bool:
        """Wait for room: a program that talks without end must not fill the memory. Whether anybody listens."""
        while not self.closed:
            with contextlib.suppress(queue.Full):
                self.lines.put(line, timeout=LOOK)
                return True
        return False


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """The lines of a stream as they come; they end in CR, LF or both, the last one perhaps in nothing."""
    rest, returned = b"", False
    while data := os.read(stream.fileno(), 1 << 16):
        if returned:
            data = data.removeprefix(b"\n")  # the other half of a CR LF that came in two pieces
        returned = data.endswith(b"\r")
        *whole, rest = re.split(rb"\r\n|\r|\n", rest + data)
        for line in whole:
            yield line[:LONGEST_LINE].decode("utf-8", "replace")
        rest = rest[:LONGEST_LINE]
    if rest:
        yield rest.decode("utf-8", "replace")


def _printable(text: str) -> str:
    """A text without what would steer a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


class EngineProgram:
    """A running program that is spoken to line by line; `log` is a file that gets every line of both sides."""

    def __init__(self, command: str, log: str = "", folder: Path | None = None) -> None:
        self.command, self.thread = command, threading.get_ident()
        self._heard = _Output(open_log(log))
        try:
            self._process = process = subprocess.Popen(
                _found(command_words(command), folder),
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # so that Ctrl-C is ours alone, and its own children end with it
            )
        except OSError as error:
            raise BadSpec(f"`{command[:80]}` can't be started: {error.strerror or error}.") from None
        assert process.stdin and process.stdout and process.stderr
        os.set_blocking(process.stdin.fileno(), False)
        self._listeners = [
            threading.Thread(target=listen, args=(stream,), daemon=True)
            for listen, stream in (
                (self._heard.listen, process.stdout),
                (self._heard.listen_to_errors, process.stderr),
            )
        ]
        self._end = weakref.finalize(self, _end, process, _guard(process.pid), self._heard)
        for listener in self._listeners:
            listener.start()
        _running.add(self)

    @property
    def is_open(self) -> bool:
        """Whether it was not closed; it may have crashed since."""
        return self._end.alive

    def say(self, line: str) -> None:
        """Send one line."""
        self._heard.note(">", line)
        try:
            self._write(f"{line}\n".encode(), DEAF)
        except TimeoutError:
            raise self.lost("does not read what it is told") from None
        except OSError:
            raise self.lost("ended early") from None

    def hear_line(self, deadline: float) -> str:
        """The next line before a moment of the monotonic clock; it may be empty."""
        if time.monotonic() > deadline + GRACE:  # it talks without end, and says nothing
            raise self.lost("did not answer in time")
        try:
            line = self._heard.lines.get(timeout=max(0.0, deadline - time.monotonic()))
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

    def finish(self, deadline: float) -> None:
        """Wait until it has ended by itself; what it prints does not matter."""
        while self._process.poll() is None:
            if time.monotonic() > deadline:
                raise self.lost("did not answer in time")
            with contextlib.suppress(queue.Empty, subprocess.TimeoutExpired):
                if self._heard.lines.get(timeout=LOOK) is None:
                    self._process.wait(max(0.0, deadline - time.monotonic()))
        if self._process.returncode < 0:
            raise self.lost(f"was ended by signal {-self._process.returncode}")

    def note(self, line: str) -> None:
        """Write something that it has left elsewhere to the log."""
        self._heard.note("<", line)

    def lost(self, why: str) -> Forfeit:
        """The game is lost for this program; the error quotes its last words."""
        self.close()
        words = " / ".join(list(self._heard.last))
        quoted = f" Its last words were: {words}" if words else " It said nothing."
        return Forfeit(_printable(f"The program `{self.command[:SHOWN]}` {why}.{quoted}"))

    def close(self, farewell: str = "") -> None:
        """End the program: politely first, if it knows a word for it."""
        if farewell and self.is_open and self._process.poll() is None:
            self._heard.note(">", farewell)
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                self._write(f"{farewell}\n".encode(), PATIENCE)
                self._process.wait(PATIENCE)
        self._end()
        for listener in self._listeners:
            listener.join(PATIENCE)  # for its last words; not for ever, a grandchild may hold its output

    def _write(self, data: bytes, seconds: float) -> None:
        """Write all of it; a TimeoutError if there is no room for so long."""
        assert self._process.stdin
        pipe = self._process.stdin.fileno()
        deadline = time.monotonic() + seconds
        while data:
            try:
                data = data[os.write(pipe, data) :]
            except BlockingIOError:
                if not select.select([], [pipe], [], max(0.0, deadline - time.monotonic()))[1]:
                    raise TimeoutError from None


def _found(words: list[str], folder: Path | None) -> list[str]:
    """The words of a command that runs in another folder: a program that lies here is found there, too."""
    local = Path(words[0]).resolve()
    return [str(local), *words[1:]] if folder and local.exists() else words


def open_log(path: str) -> IO[str] | None:
    """A file for every line of both sides, if one is wanted; it grows from game to game."""
    if not path:
        return None
    try:
        return Path(path).open("a", encoding="utf-8", buffering=1)
    except OSError as error:
        raise BadFile(f"{path} cannot be written: {error.strerror or error}.") from None


def _guard(group: int) -> "subprocess.Popen[bytes]":
    """A process that ends a program and its children when this process dies without having done it, however it dies.

    It waits for a line. The end of its input without one means that nobody is left to write it.
    """
    script = f"read _ || {{ kill -TERM -{group}; sleep {PATIENCE}; kill -KILL -{group}; }} 2>/dev/null"
    return subprocess.Popen(
        ["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, bufsize=0, start_new_session=True
    )


def _end(process: "subprocess.Popen[bytes]", guard: "subprocess.Popen[bytes]", heard: _Output) -> None:
    """End a process and all that it started, and wait for it: no zombie is left."""
    heard.closed = True
    for sign in (signal.SIGTERM, signal.SIGKILL):  # its children may have outlived the first
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
    with contextlib.suppress(OSError):
        guard.communicate(b"\n")
    for stream in (process.stdin, heard.log):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
