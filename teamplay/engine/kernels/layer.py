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
INLINE = ("slot",)

FLANKS = True  # may moves turn marks?
MEASURES = True  # are there agents whose answer is not looked up?

EVEN = 128  # the difference of points is stored from here
CELL, MARK, KEY, WON = range(4)  # rows of `moves`: what is placed where, the key after it, and who has won


def encode(cells, scores, board, player, difference):
    """A position as one number."""
    key = int(0)
    for cell in range(cells):
        key |= board[cell] << (2 * cell)
    key |= player << (2 * cells)
    if scores:
        key |= (difference + EVEN) << (2 * cells + 1)
    return key


def smallest(cells, images, turns, key):
    """The smallest image of a position; `turns`, int64[symmetries], takes all of them, without whose turn it is.

    `images` is int64[bytes, 256, symmetries], where each byte's marks go.
    """
    board = key & ((1 << (2 * cells)) - 1)
    for i in range(len(turns)):
        turns[i] = images[0, board & 255, i]
    for byte in range(1, images.shape[0]):
        marks = (board >> (8 * byte)) & 255
        for i in range(len(turns)):
            turns[i] |= images[byte, marks, i]
    best = board
    for i in range(len(turns)):
        best = min(best, turns[i])
    return (key ^ board) | best


def orbit(turns):
    """How many of the images that `smallest` found are different."""
    best, same = turns[0], 0
    for i in range(len(turns)):
        if turns[i] < best:
            best = turns[i]
            same = 0
        if turns[i] == best:
            same += 1
    return len(turns) // same


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


def spell(lines, spelt, key):
    """Write down the marks along every line, two bits a cell, 3 off the board."""
    for line in range(lines.shape[0]):
        word = int(-1)
        for i in range(lines.shape[1]):
            cell = lines[line, i]
            if cell >= 0:
                word ^= (3 ^ ((key >> (2 * cell)) & 3)) << (2 * i)
        spelt[line] = word


def look_up(game, table, at, spelt, seat, coded, cell):
    """The packed features of an agent; `at` tells on which line it sits along each axis, and where its sight begins."""
    ones = (1 << (2 * coded)) - 1
    total = int(0)
    for axis in range(game[AXES]):
        if at[cell, 2 * axis] >= 0:
            word = spelt[at[cell, 2 * axis]] >> at[cell, 2 * axis + 1]
            total += table[seat, (word & ones) | (((word >> (2 * coded + 2)) & ones) << (2 * coded))]
    return total


def team_moves(game, places, program, table, lines, at, board, work, memo, spelt, moves, key, seat, first):
    """The tied most urgent moves of a team; where everybody is silent, all moves. How many.

    With `first` only the first of equals, which serves where a cell's letters are not a choice.
    """
    head = program[0, NEXT] if seat == 1 else 0
    looks_up = program[head, REMEMBERS] == 1
    coded = program[head, CODED]
    word = int(0)
    if looks_up:
        spell(lines, spelt, key)
    best = SILENT + 1
    count = 0
    for cell in range(game[CELLS]):
        if board[cell] != 0 or (game[PLACEMENT] != ANYWHERE and not fits(game, places, board, cell, seat + 1)):
            continue
        if looks_up:
            packed = look_up(game, table, at, spelt, seat, coded, cell)
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


def all_moves(game, places, board, moves, player):
    """Every legal move. How many."""
    count = 0
    for cell in range(game[CELLS]):
        if board[cell] == 0 and (game[PLACEMENT] == ANYWHERE or fits(game, places, board, cell, player + 1)):
            for letter in range(game[LETTERS]):
                moves[CELL, count] = cell
                moves[MARK, count] = letter + 1 if game[SHARED] == 1 else player + 1
                count += 1
    return count


def flank(game, places, board, turned, moves, i, player, blanks):
    """The key after a move that turns marks, and who has won."""
    cell, mark = moves[CELL, i], moves[MARK, i]
    found = place(game, places, board, cell, mark, turned)
    moves[WON, i] = winner(game, places, board, player, found, blanks, blanks)
    moves[KEY, i] = encode(game[CELLS], False, board, following(game, places, board, player, found), blanks)
    board[cell] = 0
    for j in range(1, turned[0] + 1):
        board[turned[j]] = 3 - mark


def add_mark(game, through, moves, i, key, player, blanks):
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
        key += found * point if player == 0 else -found * point
        if blanks == 1:
            difference = (key >> (2 * game[CELLS] + 1)) - EVEN
            won = 2 if difference == 0 else (0 if difference > 0 else 1)
    elif found > 0:
        won = 1 - player if game[EFFECT] == LOSES else player
    elif blanks == 1:
        won = 2
    moves[KEY, i] = key if game[AGAIN] == 1 and found > 0 else key ^ turn
    moves[WON, i] = won


def replies(
    game, places, program, table, lines, at, through, images, board, work, memo, spelt, moves, turned, seat, first, key
):
    """All that may follow a position: the team's tied moves, or every move of the opponent. How many."""
    cells = game[CELLS]
    blanks = int(0)
    for cell in range(cells):
        board[cell] = (key >> (2 * cell)) & 3
        blanks += 1 if board[cell] == 0 else 0
    player = (key >> (2 * cells)) & 1
    if player == seat:
        count = team_moves(game, places, program, table, lines, at, board, work, memo, spelt, moves, key, seat, first)
    else:
        count = all_moves(game, places, board, moves, player)
    for i in range(count):
        if FLANKS and game[PLACEMENT] == FLANK:
            flank(game, places, board, turned, moves, i, player, blanks)
        else:
            add_mark(game, through, moves, i, key, player, blanks)
    return count


def expand(
    game, places, program, table, lines, at, through, images, board, work, memo, spelt, moves, turned, turns, seat,
    first, layer, start, stop, known, onward, counts,
):  # fmt: skip
    """Add the children of positions `start` to `stop` of a layer to the next one; the first position not done.

    `known` is the set of the next layer (int64, -1 is empty), `onward` its positions that go on. `counts` is
    int64[6]: keys in the set, keys that go on, positions met with the team to move, and the finished ones by winner
    (seat 0, seat 1, draw), images counted. It stops short when the set is half full.
    """
    cells = game[CELLS]
    for i in range(start, stop):
        if 2 * (counts[0] + moves.shape[1]) > len(known):
            return i
        count = replies(
            game, places, program, table, lines, at, through, images, board, work, memo, spelt, moves, turned, seat,
            first, layer[i],
        )  # fmt: skip
        if (layer[i] >> (2 * cells)) & 1 == seat:
            smallest(cells, images, turns, layer[i])
            counts[2] += orbit(turns)
        for j in range(count):
            key = smallest(cells, images, turns, moves[KEY, j])
            where = slot(known, key)
            if known[where] == -1:
                known[where] = key
                counts[0] += 1
                if moves[WON, j] == NOBODY:
                    onward[counts[1]] = key
                    counts[1] += 1
                else:
                    counts[3 + moves[WON, j]] += orbit(turns)
    return stop


def lead(
    game, places, program, table, lines, at, through, images, board, work, memo, spelt, moves, turned, turns, seat,
    first, layer, bad, targets, leading,
):  # fmt: skip
    """Mark the positions of a layer that lead to a target of the next layer, or at once to a bad end.

    `bad` is int64[3], 1 for a winner (seat 0, seat 1, draw) that counts as bad; `targets` a set as in `expand`.
    """
    for i in range(len(layer)):
        count = replies(
            game, places, program, table, lines, at, through, images, board, work, memo, spelt, moves, turned, seat,
            first, layer[i],
        )  # fmt: skip
        for j in range(count):
            if moves[WON, j] == NOBODY:
                key = smallest(game[CELLS], images, turns, moves[KEY, j])
                if targets[slot(targets, key)] == key:
                    leading[i] = 1
            elif bad[moves[WON, j]] == 1:
                leading[i] = 1


def choices(game, places, program, table, lines, at, board, work, memo, spelt, moves, keys, chosen):
    """Write the letters, as bits, of a team's tied most urgent moves: `chosen` is int8[keys, cells], all 0 before."""
    cells = game[CELLS]
    for i in range(len(keys)):
        for cell in range(cells):
            board[cell] = (keys[i] >> (2 * cell)) & 3
        seat = (keys[i] >> (2 * cells)) & 1
        count = team_moves(game, places, program, table, lines, at, board, work, memo, spelt, moves, keys[i], seat, 0)
        for j in range(count):
            chosen[i, moves[CELL, j]] |= 1 << moves[MARK, j]
