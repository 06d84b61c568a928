"""What the two SOS papers are tried with: words on a board, exact chances, games with their scores, no option areas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, factorial, lgamma, log

import numpy as np

from teamplay.engine.jit import kernels
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.grid import Line
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, Player, load_player
from teamplay.reproduce import no_option
from teamplay.reproduce.chances import Chances, average, chances
from teamplay.reproduce.lab import Lab

SMALL = 9  # cells; with so many, plain kernels are done before the compiler has loaded
DOUBT = 0.001  # what is less likely than this is no chance: as sure as the lab is
ROUNDING = 1e-9  # what is as likely may differ so much as a floating-point number
WON_DRAWN_LOST = ("won", "drawn", "lost")

Played = tuple[tuple[Position, Move], ...]  # every position of a game with the move made there


@cache
def board(spec: str) -> Game:
    """A game that is used again and again."""
    return load_game(spec)


def open_player(spec: str, game: Game) -> OpenPlayer:
    """A player that can name its set of moves."""
    player = load_player(spec, game)
    assert isinstance(player, OpenPlayer)
    return player


@cache
def lines(game: Game) -> tuple[Line, ...]:
    """Every three cells in a row, each in the order of the cells, and those that begin late first."""
    found = {tuple(sorted(line)) for cell in game.grid.cells for line in game.lines_through(cell)}
    return tuple(sorted(found, reverse=True))


def words(game: Game, marks: str) -> int:
    """The SOS on a board, whoever made them."""
    return sum(marks[a] + marks[b] + marks[c] == game.goal.word for a, b, c in lines(game))


def written(game: Game, moves: list[Move] | tuple[Move, ...]) -> str:
    return " ".join(map(game.format_move, moves))


def counted(counts: tuple[int, ...]) -> str:
    """Games as the papers count them.

    >>> counted((123, 77, 0))
    '123 won, 77 drawn, 0 lost of 200'
    """
    return f"{', '.join(f'{n} {word}' for n, word in zip(counts, WON_DRAWN_LOST, strict=True))} of {sum(counts)}"


# Chances


def duel(player: OpenPlayer, opponent: OpenPlayer, game: Game) -> tuple[Chances, list[Position]]:
    """A player's exact chances, the seats alternating, and all positions in which its opponent may have to move."""
    met: list[Position] = []

    def replies(position: Position) -> list[Move]:
        met.append(position)
        return opponent.moves(position)

    first = chances(game, player.moves, replies)(game.start)
    second = chances(game, replies, player.moves)(game.start)
    return average([first, Chances(*reversed(second))]), met


def fits(counts: tuple[int, ...], exact: Chances) -> bool:
    """Whether games with these results may have had these chances."""
    return as_unlikely(counts, tuple(map(float, exact))) >= DOUBT


def as_unlikely(counts: tuple[int, ...], shares: tuple[float, ...]) -> float:
    """How likely it is to count something that is as unlikely as this: the exact test, for few games or known chances.

    >>> round(as_unlikely((0, 0, 2), (0.5, 0.25, 0.25)), 4), as_unlikely((1, 0), (0.5, 0.5))
    (0.125, 1.0)
    """
    games = sum(counts)
    odds = {found: _likelihood(found, shares) for found in _parted(games, len(counts))}
    return sum(chance for chance in odds.values() if chance <= odds[counts] * (1 + ROUNDING))


def together(tests: Sequence[float]) -> float:
    """What independent tests come to, each with how likely something as unlikely is: Fisher's method.

    >>> round(together([0.3]), 6), round(together([0.1, 0.1]), 4)
    (0.3, 0.0561)
    """
    if not all(tests):
        return 0.0
    doubt = -sum(map(log, tests))
    return exp(-doubt) * sum(doubt**i / factorial(i) for i in range(len(tests)))


def _parted(games: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to part games into so many counts."""
    if parts == 1:
        yield (games,)
        return
    for count in range(games + 1):
        yield from ((count, *rest) for rest in _parted(games - count, parts - 1))


def _likelihood(counts: tuple[int, ...], shares: tuple[float, ...]) -> float:
    if any(count and not share for count, share in zip(counts, shares, strict=True)):
        return 0.0
    logs = (count * log(share) - lgamma(count + 1) for count, share in zip(counts, shares, strict=True) if count)
    return exp(lgamma(sum(counts) + 1) + sum(logs))


# Games


def play(game: Game, first: Player, second: Player, seed: int) -> tuple[Played, Position]:
    """One game: its moves, and how it ends."""
    luck, position, played = Luck(seed), game.start, list[tuple[Position, Move]]()
    while not game.outcome(position):
        move = (first, second)[position.seat].choose(position, luck)
        played.append((position, move))
        position = game.after(position, move)
    return tuple(played), position


def games(lab: Lab, first: str, second: str, game: Game, number: int) -> Iterator[tuple[Played, Position]]:
    """Games in which nobody changes seats."""
    players = load_player(first, game), load_player(second, game)
    for seed in range(number):
        lab.say(f"{first} against {second} at {game}: game {seed + 1} of {number}")
        yield play(game, *players, lab.seed + seed)


# The no option condition


@dataclass(frozen=True)
class Areas:
    """The sets of blank cells in which every move gives something away, with how many boards have each."""

    game: Game
    boards: dict[frozenset[int], int]

    @property
    def smallest(self) -> list[frozenset[int]]:
        """Those that hold no other."""
        return [area for area in self.boards if not any(other < area for other in self.boards)]

    def kinds(self, areas: list[frozenset[int]]) -> int:
        """How many there are if turned and mirrored ones are the same."""
        symmetries = self.game.grid.symmetries
        return len({min(tuple(sorted(turned[cell] for cell in area)) for turned in symmetries) for area in areas})


def areas(game: Game) -> Areas:
    """Every board of a game on which nobody can score and every move lets the opponent score, by its blanks."""
    size = game.grid.size
    through = [[i for i, line in enumerate(lines(game)) if cell in line] for cell in game.grid.cells]
    most = max(map(len, through))
    padded = np.array([[*found, *[-1] * (most - len(found))] for found in through], dtype=np.int64)
    counts = np.zeros(1 << size, dtype=np.int64)
    search = kernels(no_option, size > SMALL)
    search.count_areas(np.zeros(size, dtype=np.int8), np.array(lines(game), dtype=np.int64), padded, counts)
    found = {int(bits): int(counts[bits]) for bits in np.flatnonzero(counts)}
    return Areas(game, {_cells(bits, size): boards for bits, boards in found.items()})


def _cells(bits: int, size: int) -> frozenset[int]:
    return frozenset(cell for cell in range(size) if bits >> cell & 1)
