"""What the rules of a table say, measured on a board of marks as the team sees them (0 blank, 1 mine, 2 theirs, …)."""

import numpy as np

from teamplay.engine.program import (
    ADD,
    AND,
    ANY,
    AT_LEAST,
    AT_MOST,
    CELL,
    DIFFERENT,
    EQUAL,
    FEATURE,
    LESS,
    MORE,
    MULTIPLY,
    NEGATE,
    NOT,
    OFF,
    OR,
    ORDERED,
    PUSH,
    SILENT,
    STEP,
    SUBTRACT,
    TALLY,
    UNORDERED,
)

KERNELS = True
INLINE = ("run", "answer")

DEEPEST = 128  # the stack of one rule; the parser allows no deeper expression


def visible(game, program, cell, axis):
    """How many cells the agent sees ahead and behind along an axis."""
    ahead = game.room[cell, 2 * axis]
    behind = game.room[cell, 2 * axis + 1]
    if program.sight == 0 and ahead + behind + 1 < game.length:
        return 0, 0  # no line of the game's length fits here
    return min(ahead, program.reach), min(behind, program.reach)


def walk(program, first, last, line, start, way, room):
    """Follow steps outwards from `start` along `line`: cells walked and cells in runs; (-1, 0) where they don't fit."""
    at = 0
    runs = 0
    for i in range(first, last):
        mark = program.steps[i, 0]
        if at >= room or (mark != ANY and line[start + way * (at + 1)] != mark):
            return -1, 0
        at += 1
        if program.steps[i, 1] == 1:
            begun = at - 1
            while at < room and (mark == ANY or line[start + way * (at + 1)] == mark):
                at += 1
            runs += at - begun
    return at, runs


def measure_ordered(program, feature, line, home, behind, ahead):
    """Matches (or cells in runs) of a pattern with `*` along one axis, read both ways."""
    total = 0
    first, last = program.alternatives[feature]
    for way in range(2):
        for i in range(first, last):
            if way == 1 and program.arms[i, 4] == 1:
                continue  # a palindrome counts once
            front, back = (ahead, behind) if way == 0 else (behind, ahead)
            step = 1 if way == 0 else -1
            far, run = walk(program, program.arms[i, 0], program.arms[i, 1], line, home, step, front)
            if far < 0:
                continue
            near, more = walk(program, program.arms[i, 2], program.arms[i, 3], line, home, -step, back)
            if near < 0:
                continue
            # The same cells may match several alternatives, and count once; the last such match speaks.
            again = False
            for j in range(i + 1, last):
                if way == 1 and program.arms[j, 4] == 1:
                    continue
                other_far, _ = walk(program, program.arms[j, 0], program.arms[j, 1], line, home, step, front)
                other_near, _ = walk(program, program.arms[j, 2], program.arms[j, 3], line, home, -step, back)
                again = again or (other_far == far and other_near == near)
            if not again:
                total += run + more if program.sums[feature] == 1 else 1
    return total


def measure_unordered(game, program, feature, line, home, behind, ahead):
    """Windows of the game's length through home that hold what one of the alternatives needs."""
    total = 0
    first, last = program.alternatives[feature]
    for start in range(home - behind, home + ahead - game.length + 2):
        if start > home:
            break
        if start + game.length <= home:
            continue
        matched = False
        for i in range(first, last):
            met = True
            for mark in range(program.marks + 1):
                need = program.needs[i, mark]
                if need > 0:
                    held = -1 if mark == 0 else 0  # home itself is blank and does not count
                    for at in range(start, start + game.length):
                        held += line[at] == mark
                    met = met and held >= need
            matched = matched or met
        total += matched
    return total


def measure_axis(game, program, line, home, behind, ahead, features):
    """Add what the patterns find along one axis: `line` holds `behind` marks, home (blank), and `ahead` marks."""
    for feature in range(len(program.kinds)):
        if program.kinds[feature] == UNORDERED:
            features[feature] += measure_unordered(game, program, feature, line, home, behind, ahead)
        elif program.kinds[feature] == ORDERED:
            features[feature] += measure_ordered(program, feature, line, home, behind, ahead)


def tally(game, program, board, cell, mark):
    """How many of the cells in sight, home left out, hold a mark."""
    found = 0
    if program.sight == 3:
        for at in range(game.cells):
            found += at != cell and board[at] == mark
        return found
    if program.sight == 2:
        columns, rows = game.columns, game.rows
        layer, row, column = cell // (columns * rows), cell // columns % rows, cell % columns
        layers = game.cells // (columns * rows)
        near = program.reach
        for a in range(max(0, layer - near), min(layers, layer + near + 1)):
            for b in range(max(0, row - near), min(rows, row + near + 1)):
                for c in range(max(0, column - near), min(columns, column + near + 1)):
                    at = (a * rows + b) * columns + c
                    found += at != cell and board[at] == mark
        return found
    for axis in range(len(game.strides)):
        ahead, behind = visible(game, program, cell, axis)
        stride = game.strides[axis]
        for step in range(1, ahead + 1):
            found += board[cell + stride * step] == mark
        for step in range(1, behind + 1):
            found += board[cell - stride * step] == mark
    return found


def look(game, program, board, cell, feature):
    """A feature that is no pattern: a tally, the mark of a cell, or a coordinate from 1."""
    kind = program.kinds[feature]
    columns, rows = game.columns, game.rows
    if kind == TALLY:
        return tally(game, program, board, cell, program.values[feature, 0])
    if kind == CELL:
        return np.int64(board[program.values[feature, 0]])
    layer, row, column = cell // (columns * rows), cell // columns % rows, cell % columns
    if kind == STEP:
        layer += program.values[feature, 0]
        row += program.values[feature, 1]
        column += program.values[feature, 2]
        layers = game.cells // (columns * rows)
        if not (0 <= layer < layers and 0 <= row < rows and 0 <= column < columns):
            return np.int64(OFF)
        return np.int64(board[(layer * rows + row) * columns + column])
    which = program.values[feature, 0]
    return np.int64(layer if which == 0 else row if which == 1 else column) + 1


def measure(game, program, board, cell, line, features):
    """All features of one cell, measured afresh; `line` is scratch of 2 * looks + 1 marks."""
    features[:] = 0
    looks = program.looks
    if looks > 0:
        for axis in range(len(game.strides)):
            ahead, behind = visible(game, program, cell, axis)
            ahead, behind = min(ahead, looks), min(behind, looks)
            stride = game.strides[axis]
            for step in range(-behind, ahead + 1):
                line[looks + step] = board[cell + stride * step]
            measure_axis(game, program, line, looks, behind, ahead, features)
    for feature in range(len(program.kinds)):
        if program.kinds[feature] > ORDERED:
            features[feature] = look(game, program, board, cell, feature)


def run(program, start, end, features, stack):
    """The value of a stretch of code."""
    top = -1
    for i in range(start, end):
        do = program.code[i, 0]
        if do == PUSH:
            top += 1
            stack[top] = program.code[i, 1]
        elif do == FEATURE:
            top += 1
            stack[top] = features[program.code[i, 1]]
        elif do == NEGATE:
            stack[top] = -stack[top]
        elif do == NOT:
            stack[top] = 1 - stack[top]
        else:
            right = stack[top]
            top -= 1
            left = stack[top]
            if do == ADD:
                stack[top] = left + right
            elif do == SUBTRACT:
                stack[top] = left - right
            elif do == MULTIPLY:
                stack[top] = left * right
            elif do == EQUAL:
                stack[top] = left == right
            elif do == DIFFERENT:
                stack[top] = left != right
            elif do == LESS:
                stack[top] = left < right
            elif do == AT_MOST:
                stack[top] = left <= right
            elif do == MORE:
                stack[top] = left > right
            elif do == AT_LEAST:
                stack[top] = left >= right
            elif do == AND:
                stack[top] = left != 0 and right != 0
            elif do == OR:
                stack[top] = left != 0 or right != 0
    return stack[0]


def answer(program, cell, features, stack):
    """The first rule that holds: its priority and its letters as bits; SILENT where none does."""
    role = program.role_of[cell]
    for rule in range(program.roles[role, 0], program.roles[role, 1]):
        condition, priority, end, letters = program.rules[rule]
        if condition < 0 or run(program, condition, priority, features, stack) != 0:
            return run(program, priority, end, features, stack), letters
    return SILENT, 0


def answers(game, program, boards, players, priorities, letters):
    """What every agent says on every board, measured afresh.

    `boards` is int8[boards, cells] as the team sees them, `players` int8[boards] the seat to move; `priorities` int64
    and `letters` int64 [boards, cells] are written: SILENT and 0 where the cell is taken or the agent silent.
    """
    features = np.zeros(max(1, len(program.kinds)), dtype=np.int64)
    stack = np.zeros(DEEPEST, dtype=np.int64)
    line = np.zeros(2 * program.looks + 1, dtype=np.int8)
    for i in range(len(boards)):
        for cell in range(game.cells):
            priorities[i, cell] = SILENT
            letters[i, cell] = 0
            if boards[i, cell] == 0:
                measure(game, program, boards[i], cell, line, features)
                priorities[i, cell], letters[i, cell] = answer(program, cell, features, stack)
