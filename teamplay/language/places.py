"""Which cell a word means, and whether the agents that test it can see it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from teamplay.game import Game
from teamplay.grid import Cell
from teamplay.language.diagnostics import Fault
from teamplay.language.features import CountFrom
from teamplay.language.formatter import format_expression
from teamplay.language.rulebook import Reach
from teamplay.language.tree import Expression, Name, Place

MOST_LOOKS = 200_000  # of an agent at a cell, for one table: a short file must not take hours on a large board
SMALL_SIDE = 16

Roles = frozenset[str]
Spot = Cell | tuple[int, ...]  # a cell of the board, or a step away from the agent's own


def is_place(node: Expression) -> bool:
    """Whether an expression names a cell."""
    return isinstance(node, Place) or (isinstance(node, Name) and node.text == "center")


@dataclass
class Places:
    """The cells that one table names on one board."""

    game: Game
    reach: Reach
    looks: int = 0
    known: dict[tuple[Spot, Roles], tuple[bool, Cell | None]] = field(default_factory=dict)  # what `_looked` found
    counted: dict[tuple[CountFrom, Roles], tuple[Cell | None, int]] = field(default_factory=dict)  # `_around`

    def spot(self, node: Expression, numbers: tuple[int, ...], roles: Roles) -> Spot:
        """What a name, `cell(…)` or `at(…)` means, if every agent of these roles can see it."""
        grid = self.game.grid
        if isinstance(node, Name):
            if grid.center is None:
                raise Fault("T008", node.span, f"a board of {grid} has no center cell", help="name a cell: cell(2,2)")
            return self._seen(grid.center, node, roles)
        assert isinstance(node, Place)
        numbers = self.steps(node, numbers)
        if node.kind == "at":
            return self._seen(numbers, node, roles)
        at = [number - 1 for number in numbers]
        if not grid.contains(at):
            message = f"`{format_expression(node)}` is off the board of {grid}"
            raise Fault("T008", node.span, message, help=f"count {' and '.join(self._axes)} from 1")
        return self._seen(grid.cell(at), node, roles)

    def steps(self, node: Place, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """The numbers of a place, if there is one for every side of the board."""
        grid = self.game.grid
        if len(numbers) != len(grid.shape):
            message = f"a board of {grid} has {len(grid.shape)} coordinates, not {len(numbers)}"
            raise Fault("T008", node.span, message, help=f"write {node.kind}({','.join(self._axes)})")
        return numbers

    @property
    def _axes(self) -> tuple[str, ...]:
        """What a coordinate of the board is called, one for each."""
        return ("layer", "row", "column")[-len(self.game.grid.shape) :]

    def _seen(self, spot: Spot, node: Expression, roles: Roles) -> Spot:
        """The same spot, or the reason why the agents of these roles can't test it."""
        if (spot, roles) not in self.known:
            if self.looks > MOST_LOOKS:
                message = f"too many cells are tested for a board of {self.game.grid}"
                raise Fault("T003", node.span, message, "here", "test fewer cells, or declare `sight all`")
            self.known[spot, roles] = self._looked(spot, roles)
        somewhere, blind = self.known[spot, roles]
        text = format_expression(node)
        if not somewhere:
            message = f"`{text}` is off the board for every agent of this role"
            raise Fault("T008", node.span, message, help="take a smaller step")
        if blind is not None:
            message = f"the agent on cell {blind + 1} ({self.game.grid.role(blind)}) can't see `{text}`"
            help = "test it only in roles that see it, or declare a wider sight: `sight all`"
            raise Fault("T008", node.span, message, f"an agent sees {self.reach}", help)
        return spot

    def seen_from(self, feature: CountFrom, node: Expression, roles: Roles) -> None:
        """Raise a fault unless every agent of these roles sees all that a count from another cell looks at."""
        if (feature, roles) not in self.counted:
            self.counted[feature, roles] = self._around(feature, node, roles)
        blind, far = self.counted[feature, roles]
        grid, text = self.game.grid, format_expression(node)
        if any(abs(by) >= side for by, side in zip(feature.step, grid.shape, strict=True)):
            message = f"the cell of `{text}` is off the board of {grid} for every agent"
            raise Fault("T008", node.span, message, help="take a smaller step")
        if blind is not None:
            message = f"the agent on cell {blind + 1} ({grid.role(blind)}) can't see all that `{text}` counts"
            wide = f"`sight radius {far}` or `sight all`" if far < max(grid.shape) - 1 else "`sight all`"
            raise Fault("T008", node.span, message, f"an agent sees {self.reach}", f"declare {wide}")

    def _around(self, feature: CountFrom, node: Expression, roles: Roles) -> tuple[Cell | None, int]:
        """The first agent that does not see all it has to, and how far the agents of these roles look."""
        grid = self.game.grid
        blind: Cell | None = None
        far = 0
        for cell in self._witnesses(feature.step):
            self.looks += 1
            target = grid.beside(cell, feature.step) if grid.role(cell) in roles else None
            if target is None:
                continue
            needed = feature.cells(self.game, target) - {cell}
            self.looks += len(needed)
            if self.looks > MOST_LOOKS:
                message = f"too many cells are looked at for a board of {grid}"
                raise Fault("T003", node.span, message, "here", "count from fewer cells")
            home = grid.coordinates(cell)
            for other in needed:
                far = max(far, *(abs(a - b) for a, b in zip(home, grid.coordinates(other), strict=True)))
            if blind is None and not all(self.reach.covers(grid, cell, other) for other in needed):
                blind = cell
        return blind, far

    def _looked(self, spot: Spot, roles: Roles) -> tuple[bool, Cell | None]:
        """Whether the spot is on the board for anybody, and the first agent that can't see it there."""
        grid = self.game.grid
        agents = somewhere = 0
        for cell in self._witnesses(spot):
            self.looks += 1
            if grid.role(cell) not in roles:
                continue
            agents += 1
            target = self._target(spot, cell)
            if target is None:
                continue
            somewhere += 1
            if not self.reach.covers(grid, cell, target):
                return True, cell
        return somewhere > 0 or agents == 0, None  # a role that this board does not have asks for nothing

    def _witnesses(self, spot: Spot) -> Iterator[Cell]:
        """All agents; on a large board those near its borders, its middle and the spot, who speak for the others."""
        grid = self.game.grid
        sides: list[Iterable[int]] = []
        for side, near in zip(grid.shape, grid.coordinates(spot) if isinstance(spot, int) else spot, strict=True):
            marks = (0, 1, side - 2, side - 1, (side - 1) // 2, side // 2, abs(near), side - 1 - abs(near))
            around = {mark + by for mark in marks for by in (-1, 0, 1)}
            sides.append(range(side) if side <= SMALL_SIDE else sorted(around & set(range(side))))
        return map(grid.cell, product(*sides))

    def _target(self, spot: Spot, cell: Cell) -> Cell | None:
        """The cell that an agent looks at, if it is on the board."""
        return spot if isinstance(spot, int) else self.game.grid.beside(cell, spot)
