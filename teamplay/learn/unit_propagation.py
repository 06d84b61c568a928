"""Unit propagation over clauses, for the checker of a solver's proofs.

Literals are numbered: 2 v is the variable v, 2 v + 1 its negation. Every clause of two or more literals is watched by
its first two: only when one of them becomes false is the clause looked at again (two watched literals).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

KERNELS = True
ENTRIES = ("replay",)

ADD, CHECK, DELETE = 0, 1, 2  # what a step does with its clause
DONE = -1  # a contradiction was derived
FOLLOWED = -2  # all steps were followed, without a contradiction so far


class ClauseState(NamedTuple):
    """All clauses, what is watched, and what is assigned."""

    literals: NDArray[np.int32]  # [literals]: those of all clauses one after the other; the first two are watched
    starts: NDArray[np.int64]  # [clauses + 1]
    deleted: NDArray[np.bool_]  # [clauses]
    head: NDArray[np.int64]  # [numbers of literals]: the first watcher, 2 c or 2 c + 1 for a clause c, or -1
    following: NDArray[np.int64]  # [2 clauses]: the next watcher of the same literal, or -1
    true: NDArray[np.bool_]  # [numbers of literals]
    trail: NDArray[np.int32]  # [variables]: the literals that are true, in the order in which they became so
    length: NDArray[np.int64]  # [1]: of the trail


def replay(state: ClauseState, kinds: NDArray[np.int8], clauses: NDArray[np.int64], first: int, last: int) -> int:
    """Follow some steps: DONE, FOLLOWED, or the step whose clause does not follow by unit propagation."""
    for step in range(first, last):
        clause = clauses[step]
        if kinds[step] == DELETE:
            state.deleted[clause] = True
            continue
        if kinds[step] == CHECK and not follows(state, clause):
            return step
        if not attach(state, clause):
            return DONE
    return FOLLOWED


def follows(state: ClauseState, clause: int) -> bool:
    """Whether its negation leads to a contradiction; nothing stays assigned."""
    before = state.length[0]
    contradiction = False
    for at in range(state.starts[clause], state.starts[clause + 1]):
        literal = state.literals[at]
        if state.true[literal]:
            contradiction = True
            break
        if not state.true[literal ^ 1]:
            assign(state, literal ^ 1)
    if not contradiction:
        contradiction = not propagate(state, before)
    for at in range(before, state.length[0]):
        state.true[state.trail[at]] = False
    state.length[0] = before
    return contradiction


def attach(state: ClauseState, clause: int) -> bool:
    """Take in a clause for good; False if that is a contradiction.

    What is assigned here is never taken back, so a clause with a true literal needs no watching, and one with a single
    literal that is not false assigns it.
    """
    low, high = state.starts[clause], state.starts[clause + 1]
    free = 0
    for at in range(low, high):
        literal = state.literals[at]
        if state.true[literal]:
            return True
        if not state.true[literal ^ 1] and free < 2:
            state.literals[at] = state.literals[low + free]
            state.literals[low + free] = literal
            free += 1
    if free == 0:
        return False
    if free == 1:
        before = state.length[0]
        assign(state, state.literals[low])
        return propagate(state, before)
    for side in range(2):
        literal = state.literals[low + side]
        state.following[2 * clause + side] = state.head[literal]
        state.head[literal] = 2 * clause + side
    return True


def assign(state: ClauseState, literal: int) -> None:
    state.true[literal] = True
    state.trail[state.length[0]] = literal
    state.length[0] += 1


def propagate(state: ClauseState, begin: int) -> bool:
    """Assign what follows from the trail, from a place on; False where a clause has only false literals."""
    at = begin
    while at < state.length[0]:
        false = state.trail[at] ^ 1
        at += 1
        before = -1  # the watcher before this one in the list, -1 at its head
        watcher = state.head[false]
        while watcher >= 0:
            following = state.following[watcher]
            clause = watcher >> 1
            low = state.starts[clause]
            mine = low + (watcher & 1)
            other = state.literals[low + 1 - (watcher & 1)]
            moved = state.deleted[clause]
            if not moved and not state.true[other]:
                for place in range(low + 2, state.starts[clause + 1]):
                    literal = state.literals[place]
                    if not state.true[literal ^ 1]:
                        state.literals[place] = false
                        state.literals[mine] = literal
                        state.following[watcher] = state.head[literal]
                        state.head[literal] = watcher
                        moved = True
                        break
                if not moved:
                    if state.true[other ^ 1]:
                        return False
                    assign(state, other)
            if not moved:
                before = watcher
            elif before < 0:
                state.head[false] = following
            else:
                state.following[before] = following
            watcher = following
    return True
