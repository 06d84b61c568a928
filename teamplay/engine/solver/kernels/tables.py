"""Every position of a game of points at once: an array of values by index, filled from the full board backwards."""

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.solver.kernels.memory import cell_of
from teamplay.engine.solver.kernels.words import Rules

KERNELS = True
LEAST = -128

# The index of a position is a number with one digit a cell: 0 for a blank, 1 and 2 for the letters. A move makes a
# digit larger, and so the index: counting down, what may follow a position is always known before it.


def counted_down(first: int, second: int, letters: int) -> tuple[int, int]:
    """The masks of the next smaller index: a digit goes down by one, the zeros before it start again at the top."""
    blank = ~(first | second)
    bit = ~blank & -~blank
    zeros = bit - 1
    if second & bit:
        first, second = first | bit, second ^ bit
    else:
        first ^= bit
    return (first, second | zeros) if letters == 2 else (first | zeros, second)


def completed(rules: Rules, gains: NDArray[np.int64], first: int, second: int) -> None:
    """Fill `gains` [2 * cells] with the words that each move (twice the cell, plus the letter) completes."""
    gains[:] = 0
    blank = rules.board & ~(first | second)
    for index in range(len(rules.words)):
        one, two = int(rules.words[index, 0]), int(rules.words[index, 1])
        rest = (one | two) & blank
        if rest & (rest - 1) == 0 and rest != 0 and (one & second) | (two & first) == 0:
            gains[2 * cell_of(rest) + (1 if two & rest else 0)] += 1


def best(
    rules: Rules,
    values: NDArray[np.int8],
    gains: NDArray[np.int64],
    powers: NDArray[np.int64],
    index: int,
    moves: int,
) -> int:
    """The value of a position by those that may follow it."""
    found = LEAST if moves != 0 else 0
    while moves != 0:
        bit = moves & -moves
        moves ^= bit
        cell = cell_of(bit)
        for letter in range(rules.letters):
            gain = int(gains[2 * cell + letter])
            rest = int(values[index + (letter + 1) * powers[cell]])
            found = max(found, gain + (rest if gain > 0 and rules.again else -rest))
    return found


def fill(rules: Rules, values: NDArray[np.int8], cells: int) -> None:
    """Value every position; `values` [(letters + 1) ** cells] for the side to move."""
    gains = np.zeros(2 * cells, dtype=np.int64)
    powers = np.zeros(cells, dtype=np.int64)
    for cell in range(cells):
        powers[cell] = (rules.letters + 1) ** cell
    first, second = (0, rules.board) if rules.letters == 2 else (rules.board, 0)
    for back in range(len(values)):
        index = len(values) - 1 - back
        completed(rules, gains, first, second)
        taken = first | second
        moves = rules.board & ~taken & ((taken >> rules.below) | rules.floor)
        values[index] = best(rules, values, gains, powers, index, moves)
        if index > 0:
            first, second = counted_down(first, second, rules.letters)
