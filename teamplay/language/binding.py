"""What an expression means on a board: features for what it measures, numbers for what is fixed, or a diagnostic."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from teamplay.errors import closest
from teamplay.game import Game
from teamplay.language.diagnostics import Diagnostic, Fault
from teamplay.language.expressions import Binary, BoundExpression, Constant, Reading, Unary, parts
from teamplay.language.features import (
    COORDINATES,
    NUMBERS,
    Bounds,
    CellMark,
    Coordinate,
    Counted,
    CountFrom,
    Feature,
    MarkCount,
    StepMark,
    bounds,
    mark_number,
)
from teamplay.language.formatter import format_expression, format_pattern
from teamplay.language.line import LONGEST_CHAIN
from teamplay.language.places import Places, is_place
from teamplay.language.rulebook import Reach
from teamplay.language.shapes import Shapes, unknown_mark
from teamplay.language.tree import (
    Arithmetic,
    Comparison,
    Count,
    Expression,
    Let,
    Logic,
    MarkTally,
    Name,
    Negative,
    Not,
    Number,
    Pattern,
    Place,
    Sight,
)

LARGEST_RESULT = 1_000_000_000
DEEPEST = LONGEST_CHAIN + 1
MOST_PARTS = 100_000  # that names may add to a table: a short file must not fill the memory


def _numbers(lets: Sequence[Let], game: Game) -> dict[str, Expression]:
    """The names of numbers: what reads as no pattern, or has signs that are no marks here but words for numbers."""
    marks = {*game.visible_marks, "?", "*"}
    found = {let.name: let.meaning for let in lets if not isinstance(let.meaning, Pattern)}
    words: dict[str, list[str]] = {}
    for let in lets:
        if isinstance(let.meaning, Pattern) and let.number is not None:
            text = format_pattern(let.meaning)
            if not marks.issuperset(re.sub(r"\W", "", text)):
                found[let.name], words[let.name] = let.number, re.findall(r"\w+", text)
    while True:
        strange = [name for name in words if not any(w.isdigit() or w in NUMBERS or w in found for w in words[name])]
        if not strange:
            return found
        for name in strange:
            del found[name], words[name]


def reach(game: Game, declared: Sight | None) -> Reach:
    """How far agents see: by default along the lines of the game's length, or to the ends of the board."""
    if declared is None:
        return Reach("lines", game.k - 1) if game.k else Reach("rays", max(game.grid.shape) - 1)
    return Reach("rays", declared.reach - 1) if declared.kind == "lines" else Reach(declared.kind, declared.reach)


def _too_much(node: Expression, what: str) -> Fault:
    message = f"all that {what} stands for is too much to work out"
    help = f"{LONGEST_CHAIN} operations are the most in an expression, {MOST_PARTS:,} in a table, names written out"
    return Fault("T003", node.span, message, "here", help)


@dataclass
class Binding:
    """The expressions of one table on one board, and all that they measure."""

    game: Game
    reach: Reach
    roles: frozenset[str] = frozenset()  # the roles of the board whose agents the expressions at hand are for
    plays: tuple[str, ...] = ()  # the letters that their rule may place, where marks are shared
    features: dict[Feature, int] = field(default_factory=dict)  # equal ones have one number
    numbers: dict[str, Expression | None] = field(default_factory=dict)  # by name; None where it has no meaning
    wrong: list[Diagnostic] = field(default_factory=list)  # with what `let` says

    def __post_init__(self) -> None:
        self.open: list[str] = []  # the names that are being defined, each by the next
        self.defined: set[str] = set()
        self.bound: dict[tuple[str, frozenset[str], tuple[str, ...]], tuple[BoundExpression, Bounds, int, int]] = {}
        self.parts = self.depth = self.deepest = 0  # of the expression at hand; names have added these parts
        self.shapes = Shapes(self.game, self.reach)
        self.places = Places(self.game, self.reach)

    # Names

    def define(self, lets: Sequence[Let]) -> list[Diagnostic]:
        """Give every `let` its meaning; what is wrong with those that have none.

        A number may be named before the line that defines it. What depends on who reads a name, and on what is played,
        is looked at where the name is used.
        """
        numbers = _numbers(lets, self.game)
        for let in lets:
            try:
                if set(let.name) <= set(self.game.visible_marks):
                    message = f"`{let.name}` reads as marks already"
                    raise Fault("T012", let.span, message, help="choose a name with other letters")
                if let.name in numbers and let.name in (*NUMBERS, "center"):
                    raise Fault("T012", let.span, f"`{let.name}` has a meaning already", help="choose another name")
                if let.name in numbers:
                    self.numbers[let.name] = numbers[let.name]
                elif isinstance(let.meaning, Pattern):
                    self.shapes.define(let.name, let.meaning)
            except Fault as fault:
                self.wrong.append(fault.diagnostic)
        reader = self.roles, self.plays
        self.roles, self.plays = frozenset(), self.game.marks[:1] if self.game.shared else ()
        for name in self.numbers:
            self._define(name)
        self.roles, self.plays = reader
        return self.wrong

    def _define(self, name: str) -> None:
        """Report what is wrong with the meaning of a name, once; its uses are not to blame, and it stands for 0."""
        written = self.numbers[name]
        if name in self.defined or written is None:
            return
        self.open.append(name)
        try:
            self.number(written)
        except Fault as fault:
            self.numbers[name] = None
            self.wrong.append(fault.diagnostic)
        self.open.pop()
        self.defined.add(name)

    def _named(self, node: Name) -> tuple[BoundExpression, Bounds]:
        """The number that a name stands for."""
        name = node.text
        if name in self.open:
            way = " -> ".join([*self.open[self.open.index(name) :], name])
            help = "say what it is by other numbers"
            raise Fault("T015", node.span, f"`{name}` stands for itself: {way}", "here", help)
        self._define(name)
        written = self.numbers[name]
        if written is None:
            return Constant(0, span=node.span), (0, 0)
        key = name, self.roles, self.plays
        if key not in self.bound:
            self.bound[key] = self._bound(name, written, node)
        found, ends, size, height = self.bound[key]
        self.deepest = max(self.deepest, self.depth + height)
        self.parts += size
        if self.deepest > DEEPEST or self.parts > MOST_PARTS:
            raise _too_much(node, f"`{name}`")
        return replace(found, span=node.span, name=name), ends

    def _bound(self, name: str, written: Expression, node: Name) -> tuple[BoundExpression, Bounds, int, int]:
        """What a name means to the agents at hand, how many parts it has, and how deep it is."""
        outer, self.deepest = self.deepest, self.depth
        try:
            found, ends = self.number(written)
        except Fault as fault:
            if self.open:
                raise
            wrong = fault.diagnostic  # not in itself, but for these agents: the use is to blame
            message = f"{wrong.message}, which stands in `let {name}`"
            raise Fault(wrong.code, node.span, message, wrong.label, wrong.help) from None
        height, self.deepest = self.deepest - self.depth, outer
        return found, ends, sum(1 for _ in parts(found)), height

    def measure(self, node: Expression) -> BoundExpression:
        """A number, a condition, or a cell, which stands for the number of its mark."""
        if is_place(node):
            return self._mark(node)
        return self.condition(node) if isinstance(node, Comparison | Logic | Not) else self.number(node)[0]

    def _reading(self, feature: Feature, node: Expression) -> tuple[Reading, Bounds]:
        """What a feature comes to, as it is written here, and the least and greatest value of it."""
        number = self.features.setdefault(feature, len(self.features))
        return Reading(number, format_expression(node), span=node.span), bounds(feature, self.game)

    # Conditions

    def condition(self, node: Expression) -> BoundExpression:
        match node:
            case Logic(word, left, right):
                return Binary(word, self.condition(left), self.condition(right), span=node.span)
            case Not(inner):
                return Unary("not", self.condition(inner), span=node.span)
            case Comparison(sign, left, right):
                if is_place(left) or is_place(right):
                    return self._cell_test(node)
                return Binary(sign, self.number(left)[0], self.number(right)[0], span=node.span)
            case Number() | Name() | Place() | Count() | MarkTally() | Negative() | Arithmetic():
                raise self._no_condition(node)
        assert_never(node)

    def _no_condition(self, node: Expression) -> Fault:
        """A cell or a number where a condition belongs."""
        text = format_expression(node)
        if is_place(node):
            help = f"write `{text} = {self.game.visible_marks[0]}`"
            return Fault("T010", node.span, f"`{text}` is a cell, not a condition", "here", help)
        help = "compare it with another, as in `n(xx) >= 1`" if isinstance(node, Number) else f"write `{text} >= 1`"
        return Fault("T010", node.span, f"`{text}` is a number, not a condition", "here", help)

    def _cell_test(self, node: Comparison) -> Binary:
        place, mark = (node.left, node.right) if is_place(node.left) else (node.right, node.left)
        marks = " ".join(self.game.visible_marks)
        if node.sign not in ("=", "!="):
            raise Fault("T010", node.span, "a cell holds a mark, which is no number", "here", "compare with = or !=")
        if not isinstance(mark, Name):
            raise Fault("T010", mark.span, "a cell is compared with a mark", "here", f"write one of {marks}")
        if mark.text not in self.game.visible_marks:
            raise unknown_mark(self.game, mark.text, mark.span)
        wanted = Constant(mark_number(self.game, mark.text), mark.text, span=mark.span)
        return Binary(node.sign, self._mark(place), wanted, span=node.span)

    def _mark(self, place: Expression) -> Reading:
        """The mark in a named cell."""
        numbers = tuple(map(self._constant, place.numbers)) if isinstance(place, Place) else ()
        spot = self.places.spot(place, numbers, self.roles)
        return self._reading(CellMark(spot) if isinstance(spot, int) else StepMark(spot), place)[0]

    # Numbers

    def _constant(self, node: Expression) -> int:
        bound, _ = self.number(node)
        if not isinstance(bound, Constant):
            raise Fault("T010", node.span, "a fixed number belongs here", "here", "use numbers, k, rows and cols")
        return bound.value

    def number(self, node: Expression) -> tuple[BoundExpression, Bounds]:
        """The bound expression and the least and greatest value it can take."""
        self.depth += 1
        self.deepest = max(self.deepest, self.depth) if self.depth > 1 else 1
        try:
            if self.depth > DEEPEST:
                raise _too_much(node, "this")
            return self._number(node)
        finally:
            self.depth -= 1

    def _number(self, node: Expression) -> tuple[BoundExpression, Bounds]:
        match node:
            case Number(value):
                return Constant(value, span=node.span), (value, value)
            case Name() if not is_place(node):
                return self._named_number(node)
            case Count():
                if node.pattern.name in self.numbers:
                    message = f"`{node.pattern.name}` is a number, not a pattern"
                    raise Fault("T010", node.span, message, "here", f"write `{node.pattern.name}`")
                feature = self.shapes.counted(node)
                if not feature.alternatives:
                    return Constant(0, span=node.span), (0, 0)
                return self._reading(self._counted_from(feature, node, node.at) if node.at else feature, node)
            case MarkTally(mark):
                if mark not in self.game.visible_marks:
                    raise unknown_mark(self.game, mark, node.span)
                return self._reading(MarkCount(mark), node)
            case Negative(inner):
                bound, (least, most) = self.number(inner)
                if isinstance(bound, Constant):
                    return Constant(-bound.value, span=node.span), (-most, -least)
                return Unary("-", bound, span=node.span), (-most, -least)
            case Arithmetic():
                return self._arithmetic(node)
            case Place() | Name():
                text = format_expression(node)
                help = f"test it: `{text} = {self.game.visible_marks[0]}`"
                raise Fault("T010", node.span, f"`{text}` is a cell, not a number", "here", help)
            case Comparison() | Logic() | Not():
                message = f"`{format_expression(node)}` is a condition, not a number"
                raise Fault("T010", node.span, message, "here", "move it behind an `if`")
        assert_never(node)

    def _counted_from(self, count: Counted, node: Count, at: Place) -> CountFrom:
        """A count seen from another cell, after this rule's move."""
        text = format_expression(node)
        step = self.places.steps(at, tuple(map(self._constant, at.numbers)))
        if not any(step):
            raise Fault("T008", at.span, "my own cell is where I count from anyway", help="leave `at(…)` out")
        if self.game.shared and len(self.plays) != 1:
            message = f"`{text}` counts after my move, and this rule may play {' or '.join(self.plays)}"
            raise Fault("T014", node.span, message, "here", f"say which: `play {self.game.marks[0]}`")
        found = CountFrom(count, step, self.plays[0] if self.game.shared else "x")
        self.places.seen_from(found, node, self.roles)
        return found

    def _arithmetic(self, node: Arithmetic) -> tuple[BoundExpression, Bounds]:
        left, (a, b) = self.number(node.left)
        right, (c, d) = self.number(node.right)
        if node.sign == "*":
            ends = [a * c, a * d, b * c, b * d]
        else:
            ends = [a + c, b + d] if node.sign == "+" else [a - d, b - c]
        if max(map(abs, ends)) > LARGEST_RESULT:
            message = f"this can grow beyond {LARGEST_RESULT:,}"
            raise Fault("T013", node.span, message, "here", "use smaller numbers")
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(min(ends), span=node.span), (min(ends), max(ends))
        return Binary(node.sign, left, right, span=node.span), (min(ends), max(ends))

    def _named_number(self, node: Name) -> tuple[BoundExpression, Bounds]:
        shape = self.game.grid.shape
        sides = dict(zip(COORDINATES[-len(shape) :], shape, strict=True))
        fixed = {f"{name}s": side for name, side in sides.items()}
        if self.game.k:
            fixed["k"] = self.game.k
        if node.text in self.numbers:
            return self._named(node)
        if node.text in fixed:
            return Constant(fixed[node.text], span=node.span), (fixed[node.text],) * 2
        if node.text in sides:
            return self._reading(Coordinate(COORDINATES.index(node.text) - len(COORDINATES)), node)
        if node.text == "k":
            raise Fault("T004", node.span, f"{self.game.name} has no line length `k`", "here", "write a number")
        if node.text in self.game.visible_marks:
            message = f"`{node.text}` is a mark, not a number"
            raise Fault("T010", node.span, message, "here", f"count it: count({node.text})")
        if node.text in self.shapes.names:
            message = f"`{node.text}` is a pattern, not a number"
            raise Fault("T010", node.span, message, "here", f"count it: n({node.text})")
        known = [*fixed, *sides, "center", *self.numbers]
        near = closest(node.text[:40], known)
        help = f"write `{near}`" if near else f"the names are {', '.join(known)}"
        raise Fault("T004", node.span, f"`{node.text[:40]}` is not known here", "here", help)
