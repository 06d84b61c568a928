"""The paper's MANAGER: ask, wait, take the most urgent answer, notify. It knows no game, no board and no rule."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from random import Random
from typing import Literal, Protocol

from teamplay.team.messages import AgentName, Call, Response
from teamplay.team.round import Rounds, Terms, TieBreak

Wake = Literal["all", "affected"]  # whom a manager asks: everybody, or only those who saw a change


class Member(Protocol):
    """Whoever a manager can ask: an agent, or a local manager with an area of its own."""

    @property
    def names(self) -> AbstractSet[AgentName]:
        """The agents that answer through this member."""

    @property
    def restless(self) -> bool:
        """Whether it may answer differently though nothing has changed: an agent that improvises."""

    @property
    def asked(self) -> int:
        """How many agents had to think for the last answer."""

    def affected(self, names: AbstractSet[AgentName]) -> None:
        """These agents have seen a change, so what they answered before no longer holds."""

    def respond(self, active: AbstractSet[AgentName], turn: int) -> list[Response]:
        """The most urgent answers of the active agents, all ties included."""

    def notify(self, chosen: Response) -> None:
        """Learn which answer was selected."""


class Manager:
    """Asks its members and keeps their most urgent answers; a head manager also chooses one.

    With `only_affected` it asks only members that have seen a change: the answers of the others still hold. The rounds
    themselves are the state machine of `round.py`; a manager in this process delivers messages by calling its members.
    """

    def __init__(self, members: Sequence[Member], only_affected: bool = False, tie_break: TieBreak = "random") -> None:
        self.members = members
        self.only_affected = only_affected
        self.names: frozenset[AgentName] = frozenset().union(*(member.names for member in members))
        self.restless = any(member.restless for member in members)
        self._member_of = {name: member for member in members for name in member.names}
        self._rounds: Rounds[Member] = Rounds(Terms(tie_break=tie_break))

    @property
    def asked(self) -> int:
        """How many agents had to think for the last answer."""
        return self._rounds.asked

    def affected(self, names: AbstractSet[AgentName]) -> None:
        """Forget what these agents answered before."""
        for member in {self._member_of[name] for name in names}:
            self._rounds.affected(member)
            member.affected(names & member.names)

    def respond(self, active: AbstractSet[AgentName], turn: int) -> list[Response]:
        """Steps 2 to 4: ask the active agents, wait for all of them, keep the most urgent answers."""
        self._ask(active, turn, None)
        return list(self._rounds.ties)

    def choose(self, active: AbstractSet[AgentName], turn: int, generator: Random) -> Response:
        """Steps 2 to 5: the same, then choose one of the equally urgent answers and notify everybody."""
        self._ask(active, turn, generator)
        choice = self._rounds.choice
        assert choice and choice.said
        self.notify(choice.said)
        return choice.said

    def _ask(self, active: AbstractSet[AgentName], turn: int, generator: Random | None) -> None:
        """One round, in which every call is answered at once."""
        here = {member: active & member.names for member in self.members}
        for message in self._rounds.begin(here, generator=generator):
            if isinstance(message, Call):
                member: Member = message.to
                holds = self.only_affected and not member.restless
                self._rounds.answered(member, member.respond(here[member], turn), member.asked, holds)

    def notify(self, chosen: Response) -> None:
        """Step 5: tell all agents which one is selected."""
        for member in self.members:
            member.notify(chosen)


def most_urgent(responses: Iterable[Response]) -> list[Response]:
    """The answers with the smallest priority number; where everybody is silent, everybody.

    They are put in the order of the agents, so that the same tie is broken the same way under every hierarchy.
    """
    responses = list(responses)
    best = min((said.priority for said in responses if said.priority is not None), default=None)
    return sorted((said for said in responses if said.priority == best), key=lambda said: said.sender)
