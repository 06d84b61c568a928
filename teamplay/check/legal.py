"""Every legal position of a small game, as the agents that are asked there see it."""

from teamplay.game import BLANK, Game, Position, TooManyPositions
from teamplay.grid import Cell

MOST_BLANKS = 12  # at the start
MOST_POSITIONS = 150_000

Boards = dict[Cell, list[str]]  # by cell, the boards on which it can be played, as the side to move sees them


def boards(game: Game) -> Boards | None:
    """All boards on which each cell can be played; None where the positions are too many."""
    if game.start.marks.count(BLANK) > MOST_BLANKS:
        return None
    found: Boards = {cell: [] for cell in game.grid.cells}
    try:
        for layer in game.layers(MOST_POSITIONS, alike=_without_points):
            for position in layer:
                seen = game.seen(position)
                for cell in {move.cell for move in game.moves(position)}:
                    found[cell].append(seen)
    except TooManyPositions:
        return None
    return found


def _without_points(position: Position) -> tuple[str, int]:
    """Points change nothing that an agent sees."""
    return position.marks, position.seat
