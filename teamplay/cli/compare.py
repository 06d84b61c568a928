"""report where two players choose differently, and which of them plays better"""

import argparse

from teamplay.api.comparing import GAMES, compare
from teamplay.cli import _arguments
from teamplay.cli._progress import Progress
from teamplay.errors import BadSpec
from teamplay.show.terminal import console


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("one", metavar="A", help=f"a table such as {_arguments.A_TABLE}, or a player")
    parser.add_argument("other", metavar="B", help="another")
    _arguments.add_game(parser)
    help = f"play at most N games to see who plays better (default: {GAMES:,})"
    parser.add_argument("--games", type=_arguments.whole_number, default=GAMES, metavar="N", help=help)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.games < 2:
        raise BadSpec("A pair has two games, one with either seat, so --games is at least 2.")
    game = _arguments.the_game_of_all(args, [args.one, args.other])
    with Progress() as progress:
        found = compare(args.one, args.other, game, args.games, args.seed, progress.report)
    if args.json:
        _arguments.print_json(found.to_dict())
    else:
        found.show(console())
    return 1 if found.equivalent is False or found.verdict in ("a", "b") else 0
