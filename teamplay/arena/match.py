"""What is a match? Games of two players with seats alternating, in chunks that any worker can play.

A chunk is known by its first game. The games of a chunk, and so all results, depend on the match alone: not on who
plays the chunk, nor when, nor how often. Players choose by the position and the luck they are given, nothing else.
"""

import json
import threading
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple, TypeVar

from teamplay import library
from teamplay.arena.playing import Chooser, after_all, chooser, opening, played_out, reason, seed_of
from teamplay.errors import BadFile, BadSpec
from teamplay.game import SEATS, Game, Move
from teamplay.game_file import load_game, parse_spec
from teamplay.luck import Luck
from teamplay.players import Player, file_of, load_player
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
    files: str = ""  # what the game and the tables said when the match was planned, as a digest

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
    """What came of a chunk: the tally, and a line of JSON for each game if they were recorded."""

    tally: Tally
    lines: tuple[str, ...] = ()


def plan_match(a: str, b: str, game: str, games: int, seed: int = 0, plies: int = 0) -> Match:
    """A match that can be played: the game and both players are known, and fit."""
    if not 1 <= games <= MOST_GAMES:
        raise BadSpec(f"A match has 1 to {MOST_GAMES:,} games, not {games:,}.")
    cells = load_game(game).grid.size
    if not 0 <= plies < cells:
        raise BadSpec(f"An opening on {cells:,} cells has 0 to {cells - 1:,} plies, not {plies:,}.")
    match = Match(a, b, game, games, seed, plies, _digest(game, a, b))
    seat(match)
    return match


class Seated:
    """A match with its players at the board, and the way in which it is played."""

    def __init__(self, match: Match) -> None:
        if _digest(match.game, match.a, match.b) != match.files:
            raise BadFile(f"A table or game file has changed, or is another here, since {match} was planned.")
        self.match, self.game = match, load_game(match.game)
        self.players, self.choosers = zip(
            *(_sit(self.game, match.game, spec) for spec in (match.a, match.b)), strict=True
        )
        large = match.games * self.game.grid.size > MOST_SLOWLY
        self.compiled = large and not match.opening and all(map(_can_be_compiled, self.players))
        # Even, so that an opening is never split from its second game.
        self.chunk = 2 * max(1, (COMPILED_CHUNK if self.compiled else CHUNK) // self.game.grid.size // 2)

    @property
    def here_only(self) -> bool:
        """Whether a person plays, who sits at this terminal and no other."""
        return "human" in (parse_spec(self.match.a)[0], parse_spec(self.match.b)[0])

    def chunks(self, recorded: bool = False) -> Iterator[Chunk]:
        """The whole match."""
        return (
            Chunk(self.match, start, self.size(start), recorded) for start in range(0, self.match.games, self.chunk)
        )

    def size(self, start: int) -> int:
        """How many games the chunk has that begins with this one; 0 where none begins."""
        return 0 if start % self.chunk else max(0, min(self.chunk, self.match.games - start))


_here = threading.local()  # a player has a state of its own, so that two threads of a worker can't share it


def seat(match: Match) -> Seated:
    """The players of a match, kept from chunk to chunk."""
    return _kept("matches", match, lambda: Seated(match))


def _sit(game: Game, named: str, spec: str) -> tuple[Player, Chooser]:
    """A player and how it chooses, kept from match to match: what it has worked out, it need not work out again."""

    def made() -> tuple[Player, Chooser]:
        player = load_player(spec, game)
        return player, chooser(player)

    return _kept("players", (named, spec, _digest(named, spec)), made)


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
    seated = seat(chunk.match)
    if seated.compiled:
        from teamplay.arena.batches import play_batch

        return play_batch(seated, chunk)
    return _play_slowly(seated, chunk)


def line(seated: Seated, number: int, plies: int, moves: list[Move], luck: Luck) -> str:
    """One game as a line of JSON: its moves, and the priority and the rule behind each move of a team."""
    game, position, reasons = seated.game, seated.game.start, []
    for ply, move in enumerate(moves):
        player: Player = seated.players[position.seat ^ number & 1]
        reasons.append(reason(player, position, move, luck) if ply >= plies else (None, None))
        position = game.after(position, move)
    over = game.outcome(position)
    assert over
    sitting = (seated.match.a, seated.match.b)
    shown = {
        "number": number + 1,
        "game": str(game),
        "first": sitting[number & 1],
        "second": sitting[1 - number & 1],
        "opening": plies,
        "moves": [_shown(game, move) for move in moves],
        "priorities": [priority for priority, _ in reasons],
        "rules": [rule for _, rule in reasons],
        "winner": None if over.winner is None else SEATS[over.winner],
        "reason": over.reason,
    }
    return json.dumps(shown, ensure_ascii=False)


def _shown(game: Game, move: Move) -> int | str:
    return game.format_move(move) if game.shared else move.cell + 1


def _play_slowly(seated: Seated, chunk: Chunk) -> Played:
    """Move by move, each game with a luck of its own."""
    match, game = chunk.match, seated.game
    counts, lines = [0] * 7, []
    for number in range(chunk.start, chunk.start + chunk.games):
        pair, second = divmod(number, 2)  # player a sits second in every other game
        before = opening(game, Luck(seed_of(match.seed, pair, 0)), match.opening, match.opening)
        luck = Luck(seed_of(match.seed, pair, second + 1))
        sitting = seated.choosers[::-1] if second else seated.choosers
        moves, winner = played_out(game, after_all(game, before), sitting, luck)
        counts[3 * second + (1 if winner is None else 0 if winner == second else 2)] += 1
        counts[6] += len(moves)
        if chunk.recorded:
            lines.append(line(seated, number, len(before), [*before, *moves], luck))
    return Played(Tally(*counts), tuple(lines))


def _can_be_compiled(player: Player) -> bool:
    """Whether the compiled engine plays as this player: a table without chance that ties at random, or `random`."""
    if isinstance(player, Team):
        return not player.manager.restless and player.tie_break == "random"
    return isinstance(player, RandomPlayer)


def _digest(game: str, *players: str) -> str:
    """What the files behind a game and its players say, in a few letters."""
    files = [library.find(parse_spec(game)[0], ".toml"), *filter(None, map(file_of, players))]
    texts = [library.read(file) for file in files]
    return blake2b("\0".join(texts).encode(), digest_size=8).hexdigest()
