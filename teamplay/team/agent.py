"""The paper's AGENT: sits on one cell, knows what is in its sight, answers the manager, reacts when selected."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from teamplay.grid import Cell
from teamplay.language.rulebook import BoundRule
from teamplay.luck import Luck
from teamplay.team.consult import Tried, consult, possible, priority, trace
from teamplay.team.messages import AgentName, Response
from teamplay.team.view import BLANK, View

React = Callable[[Response], None]  # send word that this answer is carried out; it must lead back to no board


class Agent:
    """One cell's agent. It is told of changes in its sight, and of nothing else."""

    asked = 1

    def __init__(self, view: View, rules: Sequence[BoundRule], letters: Sequence[str], react: React) -> None:
        self.cell = view.cell
        self.names: frozenset[AgentName] = frozenset([view.cell])
        self.restless = any(rule.chance is not None for rule in rules)
        self.luck = Luck(0)
        self._view, self._rules, self._letters, self._react = view, rules, letters, react
        self._taken = False

    def notice(self, cell: Cell, mark: str) -> None:
        """Something changed in sight, or on the agent's own cell."""
        if cell == self.cell:
            self._taken = mark != BLANK
        else:
            self._view.notice(cell, mark)

    def affected(self, names: AbstractSet[AgentName]) -> None:
        """An agent keeps no answers, so there is nothing to forget."""

    def respond(self, active: AbstractSet[AgentName], turn: int) -> list[Response]:
        """Steps 2 to 5: end if the cell is taken, else consult T and submit what it says."""
        if self._taken:
            return []
        return self._responses(consult(self._rules, self._view, lambda rule: self._coin(rule, turn)))

    def possible_responses(self) -> Iterator[list[Response]]:
        """Every answer that this agent might give, whatever its coins say."""
        return (self._responses(rule) for rule in possible(self._rules, self._view))

    def notify(self, chosen: Response) -> None:
        """Steps 6 and 7: react if selected."""
        if chosen.sender == self.cell:
            self._react(chosen)

    def trace(self, turn: int) -> list[Tried]:
        """Every rule that led to the answer, with what it measured."""
        return trace(self._rules, self._view, lambda rule: self._coin(rule, turn))

    def _responses(self, rule: BoundRule | None) -> list[Response]:
        if rule is None:
            return [Response(self.cell, None, letter) for letter in self._letters]
        urgency = priority(rule, self._view)
        return [Response(self.cell, urgency, letter, rule.name) for letter in rule.letters or self._letters]

    def _coin(self, rule: BoundRule, turn: int) -> bool:
        assert rule.chance is not None
        return self.luck.coin(rule.chance, turn, self.cell, f"{rule.role}/{rule.label or rule.place}")
