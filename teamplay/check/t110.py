"""T110: a chance of 0 or 100 %."""

import re
from collections.abc import Iterator

from teamplay.check.findings import Finding, deletion
from teamplay.check.inspection import Inspection
from teamplay.language.diagnostics import Edit

TITLE = "a chance of 0 or 100 %"


def findings(inspection: Inspection) -> Iterator[Finding]:
    """Coins that always fall the same way."""
    text = inspection.source.text
    for rule in inspection.rules:
        if rule.chance not in (0, 100):
            continue
        never = rule.chance == 0
        message = f"a chance of {rule.chance} %: this rule {'never' if never else 'always'} has its way"
        help = "take the rule out" if never else "take the chance out"
        match = re.search(r"\s*\bwith\s+chance\s+0*100\s*%", inspection.spanned(rule.span))
        line, column = rule.span.line, rule.span.column
        certain = (Edit(line, column + match.start(), line, column + match.end(), ""),) if match else ()
        fix = deletion(text, rule.span) if never else certain
        yield Finding("T110", rule.span, message, "", help, fix=fix)
