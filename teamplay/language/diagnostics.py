"""What is wrong with a table, where, and what would be right: one value for every way of showing it."""

from collections.abc import Sequence
from dataclasses import dataclass

from teamplay.errors import TeamplayError

CODES = {
    "T001": "this line is not in the language",
    "T002": "a character that looks like another, or has no place here",
    "T003": "too much: too long, too deep, too many",
    "T004": "an unknown word",
    "T005": "an unknown role, or one that this board does not have",
    "T006": "an unknown mark",
    "T007": "a pattern that fits no line of this game",
    "T008": "a cell that is not on the board or not in sight",
    "T009": "a table for another game",
    "T010": "a number where a condition belongs, or the other way round",
    "T011": "letters in a game without letters",
    "T012": "said twice",
    "T013": "a number out of range",
    "T014": "a part that is missing",
    "T015": "a name that stands for itself",
}
MOST_SHOWN = 20


@dataclass(frozen=True)
class Span:
    """A stretch of one line; lines and columns count from 1, `end` is the column after the last."""

    line: int
    column: int
    end: int


NOWHERE = Span(1, 1, 1)


@dataclass(frozen=True)
class Edit:
    """A mend: put `text` in the place of a stretch, which may reach over several lines; ends as in a span."""

    line: int
    column: int
    end_line: int
    end: int
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """One finding: its code, the stretch it blames, what is wrong, what the stretch means, and the way out."""

    code: str
    span: Span
    message: str
    label: str = ""
    help: str = ""
    severity: str = "error"  # or warning, or note
    notes: tuple[str, ...] = ()  # what else there is to know; a drawing has several lines
    fix: tuple[Edit, ...] = ()  # edits that mend it, where that can be done without thinking


class Fault(Exception):
    """A finding that ends the reading of its line or rule; the rest of the table goes on."""

    def __init__(self, code: str, span: Span, message: str, label: str = "", help: str = "") -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, span, message, label, help)


class TableError(TeamplayError):
    """A table that can't be used, with every reason, in the order of the file."""

    def __init__(self, path: str, text: str, diagnostics: Sequence[Diagnostic]) -> None:
        self.path, self.text = path, text
        self.diagnostics = tuple(sorted(diagnostics, key=lambda found: (found.span.line, found.span.column)))
        super().__init__(render_all(path, text, self.diagnostics))


def render_all(path: str, text: str, diagnostics: Sequence[Diagnostic]) -> str:
    """All findings, one below the other."""
    lines = text.split("\n")
    shown = [render(path, lines, found) for found in diagnostics[:MOST_SHOWN]]
    count = f"{len(diagnostics)} errors" if len(diagnostics) != 1 else "1 error"
    more = f", the first {MOST_SHOWN} shown" if len(diagnostics) > MOST_SHOWN else ""
    return "\n\n".join([*shown, f"{path}: {count}{more}."])


def render(path: str, lines: Sequence[str], found: Diagnostic) -> str:
    """One finding with the line it blames and a caret below.

    >>> print(render("a.team", ["retrun 1"], Diagnostic("T001", Span(1, 1, 7), "a rule is expected", "here")))
    error[T001]: a rule is expected
      --> a.team:1:1
    1 | retrun 1
      | ^^^^^^ here
    """
    span = found.span
    number = str(span.line)
    gutter = " " * len(number)
    source = lines[span.line - 1] if span.line <= len(lines) else ""
    # Long lines are shown around the blamed stretch; one column a character, tabs included.
    first = max(0, span.column - 60) if len(source) > 110 else 0
    source = "".join(char if char.isprintable() else " " for char in source[first : first + 110])
    carets = "^" * max(1, min(span.end, first + 111) - span.column)
    shown = [
        f"{found.severity}[{found.code}]: {found.message}",
        f"{gutter} --> {path}:{span.line}:{span.column}",
        f"{number} | {source}".rstrip(),
        f"{gutter} | {' ' * (span.column - 1 - first)}{carets} {found.label}".rstrip(),
    ]
    margin = f"\n{gutter}   "  # below the first line of a note
    shown += [f"{gutter} = {note.replace(chr(10), margin)}" for note in found.notes]
    if found.help:
        shown.append(f"{gutter} = help: {found.help}")
    return "\n".join(shown)
