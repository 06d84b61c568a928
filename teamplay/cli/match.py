"""play many games of one player against another, seats alternating, and report who won how often"""

import argparse
from contextlib import nullcontext

from teamplay.api.matches import result_of
from teamplay.arena.match import plan_match, seat
from teamplay.arena.record import Record
from teamplay.arena.series import Series
from teamplay.cli import _arena, _arguments, _files
from teamplay.cli._elsewhere import choices_told
from teamplay.cli._progress import Progress
from teamplay.protocols.program import programs_ended
from teamplay.show.terminal import console, say

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
    _arguments.add_force(parser)
    _arguments.add_live(parser, "A")
    _arena.add_workers(parser)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


@choices_told()
@programs_ended()
def run(args: argparse.Namespace) -> int:
    game = args.game or _arguments.the_game_of_all(args, [args.a, args.b]).spec
    with Progress("preparing the players"):
        a = _arguments.live_spec(args, args.a)
        series = Series(plan_match(a, args.b, game, args.games, args.seed, args.opening))
    crew, patience = _arena.the_crew(args)
    bar = _arena.Bar(args.games)
    if seat(series.match).here_only:
        crew, bar.watched = None, False  # a line that moves would be in the way of the person
    file = None if args.record is None else _files.writable(args.record, args.force)
    with nullcontext() if file is None else Record(file, args.force) as record:
        with bar:
            series.run(crew, patience, record, lambda: bar.show(series.tally.games))
        if series.tally.games:
            _print(args, series, record)
        if record and record.failure:
            raise record.failure
    if not series.stopped:
        return 0
    if not series.tally.games:
        raise KeyboardInterrupt
    return 130


def _print(args: argparse.Namespace, series: Series, record: Record | None) -> None:
    found, screen = result_of(series), console()
    if args.json:
        _arguments.print_json(found.to_dict())
        return
    found.show(screen)
    if record and not record.failure:
        say(screen, f"Recorded in {record.path}.")
