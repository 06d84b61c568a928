"""Which priorities look alike? At most six tiers of urgency, the same on screen, on paper, in notebooks and pages."""

from collections.abc import Iterable
from itertools import groupby, pairwise
from math import log

TIERS = 6  # shades that eyes of every kind can tell apart
MOST_STEPS = 200  # more priorities than that are first rounded to this many steps of the scale
CLOSE = 1 / 50  # of the whole scale: tiers nearer than that become one, where priorities must share tiers at all

Group = list[tuple[float, int]]  # priorities with their places on the scale, ascending


def tiers(priorities: Iterable[int]) -> dict[int, int]:
    """A tier for every priority: 0 for the most urgent alone, `TIERS` - 1 for the least urgent.

    What counts is how far a priority is behind the most urgent, on a logarithmic scale: 3 is near 1, and 8918 is near
    8997 and far from both. Up to six priorities get a tier each. Of more, those that lie closest share one.

    >>> tiers([4, 7]), tiers([1, 2, 3, 4, 5, 6, 7])
    ({4: 0, 7: 5}, {1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 5})
    >>> tiers([1, 3, *range(8918, 8998)])[3], tiers([1, 3, *range(8918, 8998)])[8918]
    (1, 5)
    """
    scale = _scale(sorted(set(priorities)))
    if len(scale) > MOST_STEPS:
        groups = [list(step) for _, step in groupby(scale, key=lambda entry: round(entry[0] * MOST_STEPS))]
    else:
        groups = [[entry] for entry in scale]
    groups = _merged(groups)
    found: dict[int, int] = {}
    last = -1
    for place, group in enumerate(groups):
        # Where the group ends on the scale, with room for those before it and behind it.
        shade = max(last + 1, min(round((TIERS - 1) * group[-1][0]), TIERS - len(groups) + place))
        found |= {priority: shade for _, priority in group}
        last = shade
    return found


def _scale(priorities: list[int]) -> Group:
    """Every priority with its place between 0, the most urgent, and 1, the least."""
    if len(priorities) < 2:
        return [(0.0, priority) for priority in priorities]
    best, whole = priorities[0], log(1 + priorities[-1] - priorities[0])
    return [(log(1 + priority - best) / whole, priority) for priority in priorities]


def _merged(groups: list[Group]) -> list[Group]:
    """At most `TIERS` groups; the most urgent stays alone."""
    crowded = len(groups) > TIERS
    while len(groups) > 2:
        spans = [after[-1][0] - before[0][0] for before, after in pairwise(groups[1:])]
        if len(groups) <= TIERS and not (crowded and min(spans) < CLOSE):
            break
        at = spans.index(min(spans)) + 1
        groups[at : at + 2] = [groups[at] + groups[at + 1]]
    return groups
