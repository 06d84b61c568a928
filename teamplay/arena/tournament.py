"""Who plays whom? Plans of tournaments, and the running of one, from its results so far to the end."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import reduce
from itertools import combinations, zip_longest
from pathlib import Path
from typing import Any

from teamplay import library
from teamplay.arena.estimate import Estimate
from teamplay.arena.match import Chunk, Match, Tally, plan_match, play_chunk, seat
from teamplay.arena.playing import seed_of
from teamplay.arena.results import Results
from teamplay.arena.workers import Crew, carry_out
from teamplay.errors import BadFile, BadSpec, did_you_mean
from teamplay.game_file import load_game, parse_spec

KINDS = ("round-robin", "gauntlet")
MOST_PLAYERS = 200
LARGEST_FILE = 1 << 16  # bytes
WIDEST_TEXT = 5_000  # characters in a line
GAMES = 100


@dataclass(frozen=True)
class Plan:
    """What is played: everybody against everybody, or the first player against all others."""

    players: tuple[str, ...]
    game: str
    games: int = GAMES  # of each pairing
    kind: str = "round-robin"
    seed: int = 0
    opening: int = 0

    def __post_init__(self) -> None:
        if not 2 <= len(self.players) <= MOST_PLAYERS:
            raise BadSpec(f"A tournament has 2 to {MOST_PLAYERS} players, not {len(self.players)}.")
        for player in self.players:
            if self.players.count(player) > 1:
                raise BadSpec(f"`{player[:80]}` is named twice; each player takes part once.")
            if parse_spec(player)[0] == "human":
                raise BadSpec("A person can't play a tournament; `teamplay match human …` seats one at this terminal.")
        if self.kind not in KINDS:
            raise BadSpec(f"A tournament is a {' or a '.join(KINDS)}, not `{self.kind[:40]}`.")

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom, by their places in `players`."""
        everybody = range(len(self.players))
        return list(combinations(everybody, 2)) if self.kind == "round-robin" else [(0, i) for i in everybody[1:]]

    def matches(self) -> list[Match]:
        """A match for each pairing; its seed is its own, whoever else takes part."""
        return [self._match(self.players[one], self.players[other]) for one, other in self.pairings]

    def _match(self, one: str, other: str) -> Match:
        seed = seed_of(self.seed, one, other) >> 11  # 53 bits, which every reader of JSON can hold
        return plan_match(one, other, self.game, self.games, seed, self.opening)


def read_plan(path: Path) -> Plan:
    """The plan that a TOML file tells."""
    told = library.read_toml(path, "tournament", LARGEST_FILE, WIDEST_TEXT)
    kinds = {name: type(value) for name, value in asdict(Plan(("a", "b"), "game")).items()}
    for key, value in told.items():
        if key not in kinds:
            known = ", ".join(kinds)
            raise BadFile(f"{path}: `{key}` is not known; a tournament has {known}.{did_you_mean(key, kinds)}")
        _check_type(path, key, value, kinds[key])
    for key in ("players", "game"):
        if key not in told:
            raise BadFile(f"{path} does not say `{key}`, which every tournament has.")
    try:
        return Plan(**{**told, "players": tuple(told["players"])})
    except BadSpec as error:
        raise BadFile(f"{path}: {error}") from None


def _check_type(path: Path, key: str, value: Any, kind: type) -> None:
    words = {int: "a whole number", str: "a text", tuple: "a list of texts"}
    fits = type(value) is kind
    if kind is tuple:
        fits = isinstance(value, list) and all(isinstance(each, str) for each in value)
    if not fits:
        raise BadFile(f"{path}: `{key}` is {words[kind]}, not `{str(value)[:40]}`.")


class Tournament:
    """A plan and what has come of it; the state is the tallies, which only grow."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.matches = plan, plan.matches()
        self.tallies = [Tally()] * len(self.matches)
        self.resumed = 0  # games that were known before
        self.game = load_game(plan.game)
        self._meetings = {pairing: place for place, pairing in enumerate(plan.pairings)}
        self._places = {match: place for place, match in enumerate(self.matches)}

    @property
    def text(self) -> str:
        """The plan in one line, with what its files say: a results file belongs to it and to no other."""
        files = [match.files for match in self.matches]
        return json.dumps({**asdict(self.plan), "files": files})

    @property
    def games(self) -> int:
        """How many games the plan has."""
        return len(self.matches) * self.plan.games

    @property
    def played(self) -> int:
        return sum(tally.games for tally in self.tallies)

    def run(self, results: Results, crew: Crew | None, patience: float, told: Callable[[], None] | None = None) -> None:
        """Play what the results don't hold; each chunk is kept before it counts."""
        left = self._left(results)
        self.resumed = self.played
        with closing(carry_out(play_chunk, left, crew, patience)) as done:
            if told:
                told()
            for chunk, (tally, _) in done:
                place = self._places[chunk.match]
                results.add(place, chunk.start, tally)
                self.tallies[place] = self.tallies[place].plus(tally)
                if told:
                    told()

    def _left(self, results: Results) -> Iterator[Chunk]:
        """Count what is known; then the chunks that are yet to be played."""
        known = results.played()
        for (place, start), tally in known.items():
            wanted = seat(self.matches[place]).size(start) if 0 <= place < len(self.matches) else 0
            if tally.games != wanted or min(tally) < 0:
                raise BadFile(f"{results.path} is damaged: what it holds does not fit the tournament.")
            self.tallies[place] = self.tallies[place].plus(tally)
        chunks = _in_turn([seat(match).chunks() for match in self.matches])
        return (chunk for chunk in chunks if (self._places[chunk.match], chunk.start) not in known)

    def ratings(self) -> list[Estimate]:
        """The Elo of each player, by its place in the plan."""
        from teamplay.arena.ratings import Pairing, ratings

        pairings = [
            Pairing(one, other, tally.points, tally.games)
            for (one, other), tally in zip(self.plan.pairings, self.tallies, strict=True)
        ]
        return ratings(len(self.plan.players), pairings)

    def ranking(self) -> list[int]:
        """The players by their places in the plan, the strongest first."""
        ratings = self.ratings()
        return sorted(range(len(ratings)), key=lambda player: -ratings[player].value)

    def between(self, player: int, other: int) -> Tally | None:
        """The results of one player against another, if they meet."""
        if (player, other) in self._meetings:
            return self.tallies[self._meetings[player, other]]
        place = self._meetings.get((other, player))
        return None if place is None else self.tallies[place].turned()

    def score(self, player: int) -> Tally:
        """All results of one player; the seats are its own."""
        met = (self.between(player, other) for other in range(len(self.plan.players)))
        return reduce(Tally.plus, filter(None, met), Tally())


def _in_turn(rows: list[Iterator[Chunk]]) -> Iterator[Chunk]:
    """The first chunk of every match, then the second of every match, and so on: a table that fills evenly."""
    for turn in zip_longest(*rows):
        yield from filter(None, turn)
