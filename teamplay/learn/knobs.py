"""The parts of a table that tuning may turn: numbers, and on request the order of rules and their tests."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from teamplay.language.tree import Comparison, Logic, Node, Number, Rule, Table

Path = tuple[str | int, ...]  # how a number is reached from the table: fields and places

STEPS = (0.5, 0.8, 1.25, 2.0)  # what a number may become in one step, beside one more and one less


def numbers(table: Table) -> list[Path]:
    """Where every number of the rules and of named numbers stands, but those that name a place or repeat a mark."""
    rules = [("sections", s, *path) for s, section in enumerate(table.sections) for path in _numbers(section)]
    named = [("lets", i, "meaning", *path) for i, let in enumerate(table.lets) for path in _numbers(let.meaning)]
    return named + rules


def _numbers(node: Any) -> Iterator[Path]:
    if isinstance(node, Number):
        yield ()
    elif isinstance(node, tuple):
        for i, each in enumerate(node):
            yield from ((i, *path) for path in _numbers(each))
    elif is_dataclass(node) and type(node).__name__ not in ("Place", "Pattern", "Piece", "Span"):
        for part in fields(node):
            yield from ((part.name, *path) for path in _numbers(getattr(node, part.name)))


def value_at(node: Any, path: Path) -> int:
    """The number at a path."""
    for step in path:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    assert isinstance(node, Number)
    return node.value


def with_value(node: Any, path: Path, value: int) -> Any:
    """The same with another number at a path."""
    if not path:
        return Number(value)
    step, *rest = path
    if isinstance(step, int):
        return (*node[:step], with_value(node[step], tuple(rest), value), *node[step + 1 :])
    return replace(node, **{step: with_value(getattr(node, step), tuple(rest), value)})


def turned(table: Table, path: Path) -> list[Table]:
    """The tables that differ in one number."""
    now = value_at(table, path)
    others = {round(now * step) for step in STEPS} | {now - 1, now + 1}
    return [with_value(table, path, other) for other in sorted(others - {now}) if other >= 0]


def rearranged(table: Table) -> list[Table]:
    """The tables with two neighbouring rules swapped, or one test of a conjunction left out."""
    found = []
    for s, section in enumerate(table.sections):
        for r in range(len(section.rules) - 1):
            rules = list(section.rules)
            rules[r], rules[r + 1] = rules[r + 1], rules[r]
            found.append(_with_rules(table, s, rules))
        for r, rule in enumerate(section.rules):
            for less in _less(rule):
                found.append(_with_rules(table, s, [*section.rules[:r], less, *section.rules[r + 1 :]]))
    return found


def _with_rules(table: Table, s: int, rules: list[Rule]) -> Table:
    section = replace(table.sections[s], rules=tuple(rules))
    return replace(table, sections=(*table.sections[:s], section, *table.sections[s + 1 :]))


def _less(rule: Rule) -> Iterator[Rule]:
    if isinstance(rule.condition, Logic) and rule.condition.word == "and":
        for part in (rule.condition.left, rule.condition.right):
            if isinstance(part, Comparison | Logic | Node):
                yield replace(rule, condition=part)
