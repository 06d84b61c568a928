"""What a bound rule asks and answers: small expressions over the numbers of features, and the one way to work them out.

A condition is an expression whose values are True and False. Every part knows where it stands and how it was written,
which plays no role in comparisons.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import add, and_, eq, ge, gt, le, lt, mul, ne, or_, sub
from typing import Any, Protocol, assert_never

from teamplay.language.diagnostics import NOWHERE, Span

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "=": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "and": and_,
    "or": or_,
}
# How tightly each sign binds; a looser one inside a tighter one needs parentheses.
BINDING = {"or": 1, "and": 2, "not": 3, **dict.fromkeys(COMPARISONS, 4), "+": 5, "-": 5, "*": 6, "negative": 7}


@dataclass(frozen=True)
class Constant:
    """A number that is known once the board is: `3`, `k`, `k - 1`, or the number of a mark."""

    value: int
    text: str = field(default="", compare=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    name: str = field(default="", compare=False)  # that a `let` gave it


@dataclass(frozen=True)
class Reading:
    """What a feature comes to, by its number in the rule book."""

    feature: int
    text: str = field(compare=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    name: str = field(default="", compare=False)  # that a `let` gave it


@dataclass(frozen=True)
class Unary:
    """`-` before a number, or `not` before a condition."""

    sign: str
    inner: "BoundExpression"
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    name: str = field(default="", compare=False)  # that a `let` gave it


@dataclass(frozen=True)
class Binary:
    """Arithmetic, a comparison, or `and` and `or`."""

    sign: str
    left: "BoundExpression"
    right: "BoundExpression"
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    name: str = field(default="", compare=False)  # that a `let` gave it


BoundExpression = Constant | Reading | Unary | Binary


class Readings(Protocol):
    """What features come to, by number: a plain number each, or a column with one for each of many views."""

    def __getitem__(self, feature: int, /) -> Any: ...


def value(node: BoundExpression, readings: Readings) -> Any:
    """What an expression comes to: a number or a truth value, or a column of them where a feature is a column.

    >>> import numpy as np
    >>> test = Binary(">=", Binary("+", Reading(0, "n(xx)"), Reading(1, "n(oo)")), Constant(2))
    >>> value(test, [1, 0])
    False
    >>> value(test, [np.array([1, 2, 0]), np.array([0, 0, 2])])
    array([False,  True,  True])
    """
    match node:
        case Reading(feature):
            return readings[feature]
        case Constant(number):
            return number
        case Binary("and" | "or" as word, left, right):
            first = value(left, readings)
            if isinstance(first, bool) and first == (word == "or"):
                return first  # settled: what stands on the right need not be measured
            return OPERATORS[word](first, value(right, readings))
        case Binary(sign, left, right):
            return OPERATORS[sign](value(left, readings), value(right, readings))
        case Unary("-", inner):
            return -value(inner, readings)
        case Unary(_, inner):
            return value(inner, readings) ^ True
    assert_never(node)


def children(node: BoundExpression) -> tuple[BoundExpression, ...]:
    """The parts that an expression is made of, from left to right."""
    match node:
        case Constant() | Reading():
            return ()
        case Unary(_, inner):
            return (inner,)
        case Binary(_, left, right):
            return left, right
    assert_never(node)


def parts(node: BoundExpression | None) -> Iterator[BoundExpression]:
    """An expression and all that it is made of, from left to right."""
    if node is not None:
        yield node
        for child in children(node):
            yield from parts(child)


def readings(node: BoundExpression | None) -> Iterator[Reading]:
    """Everything that an expression measures."""
    return (part for part in parts(node) if isinstance(part, Reading))


def terms(node: BoundExpression) -> Iterator[BoundExpression]:
    """What an expression is made of, as it is written: readings, and names, which are not looked into."""
    if node.name or isinstance(node, Reading):
        yield node
    else:
        for child in children(node):
            yield from terms(child)


def unnamed(node: BoundExpression) -> BoundExpression:
    """What a name stands for."""
    return replace(node, name="")


def linear(node: BoundExpression) -> tuple[int, dict[int, int]] | None:
    """A sum of features as its constant and the factor of every feature; None for what is no such sum.

    >>> linear(Binary("-", Constant(9), Binary("*", Constant(2), Reading(0, "n(xx)"))))
    (9, {0: -2})
    """
    match node:
        case Constant(number):
            return number, {}
        case Reading(feature):
            return 0, {feature: 1}
        case Unary("-", inner):
            return _sum((0, {}), -1, linear(inner))
        case Binary("+", left, right):
            return _sum(linear(left), 1, linear(right))
        case Binary("-", left, right):
            return _sum(linear(left), -1, linear(right))
        case Binary("*", Constant(factor), inner) | Binary("*", inner, Constant(factor)):
            return _sum((0, {}), factor, linear(inner))
        case Unary() | Binary():
            return None
    assert_never(node)


def _sum(
    left: tuple[int, dict[int, int]] | None, factor: int, right: tuple[int, dict[int, int]] | None
) -> tuple[int, dict[int, int]] | None:
    """The left one plus some times the right one."""
    if left is None or right is None:
        return None
    factors = dict(left[1])
    for feature, more in right[1].items():
        factors[feature] = factors.get(feature, 0) + factor * more
    return left[0] + factor * right[0], factors


def tests(node: BoundExpression | None) -> Iterator[Binary]:
    """The comparisons in a condition, from left to right."""
    return (part for part in parts(node) if isinstance(part, Binary) and part.sign in COMPARISONS)


def settled(node: BoundExpression) -> bool | None:
    """Whether a condition holds whatever an agent sees, never holds, or depends (None)."""
    match node:
        case Unary("not", inner):
            holds = settled(inner)
            return None if holds is None else not holds
        case Binary("and" | "or" as word, left, right):
            both, enough = {settled(left), settled(right)}, word == "or"
            return enough if enough in both else None if None in both else not enough
        case Constant() | Reading() | Unary() | Binary():
            return None if any(readings(node)) else bool(value(node, ()))
    assert_never(node)


def relevant(node: BoundExpression, known: Mapping[int, int]) -> frozenset[int]:
    """The features that an expression depends on where some are known.

    >>> test = Binary("and", Binary("=", Reading(0, "row"), Constant(2)), Binary("=", Reading(1, "n(xx)"), Constant(1)))
    >>> sorted(relevant(test, {0: 2})), sorted(relevant(test, {0: 3}))
    ([1], [])
    """
    return frozenset(reading.feature for reading in readings(_folded(node, known)))


def _folded(node: BoundExpression, known: Mapping[int, int]) -> BoundExpression:
    """An expression with what is known put in, and what follows from that worked out (constant folding)."""
    match node:
        case Constant():
            return node
        case Reading(feature):
            return Constant(known[feature]) if feature in known else node
        case Unary(sign, inner):
            return _worked_out(Unary(sign, _folded(inner, known)))
        case Binary("and" | "or" as word, left, right):
            one, other = _folded(left, known), _folded(right, known)
            for this, that in ((one, other), (other, one)):
                if isinstance(this, Constant):
                    return this if bool(this.value) == (word == "or") else that
            return Binary(word, one, other)
        case Binary(sign, left, right):
            return _worked_out(Binary(sign, _folded(left, known), _folded(right, known)))
    assert_never(node)


def _worked_out(node: BoundExpression) -> BoundExpression:
    return node if any(readings(node)) else Constant(int(value(node, ())))


def format_bound(node: BoundExpression, around: int = 0) -> str:
    """An expression as a person would write it on this board, with no more parentheses than it needs.

    >>> format_bound(Binary("*", Constant(2), Binary("+", Reading(0, "n(xx)"), Constant(1))))
    '2 * (n(xx) + 1)'
    """
    if node.name:
        return node.name
    binding = 9
    match node:
        case Constant(number, text):
            text = text or str(number)
        case Reading(_, text):
            pass
        case Unary(sign, inner):
            binding = BINDING["negative" if sign == "-" else sign]
            text = f"{'-' if sign == '-' else 'not '}{format_bound(inner, binding)}"
        case Binary(sign, left, right):
            binding = BINDING[sign]
            loose = binding + 1 if sign in COMPARISONS else binding
            text = f"{format_bound(left, loose)} {sign} {format_bound(right, binding + 1)}"
        case _:
            assert_never(node)
    return f"({text})" if binding < around else text
