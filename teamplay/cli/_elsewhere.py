"""How did the choices of teams elsewhere come about? Said at the end of a command, unless all were complete."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from teamplay.show.words import counted


@contextmanager
def choices_told() -> Iterator[None]:
    """However this block ends, a person learns on standard error what was recomputed, and why."""
    try:
        yield
    finally:
        opening = sys.modules.get("teamplay.live.opening")  # not imported: then no agent is elsewhere
        for name, choices in opening.counted_choices() if opening else []:
            others = ", ".join(f"{count:,} {how}" for how, count in sorted(choices.items()) if how != "complete")
            if others:
                total = counted(sum(choices.values()), "choice")
                said = f"Not all hosts have answered in time. Of {total} of {name} these were not complete: {others}."
                print(f"teamplay: {said}", file=sys.stderr)
