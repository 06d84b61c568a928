"""Minimax to a fixed depth, with alpha-beta, for any game: every move that the best play of both makes equally good."""

from dataclasses import dataclass, field

from teamplay.errors import BadSpec
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players._boards import WON, Board, board_for, check_size
from teamplay.players._choice import one_of

MOST_DEPTH = 300  # a search goes two calls deeper for each move; Python allows some hundreds
MOST_KNOWN = 100_000  # positions whose moves are remembered
ENDLESS = 2 * WON


@dataclass
class Minimax:
    """Looks so many moves ahead; a further turn of the same player is a move like any other."""

    game: Game
    depth: int
    name: str
    _known: dict[Position, list[Move]] = field(default_factory=dict, repr=False)

    def moves(self, position: Position) -> list[Move]:
        """Every move of the best value."""
        if position not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[position] = [] if self.game.outcome(position) else self._best(position)
        return self._known[position]

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)

    def _best(self, position: Position) -> list[Move]:
        """No cut-off here may hide an equal: a move must be worse than the best by 1 before it is left."""
        search = Search(board_for(self.game, position))
        best, found = -ENDLESS, list[Move]()
        for move in search.ordered(self.depth):
            value = search.after(move, self.depth, max(best - 1, -ENDLESS), ENDLESS)
            if value > best:
                best, found = value, []
            if value == best:
                found.append(move)
        return [move for move in self.game.moves(position) if move in found]  # in the game's order


@dataclass
class Search:
    """Alpha-beta on one board; values are those of the seat to move."""

    board: Board
    refuters: dict[int, Move] = field(default_factory=dict)  # by depth, what refuted the move before

    def after(self, move: Move, depth: int, alpha: int, beta: int) -> int:
        """What a move is worth to the one who makes it: exact between the bounds, else a bound itself."""
        board = self.board
        mover = board.seat
        board.make(move)
        if depth == 1 or board.over:
            value = board.value if mover == 0 else -board.value
        elif board.seat == mover:
            value = self.best(depth - 1, alpha, beta)
        else:
            value = -self.best(depth - 1, -beta, -alpha)
        board.undo()
        return value

    def best(self, depth: int, alpha: int, beta: int) -> int:
        """What the position is worth to the seat to move."""
        best = -ENDLESS
        for move in self.ordered(depth):
            value = self.after(move, depth, alpha, beta)
            if value > best:
                best = value
                if value >= beta:
                    self.refuters[depth] = move
                    break
                alpha = max(alpha, value)
        return best

    def ordered(self, depth: int) -> list[Move]:
        """The moves, those first that are likely to be good: so the others are soon refuted."""
        moves = self.board.moves()
        if depth > 1:
            moves.sort(key=lambda move: self.after(move, 1, -ENDLESS, ENDLESS), reverse=True)
        refuter = self.refuters.get(depth)
        if refuter in moves:
            moves.remove(refuter)
            moves.insert(0, refuter)
        return moves


def make(name: str, game: Game, depth: int = 4) -> Minimax:
    """The player that a spec names: `minimax(depth=4)`."""
    check_size(game, "minimax")
    if not 1 <= depth <= MOST_DEPTH:
        raise BadSpec(f"`minimax` looks 1 to {MOST_DEPTH} moves ahead, not {depth}.")
    return Minimax(game, depth, name)
