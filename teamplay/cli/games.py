"""list the games, or tell the rules of one"""

import argparse

from teamplay.cli import _arguments


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game such as reversi or mnk(m=5,n=5,k=4)")
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    return 0
