"""The command line: one file a command. Nothing heavy is imported before a command needs it."""

import argparse
import importlib
import os
import sys
from types import ModuleType

TYPE_CHECKING = False  # as typing's, whose import would cost a third of the start-up
if TYPE_CHECKING:
    from typing import Any


class _Command(argparse.ArgumentParser):
    """A command takes its words and options in any order: `explain TABLE --board B CELL`."""

    _mixing = False

    def parse_known_args(self, args: "Any" = None, namespace: "Any" = None) -> "Any":
        if self._mixing:  # argparse comes back here for the words and for the options
            return super().parse_known_args(args, namespace)
        self._mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False


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


def _parser(argv: list[str]) -> argparse.ArgumentParser:
    """All commands with their help; only the one that is called has its arguments."""
    from teamplay import __version__

    called = next((word for word in argv if not word.startswith("-")), "")

    parser = argparse.ArgumentParser(
        prog="teamplay",
        description="A team plays a board game: one agent a cell, a priority table, a manager that knows no game.",
        epilog="A game is `tic-tac-toe` or `mnk(m=5,n=5,k=4)`; a player is `random`, or a table by name or path. "
        "Start with `teamplay tour`.",
    )
    parser.add_argument("--version", action="version", version=f"teamplay {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Command)
    for name in commands():
        summary = _summary(name)
        subparser = subparsers.add_parser(name, help=summary, description=summary)
        if name == called:
            _command(name).arguments(subparser)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command. 0: done; 1: found something; 2: an error, told in one sentence; 130: Ctrl-C."""
    argv = sys.argv[1:] if argv is None else argv
    args = _parser(argv).parse_args(argv)
    from teamplay.errors import TeamplayError

    try:
        code: int = _command(args.command).run(args)
        sys.stdout.flush()
        return code
    except TeamplayError as error:
        print(f"teamplay: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nteamplay: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader (`head`, a closed pager) has seen enough; keep Python from complaining at exit.
        sys.stderr.close()
        return 0
