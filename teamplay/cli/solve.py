"""solve a position: its value by perfect play, the best moves, how far the end is"""

import argparse

from teamplay.cli import _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.console import Console

    from teamplay.engine.solver import Solution, Worth
    from teamplay.game import Game, Position


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game such as mnk(m=4,n=4,k=4)")
    help = "a drawing such as xo./.x./..o, or a file with one; x is the side to move (default: the start)"
    parser.add_argument("--board", metavar="B", help=help)
    parser.add_argument("--seat", choices=["first", "second"], help="the seat of the side to move (default: by count)")
    parser.add_argument("--max-positions", type=_arguments.whole_number, metavar="N", help="give up after so many")
    parser.add_argument("--max-seconds", type=_arguments.seconds, metavar="S", help="give up after so long")
    help = "use at most so much (default: 1024)"
    parser.add_argument("--memory", type=_arguments.whole_number, metavar="MB", help=help)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from teamplay.game_file import load_game

    game = load_game(args.game)
    position = _arguments.the_position(args, game)
    solution = _solution(args, game, position)
    if args.json:
        _print_json(game, position, solution)
    else:
        _print_text(game, position, solution)
    return 0 if solution.decided else 1


def _solution(args: argparse.Namespace, game: "Game", position: "Position") -> "Solution":
    from teamplay.cli._progress import Progress, rate
    from teamplay.engine.solver import MEMORY, Solver
    from teamplay.engine.solver.search import Limits

    with Progress() as progress:

        def watched(positions: int, seconds: float) -> None:
            if progress.due():
                progress.say(f"{positions:,} positions, {rate(positions, seconds)}")

        limits = Limits(args.max_seconds, args.max_positions)
        return Solver(game, memory=args.memory or MEMORY).solve(position, limits, watched)


def _print_json(game: "Game", position: "Position", solution: "Solution") -> None:
    from teamplay.game import BLANK, SEATS
    from teamplay.show.picture import drawing, move_json

    _arguments.print_json(
        {
            "game": str(game),
            "seat": SEATS[position.seat],
            "board": drawing(game.seen(position).replace("b", BLANK), game.grid),
            "value": solution.value,
            "best": [move_json(game, move) for move in solution.best],
            "distance": solution.distance,
            "bounds": [solution.worth.lower, solution.worth.upper],
            "moves": [
                {"move": move_json(game, move), "value": worth.value, "distance": worth.distance}
                for move, worth in solution.moves.items()
            ],
            "decided": solution.decided,
            "bound": solution.stopped or None,
            "method": solution.method,
            "positions": solution.positions,
            "seconds": round(solution.seconds, 3),
        }
    )


def _print_text(game: "Game", position: "Position", solution: "Solution") -> None:
    from teamplay.game import BLANK, SEATS, Position
    from teamplay.show.terminal import console, game_board, plain, put, say
    from teamplay.show.words import counted

    screen = console()
    seen = position
    if not game.shared:  # as `--board` takes it: x is to move
        seen = Position(game.seen(position).replace("b", BLANK), 0)
    over = game.outcome(position)
    mover = f"The {SEATS[position.seat]} player{'' if game.shared else ' (x)'} is to move."
    say(screen, f"{game}. {'' if over else mover}".strip(), "bold")
    say(screen)
    put(screen, game_board(game, seen, game.outcome(seen), screen.width, plain(screen)))
    say(screen)
    if over:
        from teamplay.show.words import ending

        say(screen, ending(game, position, over, {0: "the first player", 1: "the second player"}), "bold")
        return
    say(screen, _sentence(game, position, solution), "bold")
    if solution.value is not None:
        _list_moves(screen, game, solution)
    rate = f"{counted(solution.positions, 'position')} searched in {solution.seconds:.2f} s"
    say(screen, f"({rate}, by the search of {solution.method}.)" if solution.method != "plain" else f"({rate}.)")


def _list_moves(screen: "Console", game: "Game", solution: "Solution") -> None:
    """All moves, those of the same worth together, the best first."""
    from teamplay.show.terminal import say
    from teamplay.show.words import listed, move_name

    groups: dict[Worth, list[str]] = {}
    for move, worth in solution.moves.items():
        groups.setdefault(worth, []).append(move_name(game, move))
    for worth in sorted(groups, key=_goodness, reverse=True):
        say(screen, f"{_short(game, worth)}: {listed(groups[worth], len(groups[worth]))}.")


def _goodness(worth: "Worth") -> tuple[int, int, int]:
    """Sorts by value; among wins the soonest, among losses the latest is best."""
    plies = worth.distance or 0
    return worth.lower, worth.upper, -plies if worth.lower > 0 else plies


def _short(game: "Game", worth: "Worth") -> str:
    """What a move comes to, in a few words."""
    value = worth.value
    if value is None:
        return "Not decided"
    if game.goal.effect == "scores":
        return f"{value:+d}" if value else "0"
    plies = f" in {worth.distance}" if worth.distance is not None else ""
    return f"{ {1: 'Wins', 0: 'Draws', -1: 'Loses'}[value] }{plies}"


def _sentence(game: "Game", position: "Position", solution: "Solution") -> str:
    """The value of a position in words."""
    from teamplay.engine.solver import INTERRUPTED
    from teamplay.game import SEATS
    from teamplay.show.words import counted

    mover, other = (f"the {SEATS[seat]} player" for seat in (position.seat, 1 - position.seat))
    value = solution.value
    why = "stopped by Ctrl-C" if solution.stopped == INTERRUPTED else f"the bound was {solution.stopped}"
    if value is None:
        return f"Not decided: {why}. {_bounds(game, mover, other, solution)}"
    if game.goal.effect == "scores":
        ahead, behind = (mover, other) if value > 0 else (other, mover)
        points = f"{counted(abs(value), 'point')} more than {behind} from here on"
        said = f"{ahead} makes {points}" if value else "both players make as many points from here on"
    elif value == 0:
        said = "the game is a draw"
    else:
        plies = solution.distance
        soon = "" if plies is None else " in 1 ply" if plies == 1 else f" in {plies} plies"
        said = f"{mover if value > 0 else other} wins{soon}"
    said = f"With best play {said}."
    return said if solution.decided else f"{said} But not all best moves are known: {why}."


def _bounds(game: "Game", mover: str, other: str, solution: "Solution") -> str:
    """What is known of a value that is not."""
    lower, upper = solution.worth.lower, solution.worth.upper
    if game.goal.effect == "scores":
        return f"The points that {mover} makes from here on, less those of {other}, lie between {lower} and {upper}."
    if lower == 0:
        return f"But {mover} does not lose."
    if upper == 0:
        return f"But {mover} does not win."
    return "Nothing is known yet."
