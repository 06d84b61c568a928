"""Minimax to a fixed depth: every best move, and the same values as the plain search of `players/minimax.py`.

A position where the search ends is worth what its kind of game counts: open windows in games of lines, points or marks
where amounts decide, nothing in other games. A decided game is worth far more, and the sooner the better.
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
from teamplay.engine.kernels.outlook import FINISHES, all_windows, prospect

KERNELS = VIEWS = True
ENTRIES = ("best_actions", "best_cells")

WON = 1_000_000_000  # a decided game, less the moves that it takes where no amounts decide
FAR = 4 * WON

# Where a game stands: who moves, how many moves were made since the root, what the position is worth to the first seat
# if the search ends here, and how many cells are blank.
Standing = tuple[int, int, int, int]


class FixedDepthRoom(NamedTuple):
    """What a search reads and writes."""

    board: Marks  # [cells]
    actions: NDArray[np.int32]  # [plies, actions]: the moves at each ply, a cell times the letters plus the letter
    values: Numbers  # [plies, actions]: what the position right after each is worth to who made it
    ended: NDArray[np.bool_]  # [plies, actions]: whether the game is over then
    refuters: NDArray[np.int32]  # [plies]: what cut off a sibling (killer move)
    changed: Numbers  # [cells]: the cells that a move changes
    turned: NDArray[np.int32]  # [plies, cells]: the same at each ply, to take the move back
    best: NDArray[np.int32]  # [actions]: the best moves at the root


def counts_windows(game: GameArrays) -> bool:
    """Whether open windows decide what a position is worth."""
    return game.goal == LINE and not game.shared and game.effect != SCORES and game.placement != FLANK


def counts_amounts(game: GameArrays) -> bool:
    """Whether points or marks decide who has won."""
    return game.goal == MAJORITY or game.effect == SCORES


def worth_at_root(game: GameArrays, board: Marks, points: int) -> int:
    """What a position is worth to the first seat where nothing is searched."""
    if counts_windows(game):
        windows = all_windows(game, board)
        return -windows if game.effect == LOSES else windows
    if game.goal == MAJORITY:
        total = 0
        for cell in range(game.cells):
            total += (1 if board[cell] == 1 else 0) - (1 if board[cell] == 2 else 0)
        return total
    return points if game.effect == SCORES else 0


def put(game: GameArrays, room: FixedDepthRoom, mover: int, ply: int, action: int) -> tuple[int, int]:
    """Make a move on the board: how many cells it changed, and how many lines or words it completed."""
    cell = action // game.letters
    mark = action % game.letters + 1 if game.shared else mover + 1
    count = list_changed(game, room.board, cell, mark, room.changed)
    for j in range(count):
        room.turned[ply, j] = room.changed[j]
        room.board[room.changed[j]] = mark
    return count, all_completed(game, room.board, room.changed, count)


def take_back(room: FixedDepthRoom, mover: int, ply: int, count: int) -> None:
    """Undo the move of a ply; only the other seat's marks can have been turned by it."""
    room.board[room.turned[ply, 0]] = 0
    for j in range(1, count):
        room.board[room.turned[ply, j]] = 2 - mover


def look(game: GameArrays, room: FixedDepthRoom, standing: Standing, action: int) -> tuple[int, bool]:
    """What the position right after a move is worth to who makes it, and whether the game is over then.

    In games of lines this needs no move on the board: only the windows through the cell change.
    """
    mover, ply, worth, blanks = standing
    mine = worth if mover == 0 else -worth
    if counts_windows(game):
        change, _, does = prospect(game, room.board, action, mover + 1)
        if does & FINISHES:
            return (WON - ply - 1 if game.effect == WINS else ply + 1 - WON), True
        if blanks == 1:
            return 0, True
        return (mine - change if game.effect == LOSES else mine + change), False
    count, found = put(game, room, mover, ply, action)
    if game.goal == MAJORITY:
        mine += 2 * count - 1
    elif game.effect == SCORES:
        mine += found
    won = winner(game, room.board, mover, found, mine if mover == 0 else -mine, blanks - 1)
    take_back(room, mover, ply, count)
    if won == NOBODY:
        return mine, False
    if counts_amounts(game):
        return mine + (0 if won == DRAW else WON if won == mover else -WON), True
    return (0 if won == DRAW else WON - ply - 1 if won == mover else ply + 1 - WON), True


def list_actions(game: GameArrays, room: FixedDepthRoom, standing: Standing) -> int:
    """Write the moves of a ply and what each leads to at once; says how many there are."""
    mover, ply, _, _ = standing
    count = 0
    for cell in range(game.cells):
        if fits(game, room.board, cell, mover + 1):
            for letter in range(game.letters):
                action = cell * game.letters + letter
                value, ended = look(game, room, standing, action)
                room.actions[ply, count], room.values[ply, count], room.ended[ply, count] = action, value, ended
                count += 1
    return count


def bring_forward(room: FixedDepthRoom, ply: int, begin: int, count: int) -> None:
    """Move the most promising of the moves that are left to their front: the refuter, then by what each leads to."""
    best = begin
    for i in range(begin, count):
        if room.actions[ply, i] == room.refuters[ply]:
            best = i
            break
        if room.values[ply, i] > room.values[ply, best]:
            best = i
    action, value, ended = room.actions[ply, best], room.values[ply, best], room.ended[ply, best]
    room.actions[ply, best] = room.actions[ply, begin]
    room.values[ply, best] = room.values[ply, begin]
    room.ended[ply, best] = room.ended[ply, begin]
    room.actions[ply, begin], room.values[ply, begin], room.ended[ply, begin] = action, value, ended


def enter(game: GameArrays, room: FixedDepthRoom, standing: Standing, i: int) -> tuple[int, Standing]:
    """Make move number i of a ply, which does not end the game: how many cells it changed, where the game stands."""
    mover, ply, _, blanks = standing
    value = int(room.values[ply, i])
    changed, found = put(game, room, mover, ply, int(room.actions[ply, i]))
    then = following(game, room.board, mover, found)
    return changed, (then, ply + 1, value if mover == 0 else -value, blanks - 1)


def best_at_once(game: GameArrays, room: FixedDepthRoom, standing: Standing, beta: int) -> int:
    """What the best move leads to at once; a move that reaches `beta` is enough."""
    mover, ply, _, _ = standing
    best = int(-FAR)
    refuter = int(room.refuters[ply])
    if refuter >= 0 and fits(game, room.board, refuter // game.letters, mover + 1):
        best = look(game, room, standing, refuter)[0]
    for cell in range(game.cells):
        if best >= beta:
            break
        if fits(game, room.board, cell, mover + 1):
            for letter in range(game.letters):
                value = look(game, room, standing, cell * game.letters + letter)[0]
                if value > best:
                    best = value
                    if value >= beta:
                        room.refuters[ply] = cell * game.letters + letter
                        break
    return best


def search(game: GameArrays, room: FixedDepthRoom, standing: Standing, depth: int, alpha: int, beta: int) -> int:
    """What a position is worth to the seat to move (alpha-beta): exact between the bounds, else a bound itself.

    With another turn of the same seat values and bounds stay on its side, else they change sides (negamax).
    """
    if depth == 1:
        return best_at_once(game, room, standing, beta)
    mover, ply, _, _ = standing
    count = list_actions(game, room, standing)
    best = int(-FAR)
    for i in range(count):
        bring_forward(room, ply, i, count)
        value = int(room.values[ply, i])
        if not room.ended[ply, i]:
            changed, here = enter(game, room, standing, i)
            sign = 1 if here[0] == mover else -1
            low, high = min(sign * alpha, sign * beta), max(sign * alpha, sign * beta)
            value = sign * search(game, room, here, depth - 1, low, high)
            take_back(room, mover, ply, changed)
        if value > best:
            best = value
            if value >= beta:
                room.refuters[ply] = room.actions[ply, i]
                break
            alpha = max(alpha, value)
    return best


def best_actions(game: GameArrays, room: FixedDepthRoom, mover: int, points: int, depth: int) -> int:
    """Write every best move on the room's board to `best`; says how many there are.

    No cut-off may hide a tie here, so a move is dropped only if it is worse than the best by 1.
    """
    ply, blanks, kept = int(0), int(0), int(0)
    for cell in range(game.cells):
        blanks += 1 if room.board[cell] == 0 else 0
    for i in range(len(room.refuters)):
        room.refuters[i] = -1
    standing = (mover, ply, int(worth_at_root(game, room.board, points)), blanks)
    count = list_actions(game, room, standing)
    best, beta, below = int(-FAR), int(FAR), depth - 1
    for i in range(count):
        bring_forward(room, ply, i, count)
        value = int(room.values[ply, i])
        if below > 0 and not room.ended[ply, i]:
            changed, here = enter(game, room, standing, i)
            sign = 1 if here[0] == mover else -1
            alpha = max(best - 1, -FAR)
            low, high = min(sign * alpha, sign * beta), max(sign * alpha, sign * beta)
            value = sign * search(game, room, here, below, low, high)
            take_back(room, mover, ply, changed)
        if value > best:
            best, kept = value, int(0)
        if value == best:
            room.best[kept] = room.actions[ply, i]
            kept += 1
    return kept


def best_cells(game: GameArrays, room: FixedDepthRoom, boards: Marks, depth: int, chosen: NDArray[np.bool_]) -> None:
    """The same for many boards, [boards, cells], on which the first seat moves; writes the cells to `chosen`.

    For games in which each seat has a mark of its own and points do not count.
    """
    mover, points = int(0), int(0)
    for number in range(len(boards)):
        for cell in range(game.cells):
            room.board[cell] = boards[number, cell]
        count = best_actions(game, room, mover, points, depth)
        for i in range(count):
            chosen[number, room.best[i]] = True
