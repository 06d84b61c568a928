"""What rules can measure in a view: one class for every kind of feature, and what holds of each kind on a board.

A mark is a number where it is measured: 0 blank, 1 mine (or the first letter), 2 theirs (or the second), and so on;
`OFF` where a cell is off the board.
"""

from dataclasses import dataclass
from typing import assert_never

from teamplay.game import Game
from teamplay.grid import Cell, Grid

OFF = -1
COORDINATES = ("layer", "row", "col")  # the numbers of an agent's own cell
NUMBERS = ("k", *COORDINATES, *(f"{name}s" for name in COORDINATES))  # all that the language has a word for

Bounds = tuple[int, int]  # the least and the greatest value that a number can take
Symmetry = tuple[Cell, ...]  # where every cell goes


@dataclass(frozen=True)
class Step:
    """One cell, or with `plus` the whole run of cells, that an ordered pattern meets on its way outwards."""

    mark: str
    plus: bool = False


@dataclass(frozen=True)
class Arms:
    """An ordered pattern seen from the agent's cell: what it meets walking one way, and the other."""

    ahead: tuple[Step, ...]
    behind: tuple[Step, ...]

    @property
    def palindrome(self) -> bool:
        """Reads the same both ways, and so counts once a line."""
        return self.ahead == self.behind

    @property
    def endless(self) -> bool:
        """Whether it holds a run, which may go on as far as the agent sees."""
        return any(step.plus for step in self.ahead + self.behind)

    @property
    def reach(self) -> int:
        """How many cells its longer side names."""
        return max(len(self.ahead), len(self.behind))


@dataclass(frozen=True)
class UnorderedCount:
    """`n(xx)`: how many lines of the game's length hold one of these, each the least number of every mark on a line."""

    alternatives: tuple[tuple[tuple[str, int], ...], ...]

    def matched_by(self, marks: str) -> bool:
        """Whether the other marks of a line meet one of the alternatives; counts once even if several do."""
        return any(all(marks.count(mark) >= least for mark, least in needs) for needs in self.alternatives)


@dataclass(frozen=True)
class OrderedCount:
    """`n(*ox)`: how many times one of these lies along a line, read both ways; `size(…)` sums the cells of the runs."""

    alternatives: tuple[Arms, ...]
    sums: bool = False

    @property
    def mirrors(self) -> bool:
        """Whether a line and its mirror image surely count the same.

        A palindrome is read one way only. Another alternative that may match the very cells of one counts with it once
        or twice, as the line happens to run; arms of another length never do.
        """
        halves = {len(arms.ahead) for arms in self.alternatives if arms.palindrome}
        others = [arms for arms in self.alternatives if not arms.palindrome]
        if halves and others and any(arms.endless for arms in self.alternatives):
            return False
        return not any(len(arms.ahead) == len(arms.behind) and len(arms.ahead) in halves for arms in others)


Counted = UnorderedCount | OrderedCount


@dataclass(frozen=True)
class CountFrom:
    """`n(oo) at(-1,0)`: a count seen from the cell a step away, once the agent's own holds the mark that it places."""

    count: Counted
    step: tuple[int, ...]
    mark: str

    def cells(self, game: Game, cell: Cell) -> set[Cell]:
        """All that has to be known for it, seen from this cell: the cell itself is not looked at."""
        match self.count:
            case UnorderedCount():
                lines = game.lines_through(cell)
            case OrderedCount(alternatives):
                endless = any(arms.endless for arms in alternatives)
                reach = None if endless else max(arms.reach for arms in alternatives)
                lines = [game.grid.ray(cell, way, reach) for way in game.grid.directions]
            case _:
                assert_never(self.count)
        return {other for line in lines for other in line} - {cell}


@dataclass(frozen=True)
class MarkCount:
    """`count(x)`: how many of the cells in sight hold this mark."""

    mark: str


@dataclass(frozen=True)
class CellMark:
    """`center`, `cell(2,2)`: the mark in a cell of the board."""

    cell: Cell


@dataclass(frozen=True)
class StepMark:
    """`at(+1,0)`: the mark in the cell one step away from the agent's own."""

    step: tuple[int, ...]


@dataclass(frozen=True)
class Coordinate:
    """`row`: where the agent's own cell lies, from 1. The axis counts from the last: -1 is the column."""

    axis: int


Feature = Counted | CountFrom | MarkCount | CellMark | StepMark | Coordinate


def bounds(feature: Feature, game: Game) -> Bounds:
    """The least and the greatest value that a feature can take."""
    grid = game.grid
    match feature:
        case UnorderedCount(alternatives):
            return 0, len(grid.axes) * (game.k or 0) if alternatives else 0
        case OrderedCount(alternatives, sums):
            matches = 2 * len(grid.axes) * len(alternatives)
            return 0, matches * (2 * max(grid.shape) if sums else 1)
        case CountFrom(count):
            return bounds(count, game)
        case MarkCount():
            return 0, grid.size
        case CellMark() | StepMark():
            return OFF, len(game.marks)
        case Coordinate(axis):
            return 1, grid.shape[axis]
    assert_never(feature)


def keeps(feature: Feature, grid: Grid, symmetry: Symmetry) -> bool:
    """Whether a feature surely comes to the same when the board, with the agent on it, is turned or reflected.

    Patterns are read along all lines, both ways, so only an ordered one that mixes palindromes with others may differ.
    """
    match feature:
        case UnorderedCount() | MarkCount():
            return True
        case OrderedCount():
            return feature.mirrors
        case CountFrom(count, step):
            return _turned(grid, symmetry, step) == step and keeps(count, grid, symmetry)
        case CellMark(cell):
            return symmetry[cell] == cell
        case StepMark(step):
            return _turned(grid, symmetry, step) == step
        case Coordinate(axis):
            return all(grid.coordinates(symmetry[cell])[axis] == grid.coordinates(cell)[axis] for cell in grid.cells)
    assert_never(feature)


def _turned(grid: Grid, symmetry: Symmetry, step: tuple[int, ...]) -> tuple[int, ...]:
    """Where a step points after a symmetry: what becomes of one step along each axis says it all."""
    found = [0] * len(step)
    home = grid.coordinates(symmetry[0])
    for axis, by in enumerate(step):
        if grid.shape[axis] == 1:
            found[axis] += by  # off the board before and after
            continue
        neighbour = grid.cell([int(other == axis) for other in range(len(step))])
        for other, there in enumerate(grid.coordinates(symmetry[neighbour])):
            found[other] += by * (there - home[other])
    return tuple(found)


def looks(feature: Feature, game: Game, sight: int) -> int:
    """How many cells along a line through its own an agent looks, at the most; a run may go on as far as it sees."""
    match feature:
        case UnorderedCount():
            return (game.k or 1) - 1
        case OrderedCount(alternatives):
            return max(sight if arms.endless else arms.reach for arms in alternatives)
        case CountFrom() | MarkCount() | CellMark() | StepMark() | Coordinate():
            return 0
    assert_never(feature)


def is_mark(feature: Feature) -> bool:
    """Whether a feature is a mark: a category, and no amount."""
    match feature:
        case CellMark() | StepMark():
            return True
        case UnorderedCount() | OrderedCount() | CountFrom() | MarkCount() | Coordinate():
            return False
    assert_never(feature)


def is_placed(feature: Feature) -> bool:
    """Whether a feature depends on where on the board the agent is, and not only on what lies around it."""
    match feature:
        case CellMark() | Coordinate():
            return True
        case UnorderedCount() | OrderedCount() | CountFrom() | MarkCount() | StepMark():
            return False
    assert_never(feature)


def mark_number(game: Game, mark: str) -> int:
    """The number of a mark as agents see it."""
    return ("b", *game.visible_marks[:-1]).index(mark)
