"""Alpha-beta search by the rules of any game: iterative deepening calls it with one ply more each time.

Principal variation search: the first move gets the whole window, the others a null window, and again a whole one if
they surprise. A transposition table keeps bounds and the best move of each position; killer moves and the history of
cut-offs order the others. In games of lines a position in which somebody could complete a line is never evaluated:
who must block does so, and that costs no depth. Values are those of the seat to move.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.game import (
    DRAW,
    FLANK,
    LINE,
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
    list_changed,
    winner,
)
from teamplay.engine.kernels.outlook import (
    FINISHES,
    POINT,
    STOPS,
    WON,
    corner_value,
    evaluation,
    finishing,
    is_wide,
    near,
    prospect,
    spelling,
)

KERNELS = VIEWS = True
ENTRIES = ("search",)

DECIDED = WON // 4  # beyond it, a value is that of the end of the game
FAR = 4 * WON
STOPPED = 8 * WON  # what a search says that ran out of nodes
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
WIDEST = 24  # moves of a large board of lines that are looked at
HASH = (1 << 62) - 1
MOST_HISTORY = 1 << 13
KILLER, COMPLETES, KNOWN = 1 << 14, 1 << 16, 1 << 25  # what a move's order counts
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
    lines = game.goal == LINE and not game.shared and game.placement != FLANK
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


def make(game: GameArrays, bench: Bench, ply: int, cell: int, mark: int, key: int) -> tuple[int, int]:
    """Make a move: how many cells it changed, and the board's key after it."""
    turned = list_changed(game, bench.board, cell, mark, bench.changed)
    key ^= bench.zobrist[mark, cell]
    bench.board[cell] = mark
    bench.turned[ply, 0] = cell
    for j in range(1, turned):
        at = bench.changed[j]
        key ^= bench.zobrist[bench.board[at], at] ^ bench.zobrist[mark, at]
        bench.board[at] = mark
        bench.turned[ply, j] = at
    return turned, key


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


def search(
    game: GameArrays,
    bounds: BoundTable,
    bench: Bench,
    standing: tuple[int, int, int, int, int, int],
    depth: int,
    alpha: int,
    beta: int,
) -> int:
    """What a position is worth to the seat to move, searched to a depth; STOPPED when the nodes are used up.

    `standing` is who moves, the ply, the cell of the last move or -1, the points of the first seat less the second's,
    the worth of all windows, and the hash of the board.
    """
    mover, ply, last, points, windows, key = standing
    bench.counters[0] += 1
    if bench.counters[0] > bench.counters[1]:
        return STOPPED
    board = bench.board
    lines = game.goal == LINE and game.effect == WINS and not game.shared and game.placement != FLANK
    if ply >= len(bench.killers) - 1:
        return evaluation(game, board, mover, points, windows, ply)
    if depth <= 0 and not (lines and last >= 0 and finishing(game, board, last, 2 - mover) >= 0):
        return evaluation(game, board, mover, points, windows, ply)
    full = hashed(bench, mover, points, key)
    slot = full % len(bounds.keys)
    known = -1
    if bounds.keys[slot] == full:
        known = bounds.moves[slot]
        if bounds.depths[slot] == depth:
            value = int(bounds.values[slot])
            kind = bounds.kinds[slot]
            if kind == EXACT or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha):
                return value
    blanks = 0
    for cell in range(game.cells):
        blanks += 1 if board[cell] == 0 else 0
    wide = is_wide(game) and blanks < game.cells
    count, forced = list_actions(game, bench, mover, ply, known, wide)
    if count == 0 and wide:
        wide = False
        count, forced = list_actions(game, bench, mover, ply, known, False)
    if forced == STOPS and count > 1 and ply > 0:
        return ply + 1 - WON  # only one of two threats can be blocked
    looked, floor, best, chosen = count, alpha, -FAR, -1
    if wide and forced == 0 and ply > 0:
        # Moves are left out here, so that all others lose proves nothing: one that was left out may be this good.
        looked = min(count, WIDEST)
        best = ply - DECIDED
        alpha = max(alpha, best)
        if alpha >= beta:
            return best
    below = depth if forced == STOPS else depth - 1
    for i in range(looked):
        pick(bench, ply, i, count)
        action = int(bench.actions[ply, i])
        cell = action // game.letters
        mark = action % game.letters + 1 if game.shared else mover + 1
        gain = int(bench.gains[ply, i])
        turned, after_key = make(game, bench, ply, cell, mark, key)
        found = all_completed(game, board, bench.changed, turned)
        gained = points + (found if mover == 0 else -found)
        won = winner(game, board, mover, found, gained, blanks - 1)
        value = alpha
        if won == NOBODY:
            then = following(game, board, mover, found)
            here = (then, ply + 1, cell, gained, windows + (gain if mover == 0 else -gain), after_key)
            # With another turn of the same seat the values stay on this side; else they change sides.
            whole = i == 0
            if not whole:
                if then == mover:
                    value = search(game, bounds, bench, here, below, alpha, alpha + 1)
                else:
                    value = -search(game, bounds, bench, here, below, -alpha - 1, -alpha)
                whole = alpha < value < beta
            if whole:
                if then == mover:
                    value = search(game, bounds, bench, here, below, alpha, beta)
                else:
                    value = -search(game, bounds, bench, here, below, -beta, -alpha)
        else:
            value = final_value(game, board, mover, gained, won, ply)
        take_back(bench, ply, turned, mark)
        if value == STOPPED or value == -STOPPED:
            return STOPPED
        if value > best:
            best, chosen = value, action
            alpha = max(alpha, value)
            if alpha >= beta:
                remember(bench, mover, ply, action, depth)
                break
    bounds.keys[slot] = full
    bounds.values[slot] = best
    bounds.depths[slot] = depth
    bounds.moves[slot] = chosen
    bounds.kinds[slot] = AT_MOST if best <= floor else AT_LEAST if best >= beta else EXACT
    return best
