"""convert recorded games from one format to another: SGF, GGF, JSON lines"""

import argparse

from teamplay import library
from teamplay.cli import _arguments, complain
from teamplay.interop.convert import left_out, read_games, written_games
from teamplay.show.words import counted


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="FROM", help="a file that ends in .sgf, .ggf or .jsonl")
    parser.add_argument("target", metavar="TO", help="the file to write, by the same endings")
    help = "the rules of an SGF file, such as mnk(m=15,n=15,k=5) (default: as GM and SZ say)"
    parser.add_argument("--game", metavar="G", help=help)
    _arguments.add_force(parser)


def run(args: argparse.Namespace) -> int:
    library.refuse_existing(args.target, args.force)
    trees = read_games(args.source, _arguments.the_game(args))
    library.save(args.target, written_games(trees, args.target))
    if lost := left_out(trees, args.target):
        complain(f"teamplay: {lost}")
    print(f"{counted(len(trees), 'game')} written to {args.target}.")
    return 0
