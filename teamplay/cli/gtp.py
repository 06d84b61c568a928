"""serve a player over the Go Text Protocol, for Othello and gomoku programs"""

import argparse
import sys
from io import TextIOWrapper

from teamplay.cli import _arguments
from teamplay.game_file import load_game
from teamplay.interop.gtp_server import GtpServer


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("player", metavar="PLAYER", help="a table such as reversi/corners, or a player")
    help = "a game such as reversi or gomoku (default: reversi)"
    parser.add_argument("--game", metavar="G", default="reversi", help=help)
    help = "where row 1 lies (default: top, as Othello programs have it; Go programs count from the bottom)"
    parser.add_argument("--rows", choices=["top", "bottom"], default="top", help=help)
    parser.add_argument("--skip-i", action="store_true", help="leave the letter i out of columns, as Go programs do")
    _arguments.add_seed(parser)


def run(args: argparse.Namespace) -> int:
    server = GtpServer(args.player, load_game(args.game), args.seed, args.rows, args.skip_i)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a byte that is no text must not end the session
    for answer in server.answers(sys.stdin):
        sys.stdout.write(answer)
        sys.stdout.flush()
    return 0
