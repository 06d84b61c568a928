"""The minimax of the 5x5 SOS project, repaired: points have an owner, and both letters are tried at every node."""

from collections.abc import Callable
from dataclasses import dataclass

from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players import _sos
from teamplay.players._choice import one_of
from teamplay.players._sos_minimax import CODES, DEPTH, board_of, check, search_for, surroundings
from teamplay.players._sos_search import ENDLESS

GAME = "sos-corners"


@dataclass(frozen=True)
class OwnedMinimax:
    """Values a move by the points that it leads to, mine less theirs, under the game's own turns."""

    name: str
    game: Game
    depth: int

    def moves(self, position: Position) -> list[Move]:
        """Every move of the best value."""
        if self.game.outcome(position):
            return []
        best, found = -ENDLESS, list[Move]()
        worth = self._worth(position)
        for move in _sos.blank_moves(position.marks):
            value = worth(move.cell, CODES[move.mark], best)
            if value > best:
                best, found = value, []
            if value == best:
                found.append(move)
        return found

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)

    def _worth(self, position: Position) -> Callable[[int, int, int], int]:
        """The value of a root move: exact where it is at least `best`, else anything below that."""
        board, (near, far) = board_of(position), surroundings(self.game)
        search, again = search_for(position, self.depth), int(self.game.again)

        def worth(cell: int, letter: int, best: int) -> int:
            won = search.gain(board, near, far, cell, letter)
            board[cell] = letter
            if won and again:
                value = won + search.owned(board, near, far, self.depth, best - 1 - won, ENDLESS, again)
            else:
                value = won - search.owned(board, near, far, self.depth, -ENDLESS, won - best + 1, again)
            board[cell] = 0
            return int(value)

        return worth


def make(name: str, game: Game, depth: int = DEPTH) -> OwnedMinimax:
    """The player that a spec names: `owned-minimax`, `owned-minimax(depth=2)`."""
    check("owned-minimax", game, depth)
    return OwnedMinimax(name, game, depth)
