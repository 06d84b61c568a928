"""What a finding of `check` holds besides a diagnostic, and how edits are applied."""

from dataclasses import dataclass

from teamplay.language.diagnostics import Diagnostic, Edit, Span


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


def with_edits(text: str, edits: tuple[Edit, ...]) -> str:
    """A text after some edits that do not overlap.

    >>> with_edits("return 1 with chance 100%", (Edit(1, 9, 1, 26, ""),))
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
