"""A rule book as one array: the features that its rules mention, and the rules as a small stack program over them."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from teamplay.grid import ROLES
from teamplay.language.rulebook import BoundRule, Rulebook
from teamplay.language.tree import (
    Arithmetic,
    Arms,
    CellTest,
    Comparison,
    Counted,
    Expression,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Ordered,
    Step,
    Tally,
    Unordered,
)

# The rows of a program, counted from its head: where the code of every role starts, the features, their alternatives,
# the steps of ordered ones, the code. Two programs for the two seats of a board may stand in one array.
STARTS, FIRST_FEATURE = 1, 2
COLUMNS = 8  # or more, where a game has many letters
# The columns of the head. CODED is how many cells each way are coded for a look-up of this program's patterns, or 0;
# with REMEMBERS, answers depend on codes and roles alone. NEXT is the row of the next program's head, or 0.
FEATURES, LOOKS, SIGHT, REACH, MARKS, CODED, REMEMBERS, NEXT = range(8)
# The columns of a feature. A pattern has alternatives from row FIRST to row LAST - 1; others have a value or three.
KIND, SUMS, FIRST, LAST = range(4)
VALUE = 2
SHIFT, MASK = 5, 6  # its place in a word of packed features
# What a feature measures; the first two are sums over the axes through a cell.
UNORDERED, ORDERED, TALLY, CELL, STEP, COORDINATE = range(6)
# The columns of an ordered alternative; an unordered one has the least of every mark on a line.
AHEAD, AHEAD_END, BEHIND, BEHIND_END, PALINDROME = range(5)
# The columns of a step: a mark (or ANY), and whether the whole run is taken.
MARK, PLUS = range(2)
# The columns of the code: what to do, and with what.
PUSH, FEATURE, ADD, SUBTRACT, MULTIPLY, NEGATE, EQUAL, DIFFERENT, LESS, AT_MOST, MORE, AT_LEAST, AND, OR, NOT = range(
    15
)
UNLESS, ANSWER = 15, 16  # go on at a row unless the condition holds; answer with these letters

SIGNS = {"+": ADD, "-": SUBTRACT, "*": MULTIPLY, "and": AND, "or": OR}
SIGNS |= {"=": EQUAL, "!=": DIFFERENT, "<": LESS, "<=": AT_MOST, ">": MORE, ">=": AT_LEAST}
ANY = -1  # the mark `?`
OFF = -1  # what stands off the board
SIGHTS = ("lines", "rays", "radius", "all")
LINES, RAYS, RADIUS, ALL = range(4)

# An answer is one number: the priority, and in its last bits the letters.
LETTER_BITS = 8
LETTER_MASK = (1 << LETTER_BITS) - 1
SILENT = 2_000_000_000  # the priority of an agent that stays silent; larger than any a table can return
TAKEN = SILENT + 1  # what stands for a cell that is not free

LONGEST_CODE = 5  # cells each way: 132,496 codes
DEEPEST = 128  # the stack of one rule; the parser allows no deeper expression
PACKED_BITS = 58  # of packed features, which leave room for a role and a seat


@dataclass(frozen=True)
class Feature:
    """Something that rules measure."""

    kind: int
    most: int  # the largest number it can come to
    sums: int = 0  # 1 where a pattern's runs are added up, 0 where its matches are counted
    values: tuple[int, ...] = ()  # mark; cell; step as layers, rows, columns; or which coordinate
    shape: Ordered | Unordered | None = None


@dataclass(frozen=True)
class Program:
    """A table for one seat of a game. Marks are 0 for blank, then 1, 2, … in the game's order, whoever looks."""

    features: tuple[Feature, ...]
    looks: int  # how many cells along a line its patterns look, at the most
    reach: int  # how many cells along a line an agent sees
    marks: int  # how many marks there are, blank left out
    rows: NDArray[np.int64]  # [rows, COLUMNS or more]

    @property
    def patterns_only(self) -> bool:
        """Whether all features are patterns, so that they say all that an answer depends on."""
        return all(feature.shape for feature in self.features)

    @property
    def can_be_looked_up(self) -> bool:
        """Whether what an agent sees along an axis fits into a code, and what its patterns find into a word."""
        bits = sum(feature.most.bit_length() for feature in self.features if feature.shape)
        short = 0 < self.looks <= min(self.reach, LONGEST_CODE)
        return short and self.marks <= 2 and bits <= PACKED_BITS

    @property
    def work(self) -> NDArray[np.int64]:
        """Room for the work on one agent: features, a stack, how many of every mark, a line."""
        return np.zeros(len(self.features) + DEEPEST + self.marks + 1 + 2 * self.looks + 1, dtype=np.int64)


def program(book: Rulebook, seat: int = 0, begin: int = 0) -> Program:
    """The program of a rule book without chance, its rows numbered from `begin`; chance is left to the reference."""
    return _Compiler(book, seat, begin).program()


@dataclass
class _Compiler:
    """Gathers features and code; the one place with state."""

    book: Rulebook
    seat: int
    begin: int
    numbers: dict[object, int] = field(default_factory=dict)  # of the features
    features: list[Feature] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)

    def program(self) -> Program:
        reach, sides = self.book.reach, self.book.game.grid.shape
        starts = []
        for role in ROLES:
            starts.append(len(self.code))
            for rule in self.book.asked(role):
                self._rule(rule)
            self.code += [(PUSH, SILENT), (ANSWER, 0)]
        far = max(sides) - 1 if reach.kind == "all" else min(reach.cells, max(sides) - 1)
        looks, marks = self._looks(far), len(self.book.game.marks)
        head = (len(self.features), looks, SIGHTS.index(reach.kind), far, marks)
        return Program(tuple(self.features), looks, far, marks, self._rows(head, starts))

    def _looks(self, far: int) -> int:
        """How far the patterns look: a run may go on as far as the agent sees."""
        looks = 0
        for feature in self.features:
            if isinstance(feature.shape, Unordered):
                looks = max(looks, (self.book.game.k or 1) - 1)
            elif feature.shape:
                looks = max(looks, *(far if _endless(arms) else _longest(arms) for arms in feature.shape.alternatives))
        return looks

    def _rule(self, rule: BoundRule) -> None:
        assert rule.chance is None
        jump = -1
        if rule.condition is not None:
            self._emit(rule.condition)
            jump = len(self.code)
            self.code.append((UNLESS, 0))
        self._emit(rule.priority)
        marks = self.book.game.marks
        letters = rule.letters or marks
        self.code.append((ANSWER, sum(1 << marks.index(letter) for letter in letters) if self.book.game.shared else 1))
        if jump >= 0:
            self.code[jump] = (UNLESS, len(self.code))

    def _emit(self, node: Expression) -> None:
        match node:
            case Number(value):
                self.code.append((PUSH, value))
            case Counted() | Tally() | Name():
                self.code.append((FEATURE, self._feature(node)))
            case CellTest(_, equal, mark):
                self.code += [(FEATURE, self._feature(node)), (PUSH, self._mark(mark))]
                self.code.append((EQUAL if equal else DIFFERENT, 0))
            case Negative(inner) | Not(inner):
                self._emit(inner)
                self.code.append((NEGATE if isinstance(node, Negative) else NOT, 0))
            case Arithmetic(sign, left, right) | Comparison(sign, left, right) | Logic(sign, left, right):
                self._emit(left)
                self._emit(right)
                self.code.append((SIGNS[sign], 0))
            case _:
                raise TypeError(f"{node} is not bound")  # the checker lets none through

    def _mark(self, mark: str) -> int:
        if mark in "b?":
            return {"b": 0, "?": ANY}[mark]
        if self.book.game.shared:
            return 1 + self.book.game.marks.index(mark)
        return 1 + self.seat if mark == "x" else 2 - self.seat

    def _feature(self, node: Counted | Tally | Name | CellTest) -> int:
        """The number of a feature; equal ones are measured once."""
        key: object = (node.place, "cell") if isinstance(node, CellTest) else node
        if key not in self.numbers:
            self.numbers[key] = len(self.features)
            self.features.append(self._measured(node))
        return self.numbers[key]

    def _measured(self, node: Counted | Tally | Name | CellTest) -> Feature:
        grid, k = self.book.game.grid, self.book.game.k
        match node:
            case Counted(kind, Ordered(alternatives) as shape):
                sums = int(kind == "size")
                most = 2 * len(alternatives) * len(grid.axes) * (2 * max(grid.shape) if sums else 1)
                return Feature(ORDERED, most, sums, shape=shape)
            case Counted(_, Unordered() as shape):
                return Feature(UNORDERED, (k or 0) * len(grid.axes), shape=shape)
            case Tally(mark):
                return Feature(TALLY, grid.size, values=(self._mark(mark),))
            case CellTest(place=int(cell)):
                return Feature(CELL, len(self.book.game.marks), values=(cell,))
            case CellTest(place=tuple(step)):
                return Feature(STEP, len(self.book.game.marks), values=(0, *step)[-3:])
            case Name(word):
                return Feature(COORDINATE, max(grid.shape), values=(("layer", "row", "col").index(word),))
        raise TypeError(f"{node} is not a feature")

    def _rows(self, head: tuple[int, ...], starts: list[int]) -> NDArray[np.int64]:
        """Everything in one array, with the numbers of rows in the place of those of features and code."""
        parts = _Parts(self.begin + FIRST_FEATURE + len(self.features), self._mark)
        features = [parts.feature(feature) for feature in self.features]
        parts.add_steps()
        begin = self.begin + FIRST_FEATURE + len(features) + len(parts.rows)
        code = [(do, what + begin if do == UNLESS else what) for do, what in self.code]
        rows = [head, tuple(begin + start for start in starts), *features, *parts.rows, *code]
        made = np.zeros((len(rows), max(COLUMNS, len(self.book.game.marks) + 1)), dtype=np.int64)
        for i, row in enumerate(rows):
            made[i, : len(row)] = row
        return made


def _endless(arms: Arms) -> bool:
    return any(step.plus for step in arms.ahead + arms.behind)


def _longest(arms: Arms) -> int:
    return max(len(arms.ahead), len(arms.behind))


class _Parts:
    """The rows of alternatives, and after them those of their steps."""

    def __init__(self, begin: int, mark: Callable[[str], int]) -> None:
        self.rows: list[tuple[int, ...]] = []
        self._begin, self._mark = begin, mark
        self._arms: list[tuple[int, Arms]] = []
        self._shift = 0

    def feature(self, feature: Feature) -> tuple[int, ...]:
        """The row of a feature, its alternatives being noted."""
        if not feature.shape:
            return (feature.kind, 0, *feature.values)
        first = self._begin + len(self.rows)
        for alternative in feature.shape.alternatives:
            if isinstance(alternative, Arms):
                self._arms.append((len(self.rows), alternative))
                self.rows.append(())
            else:
                least = {self._mark(mark): number for mark, number in alternative}
                self.rows.append(tuple(least.get(mark, 0) for mark in range(max(least, default=0) + 1)))
        shift, bits = self._shift, feature.most.bit_length()
        self._shift += bits
        return feature.kind, feature.sums, first, self._begin + len(self.rows), 0, shift, (1 << bits) - 1

    def add_steps(self) -> None:
        """The steps of all ordered alternatives."""
        for row, arms in self._arms:
            ahead, behind = self._walk(arms.ahead), self._walk(arms.behind)
            self.rows[row] = (*ahead, *behind, int(arms.palindrome))

    def _walk(self, steps: tuple[Step, ...]) -> tuple[int, int]:
        first = self._begin + len(self.rows)
        self.rows.extend((self._mark(step.mark), int(step.plus)) for step in steps)
        return first, self._begin + len(self.rows)
