"""Numbers on the cells such that lines have one sum: where a pair of a player's numbers can be completed to it."""

from collections.abc import Iterator
from itertools import combinations

from teamplay.game import BLANK

Numbers = tuple[int, ...]  # [cells]: the number of each


def missing(marks: str, mark: str, numbers: Numbers, total: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Pairs of a player's cells with the number that they lack, if it is none of a cell that is taken.

    The lecture leaves out numbers below 0 and above the largest, so 0 comes through, though no cell has it.
    """
    taken = {number for number, here in zip(numbers, marks, strict=True) if here != BLANK}
    mine = [cell for cell, here in enumerate(marks) if here == mark]
    for a, b in combinations(sorted(mine, key=numbers.__getitem__), 2):
        lacking = total - numbers[a] - numbers[b]
        if 0 <= lacking <= len(numbers) and lacking not in taken:
            yield (a, b), lacking
