"""One move on each of many boards, by the rules of any game, with the legal moves that follow.

Boards that end are set to the start at once, so that every board always has a side to move.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.game import (
    DROP,
    FLANK,
    NOBODY,
    GameArrays,
    Marks,
    Numbers,
    fits,
    following,
    place,
    winner,
)

KERNELS = VIEWS = True

FINE = -1  # no action was illegal


class Boards(NamedTuple):
    """Many boards. An action is a cell times the letters that a player may choose from, plus the letter."""

    marks: NDArray[np.int8]  # [boards * cells]: 0 blank, then 1, 2, …; flat, so that one board is a slice
    seats: NDArray[np.int8]  # [boards]: who moves
    points: NDArray[np.int32]  # [boards]: the first seat's less the second's
    blanks: NDArray[np.int32]  # [boards]
    legal: NDArray[np.bool_]  # [boards, actions]
    rewards: NDArray[np.float32]  # [boards, 2]: of the last move, for each seat
    done: NDArray[np.bool_]  # [boards]: did the last move end the game?


def reset_board(game: GameArrays, start: Marks, opener: int, boards: Boards, b: int) -> None:
    """Put the start position on one board."""
    blanks = 0
    for cell in range(game.cells):
        boards.marks[b * game.cells + cell] = start[cell]
        blanks += 1 if start[cell] == 0 else 0
    boards.seats[b] = opener
    boards.points[b] = 0
    boards.blanks[b] = blanks


def list_actions(game: GameArrays, boards: Boards, b: int) -> None:
    """Write which moves are legal on one board."""
    mark = boards.seats[b] + 1
    board = boards.marks[b * game.cells : (b + 1) * game.cells]
    for cell in range(game.cells):
        free = fits(game, board, cell, mark)
        for letter in range(game.letters):
            boards.legal[b, cell * game.letters + letter] = free


def reset_all(game: GameArrays, start: Marks, opener: int, boards: Boards) -> None:
    """Put the start position on every board."""
    for b in range(len(boards.seats)):
        reset_board(game, start, opener, boards, b)
        list_actions(game, boards, b)
        boards.done[b] = False
        boards.rewards[b, 0] = 0
        boards.rewards[b, 1] = 0


def step_all(game: GameArrays, start: Marks, opener: int, boards: Boards, actions: Numbers, changed: Numbers) -> int:
    """Make a move on every board; the first board whose action is illegal, or FINE. `changed` is int64[cells]."""
    count = len(boards.seats)
    for b in range(count):
        action = actions[b]
        if action < 0 or action >= boards.legal.shape[1] or not boards.legal[b, action]:
            return b
    for b in range(count):
        action = actions[b]
        mover = int(boards.seats[b])
        cell = action // game.letters
        mark = action % game.letters + 1 if game.shared else mover + 1
        board = boards.marks[b * game.cells : (b + 1) * game.cells]
        _, found = place(game, board, cell, mark, changed)
        boards.points[b] += found if mover == 0 else -found
        boards.blanks[b] -= 1
        won = winner(game, board, mover, found, int(boards.points[b]), int(boards.blanks[b]))
        boards.done[b] = won != NOBODY
        boards.rewards[b, 0] = 0
        boards.rewards[b, 1] = 0
        if won == NOBODY:
            boards.seats[b] = following(game, board, mover, found)
            if game.placement != FLANK and (found == 0 or game.area == game.cells):
                # The cell is taken, and where marks drop the one above it is open; nothing else has changed.
                for letter in range(game.letters):
                    boards.legal[b, cell * game.letters + letter] = False
                    if game.placement == DROP and cell // game.columns % game.rows > 0:
                        boards.legal[b, (cell - game.columns) * game.letters + letter] = True
                continue
        else:
            if won < 2:
                boards.rewards[b, won] = 1
                boards.rewards[b, 1 - won] = -1
            reset_board(game, start, opener, boards, b)
        list_actions(game, boards, b)
    return FINE


def random_actions(boards: Boards, state: NDArray[np.uint64], actions: Numbers) -> None:
    """Draw a legal action for every board: `state` is the one word of a xorshift generator."""
    word = state[0]
    for b in range(len(boards.seats)):
        count = 0
        for action in range(boards.legal.shape[1]):
            count += 1 if boards.legal[b, action] else 0
        word ^= word << np.uint64(13)
        word ^= word >> np.uint64(7)
        word ^= word << np.uint64(17)
        chosen = int((word >> np.uint64(33)) % np.uint64(count))
        for action in range(boards.legal.shape[1]):
            if boards.legal[b, action]:
                if chosen == 0:
                    actions[b] = action
                    break
                chosen -= 1
    state[0] = word
