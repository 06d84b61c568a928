"""serve a player over the Gomocup protocol, for gomoku managers"""

import argparse
import sys
from io import TextIOWrapper

from teamplay.cli import _arguments
from teamplay.interop.gomocup_server import GomocupServer


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("player", metavar="PLAYER", help="a table such as mnk/generic, or a player")
    _arguments.add_seed(parser)


def run(args: argparse.Namespace) -> int:
    server = GomocupServer(args.player, args.seed)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a byte that is no text must not end the session
    for answer in server.answers(sys.stdin):
        sys.stdout.write(answer)
        sys.stdout.flush()
    return 0
