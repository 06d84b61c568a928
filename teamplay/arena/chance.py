"""Does chance have a part in a game? A game without any is the same however often it is played, and counts once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from teamplay.arena.playing import Chooser, seed_of, turns
from teamplay.errors import Forfeit
from teamplay.game import Game, Position
from teamplay.luck import Luck

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

LONGEST_OPENING = 4  # plies, where a match adds them by itself

Option = TypeVar("Option")


class NotedLuck(Luck):
    """The same luck as its seed gives, and a note whether anything depended on it.

    Once something has, it becomes an ordinary Luck: a search that draws a million numbers is not slowed down by notes.
    So its methods may run on an object that is of its class no more, and name `Luck` in place of `super()`. A choice
    among one option draws a number, too, but the number makes no difference.
    """

    used = False

    def choice(self, seq: "SupportsLenAndGetItem[Option]") -> Option:
        chosen = Luck.choice(self, seq)
        _note(self, len(seq) > 1)
        return chosen

    def getrandbits(self, k: int, /) -> int:
        _note(self, True)
        return Luck.getrandbits(self, k)

    def random(self) -> float:
        _note(self, True)
        return Luck.random(self)

    def coin(self, percent: int, turn: int, cell: int, reason: str) -> bool:
        _note(self, 0 < percent < 100)
        return Luck.coin(self, percent, turn, cell, reason)


def _note(luck: NotedLuck, used: bool) -> None:
    luck.used = used
    object.__setattr__(luck, "__class__", Luck if used else NotedLuck)


class _ChanceMet(BaseException):
    """Something depends on chance; no player is to catch it."""


class _NoLuck(Luck):
    """Ends a game at the first random choice: a search would draw for minutes before its move is known."""

    def choice(self, seq: "SupportsLenAndGetItem[Option]") -> Option:
        if len(seq) > 1:
            raise _ChanceMet
        return seq[0]

    def getrandbits(self, k: int, /) -> int:
        raise _ChanceMet

    def random(self) -> float:
        raise _ChanceMet

    def coin(self, percent: int, turn: int, cell: int, reason: str) -> bool:
        if 0 < percent < 100:
            raise _ChanceMet
        return percent == 100


def chancy(game: Game, choose: Chooser) -> bool:
    """Whether a player's first move from the start depends on chance, or on a program that may fail."""
    try:
        choose(game.start, _NoLuck(0))
    except (_ChanceMet, Forfeit):
        return True
    return False


def forced(game: Game, choosers: Sequence[Chooser]) -> bool:
    """Whether the game from the start can go only one way: nobody ever has a random choice, or a program that fails."""
    try:
        for _ in turns(game, game.start, choosers, _NoLuck(0)):
            pass
    except (_ChanceMet, Forfeit):
        return False
    return True


def identity(start: Position, seats: int) -> int:
    """A number (63 bits) for the one game that begins in a position without luck, with the players seated so."""
    return seed_of(start.marks, start.seat, *start.scores, seats) >> 1


def usual_opening(game: Game) -> int:
    """How many random plies make games of players without luck differ, and still leave them a game to play."""
    return max(1, min(LONGEST_OPENING, game.grid.size // 4))
