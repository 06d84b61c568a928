"""The lecture's magic cube for three in a row in 3x3x3: two numbers of a line lack 42 less their sum.

Only 37 of the 49 lines have that sum (the 12 diagonals of the outer faces have not), and 42 is also the sum of many
cells that are no line. So `wins=sums`, as the lecture has it, overlooks lines and sees others where none are;
`wins=lines` looks at the lines themselves.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from teamplay.errors import BadSpec
from teamplay.game import BLANK, Game, Move, Position
from teamplay.grid import Cell
from teamplay.luck import Luck
from teamplay.players._choice import lines_win, one_of, parse_reading
from teamplay.players._magic import missing

GAME = "tic-tac-toe-3d"
NUMBERS = (
    *(8, 24, 10, 12, 7, 23, 22, 11, 9),
    *(15, 1, 26, 25, 14, 3, 2, 27, 13),
    *(19, 17, 6, 5, 21, 16, 18, 4, 20),
)
TOTAL = 42
Wins = Literal["sums", "lines"]
WINS: tuple[Wins, ...] = get_args(Wins)

Flags = NDArray[np.bool_]  # [positions, cells]


@dataclass(frozen=True)
class MagicCube:
    """Wins, blocks, takes the center, makes two where a third is free, else plays anywhere."""

    game: Game
    wins: Wins
    name: str

    def moves(self, position: Position) -> list[Move]:
        if self.game.outcome(position):
            return []
        mark = self.game.marks[position.seat]
        return [Move(cell, mark) for cell in self._cells(position.marks, mark, self.game.marks[1 - position.seat])]

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)

    def chosen(self, mine: Flags, theirs: Flags, legal: Flags) -> Flags:
        """The same cells for many positions at once. [positions, cells]"""
        own, others, blank = (each.astype(np.int8) @ self._triples.T for each in (mine, theirs, legal))
        wins, blocks, makes_2 = (
            legal & (here @ self._triples > 0)  # the blank cells of such triples
            for here in ((own == 2) & (blank == 1), (others == 2) & (blank == 1), (own == 1) & (blank == 2))
        )
        center = legal & (np.arange(legal.shape[1]) == self.game.grid.center)
        kept = np.zeros_like(legal)
        for step in (wins, blocks, center, makes_2, legal):
            kept |= step & ~kept.any(axis=1, keepdims=True)
        return kept

    @cached_property
    def _triples(self) -> NDArray[np.int8]:
        """Which cells each triple has that counts as a line. [triples, cells]"""
        cells = self.game.grid.cells
        if self.wins == "sums":
            found = {each for each in combinations(cells, 3) if sum(NUMBERS[cell] for cell in each) == TOTAL}
        else:
            found = {(a, b, c) for cell in cells for a, b, c in self.game.lines_through(cell)}
        return np.array([[cell in triple for cell in cells] for triple in sorted(found)], dtype=np.int8)

    def _cells(self, marks: str, mine: str, theirs: str) -> list[Cell]:
        blank = [cell for cell, mark in enumerate(marks) if mark == BLANK]
        center = self.game.grid.center
        return (
            self.possible_wins(marks, mine)
            or self.possible_wins(marks, theirs)
            or [cell for cell in blank if cell == center]
            or [cell for cell in blank if self._makes_2(marks, mine, cell)]
            or blank
        )

    def _makes_2(self, marks: str, mine: str, cell: Cell) -> bool:
        """Whether a mark here could be completed with another of mine: no win is there yet, so any would be new."""
        return bool(self.possible_wins(f"{marks[:cell]}{mine}{marks[cell + 1 :]}", mine))

    def possible_wins(self, marks: str, mark: str) -> list[Cell]:
        """The cells where a player wins at once, as far as sums or lines say."""
        if self.wins == "sums":
            lacking = {number for _, number in missing(marks, mark, NUMBERS, TOTAL) if number}
            return sorted(NUMBERS.index(number) for number in lacking)
        wanted = sorted((BLANK, mark, mark))
        return [
            cell
            for cell, here in enumerate(marks)
            if here == BLANK
            and any(sorted(marks[other] for other in line) == wanted for line in self.game.lines_through(cell))
        ]


def make(name: str, game: Game, wins: str = "sums") -> MagicCube:
    """The player that a spec names: `magic-cube`, or `magic-cube(wins=lines)` with its defects fixed."""
    blank = game.placement == "anywhere" and not game.beginning.strip(BLANK)
    if not (lines_win(game) and blank and game.grid.shape == (3, 3, 3) and game.k == 3):
        raise BadSpec(f"`magic-cube` plays tic-tac-toe-3d on 3x3x3 cells only, not {game}.")
    return MagicCube(game, parse_reading("wins", wins, WINS), name)
