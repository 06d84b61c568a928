"""Every board of a game of points as a number: the class game on all of them, and the boards that levels lead to.

The number of a board has a digit per cell, 0 for blank. A move makes it larger, so one pass from the last number to the
first is the class game, and one from the first to the last follows a team. What is still to come does not hang on the
points made so far: a value is a difference of points, and of all ways to a board the one with the least is enough.
These are kernels, which numba compiles when there are many boards.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

KERNELS = True
ENTRIES = ("class_game", "follow", "judge")

NONE = 127  # the difference of points on a board that is not met

Numbers = NDArray[np.int64]
Differences = NDArray[np.int8]


class PointRules(NamedTuple):
    """The game, and what an agent's class and the points of its move hang on."""

    digits: int  # that a cell may have: the letters and blank
    powers: Numbers  # [cells + 1]: what a digit of each cell counts
    again: bool  # another turn after scoring?
    seen: Numbers  # [cells, most]: the cells that matter to each cell, filled up with -1
    begin: Numbers  # [cells]: where the looks of each cell begin
    code: Numbers  # [looks]: class * letters
    points: Differences  # [looks, letters]
    images: Numbers  # [images, 2, numbers]: where the lower and the upper half of a board go under each symmetry
    half: int  # what the upper half of a board counts


class Values(NamedTuple):
    """A difference of points for each board: with the team to move, and with the opponent. Both are [boards]."""

    team: Differences
    other: Differences


class Room(NamedTuple):
    """Room for the work on a board."""

    marks: Numbers  # [cells]
    look: Numbers  # [cells]: what each blank cell sees
    codes: Numbers  # [cells * letters]: the codes on a board
    worst: Numbers  # [cells * letters]: the least that a move of each code brings


def read(rules: PointRules, board: int, room: Room) -> None:
    """The marks of a board, and what each blank cell sees."""
    left = board
    for cell in range(len(room.marks)):
        room.marks[cell] = left % rules.digits
        left //= rules.digits
    for cell in range(len(room.marks)):
        if room.marks[cell] == 0:
            look, factor = rules.begin[cell], 1
            for i in range(rules.seen.shape[1]):
                if rules.seen[cell, i] < 0:
                    break
                look += factor * room.marks[rules.seen[cell, i]]
                factor *= rules.digits
            room.look[cell] = look


def weigh(rules: PointRules, board: int, values: Values, room: Room) -> int:
    """The codes on a board that was read, and the least that a move of each brings the team; how many there are."""
    found = 0
    for cell in range(len(room.marks)):
        if room.marks[cell] != 0:
            continue
        for letter in range(rules.points.shape[1]):
            after = board + (letter + 1) * rules.powers[cell]
            points = int(rules.points[room.look[cell], letter])
            value = points + int(values.team[after] if points > 0 and rules.again else values.other[after])
            code = rules.code[room.look[cell]] + letter
            at = 0
            while at < found and room.codes[at] != code:
                at += 1
            if at == found:
                room.codes[at], room.worst[at] = code, value
                found += 1
            else:
                room.worst[at] = min(room.worst[at], value)
    return found


def class_game(rules: PointRules, first: int, stop: int, values: Values, room: Room) -> None:
    """What is still to come on the boards from `first` up to `stop`, the later ones being known.

    The team chooses a code, and the worst move of it is made; the opponent makes any move.
    """
    for board in range(stop - 1, first - 1, -1):
        read(rules, board, room)
        found = weigh(rules, board, values, room)
        if found == 0:
            continue
        values.team[board] = room.worst[:found].max()
        least = NONE
        for cell in range(len(room.marks)):
            if room.marks[cell] == 0:
                for letter in range(rules.points.shape[1]):
                    after = board + (letter + 1) * rules.powers[cell]
                    points = int(rules.points[room.look[cell], letter])
                    onward = values.other[after] if points > 0 and rules.again else values.team[after]
                    least = min(least, int(onward) - points)
        values.other[board] = least


def canonical(rules: PointRules, board: int) -> int:
    """The smallest image of a board."""
    low, high = board % rules.half, board // rules.half
    best = board
    for i in range(len(rules.images)):
        best = min(best, rules.images[i, 0, low] + rules.images[i, 1, high])
    return best


def follow(
    rules: PointRules, values: Values, levels: Numbers, needed: int, met: Values, room: Room, enough: int
) -> int:
    """Mark the boards that a team with these levels meets, each with the least difference of points.

    `met` holds the start already. In how many positions the team may make a move after which `needed` can't be had any
    more; there it is not followed further, and `enough` of them end it.
    """
    failures = 0
    for board in range(len(met.team)):
        team, other = int(met.team[board]), int(met.other[board])
        if team == NONE and other == NONE:
            continue
        read(rules, board, room)
        best = least_level(rules, levels, room)
        fails = team != NONE and falls_short(rules, board, values, levels, best, needed - team, room)
        failures += fails
        if failures >= enough:
            break
        for cell in range(len(room.marks)):
            if room.marks[cell] != 0:
                continue
            for letter in range(rules.points.shape[1]):
                points = int(rules.points[room.look[cell], letter])
                stays = points > 0 and rules.again
                after = canonical(rules, board + (letter + 1) * rules.powers[cell])
                if other != NONE:
                    onward = met.other if stays else met.team
                    onward[after] = min(onward[after], other - points)
                if team != NONE and not fails and levels[rules.code[room.look[cell]] + letter] == best:
                    onward = met.team if stays else met.other
                    onward[after] = min(onward[after], team + points)
    return failures


def least_level(rules: PointRules, levels: Numbers, room: Room) -> int:
    """The most urgent level on a board that was read."""
    best = np.iinfo(np.int64).max
    for cell in range(len(room.marks)):
        if room.marks[cell] == 0:
            for letter in range(rules.points.shape[1]):
                best = min(best, levels[rules.code[room.look[cell]] + letter])
    return best


def falls_short(
    rules: PointRules, board: int, values: Values, levels: Numbers, level: int, needed: int, room: Room
) -> bool:
    """Whether a move of this level brings less than is needed."""
    for at in range(weigh(rules, board, values, room)):
        if levels[room.codes[at]] == level and room.worst[at] < needed:
            return True
    return False


def judge(rules: PointRules, values: Values, boards: Numbers, needed: Numbers, room: Room, found: Numbers) -> int:
    """The codes on some boards and whether each brings what is needed there; how many there are.

    `found`, [3, moves], takes the place of the board, the code, and 1 or 0. Boards on which all codes do, or none, are
    left out.
    """
    total = 0
    for place in range(len(boards)):
        read(rules, boards[place], room)
        codes = weigh(rules, boards[place], values, room)
        good = 0
        for at in range(codes):
            found[0, total + at], found[1, total + at] = place, room.codes[at]
            found[2, total + at] = 1 if room.worst[at] >= needed[place] else 0
            good += found[2, total + at]
        if 0 < good < codes:
            total += codes
    return total
