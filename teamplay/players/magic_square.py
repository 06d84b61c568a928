"""The lecture's third approach to tic-tac-toe: on a magic square, two blocks of a line lack 15 less their sum."""

from dataclasses import dataclass
from typing import Literal, get_args

from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players import _lecture
from teamplay.players._choice import one_of, parse_reading
from teamplay.players._lecture import Square
from teamplay.players._magic import missing

NUMBERS = (8, 3, 4, 1, 5, 9, 6, 7, 2)
TOTAL = 15
Zero = Literal["skipped", "stops"]
ZERO: tuple[Zero, ...] = get_args(Zero)


@dataclass(frozen=True)
class MagicSquare:
    """Plays by the list of moves of the second approach, and looks one move ahead by sums."""

    game: Game
    make2: _lecture.Make2
    anywhere: _lecture.Anywhere
    zero: Zero
    name: str = "magic-square"

    def moves(self, position: Position) -> list[Move]:
        return _lecture.moves(self.game, position, self.possible_win, self.make2, self.anywhere)

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)

    def possible_win(self, marks: str, mark: str) -> Square:
        """The square that completes a pair of this player's blocks, else 0.

        7 and 8, and 6 and 9, are no line but lack 0, which the lecture's test lets through. As printed PossWin would
        end there with 0, "can't win", whatever it had not looked at yet; `stops` takes it that this was all.
        """
        lacking = [number for _, number in missing(marks, mark, NUMBERS, TOTAL)]
        if self.zero == "stops" and 0 in lacking:
            return 0
        return next((NUMBERS.index(number) + 1 for number in lacking if number), 0)


def make(name: str, game: Game, make2: str = "any", anywhere: str = "any", zero: str = "skipped") -> MagicSquare:
    """The player that a spec names: `magic-square`, `magic-square(zero=stops)`."""
    readings = _lecture.readings("magic-square", game, make2, anywhere)
    return MagicSquare(game, *readings, parse_reading("zero", zero, ZERO), name)
