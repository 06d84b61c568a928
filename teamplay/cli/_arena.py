"""What matches and tournaments share on the command line: who does the work, and how far it is."""

import argparse
import os
import time

from teamplay.cli import _arguments
from teamplay.cli._progress import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from teamplay.arena.estimate import Estimate
    from teamplay.arena.workers import Crew

BAR = 20  # columns
MOST_WORKERS = 32  # for each core: beyond that they only take each other's memory


def add_workers(parser: argparse.ArgumentParser) -> None:
    help = "processes that play (default: one for each core, once the work takes more than a second)"
    parser.add_argument("--workers", type=_arguments.whole_number, metavar="N", help=help)
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a dask cluster: its scheduler, tcp://HOST:PORT")


def add_opening(parser: argparse.ArgumentParser) -> None:
    help = "random plies before each pair of games with seats swapped (default: 0)"
    parser.add_argument("--opening", type=plies, default=0, metavar="N", help=help)


def plies(text: str) -> int:
    """A number of moves in an option: 0 or more."""
    return 0 if text == "0" else _arguments.whole_number(text)


def the_crew(args: argparse.Namespace) -> "tuple[Crew | None, float]":
    """Who does the work, None for this process alone, and for how many seconds this process tries alone first."""
    from teamplay.arena.workers import PATIENCE, cluster, processes
    from teamplay.errors import BadSpec

    if args.cluster:
        if args.workers:
            raise BadSpec("--workers are processes here and --cluster is elsewhere; give one of the two.")
        return cluster(args.cluster), 0.0
    workers = args.workers or os.cpu_count() or 1
    most = MOST_WORKERS * (os.cpu_count() or 1)
    if workers > most:
        raise BadSpec(f"--workers is at most {most} here, {MOST_WORKERS} for each core, not {workers:,}.")
    return (None if workers == 1 else processes(workers)), 0.0 if args.workers else PATIENCE


class Bar(Progress):
    """How many games are played, and how long the rest will take."""

    def __init__(self, games: int) -> None:
        super().__init__()
        self.games, self.before, self.began = games, -1, time.monotonic()

    def show(self, played: int) -> None:
        if self.before < 0:
            self.before = played  # what was played in an earlier run tells nothing about the speed of this one
        if self.due():
            self.say(bar(played, self.games, played - self.before, time.monotonic() - self.began))


def bar(played: int, games: int, fresh: int, seconds: float) -> str:
    """A line for a terminal.

    >>> bar(250, 1000, 250, 30)
    '#####...............  25%  250 of 1,000 games, 1 min 30 s left'
    """
    full = BAR * played // games
    left = f", {duration((games - played) * seconds / fresh)} left" if fresh else ""
    return f"{'#' * full}{'.' * (BAR - full)} {100 * played // games:>3}%  {played:,} of {games:,} games{left}"


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> duration(7.4), duration(90), duration(7300)
    ('7 s', '1 min 30 s', '2 h 1 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def percent(share: "Estimate") -> str:
    """A share with its interval."""
    return f"{100 * share.value:.1f}% ({100 * share.low:.1f} to {100 * share.high:.1f})"


def estimate_json(estimate: "Estimate") -> dict[str, float]:
    """An estimate for scripts, without digits that mean nothing."""
    return {name: round(getattr(estimate, name), 6) for name in ("value", "low", "high")}


def way(compiled: bool) -> str:
    """How games were played, in a word for scripts."""
    return "compiled" if compiled else "move by move"
