"""A table bound to one game: what every agent's rules mean on this board."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, assert_never

from teamplay.game import Game
from teamplay.grid import ROLES, Cell, Grid
from teamplay.language.diagnostics import Span
from teamplay.language.expressions import BoundExpression, readings, settled
from teamplay.language.features import Feature

ReachKind = Literal["lines", "rays", "radius", "all"]


@dataclass(frozen=True)
class BoundRule:
    """A rule whose every word has a meaning on this board."""

    condition: BoundExpression | None
    priority: BoundExpression
    letters: tuple[str, ...]  # what the agent may place; empty where marks are each player's own
    chance: int | None
    label: str
    role: str  # the heading it stands under
    place: int  # under that heading, from 1
    text: str
    span: Span

    @property
    def name(self) -> str:
        """The label, or where the rule stands: `corner 3`."""
        return self.label or f"{self.role} {self.place}"


@dataclass(frozen=True)
class Reach:
    """How far the agents of a table see: along the game's `lines`, `rays` of some cells, a `radius`, or `all`."""

    kind: ReachKind
    cells: int = 0  # along a ray, or the radius

    def __str__(self) -> str:
        return {
            "lines": f"the lines of {self.cells + 1} cells through its own",
            "rays": f"{self.cells} {'cell' if self.cells == 1 else 'cells'} along every straight line",
            "radius": f"every cell at most {self.cells} away",
            "all": "the whole board",
        }[self.kind]

    def covers(self, grid: Grid, cell: Cell, other: Cell) -> bool:
        """Whether an agent knows another cell (or its own): computed, so that a wide sight costs nothing."""
        if self.kind == "all" or cell == other:
            return True
        gaps = [there - here for here, there in zip(grid.coordinates(cell), grid.coordinates(other), strict=True)]
        if grid.separate and gaps[0]:
            return False  # on another board
        far = max(map(abs, gaps))
        if far > self.cells or self.kind == "radius":
            return far <= self.cells
        straight = all(abs(gap) in (0, far) for gap in gaps)
        if self.kind == "rays" or not straight:
            return straight
        ahead = tuple(gap // far for gap in gaps)
        behind = tuple(-step for step in ahead)
        room = len(grid.ray(cell, ahead, self.cells)) + len(grid.ray(cell, behind, self.cells))
        return room >= self.cells  # else the line is too short to matter in the game, and is not looked along


@dataclass(frozen=True)
class Rulebook:
    """Who follows which rules, and who sees what."""

    name: str
    game: Game
    reach: Reach
    features: tuple[Feature, ...]  # all that rules measure, by the numbers that their expressions use
    sections: tuple[tuple[frozenset[str], tuple[BoundRule, ...]], ...]  # grid roles and their rules, in file order

    def rules(self, cell: Cell) -> tuple[BoundRule, ...]:
        """The rules of one agent: all sections that speak to its cell, read from the top."""
        return self._by_role[self.game.grid.role(cell)]

    @cached_property
    def _by_role(self) -> dict[str, tuple[BoundRule, ...]]:
        return {
            role: tuple(rule for spoken, rules in self.sections if role in spoken for rule in rules) for role in ROLES
        }

    def asked(self, role: str) -> Iterator[BoundRule]:
        """The rules of a role that can come to be asked: not those that k rules out, nor those behind a last word."""
        for rule in self._by_role[role]:
            holds = True if rule.condition is None else settled(rule.condition)
            if holds is not False:
                yield rule
            if holds and rule.chance in (None, 100):
                return

    @cached_property
    def asked_features(self) -> tuple[Feature, ...]:
        """What the rules that can come to be asked measure, in the order in which it is first asked for."""
        rules = [rule for role in ROLES for rule in self.asked(role)]
        nodes = [node for rule in rules for node in (rule.condition, rule.priority)]
        numbers = dict.fromkeys(reading.feature for node in nodes for reading in readings(node))
        return tuple(self.features[number] for number in numbers)

    def sight(self, cell: Cell) -> frozenset[Cell]:
        """The cells that this agent may know, its own left out."""
        grid = self.game.grid
        match self.reach.kind:
            case "lines":
                seen = {other for line in self.game.lines_through(cell) for other in line}
            case "rays":
                seen = {other for way in grid.directions for other in grid.ray(cell, way, self.reach.cells)}
            case "radius":
                seen = set(grid.within(cell, self.reach.cells))
            case "all":
                seen = set(grid.cells)
            case _:
                assert_never(self.reach.kind)
        return frozenset(seen - {cell})
