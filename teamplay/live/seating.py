"""Who answers on a host? The agents of an area: the reference's own, or the compiled board where the table allows."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from teamplay.engine.live import SMALL_BOARD, LiveBoard
from teamplay.engine.program import SILENT, TAKEN
from teamplay.language.rulebook import Rulebook
from teamplay.live.area import Mask
from teamplay.live.host import Seating
from teamplay.luck import Luck
from teamplay.team.agent import Agent
from teamplay.team.manager import Manager
from teamplay.team.messages import AgentClaim, Response
from teamplay.team.view import BLANK, View


class Question(NamedTuple):
    """What a call asks of a host's agents."""

    active: Mask | None = None  # who may play; None: all whose cell is blank
    everyone: bool = False  # all answers, not only the most urgent
    turn: int = 0
    seed: int = 0  # of the coins


def digest(book: Rulebook) -> str:
    """What tells one table on one board from another: a host must play by the manager's."""
    sections = [(sorted(roles), rules) for roles, rules in book.sections]
    meaning = repr((str(book.game), book.reach, book.features, sections))
    return blake2b(meaning.encode(), digest_size=8).hexdigest()


def restless(book: Rulebook) -> bool:
    """Whether some rule of a table has a chance, so that agents may change their minds."""
    return any(rule.chance is not None for _, rules in book.sections for rule in rules)


def seating_for(book: Rulebook, area: Mask) -> Seating:
    """The agents of an area, compiled on a large board."""
    if book.game.grid.size > SMALL_BOARD and not restless(book):
        return CompiledSeating(book, area)
    return ReferenceSeating(book, area)


def letters_of(book: Rulebook) -> str:
    """What agents may place, where the game has letters."""
    return "".join(book.game.marks) if book.game.shared else ""


def claims_of(responses: Iterable[Response]) -> list[AgentClaim]:
    """Responses as claims: the letters of an agent together, and agents that follow each other and say the same."""
    claims: list[AgentClaim] = []
    for said in responses:
        last = claims[-1] if claims else None
        if last and last.first == said.sender:
            claims[-1] = last._replace(letters=last.letters + said.letter)
        else:
            claims.append(AgentClaim(said.sender, 1, said.priority, said.letter, said.rule))
    return _joined(claims)


def _joined(claims: Sequence[AgentClaim]) -> list[AgentClaim]:
    found: list[AgentClaim] = []
    for claim in claims:
        last = found[-1] if found else None
        if last and last.first + last.length == claim.first and last[2:] == claim[2:]:
            found[-1] = last._replace(length=last.length + claim.length)
        else:
            found.append(claim)
    return found


class Referee:
    """Works out what single agents answer on a board, each with a view of its own."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self._letters = tuple(letters_of(book)) or ("",)

    def answer(self, marks: dict[int, str], cell: int, question: Question) -> list[Response]:
        """What the agent on a cell says; `marks` holds what is not blank."""
        view = View(self.book, cell)
        for other in view.marks:
            if other in marks:
                view.notice(other, marks[other])
        agent = Agent(view, self.book.rules(cell), self._letters, lambda _: None)
        agent.luck = Luck(question.seed)
        return agent.respond({cell}, question.turn)


def _note(marks: dict[int, str], cell: int, mark: str) -> None:
    """Keep what is not blank."""
    if mark == BLANK:
        marks.pop(cell, None)
    else:
        marks[cell] = mark


class ReferenceSeating:
    """Agents as objects, with a local manager above them that asks only those who saw a change."""

    def __init__(self, book: Rulebook, area: Mask) -> None:
        self.book = book
        self.cells = np.flatnonzero(area).tolist()
        letters = tuple(letters_of(book)) or ("",)
        self.agents = {cell: Agent(View(book, cell), book.rules(cell), letters, lambda _: None) for cell in self.cells}
        self.manager = Manager(list(self.agents.values()), only_affected=True)
        self._marks: dict[int, str] = {}
        self._watchers: dict[int, list[int]] = {}
        for cell in self.cells:
            for other in (cell, *book.sight(cell)):
                self._watchers.setdefault(other, []).append(cell)

    def clear(self) -> None:
        for cell in list(self._marks):
            self.put(cell, BLANK)

    def put(self, cell: int, mark: str) -> None:
        _note(self._marks, cell, mark)
        watchers = self._watchers.get(cell, [])
        for watcher in watchers:
            self.agents[watcher].notice(cell, mark)
        self.manager.affected(frozenset(watchers))

    def answers(self, question: Question) -> tuple[list[AgentClaim], int]:
        active = frozenset(cell for cell in self.cells if cell not in self._marks)
        if question.active is not None:
            active = frozenset(cell for cell in active if question.active[cell])
        if self.manager.restless:
            luck = Luck(question.seed)
            for agent in self.agents.values():
                agent.luck = luck
        if question.everyone:
            said = [one for cell in sorted(active) for one in self.agents[cell].respond({cell}, question.turn)]
            return claims_of(said), len(active)
        responses = self.manager.respond(active, question.turn)
        return claims_of(responses), self.manager.asked


class CompiledSeating:
    """The compiled board: it is told only what agents of the area see, and asked only for them."""

    def __init__(self, book: Rulebook, area: Mask) -> None:
        self.book, self.area = book, area
        self.board = LiveBoard(book, large=True)
        for mark in (1, 0):  # what is to be compiled is compiled before a deadline runs
            self.board.put(0, mark)
        self._numbers = {mark: number for number, mark in enumerate((BLANK, *self._order))}
        self._marks: dict[int, str] = {}
        self._cells = np.flatnonzero(area)
        low, high = int(self._cells[0]), int(self._cells[-1]) + 1
        # One stretch of cells is looked through in place, which is many times as fast as cells here and there.
        self._where: Any = slice(low, high) if high - low == len(self._cells) else self._cells
        self._thinking: set[int] = set(self._cells.tolist())  # who has seen a change since the last answer

    @property
    def _order(self) -> Sequence[str]:
        return self.book.game.marks if self.book.game.shared else ("x", "o")

    @cached_property
    def _referee(self) -> Referee:
        return Referee(self.book)

    def clear(self) -> None:
        for cell in list(self._marks):
            self.put(cell, BLANK)

    def put(self, cell: int, mark: str) -> None:
        _note(self._marks, cell, mark)
        self.board.put(cell, self._numbers[mark])
        self._thinking |= {cell, *self.book.sight(cell)}

    def answers(self, question: Question) -> tuple[list[AgentClaim], int]:
        if question.everyone:
            cells = [cell for cell in self._cells.tolist() if self._may_play(cell, question)]
            said = [one for cell in cells for one in self._referee.answer(self._marks, cell, question)]
            return claims_of(said), len(cells)
        thought = sum(bool(self.area[cell]) and self._may_play(cell, question) for cell in self._thinking)
        self._thinking = set()
        heard = self.board.live.state.said[0, self._where]  # a taken cell says nothing
        if question.active is not None:
            heard = np.where(question.active[self._where], heard, TAKEN)
        best = int(heard.min())
        return ([] if best == TAKEN else self._claims(heard, best)), thought

    def _may_play(self, cell: int, question: Question) -> bool:
        return cell not in self._marks and (question.active is None or bool(question.active[cell]))

    def _claims(self, said: "np.typing.NDArray[np.int32]", best: int) -> list[AgentClaim]:
        """The agents with the most urgent priority, those together that follow each other and say the same."""
        cells = self._cells[np.flatnonzero(said == best)]
        letters = self.board.live.state.letters[0, cells] if self.book.game.shared else np.zeros(len(cells), np.uint8)
        breaks = np.flatnonzero((np.diff(cells) != 1) | (letters[1:] != letters[:-1])) + 1
        starts = np.concatenate([[0], breaks])
        lengths = np.diff(np.concatenate([starts, [len(cells)]]))
        priority = None if best == SILENT else best
        firsts, codes = cells[starts].tolist(), letters[starts].tolist()
        return [
            AgentClaim(first, length, priority, self._letters(code))
            for first, length, code in zip(firsts, lengths.tolist(), codes, strict=True)
        ]

    def _letters(self, code: int) -> str:
        return "".join(mark for i, mark in enumerate(self.book.game.marks) if self.book.game.shared and code >> i & 1)
