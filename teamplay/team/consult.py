"""Step 4 of the paper's agent: consult the function T. What holds, what it returns, and what was measured."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from teamplay.language.formatter import format_expression
from teamplay.language.rulebook import BoundRule
from teamplay.language.tree import (
    COMPARE,
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
    Tally,
)
from teamplay.team.view import View

Coin = Callable[[BoundRule], bool]  # does this rule's chance come up?


def consult(rules: Sequence[BoundRule], view: View, coin: Coin) -> BoundRule | None:
    """The first rule that holds, or None: then the agent stays silent."""
    for rule in rules:
        if (rule.condition is None or holds(rule.condition, view)) and (rule.chance is None or coin(rule)):
            return rule
    return None


def possible(rules: Sequence[BoundRule], view: View) -> Iterator[BoundRule | None]:
    """Every rule that may answer, whatever the coins say; None where the agent may stay silent."""
    for rule in rules:
        if rule.chance != 0 and (rule.condition is None or holds(rule.condition, view)):
            yield rule
            if rule.chance in (None, 100):
                return
    yield None


def holds(node: Expression, view: View) -> bool:
    """Whether a condition is true in a view."""
    match node:
        case Logic("and", left, right):
            return holds(left, view) and holds(right, view)
        case Logic(_, left, right):
            return holds(left, view) or holds(right, view)
        case Not(inner):
            return not holds(inner, view)
        case Comparison(sign, left, right):
            return COMPARE[sign](value(left, view), value(right, view))
        case CellTest(place, equal, mark):
            return (view.mark(place) == mark) == equal
    raise TypeError(f"{node} is not a condition")  # the checker lets none through


def value(node: Expression, view: View) -> int:
    """What a number comes to in a view."""
    match node:
        case Number(number):
            return number
        case Counted(kind, shape):
            matches = view.matches(shape)
            return sum(matches) if kind == "size" else len(matches)
        case Tally(mark):
            return view.count(mark)
        case Name(word):
            return view.coordinates[{"col": -1, "row": -2, "layer": -3}[word]] + 1
        case Negative(inner):
            return -value(inner, view)
        case Arithmetic(sign, left, right):
            a, b = value(left, view), value(right, view)
            return a + b if sign == "+" else a - b if sign == "-" else a * b
    raise TypeError(f"{node} is not a number")  # the checker lets none through


@dataclass(frozen=True)
class Measure:
    """One test inside a condition: its text, what was measured, whether it held, and how far it was from holding."""

    text: str
    measured: str
    held: bool
    missing: int


@dataclass(frozen=True)
class Tried:
    """One rule that an agent tried."""

    rule: BoundRule
    held: bool  # the condition
    lucky: bool  # the coin; True where the rule has none
    measures: tuple[Measure, ...]
    missing: int  # how much would have to change for the condition to hold
    priority: int  # what it returns, or would have
    counts: tuple[str, ...]  # what was counted for that

    @property
    def fired(self) -> bool:
        return self.held and self.lucky


def trace(rules: Sequence[BoundRule], view: View, coin: Coin) -> list[Tried]:
    """Every rule tried, down to the first that fired, with what each of its tests measured."""
    tried = []
    for rule in rules:
        condition = rule.condition
        held = condition is None or holds(condition, view)
        lucky = rule.chance is None or coin(rule)
        measures = tuple(_measures(condition, view)) if condition else ()
        missing = _missing(condition, view) if condition else 0
        counts = tuple(dict.fromkeys(_counts(rule.priority, view)))
        tried.append(Tried(rule, held, lucky, measures, missing, value(rule.priority, view), counts))
        if tried[-1].fired:
            break
    return tried


def nearest_miss(tried: Sequence[Tried]) -> Tried | None:
    """Of the rules that did not hold, the one that came nearest; the earliest of equals."""
    missed = [attempt for attempt in tried if not attempt.held]
    return min(missed, key=lambda attempt: attempt.missing) if missed else None


def _measures(node: Expression, view: View) -> Iterator[Measure]:
    """The tests of a condition, from left to right."""
    match node:
        case Logic(_, left, right):
            yield from _measures(left, view)
            yield from _measures(right, view)
        case Not(inner):
            yield from _measures(inner, view)
        case CellTest(place, _, _, text):
            seen = view.mark(place) or "off the board"
            yield Measure(format_expression(node), f"{text}={seen}", holds(node, view), _missing(node, view))
        case Comparison(_, left, right):
            sides = [side for side in (left, right) if not isinstance(side, Number)]
            measured = ", ".join(f"{format_expression(side)}={value(side, view)}" for side in sides)
            yield Measure(format_expression(node), measured, holds(node, view), _missing(node, view))


def _counts(node: Expression, view: View) -> Iterator[str]:
    """What a number is made of."""
    match node:
        case Arithmetic(_, left, right):
            yield from _counts(left, view)
            yield from _counts(right, view)
        case Negative(inner):
            yield from _counts(inner, view)
        case Counted() | Tally() | Name():
            yield f"{format_expression(node)}={value(node, view)}"


def _missing(node: Expression, view: View) -> int:
    """How much would have to change for a condition to hold: counts by their distance, a cell by one."""
    if holds(node, view):
        return 0
    match node:
        case Logic("and", left, right):
            return _missing(left, view) + _missing(right, view)
        case Logic(_, left, right):
            return min(_missing(left, view), _missing(right, view))
        case Comparison(sign, left, right):
            gap = abs(value(left, view) - value(right, view))
            return gap + (sign in ("<", ">")) if sign != "!=" else 1
    return 1
