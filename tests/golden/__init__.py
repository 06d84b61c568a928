"""Golden drawings of the paper's figures: what `show` prints for each, and its SVG. Renew: `python -m tests.golden`."""

import io
import tomllib
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from teamplay.players import team
from teamplay.show.picture import Picture, think
from teamplay.show.svg import drawn
from teamplay.show.terminal import show_picture

HERE = Path(__file__).parent
FIGURES = HERE.parents[1] / "teamplay" / "reproduce" / "figures.toml"


@dataclass(frozen=True)
class Figure:
    """One figure of the paper: a position, and what its text says of it in our words."""

    name: str
    table: str
    board: str
    says: str
    answers: str
    best: list[int]

    @property
    def priorities(self) -> list[int | None]:
        """One a cell, None where a mark stands."""
        return [None if sign == "." else int(sign) for sign in self.answers.replace("/", "")]

    def picture(self) -> Picture:
        """What the team of the figure thinks."""
        playing = team(self.table, None)
        return think(playing, playing.game.position(self.board), seed=0)


def figures() -> list[Figure]:
    """All of them, as `figures.toml` has them."""
    data = tomllib.loads(FIGURES.read_text(encoding="utf-8"))
    return [Figure(**entry) for entry in data["figure"]]


def printed(picture: Picture, width: int = 80) -> str:
    """What `show` prints into a pipe."""
    paper = io.StringIO()
    show_picture(Console(file=paper, width=width, force_terminal=False, color_system=None, highlight=False), picture)
    return paper.getvalue()


def golden(figure: Figure) -> dict[str, str]:
    """The files of a figure, by name."""
    picture = figure.picture()
    return {f"{figure.name}.txt": printed(picture), f"{figure.name}.svg": drawn(picture)}
