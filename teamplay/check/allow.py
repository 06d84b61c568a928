"""What the comments `# allow CODE: reason` silence, and what is wrong with them."""

from collections.abc import Iterable, Iterator

from teamplay.check import t111, t112
from teamplay.check.codes import CODES
from teamplay.check.findings import Finding
from teamplay.language.allows import Allow, allows
from teamplay.language.diagnostics import Diagnostic


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
    if allow.code not in CODES:
        yield t111.unknown(allow, CODES)
    elif not allow.reason:
        yield t112.without_reason(allow)
    elif (allow.code, allow.line) not in used:
        yield t111.unused(allow, text)
