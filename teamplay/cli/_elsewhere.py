"""How did the choices of teams elsewhere come about? Said at the end of a command, unless all were complete."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from teamplay.cli import complain
from teamplay.show.words import counted


@contextmanager
def choices_told() -> Iterator[None]:
    """However this block ends, a person learns on standard error what was recomputed in it, and why."""
    before = [choices for _, choices in _choices()]
    try:
        yield
    finally:
        for number, (name, choices) in enumerate(_choices()):
            fresh = choices - before[number] if number < len(before) else choices
            others = ", ".join(f"{count:,} {how}" for how, count in sorted(fresh.items()) if how != "complete")
            if others:
                total = counted(sum(fresh.values()), "choice")
                said = f"Not all hosts have answered in time. Of {total} of {name} these were not complete: {others}."
                complain(f"teamplay: {said}")


def _choices() -> list[tuple[str, Counter[str]]]:
    """How the choices of each team that was made in this process came about so far."""
    opening = sys.modules.get("teamplay.live.opening")  # not imported: then no agent is elsewhere
    return [(name, Counter(choices)) for name, choices in opening.made_choices] if opening else []
