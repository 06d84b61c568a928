"""The search where marks are flanked and turned, and the majority wins: by how many marks, or only who.

Alpha-beta in negamax form with a transposition table, over a pair of bitboards (`flips.py`). The solver asks with null
windows: first who wins, then by how much. Far from the end moves are ordered by a shallow search with a heuristic
value, nearer to it by the number of replies (fastest first), and with few blanks by parity alone, where nothing is
remembered, because that costs more than it saves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.solver.kernels.bits import cell_of, popcount, smallest
from teamplay.engine.solver.kernels.flips import Axes, difference, flanking, last_move, stable, turning
from teamplay.engine.solver.kernels.memory import (
    HALT,
    POSITIONS,
    SearchRoom,
    best_move,
    halted,
    keep,
    lower_bound,
    recall,
    settled,
    upper_bound,
)
from teamplay.engine.solver.kernels.workers import ALONE, ANSWER, BACK, STAY, WORKER, overtaken, place

KERNELS = True
ENTRIES = ("search",)
INLINE = ("odd_regions",)
WORKERS = 2  # how many threads may work at one question
LEAST = -100
FEW = 7  # with no more blanks, looking things up costs more than searching
SOME = 12  # with more, replies are looked up before one is searched
DEEP = 12  # with as many, moves are ordered by looking ahead
SHARED = 15  # with as many, workers look whether they were overtaken
EARLY = 12  # marks up to which positions meet under turns of the board often enough to look for it
MOST_PLAIN = 14  # blanks with which looking ahead in plain Python takes longer than compiling
CERTAIN = 10_000  # beyond every outlook


class FlankRules(NamedTuple):
    """A game of flanking as masks."""

    axes: Axes
    regions: NDArray[np.int64]  # [regions]: the quarters of the board, whose blanks are even or odd
    turns: NDArray[np.int64]  # [symmetries but the identity, bytes, 256]
    board: int  # all cells
    cells: int
    corners: int


def beside(rules: FlankRules, mask: int) -> int:
    """The inner cells beside a mask, and some of its own: where a mark may be flanked from."""
    found = 0
    for axis in range(len(rules.axes.steps)):
        step = int(rules.axes.steps[axis])
        found |= int(rules.axes.inner[axis]) & ((mask << step) | (mask >> step))
    return found


def outlook(rules: FlankRules, mine: int, theirs: int) -> int:
    """How a position looks to who is to move: corners held and in reach, moves, marks that stand beside blanks."""
    my_moves = flanking(rules.axes, mine, theirs)
    their_moves = flanking(rules.axes, theirs, mine)
    open_cells = beside(rules, rules.board & ~(mine | theirs))
    found = 20 * difference(mine & rules.corners, theirs & rules.corners)
    found += 12 * difference(my_moves & rules.corners, their_moves & rules.corners)
    found += 4 * difference(my_moves, their_moves)
    return found + 3 * difference(theirs & open_cells, mine & open_cells)


def guess(rules: FlankRules, mine: int, theirs: int, plies: int, alpha: int, beta: int) -> int:
    """How a position looks some plies ahead."""
    if plies == 0:
        return outlook(rules, mine, theirs)
    moves = flanking(rules.axes, mine, theirs)
    if moves == 0:
        if flanking(rules.axes, theirs, mine) == 0:
            return CERTAIN * difference(mine, theirs)
        return -guess(rules, theirs, mine, plies, -beta, -alpha)
    best = LEAST * CERTAIN
    while moves != 0 and best < beta:
        bit = moves & -moves
        moves ^= bit
        turned = turning(rules.axes, mine, theirs, bit)
        first, second = theirs & ~turned, mine | bit | turned
        best = max(best, -guess(rules, first, second, plies - 1, -beta, -max(alpha, best)))
    return best


def concern(rules: FlankRules, mine: int, theirs: int, blanks: int, odd: bool) -> int:
    """What the side to move may hope for, to order the moves that lead here: worth more thought far from the end."""
    if blanks >= DEEP:
        return guess(rules, mine, theirs, min((blanks - DEEP) // 2, 6), LEAST * CERTAIN, -LEAST * CERTAIN)
    replies = flanking(rules.axes, mine, theirs)
    found = 4 * popcount(replies) + 8 * popcount(replies & rules.corners) - 6 * popcount(theirs & rules.corners)
    open_cells = beside(rules, rules.board & ~(mine | theirs))
    return found + popcount(theirs & open_cells) - (20 if replies == 0 else 0) - (2 if odd else 0)


def odd_regions(regions: NDArray[np.int64], blank: int) -> int:
    """The cells of the regions with an odd number of blanks: who moves there is likely to move there last as well."""
    found = 0
    for index in range(len(regions)):
        region = int(regions[index])
        found |= region if popcount(blank & region) & 1 != 0 else 0
    return found


def ordered(rules: FlankRules, rows: NDArray[np.int64], mine: int, theirs: int, moves: int, hashed: int) -> int:
    """Fill `rows` with the positions after the moves (their marks, mine), the worst for the opponent first."""
    blank = rules.board & ~(mine | theirs)
    blanks, odd = popcount(blank), odd_regions(rules.regions, blank)
    count = 0
    while moves != 0:
        bit = moves & -moves
        moves ^= bit
        turned = turning(rules.axes, mine, theirs, bit)
        first, second = theirs & ~turned, mine | bit | turned
        score = LEAST * CERTAIN if bit == hashed else concern(rules, first, second, blanks, bit & odd != 0)
        at = count
        while at > 0 and rows[2, at - 1] > score:
            for row in range(3):
                rows[row, at] = rows[row, at - 1]
            at -= 1
        rows[0, at], rows[1, at], rows[2, at] = first, second, score
        count += 1
    return count


def key(rules: FlankRules, mine: int, theirs: int) -> tuple[int, int]:
    """The masks under which a position is remembered."""
    if popcount(mine | theirs) <= EARLY:
        return smallest(rules.turns, mine, theirs)
    return mine, theirs


def refuted(rules: FlankRules, memory: NDArray[np.int64], rows: NDArray[np.int64], count: int, beta: int) -> int:
    """Which move leads to a position that is remembered as good enough for me: enhanced transposition cutoff; or -1."""
    for index in range(count):
        first, second = key(rules, int(rows[0, index]), int(rows[1, index]))
        entry = recall(memory, first, second)
        if entry != 0 and -upper_bound(entry) >= beta:
            return index
    return -1


def last_moves(
    axes: Axes,
    regions: NDArray[np.int64],
    control: NDArray[np.int64],
    mine: int,
    theirs: int,
    blank: int,
    alpha: int,
    beta: int,
) -> int:
    """The score with few blanks left: moves are ordered by parity alone, and nothing is remembered."""
    if halted(control):
        return 0
    if blank & (blank - 1) == 0:
        return last_move(axes, mine, theirs, blank)
    odd = odd_regions(regions, blank)
    best = LEAST
    moves, rest = blank & odd, blank & ~odd
    while moves | rest != 0:
        if moves == 0:
            moves, rest = rest, 0
        bit = moves & -moves
        moves ^= bit
        turned = turning(axes, mine, theirs, bit)
        if turned != 0:
            one, two, low = theirs & ~turned, mine | bit | turned, -max(alpha, best)
            score = -last_moves(axes, regions, control, one, two, blank ^ bit, -beta, low)
            best = max(best, score)
            if best >= beta:
                return best
    if best > LEAST:
        return best
    if flanking(axes, theirs, mine) == 0:
        return difference(mine, theirs)
    return -last_moves(axes, regions, control, theirs, mine, blank, -beta, -alpha)


def search(rules: FlankRules, room: SearchRoom, mine: int, theirs: int, ply: int, alpha: int, beta: int) -> int:
    """The score of a position: exact inside the window, a bound outside."""
    memory, control = room.memory, room.control
    blank = rules.board & ~(mine | theirs)
    blanks = popcount(blank)
    if blanks <= FEW:
        return last_moves(rules.axes, rules.regions, control, mine, theirs, blank, alpha, beta)
    if halted(control):
        return 0
    moves = flanking(rules.axes, mine, theirs)
    if moves == 0:
        if flanking(rules.axes, theirs, mine) == 0:
            return difference(mine, theirs)
        return -search(rules, room, theirs, mine, ply, -beta, -alpha)
    rows = room.scratch[ply]
    lower, upper = -rules.cells, rules.cells
    if rules.cells - 2 * popcount(theirs) <= alpha:  # stability cutoff: all their marks would be enough
        upper -= 2 * popcount(stable(rules.axes, rows[2], theirs, blank))
        if upper <= alpha:
            return upper
    first, second = key(rules, mine, theirs)
    entry = recall(memory, first, second)
    hashed = 0
    if entry != 0:
        lower, upper = max(lower, lower_bound(entry)), min(upper, upper_bound(entry))
        hashed = best_move(entry)
    if lower >= beta or upper <= alpha or lower == upper:
        return lower if lower >= beta else upper
    alpha, beta = max(alpha, lower), min(beta, upper)
    if blanks >= SHARED and control[WORKER] != ALONE and overtaken(room, ply, first, second, alpha, beta):
        return 0
    before = int(control[POSITIONS])
    count = ordered(rules, rows, mine, theirs, moves, (1 << (hashed - 1)) if hashed != 0 else 0)
    best, reached = LEAST, alpha
    chosen = refuted(rules, memory, rows, count, beta) if blanks > SOME else -1
    if chosen >= 0:
        best, count = beta, 0
    for index in range(count):
        at = place(control, index, count) if blanks >= SHARED else index
        one, two = int(rows[0, at]), int(rows[1, at])
        score = -search(rules, room, one, two, ply + 1, -beta, -reached)
        if control[HALT] != 0 or control[BACK] < ply:
            return 0
        if control[BACK] == ply:
            control[BACK] = STAY
            return int(control[ANSWER])
        chosen = at if score > best else chosen
        best, reached = max(best, score), max(reached, score)
        if reached >= beta:
            break
    lower, upper = settled(lower, upper, alpha, beta, best)
    bit = blank & (int(rows[0, chosen]) | int(rows[1, chosen]))
    keep(memory, first, second, lower, upper, int(control[POSITIONS]) - before, 1 + cell_of(bit))
    return best
