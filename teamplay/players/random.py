"""The random player: every legal move with the same chance."""

from dataclasses import dataclass

from teamplay.errors import IllegalMove
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck


@dataclass(frozen=True)
class RandomPlayer:
    """Might make any legal move."""

    game: Game
    name: str

    def moves(self, position: Position) -> list[Move]:
        return self.game.moves(position)

    def choose(self, position: Position, luck: Luck) -> Move:
        moves = self.game.moves(position)
        if not moves:
            raise IllegalMove("The game is over; there is nothing to choose.")
        return luck.choice(moves)


def make(name: str, game: Game) -> RandomPlayer:
    """The player that a spec names."""
    return RandomPlayer(game, name)
