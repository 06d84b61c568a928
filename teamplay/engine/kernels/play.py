"""Whole games of table against table, many of them, on every game; see `live.py` for what a board consists of."""

from teamplay.engine.kernels.chance import draw
from teamplay.engine.kernels.game import (
    ANYWHERE,
    CELLS,
    LETTERS,
    NOBODY,
    PLACEMENT,
    SHARED,
    all_completed,
    fits,
    following,
    list_changed,
    winner,
)
from teamplay.engine.kernels.live import pick, put, refresh
from teamplay.engine.kernels.playout import RECORDED
from teamplay.engine.program import LETTER_BITS, LETTER_MASK, TAKEN

KERNELS = VIEWS = True


def choose(game, places, board, said, nodes, seat, state):
    """One of a seat's most urgent legal cells, each with the same chance."""
    if game[PLACEMENT] == ANYWHERE:
        refresh(said, nodes, seat)
        return pick(said, nodes, seat, state)
    best = TAKEN + 0
    count = 0
    chosen = -1
    for cell in range(game[CELLS]):
        priority = said[seat, cell] >> LETTER_BITS
        if priority <= best and priority < TAKEN and fits(game, places, board, cell, seat + 1):
            if priority < best:
                best = priority
                count = 0
            count += 1
            if draw(state, count) == 0:
                chosen = cell
    return chosen


def choose_letter(letters, bits, state):
    """One of the letters that an agent would place, as a mark; any, where it says none."""
    if bits == 0:
        return draw(state, letters) + 1
    count = 0
    chosen = 0
    for letter in range(letters):
        if (bits >> letter) & 1:
            count += 1
            if draw(state, count) == 0:
                chosen = letter
    return chosen + 1


def play(
    game, places, program, table, memo, board, codes, packed, said, nodes, work, near, changed, mover, blanks, state,
    made, record,
):  # fmt: skip
    """One game between the two programs of a board; who won, and how many moves were made with those `made` before."""
    difference = int(0)
    won = int(NOBODY)
    while won == NOBODY:
        cell = choose(game, places, board, said, nodes, mover, state)
        mark = mover + 1
        if game[SHARED] == 1:
            mark = choose_letter(game[LETTERS], said[mover, cell] & LETTER_MASK, state)
        count = list_changed(game, places, board, cell, mark, changed)
        for i in range(count):
            put(game, places, program, table, memo, board, codes, packed, said, nodes, work, near, changed[i], mark)
        found = all_completed(game, places, board, changed, count)
        if made < len(record):
            record[made] = cell * RECORDED + mark
        made += 1
        blanks -= 1
        difference += found if mover == 0 else -found
        won = winner(game, places, board, mover, found, difference, blanks)
        mover = following(game, places, board, mover, found)
    return won, made


def restore(board, codes, packed, said, nodes, board_then, codes_then, packed_then, said_then, nodes_then):
    """Put a board back to what it was."""
    for cell in range(len(board)):
        board[cell] = board_then[cell]
    for cell in range(len(codes)):
        for axis in range(codes.shape[1]):
            codes[cell, axis] = codes_then[cell, axis]
    for seat in range(nodes.shape[0]):
        for cell in range(packed.shape[1]):
            packed[seat, cell] = packed_then[seat, cell]
        for cell in range(said.shape[1]):
            said[seat, cell] = said_then[seat, cell]
        for node in range(nodes.shape[1]):
            for column in range(4):
                nodes[seat, node, column] = nodes_then[seat, node, column]


def play_many(game, places, live, start, changed, mover, games, state, outcomes, record):
    """Many games from the same start, a board that is kept in `start`; `outcomes` and `record` as in `playout.py`."""
    program, table, memo, board, codes, packed, said, nodes, work, near = live
    _, _, _, board_then, codes_then, packed_then, said_then, nodes_then, _, _ = start
    blanks = int(0)
    for cell in range(game[CELLS]):
        blanks += 1 if board_then[cell] == 0 else 0
    made = int(0)
    for _ in range(games):
        restore(board, codes, packed, said, nodes, board_then, codes_then, packed_then, said_then, nodes_then)
        won, made = play(
            game, places, program, table, memo, board, codes, packed, said, nodes, work, near, changed, mover, blanks,
            state, made, record,
        )  # fmt: skip
        outcomes[won] += 1
    outcomes[3] += made
