"""Which rules do the tests try? Per rule how often it was asked, true, fired and chosen, and why one never answered."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from teamplay.game import BLANK, Position
from teamplay.grid import Cell
from teamplay.language.rulebook import BoundRule
from teamplay.show.reasons import measured
from teamplay.show.words import cell_name, counted, listed
from teamplay.team import Team
from teamplay.team.consult import Tried, possible, trace
from teamplay.team.view import View

MOST_REMEMBERED = 200_000  # views whose answers are kept

Place = tuple[int, int]  # line and column of a rule: the same rule on every board


@dataclass(frozen=True)
class Near:
    """The nearest that a rule came to being true: in which cell of which board, and what was measured."""

    tried: Tried
    cell: str
    board: str


@dataclass
class RuleCount:
    """One rule over all positions, once for every agent that has it and was asked for its answer."""

    rule: BoundRule
    asked: int = 0  # an agent that has the rule was asked
    true: int = 0  # its condition held, whether or not a rule above it had answered
    fired: int = 0  # it answered, or would have with some random outcome
    chosen: int = 0  # its answer was among the most urgent
    near: Near | None = None
    before: Counter[str] = field(default_factory=Counter)  # rules that answered first when it was true

    @property
    def name(self) -> str:
        """The rule with its heading, as labels repeat: `corner: win`."""
        return f"{self.rule.role}: {self.rule.label}" if self.rule.label else self.rule.name

    @property
    def cold(self) -> str:
        """Why the rule never answered: `never_asked`, `never_true`, `never_lucky`, `preempted`; nothing if it did."""
        if self.fired:
            return ""
        if not self.asked:
            return "never_asked"
        if not self.true:
            return "never_true"
        return "preempted" if self.before else "never_lucky"

    def why(self) -> str:
        """The reason in a sentence."""
        match self.cold:
            case "never_asked":
                return f"no agent that reads it ({self.rule.role}) was asked"
            case "never_true":
                assert self.near
                there = f"{self.near.cell} of {self.near.board}"
                return f"never true in {self.asked:,}; nearest at {there}: {measured(self.near.tried)}"
            case "preempted":
                times = [f"`{name}` {counted(times, 'time')}" for name, times in self.before.most_common()]
                return f"true {counted(self.true, 'time')}, but always after {listed(times)}"
        return f"true {counted(self.true, 'time')}, but its chance is 0%"


@dataclass(frozen=True)
class _Look:
    """What the rules of one agent may answer in one view."""

    held: tuple[bool, ...]
    answers: tuple[tuple[int, float], ...]  # the place of each rule that may answer, and its priority
    last: int  # the place of the rule that answers whatever chance decides; beyond all if there is none

    @property
    def calmest(self) -> float:
        """The least urgent that the agent can be; silence is the calmest."""
        certain = any(place == self.last for place, _ in self.answers)
        return max((priority for _, priority in self.answers), default=0.0) if certain else float("inf")


class _Eyes:
    """The views of one team's agents, apart from the team's own, and what their rules may answer."""

    def __init__(self, team: Team) -> None:
        self.game, book = team.game, team.book
        self.rules = [book.rules(cell) for cell in self.game.grid.cells]
        self.views = [View(book, cell) for cell in self.game.grid.cells]
        self.known: dict[tuple[Cell, str], _Look] = {}
        self.met: set[tuple[str, int]] = set()


class Coverage:
    """All that was counted for one table, on whatever boards."""

    def __init__(self, table: Path, name: str) -> None:
        self.table, self.name = table, name
        self.positions = 0
        self.counts: dict[Place, RuleCount] = {}
        self._eyes: dict[str, _Eyes] = {}

    def add(self, team: Team) -> None:
        """Learn which rules there are."""
        if str(team.game) not in self._eyes:
            self._eyes[str(team.game)] = _Eyes(team)
            for _, rules in team.book.sections:
                for rule in rules:
                    self.counts.setdefault(_place(rule), RuleCount(rule))

    def look(self, team: Team, position: Position) -> None:
        """Count a position, unless it was counted before."""
        eyes = self._eyes[str(team.game)]
        if (position.marks, position.seat) in eyes.met:
            return
        eyes.met.add((position.marks, position.seat))
        self.positions += 1
        marks = eyes.game.seen(position)
        active = dict.fromkeys(move.cell for move in eyes.game.moves(position))
        looks = {cell: self._look(eyes, cell, marks) for cell in active}
        least = min((look.calmest for look in looks.values()), default=0.0)
        for cell, look in looks.items():
            self._count(eyes.rules[cell], look, least)

    def _count(self, rules: Sequence[BoundRule], look: _Look, least: float) -> None:
        urgent = {place: priority <= least for place, priority in look.answers}
        for place, rule in enumerate(rules):
            count = self.counts[_place(rule)]
            count.asked += 1
            count.true += look.held[place]
            if place in urgent:
                count.fired += 1
                count.chosen += urgent[place]
            elif look.held[place] and place > look.last:
                count.before[self.counts[_place(rules[look.last])].name] += 1

    def _look(self, eyes: _Eyes, cell: Cell, marks: str) -> _Look:
        view, rules = eyes.views[cell], eyes.rules[cell]
        key = cell, "".join([marks[other] for other in view.marks])
        if key in eyes.known:
            return eyes.known[key]
        for other in view.marks:
            view.notice(other, marks[other])
        tried = [trace([rule], view, lambda _: True)[0] for rule in rules]
        for attempt in tried:
            self._note_near(eyes, cell, marks, attempt)
        firing = {id(rule) for rule in possible(rules, view)}
        may = [place for place, rule in enumerate(rules) if id(rule) in firing]
        certain = (place for place in may if rules[place].chance in (None, 100))
        look = _Look(
            tuple(attempt.held for attempt in tried),
            tuple((place, tried[place].priority) for place in may),
            next(certain, len(rules)),
        )
        if len(eyes.known) < MOST_REMEMBERED:
            eyes.known[key] = look
        return look

    def _note_near(self, eyes: _Eyes, cell: Cell, marks: str, attempt: Tried) -> None:
        count = self.counts[_place(attempt.rule)]
        if not attempt.held and (count.near is None or attempt.missing < count.near.tried.missing):
            grid = eyes.game.grid
            count.near = Near(attempt, cell_name(grid, cell), eyes.game.format_board(marks.replace("b", BLANK)))

    @property
    def rules(self) -> list[RuleCount]:
        """The rules in the order of the file."""
        return [self.counts[place] for place in sorted(self.counts)]

    @property
    def fired(self) -> int:
        """How many rules ever answered."""
        return sum(count.fired > 0 for count in self.counts.values())


def percent(fired: int, rules: int) -> int:
    """A share in whole percents, never rounded up: 100 means all.

    >>> percent(999, 1000), percent(0, 0)
    (99, 100)
    """
    return 100 * fired // rules if rules else 100


def coverage_json(found: Coverage) -> dict[str, Any]:
    """The coverage of one table for scripts."""
    return {
        "table": str(found.table),
        "positions": found.positions,
        "rules": len(found.counts),
        "fired": found.fired,
        "percent": percent(found.fired, len(found.counts)),
        "counts": [
            {
                "rule": count.name,
                "line": count.rule.span.line,
                "asked": count.asked,
                "true": count.true,
                "fired": count.fired,
                "chosen": count.chosen,
                "cold": count.cold or None,
                "why": count.why() if count.cold else None,
            }
            for count in found.rules
        ],
    }


def _place(rule: BoundRule) -> Place:
    return rule.span.line, rule.span.column
