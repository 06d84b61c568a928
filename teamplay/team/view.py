"""What one agent sees: the marks of the cells in its sight, and how those cells lie around its own."""

from collections import Counter
from collections.abc import Iterator

from teamplay.grid import Cell, Grid, Line
from teamplay.language.rulebook import Rulebook
from teamplay.language.tree import Arms, Ordered, Step, Unordered

BLANK = "b"


class View:
    """An agent's own picture of its surroundings; it is told of changes and never looks at a board."""

    def __init__(self, book: Rulebook, cell: Cell) -> None:
        grid = book.game.grid
        sight = book.sight(cell)
        self.cell = cell
        self.coordinates = grid.coordinates(cell)
        self.marks = dict.fromkeys(sorted(sight), BLANK)
        self.lines = [others for others in _others(book.game.lines_through(cell), cell) if sight.issuperset(others)]
        self.arms = [_arms(grid, cell, axis, sight) for axis in grid.axes]
        self._shape = grid.shape
        self._contents: Counter[str] | None = None  # what the lines hold, as read since the last change

    def notice(self, cell: Cell, mark: str) -> None:
        """A cell in sight has changed."""
        self.marks[cell] = mark
        self._contents = None

    def mark(self, place: Cell | tuple[int, ...]) -> str | None:
        """The mark in a cell, or a step away; blank at home, None off the board."""
        if isinstance(place, int):
            return BLANK if place == self.cell else self.marks[place]
        cell = 0
        for here, step, side in zip(self.coordinates, place, self._shape, strict=True):
            if not 0 <= here + step < side:
                return None
            cell = cell * side + here + step
        return self.mark(cell)

    def count(self, mark: str) -> int:
        """How many cells in sight hold this mark."""
        return sum(seen == mark for seen in self.marks.values())

    def matches(self, shape: Ordered | Unordered) -> list[int]:
        """One number for every match of a pattern: how many cells its runs (`+`) hold."""
        if isinstance(shape, Unordered):
            return [0] * sum(times for marks, times in self._read().items() if shape.matched_by(marks))
        found = {}
        for axis, (ahead, behind) in enumerate(self.arms):
            for arms in shape.alternatives:
                for way, (front, back) in enumerate(((ahead, behind), (behind, ahead))):
                    if way == 1 and arms.palindrome:
                        continue
                    met = self._met(arms, front, back)
                    if met is not None:
                        reach, run = met
                        found[axis, way, reach] = run
        return list(found.values())

    def _read(self) -> Counter[str]:
        """The other marks of every line, in any order: a table asks for them many times between two changes."""
        if self._contents is None:
            self._contents = Counter("".join(sorted([self.marks[cell] for cell in line])) for line in self.lines)
        return self._contents

    def _met(self, arms: Arms, front: Line, back: Line) -> tuple[tuple[int, int], int] | None:
        """How far a pattern reaches each way from home and how many cells its runs hold, if it matches."""
        ahead = self._walk(arms.ahead, front)
        behind = self._walk(arms.behind, back) if ahead else None
        if not ahead or not behind:
            return None
        return (ahead[0], behind[0]), ahead[1] + behind[1]

    def _walk(self, steps: tuple[Step, ...], line: Line) -> tuple[int, int] | None:
        """Follow the steps outwards: cells walked and cells in runs; a run is always taken whole."""
        at = runs = 0
        for step in steps:
            if at >= len(line) or not _fits(self.marks[line[at]], step.mark):
                return None
            at += 1
            if step.plus:
                start = at - 1
                while at < len(line) and _fits(self.marks[line[at]], step.mark):
                    at += 1
                runs += at - start
        return at, runs


def _fits(mark: str, wanted: str) -> bool:
    return wanted == "?" or mark == wanted


def _others(lines: list[Line], cell: Cell) -> Iterator[Line]:
    return (tuple(other for other in line if other != cell) for line in lines)


def _arms(grid: Grid, cell: Cell, axis: tuple[int, ...], sight: frozenset[Cell]) -> tuple[Line, Line]:
    """The cells in sight along an axis, nearest first, ahead and behind."""
    ahead = _visible(grid.ray(cell, axis), sight)
    behind = _visible(grid.ray(cell, tuple(-step for step in axis)), sight)
    return ahead, behind


def _visible(ray: Line, sight: frozenset[Cell]) -> Line:
    """The part of a ray before the first cell out of sight."""
    end = next((i for i, cell in enumerate(ray) if cell not in sight), len(ray))
    return ray[:end]
