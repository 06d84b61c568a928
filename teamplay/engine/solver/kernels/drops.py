"""The search where pieces drop into columns and a line of one's own wins: masks by column, one spare bit above each.

A shift by a fixed number of bits then moves every cell along a direction, and what leaves the board lands on a spare
bit. So the cells that complete a line come from a few shifts for all columns at once, however many lines there are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.solver.kernels.bits import popcount
from teamplay.engine.solver.kernels.lines import WIN, later, sooner
from teamplay.engine.solver.kernels.memory import (
    HALT,
    POSITIONS,
    SearchRoom,
    halted,
    keep,
    lower_bound,
    recall,
    settled,
    upper_bound,
)

KERNELS = VIEWS = True
ENTRIES = ("search",)
INLINE = ("completing", "reach", "mirrored")
EARLY = 20  # marks up to which a position is looked up together with its mirror image
THREAT, PARITY = 64, 16  # what a cell that completes a line counts in the order of moves, and if its row is right


class DropRules(NamedTuple):
    """A board of columns as masks; cell `row` of a column, from below, is bit `column * (height + 1) + row`."""

    centre: NDArray[np.int64]  # [bits]: how much a cell is preferred among ties: the middle first
    shifts: NDArray[np.int64]  # [3]: one step to the right, level, up and down
    board: int  # all cells
    floor: int  # the lowest cells
    even: int  # the cells of the first, third, … row: where a threat of the first player counts more
    columns: int
    height: int
    length: int
    replies: int  # how many forced replies an attack looks ahead
    symmetric: bool  # whether mirror images count as one


def completing(rules: DropRules, marks: int) -> int:
    """The cells, taken or not, that would complete a line of these marks."""
    found = rules.board
    for step in range(1, rules.length):  # upwards only: pieces drop from above
        found &= marks << step
    for direction in range(len(rules.shifts)):
        shift = int(rules.shifts[direction])
        if rules.length == 4:
            # Two marks behind a cell and one more on either side; and the same ahead.
            back, ahead = marks << shift, marks >> shift
            found |= back & (marks << (2 * shift)) & (ahead | (marks << (3 * shift)))
            found |= ahead & (marks >> (2 * shift)) & (back | (marks >> (3 * shift)))
            continue
        for place in range(rules.length):
            cells = rules.board
            for step in range(1, place + 1):
                cells &= marks << (step * shift)
            for step in range(1, rules.length - place):
                cells &= marks >> (step * shift)
            found |= cells
    return found & rules.board


def reach(rules: DropRules, marks: int) -> int:
    """The cells of all lines that these marks hold."""
    found = 0
    for direction in range(-1, len(rules.shifts)):
        shift = 1 if direction < 0 else int(rules.shifts[direction])
        line = marks
        for step in range(1, rules.length):
            line &= marks >> (step * shift)
        found |= line
        for step in range(1, rules.length):
            found |= line << (step * shift)
    return found


def attack(rules: DropRules, mine: int, theirs: int, replies: int) -> int:
    """In how many plies the mover wins by threats alone, each leaving one reply; 0 if not within so many."""
    taken = mine | theirs
    moves = ((taken << 1) | rules.floor) & rules.board & ~taken
    if completing(rules, mine) & moves != 0:
        return 1
    danger = completing(rules, theirs)
    if danger & moves != 0:
        moves &= danger
    while moves != 0:
        bit = moves & -moves
        moves ^= bit
        after = mine | bit
        free = (((taken | bit) << 1) | rules.floor) & rules.board & ~(taken | bit)
        wins = completing(rules, after) & free
        if wins == 0 or danger & free != 0:
            continue
        if wins & (wins - 1) != 0:
            return 3
        if replies > 0:
            plies = attack(rules, after, theirs | wins, replies - 1)
            if plies > 0:
                return plies + 2
    return 0


def mirrored(rules: DropRules, mask: int) -> int:
    """A mask with its columns in the opposite order."""
    step = rules.height + 1
    column = (1 << step) - 1
    found = 0
    for _ in range(rules.columns):
        found = (found << step) | (mask & column)
        mask >>= step
    return found


def ordered(rules: DropRules, scratch: NDArray[np.int64], ply: int, mine: int, taken: int, moves: int) -> int:
    """Fill the rows of a ply with moves and their orders, the best first: those that leave most threats; how many."""
    # Who has moved an even number of times is the first player, whose threats count in odd rows: 1, 3, 5.
    rows = rules.even if popcount(taken) & 1 == 0 else rules.board & ~rules.even
    count = 0
    while moves != 0:
        bit = moves & -moves
        moves ^= bit
        threats = completing(rules, mine | bit) & ~(taken | bit)
        order = THREAT * popcount(threats) + PARITY * popcount(threats & rows)
        order += int(rules.centre[popcount(bit - 1)])
        at = count
        while at > 0 and scratch[ply, 1, at - 1] < order:
            scratch[ply, 0, at], scratch[ply, 1, at] = scratch[ply, 0, at - 1], scratch[ply, 1, at - 1]
            at -= 1
        scratch[ply, 0, at], scratch[ply, 1, at] = bit, order
        count += 1
    return count


def search(rules: DropRules, room: SearchRoom, mine: int, theirs: int, ply: int, alpha: int, beta: int) -> int:
    """The score of a position that is not over: exact inside the window, a bound outside."""
    memory, scratch, control = room.memory, room.scratch, room.control
    if halted(control):
        return 0
    taken = mine | theirs
    moves = ((taken << 1) | rules.floor) & rules.board & ~taken
    if completing(rules, mine) & moves != 0:
        return WIN - 1
    if moves == 0:
        return 0
    threats = completing(rules, theirs) & ~taken
    forced = threats & moves
    if forced & (forced - 1) != 0:
        return 2 - WIN
    # Never below a cell that completes their line: they would drop a piece on top.
    moves = (forced if forced != 0 else moves) & ~(threats >> 1)
    if moves == 0:
        return 2 - WIN
    blank = rules.board & ~taken
    my_reach, their_reach = reach(rules, mine | blank), reach(rules, theirs | blank)
    lower = 4 - WIN if their_reach != 0 else 0
    upper = WIN - 3 if my_reach != 0 else 0
    if lower >= beta or upper <= alpha or lower == upper:
        return lower if lower >= beta else upper
    # A mark whose own lines are all blocked is a wall, whoever placed it.
    walls = (mine & ~my_reach) | (theirs & ~their_reach)
    first, second = mine | walls, theirs | walls
    if rules.symmetric and popcount(taken) <= EARLY:
        one = mirrored(rules, first)
        if one <= first:
            other = mirrored(rules, second)
            if one < first or other < second:
                first, second = one, other
    known = recall(memory, first, second)
    if known != 0:
        lower, upper = max(lower, lower_bound(known)), min(upper, upper_bound(known))
    elif beta > 0 and my_reach != 0 and rules.replies >= 0:
        # Not a constant: a recursive function that is compiled for two types of arguments breaks numba's cache.
        plies = attack(rules, mine, theirs, rules.replies)
        if plies > 0:
            lower = WIN - plies
            keep(memory, first, second, lower, upper, 1)
    if lower >= beta or upper <= alpha or lower == upper:
        return lower if lower >= beta else upper
    alpha, beta = max(alpha, lower), min(beta, upper)
    before = int(control[POSITIONS])
    best, reached = -WIN, alpha
    for index in range(ordered(rules, scratch, ply, mine, taken, moves)):
        after = mine | int(scratch[ply, 0, index])
        low, high = sooner(-beta), sooner(-reached)
        score = later(-search(rules, room, theirs, after, ply + 1, low, high))
        if control[HALT] != 0:
            return 0
        best, reached = max(best, score), max(reached, score)
        if reached >= beta:
            break
    lower, upper = settled(lower, upper, alpha, beta, best)
    keep(memory, first, second, lower, upper, int(control[POSITIONS]) - before)
    return best
