"""Which cells does a host seat? Areas as people write them, as messages carry them, and as the rounds use them."""

import re
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from teamplay.errors import BadSpec
from teamplay.grid import Grid

Mask = NDArray[np.bool_]  # [cells]
Stretch = tuple[int, int]  # a first cell and how many follow each other from there on

SHARE = re.compile(r"(\d{1,6})/(\d{1,6})")


def parse_area(grid: Grid, text: str) -> Mask:
    """An area as people write it: `a1:o5` between two corners, `b3`, `2/3` the second of three even parts; joined by +.

    >>> np.flatnonzero(parse_area(Grid((3, 3)), "a1:b2 + c3")).tolist()
    [0, 1, 3, 4, 8]
    >>> np.flatnonzero(parse_area(Grid((3, 3)), "2/2")).tolist()
    [5, 6, 7, 8]
    """
    mask = np.zeros(grid.size, dtype=np.bool_)
    for part in text.split("+"):
        if share := SHARE.fullmatch(part.strip()):
            which, of = int(share[1]), int(share[2])
            if not 1 <= which <= of <= grid.size:
                raise BadSpec(f"`{part.strip()}` is no part of {grid.size} cells; write I/N with I from 1 to N.")
            mask[even_part(grid.size, which - 1, of)] = True
            continue
        corners = [grid.coordinates(grid.parse_cell(corner)) for corner in part.split(":")]
        if len(corners) > 2:
            raise BadSpec(f"`{part.strip()[:40]}` is not an area; write two corners such as a1:c3, a cell, or 1/3.")
        low, high = (list(map(side, zip(*corners, strict=True))) for side in (min, max))
        board = mask.reshape(grid.shape)
        board[tuple(slice(start, end + 1) for start, end in zip(low, high, strict=True))] = True
    return mask


def even_part(size: int, which: int, of: int) -> slice:
    """One of several parts of the cells, as even as they can be, in the order of the cells."""
    return slice(-(-size * which // of), -(-size * (which + 1) // of))


def stretches(mask: Mask) -> list[Stretch]:
    """The cells of a mask as runs.

    >>> stretches(np.array([1, 1, 0, 1], dtype=np.bool_))
    [(0, 2), (3, 1)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    starts, ends = edges[::2].tolist(), edges[1::2].tolist()
    return [(start, end - start) for start, end in zip(starts, ends, strict=True)]


def mask_of(size: int, runs: Sequence[Stretch]) -> Mask | None:
    """The mask of runs that somebody sent; None if they leave the board."""
    mask = np.zeros(size, dtype=np.bool_)
    for first, length in runs:
        if not (0 <= first < size and 1 <= length <= size - first):
            return None
        mask[first : first + length] = True
    return mask


class Open:
    """The active agents of an area, for boards of any size."""

    def __init__(self, mask: Mask) -> None:
        self.mask = mask
        self._count = int(np.count_nonzero(mask))

    def __len__(self) -> int:
        return self._count

    def __contains__(self, cell: object) -> bool:
        return isinstance(cell, int) and 0 <= cell < len(self.mask) and bool(self.mask[cell])

    def __iter__(self) -> Iterator[int]:
        return iter(np.flatnonzero(self.mask).tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Open) and self._count == other._count and np.array_equal(self.mask, other.mask)

    __hash__ = None  # type: ignore[assignment]

    def covers(self, first: int, length: int) -> bool:
        return 0 <= first <= len(self.mask) - length and bool(self.mask[first : first + length].all())

    def pick(self, chance: Random) -> int:
        return int(np.flatnonzero(self.mask)[chance.randrange(self._count)])
