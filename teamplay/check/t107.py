"""T107: a rule that answers as the rules below it would."""

from collections.abc import Iterator

from teamplay.check.fates import NO, YES
from teamplay.check.findings import Finding, deletion
from teamplay.check.inspection import Inspection

TITLE = "a rule that answers as the rules below it would"
DEAD = True


def findings(inspection: Inspection) -> Iterator[Finding]:
    for rule, fate in inspection.holding_rules:
        if fate.fires == YES and fate.plays == YES and fate.matters == NO:
            message = "without this rule, the rules below it would answer the same"
            fix = deletion(inspection.source.text, rule.span)
            help, basis = "take it out, or let it answer something else", inspection.asked
            yield Finding("T107", rule.span, message, "", help, fix=fix, basis=basis, about=rule.span)
