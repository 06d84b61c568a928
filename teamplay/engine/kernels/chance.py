"""Random numbers and hashes that are the same plain and compiled: no sum or product outgrows 63 bits unmasked."""

import numpy as np
from numpy.typing import NDArray

KERNELS = VIEWS = True
ENTRIES = ("mix", "seed", "draw")
INLINE = ("mix", "draw", "scramble")

WORD = 0xFFFFFFFF

Random = NDArray[np.int64]  # [4]: the state of a generator


def mix(number: int) -> int:
    """A hash of a number of up to 62 bits.

    Multiplicative hashing: each half of the number times an odd constant. The products are too large for a machine word
    only if the halves are, so Python's numbers and the machine's agree.
    """
    mixed = ((number & 0x7FFFFFFF) * 0x9E3779B1 + (number >> 31) * 0x85EBCA77) & 0x7FFFFFFFFFFFFFF
    return mixed ^ (mixed >> 29)


def seed(random: Random, number: int) -> None:
    """Set the state from any whole number, by a linear congruential generator."""
    mixed = number & WORD
    for i in range(4):
        mixed = (mixed * 1664525 + 1013904223 + (number >> 32)) & WORD
        random[i] = mixed ^ (mixed >> 16) | 1
    for _ in range(16):
        draw(random, 2)


def draw(random: Random, limit: int) -> int:
    """A number from 0 to `limit` - 1, by Marsaglia's xorshift128.

    The 32 random bits are a fraction of `limit`: a product and a shift, cheaper than a remainder.
    """
    new = scramble(int(random[0]), int(random[3]))
    random[0], random[1], random[2] = random[1], random[2], random[3]
    random[3] = new
    return (new * limit) >> 32


def scramble(oldest: int, newest: int) -> int:
    """The next of the numbers of xorshift128, from the last but three and the last."""
    new = oldest ^ ((oldest << 11) & WORD)
    return newest ^ (newest >> 19) ^ new ^ (new >> 8)
