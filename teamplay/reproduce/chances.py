"""How a game between two players that name their sets will end, as exact chances: no game is played."""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from teamplay.game import Game, Move, Position

Choice = Callable[[Position], list[Move]]


class Chances(NamedTuple):
    """Of the first seat."""

    won: Fraction
    drawn: Fraction
    lost: Fraction

    def __str__(self) -> str:
        return ", ".join(f"{100 * float(part):.1f}% {word}" for word, part in self._asdict().items())


def chances(game: Game, first: Choice, second: Choice) -> Callable[[Position], Chances]:
    """What comes of a position where all moves of a set are equally likely."""

    @cache
    def of(position: Position) -> Chances:
        if over := game.outcome(position):
            return Chances(*(Fraction(over.winner == winner) for winner in (0, None, 1)))
        moves = (first, second)[position.seat](position)
        return average(of(game.after(position, move)) for move in moves)

    return of


def average(found: Iterable[Chances]) -> Chances:
    """Of equally likely cases."""
    cases = list(found)
    return Chances(*(sum(parts, Fraction()) / len(cases) for parts in zip(*cases, strict=True)))


def openings(game: Game, plies: int) -> list[Position]:
    """Every position after N random moves, as often as it occurs."""
    reached = Counter([game.start])
    for _ in range(plies):
        following: Counter[Position] = Counter()
        for position, ways in reached.items():
            for _, after in game.successors(position):
                following[after] += ways
        reached = following
    return list(reached.elements())


def first_of(choice: Choice) -> Choice:
    """A player that takes the first of its moves."""
    return lambda position: choice(position)[:1]
