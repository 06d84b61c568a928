"""The search where words or lines are counted: points, letters that both may place, misère.

Alpha-beta in negamax form with a transposition table, over a pair of bitboards: of both letters, or of my marks and
theirs. The words that can still be completed bound the score, and equal positions are made equal: idle cells are left
out two by two, and marks in no open word become walls.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.solver.kernels.bits import cell_of, marks_in, smallest
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

KERNELS = True
ENTRIES = ("search",)
WINS, LOSES, SCORES = 0, 1, 2
SPARE = 1 << 61  # in a remembered mask: one idle cell is left
LEAST = -(1 << 14)
GIFT = 64


class WordRules(NamedTuple):
    """A game of words as masks: of two letters, or of my marks and theirs."""

    words: NDArray[np.int64]  # [words, 2]: the cells that must hold the first and the second mark
    turns: NDArray[np.int64]  # [symmetries but the identity, bytes, 256]
    board: int  # all cells
    floor: int  # the cells that need no mark below them: all, unless pieces drop
    below: int  # how far below a cell the next one is
    drops: bool
    letters: int  # how many of the two marks a player may place
    swaps: bool  # the marks are the players' own: mine come first, so they change places with the turn
    effect: int
    again: bool  # another turn after scoring
    pairs: bool  # may idle cells be left out two by two? It changes no value, but how long a game lasts


def survey(rules: WordRules, rows: NDArray[np.int64], first: int, second: int) -> tuple[int, int]:
    """How many words can still be completed, and the cells they need.

    Fills `rows` by move (twice the cell, plus the letter): 0 the words it completes; 1 how much it gives away, `GIFT`
    for each word that it leaves one move short, less one for each that it spoils.
    """
    rows[:2] = 0
    blank = rules.board & ~(first | second)
    count, live = 0, 0
    for index in range(len(rules.words)):
        one, two = int(rules.words[index, 0]), int(rules.words[index, 1])
        rest = (one | two) & blank
        if rest == 0 or one & second != 0 or two & first != 0:
            continue
        count += 1
        live |= one | two
        missing = marks_in(rest)
        while rest != 0:
            bit = rest & -rest
            rest ^= bit
            move = 2 * cell_of(bit) + (1 if bit & two else 0)
            rows[0, move] += 1 if missing == 1 else 0
            rows[1, move] += GIFT if missing == 2 else 0
            rows[1, move ^ 1] -= 1
    return count, live


def behind(rows: NDArray[np.int64], one: int, other: int) -> bool:
    """Whether a move should be tried after another: it completes less, or gives more away."""
    return bool(rows[0, one] < rows[0, other] or (rows[0, one] == rows[0, other] and rows[1, one] > rows[1, other]))


def ordered(rules: WordRules, rows: NDArray[np.int64], moves: int, spare: int) -> int:
    """Fill `rows[2]` with the moves in the order in which to try them; says how many."""
    count = 0
    for cell in range(rows.shape[1] // 2):
        if (moves >> cell) & 1:
            for letter in range(1 if (spare >> cell) & 1 else rules.letters):  # in an idle cell all letters are alike
                move = 2 * cell + letter
                at = count
                while at > 0 and behind(rows, int(rows[2, at - 1]), move):
                    rows[2, at] = rows[2, at - 1]
                    at -= 1
                rows[2, at] = move
                count += 1
    return count


def completes(rules: WordRules, rows: NDArray[np.int64], moves: int) -> bool:
    """Whether some move completes a word."""
    while moves != 0:
        bit = moves & -moves
        moves ^= bit
        for letter in range(rules.letters):
            if rows[0, 2 * cell_of(bit) + letter] > 0:
                return True
    return False


def without_idle(rules: WordRules, first: int, second: int, live: int) -> tuple[int, int, int]:
    """The masks with idle blanks walled up two by two, and the idle blank that may be left.

    It changes no value: who likes the rest of the game as it is answers a move in one of two with a move in the other.
    """
    idle = rules.board & ~(first | second | live) if rules.pairs else 0
    spare = idle & -idle if marks_in(idle) & 1 else 0
    return first | (idle ^ spare), second | (idle ^ spare), spare


def search(rules: WordRules, room: SearchRoom, first: int, second: int, ply: int, alpha: int, beta: int) -> int:
    """The score of a position that is not over: exact inside the window, a bound outside."""
    memory, control = room.memory, room.control
    if halted(control):
        return 0
    rows = room.scratch[ply]
    open_words, live = survey(rules, rows, first, second)
    taken = first | second
    moves = rules.board & ~taken & ((taken >> rules.below) | rules.floor)
    if open_words == 0 or moves == 0:
        return 0
    if rules.effect == WINS and completes(rules, rows, moves):
        return WIN - 1
    lower, upper = (-open_words, open_words) if rules.effect == SCORES else (1 - WIN, WIN - 2)
    first, second, spare = without_idle(rules, first, second, live)
    moves &= ~(first & second)
    # A mark in no word that can still be completed is a wall, whichever it is.
    walls = (taken & ~live) | (first & second) | spare
    one, two = smallest(rules.turns, first | walls, second | walls)
    one |= SPARE if spare != 0 else 0
    known = recall(memory, one, two)
    if known != 0:
        lower, upper = max(lower, lower_bound(known)), min(upper, upper_bound(known))
    if lower >= beta or upper <= alpha or lower == upper:
        return lower if lower >= beta else upper
    alpha, beta = max(alpha, lower), min(beta, upper)
    before = int(control[POSITIONS])
    best, reached = LEAST, alpha
    for index in range(ordered(rules, rows, moves, spare)):
        move = int(rows[2, index])
        gain = int(rows[0, move])
        mine = first if move & 1 else first | (1 << (move >> 1))
        theirs = second | (1 << (move >> 1)) if move & 1 else second
        if rules.swaps and not (gain > 0 and rules.again):
            mine, theirs = theirs, mine
        if rules.effect == SCORES and gain > 0 and rules.again:
            low, high = reached - gain, beta - gain
            score = gain + search(rules, room, mine, theirs, ply + 1, low, high)
        elif rules.effect == SCORES:
            low, high = gain - beta, gain - reached
            score = gain - search(rules, room, mine, theirs, ply + 1, low, high)
        elif gain > 0:
            score = 1 - WIN  # it loses: where it wins, no search was needed
        elif rules.effect == WINS and rows[1, move] > 0 and not rules.drops:
            score = 2 - WIN  # the opponent completes the word
        else:
            low, high = sooner(-beta), sooner(-reached)
            score = later(-search(rules, room, mine, theirs, ply + 1, low, high))
        if control[HALT] != 0:
            return 0
        best, reached = max(best, score), max(reached, score)
        if reached >= beta:
            break
    lower, upper = settled(lower, upper, alpha, beta, best)
    keep(memory, one, two, lower, upper, int(control[POSITIONS]) - before)
    return best
