"""What is found when a published number or claim is tried again."""

from dataclasses import dataclass

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
IMPOSSIBLE = "impossible"  # proved so: nothing that follows the text can give it
EXCLUDED = "excluded"  # can't be tried here, and why


@dataclass(frozen=True)
class Finding:
    """One claim, what was published and what was measured, side by side."""

    where: str  # in the paper
    claim: str  # in our words
    published: str
    measured: str
    verdict: str
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


def held(holds: bool) -> str:
    """The verdict on a claim that was measured or judged."""
    return REPRODUCED if holds else NOT_REPRODUCED


def proved(holds: bool) -> str:
    """The verdict on a claim that was tried in every case there is."""
    return REPRODUCED if holds else IMPOSSIBLE
