"""T101: a condition, or a part of one, that is never true."""

from collections.abc import Iterator

from teamplay.check.findings import Finding, deletion
from teamplay.check.inspection import Inspection
from teamplay.language.expressions import COMPARISONS, Binary, BoundExpression, Constant, format_bound, readings
from teamplay.language.features import is_mark
from teamplay.language.rulebook import BoundRule

TITLE = "a condition, or a part of one, that is never true"
DEAD = True


def findings(inspection: Inspection) -> Iterator[Finding]:
    """The smallest parts of every condition that are never true."""
    for rule in inspection.read_rules:
        for part in _false_parts(inspection, rule.condition, rule) if rule.condition is not None else ():
            blamed = _smallest(inspection, part, rule)
            whole = part is rule.condition
            message = "this is never true" if whole else "this part is never true"
            help = _possible(inspection, blamed, rule) or ("take the rule out" if whole else "take this part out")
            fix = deletion(inspection.source.text, rule.span) if whole else ()
            label, about = _range(inspection, blamed, rule), rule.span if whole else blamed.span
            yield Finding("T101", blamed.span, message, label, help, fix=fix, basis=inspection.views, about=about)


def _false_parts(inspection: Inspection, node: BoundExpression, rule: BoundRule) -> Iterator[BoundExpression]:
    """The largest parts that are never true, except what follows a `not`."""
    if inspection.fates.never(node, rule):
        yield node
    elif isinstance(node, Binary) and node.sign in ("and", "or"):
        yield from _false_parts(inspection, node.left, rule)
        yield from _false_parts(inspection, node.right, rule)


def _smallest(inspection: Inspection, node: BoundExpression, rule: BoundRule) -> BoundExpression:
    """Of a part that is never true, the smallest part that is to blame alone."""
    if isinstance(node, Binary) and node.sign == "and":
        for inner in (node.left, node.right):
            if inspection.fates.never(inner, rule):
                return _smallest(inspection, inner, rule)
    return node


def _range(inspection: Inspection, node: BoundExpression, rule: BoundRule) -> str:
    """The values that the sides of a comparison can have."""
    roles = inspection.named(inspection.fates.readers(rule))
    if not isinstance(node, Binary) or node.sign not in COMPARISONS:
        return f"for {roles} not both at once ({inspection.where})"
    if _of_marks(inspection, node):
        return f"for {roles} this can't be ({inspection.where})"
    sides = [side for side in (node.left, node.right) if not isinstance(side, Constant)]
    said = []
    for side in sides:
        least, most = _ends(inspection, side, rule)
        span = f"{least} to {most}" if least != most else f"always {least}"
        said.append(f"`{format_bound(side)}` is {span}")
    return f"for {roles} {' and '.join(said)} ({inspection.where})" if said else "these are fixed numbers"


def _of_marks(inspection: Inspection, node: BoundExpression) -> bool:
    """Whether a comparison asks for the mark of a cell."""
    return any(is_mark(inspection.fates.book.features[reading.feature]) for reading in readings(node))


def _ends(inspection: Inspection, node: BoundExpression, rule: BoundRule) -> tuple[int, int]:
    """The least and greatest value of a number, over all agents that read the rule."""
    values = [outlook.rows([node]).value(node) for outlook in inspection.fates.readers(rule)]
    return int(min(value.min() for value in values)), int(max(value.max() for value in values))


def _possible(inspection: Inspection, node: BoundExpression, rule: BoundRule) -> str:
    """The nearest comparison that can be true."""
    amounts = isinstance(node, Binary) and node.sign in (">=", ">", "=") and not _of_marks(inspection, node)
    if amounts and isinstance(node, Binary) and isinstance(node.right, Constant):
        least, most = _ends(inspection, node.left, rule)
        near = most - (node.sign == ">")
        if least <= near < node.right.value:
            return f"`{format_bound(node.left)} {node.sign} {near}` can be true; or move the rule to another role"
    return ""
