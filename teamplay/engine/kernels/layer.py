"""One layer of a proof: from positions with so many marks to those with one mark more.

A position is one number: two bits a cell, then the seat to move, then the difference of points. A symmetric position is
replaced by its smallest image. Tuples of arrays are taken apart once a layer, not once a position: that costs the most.
"""

import numpy as np

from teamplay.engine.kernels.chance import mix
from teamplay.engine.kernels.game import NOBODY, fits, following, turned, winner
from teamplay.engine.kernels.rule import DEEPEST, answer, measure
from teamplay.engine.program import SILENT

KERNELS = True
INLINE = ("packed", "smallest", "slot", "orbit")

EVEN = 128  # the difference of points is stored from here
REMEMBERED = 1 << 12  # answers kept for packed features


def encode(cells, scores, board, player, difference):
    """A position as one number."""
    key = np.int64(0)
    for cell in range(cells):
        key |= np.int64(board[cell]) << (2 * cell)
    key |= np.int64(player) << (2 * cells)
    if scores:
        key |= np.int64(difference + EVEN) << (2 * cells + 1)
    return key


def smallest(cells, images, key):
    """The smallest image of a position: `images` is int64[symmetries, bytes, 256], where each byte's marks go."""
    board = key & ((np.int64(1) << (2 * cells)) - 1)
    best = board
    for symmetry in range(images.shape[0]):
        image = np.int64(0)
        for byte in range(images.shape[1]):
            image |= images[symmetry, byte, (board >> (8 * byte)) & 255]
        best = min(best, image)
    return (key ^ board) | best


def orbit(cells, images, key):
    """How many positions a key stands for: itself and its different images."""
    board = key & ((np.int64(1) << (2 * cells)) - 1)
    same = 1
    for symmetry in range(images.shape[0]):
        image = np.int64(0)
        for byte in range(images.shape[1]):
            image |= images[symmetry, byte, (board >> (8 * byte)) & 255]
        same += image == board
    return (images.shape[0] + 1) // same


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


def scratch(game, program):
    """Arrays that the work on one position needs, made once for many."""
    most = game.cells * game.letters
    return (
        np.zeros(game.cells, dtype=np.int8),  # the board as the rules of the game number marks
        np.zeros(game.cells, dtype=np.int8),  # the board as the team sees it
        np.zeros(2 * program.looks + 1, dtype=np.int8),  # a line
        np.zeros(max(1, len(program.kinds)), dtype=np.int64),  # features
        np.zeros(DEEPEST, dtype=np.int64),  # a stack
        np.full(REMEMBERED, -1, dtype=np.int64),  # packed features and role, whose answer is remembered
        np.zeros(REMEMBERED, dtype=np.int64),  # its priority
        np.zeros(REMEMBERED, dtype=np.int64),  # its letters
        np.zeros(game.cells, dtype=np.int64),  # turned marks
        np.zeros((2, most), dtype=np.int64),  # cells and marks of moves
        np.zeros((2, most), dtype=np.int64),  # keys after them, and who has won
    )


def packed(codes, near, table, seen, cell):
    """The features of a cell by look-up, packed: `near` is int16[cells, codes, 2 * looks], -1 out of sight."""
    total = np.int64(0)
    for axis in range(codes):
        code = 0
        for i in range(near.shape[2]):
            at = near[cell, axis, i]
            code |= (seen[at] if at >= 0 else 3) << (2 * i)
        total += table[code]
    return total


def team_moves(game, program, table, near, seat, first, space):
    """The tied most urgent moves of a team; where everybody is silent, all moves. How many.

    With `first` only the first of equals, which serves where a cell's letters are not a choice.
    """
    board, seen, line, features, stack, known, priorities, bits, _, moves, _ = space
    swap = game.shared == 0 and seat == 1
    for cell in range(len(board)):
        seen[cell] = (3 - board[cell]) % 3 if swap else board[cell]
    role_of, kinds = program.role_of, program.kinds
    codes, free, shared, letters = near.shape[1], game.placement == 0, game.shared == 1, game.letters
    best = SILENT
    count = 0
    for cell in range(len(board)):
        if board[cell] != 0 or not (free or fits(game, board, cell, seat)):
            continue
        if codes > 0:
            total = packed(codes, near, table, seen, cell)
            mine = (total << 3) | role_of[cell]
            at = mix(mine) & (REMEMBERED - 1)
            if known[at] != mine:
                for feature in range(len(kinds)):
                    features[feature] = (total >> (8 * feature)) & 255
                known[at] = mine
                priorities[at], bits[at] = answer(program, cell, features, stack)
            priority, choice = priorities[at], bits[at]
        else:
            measure(game, program, seen, cell, line, features)
            priority, choice = answer(program, cell, features, stack)
        if priority < best:
            best = priority
            count = 0
        if priority == best and not (first and count > 0):
            if priority == SILENT:
                choice = (1 << letters) - 1
            for letter in range(letters):
                if (choice >> letter) & 1:
                    moves[0, count] = cell
                    moves[1, count] = letter + 1 if shared else seat + 1
                    count += 1
    return count


def choices(game, program, table, near, keys, chosen):
    """Write the letters, as bits, of a team's tied most urgent moves: `chosen` is int8[keys, cells], all 0 before."""
    space = scratch(game, program)
    board, moves = space[0], space[9]
    for i in range(len(keys)):
        for cell in range(len(board)):
            board[cell] = (keys[i] >> (2 * cell)) & 3
        seat = (keys[i] >> (2 * len(board))) & 1
        for j in range(team_moves(game, program, table, near, seat, False, space)):
            chosen[i, moves[0, j]] |= 1 << moves[1, j]


def all_moves(game, player, space):
    """Every legal move. How many."""
    board, moves = space[0], space[9]
    free, shared = game.placement == 0, game.shared == 1
    count = 0
    for cell in range(len(board)):
        if board[cell] == 0 and (free or fits(game, board, cell, player)):
            for letter in range(game.letters):
                moves[0, count] = cell
                moves[1, count] = letter + 1 if shared else player + 1
                count += 1
    return count


def flank_child(game, board, player, cell, space):
    """The key and the winner after a move that turns marks."""
    flips = turned(game, board, cell, player + 1, space[8])
    board[cell] = player + 1
    for i in range(flips):
        board[space[8][i]] = player + 1
    blanks = 0
    for at in range(len(board)):
        blanks += board[at] == 0
    won = winner(game, board, player, 0, 0, blanks)
    key = encode(game.cells, False, board, following(game, board, player, 0), 0)
    board[cell] = 0
    for i in range(flips):
        board[space[8][i]] = 2 - player
    return key, won


def children(game, through, words, images, key, player, count, blanks, space):
    """The keys after some moves, and who has won there (NOBODY while the game goes on).

    `through` is int64[cells, lines]: the bits of the other cells of each line, 0 after the last; `words` is
    int64[cells, lines, marks, 2]: what must stand there for a mark in the cell to complete the line, either way.
    """
    board, moves, after = space[0], space[9], space[10]
    cells, flank, scoring = game.cells, game.placement == 2, game.effect == 2
    ends, loses, again = game.effect != 2, game.effect == 1, game.again == 1
    seat_bit = np.int64(1) << (2 * cells)
    point = np.int64(1) << (2 * cells + 1)
    for i in range(count):
        cell, mark = moves[0, i], moves[1, i]
        won = NOBODY
        if flank:
            made, won = flank_child(game, board, player, cell, space)
            after[0, i], after[1, i] = smallest(cells, images, made), won
            continue
        points = 0
        for j in range(through.shape[1]):
            mask = through[cell, j]
            if mask == 0:
                break
            stands = key & mask
            points += stands == words[cell, j, mark - 1, 0] or stands == words[cell, j, mark - 1, 1]
        made = key | (mark << (2 * cell))
        if scoring:
            made += points * point if player == 0 else -points * point
        if ends and points > 0:
            won = 1 - player if loses else player
        elif blanks == 1:
            won = 2
            if scoring:
                difference = (made >> (2 * cells + 1)) - EVEN
                won = 2 if difference == 0 else (0 if difference > 0 else 1)
        if not (again and points > 0):
            made ^= seat_bit
        after[0, i], after[1, i] = smallest(cells, images, made), won


def replies(game, program, table, near, through, words, images, seat, first, key, space):
    """All that may follow a position: the team's tied moves, or every move of the opponent. How many, and who moves."""
    board = space[0]
    blanks = 0
    for cell in range(len(board)):
        board[cell] = (key >> (2 * cell)) & 3
        blanks += board[cell] == 0
    player = (key >> (2 * len(board))) & 1
    if player == seat:
        count = team_moves(game, program, table, near, seat, first, space)
    else:
        count = all_moves(game, player, space)
    children(game, through, words, images, key, player, count, blanks, space)
    return count, player


def expand(game, program, table, near, through, words, images, seat, first, layer, start, stop, known, onward, counts):
    """Add the children of positions `start` to `stop` of a layer to the next one; the first position not done.

    `known` is the set of the next layer (int64, -1 is empty), `onward` its positions that go on. `counts` is
    int64[6]: keys in the set, keys that go on, positions met with the team to move, and the finished ones by winner
    (seat 0, seat 1, draw), images counted. It stops short when the set is half full.
    """
    space = scratch(game, program)
    after = space[10]
    most = after.shape[1]
    for i in range(start, stop):
        if 2 * (counts[0] + most) > len(known):
            return i
        count, player = replies(game, program, table, near, through, words, images, seat, first, layer[i], space)
        if player == seat:
            counts[2] += orbit(game.cells, images, layer[i])
        for j in range(count):
            key = after[0, j]
            at = slot(known, key)
            if known[at] == -1:
                known[at] = key
                counts[0] += 1
                if after[1, j] == NOBODY:
                    onward[counts[1]] = key
                    counts[1] += 1
                else:
                    counts[3 + after[1, j]] += orbit(game.cells, images, key)
    return stop


def lead(game, program, table, near, through, words, images, seat, first, layer, bad, targets, leading):
    """Mark the positions of a layer that lead to a target of the next layer, or at once to a bad end.

    `bad` is int64[3], 1 for a winner (seat 0, seat 1, draw) that counts as bad; `targets` a set as in `expand`.
    """
    space = scratch(game, program)
    after = space[10]
    for i in range(len(layer)):
        count, _ = replies(game, program, table, near, through, words, images, seat, first, layer[i], space)
        for j in range(count):
            if after[1, j] == NOBODY:
                leading[i] |= targets[slot(targets, after[0, j])] == after[0, j]
            else:
                leading[i] |= bad[after[1, j]] == 1
