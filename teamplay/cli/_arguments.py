"""Arguments that several commands share: the same word for the same thing everywhere."""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from teamplay import library, players
from teamplay.cli import _files, complain
from teamplay.cli._progress import Progress
from teamplay.errors import BadSpec
from teamplay.game import SEATS, Game, Position
from teamplay.game_file import load_game, parse_spec
from teamplay.interop.convert import position_in
from teamplay.language import read_rulebook
from teamplay.reachable import flaw
from teamplay.team import Team

A_TABLE = "tic-tac-toe/figure-15"


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for scripts")


def add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=seed, default=0, metavar="N", help="seed of all random choices (default: 0)")


def add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="overwrite a file that exists already")


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", metavar="G", help="a game such as mnk(m=5,n=5,k=4); default: the table's own")


def add_board(parser: argparse.ArgumentParser, own: str = "the team") -> None:
    help = (
        f"a drawing such as xo./.x./..o, a file with one, or game.sgf#12 for a recorded game after 12 moves; x is {own}"
    )
    help += " (default: the start)"
    parser.add_argument("--board", metavar="B", help=help)
    help = 'moves such as "5 1 9", played from the start or from --board'
    parser.add_argument("--moves", metavar="M", help=help)
    parser.add_argument("--seat", choices=["first", "second"], help="the seat of the side to move (default: by count)")


def add_table(parser: argparse.ArgumentParser, stdin: bool = False) -> None:
    ways = f"a shipped table such as {A_TABLE}, {'a path, or - for standard input' if stdin else 'or a path'}"
    parser.add_argument("table", metavar="TABLE", help=ways)


def add_live(parser: argparse.ArgumentParser, whose: str) -> None:
    help = f"seat the agents of {whose} in N processes on this machine"
    parser.add_argument("--hosts", type=whole_number, metavar="N", help=help)
    help = f"ask the hosts of {whose} that have joined a broker: nats://HOST:PORT, or a file FILE.toml of settings"
    parser.add_argument("--live", metavar="URL", help=help)


def live_spec(args: argparse.Namespace, spec: str) -> str:
    """A player with what `--hosts` and `--live` say about it."""
    given = [f"{key}={value}" for key in ("hosts", "live") if (value := getattr(args, key)) is not None]
    if len(given) > 1:
        raise BadSpec("--hosts starts processes here and --live asks others; give one of the two.")
    if not given:
        return spec
    if any(sign in given[0] for sign in "(),"):
        raise BadSpec(f"`{args.live[:80]}` has a sign in it that a player's options can't have: ( ) or ,.")
    name, options = parse_spec(spec)
    inside = [f"{key}={value}" for key, value in options.items()]
    return f"{name}({','.join([*inside, *given])})"


LONGEST_NUMBER = 18  # digits


def whole_number(text: str) -> int:
    """A bound in an option: 1 or more."""
    return _at_least(1, text)


def count(text: str) -> int:
    """A number of things in an option: 0 or more."""
    return _at_least(0, text)


def seed(text: str) -> int:
    """A whole number in an option, of any sign."""
    if not re.fullmatch(r"[+-]?\d{1,40}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a whole number of at most 40 digits")
    return int(text)


def _at_least(least: int, text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text[:LONGEST_NUMBER]) < least:
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a whole number of at least {least}")
    if len(text) > LONGEST_NUMBER:
        raise argparse.ArgumentTypeError(f"`{text[:40]}…` is too large a number")
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


def print_json(shown: Mapping[str, object] | Sequence[Mapping[str, object]]) -> None:
    print(json.dumps(shown))


def the_game(args: argparse.Namespace) -> Game | None:
    """The game that `--game` names, if it was given."""
    return load_game(args.game) if args.game else None


def the_game_of(args: argparse.Namespace, spec: str) -> Game:
    """The game for a player: what `--game` names, else that of its table, else tic-tac-toe."""
    return the_game(args) or players.game_of(spec)


def the_game_of_all(args: argparse.Namespace, specs: Sequence[str]) -> Game:
    """What `--game` names, else the game of the first table, of the first player that has one, else tic-tac-toe."""
    return the_game(args) or players.game_of_all(specs)


def the_team(args: argparse.Namespace) -> Team:
    """The team that plays by TABLE, which may stand in standard input."""
    if args.table == "-":
        return Team(read_rulebook(_files.source("-"), the_game(args)))
    game = the_game_of(args, args.table)
    with Progress("seating the agents"):
        team = players.load_player(args.table, game)
    if not isinstance(team, Team):
        raise BadSpec(f"`{team.name}` is a player without agents; name a table, such as {A_TABLE}.")
    return team


def the_position(args: argparse.Namespace, game: Game) -> Position:
    """The position that `--board`, `--moves` and `--seat` name; one that no game leads to gets a warning."""
    seat = SEATS.index(args.seat) if args.seat else None
    if args.board is not None:
        recorded = position_in(args.board, game)
        if recorded and seat not in (None, recorded.seat):
            raise BadSpec(f"There the {SEATS[recorded.seat]} player is to move; leave --seat out.")
        position = recorded or game.position(_drawing(args.board), seat)
        if wrong := flaw(game, position):
            complain(f"teamplay: warning: no game leads to this position: {wrong}.")
    elif seat and args.moves is None:
        return game.position(game.drawn(Position(game.beginning, 1)), seat)
    else:
        position = game.start
    if args.moves is None:
        return position
    position = game.played(args.moves, position)
    if args.board is None and seat not in (None, position.seat):
        raise BadSpec(f"After these moves the {SEATS[position.seat]} player is to move; leave --seat out.")
    return position


def _drawing(board: str) -> str:
    """A drawing as it was given, or what stands in the file that was given."""
    path = Path(board)
    return library.read(path) if library.found_at(path) == "file" or board.endswith(".txt") else board
