"""What is found when a published number or claim is tried again."""

from dataclasses import dataclass
from typing import Final, Literal

Reproduction = Literal["reproduced", "not reproduced", "impossible", "excluded"]

REPRODUCED: Final = "reproduced"
NOT_REPRODUCED: Final = "not reproduced"
IMPOSSIBLE: Final = "impossible"  # proved so: nothing that follows the text can give it
EXCLUDED: Final = "excluded"  # can't be tried here, and why


@dataclass(frozen=True)
class Replication:
    """One claim, what was published and what was measured, side by side."""

    where: str  # in the paper
    claim: str  # in our words
    published: str
    measured: str
    verdict: Reproduction
    reading: str = ""  # how the text was read where it leaves a choice
    note: str = ""  # what it means, or shows


@dataclass(frozen=True)
class Curve:
    """Numbers to be drawn."""

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Plot:
    """A figure: published beside measured."""

    name: str  # of the file
    title: str
    across: str
    up: str
    curves: tuple[Curve, ...]
    by_powers: bool = False  # does the vertical axis count powers of ten?
    places: tuple[str, ...] = ()  # what 1, 2, 3 … across stand for, where they are no numbers


def held(holds: bool) -> Reproduction:
    """The verdict on a claim that was measured or judged."""
    return REPRODUCED if holds else NOT_REPRODUCED


def proved(holds: bool) -> Reproduction:
    """The verdict on a claim that was tried in every case there is."""
    return REPRODUCED if holds else IMPOSSIBLE
