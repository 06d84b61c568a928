"""A table bound to one game: what every agent's rules mean on this board."""

from dataclasses import dataclass
from functools import cached_property

from teamplay.game import Game
from teamplay.grid import ROLES, Cell
from teamplay.language.diagnostics import Span
from teamplay.language.tree import Expression


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
            "rays": f"{self.cells} cells along every straight line",
            "radius": f"every cell at most {self.cells} away",
            "all": "the whole board",
        }[self.kind]


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
