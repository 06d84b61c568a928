"""The command line: one file per command. Nothing heavy is imported before a command needs it."""

import argparse
import importlib
import os
import sys
from types import ModuleType

TYPE_CHECKING = False  # as typing's, whose import would cost a third of the start-up
if TYPE_CHECKING:
    from typing import NoReturn, TextIO

CLOSED_PIPE = 141  # as shells report it: nobody has read the answer, so 0 or 1 would be a claim


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence."""

    def error(self, message: str) -> "NoReturn":
        from teamplay.errors import BadSpec

        raise BadSpec(f"{message[:1].upper()}{message[1:]}; `{self.prog} --help` says more.")


def commands() -> list[str]:
    """Every file here without a leading underscore is a command.

    It has a docstring (the command's help), `arguments(parser)` and `run(args)`, which returns the exit code.
    """
    files = (os.path.splitext(entry) for entry in os.listdir(__path__[0]))
    return sorted(name for name, suffix in files if suffix == ".py" and not name.startswith("_"))


def _command(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name}")


def _summary(name: str) -> str:
    """The first line of a command's file is its help; importing every command for it would double the start-up."""
    with open(os.path.join(__path__[0], f"{name}.py"), encoding="utf-8") as file:
        return file.readline().strip().strip('"')


def _overview() -> argparse.ArgumentParser:
    """All commands with their help."""
    from teamplay import __version__

    parser = _Parser(
        prog="teamplay",
        description="A team plays a board game: one agent per cell, a priority table, a manager that knows no game.",
        epilog="A game is `tic-tac-toe` or `mnk(m=5,n=5,k=4)`; a player is `random`, or a table by name or path. "
        "Start with `teamplay tour`.",
    )
    parser.add_argument("--version", action="version", version=f"teamplay {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in commands():
        subparsers.add_parser(name, help=_summary(name))
    return parser


def run_command(argv: list[str]) -> int:
    """Run one command; the caller reports its errors."""
    known = commands()
    if not argv or argv[0].startswith("-"):
        _overview().parse_args(argv)  # ends with help, the version or an error
    if argv[0] not in known:
        from teamplay.errors import BadSpec, did_you_mean

        hint = did_you_mean(argv[0], known)
        raise BadSpec(f"There is no command `{argv[0][:40]}`; the commands are {', '.join(known)}.{hint}")
    from teamplay.library import reading_once

    command = _command(argv[0])
    parser = _Parser(prog=f"teamplay {argv[0]}", description=_summary(argv[0]))
    command.arguments(parser)
    args = parser.parse_intermixed_args(argv[1:])
    with reading_once():
        code: int = command.run(args)
    return code


def main(argv: list[str] | None = None) -> int:
    """Run one command. 0: done; 1: found something; 2: wrong input, in one sentence; 70: a defect; 130: Ctrl-C."""
    from teamplay.errors import TeamplayError

    words = sys.argv[1:] if argv is None else argv

    # Closed by the caller: there is nobody to show anything to.
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    try:
        code = run_command(words)
        sys.stdout.flush()
        return code
    except TeamplayError as error:
        return _failed(str(error))
    except MemoryError:
        return _failed("There is not enough memory for this; take a smaller board or a narrower sight.")
    except KeyboardInterrupt:
        complain("\nteamplay: stopped.")
        return 130
    except BrokenPipeError:  # the reader (`head`, a closed pager) has seen enough
        _silence(sys.stdout)
        return CLOSED_PIPE
    except OSError as error:  # a full disk behind standard output, most likely
        _silence(sys.stdout)
        what = "The output can't be written" if error.filename is None else f"{error.filename} can't be used"
        return _failed(f"{what}: {error.strerror or error}.")
    except Exception as error:  # a defect must not look like an answer
        from teamplay.cli import _crash

        return _crash.report(error, words)


def _failed(message: str) -> int:
    """Print an error, without the characters that steer a terminal."""
    shown = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in message)
    complain(f"teamplay: {shown}")
    return 2


def complain(text: str) -> None:
    """Write to standard error; where that can't be written either, the exit code says enough."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _silence(sys.stderr)


def _silence(stream: "TextIO") -> None:
    """Keep Python from writing, and complaining, once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
