"""Which colour means what? One palette for screen, paper and pages, in a light and a dark scheme.

One channel per meaning: the fill says how urgent a cell is (or which rule answered), a frame says best, hatching says
sight. No number is told by colour alone.
"""

import os
from dataclasses import dataclass
from typing import Literal

Scheme = Literal["light", "dark"]


@dataclass(frozen=True)
class Fill:
    """The ground of a cell, and the ink that reads on it."""

    ground: str
    ink: str


# Tiers of urgency, the most urgent first: any two differ by at least 10 (CIE76) for every kind of sight.
TIER_FILLS: dict[Scheme, tuple[Fill, ...]] = {
    "light": (
        Fill("#b35806", "#ffffff"),
        Fill("#dd7f22", "#000000"),
        Fill("#f0a355", "#000000"),
        Fill("#f8c68f", "#000000"),
        Fill("#fde3c3", "#000000"),
        Fill("#fff6ea", "#000000"),
    ),
    "dark": (
        Fill("#ffc46b", "#000000"),
        Fill("#e39a3c", "#000000"),
        Fill("#b97424", "#000000"),
        Fill("#8c5418", "#ffffff"),
        Fill("#5f3a14", "#ffffff"),
        Fill("#3a2711", "#ffffff"),
    ),
}

# Rules, in no order of urgency: from Paul Tol's `light` scheme, made for cells with text, good on any page.
# Any two differ by at least 14. Rules beyond the seventh use them again; their numbers tell them apart.
RULE_FILLS = tuple(
    Fill(ground, "#000000") for ground in ("#77aadd", "#ee8866", "#eedd88", "#44bb99", "#99ddff", "#dddddd", "#aaaa00")
)


def screen_scheme() -> Scheme:
    """The scheme of a terminal: what COLORFGBG says of its background (`0;15` is black on white), else dark."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if ground in ("7", "15") else "dark"
