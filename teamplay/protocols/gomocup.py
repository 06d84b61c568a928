"""The protocols of Gomocup managers: what is said of a game, and how moves are written."""

import re

from teamplay.errors import BadSpec
from teamplay.game import BLANK, Game, Position
from teamplay.grid import Cell

UNLIMITED = 2_147_483_647  # milliseconds, or bytes
LARGEST_SIDE = 100
ROW = 5
EXACT_RULE = 1  # the bit of `INFO rule` that says: overlines don't win


def check_board(game: Game) -> None:
    """Refuse a game that the protocol has no words for: it knows rows of marks on one board."""
    goal = game.goal
    known = goal.kind == "line" and goal.length == ROW and goal.effect == "wins" and goal.owner is None
    flat = len(game.grid.shape) == 2 and max(game.grid.shape) <= LARGEST_SIDE
    if not known or game.shared or game.placement != "anywhere" or not flat:
        raise BadSpec(f"The Gomocup protocol is for five in a row on boards up to {LARGEST_SIDE} wide, not for {game}.")


def format_cell(game: Game, cell: Cell) -> str:
    """A cell as managers write it: column and row from 0.

    >>> from teamplay.game_file import load_game
    >>> format_cell(load_game("gomoku"), 17), parse_cell(load_game("gomoku"), " 2 , 1 ")
    ('2,1', 17)
    """
    row, column = divmod(cell, game.grid.shape[1])
    return f"{column},{row}"


def parse_cell(game: Game, text: str) -> Cell:
    """The cell of a pair of numbers."""
    match = re.fullmatch(r"\s*(\d{1,3})\s*[,; ]\s*(\d{1,3})\s*", text)
    height, width = game.grid.shape
    if not match or int(match[1]) >= width or int(match[2]) >= height:
        raise BadSpec(f"`{text.strip()[:40]}` is no cell of a board of {game.grid}")
    return int(match[2]) * width + int(match[1])


def start_line(game: Game) -> str:
    """The command that begins a game on this board."""
    height, width = game.grid.shape
    return f"START {width}" if width == height else f"RECTSTART {width},{height}"


def info_lines(game: Game, seconds: float) -> list[str]:
    """What a program is told before a game: its time for one move, and the rule."""
    told = {
        "timeout_turn": int(seconds * 1000),
        "timeout_match": UNLIMITED,
        "time_left": UNLIMITED,
        "max_memory": 0,
        "game_type": 1,
        "rule": EXACT_RULE if game.goal.exact else 0,
    }
    return [f"INFO {key} {value}" for key, value in told.items()]


def board_lines(game: Game, position: Position) -> list[str]:
    """A whole position for the side to move: 1 is its own mark, 2 the opponent's; in an order that seats could play."""
    mine, theirs = game.marks[position.seat], game.marks[1 - position.seat]
    cells = {
        1: [cell for cell, mark in enumerate(position.marks) if mark == mine],
        2: [cell for cell, mark in enumerate(position.marks) if mark == theirs],
    }
    order = (1, 2) if position.seat == 0 else (2, 1)
    lines = []
    while any(cells.values()):
        for owner in order:
            if cells[owner]:
                lines.append(f"{format_cell(game, cells[owner].pop(0))},{owner}")
    return ["BOARD", *lines, "DONE"]


def drawing(game: Game, position: Position) -> str:
    """The board as the old protocol writes it: a row per line, `-` for a blank."""
    width = game.grid.shape[1]
    marks = position.marks.replace(BLANK, "-")
    return "".join(f"{marks[start : start + width]}\n" for start in range(0, len(marks), width))
