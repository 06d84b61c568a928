"""T109: a tie that changes the result."""

from collections.abc import Iterator

from teamplay.check.findings import Finding
from teamplay.check.inspection import Inspection
from teamplay.check.ties import Tie, Ties
from teamplay.game import SEATS
from teamplay.show.words import listed, move_name

TITLE = "a tie that changes the result"
WORDS = {1: "wins", 0: "draws", -1: "loses"}
PLURAL = {1: "win", 0: "draw", -1: "lose"}


def findings(inspection: Inspection) -> Iterator[Finding]:
    if inspection.ties:
        yield from (_finding(inspection, tie, inspection.ties) for tie in inspection.ties.found)


def _finding(inspection: Inspection, tie: Tie, judged: Ties) -> Finding:
    book = inspection.fates.book
    game, position = book.game, tie.position
    best, worst = max(value for _, value in tie.values), min(value for _, value in tie.values)
    board = game.drawn(position)
    kinds = []
    for worth in sorted({value for _, value in tie.values}, reverse=True):
        names = [move_name(game, move) for move, value in tie.values if value == worth]
        kinds.append(f"{listed(names, 4)} {WORDS[worth] if len(names) == 1 else PLURAL[worth]}")
    seat = SEATS[position.seat]
    notes = (f"on {board}, moving {seat}, these tie: {'; '.join(kinds)}",)
    message = f"a tie that changes the result: one choice {WORDS[best]}, another {WORDS[worst]}"
    if tie.rule:
        span, label = tie.rule.span, "the worst of the tied cells answers by this"
    else:
        silent = next(move.cell for move, value in tie.values if value == worst)
        rules = book.rules(silent)
        heading = inspection.section(rules[-1]) if rules else inspection.table.sections[-1]
        span, label = heading.span, "the worst of the tied cells is silent"
    help = "tell the cells apart by another condition, or give the better one a smaller number"
    return Finding("T109", span, message, label, help, notes=notes, exact=judged.exact, basis=judged.basis)
