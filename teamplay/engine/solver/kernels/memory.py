"""The transposition table of a search: the bounds proved of a position, found again under every turn of the board.

A row holds two masks, the key, and one word with the bounds and the work that they cost. The table never grows full: it
has buckets of two rows, one for what took the most work and one for what came last (two-tier replacement).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

KERNELS = True
ENTRIES = ("carry",)
USED = 1 << 62  # marks a row that holds something, so that fresh memory may be all zeros
MASK = USED - 1
OFFSET = 1 << 15  # makes bounds positive
POSITIONS, LIMIT, HALT = 0, 1, 2  # what `control` [3] holds

# Masks hold one bit a cell, at most 61, so that every number here is a non-negative int64 and plain Python agrees with
# compiled code. What is read from an array goes through `int`: that costs nothing compiled and keeps Python's numbers.


class SearchRoom(NamedTuple):
    """What a search works with from position to position."""

    memory: NDArray[np.int64]  # [rows, 3]: the transposition table
    scratch: NDArray[np.int64]  # [plies, 3, moves]: room for the moves of each ply
    control: NDArray[np.int64]  # [3]: positions searched, how many there may be, whether to stop


def halted(control: NDArray[np.int64]) -> bool:
    """Count a position; true when the search must stop, whatever it then returns is to be thrown away."""
    control[POSITIONS] += 1
    if control[POSITIONS] > control[LIMIT]:
        control[HALT] = 1
    return int(control[HALT]) != 0


def slot(first: int, second: int, size: int) -> int:
    """Where a pair of masks is kept: the first of two neighbouring rows; `size` is a power of two.

    A multiplicative hash: products spread the bits upwards, shifts bring the upper ones down again, and the last bit is
    cleared because a bucket has two rows.
    """
    mixed = (first * 0x2545F4914F6CDD1D + second * 0x1B873593CC9E2D51) & MASK
    mixed ^= mixed >> 29
    mixed = (mixed * 0x1D8E4E27C47D124F) & MASK
    return (mixed ^ (mixed >> 32)) & (size - 2)


def recall(memory: NDArray[np.int64], first: int, second: int) -> int:
    """The row of a pair of masks in `memory` [rows, 3], or -1."""
    row = slot(first, second, len(memory))
    for at in range(row, row + 2):
        if memory[at, 0] == (first | USED) and memory[at, 1] == second:
            return at
    return -1


def lower_bound(memory: NDArray[np.int64], row: int) -> int:
    """The least that a remembered position is worth."""
    return ((int(memory[row, 2]) >> 16) & 0xFFFF) - OFFSET


def upper_bound(memory: NDArray[np.int64], row: int) -> int:
    """The most that a remembered position is worth."""
    return (int(memory[row, 2]) & 0xFFFF) - OFFSET


def settled(lower: int, upper: int, alpha: int, beta: int, best: int) -> tuple[int, int]:
    """The bounds that follow from the best score of a search with a window."""
    if best >= beta:
        return max(lower, best), upper
    if best <= alpha:
        return lower, min(upper, best)
    return best, best


def keep(memory: NDArray[np.int64], first: int, second: int, lower: int, upper: int, work: int) -> None:
    """Remember bounds. Of two rows the first is for what took more work, the second for what came last."""
    row = slot(first, second, len(memory))
    first |= USED
    if memory[row, 0] != first or memory[row, 1] != second:
        if (int(memory[row, 2]) >> 32) > work:
            row += 1
        elif memory[row + 1, 0] != first or memory[row + 1, 1] != second:
            for column in range(3):
                memory[row + 1, column] = memory[row, column]
        else:
            memory[row + 1, 0] = 0  # it moves up, and must not stand twice
    memory[row, 0] = first
    memory[row, 1] = second
    memory[row, 2] = (min(work, 1 << 30) << 32) | ((lower + OFFSET) << 16) | (upper + OFFSET)


def carry(memory: NDArray[np.int64], larger: NDArray[np.int64]) -> None:
    """Copy all that is known into a larger memory."""
    for row in range(len(memory)):
        if memory[row, 0] != 0:
            first, second = int(memory[row, 0]) & MASK, int(memory[row, 1])
            keep(larger, first, second, lower_bound(memory, row), upper_bound(memory, row), int(memory[row, 2]) >> 32)


def turned(turns: NDArray[np.int64], turn: int, mask: int) -> int:
    """A mask after a turn of the board; `turns` [turns, bytes, 256] says where each byte of a mask goes."""
    found = 0
    byte = 0
    while mask != 0:
        found |= int(turns[turn, byte, mask & 255])
        mask >>= 8
        byte += 1
    return found


def smallest(turns: NDArray[np.int64], first: int, second: int) -> tuple[int, int]:
    """The canonical form of a pair of masks: of all turns the one with the smallest numbers.

    The second mask is turned only where the first does not decide, which is rare.
    """
    least, beside = first, second
    for turn in range(len(turns)):
        one = turned(turns, turn, first)
        if one <= least:
            other = turned(turns, turn, second)
            if one < least or other < beside:
                least, beside = one, other
    return least, beside


def marks_in(mask: int) -> int:
    """How many bits are set; quick for few, as each step clears the lowest."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


def cell_of(bit: int) -> int:
    """The cell of a mask with one bit."""
    cell = 0
    for step in (32, 16, 8, 4, 2, 1):
        if bit >> step != 0:
            bit >>= step
            cell += step
    return cell
