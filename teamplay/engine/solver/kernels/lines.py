"""The search where a line of one's own marks wins: open lines, forced replies, winning by threats.

A position is a pair of bitboards, the mover's marks and the other's. The search is alpha-beta in negamax form with a
transposition table; the solver calls it with null windows (`solver/__init__.py`). Before anything is searched, the
lines that are still open say how good or bad a position can be at most.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.solver.kernels.bits import marks_in, smallest
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

KERNELS = True
ENTRIES = ("search",)
INLINE = ("playable", "survey", "promise", "ordered")
WIN = 100  # the score of a win, less the plies until it


class LineRules(NamedTuple):
    """A game of lines as masks."""

    lines: NDArray[np.int64]  # [lines]
    cells: NDArray[np.int64]  # [lines, length]: the same, by their cells
    turns: NDArray[np.int64]  # [symmetries but the identity, bytes, 256]
    board: int  # all cells
    floor: int  # the cells that need no mark below them: all, unless pieces drop
    below: int  # how far below a cell the next one is
    drops: bool
    replies: int  # how many forced replies an attack looks ahead


def playable(rules: LineRules, taken: int) -> int:
    """The blank cells that may be used."""
    return rules.board & ~taken & ((taken >> rules.below) | rules.floor)


def survey(rules: LineRules, mine: int, theirs: int) -> tuple[int, int, int]:
    """Of the lines that `mine` can still complete: the cells that lack one mark, those that lack two, and all cells."""
    ones, twos, reach = 0, 0, 0
    for index in range(len(rules.lines)):
        line = int(rules.lines[index])
        if line & theirs == 0:
            reach |= line
            rest = line & ~mine
            others = rest & (rest - 1)
            if others == 0:
                ones |= rest
            elif others & (others - 1) == 0:
                twos |= rest
    return ones, twos, reach


def attack(rules: LineRules, mine: int, theirs: int, replies: int) -> int:
    """In how many plies the mover wins by threats alone, each leaving one reply; 0 if not within so many.

    This is threat-space search. Each move makes a line that lacks one mark, so there is one reply, and the tree is a
    path with few branches: deep wins are found that alpha-beta would meet only after millions of positions.
    """
    moves = playable(rules, mine | theirs)
    ones, twos, _ = survey(rules, mine, theirs)
    if ones & moves != 0:
        return 1
    moves &= twos
    while moves != 0:
        bit = moves & -moves
        moves ^= bit
        after = mine | bit
        free = playable(rules, after | theirs)
        wins = survey(rules, after, theirs)[0] & free
        if wins == 0 or survey(rules, theirs, after)[0] & free != 0:
            continue
        if wins & (wins - 1) != 0:
            return 3
        if replies > 0:
            plies = attack(rules, after, theirs | wins, replies - 1)
            if plies > 0:
                return plies + 2
    return 0


def promise(rules: LineRules, rows: NDArray[np.int64], mine: int, theirs: int) -> None:
    """Fill `rows[1]` with how good each cell looks: its open lines, the fuller the more, mine more than theirs."""
    rows[1] = 0
    for index in range(len(rules.lines)):
        line = int(rules.lines[index])
        worth = 0
        if line & theirs == 0:
            worth += 2 * (1 + marks_in(line & mine)) ** 2
        if line & mine == 0:
            worth += (1 + marks_in(line & theirs)) ** 2
        if worth != 0:
            for place in range(rules.cells.shape[1]):
                rows[1, rules.cells[index, place]] += worth


def ordered(rules: LineRules, rows: NDArray[np.int64], mine: int, theirs: int, moves: int) -> int:
    """Fill `rows[0]` with the cells of `moves`, the most promising first; says how many.

    Insertion sort, as there are few moves. Good moves first is what makes alpha-beta cut off early.
    """
    promise(rules, rows, mine, theirs)
    count = 0
    cell = 0
    while moves != 0:
        if moves & 1:
            at = count
            while at > 0 and rows[1, rows[0, at - 1]] < rows[1, cell]:
                rows[0, at] = rows[0, at - 1]
                at -= 1
            rows[0, at] = cell
            count += 1
        moves >>= 1
        cell += 1
    return count


def later(score: int) -> int:
    """A score as it counts one ply before: the end is one ply further away."""
    return score - (1 if score > 0 else 0) + (1 if score < 0 else 0)


def sooner(score: int) -> int:
    """The opposite of `later`, for the ends of a window."""
    return score + (1 if score > 0 else 0) - (1 if score < 0 else 0)


def search(rules: LineRules, room: SearchRoom, mine: int, theirs: int, ply: int, alpha: int, beta: int) -> int:
    """The score of a position that is not over: exact inside the window, a bound outside."""
    memory, control = room.memory, room.control
    if halted(control):
        return 0
    moves = playable(rules, mine | theirs)
    my_ones, _, my_reach = survey(rules, mine, theirs)
    if my_ones & moves != 0:
        return WIN - 1
    their_ones, _, their_reach = survey(rules, theirs, mine)
    forced = their_ones & moves
    if forced & (forced - 1) != 0:  # two cells to block at once
        return 2 - WIN
    # Who has no open line left can't win, and who did not win at once needs three plies at the least.
    lower = 2 - WIN if their_reach != 0 else 0
    upper = WIN - 3 if my_reach != 0 else 0
    if moves == 0 or lower == upper:
        return 0
    if rules.drops:
        moves &= ~(their_ones << rules.below)  # on a mark there they drop the winning one
        if (forced if forced != 0 else moves) & moves == 0:
            return 2 - WIN
    if lower >= beta or upper <= alpha:
        return lower if lower >= beta else upper
    # A mark whose own lines are all blocked is a wall, whoever placed it. So is a blank that no line needs, where no
    # piece may have to drop on it: an extra mark never hurts its owner, so nobody gains by having a move to waste.
    walls = (mine & ~my_reach) | (theirs & ~their_reach)
    if not rules.drops:
        walls |= rules.board & ~(mine | theirs | my_reach | their_reach)
        moves &= ~walls
    first, second = smallest(rules.turns, mine | walls, theirs | walls)
    known = recall(memory, first, second)
    if known != 0:
        lower, upper = max(lower, lower_bound(known)), min(upper, upper_bound(known))
    elif beta > 0 and my_reach != 0:
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
    for index in range(ordered(rules, room.scratch[ply], mine, theirs, forced if forced != 0 else moves)):
        after = mine | (1 << int(room.scratch[ply, 0, index]))
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
