"""What is painted of a picture? One view of it, cell by cell, with its legend, for screen, paper, notebooks and pages.

A page that draws `Chart.to_dict()` computes nothing itself.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from teamplay.errors import BadSpec
from teamplay.game import BLANK
from teamplay.grid import Cell
from teamplay.show.colours import RULE_FILLS, TIER_FILLS, Fill, Scheme
from teamplay.show.picture import ANY_LETTER, Picture
from teamplay.show.tiers import TIERS
from teamplay.show.words import cell_name, counted, heading, verdict

By = Literal["priority", "rank", "rule", "sight"]
BYS: tuple[By, ...] = get_args(By)
LONGEST = 3  # digits of priorities that are read at a glance

Sign = Literal["own", "other", "fill", "chosen", "tied", "line", "last", "silent", "closed", "letter", "seen", "agent"]


@dataclass(frozen=True)
class LegendEntry:
    """One entry of a legend: a sign, what it means, and what stands for it in a cell."""

    sign: Sign
    text: str
    sample: str = ""  # what such a cell may hold
    fill: int | None = None  # of the view's palette
    cells: int | None = None  # how many look so


@dataclass(frozen=True)
class Chart:
    """A picture by priority, by rank, by the rule that answered, or by what one agent sees."""

    picture: Picture
    by: By
    agent: Cell | None = None  # whose sight it is

    def __post_init__(self) -> None:
        if self.by not in BYS:
            raise BadSpec(f"There is no view by `{self.by}`; the views are {', '.join(BYS)}.")
        if (self.by == "sight") == (self.agent is None):
            raise BadSpec("A view by sight shows what one agent sees, so it needs a cell; the other views take none.")

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """How a notebook shows it."""
        from teamplay.show.notebook import text_of
        from teamplay.show.report import show_picture
        from teamplay.show.svg import drawn

        def show(screen: Any) -> None:
            show_picture(screen, self.picture, self.by, self.agent)

        return {"image/svg+xml": drawn(self.picture, self.by, self.agent), "text/plain": text_of(show)}

    def to_dict(self) -> dict[str, Any]:
        """What `teamplay show --by … --json` prints: the picture, every cell as it is painted, legend and colours."""
        return self.picture.to_dict() | {
            "by": self.by,
            "agent": None if self.agent is None else self.agent + 1,
            "title": heading(self.picture),
            "verdict": verdict(self.picture),
            "shape": list(self.picture.game.grid.shape),
            "layer_name": self.picture.game.grid.layer_name,
            "scale": self.scale,
            "cells": [self._cell(cell) for cell in self.picture.game.grid.cells],
            "legend": [asdict(entry) for entry in self.legend],
            "palette": {scheme: [asdict(fill) for fill in self.palette(scheme)] for scheme in TIER_FILLS},
        }

    def _cell(self, cell: Cell) -> dict[str, Any]:
        picture, answer = self.picture, self.picture.answers.get(cell)
        last, over = picture.position.last, picture.outcome
        best = next(iter(picture.counts), None)  # where all are silent, all tie
        return {
            "cell": cell + 1,
            "name": picture.game.grid.format_cell(cell),
            "mark": None if picture.marks[cell] == BLANK else picture.marks[cell],
            "state": picture.states[cell],
            "priority": answer.priority if answer else None,
            "rank": picture.ranks[cell],
            "tier": picture.tiers[cell],
            "rule": picture.rules[cell],
            "text": self.texts.get(cell, ""),
            "letter": self.letter(cell) if cell in self.texts else "",
            "fill": self.fills.get(cell),
            "best": answer is not None and answer.priority == best,
            "chosen": picture.chosen is not None and picture.chosen.cell == cell,
            "last": last is not None and last.cell == cell,
            "line": over is not None and cell in over.line,
            "seen": cell in self.seen,
        }

    def palette(self, scheme: Scheme) -> tuple[Fill, ...]:
        """The colours that `fills` numbers."""
        return RULE_FILLS if self.by == "rule" else TIER_FILLS[scheme]

    @cached_property
    def seen(self) -> frozenset[Cell]:
        """The cells in sight of the agent, in a view by sight."""
        return frozenset() if self.agent is None else self.picture.team.book.sight(self.agent)

    @cached_property
    def answering(self) -> tuple[Cell, ...]:
        """The cells whose answers are shown: in a view by sight the agent's own, else all that gave one."""
        spoken = (cell for cell, state in enumerate(self.picture.states) if state == "answers")
        return tuple(cell for cell in spoken if self.by != "sight" or cell == self.agent)

    @cached_property
    def fills(self) -> dict[Cell, int]:
        """The colour of every cell that has one, by its number in the palette."""
        if self.by == "rule":
            return {cell: self._rule_fills[rule] for cell, rule in enumerate(self.picture.rules) if rule}
        return {cell: tier for cell, tier in enumerate(self.picture.tiers) if tier is not None and cell in self.texts}

    @cached_property
    def texts(self) -> dict[Cell, str]:
        """What stands in the cells that answer: a priority, a rank, or the number of a rule."""
        picture = self.picture
        match self.by:
            case "rank":
                return {cell: str(picture.ranks[cell]) for cell in self.answering}
            case "rule":
                return {cell: str(self.rule_numbers[picture.rules[cell] or ""]) for cell in self.answering}
            case _:
                return {cell: picture.number(cell) for cell in self.answering}

    @cached_property
    def rule_numbers(self) -> Mapping[str, int]:
        """The rules of the table by name, numbered from 1 in file order: the same in every position."""
        rules = (rule.name for _, rules in self.picture.team.book.sections for rule in rules)
        return {name: number for number, name in enumerate(dict.fromkeys(rules), start=1)}

    @cached_property
    def _rule_fills(self) -> dict[str, int]:
        """A colour for every rule that answered: the same in every position, unless another one here has it."""
        found: dict[str, int] = {}
        answered = set(self.picture.rules)
        for name, number in self.rule_numbers.items():
            if name in answered:
                own = (number - 1) % len(RULE_FILLS)
                free = [fill for fill in range(len(RULE_FILLS)) if fill not in found.values()]
                found[name] = own if own in free or not free else free[0]
        return found

    @property
    def scale(self) -> str:
        """What the colours stand for."""
        scales = {"rule": "Rules", "rank": "Ranks, 1 the most urgent", "sight": "Its priority, 1 the most urgent"}
        return scales.get(self.by, "Priorities, 1 the most urgent")

    def letter(self, cell: Cell) -> str:
        """The letter behind a number: none where rules are shown."""
        return "" if self.by == "rule" else self.picture.letter(cell)

    @cached_property
    def framed(self) -> frozenset[Cell]:
        """The cells in a frame: the most urgent, the line that decided the game, or the agent whose sight is shown."""
        if self.agent is not None:
            return frozenset([self.agent])
        over = self.picture.outcome
        return frozenset(over.line if over else self.picture.tied)

    @property
    def focus(self) -> list[Cell]:
        """The cells that must be seen where not the whole board can be."""
        picture, over = self.picture, self.picture.outcome
        if self.agent is not None:
            return [self.agent]
        if picture.chosen:
            return [picture.chosen.cell]
        if over and over.line:
            return list(over.line)
        return [cell for cell, mark in enumerate(picture.marks) if mark != BLANK]

    @cached_property
    def legend(self) -> tuple[LegendEntry, ...]:
        """What the signs and colours mean, as far as they occur."""
        return (*self._signs(), *(self._rules() if self.by == "rule" else self._tiers()))

    def _signs(self) -> Iterator[LegendEntry]:
        picture, game = self.picture, self.picture.game
        if not game.shared:
            yield LegendEntry("own", "the team", "x")
            yield LegendEntry("other", "the opponent", "o")
        if picture.outcome and picture.outcome.line and self.agent is None:
            yield LegendEntry("line", "the line that decided it", picture.marks[picture.outcome.line[0]])
        if picture.position.last:
            yield LegendEntry("last", "the last move", picture.marks[picture.position.last.cell])
        if self.agent is not None:
            yield LegendEntry("seen", f"in sight of {cell_name(game.grid, self.agent)}", cells=len(self.seen))
            yield LegendEntry("agent", "its own cell", self.texts.get(self.agent, ""))
            return
        if picture.chosen:
            sample = self.texts.get(picture.chosen.cell, "")
            others = len(picture.tied) - 1
            yield LegendEntry("chosen", "the choice" if others else "most urgent", sample, cells=1)
            if others:
                yield LegendEntry("tied", "tied with it", sample, cells=others)
        if picture.silent:
            yield LegendEntry("silent", "silent", cells=picture.silent)
        if self.by != "rule" and any(picture.letter(cell) == ANY_LETTER for cell in picture.answers):
            yield LegendEntry("letter", "any letter", ANY_LETTER)
        if "closed" in picture.states and not picture.outcome:
            yield LegendEntry("closed", "an empty cell is closed now", cells=picture.states.count("closed"))

    def _tiers(self) -> Iterator[LegendEntry]:
        """The priorities of each tier, in a view by rank with their ranks."""
        for tier in range(TIERS):
            cells = [cell for cell in self.answering if self.picture.tiers[cell] == tier]
            if not cells:
                continue
            priorities = _span([int(self.picture.number(cell)) for cell in cells])
            ranks = _span([self.picture.ranks[cell] or 0 for cell in cells])
            text = f"{ranks} for {priorities}" if self.by == "rank" else priorities
            yield LegendEntry("fill", text, self.texts[cells[0]], tier, None if self.by == "sight" else len(cells))

    def _rules(self) -> Iterator[LegendEntry]:
        """The rules that answered, in file order."""
        spoken = Counter(rule for rule in self.picture.rules if rule)
        for name, number in self.rule_numbers.items():
            if spoken[name]:
                yield LegendEntry("fill", name, str(number), self._rule_fills[name], spoken[name])


def usual(picture: Picture) -> By:
    """The view of a picture where none is asked for: ranks where there are many long numbers, else priorities."""
    longest = max((len(str(priority)) for priority in picture.counts), default=0)
    return "rank" if longest > LONGEST and len(picture.counts) > TIERS else "priority"


def counted_entry(entry: LegendEntry) -> str:
    """`4: 6 cells`, as a legend says it."""
    return entry.text if entry.cells is None else f"{entry.text}: {counted(entry.cells, 'cell')}"


def _span(numbers: list[int]) -> str:
    """`8930 to 8943`, or a number alone."""
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"
