"""T112: an allow without a reason."""

from teamplay.check.findings import Finding
from teamplay.language.allows import Allow

TITLE = "an allow without a reason"


def without_reason(allow: Allow) -> Finding:
    help = f"say why: `# allow {allow.code}: because …`"
    return Finding("T112", allow.span, "an allow without a reason silences nothing", "", help)
