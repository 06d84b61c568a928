"""Is a SAT solver right that its clauses can't be met? Its proof is replayed by a checker of our own.

A solver writes down every clause that it learns, the empty one last. Each must follow from those before it by unit
propagation alone (reverse unit propagation, RUP): assume that it is false, and clauses with a single literal left lead
to a contradiction. The checker shares nothing with the solver, and a proof with a wrong step is refused.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.jit import kernels
from teamplay.learn import unit_propagation
from teamplay.learn.unit_propagation import ADD, CHECK, DELETE, DONE, FOLLOWED, ClauseState

SLICE = 2_000  # steps between two looks at the clock
SMALL = 2_000  # steps that need no compiler

Clause = Sequence[int]  # literals: a variable's number, negative for its negation


class WrongProof(AssertionError):
    """A step of a proof does not follow from those before it."""


def check_refutation(clauses: Iterable[Clause], proof: Sequence[str], watch: Callable[[str], None]) -> int:
    """How many steps show that the clauses can't be met; WrongProof if they do not.

    >>> check_refutation([[1, 2], [-1, 2], [1, -2], [-1, -2]], ["2 0", "0"], lambda _: None)
    2
    """
    replayed = _Replay()
    for clause in clauses:
        replayed.add(ADD, clause)
    given = len(replayed.kinds)
    for line in proof:
        *words, end = line.split()
        assert end == "0", f"a step of a proof ends with 0: {line}"
        if words[:1] == ["d"]:
            replayed.delete([int(word) for word in words[1:]])
        else:
            replayed.add(CHECK, [int(word) for word in words])
    return replayed.run(given, watch)


class _Replay:
    """The steps of a proof as arrays."""

    def __init__(self) -> None:
        self.literals: list[int] = []
        self.starts = [0]
        self.kinds: list[int] = []
        self.clauses: list[int] = []
        self._places: dict[tuple[int, ...], list[int]] = {}

    def add(self, kind: int, clause: Clause) -> None:
        """A clause that is given, or that a step claims; a literal twice says no more than once."""
        distinct = sorted(set(clause))
        number = len(self.starts) - 1
        self._places.setdefault(tuple(distinct), []).append(number)
        self.literals += distinct
        self.starts.append(len(self.literals))
        self.kinds.append(kind)
        self.clauses.append(number)

    def delete(self, clause: Clause) -> None:
        """A clause that is not used any more; one that was never there has nothing to delete."""
        places = self._places.get(tuple(sorted(set(clause))))
        if places:
            self.kinds.append(DELETE)
            self.clauses.append(places.pop())

    def run(self, given: int, watch: Callable[[str], None]) -> int:
        kinds, clauses = np.array(self.kinds, dtype=np.int8), np.array(self.clauses, dtype=np.int64)
        state = self._state()
        kernel = kernels(unit_propagation, len(kinds) > SMALL)
        for first in range(0, len(kinds), SLICE):
            watch(f"checking a proof: step {max(0, first - given):,} of {len(kinds) - given:,}")
            found = kernel.replay(state, kinds, clauses, first, min(first + SLICE, len(kinds)))
            if found == DONE:
                return len(kinds) - given
            if found != FOLLOWED:
                raise WrongProof(f"step {found - given + 1} of a proof does not follow from those before it")
        raise WrongProof("a proof does not end with a contradiction")

    def _state(self) -> ClauseState:
        signed = np.array(self.literals, dtype=np.int32)
        numbered: NDArray[np.int32] = (2 * np.abs(signed) + (signed < 0)).astype(np.int32)
        count = len(self.starts) - 1
        most = int(np.abs(signed).max(initial=0))
        return ClauseState(
            literals=numbered,
            starts=np.array(self.starts, dtype=np.int64),
            deleted=np.zeros(count, dtype=np.bool_),
            head=np.full(2 * most + 2, -1, dtype=np.int64),
            following=np.full(2 * count, -1, dtype=np.int64),
            true=np.zeros(2 * most + 2, dtype=np.bool_),
            trail=np.zeros(most + 1, dtype=np.int32),
            length=np.zeros(1, dtype=np.int64),
        )
