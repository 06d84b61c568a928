"""Patterns by table look-up: what an agent sees along an axis is a small number, and its features are worked out once.

The marks on each side of an agent are the digits of a number with base 3, blank 1 and the marks 2 and 3, the nearest
the last; where the board ends there are fewer digits. The numbers of both sides make a code. `table`, int64[codes,
seats], holds for every code its features, packed into one word. The sum over all axes says all that patterns can say of
an agent, and `memo`, int64[remembered, 2], keeps what agents answered to such sums.
"""

from teamplay.engine.kernels.chance import mix
from teamplay.engine.kernels.game import Numbers
from teamplay.engine.kernels.rule import Program, Work, answer
from teamplay.engine.program import (
    FEATURES,
    FIRST_FEATURE,
    KIND,
    LEAST,
    MASK,
    MEMO,
    SHIFT,
    WEIGHTED,
)

KERNELS = VIEWS = True
ENTRIES = ("recall_all",)
INLINE = ("recall",)

SEATED_BITS = 4  # of a role and a program
ROLE_MASK = 7


def sides(coded: int) -> int:
    """How many numbers the marks on one side of an agent can make where so many cells are coded."""
    return int((3 ** (coded + 1) - 1) // 2)


def unpack(program: Program, head: int, packed: int, work: Work) -> None:
    """The patterns among the features, from their sum over the axes."""
    for i in range(program[head, FEATURES]):
        row = head + FIRST_FEATURE + i
        if program[row, KIND] <= WEIGHTED:
            work.features[i] = ((packed >> program[row, SHIFT]) & program[row, MASK]) + program[row, LEAST]


def recall(program: Program, head: int, memo: Numbers, packed: int, role: int, work: Work) -> int:
    """The answer of an agent whose features are all packed; an unknown one is worked out and remembered."""
    mine = (packed << SEATED_BITS) | (role << 1) | (program[head, MEMO] - 1)
    at = mix(mine) & (len(memo) - 2)
    if memo[at, 0] == mine:
        return int(memo[at, 1])
    return remember(program, head, memo, at, mine, work)


def remember(program: Program, head: int, memo: Numbers, at: int, mine: int, work: Work) -> int:
    """The answer to packed features, a role and a program that don't stand first in their bucket of the memo.

    The memo is a cache with buckets of two, the newer first, the older behind it in the same line of the processor's
    own cache. This is the rare case, so it is kept out of the loops that call it.
    """
    if memo[at ^ 1, 0] == mine:
        found = int(memo[at ^ 1, 1])
    else:
        unpack(program, head, mine >> SEATED_BITS, work)
        found = answer(program, head, (mine >> 1) & ROLE_MASK, work)
    memo[at ^ 1, 0] = memo[at, 0]
    memo[at ^ 1, 1] = memo[at, 1]
    memo[at, 0] = mine
    memo[at, 1] = found
    return found


def recall_all(program: Program, head: int, memo: Numbers, asked: Numbers, said: Numbers, work: Work) -> None:
    """Write the answers to many packed features, each with a role in its last bits, to `said`."""
    for i in range(len(asked)):
        packed, role = asked[i] >> SEATED_BITS, (asked[i] >> 1) & ROLE_MASK
        said[i] = recall(program, head, memo, packed, role, work)
