"""A whole game on paper: its positions one beside the other, each with the move that led to it."""

from collections.abc import Mapping, Sequence

from teamplay.game import Game, Move, Position
from teamplay.show.shapes import FONT, INK, fill, page, text_at
from teamplay.show.sheet import Sheet
from teamplay.show.svg import board
from teamplay.show.words import move_name

WIDEST = 900  # of a row of boards
CAPTION = 22  # below a board
MOST_FRAMES = 60  # of the longest games only the end is drawn


def film(game: Game, moves: Sequence[Move], title: str, remarks: Mapping[int, str] | None = None) -> str:
    """The positions after each move as one SVG; remarks, by the number of the move from 0, stand below them in bold."""
    frames = _frames(game, moves)[-MOST_FRAMES:]
    wide, high = Sheet(game.grid, ()).size
    across = max(1, min(len(frames), WIDEST // wide))
    down = -(-len(frames) // across)
    step = high + CAPTION
    width, height = across * wide, down * step
    parts = []
    for place, (ply, move, position) in enumerate(frames):
        x, y = place % across * wide, place // across * step
        remark = (remarks or {}).get(ply, "")
        caption = f"{ply + 1}. {position.marks[move.cell]} {move_name(game, move)}{f', {remark}' if remark else ''}"
        weight = ' font-weight="bold"' if remark else ""
        parts += [
            f'<g transform="translate({x} {y})">',
            board(game, position, inside=True).rstrip("\n"),
            f'<g {FONT} font-size="12" text-anchor="middle" {fill("ink", INK)}{weight}>',
            text_at(wide // 2, high + CAPTION // 2, caption),
            "</g>",
            "</g>",
        ]
    return page((width, height), title, "", parts)


def _frames(game: Game, moves: Sequence[Move]) -> list[tuple[int, Move, Position]]:
    """Each move with its number and the position after it."""
    position, frames = game.start, []
    for ply, move in enumerate(moves):
        position = game.after(position, move)
        frames.append((ply, move, position))
    return frames
