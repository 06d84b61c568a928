"""The search for games that fit no other: every position once, by the rules of the game alone."""

from math import log

from teamplay.engine.solver.rules import MOST_CELLS, WORD
from teamplay.engine.solver.score import carried_back, ended
from teamplay.engine.solver.search import Clock
from teamplay.errors import TeamplayError
from teamplay.game import BLANK, Game, Position

MOST_POSITIONS = 3**12  # if all can be met: 12 blank cells with two marks, 19 with one
OFTEN = 256  # positions between two looks at the clock


class PlainSearch:
    """Exact scores by recursion; a window is of no use to it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: dict[tuple[str, int], int] = {}

    def score(self, position: Position, alpha: int, beta: int, clock: Clock) -> int:
        """The score of a position that is not over."""
        clock.check()
        self.admit(position)
        return self._score(position, clock)

    def admit(self, position: Position) -> None:
        """Refuse a position that is too large."""
        blanks, cells = position.marks.count(BLANK), self._game.grid.size
        marks = len(self._game.marks)
        if (marks + 1) ** blanks > MOST_POSITIONS:
            most = int(log(MOST_POSITIONS, marks + 1) + 1e-9)
            raise TeamplayError(
                f"{self._game} is too large for perfect play: {blanks:,} of its {cells:,} cells are blank here. Boards "
                f"of up to {MOST_CELLS} cells can be searched, {WORD} in Reversi, larger or unusual ones with at most "
                f"{most} blank."
            )

    def _score(self, position: Position, clock: Clock) -> int:
        key = position.marks, position.seat  # the points of the past don't matter
        if key not in self._known:
            clock.positions += 1
            if clock.positions % OFTEN == 0 or not clock.left:
                clock.tick(clock.positions)
                clock.check()
            over = ended(self._game, position)
            self._known[key] = max(self._moves(position, clock)) if over is None else over
        return self._known[key]

    def _moves(self, position: Position, clock: Clock) -> list[int]:
        game = self._game
        followers = (after for _, after in game.successors(position))
        return [carried_back(game, position, after, self._score(after, clock)) for after in followers]
