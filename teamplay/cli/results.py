"""show what a results file of a tournament holds, also while the tournament runs"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from teamplay.api.tournaments import read_standing, standing_json
from teamplay.arena.standing import Standing
from teamplay.cli import _arena, _arguments
from teamplay.cli._export import check, export
from teamplay.show.terminal import console, say

PAUSE = 1.0  # seconds between two looks at a file that grows


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file that `teamplay tournament` keeps, such as cup.results")
    help = "show it again whenever more games are played, until all are or Ctrl-C"
    parser.add_argument("--follow", action="store_true", help=help)
    help = "also write the pairings to FILE.csv, FILE.json or FILE.parquet; may be given again"
    parser.add_argument("--export", metavar="FILE", action="append", default=[], help=help)
    _arguments.add_force(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    path, screen = Path(args.file), console()
    for name in args.export:
        check(name, path, args.force)
    found = read_standing(path)
    looks = _changes(path, found) if args.follow else iter([found])
    try:
        for found in looks:
            _show(args, screen, path, found)
    except KeyboardInterrupt:
        say(screen)
    for name in args.export:
        export(name, found)
    return 0


def _changes(path: Path, found: Standing) -> Iterator[Standing]:
    """The standing now, and again whenever it has changed, until all games are played."""
    yield found
    while found.played < found.total:
        time.sleep(PAUSE)
        now = read_standing(path)
        if now != found:
            found = now
            yield found


def _show(args: argparse.Namespace, screen: Console, path: Path, found: Standing) -> None:
    if args.json:
        _arguments.print_json({**standing_json(found), "results": str(path)})
        sys.stdout.flush()
        return
    if args.follow and screen.is_terminal:
        screen.clear()
    elif args.follow:
        say(screen)
    _arena.print_standing(screen, found, _arena.progress(found))
    if args.follow and found.played < found.total:
        say(screen, f"Watching {path}; Ctrl-C ends it.")
    sys.stdout.flush()
