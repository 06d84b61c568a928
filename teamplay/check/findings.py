"""What `check` can find in a table that is not wrong: the codes, and what a finding holds besides a diagnostic."""

from dataclasses import dataclass

from teamplay.language.diagnostics import Diagnostic, Edit, Span

CODES = {
    "T101": "a condition, or a part of one, that is never true",
    "T102": "a rule that earlier rules always come before",
    "T103": "a rule that fires in no legal position",
    "T104": "cells that no rule speaks to",
    "T105": "cells that two headings answer for",
    "T106": "no default: an agent may fall silent",
    "T107": "a rule that answers as the rules below it would",
    "T108": "one priority for different things in different roles",
    "T109": "a tie that changes the result",
    "T110": "a chance of 0 or 100 %",
    "T111": "an allow that silences nothing",
    "T112": "an allow without a reason",
}
DEAD = ("T101", "T102", "T103", "T105", "T107")  # of a table for several games these count only if they hold in all


@dataclass(frozen=True)
class Finding(Diagnostic):
    """A diagnostic of `check`, with what it rests on."""

    severity: str = "warning"
    exact: bool = True  # was everything looked at that there is?
    basis: str = ""  # what was looked at, if more than the text
    about: Span | None = None  # the rule or part that is dead, whatever the code


def deletion(text: str, span: Span) -> tuple[Edit, ...]:
    """The edit that takes a rule out: with its line, if nothing else stands there."""
    line = text.split("\n")[span.line - 1]
    before, after = line[: span.column - 1], line[span.end - 1 :]
    if not before.strip() and not after.strip():
        return (Edit(span.line, 1, span.line + 1, 1, ""),)
    return (Edit(span.line, len(before.rstrip()) + 1, span.line, span.end, ""),)


def mended(text: str, edits: tuple[Edit, ...]) -> str:
    """A text after some edits that do not overlap.

    >>> mended("return 1 with chance 100%", (Edit(1, 9, 1, 26, ""),))
    'return 1'
    """
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for edit in sorted(edits, key=lambda edit: (edit.line, edit.column), reverse=True):
        start = starts[edit.line - 1] + edit.column - 1
        end = starts[edit.end_line - 1] + edit.end - 1
        text = f"{text[:start]}{edit.text}{text[end:]}"
    return text
