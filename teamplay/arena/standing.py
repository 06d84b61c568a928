"""How do the players of a tournament stand? Who met whom, with what results; ratings; the same for the file of results.

A standing needs no player and no table: what a reader has to know is kept with the results.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

from teamplay.arena.match import Tally, distinct
from teamplay.arena.results import Forfeits, Key, Stored
from teamplay.errors import BadFile
from teamplay.statistics import Estimate, Pairing, ratings

UNPLAYED = Tally()
MOST_PLAYERS = 200
MOST_CHUNKS = 10_000_000  # of a pairing


@dataclass(frozen=True)
class Meeting:
    """One pairing: the players by their places, how their games are made and kept, and what came of them."""

    one: int
    other: int
    seed: int
    opening: int
    engine: str
    chunk: int  # games that are played and kept together
    tally: Tally = UNPLAYED
    distinct: int = 0  # games that count as observations
    forfeits: Forfeits = ()  # why games were lost without being played to the end, the most frequent reason first

    @property
    def weight(self) -> float:
        """What one game counts: less than 1 where games repeat each other."""
        return self.distinct / self.tally.games if self.tally.games else 1.0


@dataclass(frozen=True)
class Standing:
    """A tournament as far as it is played; nothing in it changes."""

    players: tuple[str, ...]
    game: str
    games: int  # of each pairing
    kind: str
    seed: int
    opening: int | None  # random plies; None: a few where neither player has luck
    meetings: tuple[Meeting, ...]

    @property
    def total(self) -> int:
        """How many games the plan has."""
        return len(self.meetings) * self.games

    @property
    def played(self) -> int:
        return sum(meeting.tally.games for meeting in self.meetings)

    def ratings(self) -> list[Estimate | None]:
        """The Elo of each player, by its place; None for one that has not played yet."""
        pairings = [
            Pairing(each.one, each.other, each.tally.points * each.weight, each.distinct) for each in self.meetings
        ]
        found = ratings(len(self.players), pairings)
        return [rating if self.score(player).games else None for player, rating in enumerate(found)]

    def ranking(self) -> list[int]:
        """The players by their places, the strongest first, those without a game last."""
        found = self.ratings()
        values = [float("-inf") if rating is None else rating.value for rating in found]
        return sorted(range(len(found)), key=lambda player: -values[player])

    def between(self, player: int, other: int) -> Tally | None:
        """The results of one player against another, if they meet."""
        if meeting := self._meetings.get((player, other)):
            return meeting.tally
        meeting = self._meetings.get((other, player))
        return meeting.tally.turned() if meeting else None

    @cached_property
    def _meetings(self) -> dict[tuple[int, int], Meeting]:
        return {(meeting.one, meeting.other): meeting for meeting in self.meetings}

    def score(self, player: int) -> Tally:
        """All results of one player; the seats are its own."""
        met = (self.between(player, other) for other in range(len(self.players)))
        return reduce(Tally.plus, filter(None, met), Tally())


def standing(plan: Mapping[str, Any], stored: Stored) -> Standing:
    """How the players stand by a plan and what is stored: the chunks that are part of the plan count."""
    players, games = tuple(plan["players"]), plan["games"]
    meetings = []
    for told in plan["meetings"]:
        meeting = Meeting(**told)
        tally, fixed, forfeits = Tally(), Counter[int](), Counter[str]()
        for start in range(0, games, meeting.chunk):
            size = min(meeting.chunk, games - start)
            key = Key(players[meeting.one], players[meeting.other], meeting.engine, start, size)
            if key in stored.chunks:
                tally = tally.plus(stored.chunks[key])
                fixed.update(dict(stored.fixed.get(key, ())))
                forfeits.update(dict(stored.forfeits.get(key, ())))
        reasons = tuple(sorted(forfeits.items(), key=lambda counted: (-counted[1], counted[0])))
        meetings.append(Meeting(**told, tally=tally, distinct=distinct(tally.games, fixed), forfeits=reasons))
    return Standing(players, plan["game"], games, plan["kind"], plan["seed"], plan["opening"], tuple(meetings))


def check_plan(path: object, plan: Any) -> None:
    """Refuse a plan from a file that is not what this program writes."""
    try:
        players, games, kind, game = (plan[name] for name in ("players", "games", "kind", "game"))
        sound = 2 <= len(players) <= MOST_PLAYERS and all(isinstance(each, str) for each in (*players, kind, game))
        sound = sound and type(games) is int and games > 0 and type(plan["seed"]) is int
        sound = sound and (plan["opening"] is None or type(plan["opening"]) is int)
        for told in plan["meetings"]:
            meeting = Meeting(**told)
            numbers = (meeting.one, meeting.other, meeting.seed, meeting.opening, meeting.chunk)
            sound = sound and all(type(number) is int and number >= 0 for number in numbers)
            sound = sound and max(meeting.one, meeting.other) < len(players) and isinstance(meeting.engine, str)
            sound = sound and meeting.chunk > 0 and games // meeting.chunk <= MOST_CHUNKS
    except (KeyError, TypeError):
        sound = False
    if not sound:
        raise BadFile(f"{path} is damaged: its plan can't be read.")
