"""T102: a rule that earlier rules always come before."""

from collections.abc import Iterator

from teamplay.check.fates import NO
from teamplay.check.findings import Finding, deletion
from teamplay.check.inspection import Inspection
from teamplay.show.words import listed

TITLE = "a rule that earlier rules always come before"
DEAD = True


def findings(inspection: Inspection) -> Iterator[Finding]:
    for rule, fate in inspection.holding_rules:
        if fate.fires != NO:
            continue
        above = sorted(fate.above.values(), key=lambda other: other.span.line)
        names = listed([f"`{other.name}` (line {other.span.line})" for other in above], 6)
        many = len(above) > 1
        message = f"{names} always {'answer' if many else 'answers'} before this rule"
        label = f"wherever it holds, {'one of them' if many else 'that'} holds too"
        fix = deletion(inspection.source.text, rule.span)
        help, basis = "move it up, or take it out", inspection.views
        yield Finding("T102", rule.span, message, label, help, fix=fix, basis=basis, about=rule.span)
