"""What is a match? Games of two players with seats alternating, in chunks that any worker can play.

A chunk is known by its first game. The games of a chunk, and so all results, depend on the match alone: not on who
plays the chunk, nor when, nor how often. Players choose by the position and the luck they are given, nothing else.
"""

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from teamplay import library
from teamplay.arena.chance import NotedLuck, chancy, forced, identity, usual_opening
from teamplay.arena.playing import Chooser, MoveReason, after_all, chooser, opening, played_out, reason, seed_of
from teamplay.arena.recorded import GameRecord, game_line
from teamplay.errors import BadSpec
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import Player, load_player, parse_player
from teamplay.players.random import RandomPlayer
from teamplay.team import Team

MOST_GAMES = 1_000_000_000
MOST_SLOWLY = 10_000  # cells of all games together that are filled move by move before the compiler pays
CHUNK = 200  # cells of the games of a chunk; players may be slow, and what is under way is lost with a worker
COMPILED_CHUNK = 100_000
MOST_KEPT = 64  # players, and matches, that a worker remembers

Made = TypeVar("Made")


@dataclass(frozen=True)
class Match:
    """Games of a against b: plain words, so that it can be sent to any worker."""

    a: str
    b: str
    game: str
    games: int
    seed: int = 0
    opening: int = 0  # random plies at the start, the same for two games with seats swapped
    varied: bool = False  # were the plies added because neither player has luck?
    files: tuple[tuple[str, str], ...] = ()  # names and texts of its game and table files when it was planned

    def __str__(self) -> str:
        return f"{self.a} against {self.b} at {self.game}"


class Chunk(NamedTuple):
    """Some games of a match, from number `start` (0 is the first); `recorded` keeps their moves."""

    match: Match
    start: int
    games: int
    recorded: bool = False

    def __str__(self) -> str:
        return f"games {self.start + 1:,} to {self.start + self.games:,} of {self.match}"


class Tally(NamedTuple):
    """How games ended for player a, in the first seat and in the second, and the moves that both made."""

    first_wins: int = 0
    first_draws: int = 0
    first_losses: int = 0
    second_wins: int = 0
    second_draws: int = 0
    second_losses: int = 0
    moves: int = 0

    @property
    def wins(self) -> int:
        return self.first_wins + self.second_wins

    @property
    def draws(self) -> int:
        return self.first_draws + self.second_draws

    @property
    def losses(self) -> int:
        return self.first_losses + self.second_losses

    @property
    def games(self) -> int:
        return sum(self[:6])

    @property
    def points(self) -> float:
        """A draw is half a point."""
        return self.wins + self.draws / 2

    def turned(self) -> "Tally":
        """The same games from player b's side."""
        first_wins, first_draws, first_losses, second_wins, second_draws, second_losses, moves = self
        return Tally(second_losses, second_draws, second_wins, first_losses, first_draws, first_wins, moves)

    def plus(self, other: "Tally") -> "Tally":
        return Tally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


class Played(NamedTuple):
    """What came of a chunk: the tally, a line of JSON for each recorded game, and why games were forfeited.

    `fixed` counts the games in which nothing was left to chance, by what they are: each such game, however often it
    is played, is one observation.
    """

    tally: Tally
    lines: tuple[str, ...] = ()
    fixed: tuple[tuple[int, int], ...] = ()  # a game's number, how often it was played
    forfeits: tuple[str, ...] = ()


def distinct(games: int, fixed: Mapping[int, int]) -> int:
    """How many games count as observations: all that chance had a part in, and each of the others once."""
    return games - sum(fixed.values()) + len(fixed)


def plan_match(a: str, b: str, game: str, games: int, seed: int = 0, plies: int | None = None) -> Match:
    """A match that can be played: the game and both players are known, and fit.

    Without a number of plies the games begin at the start; where neither player has luck, which would make every game
    the same, with a few random plies.
    """
    rules = load_game(game)
    check_size(rules, games, plies or 0)
    match = Match(a, b, game, games, seed, plies or 0)
    seated = _seated(match)
    if plies is None:
        match = with_openings(seated)
    return replace(match, files=seated.files)


def with_openings(seated: "Seated") -> Match:
    """A match as it is; where neither player has luck, with random plies before each pair of games."""
    if not (seated.forced(0) and seated.forced(1)):
        return seated.match
    return replace(seated.match, opening=usual_opening(seated.game), varied=True)


def check_size(game: Game, games: int, plies: int) -> None:
    """Refuse a match that is too long, or whose openings are."""
    if not 1 <= games <= MOST_GAMES:
        raise BadSpec(f"A match has 1 to {MOST_GAMES:,} games, not {games:,}.")
    cells = game.grid.size
    if not 0 <= plies < cells:
        raise BadSpec(f"An opening on {cells:,} cells has 0 to {cells - 1:,} plies, not {plies:,}.")


class Seated:
    """A match with its players at the board, and the way in which it is played."""

    def __init__(self, match: Match, game: Game, sitting: "Sequence[_Sitting]", texts: Mapping[str, str]) -> None:
        self.match, self.game, self._sitting = match, game, sitting
        self._forced: dict[int, bool] = {}
        self.players = [each.player for each in sitting]
        self.choosers = [each.choose for each in sitting]
        self.files = tuple(sorted({**texts, **sitting[0].texts, **sitting[1].texts}.items()))
        large = match.games * self.game.grid.size > MOST_SLOWLY
        self.compiled = large and not match.opening and all(map(_can_be_compiled, self.players))
        # Even, so that an opening is never split from its second game.
        self.chunk = 2 * max(1, (COMPILED_CHUNK if self.compiled else CHUNK) // self.game.grid.size // 2)

    @property
    def here_only(self) -> bool:
        """Whether a person plays, who sits at this terminal and no other, or a team with a connection of its own."""
        human = "human" in (parse_player(self.match.a)[0], parse_player(self.match.b)[0])
        return human or any(getattr(player, "here_only", False) for player in self.players)

    def forced(self, second: int) -> bool:
        """Whether the game from the start can go only one way, with player a in the first seat or in the second."""
        if second not in self._forced:
            chance = self.here_only or self._sitting[second].opens_by_chance(self.game)
            choosers = self.choosers[::-1] if second else self.choosers
            self._forced[second] = not chance and forced(self.game, choosers)
        return self._forced[second]

    def identity(self, start: Position, second: int) -> int:
        """Which game begins there without any chance, if player a sits in one of the seats."""
        return identity(start, second if self.match.a != self.match.b else 0)

    def chunks(self, recorded: Callable[[], bool] = lambda: False) -> Iterator[Chunk]:
        """The whole match; whether games are recorded is asked for every chunk."""
        starts = range(0, self.match.games, self.chunk)
        return (Chunk(self.match, start, self.size(start), recorded()) for start in starts)

    def size(self, start: int) -> int:
        """How many games the chunk has that begins with this one; 0 where none begins."""
        return 0 if start % self.chunk else max(0, min(self.chunk, self.match.games - start))


_here = threading.local()  # a player has a state of its own, so that two threads of a worker can't share it


def seat(match: Match) -> Seated:
    """The players of a match, kept from chunk to chunk."""
    return _kept("matches", match, lambda: _seated(match))


def _seated(match: Match) -> Seated:
    """The players that a match names, made from the files that the match carries, else from those that are here."""
    with library.given(dict(match.files)):
        with library.noting() as texts:
            game = load_game(match.game)
        sitting = [_sit(game, match.game, spec) for spec in (match.a, match.b)]
    return Seated(match, game, sitting, texts)


def seat_players(match: Match, game: Game, players: Sequence[Player]) -> Seated:
    """Players that are here already; they can't be sent to workers."""
    return Seated(match, game, [_Sitting(player, chooser(player), {}) for player in players], {})


@dataclass
class _Sitting:
    """A player at a board, how it chooses, and the files that it was made from."""

    player: Player
    choose: Chooser
    texts: dict[str, str]
    _chancy: bool | None = None  # None until somebody asks: a search may take its time

    def opens_by_chance(self, game: Game) -> bool:
        """Whether chance decides its first move."""
        if self._chancy is None:
            self._chancy = chancy(game, self.choose)
        return self._chancy


def _sit(game: Game, named: str, spec: str) -> _Sitting:
    """A player, kept from match to match while its files stay the same: what it has worked out is not lost."""

    def made() -> _Sitting:
        with library.noting() as texts:
            player = load_player(spec, game)
        return _Sitting(player, chooser(player), texts)

    key = named, spec, game
    sitting = _kept("players", key, made)
    if not library.unchanged(sitting.texts):
        del _here.players[key]
        sitting = _kept("players", key, made)
    return sitting


def _kept(kind: str, key: Hashable, make: Callable[[], Made]) -> Made:
    """Something of this thread, made when it is first asked for."""
    kept: dict[Hashable, Made] = _here.__dict__.setdefault(kind, {})
    if key not in kept:
        if len(kept) >= MOST_KEPT:
            del kept[next(iter(kept))]
        kept[key] = make()
    return kept[key]


def play_chunk(chunk: Chunk) -> Played:
    """Play some games of a match; what every worker is asked to do."""
    return play_at(seat(chunk.match), chunk)


def play_at(seated: Seated, chunk: Chunk) -> Played:
    """Play some games of a match with its players at the board."""
    if seated.compiled:
        from teamplay.arena.batches import play_batch

        return play_batch(seated, chunk)
    return _play_slowly(seated, chunk)


def line(seated: Seated, number: int, plies: int, moves: Sequence[Move], luck: Luck, forfeit: str = "") -> str:
    """One game of a match as it is recorded, with the priority and the rule behind each move of a team."""
    game, position, reasons = seated.game, seated.game.start, []
    for ply, move in enumerate(moves):
        player: Player = seated.players[position.seat ^ number & 1]
        reasons.append(reason(player, position, move, luck) if ply >= plies else MoveReason(None, None))
        position = game.after(position, move)
    sitting = (seated.match.a, seated.match.b)
    players = sitting[number & 1], sitting[1 - number & 1]
    return game_line(GameRecord(number + 1, game.spec, players, plies, tuple(moves), tuple(reasons), forfeit), game)


def _play_slowly(seated: Seated, chunk: Chunk) -> Played:
    """Move by move, each game with a luck of its own."""
    match, game = chunk.match, seated.game
    counts, lines, fixed, forfeits = [0] * 7, list[str](), Counter[int](), list[str]()
    for number in range(chunk.start, chunk.start + chunk.games):
        pair, second = divmod(number, 2)  # player a sits second in every other game
        before = opening(game, Luck(seed_of(match.seed, pair, 0)), match.opening, match.opening)
        luck, start = NotedLuck(seed_of(match.seed, pair, second + 1)), after_all(game, before)
        sitting = seated.choosers[::-1] if second else seated.choosers
        moves, winner, forfeit = played_out(game, start, sitting, luck)
        fixed[seated.identity(start, second)] += not luck.used
        counts[3 * second + (1 if winner is None else 0 if winner == second else 2)] += 1
        counts[6] += len(moves)
        if chunk.recorded:
            lines.append(line(seated, number, len(before), [*before, *moves], luck, forfeit))
        if forfeit:
            forfeits.append(forfeit)
    return Played(Tally(*counts), tuple(lines), tuple(sorted((+fixed).items())), tuple(forfeits))


def _can_be_compiled(player: Player) -> bool:
    """Whether the compiled engine plays as this player: a table without chance that ties at random, or `random`."""
    if isinstance(player, Team):
        return not player.manager.restless and player.tie_break == "random"
    return isinstance(player, RandomPlayer)
