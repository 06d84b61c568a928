"""Pure greedy at SOS: completes an SOS where it can, else moves at random (algorithm 1 of the feasible greedy)."""

from dataclasses import dataclass

from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players import _sos
from teamplay.players._choice import one_of, parse_reading

GAME = "sos"


@dataclass(frozen=True)
class Greedy:
    """Looks one move ahead, at its own points."""

    name: str
    game: Game
    take: _sos.Take
    letters: tuple[str, ...]  # that a random move may have

    def moves(self, position: Position) -> list[Move]:
        """What it may take, or every move that it may draw."""
        if self.game.outcome(position):
            return []
        scored = _sos.scoring(self.game, position.marks)
        return _sos.taken(scored, self.take) or _sos.blank_moves(position.marks, self.letters)

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)


def make(name: str, game: Game, take: str = "first", letter: str = "either") -> Greedy:
    """The player that a spec names: `greedy`, `greedy(take=most)`."""
    _sos.check_game("greedy", game)
    return Greedy(name, game, parse_reading("take", take, _sos.TAKES), _sos.drawn_letters(letter))
