"""A rule book as arrays: the features that its rules mention, and the rules as a small stack program over them."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.grid import ROLES
from teamplay.language.rulebook import BoundRule, Rulebook
from teamplay.language.tree import (
    Arithmetic,
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

# What a feature measures; the first two are sums over the axes through a cell.
UNORDERED, ORDERED, TALLY, CELL, STEP, COORDINATE = range(6)
# What the stack program does.
PUSH, FEATURE, ADD, SUBTRACT, MULTIPLY, NEGATE, EQUAL, DIFFERENT, LESS, AT_MOST, MORE, AT_LEAST, AND, OR, NOT = range(
    15
)

SIGNS = {"+": ADD, "-": SUBTRACT, "*": MULTIPLY, "and": AND, "or": OR}
SIGNS |= {"=": EQUAL, "!=": DIFFERENT, "<": LESS, "<=": AT_MOST, ">": MORE, ">=": AT_LEAST}
ANY = -1  # the mark `?`
OFF = -1  # what stands off the board
SIGHTS = ("lines", "rays", "radius", "all")
SILENT = 2_000_000_000  # the priority of an agent that stays silent; larger than any a table can return


class Program(NamedTuple):
    """A table for one game. Marks are as an agent sees them: 0 blank, 1 mine (or the first letter), 2 theirs, …"""

    marks: int  # how many marks there are, blank left out
    sight: int  # an index into SIGHTS
    reach: int  # how many cells along a line an agent sees
    looks: int  # how many cells along a line its patterns look, at the most
    kinds: NDArray[np.int64]  # [features]
    sums: NDArray[np.int64]  # [features]: 1 where a pattern's runs are added up, 0 where its matches are counted
    values: NDArray[np.int64]  # [features, 3]: mark; cell; step as layers, rows, columns; or which coordinate
    alternatives: NDArray[np.int64]  # [features, 2]: first and last + 1 of its alternatives
    needs: NDArray[np.int64]  # [alternatives, marks + 1]: the least of each mark on an unordered line
    arms: NDArray[np.int64]  # [alternatives, 5]: ahead from, to, behind from, to, and whether a palindrome
    steps: NDArray[np.int64]  # [steps, 2]: a mark (or ANY), and whether the whole run is taken
    code: NDArray[np.int64]  # [operations, 2]: what to do, and with what
    rules: NDArray[np.int64]  # [rules, 4]: condition from (-1: none), priority from, to, letters as bits
    roles: NDArray[np.int64]  # [roles, 2]: first and last + 1 of a role's rules
    role_of: NDArray[np.int8]  # [cells]


def program(book: Rulebook) -> Program:
    """The program of a rule book without chance; improvisation is left to the reference."""
    return _Compiler(book).program()


def improvises(book: Rulebook) -> bool:
    """Whether some rule has a chance."""
    return any(rule.chance is not None for _, rules in book.sections for rule in rules)


@dataclass
class _Compiler:
    """Gathers features, alternatives, steps and code; the one place with state."""

    book: Rulebook
    features: dict[object, int] = field(default_factory=dict)
    kinds: list[int] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)
    values: list[tuple[int, int, int]] = field(default_factory=list)
    alternatives: list[tuple[int, int]] = field(default_factory=list)
    needs: list[list[int]] = field(default_factory=list)
    arms: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    steps: list[tuple[int, int]] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)

    def program(self) -> Program:
        game, reach = self.book.game, self.book.reach
        rules: list[tuple[int, int, int, int]] = []
        roles: list[tuple[int, int]] = []
        for role in ROLES:
            first = len(rules)
            spoken = (rule for roles_, section in self.book.sections if role in roles_ for rule in section)
            rules.extend(self._rule(rule) for rule in spoken)
            roles.append((first, len(rules)))
        far = max(game.grid.shape) - 1 if reach.kind == "all" else min(reach.cells, max(game.grid.shape) - 1)
        return Program(
            marks=len(game.marks),
            sight=SIGHTS.index(reach.kind),
            reach=far,
            looks=self._looks(far),
            kinds=np.array(self.kinds, dtype=np.int64),
            sums=np.array(self.sums, dtype=np.int64),
            values=np.array(self.values, dtype=np.int64).reshape(-1, 3),
            alternatives=np.array(self.alternatives, dtype=np.int64).reshape(-1, 2),
            needs=np.array(self.needs, dtype=np.int64).reshape(-1, len(game.marks) + 1),
            arms=np.array(self.arms, dtype=np.int64).reshape(-1, 5),
            steps=np.array(self.steps, dtype=np.int64).reshape(-1, 2),
            code=np.array(self.code, dtype=np.int64).reshape(-1, 2),
            rules=np.array(rules, dtype=np.int64).reshape(-1, 4),
            roles=np.array(roles, dtype=np.int64),
            role_of=_roles(self.book),
        )

    def _looks(self, far: int) -> int:
        """How far the patterns look: a run may go on as far as the agent sees."""
        looks = 0
        for kind, (first, last) in zip(self.kinds, self.alternatives, strict=True):
            if kind == UNORDERED:
                looks = max(looks, (self.book.game.k or 1) - 1)
            for a, b, c, d, _ in self.arms[first:last] if kind == ORDERED else []:
                endless = any(plus for _, plus in self.steps[a:b] + self.steps[c:d])
                looks = max(looks, far if endless else max(b - a, d - c))
        return looks

    def _rule(self, rule: BoundRule) -> tuple[int, int, int, int]:
        assert rule.chance is None
        start = -1
        if rule.condition is not None:
            start = len(self.code)
            self._emit(rule.condition)
        priority = len(self.code)
        self._emit(rule.priority)
        marks = self.book.game.marks
        letters = sum(1 << marks.index(letter) for letter in rule.letters) if self.book.game.shared else 1
        return start, priority, len(self.code), letters

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
        return 1 + (self.book.game.marks if self.book.game.shared else ("x", "o")).index(mark)

    def _feature(self, node: Counted | Tally | Name | CellTest) -> int:
        """The number of a feature; equal ones are measured once."""
        key: object = (node.place, "cell") if isinstance(node, CellTest) else node
        if key not in self.features:
            self.features[key] = len(self.kinds)
            first = len(self.needs)
            kind, values, sums = self._measure(node)
            self.kinds.append(kind)
            self.values.append(values)
            self.sums.append(sums)
            self.alternatives.append((first, len(self.needs)))
        return self.features[key]

    def _measure(self, node: Counted | Tally | Name | CellTest) -> tuple[int, tuple[int, int, int], int]:
        match node:
            case Counted(kind, Ordered(alternatives)):
                for arms in alternatives:
                    ahead, behind = self._walk(arms.ahead), self._walk(arms.behind)
                    self._alternative(arms=(*ahead, *behind, int(arms.palindrome)))
                return ORDERED, (0, 0, 0), int(kind == "size")
            case Counted(_, Unordered(options)):
                for needs in options:
                    self._alternative(needs={self._mark(mark): least for mark, least in needs})
                return UNORDERED, (0, 0, 0), 0
            case Tally(mark):
                return TALLY, (self._mark(mark), 0, 0), 0
            case CellTest(place=int(cell)):
                return CELL, (cell, 0, 0), 0
            case CellTest(place=tuple(step)):
                layers, rows, columns = (0, *step)[-3:]
                return STEP, (layers, rows, columns), 0
            case Name(word):
                return COORDINATE, (("layer", "row", "col").index(word), 0, 0), 0
        raise TypeError(f"{node} is not a feature")

    def _walk(self, steps: tuple[Step, ...]) -> tuple[int, int]:
        first = len(self.steps)
        self.steps.extend((self._mark(step.mark), int(step.plus)) for step in steps)
        return first, len(self.steps)

    def _alternative(
        self, needs: dict[int, int] | None = None, arms: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    ) -> None:
        self.needs.append([(needs or {}).get(mark, 0) for mark in range(len(self.book.game.marks) + 1)])
        self.arms.append(arms)


def _roles(book: Rulebook) -> NDArray[np.int8]:
    """The role of every cell, as an index into ROLES: [cells]."""
    grid = book.game.grid
    at = np.indices(grid.shape).reshape(len(grid.shape), -1)
    wide = [(here, side) for here, side in zip(at, grid.shape, strict=True) if side > 1]
    borders = sum(((here == 0) | (here == side - 1)).astype(np.int64) for here, side in wide) + np.zeros(grid.size, int)
    middle = np.all([2 * here == side - 1 for here, side in wide], axis=0) if wide else np.ones(grid.size, bool)
    role = np.full(grid.size, ROLES.index("edge"), dtype=np.int8)
    role[len(wide) - borders == 2] = ROLES.index("face")
    role[borders == 0] = ROLES.index("inner")
    role[borders == len(wide)] = ROLES.index("corner")
    role[middle] = ROLES.index("center")
    return role
