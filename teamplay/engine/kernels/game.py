"""The rules of every game over a board of marks; see `teamplay/game.py` for the same in words.

A board is int8[cells], 0 is blank, then 1, 2, … in the game's order of marks. Seats are 0 and 1. This module decides
who has won on such a board.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

KERNELS = VIEWS = True
ENTRIES = ()
INLINE = ("is_restricted", "is_plain", "is_race", "is_overlong")

FLANKS = True  # may moves turn marks?
BOARDS = True  # may there be several boards, which a line closes?
EXACT = True  # may longer lines not count?
OWNED = True  # may a line win for one seat, whoever makes it?

ANYWHERE, DROP, FLANK = range(3)
LINE, WORD, MAJORITY = range(3)
WINS, LOSES, SCORES = range(3)

# A number masked by this is not negative, so compiled code need not test for Python's indices from the end.
POSITIVE = 0x7FFFFFFF

NOBODY = -1  # the game goes on, or a line belongs to who makes it
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
    exact: bool  # longer lines don't count
    owner: int  # the seat that a line wins for, whoever makes it, or NOBODY; a full board wins for the other
    area: int  # the cells of one board: all of them, unless there are several boards
    again: bool  # another turn after scoring
    shared: bool  # both players place the same marks
    letters: int  # how many marks a player may choose from
    strides: Numbers  # [axes]: from a cell to the next
    spelt: Numbers  # [letters of the word]: the word, as marks
    places: NDArray[np.signedinteger]  # [cells, 2 * axes]: how many cells lie before the border along each way
    roles: Marks  # [cells]: the role of each cell, as an index into ROLES


def is_restricted(game: GameArrays) -> bool:
    """Whether there may be blank cells that can't be used."""
    return game.placement != ANYWHERE or game.area < game.cells


def is_plain(game: GameArrays) -> bool:
    """Whether a move does no more than add a mark, and any line through it belongs to its maker and counts."""
    return game.placement != FLANK and not game.exact and game.owner == NOBODY and game.area == game.cells


def is_race(game: GameArrays) -> bool:
    """Whether each side makes lines of its own marks and the first line ends the game, on cells that never turn."""
    own = game.goal == LINE and not game.shared and game.owner == NOBODY
    return own and game.placement != FLANK and game.area == game.cells


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
    if BOARDS and game.area < game.cells and is_closed(game, board, cell):
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


def is_closed(game: GameArrays, board: Marks, cell: int) -> bool:
    """Whether the board of this cell, one of several, has a line: then it takes no more marks."""
    first = cell - cell % game.area
    for at in range(first, first + game.area):
        if board[at] != 0 and completed(game, board, at) > 0:
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
    windows; a word is spelt in each window, either way. Where longer lines don't count, one cell more is looked at.
    """
    found = 0
    length = game.length
    reach = length if EXACT and game.exact else length - 1
    mark = board[cell]
    for axis in range(game.axes):
        stride = game.strides[axis]
        ahead = min(game.places[cell, 2 * axis], reach)
        behind = min(game.places[cell, 2 * axis + 1], reach)
        if ahead + behind + 1 < length:
            continue
        if game.goal == LINE:
            run = 1
            while run <= ahead and board[cell + run * stride] == mark:
                run += 1
            back = 0
            while back < behind and board[cell - (back + 1) * stride] == mark:
                back += 1
            if EXACT and game.exact:
                found += 1 if run + back == length else 0
            else:
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


def is_overlong(game: GameArrays, board: Marks, first: int, axis: int, mark: int) -> bool:
    """Whether a window of the line's length, by its first cell, is a part of a longer line once it is full."""
    stride = game.strides[axis]
    last = first + (game.length - 1) * stride
    before = game.places[first, 2 * axis + 1] > 0 and board[first - stride] == mark
    return bool(before or (game.places[last, 2 * axis] > 0 and board[last + stride] == mark))


def first_line(game: GameArrays, board: Marks) -> int:
    """The mark of the first line on the board, in the order of the cells; 0 where there is none."""
    for cell in range(game.cells):
        if board[cell] != 0 and completed(game, board, cell) > 0:
            return int(board[cell])
    return 0


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
    """How many lines or words a move has completed that changed the first `count` cells of the list.

    A mark that turns may leave the opponent a line of the exact length, so then the whole board is looked at.
    """
    found = int(0)
    if EXACT and FLANKS and game.exact and game.placement == FLANK:
        return 1 if first_line(game, board) > 0 else found
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
    decided = found > 0 and game.effect != SCORES
    if BOARDS and game.area < game.cells:
        for first in range(0, game.cells, game.area):  # the line that closes the last board decides
            decided = decided and is_closed(game, board, first)
    if decided:
        if OWNED and game.owner != NOBODY:
            return game.owner
        maker = mover
        if EXACT and FLANKS and game.exact and game.placement == FLANK:
            maker = first_line(game, board) - 1
        return maker if game.effect == WINS else 1 - maker
    if FLANKS and game.placement == FLANK:
        for mark in range(1, 3):
            if can_move(game, board, mark):
                return NOBODY
    elif blanks > 0 and (not BOARDS or game.area == game.cells or can_move(game, board, mover + 1)):
        return NOBODY
    if OWNED and game.owner != NOBODY:
        return 1 - game.owner
    if game.goal == MAJORITY:
        difference = 0
        for cell in range(game.cells):
            difference += (1 if board[cell] == 1 else 0) - (1 if board[cell] == 2 else 0)
    elif game.effect != SCORES:
        return DRAW
    return DRAW if difference == 0 else (0 if difference > 0 else 1)
