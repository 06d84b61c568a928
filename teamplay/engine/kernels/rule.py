"""What the rules of a table say, measured on a board.

A table is `program`, int64[rows, columns], from the row `head` on; what its rows and columns mean stands at the top of
`engine/program.py`.
`work`, int64, holds what is measured of one agent: first its features, then a stack, how many of every mark a window
holds, and a line of marks with the agent's own cell in its middle.
"""

from teamplay.engine.kernels.game import AXES, CELLS, COLUMNS, LENGTH, ROWS, STRIDES
from teamplay.engine.program import (
    ADD,
    AHEAD,
    AHEAD_END,
    ALL,
    AND,
    ANSWER,
    ANY,
    AT_LEAST,
    AT_MOST,
    BEHIND,
    BEHIND_END,
    COORDINATE,
    DEEPEST,
    DIFFERENT,
    EQUAL,
    FEATURE,
    FEATURES,
    FIRST,
    FIRST_FEATURE,
    KIND,
    LAST,
    LESS,
    LETTER_BITS,
    LINES,
    LOOKS,
    MARK,
    MARKS,
    MORE,
    MULTIPLY,
    NEGATE,
    NOT,
    OFF,
    ORDERED,
    PALINDROME,
    PLUS,
    PUSH,
    RADIUS,
    REACH,
    SIGHT,
    STARTS,
    STEP,
    SUBTRACT,
    SUMS,
    TALLY,
    UNLESS,
    UNORDERED,
    VALUE,
)

KERNELS = VIEWS = True


def visible(game, places, program, head, cell, way):
    """How many cells an agent sees along a way."""
    if program[head, SIGHT] == LINES and places[cell, way] + places[cell, way ^ 1] + 1 < game[LENGTH]:
        return 0  # no line of the game's length fits here
    return min(places[cell, way], program[head, REACH])


def walk(program, first, last, work, home, way, room):
    """Follow steps outwards from home: cells walked, and cells in runs; (-1, 0) where they don't fit."""
    at = 0
    runs = 0
    for row in range(first, last):
        mark = program[row, MARK]
        if at >= room or (mark != ANY and work[home + way * (at + 1)] != mark):
            return -1, 0
        at += 1
        if program[row, PLUS] == 1:
            begun = at - 1
            while at < room and (mark == ANY or work[home + way * (at + 1)] == mark):
                at += 1
            runs += at - begun
    return at, runs


def both_arms(program, row, work, home, way, front, back):
    """The cells that a row's arms walk, one way and the other, and those in runs; (-1, 0, 0) where they don't fit."""
    far, run = walk(program, program[row, AHEAD], program[row, AHEAD_END], work, home, way, front)
    near, more = walk(program, program[row, BEHIND], program[row, BEHIND_END], work, home, -way, back)
    if far < 0 or near < 0:
        return -1, 0, 0
    return far, near, run + more


def measure_ordered(program, feature, work, home, behind, ahead):
    """Matches (or cells in runs) of a pattern with `*` along one axis, read both ways."""
    total = 0
    first, last = program[feature, FIRST], program[feature, LAST]
    for reading in range(2):
        way = 1 - 2 * reading
        front = ahead if reading == 0 else behind
        back = behind + ahead - front
        for row in range(first, last):
            if reading == 1 and program[row, PALINDROME] == 1:
                continue  # a palindrome counts once
            far, near, runs = both_arms(program, row, work, home, way, front, back)
            # The same cells may match several alternatives, and count once; the last such match speaks.
            for later in range(row + 1, last):
                if far >= 0 and not (reading == 1 and program[later, PALINDROME] == 1):
                    there, here, _ = both_arms(program, later, work, home, way, front, back)
                    if there == far and here == near:
                        far = -1
            if far >= 0:
                total += runs if program[feature, SUMS] == 1 else 1
    return total


def measure_windows(length, program, head, work, home, behind, ahead):
    """Add to every pattern without `*` the windows of the game's length through home that hold what it needs."""
    counts = program[head, FEATURES] + DEEPEST
    for start in range(home - min(behind, length - 1), min(home, home + ahead - length + 1) + 1):
        for mark in range(program[head, MARKS] + 1):
            work[counts + mark] = 0
        work[counts] = -1  # home itself is blank and does not count
        for at in range(start, start + length):
            work[counts + work[at]] += 1
        for i in range(program[head, FEATURES]):
            if program[head + FIRST_FEATURE + i, KIND] == UNORDERED:
                for row in range(program[head + FIRST_FEATURE + i, FIRST], program[head + FIRST_FEATURE + i, LAST]):
                    met = True
                    for mark in range(program[head, MARKS] + 1):
                        met = met and work[counts + mark] >= program[row, mark]
                    if met:
                        work[i] += 1
                        break


def measure_axis(length, program, head, work, home, behind, ahead):
    """Add what the patterns find along one axis: the line holds `behind` marks, home (blank), and `ahead` marks."""
    ordered = 0
    for i in range(program[head, FEATURES]):
        if program[head + FIRST_FEATURE + i, KIND] == ORDERED:
            ordered += 1
            work[i] += measure_ordered(program, head + FIRST_FEATURE + i, work, home, behind, ahead)
    if ordered < program[head, FEATURES]:
        measure_windows(length, program, head, work, home, behind, ahead)


def sights(game, program, head):
    """How often to ask for a cell in sight."""
    sight, side = program[head, SIGHT], 2 * program[head, REACH] + 1
    if sight == ALL:
        return game[CELLS]
    if sight == RADIUS:
        return side * side * (side if game[CELLS] > game[COLUMNS] * game[ROWS] else 1)
    return 2 * game[AXES] * program[head, REACH]


def in_sight(game, places, program, head, cell, i):
    """A cell in sight, one for every number; -1 where the sight ends before, and for the agent's own cell."""
    reach = program[head, REACH]
    if program[head, SIGHT] == ALL:
        found = i
    elif program[head, SIGHT] == RADIUS:
        side = 2 * reach + 1
        layers = i // (side * side) - (reach if game[CELLS] > game[COLUMNS] * game[ROWS] else 0)
        found = beside(game, cell, layers, i // side % side - reach, i % side - reach)
    else:
        way, step = i // reach, i % reach + 1
        stride = game[STRIDES + (way >> 1)] * (1 - 2 * (way & 1))
        found = cell + stride * step if step <= visible(game, places, program, head, cell, way) else -1
    return found if found != cell else -1


def beside(game, cell, layers, rows, columns):
    """The cell so many layers, rows and columns away; -1 off the board."""
    wide, high = game[COLUMNS], game[ROWS]
    layer, row, column = cell // (wide * high) + layers, cell // wide % high + rows, cell % wide + columns
    on = 0 <= layer and layer * wide * high < game[CELLS] and 0 <= row < high and 0 <= column < wide
    return (layer * high + row) * wide + column if on else -1


def look(game, places, program, head, board, cell, feature):
    """A feature that is no pattern: a tally, the mark of a cell, or a coordinate from 1."""
    kind, value = program[feature, KIND], program[feature, VALUE]
    if kind == TALLY:
        found = 0
        for i in range(sights(game, program, head)):
            other = in_sight(game, places, program, head, cell, i)
            found += 1 if other >= 0 and board[other] == value else 0
        return found
    if kind == COORDINATE:
        wide, high = game[COLUMNS], game[ROWS]
        return 1 + (cell // (wide * high) if value == 0 else cell // wide % high if value == 1 else cell % wide)
    if kind == STEP:
        value = beside(game, cell, value, program[feature, VALUE + 1], program[feature, VALUE + 2])
    return board[value] + 0 if value >= 0 else OFF


def look_around(game, places, program, head, board, cell, work):
    """All features of an agent that are no patterns."""
    for i in range(program[head, FEATURES]):
        if program[head + FIRST_FEATURE + i, KIND] > ORDERED:
            work[i] = look(game, places, program, head, board, cell, head + FIRST_FEATURE + i)


def measure(game, places, program, head, board, cell, work):
    """All features of one agent, measured afresh."""
    looks = program[head, LOOKS]
    home = program[head, FEATURES] + DEEPEST + program[head, MARKS] + 1 + looks
    for i in range(program[head, FEATURES]):
        work[i] = 0
    if looks > 0:
        for axis in range(game[AXES]):
            ahead = min(looks, visible(game, places, program, head, cell, 2 * axis))
            behind = min(looks, visible(game, places, program, head, cell, 2 * axis + 1))
            for step in range(-behind, ahead + 1):
                work[home + step] = board[cell + game[STRIDES + axis] * step]
            measure_axis(game[LENGTH], program, head, work, home, behind, ahead)
    look_around(game, places, program, head, board, cell, work)


def answer(program, head, role, work):
    """What the first rule that holds says of the features: the priority, and in the last bits the letters."""
    top = program[head, FEATURES] - 1
    row = program[head + STARTS, role]
    while True:
        do, what = program[row, 0], program[row, 1]
        row += 1
        if do == PUSH:
            top += 1
            work[top] = what
        elif do == FEATURE:
            top += 1
            work[top] = work[what]
        elif do == UNLESS:
            if work[top] == 0:
                row = what
            top -= 1
        elif do == ANSWER:
            return (work[top] << LETTER_BITS) | what
        elif do == NEGATE:
            work[top] = -work[top]
        elif do == NOT:
            work[top] = 1 - work[top]
        else:
            right = work[top]
            top -= 1
            work[top] = combined(do, work[top], right)


def combined(do, left, right):
    """Two numbers made one."""
    if do == ADD:
        return left + right
    if do == SUBTRACT:
        return left - right
    if do == MULTIPLY:
        return left * right
    if do == EQUAL:
        holds = left == right
    elif do == DIFFERENT:
        holds = left != right
    elif do == LESS:
        holds = left < right
    elif do == AT_MOST:
        holds = left <= right
    elif do == MORE:
        holds = left > right
    elif do == AT_LEAST:
        holds = left >= right
    elif do == AND:
        holds = left != 0 and right != 0
    else:
        holds = left != 0 or right != 0
    return 1 if holds else 0


def respond(game, places, program, head, board, cell, work):
    """What an agent says, measured afresh."""
    measure(game, places, program, head, board, cell, work)
    return answer(program, head, places[cell, 2 * game[AXES]], work)
