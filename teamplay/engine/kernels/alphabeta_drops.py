"""Alpha-beta search where pieces drop into columns and a line of one's own wins, by bitboards.

The board is that of `solver/kernels/drops.py`: one word per side, a spare bit above each column, so that the cells that
complete a line come from a few shifts for all columns at once. That is some five times as fast as `alphabeta.py`, which
knows every game. The search is the same otherwise: principal variation search with a transposition table, one ply
deeper each time; who must block does so, and that costs no depth. Values are those of the seat to move.

Between two searches by evaluation the solver is asked which moves keep the value of the position, as Othello programs
do before the end of a game. It asks only whether a move wins, draws or loses, so it needs a tenth of the nodes that the
search by evaluation needs to come to the same result.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.alphabeta import AT_LEAST, AT_MOST, DECIDED, EXACT, FAR, JITTER, STOPPED
from teamplay.engine.kernels.chance import Random, draw
from teamplay.engine.kernels.game import Marks
from teamplay.engine.kernels.outlook import WON
from teamplay.engine.solver.kernels.bits import popcount
from teamplay.engine.solver.kernels.drops import DropRules, completing, search
from teamplay.engine.solver.kernels.memory import HALT, POSITIONS, SearchRoom

KERNELS = VIEWS = True
ENTRIES = ("choose_drop",)
INLINE = ("playable", "windows", "evaluation")

NODES, SEARCHES, PHASE, LIMITS = 0, 1, 2, 3  # what `counters` holds
LOOK, REST = range(2)  # the phases of the search by evaluation; the solver has a limit of its own
ENDLESS = 1 << 60
MASK = (1 << 62) - 1
MOST_SEARCHES = 1 << 23  # that the entries of the table can tell apart

# What the evaluation counts, in tenths of a unit of log-odds, by a logistic regression over 3,600 solved positions of
# connect four: having the move, a cell that completes a line, such a cell that its owner will get, and windows that
# lack two and three marks.
TEMPO, THREAT, SURE, LACKS_TWO, LACKS_THREE = 17, 6, 11, 5, 2
# What the order of moves counts for a cell that completes a line; half as much if the row is right.
MANY = 1 << 12
MOST_HISTORY = MANY - 1
ALL_REPLIES = 1000


class DropBench(NamedTuple):
    """What a search reads and writes."""

    table: NDArray[np.int64]  # [slots, 2]: the transposition table, a key and an entry per slot, the newest stays
    history: NDArray[np.int64]  # [2, bits]: how much a cell has cut off, by the seat that moves there
    jitter: NDArray[np.int64]  # [bits]: decides among moves of the first ply that look alike
    scratch: NDArray[np.int64]  # [plies, 2, columns]: the moves at each ply, and by what they are ordered
    counters: NDArray[np.int64]  # [5]: nodes so far, searches begun, the phase, and how many nodes end each phase


class DropSearcher(NamedTuple):
    """All that it takes to choose a move."""

    rules: DropRules
    bench: DropBench
    room: SearchRoom  # of the solver


def playable(rules: DropRules, taken: int) -> int:
    """The cells where a piece would come to rest."""
    return ((taken << 1) | rules.floor) & rules.board & ~taken


def windows(rules: DropRules, mine: int, theirs: int) -> int:
    """What the windows are worth that one side alone can still fill.

    All windows of a direction are counted at once: bit b of a mask stands for the window that begins in cell b. The
    masks hold the windows that lack no mark so far, one, two and three, and each cell of the windows moves those
    without a mark there on by one.
    """
    open_cells = rules.board & ~theirs
    total = 0
    for direction in range(-1, len(rules.shifts)):
        shift = 1 if direction < 0 else int(rules.shifts[direction])
        none, one, two, three = open_cells, 0, 0, 0
        for step in range(1, rules.length):
            none &= open_cells >> (step * shift)
        for step in range(rules.length):
            marks = mine >> (step * shift)
            three = (three & marks) | (two & ~marks)
            two = (two & marks) | (one & ~marks)
            one = (one & marks) | (none & ~marks)
            none &= marks
        total += LACKS_TWO * popcount(two) + LACKS_THREE * popcount(three)
    return total


def evaluation(rules: DropRules, mine: int, theirs: int, my_threats: int, their_threats: int) -> int:
    """What a quiet position is worth to the seat to move.

    A threat is a blank cell that completes a line. Who gets it is decided by parity (zugzwang): nobody wants to move
    below it, so all other columns fill up first, then this one from below. The mover gets a cell if an even number of
    blanks is filled before it, those of the other columns and those below. Above the lowest cell of a column that
    wins in this way nothing counts.
    """
    taken = mine | theirs
    blanks = popcount(rules.board & ~taken)
    rows = rules.even if (blanks - rules.height) & 1 == 0 else rules.board & ~rules.even
    my_sure, their_sure = my_threats & rows, their_threats & ~rows
    # The lowest set bit of each column: in each column, with its spare bit set, x & -x at once.
    sure = my_sure | their_sure
    lowest = sure & ((rules.floor << rules.height) - sure)
    value = TEMPO + THREAT * (popcount(my_threats) - popcount(their_threats))
    value += SURE * (popcount(my_sure & lowest) - popcount(their_sure & lowest))
    return value + windows(rules, mine, theirs) - windows(rules, theirs, mine)


def slot_of(bench: DropBench, key: int) -> int:
    """Where a position is kept; the number of slots is a power of two."""
    mixed = (key * 0x2545F4914F6CDD1D) & MASK
    return ((mixed ^ (mixed >> 32)) * 0x1B873593 >> 16) & (len(bench.table) - 1)


def entry_of(bench: DropBench, key: int) -> int:
    """What the table knows of a position in this search, or 0.

    An entry of another search does not count, so that a move depends on nothing that was searched before it. The table
    need not be cleared for that: an entry holds the number of its search.
    """
    slot = slot_of(bench, key)
    entry = int(bench.table[slot, 1])
    return entry if bench.table[slot, 0] == key and entry >> 40 == bench.counters[SEARCHES] else 0


def store(bench: DropBench, key: int, depth: int, value: int, kind: int, move: int) -> None:
    """Keep what was found in one word: the search's number, the value, the depth, the kind of bound, the move."""
    slot = slot_of(bench, key)
    bench.table[slot, 0] = key
    bench.table[slot, 1] = (
        (int(bench.counters[SEARCHES]) << 40) | ((value + FAR) << 16) | (depth << 8) | (kind << 6) | move
    )


def list_moves(rules: DropRules, bench: DropBench, ply: int, mine: int, taken: int, moves: int, known: int) -> int:
    """Write the moves of a ply, the best first: the known best, those that make most threats, history; how many."""
    seat = popcount(taken) & 1
    rows = rules.even if (popcount(rules.board & ~taken) - rules.height) & 1 == 0 else rules.board & ~rules.even
    count = 0
    while moves != 0:
        bit = moves & -moves
        moves ^= bit
        cell = popcount(bit - 1)
        threats = completing(rules, mine | bit) & ~(taken | bit)
        order = MANY * (2 * popcount(threats) + popcount(threats & rows)) + int(bench.history[seat, cell])
        order = JITTER * (order + int(rules.centre[cell]))
        if ply == 0:
            order += int(bench.jitter[cell])
        if cell == known:
            order = ENDLESS
        at = count
        while at > 0 and bench.scratch[ply, 1, at - 1] < order:
            bench.scratch[ply, 0, at] = bench.scratch[ply, 0, at - 1]
            bench.scratch[ply, 1, at] = bench.scratch[ply, 1, at - 1]
            at -= 1
        bench.scratch[ply, 0, at], bench.scratch[ply, 1, at] = bit, order
        count += 1
    return count


def estimate(
    rules: DropRules, bench: DropBench, mine: int, theirs: int, ply: int, depth: int, alpha: int, beta: int
) -> int:
    """What a position is worth to the seat to move, searched to a depth; STOPPED when the nodes are used up."""
    counters = bench.counters
    counters[NODES] += 1
    if counters[NODES] > counters[LIMITS + counters[PHASE]]:
        return STOPPED
    taken = mine | theirs
    moves = playable(rules, taken)
    my_threats = completing(rules, mine) & ~taken
    if my_threats & moves != 0:
        return WON - ply
    if moves == 0:
        return 0
    their_threats = completing(rules, theirs) & ~taken
    forced = their_threats & moves
    # Never below a cell that completes their line: they would drop a piece on top. One of two threats stays open.
    safe = (forced if forced != 0 else moves) & ~(their_threats >> 1)
    if safe == 0 or forced & (forced - 1) != 0:
        return ply + 1 - WON
    if depth <= 0 and forced == 0:
        return evaluation(rules, mine, theirs, my_threats, their_threats)
    key = mine + taken  # no two positions have the same: `taken` fills each column with ones from below
    entry, known = entry_of(bench, key), -1
    if entry != 0:
        value, kind, known = ((entry >> 16) & 0xFFFFFF) - FAR, (entry >> 6) & 3, entry & 63
        if (entry >> 8) & 255 >= min(depth, popcount(rules.board & ~taken)) or abs(value) > DECIDED:
            if kind == EXACT or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha):
                return value
    floor, best, chosen = alpha, -FAR, 0
    below = depth if forced != 0 else depth - 1
    for index in range(list_moves(rules, bench, ply, mine, taken, safe, known)):
        bit = int(bench.scratch[ply, 0, index])
        upper = beta if index == 0 else alpha + 1
        value = -estimate(rules, bench, theirs, mine | bit, ply + 1, below, -upper, -alpha)
        if upper < beta and alpha < value < beta:
            value = -estimate(rules, bench, theirs, mine | bit, ply + 1, below, -beta, -alpha)
        if value == -STOPPED:
            return STOPPED
        if value > best:
            best, chosen = value, popcount(bit - 1)
            alpha = max(alpha, value)
            if alpha >= beta:
                seat = popcount(taken) & 1
                bench.history[seat, chosen] = min(MOST_HISTORY, int(bench.history[seat, chosen]) + depth * depth)
                break
    store(bench, key, max(depth, 0), best, AT_MOST if best <= floor else AT_LEAST if best >= beta else EXACT, chosen)
    return best


def best_move(rules: DropRules, bench: DropBench, mine: int, theirs: int, count: int, depth: int) -> tuple[int, int]:
    """The value of a position that is not over, searched to a depth, and the best of `count` moves in the first row.

    That move comes to the front of them. STOPPED when the nodes are used up.
    """
    # Not constants: a recursive function that is compiled for two types of arguments breaks numba's cache.
    alpha, beta, ply, chosen = int(-FAR), int(FAR), int(1), int(0)
    for index in range(count):
        after = mine | int(bench.scratch[0, 0, index])
        upper = beta if index == 0 else alpha + 1
        value = -estimate(rules, bench, theirs, after, ply, depth - 1, -upper, -alpha)
        if upper < beta and alpha < value < beta:
            value = -estimate(rules, bench, theirs, after, ply, depth - 1, -beta, -alpha)
        if value == -STOPPED:
            return STOPPED, 0
        if value > alpha:
            alpha, chosen = value, index
    best = int(bench.scratch[0, 0, chosen])
    for index in range(chosen, 0, -1):
        bench.scratch[0, 0, index] = bench.scratch[0, 0, index - 1]
    bench.scratch[0, 0, 0] = best
    return alpha, best


def deepen(
    rules: DropRules, bench: DropBench, mine: int, theirs: int, count: int, reached: int
) -> tuple[int, int, int]:
    """The best of `count` moves in the first row, its value, and the depth: deeper and deeper within the phase's nodes.

    It begins one ply beyond the depth that was reached before. A depth that is cut off does not count; if that is the
    first, the answer is the first move, an unknown value and the depth before.
    """
    counters = bench.counters
    chosen, value = int(bench.scratch[0, 0, 0]), int(0)
    limit = LIMITS + int(counters[PHASE])
    for depth in range(reached + 1, popcount(rules.board & ~(mine | theirs)) + 1):
        found, move = best_move(rules, bench, mine, theirs, count, depth)
        if found == STOPPED:
            break
        chosen, value, reached = move, found, depth
        if abs(value) > DECIDED or counters[NODES] >= counters[limit]:
            break
    return chosen, value, reached


def prove(searcher: DropSearcher, mine: int, theirs: int, count: int) -> tuple[int, int]:
    """Ask the solver about `count` moves in the first row, and leave the best of them: how many, and their value.

    First a move is looked for that does not lose, in the order in which the moves look best: that keeps the search by
    evaluation from a blunder, and costs least. Then one that wins; then what the others are worth. If the nodes
    suffice, the value is 1, 0 or -1, and one move is left: one that wins, or else the `trickiest` of those that keep
    the value. If not, the value is STOPPED, and those are left that are known not to lose, or if there is none, all
    that are not known to lose.
    """
    room, moves = searcher.room, searcher.bench.scratch
    held, lost, ply = int(0), int(0), int(1)
    for question in range(3):
        for index in range(count):
            bit = int(moves[0, 0, index])
            if bit & lost != 0 or (question == 0 and held != 0) or (question == 2 and bit & held != 0):
                continue
            # What the position after such a move is worth to the other seat at most.
            bound = int(-1) if question == 1 else int(0)
            before = int(room.control[POSITIONS])
            holds = search(searcher.rules, room, theirs, mine | bit, ply, bound, bound + 1) <= bound
            if room.control[HALT] != 0:
                return picked(moves, count, held if held != 0 else ~lost), STOPPED
            if holds and question == 1:
                return picked(moves, count, bit), 1
            if holds:
                held |= bit
                continue
            moves[0, 1, index] = room.control[POSITIONS] - before
            if question != 1:
                lost |= bit
        if held == 0:
            return picked(moves, count, trickiest(searcher, mine, theirs, count, held)), -1
    return picked(moves, count, trickiest(searcher, mine, theirs, count, held)), 0


def trickiest(searcher: DropSearcher, mine: int, theirs: int, count: int, held: int) -> int:
    """Of moves that draw, those in the mask `held`, or that all lose, if it is 0, the one that is hardest to answer.

    Hard to answer is a move if few of the replies keep its value; among equals, if it took the solver much work to
    refute it, which the second row tells. If the nodes do not suffice for all moves, the work decides alone.
    """
    moves = searcher.bench.scratch
    best, fewest, most, bound = int(0), int(ALL_REPLIES), int(-1), int(0) if held != 0 else int(-1)
    for index in range(count):
        bit = int(moves[0, 0, index])
        if held == 0 or bit & held != 0:
            share, work = replies_that_keep(searcher, mine | bit, theirs, bound), int(moves[0, 1, index])
            if share < fewest or (share == fewest and work > most):
                best, fewest, most = bit, share, work
    return best


def replies_that_keep(searcher: DropSearcher, mine: int, theirs: int, bound: int) -> int:
    """Of the replies to a move, how many in a thousand leave the mover no more than a bound; ALL_REPLIES if unknown.

    Replies after which the mover wins at once are not counted: nobody falls for that.
    """
    rules, room = searcher.rules, searcher.room
    taken = mine | theirs
    replies = playable(rules, taken)
    if completing(rules, theirs) & replies != 0:
        return ALL_REPLIES
    threats = completing(rules, mine) & ~taken
    forced = threats & replies
    replies = (forced if forced != 0 else replies) & ~(threats >> 1)
    count, keep, ply = int(0), int(0), int(2)
    while replies != 0:
        bit = replies & -replies
        replies ^= bit
        count += 1
        keep += 1 if search(rules, room, mine, theirs | bit, ply, bound, bound + 1) <= bound else 0
        if room.control[HALT] != 0:
            return ALL_REPLIES
    return ALL_REPLIES * keep // max(count, 1)


def picked(moves: NDArray[np.int64], count: int, mask: int) -> int:
    """Leave those of the first `count` moves of the first row that are in a mask, in their order: how many."""
    left = 0
    for index in range(count):
        bit = int(moves[0, 0, index])
        if bit & mask != 0:
            moves[0, 0, left] = bit
            left += 1
    return left


def begin(searcher: DropSearcher, random: Random) -> None:
    """Forget what was learnt of another position; the generator decides among moves that look alike."""
    bench, room = searcher.bench, searcher.room
    bench.counters[NODES] = 0
    bench.counters[PHASE] = LOOK
    bench.counters[SEARCHES] += 1
    if bench.counters[SEARCHES] == MOST_SEARCHES:
        bench.counters[SEARCHES] = 1
        for slot in range(len(bench.table)):
            bench.table[slot, 1] = 0
    for cell in range(len(bench.jitter)):
        bench.history[0, cell] = bench.history[1, cell] = 0
        bench.jitter[cell] = draw(random, JITTER)
    for row in range(len(room.memory)):
        room.memory[row, 0], room.memory[row, 1], room.memory[row, 2] = 0, 0, 0
    room.control[POSITIONS] = room.control[HALT] = 0


def best_drop(searcher: DropSearcher, mine: int, theirs: int, random: Random) -> tuple[int, int, int]:
    """The move chosen, as a bit, what it is worth, and how deep the search by evaluation went.

    A first look orders the moves. Then the solver tries to decide the position. If it can't, the search by evaluation
    chooses among the moves that are left with the rest of the nodes. It goes on where it was, unless its choice was
    refuted: then it begins again, with a table that knows all that it has seen.
    """
    rules, bench, room = searcher.rules, searcher.bench, searcher.room
    begin(searcher, random)
    taken = mine | theirs
    moves = playable(rules, taken)
    wins = completing(rules, mine) & moves
    if wins != 0:
        return wins & -wins, WON, 1
    count = list_moves(rules, bench, 0, mine, taken, moves, -1)
    before = int(0)
    chosen, value, depth = deepen(rules, bench, mine, theirs, count, before)
    if abs(value) > DECIDED:
        return chosen, value, depth
    left, proved = prove(searcher, mine, theirs, count)
    bench.counters[NODES] += room.control[POSITIONS]
    if proved != STOPPED:
        return int(bench.scratch[0, 0, 0]), proved * (WON - popcount(rules.board & ~taken)), depth
    if left == 1:
        return int(bench.scratch[0, 0, 0]), value, depth
    bench.counters[PHASE] = REST
    before = depth if bench.scratch[0, 0, 0] == chosen else int(0)
    found, better, reached = deepen(rules, bench, mine, theirs, left, before)
    return found, value if reached == before else better, reached


def choose_drop(searcher: DropSearcher, board: Marks, mover: int, random: Random) -> tuple[int, int, int]:
    """The cell of the move chosen on a board, what it is worth, and how deep the search by evaluation went."""
    rules = searcher.rules
    mine, theirs = int(0), int(0)
    for cell in range(len(board)):
        bit = 1 << (cell % rules.columns * (rules.height + 1) + rules.height - 1 - cell // rules.columns)
        if board[cell] == mover + 1:
            mine |= bit
        elif board[cell] != 0:
            theirs |= bit
    found, value, depth = best_drop(searcher, mine, theirs, random)
    column, row = divmod(popcount(found - 1), rules.height + 1)
    return (rules.height - 1 - row) * rules.columns + column, value, depth
