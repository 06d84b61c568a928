"""Marks that are flanked and turned: which moves there are, what they turn, and what can never be turned, by shifts.

A mark that is turned has a neighbour on either side along an axis. So of the marks that may be turned only the inner
cells of an axis count, and a run of them can be followed by shifts without ever stepping off the board. All runs of an
axis grow at once, and by doubling: one cell, two, four, six, which is the longest on a board with sides of eight.
The axes are the only loop, without a branch, so that the compiler makes one vector of four axes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.solver.kernels.bits import popcount

KERNELS = VIEWS = True
INLINE = ("flanking", "turning", "difference", "last_move")
LONGEST = 8  # the longest side of a board


class Axes(NamedTuple):
    """The ways a run can lie; those along which nothing can be flanked are left out."""

    steps: NDArray[np.int64]  # [axes]: how far a step moves a cell's number
    inner: NDArray[np.int64]  # [axes]: the cells with a neighbour on either side


def flanking(axes: Axes, mine: int, theirs: int) -> int:
    """The blank cells where a mark of mine would turn some of theirs."""
    found = 0
    for axis in range(len(axes.steps)):
        step, run = int(axes.steps[axis]), theirs & int(axes.inner[axis])
        ahead, back = run & (mine << step), run & (mine >> step)
        ahead |= run & (ahead << step)
        back |= run & (back >> step)
        pairs = run & (run << step)
        ahead |= pairs & (ahead << (2 * step))
        back |= (pairs >> step) & (back >> (2 * step))
        ahead |= pairs & (ahead << (2 * step))
        back |= (pairs >> step) & (back >> (2 * step))
        found |= (ahead << step) | (back >> step)
    return found & ~(mine | theirs)


def turning(axes: Axes, mine: int, theirs: int, bit: int) -> int:
    """What a mark of mine in this cell would turn."""
    found = 0
    for axis in range(len(axes.steps)):
        step, run = int(axes.steps[axis]), theirs & int(axes.inner[axis])
        ahead, back = run & (bit << step), run & (bit >> step)
        ahead |= run & (ahead << step)
        back |= run & (back >> step)
        pairs = run & (run << step)
        ahead |= pairs & (ahead << (2 * step))
        back |= (pairs >> step) & (back >> (2 * step))
        ahead |= pairs & (ahead << (2 * step))
        back |= (pairs >> step) & (back >> (2 * step))
        found |= ahead if mine & (ahead << step) != 0 else 0
        found |= back if mine & (back >> step) != 0 else 0
    return found


def stable(axes: Axes, full: NDArray[np.int64], marks: int, blank: int) -> int:
    """Marks of one player that can never be turned, not all but many; `full` [axes] is room to work.

    Along every axis such a mark stands at an end of its line, in a line without a blank, or beside another such mark of
    the same player. They are found from the corners on.
    """
    for axis in range(len(axes.steps)):
        step, within = int(axes.steps[axis]), int(axes.inner[axis])
        reached = blank
        for _ in range(LONGEST - 2):
            reached |= within & ((reached << step) | (reached >> step))
        full[axis] = ~(within & reached)
    found, before = 0, -1
    while found != before:
        before, found = found, marks
        for axis in range(len(axes.steps)):
            step = int(axes.steps[axis])
            found &= int(full[axis]) | (before << step) | (before >> step)
    return found


def difference(mine: int, theirs: int) -> int:
    """My marks less theirs."""
    return popcount(mine) - popcount(theirs)


def last_move(axes: Axes, mine: int, theirs: int, bit: int) -> int:
    """The score with one blank left, if any: who can move there does."""
    turned = popcount(turning(axes, mine, theirs, bit))
    if turned != 0:
        return difference(mine, theirs) + 2 * turned + 1
    turned = popcount(turning(axes, theirs, mine, bit))
    return difference(mine, theirs) - (2 * turned + 1 if turned != 0 else 0)
