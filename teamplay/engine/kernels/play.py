"""Whole games, many of them: table against table or against random moves, on every game."""

import numpy as np

from teamplay.engine.kernels.chance import draw
from teamplay.engine.kernels.game import DRAW, NOBODY, completed, fits, following, turned, winner
from teamplay.engine.kernels.live import TAKEN, pick, put, refresh, settle, think, touch

KERNELS = True


def reset(live, fresh):
    """Put a live board back to the state kept in `fresh`."""
    live.seen[:] = fresh.seen
    live.codes[:] = fresh.codes
    live.packed[:] = fresh.packed
    live.said[:] = fresh.said
    live.letters[:] = fresh.letters
    live.nodes[:] = fresh.nodes
    live.stale[0] = 0


def legal_pick(game, live, seat, state):
    """One of the most urgent cells that the placement rule allows; `seat` is whose marks are 1 more than it."""
    best = TAKEN
    count = 0
    chosen = -1
    for cell in range(game.cells):
        if live.said[cell] <= best and live.said[cell] < TAKEN and fits(game, live.seen, cell, seat):
            if live.said[cell] < best:
                best = live.said[cell]
                count = 0
            count += 1
            if draw(state, count) == 0:
                chosen = cell
    return chosen


def pick_letter(game, live, cell, state):
    """One of the letters that an agent would place, as a mark."""
    bits = live.letters[cell]
    if bits == 0:
        return draw(state, game.letters) + 1
    count = 0
    chosen = 0
    for letter in range(game.letters):
        if (bits >> letter) & 1:
            count += 1
            if draw(state, count) == 0:
                chosen = letter
    return chosen + 1


def play(game, first, mine, second, theirs, state, turns):
    """One game between two programs with their live boards; who won, and how many moves it took.

    On its own board a team's marks are 1 and the opponent's 2; letters are the same for both.
    """
    blanks = 0
    for cell in range(game.cells):
        blanks += mine.seen[cell] == 0
    player = 0
    difference = 0
    moves = 0
    own = game.shared == 0
    while True:
        live = mine if player == 0 else theirs
        if game.placement == 0:
            refresh(live.said, live.nodes, live.stale)
            cell = pick(live.said, live.nodes, state)
        else:
            cell = legal_pick(game, live, 0 if own else player, state)
        mark = 1 if own else pick_letter(game, live, cell, state)
        flips = turned(game, live.seen, cell, 1, turns) if game.placement == 2 else 0
        put(game, first, mine, cell, mark if player == 0 or not own else 2)
        put(game, second, theirs, cell, mark if player == 1 or not own else 2)
        for i in range(flips):
            put(game, first, mine, turns[i], 1 if player == 0 else 2)
            put(game, second, theirs, turns[i], 1 if player == 1 else 2)
        moves += 1
        blanks -= 1
        points = completed(game, mine.seen, cell) if game.goal != 2 else 0
        difference += points if player == 0 else -points
        # The first board numbers marks as the rules of the game do.
        won = winner(game, mine.seen, player, points, difference, blanks)
        if won != NOBODY:
            return won, moves
        player = following(game, mine.seen, player, points)


def line_play(game, first, mine, second, theirs, state):
    """As `play`, for two tables with look-ups in a game of lines where marks go anywhere: the arrays stay at hand."""
    strides, room, length, loses = game.strides, game.room, game.length, game.effect == 1
    seen, codes, packed, table, memo = mine.seen, mine.codes, mine.packed, mine.table, mine.memo
    said, letters, nodes, stale, todo = mine.said, mine.letters, mine.nodes, mine.stale, mine.todo
    seen2, codes2, packed2, table2, memo2 = theirs.seen, theirs.codes, theirs.packed, theirs.table, theirs.memo
    said2, letters2, nodes2, stale2, todo2 = theirs.said, theirs.letters, theirs.nodes, theirs.stale, theirs.todo
    looks, role_of, looks2, role_of2 = first.looks, first.role_of, second.looks, second.role_of
    run = length if first.sight == 0 else 1
    run2 = length if second.sight == 0 else 1
    for move in range(game.cells):
        player = move & 1
        if player == 0:
            refresh(said, nodes, stale)
            cell = pick(said, nodes, state)
        else:
            refresh(said2, nodes2, stale2)
            cell = pick(said2, nodes2, state)
        touch(strides, room, looks, run, role_of, seen, codes, packed, table, memo, said, letters, nodes, stale, todo,
              cell, 1 + player)  # fmt: skip
        settle(said, nodes, stale, cell, TAKEN)
        touch(strides, room, looks2, run2, role_of2, seen2, codes2, packed2, table2, memo2, said2, letters2, nodes2,
              stale2, todo2, cell, 2 - player)  # fmt: skip
        settle(said2, nodes2, stale2, cell, TAKEN)
        for i in range(1, todo[0] + 1):
            think(game, first, mine, todo[i])
        for i in range(1, todo2[0] + 1):
            think(game, second, theirs, todo2[i])
        if lined_up(strides, room, seen, length, cell):
            return (1 - player if loses else player), move + 1
    return DRAW, game.cells


def lined_up(strides, room, board, length, cell):
    """Whether a line of equal marks goes through this cell."""
    for axis in range(len(strides)):
        stride = strides[axis]
        run = 1
        at = cell + stride
        for _ in range(room[cell, 2 * axis]):
            if board[at] != board[cell]:
                break
            run += 1
            at += stride
        at = cell - stride
        for _ in range(room[cell, 2 * axis + 1]):
            if board[at] != board[cell]:
                break
            run += 1
            at -= stride
        if run >= length:
            return True
    return False


def play_many(game, first, mine, fresh_mine, second, theirs, fresh_theirs, games, state, outcomes):
    """Many games from the same start: all moves made, and in `outcomes` (int64[3]) wins of first, second, and draws."""
    turns = np.zeros(game.cells, dtype=np.int64)
    moves = 0
    looked_up = mine.plain == 1 and theirs.plain == 1 and len(mine.table) > 0 and len(theirs.table) > 0
    quick = looked_up and game.shared == 0 and game.placement == 0 and game.goal == 0 and game.effect != 2
    for _ in range(games):
        reset(mine, fresh_mine)
        reset(theirs, fresh_theirs)
        if quick:
            won, made = line_play(game, first, mine, second, theirs, state)
        else:
            won, made = play(game, first, mine, second, theirs, state, turns)
        outcomes[won if won != DRAW else 2] += 1
        moves += made
    return moves
