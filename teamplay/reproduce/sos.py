"""What the two SOS papers are tried with: words on a board, exact chances, games with their scores, no option areas."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from teamplay.arena.playing import turns
from teamplay.engine.jit import kernels
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.grid import Line
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, Player, load_player
from teamplay.reproduce import no_option
from teamplay.reproduce.chances import Chances, average, chances
from teamplay.reproduce.lab import Lab
from teamplay.statistics import as_unlikely

SMALL = 9  # cells, up to which plain kernels finish before the compiler has loaded
DOUBT = 0.001  # what is less likely than this is no chance: as sure as the lab is
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


# Games


def play(game: Game, first: Player, second: Player, seed: int) -> tuple[Played, Position]:
    """One game: its moves, and how it ends."""
    played = tuple(turns(game, game.start, (first.choose, second.choose), Luck(seed)))
    return played, game.after(*played[-1])


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
