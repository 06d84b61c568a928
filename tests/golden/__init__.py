"""Golden drawings of the paper's figures, and the pictures of the docs. Renew: `python -m tests.golden`."""

import io
import tomllib
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from teamplay.game_file import load_game
from teamplay.players import team
from teamplay.show.chart import By
from teamplay.show.picture import Picture, think
from teamplay.show.report import show_picture
from teamplay.show.svg import drawn

HERE = Path(__file__).parent
IMAGES = HERE.parents[1] / "docs" / "images"
LARGE = "........../........../....o...../...oxo..../...xxxo.../...xo...../....x...../........../........../.........."
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


def printed(picture: Picture, width: int = 80, by: By | None = None, agent: int | None = None) -> str:
    """What `show` prints into a pipe."""
    paper = io.StringIO()
    screen = Console(file=paper, width=width, force_terminal=False, color_system=None, highlight=False)
    show_picture(screen, picture, by, agent)
    return paper.getvalue()


def images() -> dict[str, str]:
    """The pictures in docs/images, by name."""
    playing = team("mnk/generic", load_game("mnk(m=10,n=10,k=5)"))
    picture = think(playing, playing.game.position(LARGE), seed=0)
    figure = next(figure for figure in figures() if figure.name == "figure-14")
    return {
        "figure-14.svg": drawn(figure.picture()),
        "by-rank.svg": drawn(picture, "rank"),
        "by-rule.svg": drawn(picture, "rule"),
        "by-sight.svg": drawn(picture, "sight", playing.game.grid.parse_cell("c5")),
    }


def golden(figure: Figure) -> dict[str, str]:
    """The files of a figure, by name."""
    picture = figure.picture()
    return {f"{figure.name}.txt": printed(picture), f"{figure.name}.svg": drawn(picture)}
