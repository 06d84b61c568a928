"""What does a notebook show? The same drawings as paper and screen, as SVG and as plain text."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from teamplay.errors import BadSpec
from teamplay.game import Game, Position
from teamplay.show.svg import board
from teamplay.show.terminal import game_board, put

WIDTH = 100  # columns of plain text


def text_of(write: Callable[[Console], None]) -> str:
    """What something writes on a screen without colours."""
    paper = io.StringIO()
    # In a notebook rich would send its output to the page instead of the file.
    options: dict[str, Any] = {"color_system": None, "highlight": False, "markup": False, "emoji": False}
    write(Console(file=paper, width=WIDTH, force_jupyter=False, **options))
    return paper.getvalue().rstrip("\n")


@dataclass(frozen=True)
class Drawing:
    """A board to look at: as SVG for notebooks and papers, as text for everything else."""

    svg: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": self.text}


def game_of_position(position: Position) -> Game:
    """The game that made a position; an error for anything else, since people pass drawings and games, too."""
    help = 'make one with `game.start` or `game.position("x../.o./...")`'
    if not isinstance(position, Position):
        raise BadSpec(f"{str(position)!r} is not a position; {help}.")
    if position.game is None:
        raise BadSpec(f"This position does not know its game; {help}.")
    return position.game


def draw(position: Position) -> Drawing:
    """A position as its own drawing: the marks, the last move, the line that decided the game."""
    game = game_of_position(position)
    over = game.outcome(position)
    lines = game_board(game, position, over, WIDTH, ascii_only=False)
    return Drawing(board(game, position), text_of(lambda screen: put(screen, lines)))
