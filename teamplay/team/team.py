"""A team: agents on all cells and a manager, together one player."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import BLANK, Move, Position
from teamplay.grid import Cell
from teamplay.language.rulebook import Rulebook
from teamplay.luck import Luck
from teamplay.team.agent import Agent
from teamplay.team.consult import Tried
from teamplay.team.manager import Manager, most_urgent
from teamplay.team.messages import AgentName, Response
from teamplay.team.round import TieBreak
from teamplay.team.view import View

if TYPE_CHECKING:
    import networkx as nx


LARGEST_TEAM = 4_000_000  # cells in sight, all agents together: some 500 MB of views


class Team:
    """Plays either seat by a rule book. It broadcasts what changed on the board to the agents that see it.

    This is the one place that knows both the board and the agents; the agents know only what it tells them.
    """

    def __init__(
        self,
        book: Rulebook,
        tie_break: TieBreak = "random",
        only_affected: bool = False,
        areas: "nx.DiGraph[str | int] | None" = None,
    ) -> None:
        self.book, self.game = book, book.game
        self.tie_break: TieBreak = tie_break
        _refuse_the_huge(book)
        self.name = book.name
        letters = self.game.marks if self.game.shared else ("",)
        cells = self.game.grid.cells
        self._reactions: list[Response] = []  # where the selected agent leaves word; a way out, with no way in
        react = self._reactions.append
        self.agents = [Agent(View(book, cell), book.rules(cell), letters, react) for cell in cells]
        self.manager = self._managed(areas, only_affected)
        self._watchers = _watchers(book)
        self._told = "b" * self.game.grid.size  # what the agents were told of the board, one mark a cell
        self._seat = 0

    def __repr__(self) -> str:
        return f"Team({self.name!r}, {str(self.game)!r})"

    def _managed(self, areas: "nx.DiGraph[str | int] | None", only_affected: bool) -> Manager:
        if areas is None:
            return Manager(self.agents, only_affected, self.tie_break)
        from teamplay.team.areas import hierarchy

        return hierarchy(areas, self.agents, only_affected, self.tie_break)

    @property
    def asked(self) -> int:
        """How many agents had to think for the last answer."""
        return self.manager.asked

    def moves(self, position: Position) -> list[Move]:
        """Every move that the team might make here, whatever its ties and coins say."""
        return list(dict.fromkeys(map(self._move, self.candidates(position))))  # two rules may lead to one move

    def candidates(self, position: Position) -> list[Response]:
        """Every answer that the manager might take here, whatever its ties and coins say."""
        active, turn = self._start(position)
        if self.manager.restless:
            return self._possible([self.agents[cell] for cell in sorted(active)])
        responses = self.manager.respond(active, turn)
        return responses[:1] if self.tie_break == "first" else responses

    def choose(self, position: Position, luck: Luck) -> Move:
        """One round of the paper's algorithms: broadcast, start, respond, choose, notify, react."""
        active, turn = self._start(position, luck)
        if not active:
            raise IllegalMove("The game is over; there is nothing to choose.")
        self.manager.choose(active, turn, luck)
        return self._move(self._reactions.pop())

    def answers(self, position: Position, luck: Luck) -> list[Response]:
        """What every active agent says, one by one."""
        active, turn = self._start(position, luck)
        return [said for cell in sorted(active) for said in self.agents[cell].respond({cell}, turn)]

    def best(self, position: Position, luck: Luck) -> list[Move]:
        """The tied most urgent moves, with the coins of this luck."""
        return [self._move(said) for said in most_urgent(self.answers(position, luck))]

    def trace(self, position: Position, cell: Cell, luck: Luck) -> list[Tried]:
        """Why a cell answers as it does: every rule tried."""
        _, turn = self._start(position, luck)
        return self.agents[cell].trace(turn)

    def _start(self, position: Position, luck: Luck | None = None) -> tuple[frozenset[int], int]:
        """Broadcast the position; then who may play, and which turn it is."""
        self.broadcast(self.game.seen(position))
        self._seat = position.seat
        if luck is not None and self.manager.restless:
            for agent in self.agents:
                agent.luck = luck
        active = frozenset(move.cell for move in self.game.moves(position))
        return active, self.game.grid.size - position.marks.count(BLANK)

    def broadcast(self, marks: str) -> None:
        """Tell every change to the agents that have it in sight, and the managers who is affected."""
        if marks == self._told:
            return
        affected: set[AgentName] = set()
        for cell, (old, new) in enumerate(zip(self._told, marks, strict=True)):
            if old != new:
                for watcher in self._watchers[cell]:
                    self.agents[watcher].notice(cell, new)
                    affected.add(watcher)
        self._told = marks
        self.manager.affected(affected)

    def _move(self, said: Response) -> Move:
        return Move(said.sender, said.letter or self.game.own_mark(self._seat))

    def _possible(self, agents: Sequence[Agent]) -> list[Response]:
        """The answers that some random outcome makes the most urgent.

        Coins are independent, so all agents may be as calm as they can at once. An answer can be chosen if nobody's
        calmest is more urgent; with the tie-break `first`, if no agent before it is as urgent even then.
        """
        options = [list(agent.possible_responses()) for agent in agents]
        calmest = [max(map(_urgency, answers)) for answers in options]
        least = min(calmest, default=0.0)
        first = self.tie_break == "first"
        found: list[Response] = []
        for place, answers in enumerate(options):
            for said in answers:
                late = first and place > calmest.index(least)
                if _urgency(said) < least or (_urgency(said) == least and not late):
                    found.extend(said[:1] if first else said)
        return found


def _urgency(said: Sequence[Response]) -> float:
    """The priority of an agent's answer, silence last."""
    priority = said[0].priority
    return float("inf") if priority is None else priority


def _watchers(book: Rulebook) -> list[list[Cell]]:
    """For every cell the agents that are told when it changes: its own, and those that have it in sight."""
    watchers: list[list[Cell]] = [[cell] for cell in book.game.grid.cells]
    for agent in book.game.grid.cells:
        for cell in book.sight(agent):
            watchers[cell].append(agent)
    return watchers


def _refuse_the_huge(book: Rulebook) -> None:
    """Agents that each keep a view of their own do not fit a board of any size."""
    grid = book.game.grid
    middle = grid.cell([side // 2 for side in grid.shape])
    seen = grid.size * len(book.sight(middle))
    if seen > LARGEST_TEAM:
        raise BadSpec(
            f"A team of {grid.size:,} agents that see {len(book.sight(middle)):,} cells each is too large to seat; "
            f"take a smaller board or a narrower sight ({LARGEST_TEAM:,} cells seen in all are the most)."
        )
