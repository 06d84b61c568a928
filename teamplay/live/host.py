"""What does a host do with each message? It keeps its agents' board, and answers a call for all of them.

Without input or output: `serve.py` runs it over a network, the simulator over a bad one.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Protocol

from teamplay.luck import mixed
from teamplay.team.messages import AgentClaim, AreaReport

MOST_CLAIMS = 1000  # in one part of a report, which so fits a message


class Seating(Protocol):
    """The agents of a host's area: they are told of marks, and asked."""

    def clear(self) -> None:
        """Forget everything: the board is blank."""

    def put(self, cell: int, mark: str) -> None:
        """A cell that some agent sees has changed."""

    def answers(self, call: Any) -> tuple[Sequence[AgentClaim], int]:
        """The most urgent answers with all ties, and how many agents had to think."""


def changed_hash(hash: int, cell: int, before: str, after: str) -> int:
    """The hash of a board after one cell has changed: all marks, mixed with their cells, by exclusive or."""
    if before != "b":
        hash ^= _mark_hash(cell, before)
    if after != "b":
        hash ^= _mark_hash(cell, after)
    return hash


@lru_cache(maxsize=1 << 12)
def _mark_hash(cell: int, mark: str) -> int:
    return mixed(cell << 8 | ord(mark))


class Host:
    """One host; the state is the newest epoch it has heard of, and the board as it was told."""

    def __init__(self, name: Any, seating: Seating, batch: int = MOST_CLAIMS) -> None:
        """`batch` is how many claims go into one message; 1 is a message for each agent, as a measure."""
        self.name, self.seating, self.batch = name, seating, batch
        self.epoch = 0
        self.hash = 0
        self.marks: dict[int, str] = {}  # what is not blank

    def change(self, epoch: int, fresh: bool, cells: Iterable[tuple[int, str]]) -> None:
        """Some cells have changed; `fresh` ones are all there is on the board."""
        if epoch < self.epoch:
            return
        self.epoch = epoch
        if fresh:
            self.seating.clear()
            self.marks, self.hash = {}, 0
        for cell, mark in cells:
            before = self.marks.get(cell, "b")
            if before != mark:
                self.hash = changed_hash(self.hash, cell, before, mark)
                self.marks[cell] = mark
                self.seating.put(cell, mark)

    def call(self, epoch: int, number: int, hash: str, call: Any) -> list[AreaReport]:
        """Answer for all agents; a manager that asks about another board is told which board is known here.

        A manager of an older epoch is told of the newer one, in a report of no round: a late call of the same manager
        must not look like an answer.
        """
        if epoch < self.epoch:
            return [AreaReport(self.name, self.epoch, 0, "", ())]
        self.epoch = epoch
        mine = written(self.hash)
        if hash != mine:
            return [AreaReport(self.name, epoch, number, mine, ())]
        claims, asked = self.seating.answers(call)
        if self.batch == 1:
            claims = [each._replace(first=each.first + i, length=1) for each in claims for i in range(each.length)]
        parts = [claims[i : i + self.batch] for i in range(0, len(claims), self.batch)] or [()]
        return [
            AreaReport(self.name, epoch, number, hash, part, 0 if i else asked, i, len(parts))
            for i, part in enumerate(parts)
        ]


def written(hash: int) -> str:
    """A hash as messages carry it.

    >>> written(changed_hash(0, 4, "b", "x"))
    '009395d9f4c3365e'
    """
    return f"{hash:016x}"
