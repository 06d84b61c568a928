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

# A key of the memo: the packed features, three bits for the role, one for which program.
SEATED_BITS = 4
ROLE_MASK = 7


def sides(coded: int) -> int:
    """How many numbers the marks on one side of an agent can make where `coded` cells are coded.

    There are 3 ** i rows of i marks; the sum over i from 0 to `coded` is a geometric series.
    """
    return int((3 ** (coded + 1) - 1) // 2)


def unpack(program: Program, head: int, packed: int, work: Work) -> None:
    """The patterns and sums among the features, from their packed sum over the axes.

    A word of packed features is added up as one number: every field is wide enough for the largest sum, so none carries
    into the next. A weighted sum may be negative, which a field can't; it is stored from its least value on.
    """
    for i in range(program[head, FEATURES]):
        row = head + FIRST_FEATURE + i
        if program[row, KIND] <= WEIGHTED:
            work.features[i] = ((packed >> program[row, SHIFT]) & program[row, MASK]) + program[row, LEAST]


def recall(program: Program, head: int, memo: Numbers, packed: int, role: int, work: Work) -> int:
    """The answer of an agent whose features are all packed; an unknown one is worked out and remembered.

    The memo is a cache with buckets of two slots, the newer answer in the first (an even index), the older behind it.
    Most answers stand in the first, so only that one is tried here, in the loops of the callers. Its size is a power of
    two, so `& (size - 2)` takes an even index from a hash.
    """
    mine = (packed << SEATED_BITS) | (role << 1) | (program[head, MEMO] - 1)
    at = mix(mine) & (len(memo) - 2)
    if memo[at, 0] == mine:
        return int(memo[at, 1])
    return remember(program, head, memo, at, mine, work)


def remember(program: Program, head: int, memo: Numbers, at: int, mine: int, work: Work) -> int:
    """The answer to a key that does not stand first in its bucket of the memo: it comes to stand there.

    This is the rare case. It is not inlined, so that the loops which call it stay small.
    """
    if memo[at + 1, 0] == mine:
        found = int(memo[at + 1, 1])
    else:
        unpack(program, head, mine >> SEATED_BITS, work)
        found = answer(program, head, (mine >> 1) & ROLE_MASK, work)
    memo[at + 1, 0] = memo[at, 0]
    memo[at + 1, 1] = memo[at, 1]
    memo[at, 0] = mine
    memo[at, 1] = found
    return found


def recall_all(program: Program, head: int, memo: Numbers, asked: Numbers, said: Numbers, work: Work) -> None:
    """Write the answers to many packed features, each with a role in its last bits, to `said`."""
    for i in range(len(asked)):
        packed, role = asked[i] >> SEATED_BITS, (asked[i] >> 1) & ROLE_MASK
        said[i] = recall(program, head, memo, packed, role, work)
