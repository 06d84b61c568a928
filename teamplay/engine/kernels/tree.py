"""Monte Carlo tree search over arrays: UCT with RAVE, priors, and proven results backed up (MCTS-Solver).

A node is a number; node 0 is the root. Its children stand side by side in the arrays, from `first` on, so a tree is a
few arrays and no pointers. Results are those of the game and not of a player: the winning seat, DRAW, or NOBODY while
nothing is proved.
"""

from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.chance import draw
from teamplay.engine.kernels.game import (
    DRAW,
    FLANK,
    LOSES,
    NOBODY,
    WINS,
    GameArrays,
    Marks,
    Numbers,
    fits,
    following,
    is_race,
    place,
    winner,
)
from teamplay.engine.kernels.outlook import FINISHES, STOPS, corner_value, finishing, is_wide, near, prospect

KERNELS = VIEWS = True
ENTRIES = ("search",)

RAVE = 300.0  # visits at which a move's own results count as much as those of games in which it came later
BIAS = 2.0  # the weight of priors
FIRST_PLAY = 0.5  # what a move is worth that was never tried


class NodeTree(NamedTuple):
    """The nodes of a search: a node is the move that leads to it."""

    action: NDArray[np.int32]  # [nodes]: the cell times the letters, plus the letter
    mover: NDArray[np.int8]  # [nodes]: who made that move
    first: NDArray[np.int32]  # [nodes]: the first child, or 0
    families: NDArray[np.int32]  # [nodes]: how many children
    visits: NDArray[np.int32]  # [nodes]
    gain: NDArray[np.float64]  # [nodes]: of the mover: 1 for a win, a half for a draw
    later: NDArray[np.int32]  # [nodes]: simulations in which the move came here or later (all moves as first)
    later_gain: NDArray[np.float64]  # [nodes]
    prior: NDArray[np.float64]  # [nodes]: from 0 to 1
    result: NDArray[np.int8]  # [nodes]: what is proved
    whole: NDArray[np.bool_]  # [nodes]: whether no move that might matter was left out
    used: NDArray[np.int64]  # [1]: how many nodes there are


class Root(NamedTuple):
    """Where a search begins."""

    board: Marks  # [cells]
    seat: int  # who moves
    points: int  # the first seat's less the second's


class PlayoutDesk(NamedTuple):
    """What one simulation writes on."""

    board: Marks  # [cells]
    path: NDArray[np.int32]  # [cells + 1]: the nodes from the root down
    cells: NDArray[np.int32]  # [actions]: the legal actions
    priors: NDArray[np.float64]  # [actions]: how good each looks
    changed: Numbers  # [cells]
    stamps: NDArray[np.int32]  # [2, actions]: the last simulation in which a seat made this move
    state: Numbers  # [4]: the random numbers


def list_moves(game: GameArrays, board: Marks, mover: int, blanks: int, desk: PlayoutDesk) -> int:
    """Write the legal actions to the desk; on a large board of lines only those near other marks."""
    count = 0
    wide = is_wide(game) and blanks < game.cells
    for cell in range(game.cells):
        if fits(game, board, cell, mover + 1) and (not wide or near(game, board, cell)):
            for letter in range(game.letters):
                desk.cells[count] = cell * game.letters + letter
                count += 1
    if count == 0 and wide:
        for cell in range(game.cells):
            if fits(game, board, cell, mover + 1):
                desk.cells[count] = cell
                count += 1
    return count


def list_priors(game: GameArrays, desk: PlayoutDesk, mover: int, count: int) -> int:
    """Write a prior for each listed action; where a move wins at once or must block, it alone stays listed."""
    lines = is_race(game)
    must = -1
    for i in range(count):
        desk.priors[i] = 0.0
        if game.placement == FLANK:
            desk.priors[i] = float(corner_value(game, desk.cells[i]))
        elif lines:
            _, urgency, does = prospect(game, desk.board, desk.cells[i], mover + 1)
            desk.priors[i] = float(urgency) if game.effect != LOSES else -float(urgency)
            if game.effect == WINS and does & FINISHES:
                desk.cells[0] = desk.cells[i]
                return 1
            if game.effect == WINS and does & STOPS:
                must = desk.cells[i]
    if must >= 0:
        desk.cells[0] = must
        return 1
    return count


def expand(game: GameArrays, tree: NodeTree, desk: PlayoutDesk, node: int, mover: int, blanks: int) -> None:
    """Give a node its children, with priors from 0 to 1."""
    listed = list_moves(game, desk.board, mover, blanks, desk)
    count = list_priors(game, desk, mover, listed)
    begin = tree.used[0]
    if begin + count > len(tree.action):
        return  # the tree is full: this node stays a leaf
    most, least = -1e18, 1e18
    for i in range(count):
        most, least = max(most, desk.priors[i]), min(least, desk.priors[i])
    for i in range(count):
        child = begin + i
        tree.action[child] = desk.cells[i]
        tree.mover[child] = mover
        tree.first[child] = 0
        tree.families[child] = 0
        tree.visits[child] = 0
        tree.gain[child] = 0.0
        tree.later[child] = 0
        tree.later_gain[child] = 0.0
        tree.result[child] = NOBODY
        tree.prior[child] = (desk.priors[i] - least) / (most - least) if most > least else 0.0
    tree.first[node] = begin
    tree.families[node] = count
    tree.whole[node] = count == 1 or listed == blanks * game.letters or not is_wide(game)
    tree.used[0] = begin + count


def select(tree: NodeTree, node: int, exploration: float) -> int:
    """The child that promises most: its own results, those of later moves while it has few, its prior, its rarity."""
    best, found = -1e18, -1
    spread = log(max(1, tree.visits[node]))
    first = tree.first[node]
    for child in range(first, first + tree.families[node]):
        mover = tree.mover[child]
        if tree.result[child] == mover:
            return child
        if tree.result[child] == 1 - mover:
            value = -1e9 + tree.visits[child]
        else:
            visits = tree.visits[child]
            mean = tree.gain[child] / visits if visits > 0 else FIRST_PLAY
            if tree.later[child] > 0:
                weight = sqrt(RAVE / (3.0 * visits + RAVE))
                mean = (1.0 - weight) * mean + weight * tree.later_gain[child] / tree.later[child]
            rare = exploration * sqrt(spread / (visits + 1.0))
            value = mean + rare + BIAS * tree.prior[child] / (visits + 2.0)
        if value > best:
            best, found = value, child
    return found


def prove(tree: NodeTree, node: int) -> None:
    """What the children prove of a node: one win of its mover is enough, else all must be known."""
    first = tree.first[node]
    if first == 0 or tree.result[node] != NOBODY:
        return
    mover = tree.mover[first]
    known, drawn = bool(tree.whole[node]), False
    for child in range(first, first + tree.families[node]):
        result = tree.result[child]
        if result == mover:
            tree.result[node] = mover
            return
        known = known and result != NOBODY
        drawn = drawn or result == DRAW
    if known:
        tree.result[node] = DRAW if drawn else 1 - mover


def playout(
    game: GameArrays, desk: PlayoutDesk, mover: int, points: int, blanks: int, last: int, before: int, stamp: int
) -> int:
    """A game to its end: at random, but a line is completed where it can be, and blocked where it must be.

    `last` and `before` are the cells of the last two moves, or -1. Who has won.
    """
    board = desk.board
    lines = is_race(game) and game.effect == WINS
    left = 0
    for cell in range(game.cells):
        if board[cell] == 0:
            desk.cells[left] = cell
            left += 1
    while True:
        cell = -1
        if lines:
            if before >= 0:
                cell = finishing(game, board, before, mover + 1)
            if cell < 0 and last >= 0:
                cell = finishing(game, board, last, 2 - mover)
        if cell < 0:
            # Draw blank cells until one can be played; those that can't now may be later.
            tried = left
            while tried > 0:
                i = draw(desk.state, tried)
                drawn = desk.cells[i]
                if board[drawn] != 0:  # taken out of turn
                    left -= 1
                    tried -= 1
                    desk.cells[i] = desk.cells[tried]
                    desk.cells[tried] = desk.cells[left]
                    continue
                if fits(game, board, drawn, mover + 1):
                    cell = drawn
                    break
                tried -= 1
                desk.cells[i] = desk.cells[tried]
                desk.cells[tried] = drawn
        letter = draw(desk.state, game.letters) if game.letters > 1 else 0
        mark = letter + 1 if game.shared else mover + 1
        _, found = place(game, board, cell, mark, desk.changed)
        points += found if mover == 0 else -found
        blanks -= 1
        desk.stamps[mover, cell * game.letters + letter] = stamp
        won = winner(game, board, mover, found, points, blanks)
        if won != NOBODY:
            return won
        before, last = last, cell
        mover = following(game, board, mover, found)


def simulate(game: GameArrays, root: Root, tree: NodeTree, desk: PlayoutDesk, exploration: float, stamp: int) -> None:
    """One simulation: down the tree, one new family of nodes, a game to the end, and back."""
    board = desk.board
    blanks = 0
    for cell in range(game.cells):
        board[cell] = root.board[cell]
        blanks += 1 if board[cell] == 0 else 0
    node, depth, mover, points, won = 0, 0, root.seat, root.points, NOBODY
    last, before = -1, -1
    desk.path[0] = 0
    while won == NOBODY:
        if tree.first[node] == 0:
            if tree.visits[node] == 0 and node != 0:
                break
            expand(game, tree, desk, node, mover, blanks)
            if tree.first[node] == 0:
                break
        node = select(tree, node, exploration)
        depth += 1
        desk.path[depth] = node
        action = tree.action[node]
        cell = action // game.letters
        mark = action % game.letters + 1 if game.shared else mover + 1
        _, found = place(game, board, cell, mark, desk.changed)
        points += found if mover == 0 else -found
        blanks -= 1
        desk.stamps[mover, action] = stamp
        before, last = last, cell
        won = winner(game, board, mover, found, points, blanks)
        if won != NOBODY:
            tree.result[node] = won
        elif tree.result[node] != NOBODY:
            won = tree.result[node]
        else:
            mover = following(game, board, mover, found)
    if won == NOBODY:
        won = playout(game, desk, mover, points, blanks, last, before, stamp)
    learn(tree, desk, depth, won, stamp)


def learn(tree: NodeTree, desk: PlayoutDesk, depth: int, won: int, stamp: int) -> None:
    """Take a result back to the root: what was tried, what came later, what is proved."""
    for i in range(depth, -1, -1):
        node = desk.path[i]
        prove(tree, node)
        gain = 0.5 if won == DRAW else 1.0 if won == tree.mover[node] else 0.0
        tree.visits[node] += 1
        tree.gain[node] += gain
        first = tree.first[node]
        for child in range(first, first + tree.families[node]):
            seat = tree.mover[child]
            if desk.stamps[seat, tree.action[child]] == stamp:
                tree.later[child] += 1
                tree.later_gain[child] += 0.5 if won == DRAW else 1.0 if won == seat else 0.0


def search(
    game: GameArrays, root: Root, tree: NodeTree, desk: PlayoutDesk, exploration: float, begin: int, count: int
) -> int:
    """Some simulations, from number `begin` on; fewer if the root is proved. How many there were."""
    for i in range(count):
        if tree.result[0] != NOBODY:
            return i
        simulate(game, root, tree, desk, exploration, begin + i)
    return count
