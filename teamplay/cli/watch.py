"""check, test and show a table again whenever it or its scenes are saved"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from teamplay import library
from teamplay.cli import _arguments, run_command
from teamplay.errors import TeamplayError
from teamplay.game_file import parse_spec
from teamplay.scenes.binder import scenes_of
from teamplay.show.terminal import clean

PAUSE = 0.2  # seconds between two looks
PATIENCE = 10  # looks for which a file may be missing before that is reported: editors save by renaming
UNREADABLE = 2  # the exit code of a command that can't do its work

Stamp = tuple[tuple[str, int, int], ...]  # every file with its time and size; one that is missing is left out


def arguments(parser: argparse.ArgumentParser) -> None:
    _arguments.add_table(parser)
    _arguments.add_board(parser)
    _arguments.add_game(parser)
    _arguments.add_seed(parser)


def run(args: argparse.Namespace) -> int:
    table = library.find(parse_spec(args.table)[0], ".team")
    library.read(table)  # what is not there at the beginning is an error, later it is merely awaited
    try:
        for _ in saves(table, _wait):
            _look(args, table)
            print(f"\nWatching {table}; Ctrl-C ends it.", flush=True)
    except KeyboardInterrupt:
        print("\nNo longer watching.")
    return 0


def saves(table: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Once at the beginning and after every change, when the files have been still for a moment."""
    shown: Stamp | None = None
    before: Stamp | None = None
    away = 0
    while True:
        now = stamp(table)
        gone = all(name != str(table) for name, *_ in now)
        away = away + 1 if gone else 0
        if gone:
            shown = ()  # it comes back, perhaps with the same time and size, and is looked at again
        if away == PATIENCE:
            print(f"\n{table} is not there; waiting for it.", flush=True)
        if not gone and now != shown and (shown is None or now == before):
            shown = now
            yield
        before = now
        wait()


def stamp(table: Path) -> Stamp:
    """The table and the scene files beside it, as they are now."""
    found = []
    for path in [table, *sorted(table.parent.glob("*.scene"))]:
        try:
            state = path.stat()
        except OSError:  # it is being saved, or gone
            continue
        found.append((str(path), state.st_mtime_ns, state.st_size))
    return tuple(found)


def _wait() -> None:
    time.sleep(PAUSE)


def _look(args: argparse.Namespace, table: Path) -> None:
    """What the commands say of the table as it is now; the picture comes last, at the bottom of the screen."""
    if sys.stdout.isatty():
        print("\x1b[2J\x1b[3J\x1b[H", end="")
    given = ["--game", args.game] if args.game else []
    if _command(["check", args.table, *given]) == UNREADABLE:
        return  # the others would say the same once more
    if scenes := scenes_of(table):
        _command(["test", *map(str, scenes), "--seed", str(args.seed)])
    board = ["--board", args.board] if args.board is not None else []
    moves = ["--moves", args.moves] if args.moves is not None else []
    seat = ["--seat", args.seat] if args.seat else []
    _command(["show", args.table, *given, *board, *moves, *seat, "--seed", str(args.seed)])


def _command(argv: list[str]) -> int:
    """The exit code of a command; an error is printed, and the watch goes on."""
    try:
        code = run_command(argv)
    except TeamplayError as error:
        print(clean(str(error)))
        code = UNREADABLE
    print(flush=True)
    return code
