"""Who wins how often? A match as a value: the counts of player A, their intervals, the difference in Elo."""

from dataclasses import dataclass
from typing import Any

from rich.console import Console

from teamplay.api.loading import as_player, game_for
from teamplay.api.progress import Report, Reporter
from teamplay.arena.chance import usual_opening
from teamplay.arena.match import Match, Tally, check_size, plan_match, seat, seat_players, with_openings
from teamplay.arena.series import Series
from teamplay.arena.workers import PATIENCE, processes
from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.players import Player
from teamplay.protocols.program import programs_ended
from teamplay.show.notebook import text_of
from teamplay.show.terminal import put_table, say
from teamplay.show.words import counted, signed
from teamplay.statistics import Estimate, difference, wilson

NAMES = ("wins", "draws", "losses")


@dataclass(frozen=True, repr=False)
class MatchResult:
    """What came of a match, as far as it was played; all counts are those of player A."""

    match: Match
    game: Game
    tally: Tally
    compiled: bool  # was it played in batches by the compiled engine?
    complete: bool
    distinct: int  # games that count as observations: one without chance counts once, however often it was played
    forfeits: tuple[str, ...] = ()  # why a player lost without being beaten: a crash, an illegal move, no answer

    @property
    def games(self) -> int:
        return self.tally.games

    @property
    def wins(self) -> int:
        return self.tally.wins

    @property
    def draws(self) -> int:
        return self.tally.draws

    @property
    def losses(self) -> int:
        return self.tally.losses

    @property
    def elo(self) -> Estimate:
        """How much stronger A is, with a 95% interval."""
        return difference(self.tally.points * self._weight, self.distinct)

    def share(self, name: str) -> Estimate:
        """The share of `wins`, `draws` or `losses`, with Wilson's 95% interval."""
        return wilson(getattr(self.tally, name) * self._weight, self.distinct)

    @property
    def _weight(self) -> float:
        """What one game counts: less than 1 where games repeat each other."""
        return self.distinct / self.games if self.games else 1.0

    def __repr__(self) -> str:
        counts = f"{self.wins:,} won, {self.draws:,} drawn, {self.losses:,} lost"
        stopped = "" if self.complete else " (stopped)"
        return f"{self.match.a} against {self.match.b} at {self.game}: {counts}{stopped}"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": text_of(self.show) if self.games else repr(self)}

    def to_dict(self) -> dict[str, Any]:
        """What `teamplay match --json` prints."""
        match, tally = self.match, self.tally
        shown = {"a": match.a, "b": match.b, "game": str(self.game), "games": tally.games, "distinct": self.distinct}
        shown |= {name: getattr(tally, name) for name in NAMES}
        return shown | {
            "intervals": {name: estimate_dict(self.share(name)) for name in NAMES},
            "elo": estimate_dict(self.elo),
            "first": dict(zip(NAMES, tally[:3], strict=True)),
            "second": dict(zip(NAMES, tally[3:6], strict=True)),
            "moves": tally.moves,
            "opening": match.opening,
            "seed": match.seed,
            "engine": way(self.compiled),
            "complete": self.complete,
            "forfeits": list(self.forfeits),
        }

    def show(self, screen: Console) -> None:
        """What `teamplay match` prints."""
        match, tally = self.match, self.tally
        games = counted(tally.games, "game")
        say(screen, f"{match.a} against {match.b} at {self.game}: {games}, seed {match.seed}.", "bold")
        if not self.complete:
            say(screen, f"Stopped by Ctrl-C before the other {match.games - tally.games:,}.")
        say(screen)
        counts = zip(("won", "drawn", "lost"), NAMES, tally[:3], tally[3:6], strict=True)
        shown = [
            [word, *(f"{n:,}" for n in (first, second, first + second)), percent(self.share(name))]
            for word, name, first, second in counts
        ]
        put_table(screen, [match.a, "moving first", "second", "together", "95% interval"], shown)
        say(screen)
        elo = self.elo
        say(
            screen,
            f"Elo of {match.a} over {match.b}: {signed(elo.value)} (95%: {signed(elo.low)} to {signed(elo.high)}).",
        )
        how = "in batches by the compiled engine" if self.compiled else "move by move"
        say(screen, f"Played {how}, {tally.moves / tally.games:.1f} moves per game.")
        if self.forfeits:
            say(screen, f"{counted(len(self.forfeits), 'game')} forfeited, the first because: {self.forfeits[0]}")
        if repeated := self._repeated():
            say(screen, repeated)

    def _repeated(self) -> str:
        """What to know where players have no luck."""
        plies = self.match.opening
        said = ""
        if self.match.varied:
            said = (
                f"Neither player has luck, so each pair of games begins with {plies} random plies, "
                "the same for both. (`--opening 0` plays the same two games again and again.) "
            )
        if self.distinct < self.games:
            said += (
                f"Only {self.distinct:,} of {counted(self.games, 'game')} are different; the others repeat them, "
                "and the intervals count each once."
            )
            longer = 2 * plies if plies else usual_opening(self.game)
            if longer < self.game.grid.size:
                said += f" `--opening {longer}` makes more of them differ."
        return said.strip()


@programs_ended()
def match(
    a: Player | str,
    b: Player | str,
    game: Game | str | None = None,
    games: int = 100,
    seed: int = 0,
    opening: int | None = None,
    workers: int = 1,
    progress: Report | None = None,
) -> MatchResult:
    """Play games of A against B, seats alternating; Ctrl-C ends it with the games played by then.

    Players by spec may be played by several processes (`workers`), with the same results. `opening` is the number of
    random plies before each pair of games; by default none, or a few where neither player has luck. Programs that
    were started for the match have ended when it returns.
    """
    for name, number in (("games", games), ("seed", seed), ("opening", 0 if opening is None else opening)):
        if not isinstance(number, int):
            raise BadSpec(f"`{name}` is a whole number, not {number!r}.")
    rules = game_for(game, [a, b])
    if isinstance(a, str) and isinstance(b, str):
        series = Series(plan_match(a, b, game if isinstance(game, str) else rules.spec, games, seed, opening))
    elif workers == 1:
        check_size(rules, games, opening or 0)
        players = as_player(a, rules), as_player(b, rules)
        named = Match(players[0].name, players[1].name, str(rules), games, seed, opening or 0)
        if opening is None:
            named = with_openings(seat_players(named, rules, players))
        series = Series(named, seat_players(named, rules, players))
    else:
        raise BadSpec("Players that are objects stay in this process; name both by specs to share the work.")
    reporter = Reporter(progress, "games")

    def told() -> None:
        played = series.tally.games
        if reporter.due() or played == games:
            reporter.say(played, f"{played:,} of {games:,} games", games)

    series.run(None if workers == 1 else processes(workers), PATIENCE, told=told)
    return result_of(series)


def result_of(series: Series) -> MatchResult:
    """A match as far as it was played."""
    seated = series.seated or seat(series.match)
    return MatchResult(
        series.match, seated.game, series.tally, seated.compiled, not series.stopped, series.distinct, series.forfeits
    )


def percent(share: Estimate) -> str:
    """A share with its interval."""
    return f"{100 * share.value:.1f}% ({100 * share.low:.1f} to {100 * share.high:.1f})"


def estimate_dict(estimate: Estimate) -> dict[str, float]:
    """An estimate for scripts, without digits that mean nothing."""
    return {name: round(getattr(estimate, name), 6) for name in ("value", "low", "high")}


def way(compiled: bool) -> str:
    """How games were played, in a word for scripts."""
    return "compiled" if compiled else "move by move"
