"""The transposition table of a search: the bounds proved of a position, found again under every turn of the board.

A row holds two masks, the key, and one word, the entry: the bounds, the move that decided, and the work that it cost.
The table never grows full: it has buckets of two rows, one for what took the most work and one for what came last
(two-tier replacement).

Several threads may share a table without locks (Hyatt's way): a row holds each mask combined with the entry by
exclusive or. If two threads write a row at once and its words belong to different entries, the masks that are read back
are no masks that anybody asks for, and the row counts as empty.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

KERNELS = True
ENTRIES = ("carry",)
MASK = (1 << 62) - 1
OFFSET = 1 << 11  # makes bounds positive
BOUND = (1 << 12) - 1
POSITIONS, LIMIT, HALT = 0, 1, 2  # what `control` holds, and below for several workers

# Every number here is an int64, also where compiled code lets a product overflow, and plain Python agrees with that.
# What is read from an array goes through `int`: that costs nothing compiled and keeps Python's numbers.


class SearchRoom(NamedTuple):
    """What a search works with from position to position."""

    memory: NDArray[np.int64]  # [rows, 3]: the transposition table
    scratch: NDArray[np.int64]  # [plies, 3, moves]: room for the moves of each ply
    control: NDArray[np.int64]  # [6]: positions searched, how many there may be, whether to stop; see `workers.py`
    path: NDArray[np.int64]  # [plies, 4]: the positions on the way to this one, see `workers.py`


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
    """The entry of a pair of masks in `memory` [rows, 3], or 0."""
    row = slot(first, second, len(memory))
    for at in range(row, row + 2):
        entry = int(memory[at, 2])
        if memory[at, 0] ^ entry == first and memory[at, 1] ^ entry == second:
            return entry
    return 0


def lower_bound(entry: int) -> int:
    """The least that a remembered position is worth."""
    return ((entry >> 12) & BOUND) - OFFSET


def upper_bound(entry: int) -> int:
    """The most that a remembered position is worth."""
    return (entry & BOUND) - OFFSET


def best_move(entry: int) -> int:
    """The move that was best when the position was searched, as the search numbers moves; 0 if there is none."""
    return (entry >> 24) & 255


def settled(lower: int, upper: int, alpha: int, beta: int, best: int) -> tuple[int, int]:
    """The bounds that follow from the best score of a search with a window."""
    if best >= beta:
        return max(lower, best), upper
    if best <= alpha:
        return lower, min(upper, best)
    return best, best


def keep(memory: NDArray[np.int64], first: int, second: int, lower: int, upper: int, work: int, move: int = 0) -> None:
    """Remember bounds. Of two rows the first is for what took more work, the second for what came last."""
    row = slot(first, second, len(memory))
    entry = int(memory[row, 2])
    if memory[row, 0] ^ entry != first or memory[row, 1] ^ entry != second:
        if entry >> 32 > work:
            row += 1
        else:
            below = int(memory[row + 1, 2])
            if memory[row + 1, 0] ^ below != first or memory[row + 1, 1] ^ below != second:
                for column in range(3):
                    memory[row + 1, column] = memory[row, column]
            else:
                memory[row + 1, 2] = 0  # it moves up, and must not stand twice
                memory[row + 1, 0], memory[row + 1, 1] = 0, 0
    entry = (min(work, 1 << 30) << 32) | (move << 24) | ((lower + OFFSET) << 12) | (upper + OFFSET)
    memory[row, 0] = first ^ entry
    memory[row, 1] = second ^ entry
    memory[row, 2] = entry


def carry(memory: NDArray[np.int64], larger: NDArray[np.int64]) -> None:
    """Copy all that is known into a larger memory."""
    for row in range(len(memory)):
        entry = int(memory[row, 2])
        if entry != 0:
            first, second = int(memory[row, 0]) ^ entry, int(memory[row, 1]) ^ entry
            keep(larger, first, second, lower_bound(entry), upper_bound(entry), entry >> 32, best_move(entry))
