"""list the games, or show the rules of one"""

import argparse
import tomllib

from teamplay import library
from teamplay.cli import _arguments
from teamplay.errors import BadSpec
from teamplay.game import SEATS, Game
from teamplay.game_file import load_game, parse_spec
from teamplay.language import load_table
from teamplay.show.terminal import console, game_board, plain, put, put_table, say

PLACEMENT = {
    "anywhere": "any empty cell",
    "drop": "the lowest empty cell of a column",
    "flank": "an empty cell that flanks marks of the opponent, which turn; who can't must pass",
}

LARGEST_SHOWN = 10_000  # cells


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game such as reversi or mnk(m=5,n=5,k=4)")
    parser.add_argument("--raw", action="store_true", help="print the file of GAME and nothing else")
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.raw:
        if args.game is None:
            raise BadSpec("--raw prints the file of one game; name it.")
        print(library.read(library.find(parse_spec(args.game)[0], ".toml")), end="")
        return 0
    games = [load_game(args.game)] if args.game else [load_game(name) for name in library.names(".toml")]
    if args.json:
        described = [_described(game) for game in games]
        _arguments.print_json(described[0] if args.game else {"games": described})
    elif args.game:
        _print_one(args.game, games[0])
    else:
        _print_all(games)
    return 0


def _described(game: Game) -> dict[str, object]:
    """A game for scripts."""
    return {
        "game": str(game),
        "about": game.about,
        "board": list(game.grid.shape),
        "marks": list(game.marks),
        "shared": game.shared,
        "placement": game.placement,
        "goal": {
            "kind": game.goal.kind,
            "length": game.k,
            "word": game.goal.word,
            "effect": game.goal.effect,
            "exact": game.goal.exact,
            "for": None if game.goal.owner is None else SEATS[game.goal.owner],
        },
        "boards": game.grid.boards,
        "turns": "again" if game.again else "alternate",
        "start": game.format_board(game.beginning),
    }


def _print_all(games: list[Game]) -> None:
    screen = console()
    put_table(screen, ("game", "board", "about"), [(str(game), str(game.grid), game.about) for game in games])
    say(screen)
    say(screen, "`teamplay games 'mnk(m=7,n=6,k=4)'` shows one; `teamplay play --game GAME` plays it.")


def _print_one(spec: str, game: Game) -> None:
    screen = console()
    say(screen, str(game), "bold")
    say(screen, game.about)
    say(screen)
    if game.grid.size <= LARGEST_SHOWN:
        put(screen, game_board(game, game.start, None, screen.width, plain(screen)))
        say(screen)
    put_table(screen, (), _facts(spec, game))


def _facts(spec: str, game: Game) -> list[tuple[str, str]]:
    """The mechanics that the game combines, and the tables that play it."""
    tables = tables_for(game)
    marks = f"{' or '.join(game.marks)}, either player" if game.shared else "x the first, o the second player"
    turns = "another after scoring" if game.again else "one move each"
    return [
        ("board", str(game.grid)),
        ("parameters", _parameters(spec)),
        ("marks", marks),
        ("placement", PLACEMENT[game.placement]),
        ("goal", _goal(game)),
        ("turns", turns),
        ("tables", ", ".join(tables) or "none yet"),
        ("try", f"teamplay play {tables[0] if tables else 'random'} --game '{spec}'"),
    ]


def _goal(game: Game) -> str:
    goal = game.goal
    if goal.kind == "majority":
        return "most marks when nobody can move"
    made = goal.word if goal.kind == "word" else f"{'exactly ' if goal.exact else ''}{goal.length} in a row"
    if goal.owner is not None:
        return f"{made} wins for the {SEATS[goal.owner]} player, whoever completes it; a full board for the other"
    if game.grid.boards > 1:
        return f"{made} closes a board; who closes the last one {goal.effect}"
    effect = {"wins": "wins", "loses": "loses", "scores": "scores a point; most points win"}[goal.effect]
    return f"{made} {effect}"


def _parameters(spec: str) -> str:
    """The parameters that the game's file declares."""
    declared = tomllib.loads(library.read(library.find(parse_spec(spec)[0], ".toml"))).get("parameters", {})
    defaults = ", ".join(f"{name}={default}" for name, default in declared.items())
    return f"{defaults} by default" if defaults else "none"


def tables_for(game: Game) -> list[str]:
    """The shipped tables that name this game, those in its own folder first."""
    games = {name: [parse_spec(spec)[0] for spec in load_table(name)[0].games] for name in library.names(".team")}
    fitting = [name for name, named in games.items() if game.name in named]
    return sorted(fitting, key=lambda name: not name.startswith(f"{game.name}/"))
