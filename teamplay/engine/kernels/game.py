"""The rules of every game over a board of marks; see `teamplay/game.py` for the same in words.

A board is int8[cells], 0 is blank, then 1, 2, … in the game's order of marks. Seats are 0 and 1. This module decides
who has won on such a board.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

KERNELS = VIEWS = True
ENTRIES = ()

FLANKS = True  # may moves turn marks?

ANYWHERE, DROP, FLANK = range(3)
LINE, WORD, MAJORITY = range(3)
WINS, LOSES, SCORES = range(3)

# A number masked by this is not negative, so compiled code need not test for Python's indices from the end.
POSITIVE = 0x7FFFFFFF

NOBODY = -1  # the game goes on
DRAW = 2  # else the winning seat, 0 or 1

Marks = NDArray[np.int8]
Numbers = NDArray[np.int64]


class GameArrays(NamedTuple):
    """A game as numbers. Way 2 * axis leads ahead along an axis, way 2 * axis + 1 back; cells are row-major."""

    cells: int
    columns: int
    rows: int
    axes: int
    placement: int
    goal: int
    length: int  # of a line or word; 0 where the majority wins
    effect: int
    again: bool  # another turn after scoring
    shared: bool  # both players place the same marks
    letters: int  # how many marks a player may choose from
    strides: Numbers  # [axes]: from a cell to the next
    spelt: Numbers  # [letters of the word]: the word, as marks
    places: NDArray[np.signedinteger]  # [cells, 2 * axes]: how many cells lie before the border along each way
    roles: Marks  # [cells]: the role of each cell, as an index into ROLES


def flanked(game: GameArrays, board: Marks, cell: int, mark: int, way: int) -> int:
    """How many marks a piece placed here would flank and turn along one way."""
    stride = game.strides[way // 2] * (1 - 2 * (way & 1))
    room = game.places[cell, way]
    steps = 0
    at = cell + stride
    while steps < room and board[at] != 0 and board[at] != mark:
        steps += 1
        at += stride
    return steps if steps < room and board[at] == mark else 0


def fits(game: GameArrays, board: Marks, cell: int, mark: int) -> bool:
    """Whether the placement rule lets this mark go into this cell."""
    if board[cell] != 0:
        return False
    if game.placement == ANYWHERE:
        return True
    if game.placement == DROP:
        columns, rows = game.columns, game.rows
        return cell // columns % rows == rows - 1 or board[cell + columns] != 0
    if FLANKS:
        for way in range(2 * game.axes):
            if flanked(game, board, cell, mark, way) > 0:
                return True
    return False


def can_move(game: GameArrays, board: Marks, mark: int) -> bool:
    """Whether there is any cell for this mark."""
    for cell in range(game.cells):
        if fits(game, board, cell, mark):
            return True
    return False


def completed(game: GameArrays, board: Marks, cell: int) -> int:
    """How many lines or words through this cell meet the goal.

    A line is part of the run of equal marks through the cell, so one run on each axis is measured in place of all
    windows; a word is spelt in each window, either way.
    """
    found = 0
    length = game.length
    mark = board[cell]
    for axis in range(game.axes):
        stride = game.strides[axis]
        ahead = min(game.places[cell, 2 * axis], length - 1)
        behind = min(game.places[cell, 2 * axis + 1], length - 1)
        if ahead + behind + 1 < length:
            continue
        if game.goal == LINE:
            run = 1
            while run <= ahead and board[cell + run * stride] == mark:
                run += 1
            back = 0
            while back < behind and board[cell - (back + 1) * stride] == mark:
                back += 1
            found += max(0, run + back - length + 1)
        else:
            for start in range(-behind, ahead - length + 2):
                forwards = True
                backwards = True
                for i in range(length):
                    at = board[cell + (start + i) * stride]
                    forwards = forwards and at == game.spelt[i]
                    backwards = backwards and at == game.spelt[length - 1 - i]
                found += 1 if forwards or backwards else 0
    return found


def list_changed(game: GameArrays, board: Marks, cell: int, mark: int, changed: Numbers) -> int:
    """Write the cells whose marks a move would change, first its own, to `changed`, int64[cells]; says how many."""
    changed[0] = cell
    count = 1
    if FLANKS and game.placement == FLANK:
        for way in range(2 * game.axes):
            stride = game.strides[way // 2] * (1 - 2 * (way & 1))
            for step in range(1, flanked(game, board, cell, mark, way) + 1):
                changed[count] = cell + stride * step
                count += 1
    return count


def all_completed(game: GameArrays, board: Marks, changed: Numbers, count: int) -> int:
    """How many lines or words a move has completed that changed the first `count` cells of the list."""
    found = int(0)
    if game.goal != MAJORITY:
        for i in range(count):
            found += completed(game, board, changed[i])
    return found


def place(game: GameArrays, board: Marks, cell: int, mark: int, changed: Numbers) -> tuple[int, int]:
    """Put a mark on the board and turn what it flanks; says how many cells changed, and how many lines are complete."""
    count = list_changed(game, board, cell, mark, changed)
    for i in range(count):
        board[changed[i]] = mark
    return count, all_completed(game, board, changed, count)


def following(game: GameArrays, board: Marks, mover: int, found: int) -> int:
    """Who moves next: the same seat after scoring or where the other has no move."""
    if game.again and found > 0:
        return mover
    if FLANKS and game.placement == FLANK and not can_move(game, board, 2 - mover):
        return mover if can_move(game, board, 1 + mover) else 1 - mover
    return 1 - mover


def winner(game: GameArrays, board: Marks, mover: int, found: int, difference: int, blanks: int) -> int:
    """Who has won after a move of this seat that completed `found` lines: a seat, DRAW, or NOBODY while it goes on.

    `difference` is the first seat's points less the second's, this move's included.
    """
    if found > 0 and game.effect != SCORES:
        return mover if game.effect == WINS else 1 - mover
    if FLANKS and game.placement == FLANK:
        for mark in range(1, 3):
            if can_move(game, board, mark):
                return NOBODY
    elif blanks > 0:
        return NOBODY
    if game.goal == MAJORITY:
        difference = 0
        for cell in range(game.cells):
            difference += (1 if board[cell] == 1 else 0) - (1 if board[cell] == 2 else 0)
    elif game.effect != SCORES:
        return DRAW
    return DRAW if difference == 0 else (0 if difference > 0 else 1)
