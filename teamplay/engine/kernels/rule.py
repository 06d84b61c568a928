"""What the rules of a table say, measured on a board: an interpreter for the programs of `engine/program.py`.

A table is `program`, int64[rows, columns], from the row `head` on; what its rows and columns mean stands at the top of
`engine/program.py`. It is one array, and not a tuple of arrays for features, patterns and code, because a tuple is
copied at every call that is not inlined, and because two tables fit into one array, one behind the other.

An agent answers in two steps. `measure` writes its features, what the rules ask about, to `work.features`. `answer`
runs the rules over these numbers. Tables are data, so nothing is compiled for a table: the interpreter is compiled
once, and a table is ready at once. An interpreter is slow, so `lookup.py` remembers what it has answered.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.game import GameArrays, Marks, Numbers
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
    BY,
    COORDINATE,
    DIFFERENT,
    EQUAL,
    FACTOR,
    FEATURE,
    FEATURES,
    FIRST,
    FIRST_FEATURE,
    HELD,
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
    ORDERED_FROM,
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
    TERM,
    UNLESS,
    UNORDERED,
    UNORDERED_FROM,
    VALUE,
    WEIGHTED,
)

KERNELS = VIEWS = True
ENTRIES = ()

Program = NDArray[np.int64]  # [rows, columns]


class Work(NamedTuple):
    """Room for the work on one agent, made once for many."""

    features: Numbers  # [features]: what was measured
    stack: Numbers  # [DEEPEST]: of the rules' arithmetic
    counts: Numbers  # [marks + 1]: how many of every mark a window holds
    line: Numbers  # [2 * looks + 1]: the marks along an axis, the agent's own cell in the middle


def visible(game: GameArrays, program: Program, head: int, cell: int, way: int) -> int:
    """How many cells an agent sees along a way (see `GameArrays` for ways; way ^ 1 is the opposite one)."""
    if program[head, SIGHT] == LINES and game.places[cell, way] + game.places[cell, way ^ 1] + 1 < game.length:
        return 0  # no line of the game's length fits here
    return int(min(game.places[cell, way], program[head, REACH]))


def walk(program: Program, first: int, last: int, line: Numbers, home: int, way: int, room: int) -> tuple[int, int]:
    """Follow steps outwards from home: cells walked, and cells in runs; (-1, 0) where they don't fit.

    A run takes all the cells that it can get and never gives one back, so there is no backtracking.
    """
    at = 0
    runs = 0
    for row in range(first, last):
        mark = program[row, MARK]
        if at >= room or (mark != ANY and line[home + way * (at + 1)] != mark):
            return -1, 0
        at += 1
        if program[row, PLUS] == 1:
            begun = at - 1
            while at < room and (mark == ANY or line[home + way * (at + 1)] == mark):
                at += 1
            runs += at - begun
    return at, runs


def both_arms(
    program: Program, row: int, line: Numbers, home: int, way: int, front: int, back: int
) -> tuple[int, int, int]:
    """The cells that a row's arms walk, one way and the other, and those in runs; (-1, 0, 0) where they don't fit."""
    far, run = walk(program, program[row, AHEAD], program[row, AHEAD_END], line, home, way, front)
    near, more = walk(program, program[row, BEHIND], program[row, BEHIND_END], line, home, -way, back)
    if far < 0 or near < 0:
        return -1, 0, 0
    return far, near, run + more


def measure_ordered(program: Program, feature: int, line: Numbers, home: int, behind: int, ahead: int) -> int:
    """Matches (or cells in runs) of a pattern with `*` along one axis, read both ways.

    Two alternatives that match the same cells count once. A match is known by how far its two arms reach, and the last
    alternative of equal reach is the one that counts, as in the reference. There are few alternatives, so each match is
    compared with the later ones; a set of those met would cost more.
    """
    total = 0
    first, last = program[feature, FIRST], program[feature, LAST]
    for reading in range(2):
        way = 1 - 2 * reading
        front = ahead if reading == 0 else behind
        back = behind + ahead - front
        for row in range(first, last):
            if reading == 1 and program[row, PALINDROME] == 1:
                continue  # a palindrome counts once
            far, near, runs = both_arms(program, row, line, home, way, front, back)
            for later in range(row + 1, last):
                if far >= 0 and not (reading == 1 and program[later, PALINDROME] == 1):
                    there, here, _ = both_arms(program, later, line, home, way, front, back)
                    if there == far and here == near:
                        far = -1
            if far >= 0:
                total += runs if program[feature, SUMS] == 1 else 1
    return total


def measure_windows(length: int, program: Program, head: int, work: Work, home: int, behind: int, ahead: int) -> None:
    """Add to every pattern without `*` the windows of the game's length through home that hold what it needs."""
    counts, line = work.counts, work.line
    for start in range(home - min(behind, length - 1), min(home, home + ahead - length + 1) + 1):
        count_marks(program, head, counts, line, start, length)
        for i in range(program[head, FEATURES]):
            feature = head + FIRST_FEATURE + i
            if program[feature, KIND] == UNORDERED and holds_enough(program, head, feature, counts):
                work.features[i] += 1


def count_marks(program: Program, head: int, counts: Numbers, line: Numbers, start: int, length: int) -> None:
    """How many of every mark the window from `start` on holds, home left out.

    Home is blank and in every window, so the blanks start at -1; that saves a test in the loop.
    """
    for mark in range(program[head, MARKS] + 1):
        counts[mark] = 0
    counts[0] = -1
    for at in range(start, start + length):
        counts[line[at]] += 1


def holds_enough(program: Program, head: int, feature: int, counts: Numbers) -> bool:
    """Whether a window with these counts of marks meets one of the alternatives of a pattern without `*`."""
    for row in range(program[feature, FIRST], program[feature, LAST]):
        met = True
        for mark in range(program[head, MARKS] + 1):
            met = met and counts[mark] >= program[row, mark]
        if met:
            return True
    return False


def measure_axis(length: int, program: Program, head: int, work: Work, home: int, behind: int, ahead: int) -> None:
    """Add what the patterns find along one axis: the line holds `behind` marks, home (blank), and `ahead` marks."""
    ordered = 0
    for i in range(program[head, FEATURES]):
        if program[head + FIRST_FEATURE + i, KIND] == ORDERED:
            ordered += 1
            work.features[i] += measure_ordered(program, head + FIRST_FEATURE + i, work.line, home, behind, ahead)
    if ordered < program[head, FEATURES]:
        measure_windows(length, program, head, work, home, behind, ahead)


def add_up(program: Program, head: int, work: Work) -> None:
    """Weighted sums of patterns that have been measured."""
    for i in range(program[head, FEATURES]):
        row = head + FIRST_FEATURE + i
        if program[row, KIND] == WEIGHTED:
            for term in range(program[row, FIRST], program[row, LAST]):
                work.features[i] += program[term, FACTOR] * work.features[program[term, TERM]]


def sights(game: GameArrays, program: Program, head: int) -> int:
    """How many numbers `in_sight` knows a cell for, those off the board included."""
    sight, side = program[head, SIGHT], 2 * program[head, REACH] + 1
    if sight == ALL:
        return game.cells
    if sight == RADIUS:
        return int(side * side * (side if game.area > game.columns * game.rows else 1))
    return 2 * game.axes * int(program[head, REACH])


def in_sight(game: GameArrays, program: Program, head: int, cell: int, i: int) -> int:
    """The i-th cell in sight; -1 off the board or behind the end of the sight, and for the agent's own cell.

    The numbers count a full line, square or cube around the agent, and the cell is worked out. A list of the cells in
    sight of every agent would take hundreds of megabytes on a board of 1000x1000.
    """
    reach = program[head, REACH]
    if program[head, SIGHT] == ALL:
        found = i
    elif program[head, SIGHT] == RADIUS:
        side = 2 * reach + 1
        layers = i // (side * side) - (reach if game.area > game.columns * game.rows else 0)
        found = beside(game, cell, layers, i // side % side - reach, i % side - reach)
    else:
        way, step = i // reach, i % reach + 1
        stride = game.strides[way >> 1] * (1 - 2 * (way & 1))
        found = cell + stride * step if step <= visible(game, program, head, cell, way) else -1
    return found if found != cell else -1


def beside(game: GameArrays, cell: int, layers: int, rows: int, columns: int) -> int:
    """The cell a given number of layers, rows and columns away; -1 off the board."""
    wide, high = game.columns, game.rows
    layer, row, column = cell // (wide * high) + layers, cell // wide % high + rows, cell % wide + columns
    on = 0 <= layer and layer * wide * high < game.cells and 0 <= row < high and 0 <= column < wide
    return (layer * high + row) * wide + column if on else -1


def count_from(game: GameArrays, program: Program, head: int, board: Marks, cell: int, feature: int, work: Work) -> int:
    """A pattern counted from another cell, as if the agent's own held its mark; 0 where that cell is off the board.

    What the other cell holds itself plays no role, as if it were blank.
    """
    there = beside(game, cell, program[feature, BY], program[feature, BY + 1], program[feature, BY + 2])
    total = 0
    line, counts, home = work.line, work.counts, len(work.line) // 2
    for axis in range(game.axes if there >= 0 else 0):
        ahead = min(home, game.places[there, 2 * axis])
        behind = min(home, game.places[there, 2 * axis + 1])
        for step in range(-behind, ahead + 1):
            at = there + game.strides[axis] * step
            line[home + step] = program[feature, HELD] if at == cell else board[at]
        line[home] = 0
        if program[feature, KIND] == ORDERED_FROM:
            total += measure_ordered(program, feature, line, home, behind, ahead)
            continue
        for start in range(home - min(behind, game.length - 1), min(home, home + ahead - game.length + 1) + 1):
            count_marks(program, head, counts, line, start, game.length)
            total += 1 if holds_enough(program, head, feature, counts) else 0
    return total


def look(game: GameArrays, program: Program, head: int, board: Marks, cell: int, feature: int, work: Work) -> int:
    """A feature that is no pattern along the lines through an agent's cell."""
    kind, value = program[feature, KIND], program[feature, VALUE]
    if kind >= UNORDERED_FROM:
        return count_from(game, program, head, board, cell, feature, work)
    if kind == TALLY:
        found = 0
        for i in range(sights(game, program, head)):
            other = in_sight(game, program, head, cell, i)
            found += 1 if other >= 0 and board[other] == value else 0
        return found
    if kind == COORDINATE:
        wide, high = game.columns, game.rows
        return 1 + (cell // (wide * high) if value == 0 else cell // wide % high if value == 1 else cell % wide)
    if kind == STEP:
        value = beside(game, cell, value, program[feature, VALUE + 1], program[feature, VALUE + 2])
    return int(board[value]) if value >= 0 else OFF


def look_around(game: GameArrays, program: Program, head: int, board: Marks, cell: int, work: Work) -> None:
    """All features of an agent that are no patterns."""
    for i in range(program[head, FEATURES]):
        if program[head + FIRST_FEATURE + i, KIND] > WEIGHTED:
            work.features[i] = look(game, program, head, board, cell, head + FIRST_FEATURE + i, work)


def measure(game: GameArrays, program: Program, head: int, board: Marks, cell: int, work: Work) -> None:
    """All features of one agent, measured afresh."""
    looks = program[head, LOOKS]
    for i in range(program[head, FEATURES]):
        work.features[i] = 0
    if looks > 0:
        for axis in range(game.axes):
            ahead = min(looks, visible(game, program, head, cell, 2 * axis))
            behind = min(looks, visible(game, program, head, cell, 2 * axis + 1))
            for step in range(-behind, ahead + 1):
                work.line[looks + step] = board[cell + game.strides[axis] * step]
            measure_axis(game.length, program, head, work, looks, behind, ahead)
    add_up(program, head, work)
    look_around(game, program, head, board, cell, work)


def answer(program: Program, head: int, role: int, work: Work) -> int:
    """What the first rule that holds says of the features: the priority, and in the last bits the letters.

    The rules are code for a stack machine, in postfix order: operands are pushed, an operation replaces its operands
    on top of the stack by its result. UNLESS goes on with the next rule where a condition is 0. The code of every role
    ends with an ANSWER, so the loop needs no other end.
    """
    features, stack = work.features, work.stack
    top = -1
    row = program[head + STARTS, role]
    while True:
        do, what = program[row, 0], program[row, 1]
        row += 1
        if do == PUSH:
            top += 1
            stack[top] = what
        elif do == FEATURE:
            top += 1
            stack[top] = features[what]
        elif do == UNLESS:
            if stack[top] == 0:
                row = what
            top -= 1
        elif do == ANSWER:
            return int((stack[top] << LETTER_BITS) | what)
        elif do == NEGATE:
            stack[top] = -stack[top]
        elif do == NOT:
            stack[top] = 1 - stack[top]
        else:
            right = stack[top]
            top -= 1
            stack[top] = combined(do, stack[top], right)


def combined(do: int, left: int, right: int) -> int:
    """The result of an operation on two numbers; conditions are 1 and 0."""
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


def respond(game: GameArrays, program: Program, head: int, board: Marks, cell: int, work: Work) -> int:
    """What an agent says, measured afresh."""
    measure(game, program, head, board, cell, work)
    return answer(program, head, game.roles[cell], work)
