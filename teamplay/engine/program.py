"""A rule book as one array: the features that its rules mention, and the rules as a small stack program over them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import roles_of
from teamplay.game import Game
from teamplay.grid import ROLES
from teamplay.language.expressions import Binary, BoundExpression, Constant, Reading, Unary, linear, readings
from teamplay.language.features import (
    COORDINATES,
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
    bounds,
    is_mark,
    looks,
)
from teamplay.language.rulebook import BoundRule, Rulebook

# The rows of a program, counted from its head: where the code of every role starts, the features, their alternatives,
# the steps of ordered ones, the code. Two programs for the two seats of a board may stand in one array.
STARTS, FIRST_FEATURE = 1, 2
COLUMNS = 8  # or more, where a game has many letters
# The columns of the head. CODED is how many cells each way are coded for a look-up of this program's patterns, or 0;
# MEMO is 0 where answers depend on more than codes and roles, else 1 plus the number of the program whose remembered
# answers serve: two seats with the same table share them. NEXT is the row of the next program's head, or 0.
FEATURES, LOOKS, SIGHT, REACH, MARKS, CODED, MEMO, NEXT = range(8)
# The columns of a feature. A pattern has alternatives from row FIRST to row LAST - 1; others have a value or three.
KIND, SUMS, FIRST, LAST = range(4)
VALUE = 2
# LEAST is the least that a weighted sum can come to; SHIFT and MASK are a feature's place in a word of packed features.
LEAST, SHIFT, MASK = 4, 5, 6
# What a feature measures; the first three are sums over the axes through a cell. The last two are patterns, too, but
# counted from another cell: their row goes on with the step there, and what the agent's own cell is taken to hold.
UNORDERED, ORDERED, WEIGHTED, TALLY, CELL, STEP, COORDINATE, UNORDERED_FROM, ORDERED_FROM = range(9)
BY, HELD = 4, 7
# The columns of a term of a weighted sum: the number of a pattern, and its factor.
TERM, FACTOR = range(2)
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
DEEPEST = 256  # the stack of one rule; binding allows no deeper expression
PACKED_BITS = 58  # of packed features, which leave room for a role and a seat


@dataclass(frozen=True)
class WeightedSum:
    """`28 * n(met) - 16 * n(you)`: patterns, by their numbers in the program, each times a factor.

    A sum of patterns is a sum over the axes like each of them, so it is looked up as one number. A table that weighs
    lines asks for few different sums of very many different counts, and so far fewer answers have to be remembered.
    """

    terms: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Program:
    """A table for one seat of a game. Marks are 0 for blank, then 1, 2, … in the game's order, for both seats."""

    features: tuple[Feature | WeightedSum, ...]
    bits: int  # how many all that its patterns count takes, packed into a word
    looks: int  # how many cells along a line its patterns look, at the most
    width: int  # the same for patterns that are counted from another cell
    reach: int  # how many cells along a line an agent sees
    marks: int  # how many marks there are, blank left out
    rows: NDArray[np.int64]  # [rows, COLUMNS or more]

    @property
    def patterns_only(self) -> bool:
        """Whether all features are patterns, so that they say all that an answer depends on."""
        return all(isinstance(feature, Counted | WeightedSum) for feature in self.features)

    @property
    def can_be_looked_up(self) -> bool:
        """Whether what an agent sees along an axis fits into a code, and what its patterns find into a word."""
        short = self.looks <= min(self.reach, LONGEST_CODE) and (self.looks > 0 or not self.features)
        return short and self.marks <= 2 and self.bits <= PACKED_BITS


def program(book: Rulebook, seat: int = 0, begin: int = 0) -> Program:
    """The program of a rule book without chance, its rows numbered from `begin`; chance is left to the reference."""
    with_sums = _Compiler(book, seat, begin).program()
    return with_sums if with_sums.bits <= PACKED_BITS else _Compiler(book, seat, begin, sums=False).program()


@dataclass
class _Compiler:
    """Gathers features and code; the one place with state."""

    book: Rulebook
    seat: int
    begin: int
    sums: bool = True  # whether a sum of patterns becomes one feature
    numbers: dict[Feature | WeightedSum, int] = field(default_factory=dict)  # what is measured, in order
    read: set[int] = field(default_factory=set)  # the numbers that the code asks for; other patterns serve sums alone
    code: list[tuple[int, int]] = field(default_factory=list)

    def program(self) -> Program:
        reach, sides = self.book.reach, self.book.game.grid.shape
        starts: list[int] = []
        there = roles_of(self.book.game)
        asked = [list(self.book.asked(role)) if role in there else [] for role in ROLES]
        for number, rules in enumerate(asked):
            if (same := asked.index(rules)) < number:
                starts.append(starts[same])
                continue
            starts.append(len(self.code))
            for rule in rules:
                self._rule(rule)
            self.code += [(PUSH, SILENT), (ANSWER, self._letters(()))]
        far = max(sides) - 1 if reach.kind == "all" else min(reach.cells, max(sides) - 1)
        features = [feature for feature in self.numbers if not isinstance(feature, WeightedSum)]
        along = max((looks(feature, self.book.game, far) for feature in features), default=0)
        marks = len(self.book.game.marks)
        head = (len(self.numbers), along, SIGHTS.index(reach.kind), far, marks)
        rows, bits = self._rows(head, starts)
        longest = max(sides) - 1
        counts = [feature.count for feature in features if isinstance(feature, CountFrom)]
        width = max((looks(count, self.book.game, longest) for count in counts), default=0)
        return Program(tuple(self.numbers), bits, along, width, far, marks, rows)

    def _rule(self, rule: BoundRule) -> None:
        assert rule.chance is None
        jump = -1
        if rule.condition is not None:
            self._emit(rule.condition)
            jump = len(self.code)
            self.code.append((UNLESS, 0))
        self._emit(rule.priority)
        self.code.append((ANSWER, self._letters(rule.letters)))
        if jump >= 0:
            self.code[jump] = (UNLESS, len(self.code))

    def _letters(self, named: tuple[str, ...]) -> int:
        """Letters as bits; all of the game's where none is named, as by an agent that stays silent."""
        marks = self.book.game.marks
        return sum(1 << marks.index(letter) for letter in named or marks) if self.book.game.shared else 1

    def _emit(self, node: BoundExpression) -> None:
        if weighted := self._weighted(node):
            constant, feature = weighted
            self.code += [(PUSH, constant), self._reading(feature), (ADD, 0)]
            return
        match node:
            case Constant(value):
                self.code.append((PUSH, value))
            case Reading(number):
                self.code.append(self._reading(self.book.features[number]))
            case Unary(sign, inner):
                self._emit(inner)
                self.code.append((NEGATE if sign == "-" else NOT, 0))
            case Binary(sign, left, right):
                self._emit(left)
                marked = any(is_mark(self.book.features[reading.feature]) for reading in readings(left))
                if marked and isinstance(right, Constant):
                    self.code.append((PUSH, self._mark(right.text)))
                else:
                    self._emit(right)
                self.code.append((SIGNS[sign], 0))
            case _:
                assert_never(node)

    def _weighted(self, node: BoundExpression) -> tuple[int, WeightedSum] | None:
        """A sum of two patterns or more, and what is added to it."""
        found = linear(node) if self.sums else None
        if not found or len(found[1]) < 2:
            return None
        terms = [(self.book.features[number], factor) for number, factor in found[1].items()]
        if not all(isinstance(feature, Counted) for feature, _ in terms):
            return None
        return found[0], WeightedSum(tuple((self._number(feature), factor) for feature, factor in terms))

    def _reading(self, feature: Feature | WeightedSum) -> tuple[int, int]:
        """The code that reads a feature."""
        self.read.add(self._number(feature))
        return FEATURE, self._number(feature)

    def _number(self, feature: Feature | WeightedSum) -> int:
        return self.numbers.setdefault(feature, len(self.numbers))

    def _mark(self, mark: str) -> int:
        if mark in "b?":
            return {"b": 0, "?": ANY}[mark]
        if self.book.game.shared:
            return 1 + self.book.game.marks.index(mark)
        return 1 + self.seat if mark == "x" else 2 - self.seat

    def _rows(self, head: tuple[int, ...], starts: list[int]) -> tuple[NDArray[np.int64], int]:
        """Everything in one array, with the numbers of rows in the place of those of features and code.

        And how many bits the packed patterns take.
        """
        parts = _Parts(self.begin + FIRST_FEATURE + len(self.numbers), self.book.game, self._mark)
        features = [parts.feature(feature, number in self.read) for feature, number in self.numbers.items()]
        parts.add_steps()
        begin = self.begin + FIRST_FEATURE + len(features) + len(parts.rows)
        code = [(do, what + begin if do == UNLESS else what) for do, what in self.code]
        rows = [head, tuple(begin + start for start in starts), *features, *parts.rows, *code]
        made = np.zeros((len(rows), max(COLUMNS, len(self.book.game.marks) + 1)), dtype=np.int64)
        for i, row in enumerate(rows):
            made[i, : len(row)] = row
        return made, parts.bits


class _Parts:
    """The rows of features, of their alternatives, and after them those of their steps."""

    def __init__(self, begin: int, game: Game, mark: Callable[[str], int]) -> None:
        self.rows: list[tuple[int, ...]] = []
        self.bits = 0
        self._begin, self._game, self._mark = begin, game, mark
        self._arms: list[tuple[int, Arms]] = []
        self._most: list[int] = []  # that each feature can come to

    def feature(self, feature: Feature | WeightedSum, packed: bool) -> tuple[int, ...]:
        """The row of a feature, its alternatives being noted; only what is read is packed into a word."""
        if isinstance(feature, WeightedSum):
            return self._weighted(feature)
        self._most.append(bounds(feature, self._game)[1])
        match feature:
            case UnorderedCount() | OrderedCount():
                return *self._pattern(feature), 0, *self._place(self._most[-1] if packed else 0)
            case CountFrom(count, step, mark):
                kind, *pattern = self._pattern(count)
                away = UNORDERED_FROM if kind == UNORDERED else ORDERED_FROM
                return away, *pattern, *(0, *step)[-3:], self._mark(mark)
            case MarkCount(mark):
                return TALLY, 0, self._mark(mark)
            case CellMark(cell):
                return CELL, 0, cell
            case StepMark(step):
                return STEP, 0, *(0, *step)[-3:]
            case Coordinate(axis):
                return COORDINATE, 0, len(COORDINATES) + axis
        assert_never(feature)

    def _weighted(self, feature: WeightedSum) -> tuple[int, ...]:
        """The row of a sum, its terms being noted. No pattern comes to less than 0."""
        ends = [factor * self._most[number] for number, factor in feature.terms]
        least, most = (sum(end for end in ends if (end > 0) == positive) for positive in (False, True))
        first = self._begin + len(self.rows)
        self.rows.extend(feature.terms)
        self._most.append(most)
        return WEIGHTED, 0, first, self._begin + len(self.rows), least, *self._place(most - least)

    def _place(self, most: int) -> tuple[int, int]:
        """Room in a word for a number from 0 to `most`: the shift, and the mask."""
        shift, bits = self.bits, most.bit_length()
        self.bits += bits
        return shift, (1 << bits) - 1

    def _pattern(self, count: Counted) -> tuple[int, int, int, int]:
        """The first columns of a pattern's row, its alternatives being noted."""
        first = self._begin + len(self.rows)
        match count:
            case UnorderedCount(alternatives):
                for needs in alternatives:
                    least = {self._mark(mark): number for mark, number in needs}
                    self.rows.append(tuple(least.get(mark, 0) for mark in range(max(least, default=0) + 1)))
                return UNORDERED, 0, first, self._begin + len(self.rows)
            case OrderedCount(rows, sums):
                for arms in rows:
                    self._arms.append((len(self.rows), arms))
                    self.rows.append(())
                return ORDERED, int(sums), first, self._begin + len(self.rows)
        assert_never(count)

    def add_steps(self) -> None:
        """The steps of all ordered alternatives."""
        for row, arms in self._arms:
            ahead, behind = self._walk(arms.ahead), self._walk(arms.behind)
            self.rows[row] = (*ahead, *behind, int(arms.palindrome))

    def _walk(self, steps: tuple[Step, ...]) -> tuple[int, int]:
        first = self._begin + len(self.rows)
        self.rows.extend((self._mark(step.mark), int(step.plus)) for step in steps)
        return first, self._begin + len(self.rows)
