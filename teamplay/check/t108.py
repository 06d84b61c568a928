"""T108: one priority for different things in different roles."""

from collections.abc import Iterator

from teamplay.check.findings import Finding
from teamplay.check.inspection import Inspection
from teamplay.language.expressions import Constant
from teamplay.language.rulebook import BoundRule

TITLE = "one priority for different things in different roles"


def findings(inspection: Inspection) -> Iterator[Finding]:
    """A fixed priority that rules of different headings return under different names and conditions."""
    by_number: dict[int, list[BoundRule]] = {}
    for rule in inspection.rules:
        if isinstance(rule.priority, Constant):
            by_number.setdefault(rule.priority.value, []).append(rule)
    for number, rules in by_number.items():
        clash = next(((one, other) for one in rules for other in rules if _different(one, other)), None)
        if clash is None:
            continue
        other = clash[1]
        said = [f"line {rule.span.line}: `{rule.name}` under `{rule.role}`" for rule in rules]
        message = f"priority {number} means different things in different roles"
        help = "give each its own number, or all the same label if they mean the same"
        notes = ("\n".join(said),)
        yield Finding("T108", other.span, message, "", help, notes=notes)


def _different(one: BoundRule, other: BoundRule) -> bool:
    """Whether two rules stand under different headings and mean different things, the second below the first."""
    same = one.condition == other.condition or (one.label and one.label == other.label)
    return one.role != other.role and not same and one.span.line < other.span.line
