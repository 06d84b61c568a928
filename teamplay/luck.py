"""Chance from one seed: a generator for choices, and coins that depend on nothing but what they are tossed for."""

from functools import lru_cache
from hashlib import blake2b
from random import Random

_MASK = (1 << 64) - 1


class Luck(Random):
    """A seeded generator. Its coins are hashes, so an edit of one role can't reshuffle the luck of another."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.origin = seed & _MASK

    def coin(self, percent: int, turn: int, cell: int, reason: str) -> bool:
        """Whether something with this chance comes up, always the same for the same seed and reason.

        >>> Luck(1).coin(100, 0, 0, "win"), Luck(1).coin(0, 0, 0, "win")
        (True, False)
        """
        tossed = mixed(self.origin)  # mixed by itself first: seed 1 in turn 2 must not be seed 2 in turn 1
        for part in (turn, cell, _digest(reason)):
            tossed = mixed(tossed ^ part)
        return (tossed >> 32) * 100 >> 32 < percent


@lru_cache(maxsize=4096)
def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def mixed(number: int) -> int:
    """The finalizer of SplitMix64: every bit of the input changes half the bits of the output."""
    number = (number + 0x9E3779B97F4A7C15) & _MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _MASK
    return number ^ (number >> 31)
