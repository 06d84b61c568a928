"""The edits of a model in words, and the table that they make."""

from dataclasses import replace

from teamplay.language import Source
from teamplay.language.formatter import format_rule
from teamplay.language.parser import parse_table
from teamplay.language.tree import Comparison, Expression, Logic, Number, Rule, Section, Table
from teamplay.learn.editing import Edits, Gap
from teamplay.learn.edits import Leaf, changed_number, with_base, with_leaves


def edited_table(edits: Edits) -> tuple[Table, list[str]]:
    """The edited table, and the edits in words."""
    said: list[str] = []
    sections = []
    for number, section in enumerate(edits.table.sections):
        rules: list[Rule] = []
        gaps = {gap.place: gap for gap in edits.gaps if gap.section == number}
        numbers = [i for i, part in enumerate(edits.parts) if part.section == number]
        for place in range(len(numbers) + 1):
            rules += _in_gap(edits, gaps[place], section, said)
            if place < len(numbers):
                rules += _kept(edits, numbers[place], section, said)
        sections.append(replace(section, rules=tuple(rules)))
    return replace(edits.table, sections=tuple(sections)), said


def _in_gap(edits: Edits, gap: Gap, section: Section, said: list[str]) -> list[Rule]:
    holds, found = edits.formula.holds, []
    heading = ", ".join(section.roles)
    if holds(gap.used):
        tests = [test for test, literal in zip(edits.template.tests, gap.tests, strict=True) if holds(literal)]
        base = edits.low + sum(not holds(literal) for literal in gap.upto.values())
        letters = [mark for mark, literal in zip(edits.work.game.marks, gap.plays, strict=False) if holds(literal)]
        condition = f"if {' and '.join(test.text for test in tests)} then " if tests else ""
        letters_played = f" play {' or '.join(letters)}" if letters else ""
        text = f"{condition}return {base}{letters_played}"
        rule = parse_table(Source("new", text)).sections[0].rules[0]
        found.append(rule)
        said.append(f"insert `{format_rule(rule)}` in {heading}")
    for i, literal in gap.moves.items():
        if holds(literal):
            rule = edits.parts[i].rule
            found.append(with_base(rule, _base(edits, i)) if _renumbered(edits, i) else rule)
            said.append(f"move `{format_rule(edits.parts[i].rule)}` in {heading} to place {gap.place + 1}")
    return found


def _base(edits: Edits, i: int) -> int:
    return edits.low + sum(not edits.formula.holds(literal) for literal in edits.rules[i].upto.values())


def _renumbered(edits: Edits, i: int) -> bool:
    base = edits.parts[i].base
    return base is not None and _base(edits, i) != base


def _kept(edits: Edits, i: int, section: Section, said: list[str]) -> list[Rule]:
    """A rule as it is edited, if it stays."""
    part, rule, holds = edits.parts[i], edits.rules[i], edits.formula.holds
    name = f"{', '.join(section.roles)} {part.rule.label or part.place + 1}"
    if holds(rule.moved):
        return []
    if holds(rule.gone):
        said.append(f"delete {name}: `{format_rule(part.rule)}`")
        return []
    changes: dict[int, Expression | None] = {}
    for place, leaf in enumerate(part.leaves):
        written = f"{leaf.word} {leaf.sign} {format_number(leaf)}"
        if holds(rule.dropped[place]):
            changes[place] = None
            said.append(f"{name}: drop `{written}`")
        for number, literal in rule.changed[place].items():
            if holds(literal):
                new = changed_number(leaf, number, edits.work.game)
                changes[place] = new
                said.append(f"{name}: compare with {_other(leaf, new)} in `{written}`")
    condition = with_leaves(part.rule.condition, changes, []) if changes else part.rule.condition
    made = replace(part.rule, condition=condition)
    for test, literal in zip(edits.template.tests, rule.added, strict=True):
        if holds(literal):
            made = replace(made, condition=_and(made.condition, test.text))
            said.append(f"{name}: add `{test.text}`")
    if _renumbered(edits, i):
        made = with_base(made, _base(edits, i))
        said.append(f"{name}: return {_base(edits, i)} instead of {part.base}")
    return [made]


def format_number(leaf: Leaf) -> str:
    """What a comparison compares with, as it is written."""
    shown = leaf.node.left if isinstance(leaf.node.left, Number) else leaf.node.right
    return str(shown.value) if isinstance(shown, Number) else getattr(shown, "text", str(leaf.number))


def _other(leaf: Leaf, new: Comparison) -> str:
    return format_number(replace(leaf, node=new))


def _and(condition: Expression | None, test: str) -> Expression:
    added = parse_table(Source("test", f"if {test} then return 1")).sections[0].rules[0].condition
    assert added
    return added if condition is None else Logic("and", condition, added)
