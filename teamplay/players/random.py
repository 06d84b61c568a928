"""The random player: every legal move with the same chance."""

from dataclasses import dataclass

from teamplay.game import Game, Move, Position
from teamplay.luck import Luck


@dataclass(frozen=True)
class RandomPlayer:
    """Might make any legal move."""

    game: Game
    name: str = "random"

    def moves(self, position: Position) -> list[Move]:
        return self.game.moves(position)

    def choose(self, position: Position, luck: Luck) -> Move:
        return luck.choice(self.game.moves(position))


def make(game: Game) -> RandomPlayer:
    """The player that a spec names."""
    return RandomPlayer(game)
