"""How large the tree of a game of lines is: counted exactly without a search, or searched plainly to measure the cost.

Marks without a line among them have none among fewer of them either. So a position that nobody has won comes about in
every order of its marks, and the nodes below it need no visit: it is enough to count the sets of cells without a line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from teamplay.game import BLANK, Game, Position
from teamplay.luck import Luck

Bits = int  # a set of cells
Sets = NDArray[np.int64]  # [sets of open cells]: something about each


@dataclass(frozen=True)
class Tree:
    """All that may follow a position."""

    nodes: int  # the position itself included
    undecided: int  # different positions in which somebody is to move


def scattered(game: Game, open_cells: int, luck: Luck) -> Position:
    """A random position with N open cells, seats having moved in turn, that nobody has won."""
    while True:
        taken = luck.sample(game.grid.cells, game.grid.size - open_cells)
        marks = [BLANK] * game.grid.size
        for number, cell in enumerate(taken):
            marks[cell] = game.marks[number % 2]
        position = Position("".join(marks), len(taken) % 2)
        if not game.outcome(position):
            return position


def lines_of(game: Game) -> list[Bits]:
    """Every line as a set of cells."""
    return [
        sum(1 << cell for cell in line) for cell in game.grid.cells for line in game.grid.lines_from(cell, game.k or 0)
    ]


def sides(game: Game, position: Position) -> tuple[Bits, Bits, Bits]:
    """The cells of the seat to move, the other's, and the open ones."""
    mine, theirs = game.marks[position.seat], game.marks[1 - position.seat]
    return _where(position, mine), _where(position, theirs), _where(position, BLANK)


def _where(position: Position, mark: str) -> Bits:
    return sum(1 << cell for cell, here in enumerate(position.marks) if here == mark)


def tree(game: Game, position: Position) -> Tree:
    """Count what may follow a position that is not over, on a board of some 16 cells."""
    mine, theirs, free = sides(game, position)
    cells = [cell for cell in game.grid.cells if free >> cell & 1]
    sets, size = _subsets(cells), _subsets([0] * len(cells))
    own, others = (_without_line(lines_of(game), sets | taken) for taken in (mine, theirs))
    rest = sets.size - 1 - np.arange(sets.size)  # what a set leaves open
    nodes, undecided = 1, 0
    for ply in range(len(cells)):
        added, answered = (ply + 1) // 2, ply // 2
        replies = _within((others & (size == answered)).astype(np.int64))
        here = int(replies[rest[own & (size == added)]].sum())
        undecided += here
        nodes += here * factorial(added) * factorial(answered) * (len(cells) - ply)
    return Tree(nodes, undecided)


def _subsets(cells: Sequence[int]) -> Sets:
    """Every set of these cells as bits; where all are cell 0, how many they are."""
    found = np.zeros(1 << len(cells), dtype=np.int64)
    for i, cell in enumerate(cells):
        found[1 << i : 2 << i] = found[: 1 << i] + (1 << cell)
    return found


def _without_line(lines: Sequence[Bits], sets: Sets) -> NDArray[np.bool_]:
    free = np.ones(sets.size, dtype=bool)
    for line in lines:
        free &= (sets & line) != line
    return free


def _within(flags: Sets) -> Sets:
    """For each set, how many flagged sets lie within it."""
    step = 1
    while step < flags.size:
        pairs = flags.reshape(-1, 2, step)
        pairs[:, 1] += pairs[:, 0]
        step *= 2
    return flags


def plain_minimax(lines: Sequence[Bits], mine: Bits, theirs: Bits, free: Bits) -> tuple[int, int]:
    """The value for the side to move and the nodes met, without cut-offs: the search that the paper times."""
    if any(theirs & line == line for line in lines):
        return -1, 1
    if not free:
        return 0, 1
    best, nodes, left = -1, 1, free
    while left:
        cell = left & -left
        left ^= cell
        value, below = plain_minimax(lines, theirs, mine | cell, free ^ cell)
        best, nodes = max(best, -value), nodes + below
    return best, nodes
