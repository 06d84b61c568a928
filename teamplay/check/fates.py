"""For every rule: does it ever hold, does it ever fire, does it fire where its agent is asked, does it matter?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from teamplay.check.blocks import FLANKS, Cutter
from teamplay.check.legal import Boards
from teamplay.check.outlook import Bools, Outlook, Rows
from teamplay.game import BLANK
from teamplay.grid import Cell
from teamplay.language.diagnostics import Span
from teamplay.language.expressions import BoundExpression
from teamplay.language.features import is_placed
from teamplay.language.rulebook import BoundRule, Rulebook

MOST_CELLS = 400  # whose views are looked at; on a larger board those near the borders stand for the rest
MOST_READ, MOST_MEASURED = 10_000, 30_000  # cells times rules; cells times what is measured in each

YES, NO, UNKNOWN = "yes", "no", "unknown"


@dataclass
class Fate:
    """What is known of one rule, over all agents that read it."""

    holds: str = NO  # in some view?
    fires: str = NO  # in some view in which no rule above it answers?
    plays: str = NO  # also where the agent is asked?
    matters: str = NO  # does it ever answer differently from the rules below?
    above: dict[Span, BoundRule] = field(default_factory=dict)  # the rules that answer where it would hold

    @property
    def undecided(self) -> bool:
        """Whether it is unknown what the rule is for: the first answer that is not yes is unknown."""
        answers = (self.holds, self.fires, self.plays, self.matters)
        return next((answer for answer in answers if answer != YES), YES) == UNKNOWN


@dataclass(frozen=True)
class Silence:
    """An agent that is asked and has no rule: the last heading that speaks to it, and a board."""

    outlook: Outlook
    board: str


@dataclass
class Fates:
    """The rules of one table on one board."""

    book: Rulebook
    legal: Boards | None
    fates: dict[Span, Fate] = field(default_factory=dict)
    silences: list[Silence] = field(default_factory=list)
    unheard: dict[str, list[tuple[Outlook, BoundRule | None]]] = field(default_factory=dict)
    unsure: bool = False  # were some views out of reach?
    undecided: list[str] = field(default_factory=list)  # rules about which nothing is known because of that

    def __post_init__(self) -> None:
        rules = [rule for _, rules in self.book.sections for rule in rules]
        game, features = self.book.game, self.book.features
        self.asked_flanks = game.placement == "flank" and _sees_ends(self.book)
        if self.asked_flanks and FLANKS not in features:
            features = (*features, FLANKS)
        self.cutter = Cutter(self.book, features)
        cells, self.whole = _cells(self.book)
        most = 1 + min(MOST_MEASURED // (len(features) + 1), MOST_READ // (len(rules) + 1))
        if len(cells) > most:
            cells, self.whole = cells[:: 1 + len(cells) // most], False
        self.by_kind: dict[tuple[object, ...], list[Outlook]] = {}
        for cell in cells:
            outlook = Outlook(self.cutter, cell, self.book.rules(cell), self.asked_flanks)
            self.by_kind.setdefault(outlook.kind, []).append(outlook)
        self.fates = {rule.span: Fate() for rule in rules}
        self._readers: dict[Span, list[Outlook]] = {rule.span: [] for rule in rules}
        for outlook in self.outlooks:
            for rule in outlook.rules:
                self._readers[rule.span].append(outlook)

    @property
    def takes_boards(self) -> bool:
        """Whether every agent finds its view of any board among those that it knows."""
        return self.whole and all(block.whole for outlook in self.outlooks for block in outlook.blocks)

    @property
    def outlooks(self) -> list[Outlook]:
        """One agent of every kind."""
        return [outlooks[0] for outlooks in self.by_kind.values()]

    def readers(self, rule: BoundRule) -> list[Outlook]:
        """The agents, one of every kind, that read a rule."""
        return self._readers[rule.span]

    def never(self, node: BoundExpression, rule: BoundRule) -> bool:
        """Whether a condition is certainly true in no view of the agents that read it."""
        readers = self.readers(rule)
        if not readers or not self.whole:
            return False
        return all((rows := one.rows([node])).exact and not rows.holds(node).any() for one in readers)

    def study(self) -> "Fates":
        """Look at all views of all kinds of agents."""
        for outlook in self.outlooks:
            self._study_views(outlook)
        for outlooks in self.by_kind.values():
            for rows, outlook, boards in self._asked(outlooks):
                self._study_asked(outlook, rows, boards)
        names = {rule.span: rule.name for _, rules in self.book.sections for rule in rules}
        for span, fate in self.fates.items():
            if fate.undecided:
                self.undecided.append(f"`{names[span]}` (line {span.line})")
        return self

    def _study_views(self, outlook: Outlook) -> None:
        rows = outlook.rows([rule.condition for rule in outlook.rules])
        sure = rows.exact and self.whole
        self.unsure |= not sure
        above = np.full(len(rows), -1)
        heading = ""
        for place, rule in enumerate(outlook.rules):
            if rule.role != heading:
                heading = rule.role
                last = outlook.rules[int(above.max())] if sure and (above >= 0).all() else None
                self.unheard.setdefault(heading, []).append((outlook, last))
            fate, held = self.fates[rule.span], rows.holds(rule.condition) & (rule.chance != 0)
            fate.holds = _known(fate.holds, bool(held.any()), sure or self._alone_sure(outlook, rule))
            fate.fires = _known(fate.fires, bool((held & (above < 0)).any()), sure)
            for first in np.unique(above[held & (above >= 0)]):
                fate.above[outlook.rules[first].span] = outlook.rules[first]
            if rule.chance in (None, 100):
                above[held & (above < 0)] = place

    def _alone_sure(self, outlook: Outlook, rule: BoundRule) -> bool:
        """Whether the rule by itself can be looked at in all views."""
        return self.whole and rule.condition is not None and outlook.rows([rule.condition]).exact

    def _asked(self, outlooks: Sequence[Outlook]) -> Iterator[tuple[Rows, Outlook, list[str]]]:
        """The views in which agents of one kind are asked: from all legal positions, or by what a view alone shows."""
        open_ = [one for one in outlooks if self.book.game.beginning[one.cell] == BLANK]
        if self.legal is not None:
            for outlook in open_:
                rows, boards = outlook.seen(self.legal[outlook.cell])
                yield rows, outlook, boards
        elif open_:
            nodes = [node for rule in open_[0].rules for node in (rule.condition, rule.priority)]
            yield open_[0].rows(nodes, asked=True), open_[0], []

    def _study_asked(self, outlook: Outlook, rows: Rows, boards: list[str]) -> None:
        sure = rows.exact and self.whole
        self.unsure |= not sure
        free = np.ones(len(rows), dtype=bool)
        held = [rows.holds(rule.condition) & (rule.chance != 0) for rule in outlook.rules]
        for place, rule in enumerate(outlook.rules):
            fate, fires = self.fates[rule.span], held[place] & free
            fate.plays = _known(fate.plays, bool(fires.any()), sure)
            fate.matters = _known(fate.matters, _differs(outlook.rules, place, rows, held, fires), sure)
            if rule.chance in (None, 100):
                free &= ~held[place]
        if free.any() and outlook.rules:
            first = int(np.flatnonzero(free)[0])
            board = boards[first] if boards else outlook.board(rows.picks[first].tolist())
            self.silences.append(Silence(outlook, board.replace("b", ".")))
        elif not sure and not any(rule.condition is None and rule.chance in (None, 100) for rule in outlook.rules):
            self.undecided.append(f"whether cell {outlook.cell + 1} may fall silent")


def _differs(rules: Sequence[BoundRule], place: int, rows: Rows, held: Sequence[Bools], fires: Bools) -> bool:
    """Whether a rule, where it fires, ever answers differently from the rules below it."""
    if not fires.any():
        return False
    rule, open_ = rules[place], fires.copy()
    said = rows.value(rule.priority)
    for below, holds in zip(rules[place + 1 :], held[place + 1 :], strict=True):
        here = open_ & holds
        if not here.any():
            continue
        if below.letters != rule.letters or (rows.value(below.priority)[here] != said[here]).any():
            return True
        if below.chance in (None, 100):
            open_ &= ~holds
            if not open_.any():
                return False
    return bool(open_.any())  # without the rule the agent would be silent


def _known(before: str, found: bool, sure: bool) -> str:
    """Join the answers of two kinds of agents: yes if either is yes, unknown if either is unknown."""
    if found or before == YES:
        return YES
    return before if sure else UNKNOWN


def _sees_ends(book: Rulebook) -> bool:
    """Whether agents see every straight line to its end."""
    longest = max(book.game.grid.shape) - 1
    return book.reach.kind == "all" or (book.reach.kind != "lines" and book.reach.cells >= longest)


def _cells(book: Rulebook) -> tuple[list[Cell], bool]:
    """The agents to look at, and whether all others are like one of them."""
    grid, reach = book.game.grid, book.reach
    if grid.size <= MOST_CELLS:
        return list(grid.cells), True
    near = reach.cells if reach.kind != "all" else 1
    sides = [
        range(side)
        if side <= 2 * near + 3
        else sorted({*range(near + 1), (side - 1) // 2, side // 2, *range(side - near - 1, side)})
        for side in grid.shape
    ]
    cells = [grid.cell(place) for place in product(*sides)]
    placed = any(map(is_placed, book.features))
    alike = reach.kind != "all" and not placed
    return cells[:MOST_CELLS], alike and len(cells) <= MOST_CELLS
