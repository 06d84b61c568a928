"""The result of a test: passed, or what is wrong, on which board and by which rules."""

from collections.abc import Callable
from dataclasses import dataclass

from teamplay.game import Move, Position
from teamplay.grid import Cell
from teamplay.show.picture import Picture, think
from teamplay.team import Team

MOST_SEEDS = 200  # seeds that are tried to find one that leads to a choice

Seen = Callable[[Position], None] | None  # called with every position that a test looks at, if coverage is wanted


@dataclass(frozen=True)
class Failure:
    """Why a test fails: in sentences, and where there is a board, what was chosen on it and what was expected."""

    problems: tuple[str, ...]
    picture: Picture | None = None
    explained: tuple[Cell, ...] = ()  # whose rules explain it
    chosen: str = ""
    expected: str = ""


@dataclass(frozen=True)
class TestResult:
    """A failure, or nothing but a note of what was looked at."""

    note: str = ""
    failure: Failure | None = None


def pictured(team: Team, position: Position, move: Move | None, seed: int) -> Picture:
    """What the agents say, with a seed that leads to a move if there is one."""
    picture = think(team, position, seed)
    if move is None or move in picture.best or not team.manager.restless:
        return picture
    others = (think(team, position, other) for other in range(MOST_SEEDS))
    return next((other for other in others if move in other.best), picture)
