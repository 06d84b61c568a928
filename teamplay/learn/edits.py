"""A table as it stands, with everything in it that an edit could change: the parts that a repair chooses from."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.language.formatter import format_expression, format_let, format_sight
from teamplay.language.places import is_place
from teamplay.language.tree import Arithmetic, Comparison, Expression, Logic, Name, Not, Number, Rule, Section, Table
from teamplay.learn.template import RuleTest

ZERO = Number(0)


@dataclass(frozen=True)
class Leaf:
    """A comparison in a condition: a word of the vocabulary, a sign, and what it is compared with."""

    node: Comparison
    word: str
    sign: str
    number: int
    editable: bool  # is one side a number or a mark that could be another?


@dataclass(frozen=True)
class Part:
    """A rule of the table, taken apart."""

    section: int
    place: int  # in the section
    rule: Rule
    leaves: tuple[Leaf, ...]
    base: int | None  # the constant of its priority, if it has one
    rest: str  # the word that is added to the constant, or nothing


MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


def parts_of(table: Table, game: Game) -> list[Part]:
    """All rules of a table, taken apart."""
    found = []
    for number, section in enumerate(table.sections):
        for place, rule in enumerate(section.rules):
            if rule.chance not in (None, 100):
                raise BadSpec("A table with chance can't be repaired: what it does is not one thing.")
            base, rest = _priority(rule.priority)
            leaves = tuple(_leaf(node, game) for node in comparisons(rule.condition))
            found.append(Part(number, place, rule, leaves, base, rest))
    return found


def comparisons(node: Expression | None) -> Iterator[Comparison]:
    """The comparisons of a condition, from left to right."""
    match node:
        case Comparison():
            yield node
        case Logic(_, left, right):
            yield from comparisons(left)
            yield from comparisons(right)
        case Not(inner):
            yield from comparisons(inner)


def _leaf(node: Comparison, game: Game) -> Leaf:
    left, sign, right = node.left, node.sign, node.right
    if isinstance(left, Number) or is_place(right):
        left, sign, right = right, MIRRORED[sign], left
    word = format_expression(left)
    if is_place(left) and isinstance(right, Name):
        return Leaf(node, word, sign, ("b", *game.visible_marks[:-1]).index(right.text), True)
    if isinstance(right, Number):
        return Leaf(node, word, sign, right.value, True)
    return Leaf(node, f"{word} - ({format_expression(right)})", sign, 0, False)


def _priority(node: Expression) -> tuple[int | None, str]:
    """A priority as a constant and what is added to it."""
    match node:
        case Number(value):
            return value, ""
        case Arithmetic("-" | "+" as sign, Number(value), rest):
            return value, f"0 {sign} {format_expression(rest, 6)}"
    return None, format_expression(node)


def words_of(parts: list[Part]) -> list[str]:
    """All that the table measures, each once."""
    words = [leaf.word for part in parts for leaf in part.leaves] + [part.rest for part in parts if part.rest]
    return list(dict.fromkeys(words))


def head_of(table: Table) -> tuple[str, tuple[str, ...]]:
    """The `sight` line and the `let` lines of a table."""
    return format_sight(table.sight) if table.sight else "", tuple(map(format_let, table.lets))


def with_base(rule: Rule, base: int) -> Rule:
    """A rule with another constant in its priority."""
    match rule.priority:
        case Number():
            return replace(rule, priority=Number(base))
        case Arithmetic():
            return replace(rule, priority=replace(rule.priority, left=Number(base)))
    raise TypeError("only a constant can be changed")


def with_leaves(node: Expression | None, changes: dict[int, Expression | None], seen: list[int]) -> Expression | None:
    """A condition with some of its comparisons changed or, where a change is None, dropped."""
    match node:
        case Comparison():
            seen.append(len(seen))
            return changes.get(seen[-1], node)
        case Logic(_, left, right):
            one, other = with_leaves(left, changes, seen), with_leaves(right, changes, seen)
            if one is None or other is None:
                return one or other
            return replace(node, left=one, right=other)
        case Not(inner):
            kept = with_leaves(inner, changes, seen)
            return None if kept is None else replace(node, inner=kept)
    return node


def changed_number(leaf: Leaf, number: int, game: Game) -> Comparison:
    """A comparison with another number or mark."""
    node = leaf.node
    value: Expression = Number(number)
    if is_place(node.left) or is_place(node.right):
        value = Name(("b", *game.visible_marks[:-1])[number])
    on_left = isinstance(node.left, Number) or is_place(node.right)
    return replace(node, left=value) if on_left else replace(node, right=value)


def test_of(leaf: Leaf, words: list[str], number: int | None = None) -> RuleTest:
    """A comparison as a test on a class."""
    value = leaf.number if number is None else number
    return RuleTest(f"{leaf.word} {leaf.sign} {value}", 1, words.index(leaf.word), leaf.sign, value)


def roles_of(section: Section, table: Table, roles: list[str]) -> set[str]:
    """The roles of the board that a section speaks to."""
    named = {role for each in table.sections for role in each.roles}
    meaning = {"everyone": set(roles), "others": set(roles) - named}
    return set().union(*(meaning.get(role, {role}) for role in section.roles)) & set(roles)
