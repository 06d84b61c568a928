"""Minimax with alpha-beta for any game: to a fixed depth, or deeper and deeper within a number of nodes or a time.

To a depth it names every move that the best play of both makes equally good; `engine/fixed_depth.py` is the same for
large jobs. By nodes or time it is the compiled search of `engine/alphabeta.py`, which names one move: a move that was
cut off is only known not to be better.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players._boards import WON, Board, board_for, check_size
from teamplay.players._choice import one_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from teamplay.engine.alphabeta import AlphaBetaSearch
    from teamplay.engine.alphabeta_drops import DropSearch
    from teamplay.engine.fixed_depth import FixedDepthSearch

MOST_DEPTH = 300  # a search goes two calls deeper for each move; Python allows some hundreds
MOST_KNOWN = 100_000  # positions whose moves are remembered
MOST_NODES = 1_000_000_000
MOST_SECONDS = 3600.0
ENDLESS = 2 * WON
FEW_POSITIONS, FEW_LEAVES = 50, 5_000  # which Python searches before the compiler has loaded


@dataclass
class Minimax:
    """Looks N moves ahead; another turn of the same player is a move like any other."""

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
        _, found = AlphaBeta(board_for(self.game, position)).best_moves(self.depth)
        return [move for move in self.game.moves(position) if move in found]  # in the game's order


@dataclass
class CompiledMinimax(Minimax):
    """The same, by the compiled engine where that pays: in large searches, or when many positions are asked for."""

    @cached_property
    def _search(self) -> "FixedDepthSearch":
        from teamplay.engine.fixed_depth import FixedDepthSearch

        return FixedDepthSearch(self.game, self.depth)

    def _best(self, position: Position) -> list[Move]:
        leaves = len(self.game.moves(position)) ** self.depth
        if len(self._known) < FEW_POSITIONS and leaves < FEW_LEAVES:
            return super()._best(position)
        return self._search.moves(position)

    def chosen(
        self, mine: "NDArray[np.bool_]", theirs: "NDArray[np.bool_]", legal: "NDArray[np.bool_]"
    ) -> "NDArray[np.bool_]":
        """The same cells for many positions at once, in games without points. [positions, cells]"""
        return self._search.cells(mine, theirs)


@dataclass
class AlphaBeta:
    """Alpha-beta on one board; values are those of the seat to move."""

    board: Board
    refuters: dict[int, Move] = field(default_factory=dict)  # by depth, what refuted the move before

    def best_moves(self, depth: int) -> tuple[int, list[Move]]:
        """The best value, and every move that has it.

        At the root no cut-off may hide a tie: a move is dropped only if it is worse than the best by 1.
        """
        best, found = -ENDLESS, list[Move]()
        for move in self.ordered(depth):
            value = self.after(move, depth, max(best - 1, -ENDLESS), ENDLESS)
            if value > best:
                best, found = value, []
            if value == best:
                found.append(move)
        return best, found

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
        """The moves in the order in which they are likely to be good (move ordering, killer move first)."""
        moves = self.board.moves()
        if depth > 1:
            moves.sort(key=lambda move: self.after(move, 1, -ENDLESS, ENDLESS), reverse=True)
        refuter = self.refuters.get(depth)
        if refuter in moves:
            moves.remove(refuter)
            moves.insert(0, refuter)
        return moves


@dataclass
class DeepeningMinimax:
    """Searches deeper and deeper: by a number of nodes, which a seed reproduces, or by time, which nothing does."""

    game: Game
    nodes: int
    seconds: float
    name: str
    searched: int = field(default=0, init=False)  # nodes of the last move

    @cached_property
    def _search(self) -> "AlphaBetaSearch | DropSearch":
        from teamplay.engine.alphabeta_drops import deepening_search

        return deepening_search(self.game, self.nodes)

    def choose(self, position: Position, luck: Luck) -> Move:
        if self.game.outcome(position):
            raise IllegalMove("The game is over; there is nothing to choose.")
        found = self._search.best(position, self.nodes, self.seconds, luck.getrandbits(48))
        self.searched = found.nodes
        return found.move


def make(name: str, game: Game, depth: int = 4, nodes: int = 0, seconds: float = 0.0) -> Minimax | DeepeningMinimax:
    """The player that a spec names: `minimax(depth=4)`, `minimax(nodes=100000)`, `minimax(seconds=0.5)`."""
    check_size(game, "minimax")
    if not 1 <= depth <= MOST_DEPTH:
        raise BadSpec(f"`minimax` looks 1 to {MOST_DEPTH} moves ahead, not {depth}.")
    if not 0 <= nodes <= MOST_NODES:
        raise BadSpec(f"`minimax` visits up to {MOST_NODES:,} nodes before a move, or 0 for no bound, not {nodes:,}.")
    if not 0 <= seconds <= MOST_SECONDS:
        raise BadSpec(f"`seconds` is a time up to {MOST_SECONDS:,.0f} seconds, or 0 for no bound, not {seconds}.")
    if nodes or seconds:
        return DeepeningMinimax(game, nodes, seconds, name)
    from teamplay.engine.fixed_depth import is_known

    return (CompiledMinimax if is_known(game) else Minimax)(game, depth, name)
