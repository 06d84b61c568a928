"""Masks: counting bits, and a board turned so that equal positions look equal.

A mask holds one bit a cell. Up to 63 cells it is a non-negative number, and plain Python agrees with compiled code; a
board of 64 cells needs the sign bit, and only compiled code reads that as one more bit.
"""

import numpy as np
from numpy.typing import NDArray

KERNELS = True
INLINE = ("popcount",)
BYTES = (1 << 56) - 1  # what is left of a mask after its lowest byte was shifted out, whatever its sign


def turned(turns: NDArray[np.int64], turn: int, mask: int) -> int:
    """A mask after a turn of the board; `turns` [turns, bytes, 256] says where each byte of a mask goes."""
    found = 0
    byte = 0
    while mask != 0:
        found |= int(turns[turn, byte, mask & 255])
        mask = (mask >> 8) & BYTES
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


def popcount(mask: int) -> int:
    """How many bits are set; the compiler knows this sum of bits, pairs and nibbles and makes it one instruction."""
    mask -= (mask >> 1) & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((mask * 0x0101010101010101) >> 56) & 127


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
