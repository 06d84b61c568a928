"""What one agent sees: the marks of the cells in its sight, and how those cells lie around its own."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, assert_never

from teamplay.grid import Cell, Grid, Line
from teamplay.language.features import (
    OFF,
    Arms,
    CellMark,
    Coordinate,
    Counted,
    CountFrom,
    Feature,
    MarkCount,
    OrderedCount,
    Step,
    StepMark,
    UnorderedCount,
    is_mark,
    mark_number,
)
from teamplay.language.rulebook import Rulebook

BLANK = "b"


class Surroundings(NamedTuple):
    """What lies around a cell: the others of every line through it, and along every axis those ahead and behind."""

    lines: list[Line]
    arms: list[tuple[Line, Line]]


class View:
    """An agent's own picture of its surroundings; it is told of changes and never looks at a board.

    `view[3]` is what the rule book's feature 3 comes to in it: measured when it is first asked for, and kept until
    something changes.
    """

    def __init__(self, book: Rulebook, cell: Cell) -> None:
        grid = book.game.grid
        sight = book.sight(cell)
        self.cell = cell
        self.coordinates = grid.coordinates(cell)
        self.marks = dict.fromkeys(sorted(sight), BLANK)
        self.lines, self.arms = _surroundings(book, cell, sight)
        self.elsewhere = {
            feature.step: _surroundings(book, there, sight | {cell})
            for feature in book.features
            if isinstance(feature, CountFrom) and (there := grid.beside(cell, feature.step)) is not None
        }
        self._shape = grid.shape
        self.features = book.features
        self._numbers = {mark: mark_number(book.game, mark) for mark in book.game.visible_marks}
        self._measured: dict[int, int] = {}  # by the number of a feature, what it comes to since the last change
        self._contents: Counter[str] | None = None  # what the lines hold, as read since the last change

    def notice(self, cell: Cell, mark: str) -> None:
        """A cell in sight has changed."""
        self.marks[cell] = mark
        self._contents = None
        self._measured.clear()

    def __getitem__(self, number: int) -> int:
        found = self._measured.get(number)
        if found is None:
            found = self._measured[number] = self.measure(self.features[number])
        return found

    def measure(self, feature: Feature) -> int:
        """What a feature comes to here."""
        match feature:
            case UnorderedCount():
                return sum(times for marks, times in self._read().items() if feature.matched_by(marks))
            case OrderedCount(_, sums):
                matches = self.matches(feature, self.arms)
                return sum(matches) if sums else len(matches)
            case CountFrom(count, step, mark):
                return self._counted_from(count, self.elsewhere[step], mark) if step in self.elsewhere else 0
            case MarkCount(mark):
                return sum(seen == mark for seen in self.marks.values())
            case CellMark(place) | StepMark(place):
                seen = self.mark(place)
                return OFF if seen is None else self._numbers[seen]
            case Coordinate(axis):
                return self.coordinates[axis] + 1
        assert_never(feature)

    def shown(self, number: int) -> str:
        """What a feature comes to, as a person reads it."""
        found = self[number]
        if not is_mark(self.features[number]):
            return str(found)
        return next((mark for mark, code in self._numbers.items() if code == found), "off the board")

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

    def matches(self, pattern: OrderedCount, along: Sequence[tuple[Line, Line]], own: str = BLANK) -> list[int]:
        """One number for every match of a pattern: how many cells its runs (`+`) hold.

        Its arms are laid along these lines, ahead and behind. Where they lead through the agent's own cell, that holds
        the mark `own`.
        """
        found = {}
        for axis, (ahead, behind) in enumerate(along):
            for arms in pattern.alternatives:
                for way, (front, back) in enumerate(((ahead, behind), (behind, ahead))):
                    if way == 1 and arms.palindrome:
                        continue
                    met = self._met(arms, front, back, own)
                    if met is not None:
                        reach, run = met
                        found[axis, way, reach] = run
        return list(found.values())

    def _counted_from(self, count: Counted, around: Surroundings, own: str) -> int:
        """A count seen from another cell, the agent's own cell holding its mark."""
        match count:
            case UnorderedCount():
                lines = ("".join([self.marks.get(cell, own) for cell in line]) for line in around.lines)
                return sum(map(count.matched_by, lines))
            case OrderedCount(_, sums):
                matches = self.matches(count, around.arms, own)
                return sum(matches) if sums else len(matches)
        assert_never(count)

    def _read(self) -> Counter[str]:
        """The other marks of every line, in any order: a table asks for them many times between two changes."""
        if self._contents is None:
            self._contents = Counter("".join(sorted([self.marks[cell] for cell in line])) for line in self.lines)
        return self._contents

    def _met(self, arms: Arms, front: Line, back: Line, own: str) -> tuple[tuple[int, int], int] | None:
        """How far a pattern reaches each way from home and how many cells its runs hold, if it matches."""
        ahead = self._walk(arms.ahead, front, own)
        behind = self._walk(arms.behind, back, own) if ahead else None
        if not ahead or not behind:
            return None
        return (ahead[0], behind[0]), ahead[1] + behind[1]

    def _walk(self, steps: tuple[Step, ...], line: Line, own: str) -> tuple[int, int] | None:
        """Follow the steps outwards: cells walked and cells in runs; a run is always taken whole."""
        at = runs = 0
        for step in steps:
            if at >= len(line) or not _fits(self.marks.get(line[at], own), step.mark):
                return None
            at += 1
            if step.plus:
                start = at - 1
                while at < len(line) and _fits(self.marks.get(line[at], own), step.mark):
                    at += 1
                runs += at - start
        return at, runs


def _fits(mark: str, wanted: str) -> bool:
    return wanted == "?" or mark == wanted


def _surroundings(book: Rulebook, cell: Cell, sight: frozenset[Cell]) -> Surroundings:
    """What lies around a cell, as far as it is in sight."""
    grid = book.game.grid
    lines = [others for others in _others(book.game.lines_through(cell), cell) if sight.issuperset(others)]
    return Surroundings(lines, [_arms(grid, cell, axis, sight) for axis in grid.axes])


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
