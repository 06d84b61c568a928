"""What is valid of a report? Claims come from elsewhere and are untrusted; each is checked before it counts."""

from bisect import bisect
from collections.abc import Sequence
from typing import Any, Literal

from teamplay.team.messages import AgentClaim, TiedAnswers

Wrong = Literal["", "bad entry", "contradiction"]  # what is wrong with a claim; empty: nothing

GREATEST = (1 << 53) - 1  # a priority from elsewhere lies within ± this, which every language's numbers hold
SILENCE = float("inf")  # less urgent than any number


def rank(priority: int | None) -> float:
    """How urgent a priority is, silence last."""
    return SILENCE if priority is None else priority


class Heard:
    """What one member has said in a round, as far as it was valid."""

    __slots__ = ("asked", "claims", "parts", "priority", "spans")

    def __init__(self) -> None:
        self.parts: dict[int, Sequence[AgentClaim]] = {}  # as they came, to tell a repetition from a contradiction
        self.claims: list[AgentClaim] = []
        self.spans: list[tuple[int, int]] = []  # the agents of the claims, in order: the first, and how many
        self.priority: float = SILENCE
        self.asked = 0

    def take(self, claim: AgentClaim, here: Any, letters: str) -> Wrong:
        """Keep a claim about some of the agents that are `here`, if it is valid; the first about an agent counts."""
        if not valid(claim, here, letters):
            return "bad entry"
        first, length, priority, *_ = claim
        place = bisect(self.spans, (first, length))
        near = self.spans[max(place - 1, 0) : place + 1]
        if any(first < begin + others and begin < first + length for begin, others in near):
            return "contradiction"
        self.spans.insert(place, (first, length))
        self.claims.append(claim)
        self.priority = min(self.priority, rank(priority))
        return ""

    @property
    def best(self) -> TiedAnswers:
        """The most urgent of the claims."""
        return TiedAnswers(claim for claim in self.claims if rank(claim.priority) == self.priority)


def valid(claim: AgentClaim, here: Any, known: str) -> bool:
    """Whether a claim has the right types, numbers and letters, and is about agents that may answer."""
    first, length, priority, letters, _ = claim
    if type(first) is not int or type(length) is not int or not 1 <= length <= len(here):
        return False
    if priority is not None and (type(priority) is not int or not -GREATEST <= priority <= GREATEST):
        return False
    if type(letters) is not str or bool(letters) != bool(known) or len(set(letters)) < len(letters):
        return False
    return set(letters) <= set(known) and bool(here.covers(first, length))


def agrees(claims: Sequence[AgentClaim], truth: AgentClaim) -> bool:
    """Whether what a member claims leaves room for what one of its agents really answers."""
    for claim in claims:
        if claim.first <= truth.first < claim.first + claim.length:
            return claim.priority == truth.priority and set(claim.letters) == set(truth.letters)
    return rank(truth.priority) > min((rank(claim.priority) for claim in claims), default=SILENCE)
