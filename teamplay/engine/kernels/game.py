"""The rules of every game over arrays; see `teamplay/game.py` for the same in words.

A game is `game`, int64[NUMBERS], and `places`, [cells, 2 * axes + 1]: how many cells lie before the border along each
way, and the role. Way 2 * axis leads ahead along an axis, way 2 * axis + 1 back. A board is int8[cells], 0 is blank.
"""

KERNELS = VIEWS = True

# What stands where in a game's numbers; there are up to 13 axes, and a word has up to 16 letters.
CELLS, COLUMNS, ROWS, AXES, PLACEMENT, GOAL, LENGTH, EFFECT, AGAIN, SHARED, LETTERS = range(11)
STRIDES = 11  # from a cell to the next along each axis
SPELT = 24  # the word, as marks
NUMBERS = 40

FLANKS = True  # may moves turn marks?

ANYWHERE, DROP, FLANK = range(3)
LINE, WORD, MAJORITY = range(3)
WINS, LOSES, SCORES = range(3)

POSITIVE = 0x7FFFFFFF  # a number masked by this is no negative index, which saves compiled code a test

NOBODY = -1  # the game goes on
DRAW = 2  # else the winning seat, 0 or 1


def flanked(game, places, board, cell, mark, way):
    """How many marks a piece placed here would flank and turn along one way."""
    stride = game[STRIDES + way // 2] * (1 - 2 * (way & 1))
    room = places[cell, way]
    steps = 0
    at = cell + stride
    while steps < room and board[at] != 0 and board[at] != mark:
        steps += 1
        at += stride
    return steps if steps < room and board[at] == mark else 0


def fits(game, places, board, cell, mark):
    """Whether the placement rule lets this mark go into this cell."""
    if board[cell] != 0:
        return False
    if game[PLACEMENT] == ANYWHERE:
        return True
    if game[PLACEMENT] == DROP:
        columns, rows = game[COLUMNS], game[ROWS]
        return cell // columns % rows == rows - 1 or board[cell + columns] != 0
    if FLANKS:
        for way in range(2 * game[AXES]):
            if flanked(game, places, board, cell, mark, way) > 0:
                return True
    return False


def can_move(game, places, board, mark):
    """Whether there is any cell for this mark."""
    for cell in range(game[CELLS]):
        if fits(game, places, board, cell, mark):
            return True
    return False


def completed(game, places, board, cell):
    """How many lines or words through this cell meet the goal."""
    found = 0
    length = game[LENGTH]
    mark = board[cell]
    for axis in range(game[AXES]):
        stride = game[STRIDES + axis]
        ahead = min(places[cell, 2 * axis], length - 1)
        behind = min(places[cell, 2 * axis + 1], length - 1)
        if ahead + behind + 1 < length:
            continue
        if game[GOAL] == LINE:
            run = 1
            while run <= ahead and board[cell + run * stride] == mark:
                run += 1
            back = 0
            while back < behind and board[cell - (back + 1) * stride] == mark:
                back += 1
            found += max(0, run + back - length + 1)
        else:
            for start in range(-behind, ahead - length + 2):
                forwards = True
                backwards = True
                for i in range(length):
                    at = board[cell + (start + i) * stride]
                    forwards = forwards and at == game[SPELT + i]
                    backwards = backwards and at == game[SPELT + length - 1 - i]
                found += 1 if forwards or backwards else 0
    return found


def list_changed(game, places, board, cell, mark, changed):
    """Write the cells whose marks a move would change, first its own, to `changed`, int64[cells]; says how many."""
    changed[0] = cell
    count = 1
    if FLANKS and game[PLACEMENT] == FLANK:
        for way in range(2 * game[AXES]):
            stride = game[STRIDES + way // 2] * (1 - 2 * (way & 1))
            for step in range(1, flanked(game, places, board, cell, mark, way) + 1):
                changed[count] = cell + stride * step
                count += 1
    return count


def all_completed(game, places, board, changed, count):
    """How many lines or words a move has completed that changed so many cells."""
    found = int(0)
    if game[GOAL] != MAJORITY:
        for i in range(count):
            found += completed(game, places, board, changed[i])
    return found


def place(game, places, board, cell, mark, changed):
    """Put a mark on the board and turn what it flanks; says how many cells changed, and how many lines are complete."""
    count = list_changed(game, places, board, cell, mark, changed)
    for i in range(count):
        board[changed[i]] = mark
    return count, all_completed(game, places, board, changed, count)


def following(game, places, board, mover, found):
    """Who moves next: the same seat after scoring or where the other has no move."""
    if game[AGAIN] == 1 and found > 0:
        return mover
    if FLANKS and game[PLACEMENT] == FLANK and not can_move(game, places, board, 2 - mover):
        return mover if can_move(game, places, board, 1 + mover) else 1 - mover
    return 1 - mover


def winner(game, places, board, mover, found, difference, blanks):
    """Who has won after a move of this seat that completed so many lines: a seat, DRAW, or NOBODY while it goes on.

    `difference` is the first seat's points less the second's, this move's included.
    """
    if found > 0 and game[EFFECT] != SCORES:
        return mover if game[EFFECT] == WINS else 1 - mover
    if FLANKS and game[PLACEMENT] == FLANK:
        for mark in range(1, 3):
            if can_move(game, places, board, mark):
                return NOBODY
    elif blanks > 0:
        return NOBODY
    if game[GOAL] == MAJORITY:
        difference = 0
        for cell in range(game[CELLS]):
            difference += (1 if board[cell] == 1 else 0) - (1 if board[cell] == 2 else 0)
    elif game[EFFECT] != SCORES:
        return DRAW
    return DRAW if difference == 0 else (0 if difference > 0 else 1)
