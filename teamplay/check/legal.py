"""Every legal position of a small game, as the agents that are asked there see it."""

from teamplay.game import BLANK, Game, Position
from teamplay.grid import Cell

MOST_BLANKS = 12  # at the start
MOST_POSITIONS = 150_000

Boards = dict[Cell, list[str]]  # by cell, the boards on which it can be played, as the side to move sees them


def boards(game: Game) -> Boards | None:
    """All boards on which each cell can be played; None where the positions are too many."""
    if game.start.marks.count(BLANK) > MOST_BLANKS:
        return None
    found: Boards = {cell: [] for cell in game.grid.cells}
    layer, met = [game.start], {game.start}
    while layer:
        following = []
        for position in layer:
            seen = game.seen(position)
            cells = set()
            for move, after in game.successors(position):
                cells.add(move.cell)
                bare = Position(after.marks, after.seat, last=after.last)  # points change nothing that is seen
                if bare not in met:
                    met.add(bare)
                    following.append(bare)
            for cell in cells:
                found[cell].append(seen)
        if len(met) > MOST_POSITIONS:
            return None
        layer = following
    return found
