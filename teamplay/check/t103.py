"""T103: a rule that fires in no legal position."""

from collections.abc import Iterator

from teamplay.check.fates import NO, YES
from teamplay.check.findings import Finding, deletion
from teamplay.check.inspection import Inspection

TITLE = "a rule that fires in no legal position"
DEAD = True


def findings(inspection: Inspection) -> Iterator[Finding]:
    for rule, fate in inspection.holding_rules:
        if fate.fires == YES and fate.plays == NO:
            message, label = "this rule fires in no legal position", "it holds only where its agent is never asked"
            fix = deletion(inspection.source.text, rule.span)
            help, basis = "take it out, or ask for less", inspection.asked
            yield Finding("T103", rule.span, message, label, help, fix=fix, basis=basis, about=rule.span)
