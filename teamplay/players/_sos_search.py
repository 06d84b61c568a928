"""The searches of the SOS minimax players, as kernels that numba compiles when a search is large.

`board`, int8[cells + 1]: 0 blank, 1 S, 2 O; the last one stands for all that is off the board. `near` and `far`,
int64[cells, directions], are the next cell in each direction and the one after; opposite directions stand half the row
apart.
"""

import numpy as np
from numpy.typing import NDArray

KERNELS = VIEWS = True

LETTER_S, LETTER_O, OFF = 1, 2, 3
ENDLESS = 1 << 20  # beyond any score

Board = NDArray[np.int8]
Cells = NDArray[np.int64]


def gain(board: Board, near: Cells, far: Cells, cell: int, letter: int) -> int:
    """How many SOS a letter in a blank cell completes."""
    found = 0
    if letter == LETTER_S:
        for way in range(near.shape[1]):
            if board[near[cell, way]] == LETTER_O and board[far[cell, way]] == LETTER_S:
                found += 1
    else:
        half = near.shape[1] // 2
        for way in range(half):
            if board[near[cell, way]] == LETTER_S and board[near[cell, way + half]] == LETTER_S:
                found += 1
    return found


def printed(
    board: Board,
    near: Cells,
    far: Cells,
    depth: int,
    alpha: int,
    beta: int,
    maximizing: int,
    mine: int,
    penalty: int,
    total: int,
) -> int:
    """The paper's minimax: each side has one letter, and `total`, the SOS on the board less a penalty for each O, is
    what the one wants to be large and the other small, whoever made them."""
    if depth == 0:
        return total
    letter = mine if maximizing == 1 else LETTER_S + LETTER_O - mine
    best = -ENDLESS if maximizing == 1 else ENDLESS
    full = True
    for cell in range(near.shape[0]):
        if board[cell] != 0:
            continue
        full = False
        after = total + gain(board, near, far, cell, letter)
        if letter == LETTER_O:
            after -= penalty
        if depth > 1:
            board[cell] = letter
            after = printed(board, near, far, depth - 1, alpha, beta, 1 - maximizing, mine, penalty, after)
            board[cell] = 0
        if maximizing == 1:
            best = max(best, after)
            alpha = max(alpha, best)
        else:
            best = min(best, after)
            beta = min(beta, best)
        if beta <= alpha:
            break
    return total if full else best


def owned(board: Board, near: Cells, far: Cells, depth: int, alpha: int, beta: int, again: int) -> int:
    """The points to come in `depth` moves, of who moves less the other's: points have an owner, and both letters are
    tried in every cell. Moves that score come first, which saves most of the others."""
    if depth == 0:
        return 0
    best = -ENDLESS
    for silent in range(2):
        for cell in range(near.shape[0]):
            if board[cell] != 0:
                continue
            for letter in range(LETTER_S, LETTER_O + 1):
                won = gain(board, near, far, cell, letter)
                if (won == 0) != (silent == 1):
                    continue
                value = won
                if depth > 1:
                    board[cell] = letter
                    if won > 0 and again == 1:
                        value += owned(board, near, far, depth - 1, alpha - won, beta - won, again)
                    else:
                        value -= owned(board, near, far, depth - 1, won - beta, won - alpha, again)
                    board[cell] = 0
                best = max(best, value)
                alpha = max(alpha, best)
                if alpha >= beta:
                    return best
    return 0 if best == -ENDLESS else best
