"""Arguments that several commands share: the same word for the same thing everywhere."""

import argparse

TYPE_CHECKING = False  # as typing's, whose import would cost a third of the start-up
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from teamplay.game import Game, Position
    from teamplay.team import Team

A_TABLE = "tic-tac-toe/figure-15"


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


def add_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help=f"a shipped table such as {A_TABLE}, or a path")


def whole_number(text: str) -> int:
    """A bound in an option: 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a whole number of at least 1")
    return int(text)


def seconds(text: str) -> float:
    """A time in an option: more than 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not number > 0:
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a number of seconds above 0")
    return number


def print_json(shown: "Mapping[str, object]") -> None:
    import json

    print(json.dumps(shown))


def the_game(args: argparse.Namespace) -> "Game | None":
    """The game that `--game` names, if it was given."""
    from teamplay.game_file import load_game

    return load_game(args.game) if args.game else None


def the_game_of(args: argparse.Namespace, spec: str) -> "Game":
    """The game for a player: what `--game` names, else its table's own, else the paper's."""
    from teamplay import players

    return the_game(args) or players.game_of(spec)


def the_game_of_all(args: argparse.Namespace, specs: "Sequence[str]") -> "Game":
    """What `--game` names, else the game of the first table, of the first player that has one, else the paper's."""
    from teamplay import players

    tables = (spec for spec in specs if players.file_of(spec))
    settled = (spec for spec in specs if players.has_game(spec))
    return the_game_of(args, next(tables, None) or next(settled, specs[0]))


def the_team(args: argparse.Namespace) -> "Team":
    """The team that plays by TABLE."""
    from teamplay import players
    from teamplay.errors import BadSpec
    from teamplay.team import Team

    team = players.load_player(args.table, the_game_of(args, args.table))
    if not isinstance(team, Team):
        raise BadSpec(f"`{team.name}` is a player without agents; name a table, such as {A_TABLE}.")
    return team


def the_position(args: argparse.Namespace, game: "Game") -> "Position":
    """The position that `--board` and `--seat` name."""
    from teamplay.game import SEATS, Position

    seat = SEATS.index(args.seat) if args.seat else None
    if args.board is None and not seat:
        return game.start
    drawing = game.seen(Position(game.beginning, 1)) if args.board is None else _drawing(args.board)
    return game.position(drawing, seat)


def _drawing(board: str) -> str:
    """A drawing as it was given, or what stands in the file that was given."""
    from pathlib import Path

    from teamplay import library

    path = Path(board)
    try:
        named = path.is_file()
    except (OSError, ValueError):  # too long, or not a name at all
        named = False
    return library.read(path) if named or board.endswith(".txt") else board
