"""What managers and agents say to each other, in one process or across machines."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any, Literal, NamedTuple, Protocol, overload

AgentName = int  # a number to call an agent by; ties are put in this order
How = Literal["complete", "quorum", "recomputed", "fallback", "aborted"]  # how a choice came about


@dataclass(frozen=True)
class Response:
    """An agent's answer: who, how urgent (1 is the most, None is silence), the letter it would place, by which rule.

    An agent that has no preference between letters sends one response for each.
    """

    sender: AgentName
    priority: int | None
    letter: str = ""
    rule: str = ""


class Draws(Protocol):
    """What breaks ties: a generator, or something that draws again in the same way after a lie was found."""

    def choice(self, seq: Any, /) -> Any:
        """One of a sequence."""


class Here(Collection[AgentName], Protocol):
    """The agents that may answer through one member in this round."""

    def covers(self, first: AgentName, length: int) -> bool:
        """Whether all of these consecutive agents are among them."""

    def pick(self, chance: Random) -> AgentName:
        """One of them, each with the same chance."""


class Cells(frozenset[AgentName]):
    """A few agents, as a set."""

    def covers(self, first: AgentName, length: int) -> bool:
        return first in self if length == 1 else self.issuperset(range(first, first + length))

    def pick(self, chance: Random) -> AgentName:
        return chance.choice(sorted(self))


class AgentClaim(NamedTuple):
    """What consecutive agents answer, as another process reports it: untrusted until it was checked."""

    first: AgentName
    length: int  # how many
    priority: int | None
    letters: str = ""  # each a response of its own; empty where the game has none
    rule: str = ""


class Call(NamedTuple):
    """Ask a member for the most urgent answers of its agents."""

    to: Any
    epoch: int
    number: int
    hash: str  # of the board as the member should know it
    here: Collection[AgentName]
    deadline: float  # seconds from now on


class Sync(NamedTuple):
    """Bring a member up to date: it spoke of another board, or has just joined."""

    to: Any


class AreaReport(NamedTuple):
    """What a member answers for its agents: the most urgent answers with all ties, possibly in several parts."""

    sender: Any
    epoch: int
    number: int
    hash: str
    claims: Sequence[AgentClaim]
    asked: int = 0  # how many agents had to think
    part: int = 0
    parts: int = 1


class Choice(NamedTuple):
    """What a round came to, and how; `said` is None only where it was aborted."""

    said: Response | None
    how: How
    number: int


Message = Call | Sync | Choice


class TiedAnswers(Sequence[Response]):
    """Equally urgent answers in the order of the agents, kept as claims: a million of them take no memory.

    >>> ties = TiedAnswers([AgentClaim(4, 2, 1, "SO"), AgentClaim(1, 1, 1, "S")])
    >>> len(ties), ties[0].sender, ties[3].letter, ties[4].sender
    (5, 1, 'S', 5)
    """

    def __init__(self, claims: Iterable[AgentClaim]) -> None:
        self.claims = sorted(claims)
        self.priority = self.claims[0].priority if self.claims else None
        self._ends = list(accumulate(claim.length * (len(claim.letters) or 1) for claim in self.claims))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> Response: ...
    @overload
    def __getitem__(self, index: slice) -> list[Response]: ...
    def __getitem__(self, index: int | slice) -> Response | list[Response]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        place = bisect_right(self._ends, index)
        claim = self.claims[place]
        offset = index - (self._ends[place - 1] if place else 0)
        if not claim.letters:
            return Response(claim.first + offset, claim.priority, "", claim.rule)
        cell, letter = divmod(offset, len(claim.letters))
        return Response(claim.first + cell, claim.priority, claim.letters[letter], claim.rule)
