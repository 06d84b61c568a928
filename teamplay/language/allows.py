"""`# allow CODE: reason`: what an author has seen and means to keep. Which line does such a comment speak of?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from teamplay.language.diagnostics import Span

ALLOW = re.compile(r"#\s*allow\s+(?P<code>[A-Za-z]\d+\b|\w+(?=\s*:))\s*(?::\s*(?P<reason>.*))?.*")


@dataclass(frozen=True)
class Allow:
    """One such comment: what it silences, why, where it stands, and the line that it speaks of."""

    code: str
    reason: str
    span: Span
    line: int


def allows(text: str) -> Iterator[Allow]:
    """Every allow of a table. Alone on a line it speaks of the next line that is no comment."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        code, sign, comment = line.partition("#")
        match = ALLOW.fullmatch(f"#{comment}".rstrip())
        if not sign or not match:
            continue
        below = (other for other in range(number, len(lines)) if not lines[other].lstrip().startswith("#"))
        about = number if code.strip() else next(below, number - 1) + 1
        start = line.index("#") + 1
        yield Allow(match["code"], match["reason"] or "", Span(number, start, len(line.rstrip()) + 1), about)
