"""T111: an allow that silences nothing."""

from collections.abc import Collection

from teamplay.check.findings import Finding
from teamplay.errors import did_you_mean
from teamplay.language.allows import Allow
from teamplay.language.diagnostics import Edit

TITLE = "an allow that silences nothing"


def unknown(allow: Allow, codes: Collection[str]) -> Finding:
    """An allow of a code that there is not, or that can't be allowed."""
    message = f"`{allow.code[:40]}` is not a code that can be allowed"
    help = f"the codes are {min(codes)} to {max(codes)}.{did_you_mean(allow.code, codes)}"
    return Finding("T111", allow.span, message, "", help)


def unused(allow: Allow, text: str) -> Finding:
    """An allow of what is not found."""
    line = text.split("\n")[allow.span.line - 1]
    before = line[: allow.span.column - 1].rstrip()
    end = Edit(allow.span.line, len(before) + 1, allow.span.line, len(line) + 1, "")
    whole = Edit(allow.span.line, 1, allow.span.line + 1, 1, "")
    message = f"{allow.code} is not found in line {allow.line}, so there is nothing to allow"
    return Finding("T111", allow.span, message, "", "take it out", fix=(end if before else whole,))
