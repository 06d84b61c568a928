"""Step 4 of the paper's agent: consult the function T. What holds, what it returns, and what was measured."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from teamplay.language.expressions import (
    Binary,
    BoundExpression,
    Constant,
    Reading,
    Unary,
    format_bound,
    readings,
    settled,
    terms,
    tests,
    unnamed,
    value,
)
from teamplay.language.features import is_mark
from teamplay.language.rulebook import BoundRule
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


def holds(condition: BoundExpression, view: View) -> bool:
    """Whether a condition is true in a view."""
    return bool(value(condition, view))


def priority(rule: BoundRule, view: View) -> int:
    """The number that a rule returns in a view."""
    return int(value(rule.priority, view))


@dataclass(frozen=True)
class Measure:
    """One test inside a condition: its text, what was measured, whether it held, and how far it was from holding."""

    text: str
    measured: str
    held: bool
    missing: int
    sides: int  # how many of its two sides had to be measured


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

    @property
    def possible(self) -> bool:
        """Whether the condition holds in some view: `k <= 4` never does on a board with k=5."""
        return self.rule.condition is None or settled(self.rule.condition) is not False


def trace(rules: Sequence[BoundRule], view: View, coin: Coin) -> list[Tried]:
    """Every rule tried, down to the first that fired, with what each of its tests measured."""
    tried = []
    for rule in rules:
        condition = rule.condition
        held = condition is None or holds(condition, view)
        lucky = rule.chance is None or coin(rule)
        measures = tuple(_measure(test, view) for test in tests(condition))
        missing = _missing(condition, view) if condition else 0
        counts = tuple(dict.fromkeys(_measured(term, view) for term in terms(rule.priority)))
        tried.append(Tried(rule, held, lucky, measures, missing, priority(rule, view), counts))
        if tried[-1].fired:
            break
    return tried


def nearest_miss(tried: Sequence[Tried]) -> Tried | None:
    """Of the rules that might hold and did not, the one that came nearest; among ties the earliest."""
    missed = [attempt for attempt in tried if attempt.possible and not attempt.held]
    return min(missed, key=lambda attempt: attempt.missing) if missed else None


def _measure(test: Binary, view: View) -> Measure:
    """One comparison, and what was measured for it."""
    sides = [side for side in (test.left, test.right) if not isinstance(side, Constant)]
    measured = ", ".join(_measured(side, view) for side in sides)
    return Measure(format_bound(test), measured, holds(test, view), _missing(test, view), len(sides))


def _measured(node: BoundExpression, view: View) -> str:
    """`n(xx)=1`, `center=x`; behind a name what its parts came to: `weight=4 (n(xb)=2)`."""
    found = view.shown(node.feature) if isinstance(node, Reading) else value(node, view)
    inside = terms(unnamed(node)) if node.name else (term for term in terms(node) if term.name)
    parts = ", ".join(dict.fromkeys(_measured(part, view) for part in inside))
    return f"{format_bound(node)}={found}{f' ({parts})' if parts else ''}"


def _missing(node: BoundExpression, view: View) -> int:
    """How much would have to change for a condition to hold: counts by their distance, a mark by one."""
    if holds(node, view):
        return 0
    match node:
        case Binary("and", left, right):
            return _missing(left, view) + _missing(right, view)
        case Binary("or", left, right):
            return min(_missing(left, view), _missing(right, view))
        case Binary("!=") | Unary():
            return 1
        case Binary(sign, left, right):
            if any(is_mark(view.features[reading.feature]) for reading in readings(node)):
                return 1
            return abs(int(value(left, view) - value(right, view))) + (sign in ("<", ">"))
        case Constant() | Reading():
            raise TypeError(f"{node} is not a condition")  # the checker lets none through
    assert_never(node)
