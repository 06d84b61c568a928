"""Arguments that several commands share: the same word for the same thing everywhere."""

import argparse

TYPE_CHECKING = False  # as typing's, whose import would cost a third of the start-up
if TYPE_CHECKING:
    from teamplay.game import Game, Position


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for scripts")


def add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="all chance comes from this (default: 0)")


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", metavar="G", help="a game such as mnk(m=5,n=5,k=4); default: the table's own")


def add_board(parser: argparse.ArgumentParser) -> None:
    help = "a drawing such as xo./.x./..o, or a file with one; x is the team's own (default: the start)"
    parser.add_argument("--board", metavar="B", help=help)
    parser.add_argument("--seat", choices=["first", "second"], help="the seat of the side to move (default: by count)")


def the_game(args: argparse.Namespace) -> "Game | None":
    """The game that `--game` names, if it was given."""
    from teamplay.game_file import load_game

    return load_game(args.game) if args.game else None


def the_position(args: argparse.Namespace, game: "Game") -> "Position":
    """The position that `--board` and `--seat` name."""
    from pathlib import Path

    from teamplay import library
    from teamplay.game import SEATS

    if args.board is None and args.seat != "second":
        return game.start
    drawing = game.beginning if args.board is None else args.board
    if ("/" not in drawing and "\n" not in drawing and Path(drawing).is_file()) or drawing.endswith(".txt"):
        drawing = library.read(Path(drawing))
    return game.position(drawing, SEATS.index(args.seat) if args.seat else None)
