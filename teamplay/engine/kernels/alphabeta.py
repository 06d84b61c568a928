"""Alpha-beta search by the rules of any game: iterative deepening calls it with one ply more each time.

Principal variation search: the first move gets the whole window, the others a null window, and again a whole one if
they surprise. A transposition table keeps bounds and the best move of each position; killer moves and the history of
cut-offs order the others. In games of lines a position in which somebody could complete a line is never evaluated:
who must block does so, and that costs no depth. Values are those of the seat to move.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.chance import Random, draw
from teamplay.engine.kernels.game import (
    DRAW,
    FLANK,
    LOSES,
    MAJORITY,
    NOBODY,
    SCORES,
    WINS,
    GameArrays,
    Marks,
    Numbers,
    all_completed,
    fits,
    following,
    is_race,
    list_changed,
    winner,
)
from teamplay.engine.kernels.outlook import (
    FINISHES,
    POINT,
    STOPS,
    WON,
    all_windows,
    corner_value,
    evaluation,
    finishing,
    is_wide,
    near,
    prospect,
    spelling,
)

KERNELS = VIEWS = True
ENTRIES = ("search", "deepen")

DECIDED = WON // 4  # beyond it, a value is that of the end of the game
FAR = 4 * WON
STOPPED = 8 * WON  # what a search says that ran out of nodes
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
WIDEST = 24  # moves of a large board of lines that are looked at
HASH = (1 << 62) - 1
MOST_HISTORY = 1 << 13
KILLER, COMPLETES, KNOWN = 1 << 14, 1 << 16, 1 << 25  # what a move's order counts
# Where a game stands: who moves, the ply, the cell of the last move or -1, the points and the worth of all windows
# (the first seat's less the second's), and the hash of the board.
Standing = tuple[int, int, int, int, int, int]
JITTER = 16  # by which orders are multiplied, so that fewer than so much only decides among ties


class BoundTable(NamedTuple):
    """The transposition table: one entry per slot, the newest stays."""

    keys: NDArray[np.int64]  # [slots]
    values: NDArray[np.int32]  # [slots]
    depths: NDArray[np.int8]  # [slots]
    kinds: NDArray[np.int8]  # [slots]: EXACT, AT_LEAST or AT_MOST
    moves: NDArray[np.int32]  # [slots]: the best action, or -1


class Bench(NamedTuple):
    """What a search reads and writes besides the table."""

    board: Marks  # [cells]
    zobrist: Numbers  # [marks + 1, cells]: a random word for each mark in each cell; 0 for blanks
    turn: Numbers  # [2]: a random word for each seat to move
    killers: NDArray[np.int32]  # [plies, 2]: what refuted siblings
    history: NDArray[np.int32]  # [2, actions]: how much an action has cut off
    jitter: NDArray[np.int32]  # [actions]: decides among moves of the first ply that look alike
    actions: NDArray[np.int32]  # [plies, actions]: the moves at each ply
    scores: NDArray[np.int32]  # [plies, actions]: by which they are ordered
    gains: NDArray[np.int32]  # [plies, actions]: by how much they change the windows of lines
    changed: Numbers  # [cells]: the cells that a move changes
    turned: NDArray[np.int32]  # [plies, cells]: the same at each ply, to take the move back
    counters: Numbers  # [2]: nodes so far, and how many are allowed


def hashed(bench: Bench, mover: int, points: int, key: int) -> int:
    """A position's key in the table: its board's, who moves, and the points, which are part of its value."""
    return (key ^ int(bench.turn[mover]) ^ (points * 0x9E3779B97F4A7C1)) & HASH


def list_actions(game: GameArrays, bench: Bench, mover: int, ply: int, known: int, near_only: bool) -> tuple[int, int]:
    """Write the actions of a ply with their order: the known best, wins and blocks, killers, history.

    Says how many there are, and whether they are FINISHES or STOPS: then no other move needs to be looked at.
    """
    board = bench.board
    count, forced = 0, 0
    lines = is_race(game)
    for cell in range(game.cells):
        if not fits(game, board, cell, mover + 1) or (near_only and not near(game, board, cell)):
            continue
        for letter in range(game.letters):
            action = cell * game.letters + letter
            score, change = bench.history[mover, action], 0
            if lines:
                change, urgency, does = prospect(game, board, cell, mover + 1)
                score += 64 * (-urgency if game.effect == LOSES else urgency)
                if game.effect == WINS and does & FINISHES:
                    bench.actions[ply, 0], bench.gains[ply, 0], bench.scores[ply, 0] = action, change, 0
                    return 1, FINISHES
                if game.effect == WINS and does & STOPS:
                    if not forced:
                        count = 0
                    forced = STOPS
                elif forced:
                    continue
            elif game.placement == FLANK:
                score += 1000 * corner_value(game, cell)
            elif game.shared:
                completes, gives = spelling(game, board, cell, letter + 1)
                score += COMPLETES * (-completes if game.effect == LOSES else completes) - 1000 * gives
            if action == bench.killers[ply, 0] or action == bench.killers[ply, 1]:
                score += KILLER
            if action == known:
                score = KNOWN
            bench.actions[ply, count] = action
            jitter = bench.jitter[action] if ply == 0 else 0
            bench.scores[ply, count] = JITTER * max(-KNOWN, min(score, KNOWN)) + jitter
            bench.gains[ply, count] = change
            count += 1
    return count, forced


def pick(bench: Bench, ply: int, begin: int, count: int) -> None:
    """Move the best of the actions that are left to the front of them: most moves are never sorted."""
    best = begin
    for i in range(begin + 1, count):
        if bench.scores[ply, i] > bench.scores[ply, best]:
            best = i
    action, score, gain = bench.actions[ply, best], bench.scores[ply, best], bench.gains[ply, best]
    bench.actions[ply, best] = bench.actions[ply, begin]
    bench.scores[ply, best] = bench.scores[ply, begin]
    bench.gains[ply, best] = bench.gains[ply, begin]
    bench.actions[ply, begin], bench.scores[ply, begin], bench.gains[ply, begin] = action, score, gain


def make(game: GameArrays, bench: Bench, standing: Standing, i: int, blanks: int) -> tuple[int, int, Standing]:
    """Make move number i of a ply: how many cells it changed, who has won by it, and where the game stands then."""
    mover, ply, _, points, windows, key = standing
    action = int(bench.actions[ply, i])
    cell, mark = action // game.letters, mark_of(game, mover, action)
    turned = list_changed(game, bench.board, cell, mark, bench.changed)
    key ^= bench.zobrist[mark, cell]
    bench.board[cell] = mark
    bench.turned[ply, 0] = cell
    for j in range(1, turned):
        at = bench.changed[j]
        key ^= bench.zobrist[bench.board[at], at] ^ bench.zobrist[mark, at]
        bench.board[at] = mark
        bench.turned[ply, j] = at
    found = all_completed(game, bench.board, bench.changed, turned)
    sign = 1 if mover == 0 else -1
    points += sign * found
    windows += sign * int(bench.gains[ply, i])
    won = winner(game, bench.board, mover, found, points, blanks - 1)
    then = following(game, bench.board, mover, found) if won == NOBODY else mover
    return turned, won, (then, ply + 1, cell, points, windows, key)


def mark_of(game: GameArrays, mover: int, action: int) -> int:
    """The mark that an action places: a letter of its own choice, or the mover's."""
    return action % game.letters + 1 if game.shared else mover + 1


def take_back(bench: Bench, ply: int, turned: int, mark: int) -> None:
    """Undo the move of a ply."""
    bench.board[bench.turned[ply, 0]] = 0
    for j in range(1, turned):
        bench.board[bench.turned[ply, j]] = 3 - mark


def final_value(game: GameArrays, board: Marks, mover: int, points: int, won: int, ply: int) -> int:
    """What an end is worth to who made the last move: a quick win most; where amounts decide, more is better."""
    if won == DRAW:
        return 0
    if game.effect != SCORES and game.goal != MAJORITY:
        return WON - ply if won == mover else ply - WON
    amount = points
    if game.goal == MAJORITY:
        amount = 0
        for cell in range(game.cells):
            amount += (1 if board[cell] == 1 else 0) - (1 if board[cell] == 2 else 0)
    if mover == 1:
        amount = -amount
    return WON // 2 + POINT * amount if won == mover else -WON // 2 + POINT * amount


def remember(bench: Bench, mover: int, ply: int, action: int, depth: int) -> None:
    """A move that cut off: try it early elsewhere."""
    if bench.killers[ply, 0] != action:
        bench.killers[ply, 1] = bench.killers[ply, 0]
        bench.killers[ply, 0] = action
    bench.history[mover, action] = min(MOST_HISTORY, bench.history[mover, action] + depth * depth)


def is_quiet(game: GameArrays, bench: Bench, mover: int, last: int, depth: int) -> bool:
    """Whether a position is evaluated where it stands (quiescence).

    In games of lines that is no position in which the last move threatens to complete one: blocking it costs no depth.
    """
    if depth > 0:
        return False
    lines = is_race(game) and game.effect == WINS
    return not (lines and last >= 0 and finishing(game, bench.board, last, 2 - mover) >= 0)


def probe(bounds: BoundTable, full: int, depth: int, alpha: int, beta: int) -> int:
    """The value that the transposition table knows, if it settles a search with these bounds; else STOPPED.

    A value of another depth does not count: the evaluation sees a position differently after an odd number of plies
    and after an even one. The move of such an entry is still tried first.
    """
    slot = full % len(bounds.keys)
    if bounds.keys[slot] != full or bounds.depths[slot] != depth:
        return STOPPED
    value, kind = int(bounds.values[slot]), bounds.kinds[slot]
    settles = kind == EXACT or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha)
    return value if settles else STOPPED


def store(bounds: BoundTable, full: int, depth: int, value: int, kind: int, action: int) -> None:
    """Keep what a search has found; the newest entry of a slot stays."""
    slot = full % len(bounds.keys)
    bounds.keys[slot] = full
    bounds.values[slot] = value
    bounds.depths[slot] = depth
    bounds.moves[slot] = action
    bounds.kinds[slot] = kind


def list_worthwhile(
    game: GameArrays, bounds: BoundTable, bench: Bench, mover: int, ply: int, full: int
) -> tuple[int, int, int, int]:
    """Write the actions of a ply that are looked at: how many, whether they are forced, how many are left out, blanks.

    On a large board of lines most moves are far from everything. Those near other marks are listed, and below the root
    the WIDEST best of them are looked at (forward pruning); a win or a block that is forced leaves nothing out.
    """
    blanks = 0
    for cell in range(game.cells):
        blanks += 1 if bench.board[cell] == 0 else 0
    slot = full % len(bounds.keys)
    known = int(bounds.moves[slot]) if bounds.keys[slot] == full else -1
    wide = is_wide(game) and blanks < game.cells
    count, forced = list_actions(game, bench, mover, ply, known, wide)
    if count == 0 and wide:
        wide = False
        count, forced = list_actions(game, bench, mover, ply, known, False)
    prunes = wide and forced == 0 and ply > 0
    return count, forced, 1 if prunes else 0, blanks


def search(
    game: GameArrays, bounds: BoundTable, bench: Bench, standing: Standing, depth: int, alpha: int, beta: int
) -> int:
    """What a position is worth to the seat to move, searched to a depth; STOPPED when the nodes are used up.

    Principal variation search: the first move gets the whole window. The others only have to show that they are no
    better, by a null window, which is quick; one that surprises is searched again. With another turn of the same seat
    values and bounds stay on its side, else they change sides (negamax).
    """
    mover, ply, last, points, windows, key = standing
    bench.counters[0] += 1
    if bench.counters[0] > bench.counters[1]:
        return STOPPED
    if ply >= len(bench.killers) - 1 or is_quiet(game, bench, mover, last, depth):
        return evaluation(game, bench.board, mover, points, windows, ply)
    full = hashed(bench, mover, points, key)
    value = probe(bounds, full, depth, alpha, beta)
    if value != STOPPED:
        return value
    count, forced, prunes, blanks = list_worthwhile(game, bounds, bench, mover, ply, full)
    if forced == STOPS and count > 1 and ply > 0:
        return ply + 1 - WON  # only one of two threats can be blocked
    looked, floor, best, chosen = count, alpha, -FAR, -1
    if prunes:
        # Moves are left out here, so that all others lose proves nothing: one that was left out may be this good.
        looked, best = min(count, WIDEST), ply - DECIDED
        alpha = max(alpha, best)
        if alpha >= beta:
            return best
    below = depth if forced == STOPS else depth - 1
    for i in range(looked):
        pick(bench, ply, i, count)
        action = int(bench.actions[ply, i])
        turned, won, here = make(game, bench, standing, i, blanks)
        if won == NOBODY:
            sign = 1 if here[0] == mover else -1
            upper = beta if i == 0 else alpha + 1
            low, high = min(sign * alpha, sign * upper), max(sign * alpha, sign * upper)
            value = sign * search(game, bounds, bench, here, below, low, high)
            if upper < beta and alpha < value < beta:
                low, high = min(sign * alpha, sign * beta), max(sign * alpha, sign * beta)
                value = sign * search(game, bounds, bench, here, below, low, high)
        else:
            value = final_value(game, bench.board, mover, here[3], won, ply)
        take_back(bench, ply, turned, mark_of(game, mover, action))
        if value == STOPPED or value == -STOPPED:
            return STOPPED
        if value > best:
            best, chosen = value, action
            alpha = max(alpha, value)
            if alpha >= beta:
                remember(bench, mover, ply, action, depth)
                break
    store(bounds, full, depth, best, AT_MOST if best <= floor else AT_LEAST if best >= beta else EXACT, chosen)
    return best


def deepen(game: GameArrays, bounds: BoundTable, bench: Bench, mover: int, points: int, random: Random) -> int:
    """The best action on the bench's board: deeper and deeper within the nodes that the counters allow.

    What was learnt of another position is forgotten; the generator decides among moves that look alike. One ply is
    always searched, and a depth that is cut off does not count.
    """
    nodes = bench.counters[1]
    for ply in range(len(bench.killers)):
        bench.killers[ply, 0] = bench.killers[ply, 1] = -1
    for slot in range(len(bounds.keys)):
        bounds.keys[slot] = 0
    for action in range(len(bench.jitter)):
        bench.history[0, action] = bench.history[1, action] = 0
        bench.jitter[action] = draw(random, JITTER)
    # Not constants: a recursive function that is compiled for two types of arguments breaks numba's cache.
    ply, last, key, windows, blanks = int(0), int(-1), int(0), int(0), int(0)
    alpha, beta = int(-FAR), int(FAR)
    for cell in range(game.cells):
        blanks += 1 if bench.board[cell] == 0 else 0
        key ^= int(bench.zobrist[bench.board[cell], cell])
    if is_race(game):
        windows = all_windows(game, bench.board)
    here = (mover, ply, last, points, windows, key)
    root = hashed(bench, mover, points, key) % len(bounds.keys)
    chosen = int(-1)
    bench.counters[0] = 0
    for depth in range(1, max(2, min(len(bench.killers) - 1, blanks + 1))):
        bench.counters[1] = HASH if depth == 1 else nodes
        value = search(game, bounds, bench, here, depth, alpha, beta)
        if value == STOPPED:
            break
        chosen = int(bounds.moves[root])
        if value > DECIDED or (value < -DECIDED and not is_wide(game)):
            break
    bench.counters[1] = nodes
    return chosen
