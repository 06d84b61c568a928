"""Patterns by table look-up: what an agent sees along an axis is a small number, and its features are worked out once.

The marks on each side of an agent are the digits of a number with base 3, blank 1 and the marks 2 and 3, the nearest
the last; where the board ends there are fewer digits. The numbers of both sides make a code. `table`, int64[seats,
codes], holds for every code its features, packed into one word. The sum over all axes says all that patterns can say of
an agent, and `memo`, int64[remembered, 2], keeps what agents answered to such sums.
"""

from teamplay.engine.kernels.chance import mix
from teamplay.engine.kernels.rule import answer, measure_axis
from teamplay.engine.program import (
    CODED,
    DEEPEST,
    FEATURES,
    FIRST_FEATURE,
    KIND,
    LOOKS,
    MARKS,
    MASK,
    ORDERED,
    SHIFT,
)

KERNELS = VIEWS = True
INLINE = ("recall",)

SEATED_BITS = 4  # of a role and a seat


def sides(coded: int) -> int:
    """How many numbers the marks on one side of an agent can make where so many cells are coded."""
    return int((3 ** (coded + 1) - 1) // 2)


def fill(length, program, head, table, seat, work):
    """Work out the features of every code; lines of the game have this length."""
    looks = program[head, LOOKS]
    home = program[head, FEATURES] + DEEPEST + program[head, MARKS] + 1 + looks
    every = sides(program[head, CODED])
    work[home] = 0
    for code in range(every * every):
        behind = decode(work, home, int(-1), looks, code // every)
        ahead = decode(work, home, int(1), looks, code % every)
        for i in range(program[head, FEATURES]):
            work[i] = 0
        measure_axis(length, program, head, work, home, behind, ahead)
        total = 0
        for i in range(program[head, FEATURES]):
            total += work[i] << program[head + FIRST_FEATURE + i, SHIFT]
        table[seat, code] = total


def decode(work, home, way, looks, number):
    """Write the marks on one side of an agent, as far as it looks; says how many."""
    count = 0
    while number > 0 and count < looks:
        count += 1
        work[home + way * count] = (number - 1) % 3
        number = (number - 1) // 3
    return count


def unpack(program, head, packed, work):
    """The patterns among the features, from their sum over the axes."""
    for i in range(program[head, FEATURES]):
        row = head + FIRST_FEATURE + i
        if program[row, KIND] <= ORDERED:
            work[i] = (packed >> program[row, SHIFT]) & program[row, MASK]


def recall(program, head, memo, packed, seat, role, work):
    """The answer of an agent whose features are all packed; an unknown one is worked out and remembered."""
    mine = (packed << SEATED_BITS) | (role << 1) | seat
    at = mix(mine) & (len(memo) - 1)
    if memo[at, 0] != mine:
        unpack(program, head, packed, work)
        memo[at, 0] = mine
        memo[at, 1] = answer(program, head, role, work)
    return memo[at, 1]
