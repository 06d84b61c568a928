"""Which moves lead to a position? Protocols speak of moves, while a position knows only the last one."""

from collections.abc import Iterator

from teamplay.errors import BadSpec
from teamplay.game import BLANK, Game, Move, Position

MOST_STEPS = 200_000  # positions that are tried for one history
MOST_NEW = 12  # marks between two positions of one game: one side may have to pass for a while


def moves_between(game: Game, earlier: Position, later: Position) -> list[Move] | None:
    """The moves from one position to another, if the other comes one or a few moves later; None if it does not."""
    new = [cell for cell in game.grid.cells if earlier.marks[cell] == BLANK != later.marks[cell]]
    if len(new) > MOST_NEW:
        return None
    try:
        return next(_ways(game, earlier, later, _Steps(MOST_STEPS // 10)), None)
    except BadSpec:
        return None


def moves_to(game: Game, position: Position) -> list[Move]:
    """Moves from the start that lead to a position, in some legal order.

    A position does not say in which order its marks were placed. Where nothing turns, any order does in which seats
    alternate. In Reversi the marks have turned, so orders are tried until one comes out right.
    """
    found = next(_ways(game, game.start, position, _Steps(MOST_STEPS)), None)
    if found is None:
        raise BadSpec(f"No game of {game} leads to the position {game.format_board(position.marks)}.")
    return found


class _Steps:
    """How many positions may still be tried."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, game: Game) -> None:
        self.left -= 1
        if self.left < 0:
            raise BadSpec(f"The moves that lead to this position of {game} could not be found in reasonable time.")


def _ways(game: Game, here: Position, there: Position, steps: _Steps) -> Iterator[list[Move]]:
    """Every order of moves from one position to another."""
    dead: set[tuple[str, int]] = set()

    def walk(at: Position) -> Iterator[list[Move]]:
        steps.take(game)
        if at.marks == there.marks and at.seat == there.seat:
            yield []
            return
        if (at.marks, at.seat) in dead or game.outcome(at):
            return
        turns = game.placement == "flank"
        for move, after in game.successors(at):
            fits = there.marks[move.cell] != BLANK and (turns or there.marks[move.cell] == move.mark)
            if fits:
                for rest in walk(after):
                    yield [move, *rest]
        dead.add((at.marks, at.seat))

    return walk(here)
