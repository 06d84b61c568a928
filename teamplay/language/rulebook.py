"""A table bound to one game: what every agent's rules mean on this board."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from teamplay.game import Game
from teamplay.grid import ROLES, Cell, Grid
from teamplay.language.diagnostics import Span
from teamplay.language.tree import COMPARE, Comparison, Expression, Logic, Not, Number


@dataclass(frozen=True)
class BoundRule:
    """A rule whose every word has a meaning on this board."""

    condition: Expression | None
    priority: Expression
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

    kind: str
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
            holds = True if rule.condition is None else _settled(rule.condition)
            if holds is not False:
                yield rule
            if holds and rule.chance in (None, 100):
                return

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
            case _:
                seen = set(grid.cells)
        return frozenset(seen - {cell})


def _settled(condition: Expression) -> bool | None:
    """Whether a condition holds whatever an agent sees, never holds, or depends (None)."""
    match condition:
        case Comparison(sign, Number(left), Number(right)):
            return COMPARE[sign](left, right)
        case Not(inner):
            holds = _settled(inner)
            return None if holds is None else not holds
        case Logic(sign, left, right):
            both, enough = {_settled(left), _settled(right)}, sign == "or"
            return enough if enough in both else None if None in both else not enough
    return None
