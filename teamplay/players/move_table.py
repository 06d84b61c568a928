"""The lecture's first approach to tic-tac-toe: a vector of 3^9 boards, each the answer to the board that is its index.

The lecture shows four entries and leaves the rest to hard work. Here every entry is computed: the move of the best
value, of those the soonest win or the latest loss, of those the cell on most lines (the center, then corners), of those
the first. `fill=lecture` puts the printed entries over the computed ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from teamplay.errors import BadSpec
from teamplay.game import BLANK, SEATS, Game, Move, Position
from teamplay.luck import Luck
from teamplay.players._choice import check_square, one_of, parse_reading
from teamplay.players._lecture import LINES

CELLS = 9
BOARDS = 3**CELLS
FILLS: tuple[Literal["perfect", "lecture"], ...] = ("perfect", "lecture")
PRINTED = {0: "000010000", 1: "020000001", 2: "000100002", 3: "002000010"}
PREFERRED = sorted(range(CELLS), key=lambda cell: -sum(cell + 1 in line for line in LINES))
WON = 10  # a win is worth this less the moves it takes

Vector = NDArray[np.int8]  # [boards, cells]: 0 blank, 1 X, 2 O
Marks = tuple[int, ...]  # [cells], likewise


@dataclass(frozen=True)
class MoveTable:
    """Looks its move up."""

    game: Game
    vector: Vector
    name: str

    def moves(self, position: Position) -> list[Move]:
        if self.game.outcome(position):
            return []
        digits = [(BLANK, *self.game.marks).index(mark) for mark in position.marks]
        answer = self.vector[index(digits)]
        changed = np.flatnonzero(answer != digits)
        if len(changed) != 1 or answer[changed[0]] != position.seat + 1:
            raise BadSpec(f"The move table has no answer for the {SEATS[position.seat]} player here.")
        return [Move(int(changed[0]), self.game.marks[position.seat])]

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)


def index(digits: Sequence[int]) -> int:
    """A board as a ternary number, its first cell the highest digit.

    >>> index([0, 0, 0, 0, 0, 0, 0, 1, 0])
    3
    """
    number = 0
    for digit in digits:
        number = 3 * number + digit
    return number


@cache
def filled(fill: Literal["perfect", "lecture"]) -> Vector:
    """The vector; a board that is full, decided, or that nobody can meet is its own answer."""
    vector = np.indices((3,) * CELLS, dtype=np.int8).reshape(CELLS, BOARDS).T.copy()
    _value((0,) * CELLS, vector, {})
    if fill == "lecture":
        for number, answer in PRINTED.items():
            vector[number] = [int(digit) for digit in answer]
    return vector


def _value(marks: Marks, vector: Vector, values: dict[Marks, int]) -> int:
    """What a board is worth to the player to move; its best move is written into the vector on the way."""
    if marks not in values:
        values[marks] = _searched(marks, vector, values)
    return values[marks]


def _searched(marks: Marks, vector: Vector, values: dict[Marks, int]) -> int:
    if any(marks[a - 1] and marks[a - 1] == marks[b - 1] == marks[c - 1] for a, b, c in LINES):
        return -WON
    if all(marks):
        return 0
    mover = 1 if marks.count(1) == marks.count(2) else 2
    best, answer = -2 * WON, marks
    for cell in PREFERRED:
        if not marks[cell]:
            after = (*marks[:cell], mover, *marks[cell + 1 :])
            worth = -_value(after, vector, values)
            worth -= (worth > 0) - (worth < 0)  # a move further away
            if worth > best:
                best, answer = worth, after
    vector[index(marks)] = answer
    return best


def make(name: str, game: Game, fill: str = "perfect") -> MoveTable:
    """The player that a spec names: `move-table`, or `move-table(fill=lecture)` with the printed entries."""
    check_square(game, "move-table")
    return MoveTable(game, filled(parse_reading("fill", fill, FILLS)), name)
