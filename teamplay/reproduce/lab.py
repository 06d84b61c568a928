"""Where claims are tried: with how much effort, from which seed, by which workers."""

from collections.abc import Callable
from dataclasses import dataclass

from teamplay.arena.match import Tally, plan_match
from teamplay.arena.series import Series
from teamplay.arena.workers import Crew
from teamplay.game import Game
from teamplay.players import Player
from teamplay.proof.goals import ProofGoal
from teamplay.proof.verify import INTERRUPTED, Verdict, verify
from teamplay.statistics import differ, wilson

# Shares of games differ if they do so with more than 99.9% confidence: dozens are compared, and chance is not news.
SURE_OF_MANY = 3.290526731491895


@dataclass(frozen=True)
class Lab:
    """How claims are tried."""

    whole: bool = False  # as many games as it takes, or just a minute's worth?
    seed: int = 0
    crew: Crew | None = None
    told: Callable[[str], None] | None = None
    patience: float = 0.0  # seconds that this process tries a match alone before it calls the crew

    def say(self, text: str) -> None:
        """Report what is being done."""
        if self.told:
            self.told(text)

    def games(self, quick: int, whole: int) -> int:
        """How many games to play."""
        return whole if self.whole else quick

    def match(self, a: str, b: str, game: str, games: int, opening: int = 0) -> Tally:
        """How two players do, seats alternating."""
        self.say(f"{a} against {b} at {game}: {games:,} games")
        series = Series(plan_match(a, b, game, games, self.seed, opening))
        series.run(self.crew, self.patience)
        if series.stopped:
            raise KeyboardInterrupt
        return series.tally


def examined(player: Player, game: Game, seat: int, exhaust: bool = True, goal: ProofGoal = "never-loses") -> Verdict:
    """Whether a player keeps a goal from a seat; Ctrl-C, an `undecided` of `verify`, must not fail a claim."""
    found = verify(player, game, seat, goal, exhaust=exhaust)
    if found.bound == INTERRUPTED:
        raise KeyboardInterrupt
    return found


def agree(published: tuple[int, ...], measured: tuple[int, ...]) -> bool:
    """Whether two lists of counts may be samples of the same chances.

    Each share is compared by Newcombe's interval for the difference of two shares.

    >>> agree((123, 0, 77), (600, 1, 399)), agree((123, 0, 77), (900, 0, 100))
    (True, False)
    >>> agree((120, 40, 40), (450, 275, 275))  # only the wins differ for sure, and they are more
    False
    """
    return not any(
        differ(one, sum(published), other, sum(measured), SURE_OF_MANY)
        for one, other in zip(published, measured, strict=True)
    )


def shares(counts: tuple[int, ...]) -> str:
    """Wins, draws and losses as percent, each with its 95% interval.

    >>> shares((123, 77, 0))
    '61.5% won (54.6 to 68.0), 38.5% drawn (32.0 to 45.4), 0.0% lost (0.0 to 1.9)'
    """
    parts = []
    for count, word in zip(counts, ("won", "drawn", "lost"), strict=True):
        share = wilson(count, sum(counts))
        parts.append(f"{100 * share.value:.1f}% {word} ({100 * share.low:.1f} to {100 * share.high:.1f})")
    return ", ".join(parts)
