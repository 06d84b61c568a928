"""Who plays whom? Plans of tournaments, and the running of one, from its results so far to the end."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b
from itertools import combinations, zip_longest
from pathlib import Path
from typing import Any, Literal, get_args

from teamplay import library
from teamplay.arena.match import Chunk, Match, Tally, plan_match, play_chunk, seat
from teamplay.arena.playing import seed_of
from teamplay.arena.results import AS_NEEDED, Basis, Fixed, Forfeits, Key, ResultsFile, Stored
from teamplay.arena.standing import MOST_PLAYERS, Standing, standing
from teamplay.arena.workers import Crew, carry_out
from teamplay.errors import BadFile, BadSpec, did_you_mean
from teamplay.game_file import load_game
from teamplay.language import Source, parse_table
from teamplay.language.formatter import format_table
from teamplay.players import file_of, parse_player

TournamentKind = Literal["round-robin", "gauntlet"]
KINDS: tuple[TournamentKind, ...] = get_args(TournamentKind)
LARGEST_FILE = 1 << 16  # bytes
WIDEST_TEXT = 5_000  # characters in a line
GAMES = 100


@dataclass(frozen=True)
class Plan:
    """What is played: everybody against everybody, or the first player against all others."""

    players: tuple[str, ...]
    game: str
    games: int = GAMES  # of each pairing
    kind: TournamentKind = "round-robin"
    seed: int = 0
    opening: int | None = None  # random plies; None: a few where neither player has luck, else none

    def __post_init__(self) -> None:
        if not 2 <= len(self.players) <= MOST_PLAYERS:
            raise BadSpec(f"A tournament has 2 to {MOST_PLAYERS} players, not {len(self.players)}.")
        for player in self.players:
            if self.players.count(player) > 1:
                raise BadSpec(f"`{player[:80]}` is named twice; each player takes part once.")
            if parse_player(player)[0] == "human":
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
    """The plan that a TOML file says."""
    told = library.read_toml(path, "tournament", LARGEST_FILE, WIDEST_TEXT)
    kinds = dict.fromkeys((field.name for field in fields(Plan)), int) | {"players": tuple, "game": str, "kind": str}
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
    """A plan and what has come of it; the state is the chunks that are known, which only grow."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.matches = plan, plan.matches()
        self.played = self.resumed = 0  # games; those that were known before
        self.game = load_game(plan.game)
        self._chunks: dict[Key, Tally] = {}
        self._fixed: dict[Key, Fixed] = {}
        self._forfeits: dict[Key, Forfeits] = {}

    @property
    def basis(self) -> Basis:
        """What its games depend on; a comment in a table, or the name of a game, changes nothing."""
        meanings = {spec: _meaning(spec) for spec in self.plan.players}
        rules = repr(replace(self.game, name="", about="", parameters=()))
        opening = AS_NEEDED if self.plan.opening is None else self.plan.opening
        return Basis(_digest(rules), self.plan.seed, opening, meanings, json.dumps(self._told()))

    def _told(self) -> dict[str, object]:
        """The plan as readers of the results need it, who may not have the players."""
        meetings = []
        for (one, other), match in zip(self.plan.pairings, self.matches, strict=True):
            seated = seat(match)
            kept = {"engine": _engine(match), "chunk": seated.chunk}
            meetings.append({"one": one, "other": other, "seed": match.seed, "opening": match.opening, **kept})
        return asdict(self.plan) | {"game": str(self.game), "meetings": meetings}

    def standing(self) -> Standing:
        """How the players stand."""
        return standing(self._told(), Stored("", self._chunks, self._fixed, self._forfeits))

    @property
    def games(self) -> int:
        """How many games the plan has."""
        return len(self.matches) * self.plan.games

    def run(
        self, results: ResultsFile, crew: Crew | None, patience: float, told: Callable[[], None] | None = None
    ) -> None:
        """Play what the results don't hold; each chunk is kept before it counts."""
        left = self._left(results.stored())
        self.resumed = self.played
        with closing(carry_out(play_chunk, left, crew, patience)) as done:
            if told:
                told()
            for chunk, played in done:
                key, forfeits = _key(chunk), tuple(sorted(Counter(played.forfeits).items()))
                results.add(key, played.tally, played.fixed, forfeits)
                self._count(key, played.tally, played.fixed, forfeits)
                if told:
                    told()

    def _left(self, known: Stored) -> list[Chunk]:
        """Count what is known; then the chunks that are yet to be played.

        A chunk counts if it is one of this plan: then a tournament that was extended has the same results as one
        that was planned so large from the start. At most the last chunk of a pairing is played again for that.
        """
        left = []
        for chunk in _in_turn([seat(match).chunks() for match in self.matches]):
            key = _key(chunk)
            if key in known.chunks:
                self._count(key, known.chunks[key], known.fixed.get(key, ()), known.forfeits.get(key, ()))
            else:
                left.append(chunk)
        return left

    def _count(self, key: Key, tally: Tally, fixed: Fixed, forfeits: Forfeits) -> None:
        self._chunks[key], self._fixed[key], self._forfeits[key] = tally, fixed, forfeits
        self.played += tally.games


def _engine(match: Match) -> str:
    return "compiled" if seat(match).compiled else "move by move"


def _key(chunk: Chunk) -> Key:
    """How results know a chunk."""
    return Key(chunk.match.a, chunk.match.b, _engine(chunk.match), chunk.start, chunk.games)


def _meaning(spec: str) -> str:
    """What a player's table says, in a few letters; nothing for other players."""
    file = file_of(spec)
    return _digest(format_table(parse_table(Source(str(file), library.read(file))))) if file else ""


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _in_turn(rows: list[Iterator[Chunk]]) -> Iterator[Chunk]:
    """The first chunk of every match, then the second of every match, and so on: a table that fills evenly."""
    for turn in zip_longest(*rows):
        yield from filter(None, turn)
