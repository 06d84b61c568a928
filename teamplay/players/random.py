"""The random player: every legal move with the same chance."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from teamplay.errors import IllegalMove
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class RandomPlayer:
    """Might make any legal move."""

    game: Game
    name: str

    def moves(self, position: Position) -> list[Move]:
        return self.game.moves(position)

    def chosen(
        self, mine: "NDArray[np.bool_]", theirs: "NDArray[np.bool_]", legal: "NDArray[np.bool_]"
    ) -> "NDArray[np.bool_]":
        """The same cells for many positions at once. [positions, cells]"""
        return legal

    def choose(self, position: Position, luck: Luck) -> Move:
        moves = self.game.moves(position)
        if not moves:
            raise IllegalMove("The game is over; there is nothing to choose.")
        return luck.choice(moves)


def make(name: str, game: Game) -> RandomPlayer:
    """The player that a spec names."""
    return RandomPlayer(game, name)
