"""Random games, many of them: on a bitboard, on lines as words, or by the rules of any game.

All count in `outcomes`, int64[4], who won (the first seat, the second, nobody) and all moves made. `record`, int64,
takes the moves as long as there is room: the cell times RECORDED, plus the mark. Where marks drop, and trivially where
they go anywhere, the free cells are stacks: `stacks`, int64[stacks, cells], from the bottom up; `levels`, int64[2,
stacks], says how many are used (0 between games) and how many there are, and `free`, int64[stacks], lists the stacks
with any room.
"""

from teamplay.engine.kernels.chance import draw, scramble
from teamplay.engine.kernels.game import (
    ANYWHERE,
    CELLS,
    DRAW,
    LETTERS,
    NOBODY,
    PLACEMENT,
    POSITIVE,
    SHARED,
    fits,
    following,
    place,
    winner,
)

KERNELS = VIEWS = True
INLINE = ("take", "give_back")

RECORDED = 16
USED, ROOM = 0, 1


def take(stacks, levels, free, i, left):
    """The next free cell of the i-th of the stacks with room; how many stacks have room then."""
    stack = free[i & POSITIVE] & POSITIVE
    level = levels[USED, stack] & POSITIVE
    cell = stacks[stack, level] & POSITIVE
    levels[USED, stack] = level + 1
    if level + 1 == levels[ROOM, stack]:
        levels[USED, stack] = 0
        left -= 1
        free[i & POSITIVE] = free[left & POSITIVE]
        free[left & POSITIVE] = stack
    return cell, left


def give_back(levels, free, left):
    """Empty the stacks that still have room; the full ones are emptied already."""
    for i in range(left):
        levels[USED, free[i]] = 0


def play_bits(stacks, levels, free, bits, start, shifts, opener, loses, games, state, outcomes, record):
    """Games of lines on a board that fits into a word, with a spare cell at the end of every line.

    `bits`, int64[cells], has the bit of every cell, `start`, int64[2], those of each seat's marks. Marks in a row
    overlap themselves when they are shifted again and again, by `shifts`, int64[steps, axes], four axes at a time.
    """
    made = 0
    one, two, three, four = state[0], state[1], state[2], state[3]
    for _ in range(games):
        mine, theirs, mover, left = start[opener], start[1 - opener], opener, len(free)
        won = DRAW
        while left > 0:
            one, two, three, four = two, three, four, scramble(one, four)
            cell, left = take(stacks, levels, free, (four * left) >> 32, left)
            mine |= bits[cell]
            if made < len(record):
                record[made] = cell * RECORDED + mover + 1
            made += 1
            rows = 0
            for axis in range(0, shifts.shape[1], 4):
                a, b, c, d = mine, mine, mine, mine
                for step in range(len(shifts)):
                    a &= a >> shifts[step, axis]
                    b &= b >> shifts[step, axis + 1]
                    c &= c >> shifts[step, axis + 2]
                    d &= d >> shifts[step, axis + 3]
                rows |= a | b | c | d
            if rows != 0:
                won = 1 - mover if loses else mover
                break
            mine, theirs = theirs, mine
            mover = 1 - mover
        give_back(levels, free, left)
        outcomes[won] += 1
    outcomes[3] += made
    state[0], state[1], state[2], state[3] = one, two, three, four


def play_lines(stacks, levels, free, where, words, start, steps, opener, loses, games, state, outcomes, record):
    """Games of lines on a larger board; each line is a word: `words` and `start` are int64[2, lines], by seat.

    `where`, int64[cells, 2 * axes], tells on which line a cell lies along every axis, and its bit there; 0 and no bit
    where the line is too short.
    """
    made = 0
    one, two, three, four = state[0], state[1], state[2], state[3]
    for _ in range(games):
        for line in range(words.shape[1]):
            words[0, line] = start[0, line]
            words[1, line] = start[1, line]
        mover, left = opener, len(free)
        won = DRAW
        while left > 0:
            one, two, three, four = two, three, four, scramble(one, four)
            cell, left = take(stacks, levels, free, (four * left) >> 32, left)
            if made < len(record):
                record[made] = cell * RECORDED + mover + 1
            made += 1
            rows = 0
            for axis in range(0, where.shape[1], 2):
                word = words[mover, where[cell, axis]] | where[cell, axis + 1]
                words[mover, where[cell, axis]] = word
                for step in range(len(steps)):
                    word &= word >> steps[step]
                rows |= word
            if rows != 0:
                won = 1 - mover if loses else mover
                break
            mover = 1 - mover
        give_back(levels, free, left)
        outcomes[won] += 1
    outcomes[3] += made
    state[0], state[1], state[2], state[3] = one, two, three, four


def list_legal(game, places, board, free, mark):
    """Write the cells that this mark may go to to `free`; says how many."""
    count = 0
    for cell in range(game[CELLS]):
        if fits(game, places, board, cell, mark):
            free[count] = cell
            count += 1
    return count


def play_any(game, places, start, board, free, changed, opener, games, state, outcomes, record):
    """Games by the rules of any game, from the marks of `start`, int8[cells]."""
    made = 0
    for _ in range(games):
        for cell in range(game[CELLS]):
            board[cell] = start[cell]
        mover, difference, won = opener, int(0), int(NOBODY)
        left = list_legal(game, places, board, free, mover + 1)
        blanks = int(0)
        for cell in range(game[CELLS]):
            blanks += 1 if board[cell] == 0 else 0
        while won == NOBODY:
            i = draw(state, left)
            cell = free[i]
            mark = draw(state, game[LETTERS]) + 1 if game[SHARED] == 1 else mover + 1
            if made < len(record):
                record[made] = cell * RECORDED + mark
            made += 1
            _, found = place(game, places, board, cell, mark, changed)
            difference += found if mover == 0 else -found
            blanks -= 1
            won = winner(game, places, board, mover, found, difference, blanks)
            mover = following(game, places, board, mover, found)
            if game[PLACEMENT] == ANYWHERE:
                left -= 1
                free[i] = free[left]
            else:
                left = list_legal(game, places, board, free, mover + 1)
        outcomes[won] += 1
    outcomes[3] += made
