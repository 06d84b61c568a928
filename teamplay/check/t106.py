"""T106: no default: an agent may fall silent."""

from collections.abc import Iterator

import numpy as np

from teamplay.check.findings import Finding
from teamplay.check.inspection import Inspection
from teamplay.check.outlook import Outlook
from teamplay.language.diagnostics import Edit
from teamplay.language.tree import Section
from teamplay.show.words import cell_name

TITLE = "no default: an agent may fall silent"


def findings(inspection: Inspection) -> Iterator[Finding]:
    """Headings under which an agent may have no rule that holds, each once."""
    grid = inspection.fates.book.game.grid
    by_heading: dict[Section, list[tuple[Outlook, str]]] = {}
    for silence in inspection.fates.silences:
        section = inspection.section(silence.outlook.rules[-1])
        by_heading.setdefault(section, []).append((silence.outlook, silence.board))
    for section, found in by_heading.items():
        outlook, board = min(found, key=lambda one: len(one[1]) - one[1].count("."))
        legal = inspection.fates.legal is not None
        some = inspection.fates.unsure and not legal
        basis = f"some views of the agents on {inspection.fates.book.game}" if some else inspection.asked
        drawn = inspection.fates.book.game.format_board(board)
        shown = f"on {drawn} the agent on {cell_name(grid, outlook.cell)} has no rule that holds"
        notes = (shown if legal else f"{shown}; whether play leads there was not looked at",)
        number, line = _last_resort(inspection), section.rules[-1].span.line
        end = len(inspection.source.text.split("\n")[line - 1]) + 1
        fix = (Edit(line, end, line, end, f"\n    return {number}"),)
        message = f"no default: {inspection.named([one for one, _ in found])} may fall silent"
        help = f"end with a rule without a condition, such as `return {number}`"
        yield Finding("T106", section.span, message, "", help, notes=notes, fix=fix, exact=legal, basis=basis)


def _last_resort(inspection: Inspection) -> int:
    """A priority behind all others."""
    most = 0
    for rule in inspection.rules:
        for outlook in inspection.fates.readers(rule):
            values = outlook.rows([rule.condition, rule.priority]).value(rule.priority)
            most = max(most, int(np.max(values, initial=0)))
    return most + 1
