"""T105: cells that two headings answer for."""

from collections.abc import Iterator

from teamplay.check.findings import Finding
from teamplay.check.inspection import Inspection
from teamplay.show.words import listed

TITLE = "cells that two headings answer for"
DEAD = True


def findings(inspection: Inspection) -> Iterator[Finding]:
    """Headings whose rules some or all of their agents never read, for others always answer before."""
    for section in inspection.table.sections:
        kinds = inspection.fates.unheard.get(", ".join(section.roles), [])
        deaf = [(outlook, last) for outlook, last in kinds if last is not None]
        if not deaf:
            continue
        roles = inspection.named(outlook for outlook, _ in deaf)
        names = sorted({f"`{last.role}` (line {last.span.line})" for _, last in deaf if last})
        all_ = len(deaf) == len(kinds)
        message = f"{roles} never read this heading: {listed(names, 4)} always answers before"
        help = "move the heading up, or take it out" if all_ else "nothing, if that is what you mean"
        severity = "warning" if all_ else "note"
        about = section.span
        yield Finding("T105", about, message, "", help, severity, basis=inspection.views, about=about)
