"""play many games of one player against another, seats alternating, and tell who won how often"""

import argparse

from teamplay.cli import _arena, _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from teamplay.arena.series import Series

GAMES = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help=f"a table such as {_arguments.A_TABLE}, or a player")
    parser.add_argument("b", metavar="B", help="another, or the same")
    _arguments.add_game(parser)
    help = f"how many (default: {GAMES}); A moves first in every other"
    parser.add_argument("--games", type=_arguments.whole_number, default=GAMES, metavar="N", help=help)
    _arena.add_opening(parser)
    help = "write each game as a line of JSON: moves, and the priority and rule behind each move of a team"
    parser.add_argument("--record", metavar="FILE", help=help)
    _arena.add_workers(parser)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from contextlib import nullcontext
    from pathlib import Path

    from teamplay.arena.match import plan_match, seat
    from teamplay.arena.record import Record
    from teamplay.arena.series import Series

    game = args.game or str(_arguments.the_game_of_all(args, [args.a, args.b]))
    series = Series(plan_match(args.a, args.b, game, args.games, args.seed, args.opening))
    crew, patience = _arena.the_crew(args)
    if seat(series.match).here_only:
        crew = None
    bar = _arena.Bar(args.games)
    with nullcontext() if args.record is None else Record(Path(args.record)) as record:
        with bar:
            series.run(crew, patience, record, lambda: bar.show(series.tally.games))
        if series.tally.games:
            _print_json(series) if args.json else _print(series, args.record)
    if not series.stopped:
        return 0
    if not series.tally.games:
        raise KeyboardInterrupt
    return 130


def _print_json(series: "Series") -> None:
    from teamplay.arena.estimate import wilson
    from teamplay.arena.match import seat
    from teamplay.arena.ratings import difference

    match, tally = series.match, series.tally
    names = "wins", "draws", "losses"
    shown: dict[str, object] = {"a": match.a, "b": match.b, "game": str(seat(match).game), "games": tally.games}
    shown |= {name: getattr(tally, name) for name in names}
    shown |= {
        "intervals": {name: _arena.estimate_json(wilson(getattr(tally, name), tally.games)) for name in names},
        "elo": _arena.estimate_json(difference(tally.points, tally.games)),
        "first": dict(zip(names, tally[:3], strict=True)),
        "second": dict(zip(names, tally[3:6], strict=True)),
        "moves": tally.moves,
        "opening": match.opening,
        "seed": match.seed,
        "engine": _arena.way(seat(match).compiled),
        "complete": not series.stopped,
    }
    _arguments.print_json(shown)


def _print(series: "Series", record: str | None) -> None:
    from teamplay.arena.estimate import wilson
    from teamplay.arena.match import seat
    from teamplay.arena.ratings import difference
    from teamplay.show.terminal import console, put_table, say
    from teamplay.show.words import counted

    match, tally, screen = series.match, series.tally, console()
    games = counted(tally.games, "game")
    say(screen, f"{match.a} against {match.b} at {seat(match).game}: {games}, seed {match.seed}.", "bold")
    if series.stopped:
        say(screen, f"Stopped by Ctrl-C before the other {match.games - tally.games:,}.")
    say(screen)
    counts = zip(("won", "drawn", "lost"), tally[:3], tally[3:6], strict=True)
    rows = [(name, first, second, first + second) for name, first, second in counts]
    shown = [
        [name, *(f"{n:,}" for n in numbers), _arena.percent(wilson(numbers[2], tally.games))] for name, *numbers in rows
    ]
    put_table(screen, [match.a, "moving first", "second", "together", "95% interval"], shown)
    say(screen)
    elo = difference(tally.points, tally.games)
    say(screen, f"Elo of {match.a} over {match.b}: {elo.value:+.0f} (95%: {elo.low:+.0f} to {elo.high:+.0f}).")
    how = "in batches by the compiled engine" if seat(match).compiled else "move by move"
    kept = f" Recorded in {record}." if record else ""
    say(screen, f"Played {how}, {tally.moves / tally.games:.1f} moves a game.{kept}")
