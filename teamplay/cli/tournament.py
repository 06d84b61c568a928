"""let several players meet each other, keep every result, and tell their ratings"""

import argparse

from teamplay.cli import _arena, _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from teamplay.arena.tournament import Plan, Tournament

GAMES = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    help = "players, or one TOML file that names them and what is below"
    parser.add_argument("players", nargs="+", metavar="PLAYER", help=help)
    _arguments.add_game(parser)
    help = f"of each pairing (default: {GAMES})"
    parser.add_argument("--games", type=_arguments.whole_number, metavar="N", help=help)
    parser.add_argument("--gauntlet", action="store_true", help="only the first player meets all others")
    _arena.add_opening(parser)
    help = "where results are kept; the same command goes on from there (default: a file named after the tournament)"
    parser.add_argument("--results", metavar="FILE", help=help)
    help = "also write the pairings to FILE.csv, FILE.json or FILE.parquet; may be given again"
    parser.add_argument("--export", metavar="FILE", action="append", default=[], help=help)
    _arena.add_workers(parser)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from teamplay.arena.results import Results
    from teamplay.arena.tournament import Tournament
    from teamplay.cli._export import check, export

    plan, path = _plan(args)
    tournament, stopped = Tournament(plan), False
    path = path or _default(tournament)
    for name in args.export:
        check(name, path)
    crew, patience = _arena.the_crew(args)
    bar = _arena.Bar(tournament.games)
    try:
        with Results(path, tournament.text) as results, bar:
            tournament.run(results, crew, patience, lambda: bar.show(tournament.played))
    except KeyboardInterrupt:
        stopped = True
    for name in args.export:
        export(name, tournament)
    if args.json:
        from teamplay.cli._export import tournament_json

        _arguments.print_json({**tournament_json(tournament), "results": str(path)})
    else:
        _print(tournament, path)
    return 130 if stopped else 0


def _plan(args: argparse.Namespace) -> "tuple[Plan, Path | None]":
    """What is played, and where results are kept if that is said or follows from a file's name."""
    from pathlib import Path

    from teamplay.arena.tournament import Plan, read_plan
    from teamplay.errors import BadSpec

    path = None if args.results is None else Path(args.results)
    if not args.players[0].endswith(".toml"):
        game = args.game or str(_arguments.the_game_of_all(args, args.players))
        kind = "gauntlet" if args.gauntlet else "round-robin"
        return Plan(tuple(args.players), game, args.games or GAMES, kind, args.seed, args.opening), path
    given = [args.game, args.gauntlet, args.opening, args.seed, args.games, args.players[1:]]
    if any(given):
        raise BadSpec(f"{args.players[0]} says what is played; write it there, not on the command line.")
    file = Path(args.players[0])
    return read_plan(file), path or file.with_suffix(".results")


def _default(tournament: "Tournament") -> "Path":
    """A name that the same command finds again, and another tournament does not."""
    from hashlib import blake2b
    from pathlib import Path

    digest = blake2b(tournament.text.encode(), digest_size=4).hexdigest()
    return Path(f"tournament-{digest}.results")


def _print(tournament: "Tournament", path: "Path") -> None:
    from teamplay.show.terminal import console, put_table, say
    from teamplay.show.words import counted

    plan, screen = tournament.plan, console()
    what = "Everybody against everybody" if plan.kind == "round-robin" else f"{plan.players[0]} against all others"
    each = f"{counted(plan.games, 'game')} a pairing, seed {plan.seed}"
    say(screen, f"{what} at {tournament.game}: {each}.", "bold")
    left = tournament.games - tournament.played
    if left:
        say(screen, f"{tournament.played:,} of {tournament.games:,} games are played; the same command plays the rest.")
    elif tournament.resumed:
        say(screen, f"{tournament.resumed:,} of {tournament.games:,} games were known from {path}.")
    say(screen)
    order = tournament.ranking()
    header, rows = _crosstable(tournament, order)
    put_table(screen, header, rows)
    say(screen)
    say(
        screen,
        "Elo by Bradley and Terry, draws as half, the mean of all at 0, ± half the 95% interval. In the columns: "
        "points from the games against each.",
    )
    say(screen, f"Results are kept in {path}.")


def _crosstable(tournament: "Tournament", order: list[int]) -> tuple[list[str], list[list[str]]]:
    """Ranks, ratings, and each player's points against each other, the best first."""
    ratings = tournament.ratings()
    header = ["", "player", "Elo", "", "points", *(str(rank + 1) for rank in range(len(order)))]
    rows = []
    for rank, player in enumerate(order):
        rating, total = ratings[player], tournament.score(player)
        met = [tournament.between(player, other) for other in order]
        cells = ["-" if tally is None else _points(tally.points) for tally in met]
        points = f"{_points(total.points)}/{total.games:,}"
        bars = f"±{rating.high - rating.value:.0f}"
        rows.append([str(rank + 1), tournament.plan.players[player], f"{rating.value:+.0f}", bars, points, *cells])
    return header, rows


def _points(points: float) -> str:
    """Points as chess players write them.

    >>> _points(12.5), _points(0.5), _points(3.0)
    ('12½', '½', '3')
    """
    whole, half = divmod(round(2 * points), 2)
    return (f"{whole:,}" if whole or not half else "") + "½" * half
