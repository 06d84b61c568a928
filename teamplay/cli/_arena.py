"""What matches and tournaments share on the command line: who does the work, how far it is, how the players stand."""

import argparse
import os
import time

from rich.console import Console

from teamplay.arena.standing import Meeting, Standing
from teamplay.arena.workers import PATIENCE, Crew, cluster, processes
from teamplay.cli import _arguments
from teamplay.cli._progress import Progress
from teamplay.errors import BadSpec
from teamplay.show.terminal import put_table, say
from teamplay.show.words import counted, signed

BAR = 20  # columns
MOST_WORKERS = 32  # for each core: beyond that they only take each other's memory


def add_workers(parser: argparse.ArgumentParser) -> None:
    help = "processes that play (default: one for each core, once the work takes more than a second)"
    parser.add_argument("--workers", type=_arguments.whole_number, metavar="N", help=help)
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a dask cluster: its scheduler, tcp://HOST:PORT")


def add_opening(parser: argparse.ArgumentParser) -> None:
    help = "random plies before each pair of games with seats swapped (default: 0, or a few if neither side has luck)"
    parser.add_argument("--opening", type=plies, metavar="N", help=help)


def plies(text: str) -> int:
    """A number of moves in an option: 0 or more."""
    return _arguments.count(text)


def the_crew(args: argparse.Namespace) -> tuple[Crew | None, float]:
    """Who does the work, None for this process alone, and for how many seconds this process tries alone first."""
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
        super().__init__(bar(0, games, 0, 0))
        self.games, self.before, self.began = games, -1, time.monotonic()

    def show(self, played: int) -> None:
        if self.before < 0:
            self.before = played  # what was played in an earlier run says nothing about the speed of this one
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


def progress(standing: Standing) -> str:
    """How far a tournament is, in a sentence."""
    return f"{standing.played:,} of {standing.total:,} games are played."


def print_standing(screen: Console, standing: Standing, known: str) -> None:
    """A tournament as a crosstable with ratings; `known` says where it stands."""
    what = "Everybody against everybody"
    if standing.kind == "gauntlet":
        what = f"{standing.players[0]} against all others"
    each = f"{counted(standing.games, 'game')} a pairing, seed {standing.seed}"
    say(screen, f"{what} at {standing.game}: {each}.", "bold")
    if known:
        say(screen, known)
    say(screen)
    put_table(screen, *_crosstable(standing))
    say(screen)
    unplayed = any(not meeting.tally.games for meeting in standing.meetings)
    say(
        screen,
        "Elo by Bradley and Terry, draws as half, the mean of all at 0, ± half the 95% interval. In the columns: "
        "points from the games against each" + (", empty where none is played yet." if unplayed else "."),
    )
    if repeated := _repeated(standing):
        say(screen, repeated)
    for meeting in standing.meetings:
        if meeting.forfeits:
            say(screen, _forfeited(standing, meeting))


def _forfeited(standing: Standing, meeting: Meeting) -> str:
    """How many games of a pairing were forfeited, and why."""
    games = counted(sum(times for _, times in meeting.forfeits), "game")
    (reason, times), *others = meeting.forfeits
    pairing = f"{standing.players[meeting.one]} against {standing.players[meeting.other]}"
    most = f", {times:,} of them" if others else ""
    return f"{pairing}: {games} forfeited{most} because: {reason}"


def _crosstable(standing: Standing) -> tuple[list[str], list[list[str]]]:
    """Ranks, ratings, and each player's points against each other, the best first."""
    ratings, order = standing.ratings(), standing.ranking()
    header = ["", "player", "Elo", "", "points", *(str(rank + 1) for rank in range(len(order)))]
    rows = []
    for rank, player in enumerate(order):
        rating, total = ratings[player], standing.score(player)
        met = [standing.between(player, other) for other in order]
        cells = ["-" if tally is None else _points(tally.points) if tally.games else "" for tally in met]
        known = ["", "", ""]
        if rating:
            bars = f"±{rating.high - rating.value:.0f}"
            known = [f"{signed(rating.value)}", bars, f"{_points(total.points)}/{total.games:,}"]
        rows.append([str(rank + 1), standing.players[player], *known, *cells])
    return header, rows


def _repeated(standing: Standing) -> str:
    """What to know where players have no luck."""
    varied = [meeting.opening for meeting in standing.meetings if meeting.opening and standing.opening is None]
    said = ""
    if varied:
        said = (
            f"In {counted(len(varied), 'pairing')} neither player has luck; each pair of games begins with "
            f"{varied[0]} random plies there. "
        )
    different = sum(meeting.distinct for meeting in standing.meetings)
    if different < standing.played:
        said += f"Only {different:,} of {standing.played:,} games are different; ± counts each once."
    return said.strip()


def _points(points: float) -> str:
    """Points as chess players write them.

    >>> _points(12.5), _points(0.5), _points(3.0)
    ('12½', '½', '3')
    """
    whole, half = divmod(round(2 * points), 2)
    return (f"{whole:,}" if whole or not half else "") + "½" * half
