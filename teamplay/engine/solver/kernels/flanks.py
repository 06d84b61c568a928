"""The search where marks are flanked and turned, and the majority wins.

Alpha-beta in negamax form with a transposition table, over a pair of bitboards. Far from the end moves are ordered by a
shallow search with a heuristic value; near the end nothing is ordered or remembered, because that costs more than it
saves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.solver.kernels.memory import (
    HALT,
    POSITIONS,
    SearchRoom,
    halted,
    keep,
    lower_bound,
    recall,
    settled,
    smallest,
    upper_bound,
)

KERNELS = True
ENTRIES = ("search",)
INLINE = ("stepped",)
LEAST = -2
FEW = 7  # with no more blanks, looking things up costs more than searching
SOME = 12  # with fewer, positions rarely meet under turns of the board
DEEP = 11  # with more, moves are ordered by looking ahead
MOST_PLAIN = 14  # with more, looking ahead in plain Python takes longer than compiling
CERTAIN = 10_000  # beyond every outlook


class FlankRules(NamedTuple):
    """A game of flanking as masks."""

    steps: NDArray[np.int64]  # [directions]: how far a step moves a cell's number
    inside: NDArray[np.int64]  # [directions]: the cells from which a step stays on the board
    turns: NDArray[np.int64]  # [symmetries but the identity, bytes, 256]
    none: NDArray[np.int64]  # [0, bytes, 256]: no turns
    board: int  # all cells
    corners: int


def stepped(rules: FlankRules, direction: int, mask: int) -> int:
    """A mask, one step further in a direction; what would step off the board is cleared first."""
    step = int(rules.steps[direction])
    mask &= int(rules.inside[direction])
    return mask << step if step > 0 else mask >> -step


def flanking(rules: FlankRules, mine: int, theirs: int) -> int:
    """The blank cells where a mark of mine would turn some of theirs.

    All runs of one direction grow at once, one shift for each cell of the longest.
    """
    blank = rules.board & ~(mine | theirs)
    found = 0
    for direction in range(len(rules.steps)):
        run = stepped(rules, direction, mine) & theirs
        while run != 0:
            run = stepped(rules, direction, run)
            found |= run & blank
            run &= theirs
    return found


def turning(rules: FlankRules, mine: int, theirs: int, bit: int) -> int:
    """What a mark of mine in this cell would turn."""
    found = 0
    for direction in range(len(rules.steps)):
        run = 0
        met = stepped(rules, direction, bit)
        while met & theirs != 0:
            run |= met
            met = stepped(rules, direction, met)
        if met & mine != 0:
            found |= run
    return found


def many(mask: int) -> int:
    """How many bits are set, for masks with many: sums of neighbouring bits, pairs, and nibbles, all in one word."""
    mask -= (mask >> 1) & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((mask * 0x0101010101010101) >> 56) & 127


def around(rules: FlankRules, mask: int) -> int:
    """The cells beside a mask, and some of its own."""
    found = 0
    for direction in range(len(rules.steps)):
        found |= stepped(rules, direction, mask)
    return found


def outlook(rules: FlankRules, mine: int, theirs: int) -> int:
    """How a position looks to who is to move: corners held and in reach, moves, blanks beside the opponent's marks."""
    my_moves, their_moves = flanking(rules, mine, theirs), flanking(rules, theirs, mine)
    blank = rules.board & ~(mine | theirs)
    found = 20 * (many(mine & rules.corners) - many(theirs & rules.corners))
    found += 6 * (many(my_moves & rules.corners) - many(their_moves & rules.corners))
    found += 4 * (many(my_moves) - many(their_moves))
    return found + many(around(rules, theirs) & blank) - many(around(rules, mine) & blank)


def guess(rules: FlankRules, mine: int, theirs: int, plies: int, alpha: int, beta: int) -> int:
    """How a position looks some plies ahead."""
    if plies == 0:
        return outlook(rules, mine, theirs)
    moves = flanking(rules, mine, theirs)
    if moves == 0:
        if flanking(rules, theirs, mine) == 0:
            return CERTAIN * result(mine, theirs)
        return -guess(rules, theirs, mine, plies, -beta, -alpha)
    best = -2 * CERTAIN
    while moves != 0 and best < beta:
        bit = moves & -moves
        moves ^= bit
        turns = turning(rules, mine, theirs, bit)
        first, second = theirs & ~turns, mine | bit | turns
        best = max(best, -guess(rules, first, second, plies - 1, -beta, -max(alpha, best)))
    return best


def concern(rules: FlankRules, mine: int, theirs: int, blanks: int) -> int:
    """What the side to move may hope for, to order the moves that lead here: worth more thought far from the end."""
    if blanks >= DEEP:
        return guess(rules, mine, theirs, min((blanks - DEEP) // 3, 4), -2 * CERTAIN, 2 * CERTAIN)
    replies = flanking(rules, mine, theirs)
    found = 4 * many(replies) + 8 * many(replies & rules.corners) - 6 * many(theirs & rules.corners)
    return found + many(around(rules, theirs) & ~(mine | theirs)) - (20 if replies == 0 else 0)


def ordered(rules: FlankRules, rows: NDArray[np.int64], mine: int, theirs: int, moves: int, blanks: int) -> int:
    """Fill `rows` with the positions after the moves (their marks, mine), the worst for the opponent first."""
    count = 0
    while moves != 0:
        bit = moves & -moves
        moves ^= bit
        turns = turning(rules, mine, theirs, bit)
        first, second = theirs & ~turns, mine | bit | turns
        score = concern(rules, first, second, blanks)
        at = count
        while at > 0 and rows[2, at - 1] > score:
            for row in range(3):
                rows[row, at] = rows[row, at - 1]
            at -= 1
        rows[0, at], rows[1, at], rows[2, at] = first, second, score
        count += 1
    return count


def result(mine: int, theirs: int) -> int:
    """Who has more marks."""
    return (1 if many(mine) > many(theirs) else 0) - (1 if many(mine) < many(theirs) else 0)


def refuted(rules: FlankRules, memory: NDArray[np.int64], rows: NDArray[np.int64], count: int, beta: int) -> bool:
    """Whether some position after a move is remembered as good enough for me: enhanced transposition cutoff."""
    for index in range(count):
        first, second = smallest(rules.turns, int(rows[0, index]), int(rows[1, index]))
        row = recall(memory, first, second)
        if row >= 0 and -upper_bound(memory, row) >= beta:
            return True
    return False


def last_moves(rules: FlankRules, control: NDArray[np.int64], mine: int, theirs: int, alpha: int, beta: int) -> int:
    """The score with few blanks left: nothing is ordered or remembered."""
    if halted(control):
        return 0
    best = LEAST
    blank = rules.board & ~(mine | theirs)
    while blank != 0 and best < beta:
        bit = blank & -blank
        blank ^= bit
        turns = turning(rules, mine, theirs, bit)
        if turns != 0:
            first, second = theirs & ~turns, mine | bit | turns
            best = max(best, -last_moves(rules, control, first, second, -beta, -max(alpha, best)))
    if best > LEAST:
        return best
    if flanking(rules, theirs, mine) == 0:
        return result(mine, theirs)
    return -last_moves(rules, control, theirs, mine, -beta, -alpha)


def search(rules: FlankRules, room: SearchRoom, mine: int, theirs: int, ply: int, alpha: int, beta: int) -> int:
    """The score of a position: exact inside the window, a bound outside."""
    memory, control = room.memory, room.control
    blanks = many(rules.board & ~(mine | theirs))
    if blanks <= FEW:
        return last_moves(rules, control, mine, theirs, alpha, beta)
    if halted(control):
        return 0
    moves = flanking(rules, mine, theirs)
    if moves == 0:
        if flanking(rules, theirs, mine) == 0:
            return result(mine, theirs)
        return -search(rules, room, theirs, mine, ply + 1, -beta, -alpha)
    lower, upper = -1, 1
    turns = rules.turns if blanks >= SOME else rules.none
    first, second = smallest(turns, mine, theirs)
    row = recall(memory, first, second)
    if row >= 0:
        lower, upper = max(lower, lower_bound(memory, row)), min(upper, upper_bound(memory, row))
    if lower >= beta or upper <= alpha or lower == upper:
        return lower if lower >= beta else upper
    alpha, beta = max(alpha, lower), min(beta, upper)
    before = int(control[POSITIONS])
    rows = room.scratch[ply]
    count = ordered(rules, rows, mine, theirs, moves, blanks)
    best, reached = LEAST, alpha
    if blanks > SOME and refuted(rules, memory, rows, count, beta):
        best, count = beta, 0
    for index in range(count):
        one, two = int(rows[0, index]), int(rows[1, index])
        score = -search(rules, room, one, two, ply + 1, -beta, -reached)
        if control[HALT] != 0:
            return 0
        best, reached = max(best, score), max(reached, score)
        if reached >= beta:
            break
    lower, upper = settled(lower, upper, alpha, beta, best)
    keep(memory, first, second, lower, upper, int(control[POSITIONS]) - before)
    return best
