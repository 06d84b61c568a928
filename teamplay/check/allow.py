"""What the comments `# allow CODE: reason` silence, and what is wrong with them."""

from collections.abc import Iterable, Iterator

from teamplay.check.findings import CODES, Finding
from teamplay.errors import did_you_mean
from teamplay.language.allows import Allow, allows
from teamplay.language.diagnostics import Diagnostic, Edit


def silenced(text: str, found: Iterable[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """What is left of the findings, with what is wrong with the allows; and what was silenced."""
    known = list(allows(text))
    good = {(allow.code, allow.line) for allow in known if allow.reason}
    left: list[Diagnostic] = []
    quiet: list[Diagnostic] = []
    for one in found:
        allowed = isinstance(one, Finding) and (one.code, one.span.line) in good
        (quiet if allowed else left).append(one)
    used = {(one.code, one.span.line) for one in quiet}
    return left + [wrong for allow in known for wrong in _wrong(text, allow, used)], quiet


def _wrong(text: str, allow: Allow, used: set[tuple[str, int]]) -> Iterator[Finding]:
    line = text.split("\n")[allow.span.line - 1]
    before = line[: allow.span.column - 1].rstrip()
    end = Edit(allow.span.line, len(before) + 1, allow.span.line, len(line) + 1, "")
    whole = Edit(allow.span.line, 1, allow.span.line + 1, 1, "")
    if allow.code not in CODES:
        message = f"`{allow.code[:40]}` is not a code that can be allowed"
        help = f"the codes are T101 to {max(CODES)}.{did_you_mean(allow.code, CODES)}"
        yield Finding("T111", allow.span, message, "", help)
    elif not allow.reason:
        help = f"say why: `# allow {allow.code}: because …`"
        yield Finding("T112", allow.span, "an allow without a reason silences nothing", "", help)
    elif (allow.code, allow.line) not in used:
        message = f"{allow.code} is not found in line {allow.line}, so there is nothing to allow"
        fix = (end if before else whole,)
        yield Finding("T111", allow.span, message, "", "take it out", fix=fix)
