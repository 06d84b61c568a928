"""What the patterns of a program find along an axis, for every code at once.

A code is two numbers, one for the marks on each side of an agent (see `kernels/lookup.py`). What an arm of a pattern
finds on a side depends on that side alone, so it is worked out once for each number, and all pairs of numbers follow by
broadcasting. Arrays with two axes are [behind, ahead]. The kernels of `kernels/rule.py` measure the same on a board.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.game import GameArrays
from teamplay.engine.kernels.lookup import sides
from teamplay.engine.program import (
    AHEAD,
    AHEAD_END,
    ANY,
    BEHIND,
    BEHIND_END,
    CODED,
    FACTOR,
    FEATURES,
    FIRST,
    FIRST_FEATURE,
    KIND,
    LAST,
    LEAST,
    LOOKS,
    MARK,
    MARKS,
    MASK,
    ORDERED,
    PALINDROME,
    PLUS,
    SHIFT,
    SUMS,
    TERM,
    UNORDERED,
    WEIGHTED,
)

Numbers = NDArray[np.int64]
NOTHING = -1  # off the board, or farther than the patterns look


class _Sides(NamedTuple):
    """The marks on one side of an agent, for every number."""

    marks: Numbers  # [numbers, looks + 1]: the nearest first
    room: Numbers  # [numbers]: how many there are


class _Walk(NamedTuple):
    """How far an arm of a pattern goes on each side. [numbers]"""

    cells: Numbers  # -1 where it does not fit
    runs: Numbers  # cells in runs


def packed_features(game: GameArrays, rows: Numbers, head: int) -> Numbers:
    """The features of every code, packed into a word. [codes]"""
    side = _sides(sides(int(rows[head, CODED])), int(rows[head, LOOKS]))
    windows = _windows(game.length, int(rows[head, MARKS]), side)
    total = np.zeros((len(side.room), len(side.room)), dtype=np.int64)
    found: list[Numbers] = []
    for row in range(head + FIRST_FEATURE, head + FIRST_FEATURE + int(rows[head, FEATURES])):
        if rows[row, KIND] == UNORDERED:
            found.append(_unordered(rows, row, windows))
        elif rows[row, KIND] == ORDERED:
            found.append(_ordered(rows, row, side))
        elif rows[row, KIND] == WEIGHTED:
            terms = rows[rows[row, FIRST] : rows[row, LAST]]
            found.append(
                sum((factor * found[number] for number, factor in terms[:, [TERM, FACTOR]]), np.zeros_like(total))
            )
        else:
            found.append(np.zeros_like(total))
        if rows[row, KIND] <= WEIGHTED and rows[row, MASK]:  # in rows of other kinds this column means something else
            # Every agent has as many codes as there are axes, so each brings its share of the least of a sum.
            total += (found[-1] - rows[row, LEAST] // game.axes) << rows[row, SHIFT]
    return total.ravel()


def _sides(numbers: int, looks: int) -> _Sides:
    """The digits of each number, the last one first: base 3, from 1 to 3."""
    left = np.arange(numbers)
    marks = np.full((numbers, looks + 1), NOTHING, dtype=np.int64)
    for place in range(looks):
        marks[:, place] = np.where(left > 0, (left - 1) % 3, NOTHING)
        left = np.maximum(left - 1, 0) // 3
    return _Sides(marks, (marks != NOTHING).sum(axis=1))


def _windows(length: int, marks: int, side: _Sides) -> list[tuple[NDArray[np.bool_], list[Numbers]]]:
    """The windows of the game's length through an agent: where each fits, and how many of every mark it holds."""
    found = []
    for behind in range(min(length, side.marks.shape[1])):
        ahead = length - 1 - behind
        if ahead < side.marks.shape[1]:
            fits = (side.room >= behind)[:, np.newaxis] & (side.room >= ahead)
            near, far = side.marks[:, :behind], side.marks[:, :ahead]
            counts = [
                (near == mark).sum(axis=1)[:, np.newaxis] + (far == mark).sum(axis=1) for mark in range(marks + 1)
            ]
            found.append((fits, counts))
    return found


def _unordered(rows: Numbers, feature: int, windows: list[tuple[NDArray[np.bool_], list[Numbers]]]) -> Numbers:
    """In how many windows some alternative of a pattern finds all that it needs."""
    total = np.zeros(windows[0][0].shape if windows else (1, 1), dtype=np.int64)
    for fits, counts in windows:
        met = np.zeros_like(fits)
        for row in range(rows[feature, FIRST], rows[feature, LAST]):
            met |= np.logical_and.reduce([count >= rows[row, mark] for mark, count in enumerate(counts)])
        total += fits & met
    return total


def _walked(rows: Numbers, first: int, last: int, side: _Sides) -> _Walk:
    """Follow the steps of an arm outwards on every side at once."""
    numbers = np.arange(len(side.room))
    at, runs, fits = np.zeros_like(numbers), np.zeros_like(numbers), np.ones(len(numbers), dtype=np.bool_)
    for row in range(first, last):
        mark = rows[row, MARK]
        fits &= _goes_on(side, numbers, at, mark)
        begun = at.copy()
        at += fits
        if rows[row, PLUS]:
            for _ in range(side.marks.shape[1]):
                at += fits & _goes_on(side, numbers, at, mark)
            runs += at - begun
    return _Walk(np.where(fits, at, -1), runs)


def _goes_on(side: _Sides, numbers: Numbers, at: Numbers, mark: int) -> NDArray[np.bool_]:
    """Whether the next cell is there and holds the mark."""
    follows: NDArray[np.bool_] = (at < side.room) & ((mark == ANY) | (side.marks[numbers, at] == mark))
    return follows


def _ordered(rows: Numbers, feature: int, side: _Sides) -> Numbers:
    """Matches (or cells in runs) of a pattern with `*`, read both ways."""
    alternatives = range(int(rows[feature, FIRST]), int(rows[feature, LAST]))
    front = [_walked(rows, rows[row, AHEAD], rows[row, AHEAD_END], side) for row in alternatives]
    back = [_walked(rows, rows[row, BEHIND], rows[row, BEHIND_END], side) for row in alternatives]
    total = np.zeros((len(side.room), len(side.room)), dtype=np.int64)
    for reading in range(2):
        # Both arms of each alternative; a palindrome counts once.
        arms = [
            (one.cells[:, np.newaxis], other.cells, one.runs[:, np.newaxis] + other.runs)
            for row, far, near in zip(alternatives, front, back, strict=True)
            if not (reading and rows[row, PALINDROME])
            for one, other in [(far, near) if reading else (near, far)]
        ]
        for number, (behind, ahead, runs) in enumerate(arms):
            match = (behind >= 0) & (ahead >= 0)
            # The same cells may match several alternatives, and count once; the last such match speaks.
            for later_behind, later_ahead, _ in arms[number + 1 :]:
                match &= ~((later_behind == behind) & (later_ahead == ahead))
            total += match * (runs if rows[feature, SUMS] else 1)
    return total
