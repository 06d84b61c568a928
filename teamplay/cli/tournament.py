"""let several players meet each other, keep every result, and report their ratings"""

import argparse
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from teamplay.api.tournaments import standing_json
from teamplay.arena.results import ResultsFile
from teamplay.arena.standing import Standing
from teamplay.arena.tournament import Plan, Tournament, TournamentKind, read_plan
from teamplay.cli import _arena, _arguments
from teamplay.cli._export import check, export
from teamplay.cli._progress import Progress
from teamplay.errors import BadSpec
from teamplay.protocols.program import programs_ended
from teamplay.show.terminal import console, say

GAMES = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    help = "players, or one TOML file that names them and what is below"
    parser.add_argument("players", nargs="+", metavar="PLAYER", help=help)
    _arguments.add_game(parser)
    help = f"play N games of each pairing (default: {GAMES})"
    parser.add_argument("--games", type=_arguments.whole_number, metavar="N", help=help)
    parser.add_argument("--gauntlet", action="store_true", help="only the first player meets all others")
    _arena.add_opening(parser)
    help = "where results are kept; the same command goes on from there (default: a file named after the tournament)"
    parser.add_argument("--results", metavar="FILE", help=help)
    help = "also write the pairings to FILE.csv, FILE.json or FILE.parquet; may be given again"
    parser.add_argument("--export", metavar="FILE", action="append", default=[], help=help)
    _arguments.add_force(parser)
    _arena.add_workers(parser)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


@programs_ended()
def run(args: argparse.Namespace) -> int:
    plan, path = _plan(args)
    with Progress("preparing the players"):
        tournament, stopped = Tournament(plan), False
    path = path or _default(tournament)
    for name in args.export:
        check(name, path, args.force)
    crew, patience = _arena.the_crew(args)
    bar = _arena.Bar(tournament.games)
    try:
        with ResultsFile(path, tournament.basis) as results, bar:
            tournament.run(results, crew, patience, lambda: bar.show(tournament.played))
    except KeyboardInterrupt:
        stopped = True
    standing = tournament.standing()
    for name in args.export:
        export(name, standing)
    if args.json:
        shown = standing_json(standing)
        _arguments.print_json({**shown, "resumed": tournament.resumed, "results": str(path)})
    else:
        _print(tournament, standing, path)
    return 130 if stopped else 0


def _plan(args: argparse.Namespace) -> tuple[Plan, Path | None]:
    """What is played, and where results are kept if that is said or follows from a file's name."""
    if args.results in ("", "-"):
        raise BadSpec(f"`{args.results}` is not the name of a file; --results keeps what is played in one.")
    path = None if args.results is None else Path(args.results)
    if not args.players[0].endswith(".toml"):
        game = args.game or _arguments.the_game_of_all(args, args.players).spec
        kind: TournamentKind = "gauntlet" if args.gauntlet else "round-robin"
        return Plan(tuple(args.players), game, args.games or GAMES, kind, args.seed, args.opening), path
    given = [args.game, args.gauntlet, args.opening is not None, args.seed, args.games, args.players[1:]]
    if any(given):
        raise BadSpec(f"{args.players[0]} says what is played; write it there, not on the command line.")
    file = Path(args.players[0])
    return read_plan(file), path or file.with_suffix(".results")


def _default(tournament: Tournament) -> Path:
    """A name that the same command finds again, and another tournament does not."""
    basis = replace(tournament.basis, plan="")
    digest = blake2b(repr(basis).encode(), digest_size=4).hexdigest()
    return Path(f"tournament-{digest}.results")


def _print(tournament: Tournament, standing: Standing, path: Path) -> None:
    screen = console()
    known = ""
    if standing.played < standing.total:
        known = f"{_arena.progress(standing)} The same command plays the rest."
    elif tournament.resumed:
        known = f"{tournament.resumed:,} of {standing.total:,} games were known from {path}."
    _arena.print_standing(screen, standing, known)
    say(screen, f"Results are kept in {path}.")
