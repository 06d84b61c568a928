"""One layer of a proof: from positions with so many marks to those with one mark more.

A position is one number, its key: two bits a cell, then the seat to move, then the difference of points. A symmetric
position is replaced by its smallest image.
"""

from teamplay.engine.kernels.chance import mix
from teamplay.engine.kernels.game import (
    AGAIN,
    ANYWHERE,
    AXES,
    CELLS,
    EFFECT,
    FLANK,
    LETTERS,
    LOSES,
    NOBODY,
    PLACEMENT,
    POSITIVE,
    SCORES,
    SHARED,
    fits,
    following,
    place,
    winner,
)
from teamplay.engine.kernels.lookup import recall
from teamplay.engine.kernels.rule import respond
from teamplay.engine.program import CODED, LETTER_BITS, NEXT, REMEMBERS, SILENT

KERNELS = VIEWS = True
INLINE = ("slot", "finish", "add_mark", "smallest", "rearrange", "look_up")

FLANKS = True  # may moves turn marks?
MEASURES = True  # are there agents whose answer is not looked up?

EVEN = 128  # the difference of points is stored from here
# The rows of `moves`: what is placed where, the smallest key after it, who has won, and in how many images.
CELL, MARK, KEY, WON, IMAGES = range(5)


def encode(cells, scores, board, mover, difference):
    """A position as one number."""
    key = int(0)
    for cell in range(cells):
        key |= board[cell] << (2 * cell)
    key |= mover << (2 * cells)
    if scores:
        key |= (difference + EVEN) << (2 * cells + 1)
    return key


def rearrange(moved, key, words):
    """Write the marks of a position where they stand in every word; `moved`, int64[bytes, 256, words], tells where.

    First come the images of the board under every symmetry, then the lines along which agents look: two bits a cell,
    3 off the board.
    """
    for i in range(len(words)):
        words[i] = moved[0, key & 255, i]
    for byte in range(1, moved.shape[0]):
        marks = (key >> (8 * byte)) & 255
        for i in range(len(words)):
            words[i] |= moved[byte, marks, i]


def orbit(turns, symmetries):
    """How many images are different: all occur equally often."""
    same = 0
    for i in range(symmetries):
        same += 1 if turns[i] == turns[0] else 0
    return symmetries // same


def smallest(cells, turns, key):
    """A key with the smallest image of its board."""
    best = turns[0]
    for i in range(1, len(turns)):
        best = min(best, turns[i])
    return (key >> (2 * cells) << (2 * cells)) | best


def slot(known, key):
    """Where a key is, or would go, in a set with open addressing; -1 is empty. The size is a power of two."""
    mask = len(known) - 1
    at = mix(key) & mask
    while known[at] != -1 and known[at] != key:
        at = (at + 1) & mask
    return at


def gather(known, keys):
    """Put keys into a set; half of it must stay empty."""
    for i in range(len(keys)):
        known[slot(known, keys[i])] = keys[i]


def look_up(game, table, at, words, seat, coded, cell):
    """The packed features of an agent; `at` tells in which word it sits along each axis, and where its sight begins."""
    ones = (1 << (2 * coded)) - 1
    total = int(0)
    for axis in range(game[AXES]):
        word = words[at[cell, 2 * axis] & POSITIVE] >> at[cell, 2 * axis + 1]
        total += table[seat, ((word & ones) | (((word >> (2 * coded + 2)) & ones) << (2 * coded))) & POSITIVE]
    return total


def team_moves(game, places, program, table, at, board, work, memo, words, moves, seat, first):
    """The tied most urgent moves of a team; where everybody is silent, all moves. How many.

    With `first` only the first of equals, which serves where a cell's letters are not a choice.
    """
    head = program[0, NEXT] if seat == 1 else 0
    looks_up = program[head, REMEMBERS] == 1
    coded = program[head, CODED]
    word = int(0)
    best = SILENT + 1
    count = 0
    for cell in range(game[CELLS]):
        if board[cell] != 0 or (game[PLACEMENT] != ANYWHERE and not fits(game, places, board, cell, seat + 1)):
            continue
        if looks_up:
            packed = look_up(game, table, at, words, seat, coded, cell)
            word = recall(program, head, memo, packed, seat, places[cell, 2 * game[AXES]], work)
        elif MEASURES:
            word = respond(game, places, program, head, board, cell, work)
        priority = word >> LETTER_BITS
        if priority < best:
            best = priority
            count = 0
        if priority == best and not (first and count > 0):
            for letter in range(game[LETTERS]):
                if priority == SILENT or (word >> letter) & 1:
                    moves[CELL, count] = cell
                    moves[MARK, count] = letter + 1 if game[SHARED] == 1 else seat + 1
                    count += 1
    return count


def all_moves(game, places, board, moves, mover):
    """Every legal move. How many."""
    count = 0
    for cell in range(game[CELLS]):
        if board[cell] == 0 and (game[PLACEMENT] == ANYWHERE or fits(game, places, board, cell, mover + 1)):
            for letter in range(game[LETTERS]):
                moves[CELL, count] = cell
                moves[MARK, count] = letter + 1 if game[SHARED] == 1 else mover + 1
                count += 1
    return count


def flank(game, places, board, changed, moves, i, mover, blanks):
    """The key after a move that turns marks, and who has won."""
    cell, mark = moves[CELL, i], moves[MARK, i]
    count, found = place(game, places, board, cell, mark, changed)
    moves[WON, i] = winner(game, places, board, mover, found, blanks, blanks)
    moves[KEY, i] = encode(game[CELLS], False, board, following(game, places, board, mover, found), blanks)
    board[cell] = 0
    for j in range(1, count):
        board[changed[j]] = 3 - mark


def add_mark(game, through, moves, i, key, mover, blanks):
    """The key after a move that turns nothing, and who has won.

    `through` is int64[cells, lines, 1 + 2 * marks]: the bits of the other cells of each line through a cell, 0 after
    the last, and what must stand there for a mark in the cell to complete the line, either way.
    """
    cell, mark = moves[CELL, i], moves[MARK, i]
    turn, point = 1 << (2 * game[CELLS]), 2 << (2 * game[CELLS])
    found = 0
    for line in range(through.shape[1]):
        if through[cell, line, 0] == 0:
            break
        stands = key & through[cell, line, 0]
        if stands == through[cell, line, 2 * mark - 1] or stands == through[cell, line, 2 * mark]:
            found += 1
    key |= mark << (2 * cell)
    won = NOBODY
    if game[EFFECT] == SCORES:
        key += found * point if mover == 0 else -found * point
        if blanks == 1:
            difference = (key >> (2 * game[CELLS] + 1)) - EVEN
            won = 2 if difference == 0 else (0 if difference > 0 else 1)
    elif found > 0:
        won = 1 - mover if game[EFFECT] == LOSES else mover
    elif blanks == 1:
        won = 2
    moves[KEY, i] = key if game[AGAIN] == 1 and found > 0 else key ^ turn
    moves[WON, i] = won


def finish(game, places, moved, through, board, words, moves, changed, turns, i, key, mover, blanks):
    """What comes of a move: the smallest key after it, who has won, and if anybody has, in how many images."""
    if FLANKS and game[PLACEMENT] == FLANK:
        flank(game, places, board, changed, moves, i, mover, blanks)
        rearrange(moved, moves[KEY, i], turns)
    else:
        add_mark(game, through, moves, i, key, mover, blanks)
        cell, mark = moves[CELL, i], moves[MARK, i]
        for j in range(len(turns)):
            turns[j] = words[j] | moved[cell >> 2, mark << (2 * (cell & 3)), j]
    moves[KEY, i] = smallest(game[CELLS], turns, moves[KEY, i])
    if moves[WON, i] != NOBODY:
        moves[IMAGES, i] = orbit(turns, len(turns))


def replies(
    game, places, program, table, at, moved, through, board, work, memo, words, moves, changed, turns, seat, first, key
):
    """All that may follow a position: the team's tied moves, or every move of the opponent. How many."""
    cells = game[CELLS]
    blanks = int(0)
    for cell in range(cells):
        board[cell] = (key >> (2 * cell)) & 3
        blanks += 1 if board[cell] == 0 else 0
    rearrange(moved, key, words)
    mover = (key >> (2 * cells)) & 1
    if mover == seat:
        count = team_moves(game, places, program, table, at, board, work, memo, words, moves, seat, first)
    else:
        count = all_moves(game, places, board, moves, mover)
    for i in range(count):
        finish(game, places, moved, through, board, words, moves, changed, turns, i, key, mover, blanks)
    return count


def expand(
    game, places, program, table, at, moved, through, board, work, memo, words, moves, changed, turns, seat, first,
    layer, start, stop, known, onward, counts,
):  # fmt: skip
    """Add the children of positions `start` to `stop` of a layer to the next one; the first position not done.

    `known` is the set of the next layer (int64, -1 is empty), `onward` its positions that go on. `counts` is
    int64[6]: keys in the set, keys that go on, positions met with the team to move, and the finished ones by winner
    (seat 0, seat 1, draw), images counted. It stops short when the set is half full.
    """
    for i in range(start, stop):
        if 2 * (counts[0] + moves.shape[1]) > len(known):
            return i
        count = replies(
            game, places, program, table, at, moved, through, board, work, memo, words, moves, changed, turns, seat,
            first, layer[i],
        )  # fmt: skip
        if (layer[i] >> (2 * game[CELLS])) & 1 == seat:
            counts[2] += orbit(words, len(turns))
        for j in range(count):
            key = moves[KEY, j]
            where = slot(known, key)
            if known[where] == -1:
                known[where] = key
                counts[0] += 1
                if moves[WON, j] == NOBODY:
                    onward[counts[1]] = key
                    counts[1] += 1
                else:
                    counts[3 + moves[WON, j]] += moves[IMAGES, j]
    return stop


def lead(
    game, places, program, table, at, moved, through, board, work, memo, words, moves, changed, turns, seat, first,
    layer, bad, targets, leading,
):  # fmt: skip
    """Mark the positions of a layer that lead to a target of the next layer, or at once to a bad end.

    `bad` is int64[3], 1 for a winner (seat 0, seat 1, draw) that counts as bad; `targets` a set as in `expand`.
    """
    for i in range(len(layer)):
        count = replies(
            game, places, program, table, at, moved, through, board, work, memo, words, moves, changed, turns, seat,
            first, layer[i],
        )  # fmt: skip
        for j in range(count):
            if moves[WON, j] != NOBODY:
                leading[i] |= bad[moves[WON, j]]
            elif targets[slot(targets, moves[KEY, j])] == moves[KEY, j]:
                leading[i] = 1


def choices(game, places, program, table, at, moved, board, work, memo, words, moves, keys, chosen):
    """Write the letters, as bits, of a team's tied most urgent moves: `chosen` is int8[keys, cells], all 0 before."""
    cells = game[CELLS]
    for i in range(len(keys)):
        for cell in range(cells):
            board[cell] = (keys[i] >> (2 * cell)) & 3
        rearrange(moved, keys[i], words)
        seat = (keys[i] >> (2 * cells)) & 1
        count = team_moves(game, places, program, table, at, board, work, memo, words, moves, seat, 0)
        for j in range(count):
            chosen[i, moves[CELL, j]] |= 1 << moves[MARK, j]
