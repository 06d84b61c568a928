"""The lecture's second approach to tic-tac-toe: blank 2, X 3, O 5, and a line's product says who can win it."""

from dataclasses import dataclass
from math import prod

from teamplay.game import BLANK, Game, Move, Position
from teamplay.luck import Luck
from teamplay.players import _lecture
from teamplay.players._choice import one_of
from teamplay.players._lecture import LINES, Square

BLANK_VALUE, FIRST_VALUE, SECOND_VALUE = 2, 3, 5


@dataclass(frozen=True)
class PossWin:
    """Plays by a list of moves, and looks one move ahead by products."""

    game: Game
    make2: _lecture.Make2
    anywhere: _lecture.Anywhere
    name: str = "posswin"

    def moves(self, position: Position) -> list[Move]:
        return _lecture.moves(self.game, position, self.possible_win, self.make2, self.anywhere)

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)

    def possible_win(self, marks: str, mark: str) -> Square:
        """The blank square of the first line whose product is 18 (for X) or 50 (for O), else 0."""
        first, second = self.game.marks
        value = {BLANK: BLANK_VALUE, first: FIRST_VALUE, second: SECOND_VALUE}
        wanted = value[mark] ** 2 * BLANK_VALUE
        for line in LINES:
            if prod(value[marks[square - 1]] for square in line) == wanted:
                return next(square for square in line if marks[square - 1] == BLANK)
        return 0


def make(name: str, game: Game, make2: str = "any", anywhere: str = "any") -> PossWin:
    """The player that a spec names: `posswin`, `posswin(make2=line)`."""
    return PossWin(game, *_lecture.readings("posswin", game, make2, anywhere), name)
