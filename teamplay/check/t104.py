"""T104: cells that no rule speaks to."""

from collections.abc import Iterator

from teamplay.check.findings import Finding
from teamplay.check.inspection import Inspection
from teamplay.game import BLANK
from teamplay.language.diagnostics import Edit
from teamplay.show.words import listed

TITLE = "cells that no rule speaks to"


def findings(inspection: Inspection) -> Iterator[Finding]:
    """Cells that can be played and have no rule at all."""
    fates = inspection.fates
    game = fates.book.game
    bare = [one for kinds in fates.by_kind.values() for one in kinds if not one.rules]
    bare = [one for one in bare if game.beginning[one.cell] == BLANK]
    if not bare:
        return
    roles = list(dict.fromkeys(game.grid.role(one.cell) for one in bare))
    cells = listed([str(one.cell + 1) for one in sorted(bare, key=lambda one: one.cell)])
    message = f"no rule speaks to {listed([f'`{role}`' for role in roles])}: {cells} never answer"
    sections = inspection.table.sections
    empty = next((one for one in sections if {"others", *roles} & set(one.roles)), None)  # it has no rule
    help = "give it a rule" if empty else f"add `{roles[0]}:`, `others:` or `everyone:` with a rule"
    lines = inspection.source.text.split("\n")
    end = len(lines), len(lines[-1]) + 1
    fix = () if empty else (Edit(*end, *end, "\nothers:\n    return 1000000\n"),)
    span, label = (empty.span, "a heading without a rule") if empty else (sections[-1].span, "the last heading")
    yield Finding("T104", span, message, label, help, fix=fix, basis=f"every cell of {game}")
