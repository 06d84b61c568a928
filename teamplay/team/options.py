"""The options of a team as a spec writes them: how ties are broken, and whom the manager asks."""

from typing import get_args

from teamplay.errors import BadSpec, did_you_mean
from teamplay.team.manager import Wake
from teamplay.team.round import TieBreak

TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
WAKES: tuple[Wake, ...] = get_args(Wake)


def parse_tie_break(text: str) -> TieBreak:
    """How the manager chooses among ties, as a spec says it."""
    for known in TIE_BREAKS:
        if known == text:
            return known
    raise BadSpec(f"A tie is broken by {' or '.join(TIE_BREAKS)}, not `{text}`.{did_you_mean(text, TIE_BREAKS)}")


def parse_wake(text: str) -> Wake:
    """Whom the manager asks, as a spec says it."""
    for known in WAKES:
        if known == text:
            return known
    raise BadSpec(f"A manager wakes `all` or only the `affected` agents, not `{text}`.")
