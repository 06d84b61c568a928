"""The Go Text Protocol as Othello and gomoku programs speak it: vertices, colours, and the shape of an answer."""

import re
from dataclasses import dataclass
from typing import Literal

from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.grid import Cell

COLORS = ("black", "white")  # of the first seat and the second
PASSES = {"pass", "pa", "ps", "--", "@@"}
LARGEST_SIDE = 25
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Rows = Literal["top", "bottom"]  # where row 1 lies


@dataclass(frozen=True)
class Vertices:
    """How a program writes the cells of a board: with or without the letter i, rows from the top or the bottom."""

    game: Game
    rows: Rows = "top"
    skips_i: bool = False

    @property
    def letters(self) -> str:
        return LETTERS.replace("i", "") if self.skips_i else LETTERS

    def format(self, cell: Cell) -> str:
        """A cell as a vertex: `D3`.

        >>> from teamplay.game_file import load_game
        >>> Vertices(load_game("reversi")).format(19), Vertices(load_game("reversi"), "bottom").format(19)
        ('D3', 'D6')
        """
        height, width = self.game.grid.shape
        row, column = divmod(cell, width)
        number = row + 1 if self.rows == "top" else height - row
        return f"{self.letters[column].upper()}{number}"

    def parse(self, text: str) -> Cell:
        """The cell of a vertex."""
        height, width = self.game.grid.shape
        match = re.fullmatch(r"([a-z])(\d{1,2})", text.strip().lower())
        column = self.letters.find(match[1]) if match else -1
        number = int(match[2]) if match else 0
        if not 0 <= column < width or not 1 <= number <= height:
            raise BadSpec(f"`{text.strip()[:20]}` is no vertex of a board of {self.game.grid}.")
        row = number - 1 if self.rows == "top" else height - number
        return row * width + column


def is_pass(text: str) -> bool:
    """Whether an answer means that no move can be made."""
    return text.strip().lower() in PASSES


def is_resignation(text: str) -> bool:
    """Whether an answer gives the game up."""
    return text.strip().lower() == "resign"


def parse_color(text: str) -> int:
    """The seat of a colour: `b`, `black`, `w`, `white`.

    >>> parse_color("B"), parse_color("white")
    (0, 1)
    """
    found = [seat for seat, color in enumerate(COLORS) if text.lower() in (color, color[0])]
    if not found:
        raise BadSpec(f"`{text[:20]}` is no colour; write black or white.")
    return found[0]


def check_board(game: Game, protocol: str) -> None:
    """Refuse a board that the protocol has no words for."""
    shape = game.grid.shape
    if game.shared or len(shape) != 2 or shape[0] != shape[1] or shape[0] > LARGEST_SIDE:
        raise BadSpec(
            f"{protocol} knows square boards up to {LARGEST_SIDE}x{LARGEST_SIDE} with a colour for each player; "
            f"{game} is not one."
        )
