"""Cells, coordinates, lines, sight and symmetries: pure geometry, no game."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product
from math import prod
from string import ascii_lowercase

from teamplay.errors import BadSpec

Cell = int  # row-major, from 0; people write 1..N
Direction = tuple[int, ...]  # one step along each axis
Line = tuple[Cell, ...]

ROLES = ("center", "corner", "edge", "face", "inner")
LARGEST_BOARD = 1_000_000  # cells


@dataclass(frozen=True)
class Grid:
    """A board's geometry: `(rows, columns)`, or `(layers, rows, columns)` in three dimensions.

    Layers may be `separate`: boards of their own, through which no line runs.
    """

    shape: tuple[int, ...]
    separate: bool = False

    def __post_init__(self) -> None:
        drawn = "x".join(map(str, self.shape))
        if len(self.shape) not in (2, 3):
            raise BadSpec(f"A board has two or three dimensions, not {len(self.shape)}.")
        if self.separate and len(self.shape) != 3:
            raise BadSpec("Several boards have two dimensions each.")
        if min(self.shape) < 1:
            raise BadSpec(f"A board of {drawn} cells is empty; every side must be at least 1.")
        if prod(self.shape) > LARGEST_BOARD:
            raise BadSpec(f"A board of {drawn} cells is too large; {LARGEST_BOARD:,} cells are the most.")

    @cached_property
    def size(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    @property
    def cells(self) -> range:
        """All cells."""
        return range(self.size)

    def coordinates(self, cell: Cell) -> tuple[int, ...]:
        """Zero-based coordinates of a cell.

        >>> Grid((3, 4)).coordinates(5)
        (1, 1)
        """
        found = []
        for side in reversed(self.shape):
            cell, rest = divmod(cell, side)
            found.append(rest)
        return tuple(reversed(found))

    def contains(self, coordinates: Sequence[int]) -> bool:
        """Whether these coordinates lie on the board."""
        return all(0 <= at < side for at, side in zip(coordinates, self.shape, strict=True))

    def cell(self, coordinates: Sequence[int]) -> Cell:
        """The cell at zero-based coordinates."""
        found = 0
        for at, side in zip(coordinates, self.shape, strict=True):
            found = found * side + at
        return found

    @cached_property
    def axes(self) -> tuple[Direction, ...]:
        """One direction for each way a line can run: 4 in two dimensions, 13 in three."""
        ways = product((-1, 0, 1), repeat=len(self.shape))
        return tuple(d for d in ways if d > (0,) * len(d) and not (self.separate and d[0]))

    @property
    def layer_name(self) -> str:
        """What people call one of its layers."""
        return "board" if self.separate else "layer"

    @property
    def boards(self) -> int:
        """How many boards there are that share no line."""
        return self.shape[0] if self.separate else 1

    @cached_property
    def directions(self) -> tuple[Direction, ...]:
        """Every axis, both ways: 8 in two dimensions, 26 in three."""
        return self.axes + tuple(tuple(-step for step in axis) for axis in self.axes)

    def beside(self, cell: Cell, step: Sequence[int]) -> Cell | None:
        """The cell that a step leads to; None off the board.

        >>> Grid((3, 3)).beside(4, (-1, 0)), Grid((3, 3)).beside(0, (-1, 0))
        (1, None)
        """
        at = [here + by for here, by in zip(self.coordinates(cell), step, strict=True)]
        return self.cell(at) if self.contains(at) else None

    def ray(self, cell: Cell, direction: Direction, length: int | None = None) -> Line:
        """The cells met when walking away from a cell, nearest first, the cell itself left out.

        >>> Grid((3, 3)).ray(0, (1, 1))
        (4, 8)
        """
        at = self.coordinates(cell)
        room = min(
            (side - 1 - here if step > 0 else here)
            for here, step, side in zip(at, direction, self.shape, strict=True)
            if step
        )
        stride = self.cell([step + 1 for step in direction]) - self.cell([1] * len(direction))
        reach = room if length is None else min(room, length)
        return tuple(cell + stride * i for i in range(1, reach + 1))

    def lines_through(self, cell: Cell, length: int) -> list[Line]:
        """Every straight run of `length` cells that holds this cell, each in the order of its axis.

        >>> Grid((3, 3)).lines_through(1, 3)
        [(0, 1, 2), (1, 4, 7)]
        """
        found: list[Line] = []
        for axis in self.axes:
            ahead = self.ray(cell, axis, length - 1)
            behind = self.ray(cell, tuple(-step for step in axis), length - 1)
            run = (*reversed(behind), cell, *ahead)
            found.extend(run[i : i + length] for i in range(len(run) - length + 1))
        return found

    def lines_from(self, cell: Cell, length: int) -> Iterator[Line]:
        """The straight runs of `length` cells that begin in this cell: over all cells, every line once."""
        rays = (self.ray(cell, axis, length - 1) for axis in self.axes)
        return ((cell, *ahead) for ahead in rays if len(ahead) == length - 1)

    def within(self, cell: Cell, radius: int) -> Iterator[Cell]:
        """The other cells at most `radius` steps away, diagonal steps allowed."""
        spans = [
            range(max(0, at - radius), min(side, at + radius + 1))
            for at, side in zip(self.coordinates(cell), self.shape, strict=True)
        ]
        if self.separate:
            spans[0] = range(self.coordinates(cell)[0], self.coordinates(cell)[0] + 1)
        return (other for other in map(self.cell, product(*spans)) if other != cell)

    def role(self, cell: Cell) -> str:
        """center, corner, edge, face (three dimensions only) or inner; a side of length 1 does not count.

        >>> [Grid((3, 3)).role(cell) for cell in (0, 1, 4)]
        ['corner', 'edge', 'center']
        """
        sides = [(at, side) for at, side in zip(self.coordinates(cell), self.shape, strict=True) if side > 1]
        if self.separate and self.boards > 1:
            del sides[0]
        borders = sum(at in (0, side - 1) for at, side in sides)
        if all(2 * at == side - 1 for at, side in sides):
            return "center"
        if borders == len(sides):
            return "corner"
        if borders == 0:
            return "inner"
        return "face" if len(sides) - borders == 2 else "edge"

    @cached_property
    def center(self) -> Cell | None:
        """The middle cell, where every side is odd and there is one board."""
        if self.boards > 1:
            return None
        return self.cell([side // 2 for side in self.shape]) if all(side % 2 for side in self.shape) else None

    @cached_property
    def symmetries(self) -> tuple[tuple[Cell, ...], ...]:
        """Every turn and reflection that maps the board onto itself; `symmetry[cell]` is where the cell goes.

        Several boards are turned alike, and their order is kept: fewer symmetries than they have, but sound ones.
        """
        if self.separate:
            flat = Grid(self.shape[1:])
            boards = range(0, self.size, flat.size)
            return tuple(tuple(start + cell for start in boards for cell in turn) for turn in flat.symmetries)
        found = set()
        dimensions = range(len(self.shape))
        for order in permutations(dimensions):
            if any(self.shape[order[i]] != self.shape[i] for i in dimensions):
                continue
            for flips in product((False, True), repeat=len(self.shape)):
                found.add(tuple(self._moved(cell, order, flips) for cell in self.cells))
        return tuple(sorted(found))

    def _moved(self, cell: Cell, order: Sequence[int], flips: Sequence[bool]) -> Cell:
        at = self.coordinates(cell)
        turned = [at[axis] for axis in order]
        return self.cell([side - 1 - i if flip else i for i, flip, side in zip(turned, flips, self.shape, strict=True)])

    def parse_cell(self, text: str) -> Cell:
        """A cell as people write it: `5`, `b3` (column b, row 3), or `2,3` (row, column; three numbers in 3-D).

        >>> Grid((3, 3)).parse_cell("5") == Grid((3, 3)).parse_cell("b2") == Grid((3, 3)).parse_cell("2,2")
        True
        """
        words = text.strip().lower()
        if re.fullmatch(r"\d{1,9}", words, re.ASCII):
            number = int(words)
            if not 1 <= number <= self.size:
                raise BadSpec(f"There is no cell {number}; the cells are 1 to {self.size}.")
            return number - 1
        if re.fullmatch(r"\d{1,9}(\s*,\s*\d{1,9})+", words, re.ASCII):
            numbers = [int(part) - 1 for part in words.split(",")]
        elif len(self.shape) == 2 and (match := re.fullmatch(r"([a-z]{1,5})(\d{1,9})", words, re.ASCII)):
            numbers = [int(match[2]) - 1, _column_number(match[1])]
        else:
            raise BadSpec(f"`{text.strip()[:40]}` is not a cell; write {self._ways()}.")
        if len(numbers) != len(self.shape) or not self.contains(numbers):
            raise BadSpec(f"There is no cell `{text.strip()[:40]}` on a board of {self}; write {self._ways()}.")
        return self.cell(numbers)

    def _ways(self) -> str:
        if len(self.shape) == 3:
            return f"1 to {self.size}, or layer,row,column as `1,2,3`"
        return f"1 to {self.size}, a name like `b3`, or row,column as `2,3`"

    def format_cell(self, cell: Cell) -> str:
        """The short name of a cell: `b3` in two dimensions, `1,2,3` in three."""
        at = self.coordinates(cell)
        if len(at) == 3:
            return ",".join(str(i + 1) for i in at)
        return f"{column_name(at[1])}{at[0] + 1}"

    def __str__(self) -> str:
        return "x".join(map(str, self.shape))


@lru_cache(maxsize=1024)
def column_name(column: int) -> str:
    """Spreadsheet letters: a, b, … z, aa, ab, …

    >>> column_name(0), column_name(25), column_name(26)
    ('a', 'z', 'aa')
    """
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = ascii_lowercase[rest] + name
    return name


def _column_number(name: str) -> int:
    number = 0
    for letter in name:
        number = number * 26 + ascii_lowercase.index(letter) + 1
    return number - 1
