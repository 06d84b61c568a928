"""What happens when teamplay itself is wrong: an exit code of its own, a request for a report, and the traceback."""

import os
import platform
import shlex
import tempfile
import traceback

from teamplay import __version__
from teamplay.cli import complain

CODE = 70  # as `sysexits.h` has it for an internal error; 1 means "found something" and 2 "wrong input"
VARIABLE = "TEAMPLAY_TRACEBACK"


def report(error: BaseException, argv: list[str]) -> int:
    """Say that this is a defect of teamplay and where the traceback is; the exit code.

    The traceback goes to a file, or to standard error where there is no place for one or where the environment variable
    TEAMPLAY_TRACEBACK is set.
    """
    details = "".join(
        [
            f"teamplay {__version__}, Python {platform.python_version()}, {platform.platform()}\n",
            f"command: {shlex.join(['teamplay', *argv])}\n\n",
            *traceback.format_exception(error),
        ]
    )
    where = None if os.environ.get(VARIABLE) else _kept(details)
    if where is None:
        complain(details.rstrip())
    summary = f"{type(error).__name__}: {error}".split("\n")[0][:200]
    complain(f"teamplay: This is a defect of teamplay, not of your input: {summary}")
    place = f"the traceback in {where}" if where else "the traceback above"
    complain(f"teamplay: Please report it, with {place} and the files that the command read.")
    return CODE


def _kept(details: str) -> str | None:
    """The file that holds the details now, if one could be written."""
    try:
        number, path = tempfile.mkstemp(".txt", "teamplay-crash-")
        with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(details)
    except OSError:
        return None
    return path
