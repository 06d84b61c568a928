"""Monte Carlo tree search for any game: the move that most of its simulations went through.

On the compiled engine it is UCT with RAVE, priors and proved results (see `engine/kernels/tree.py`); for the few games
that the engine does not know it is plain UCT. Its choice depends on the games that it happens to play, so it can't name
its set of moves and is only ever sampled.
"""

import time
from dataclasses import dataclass, field
from functools import cached_property
from math import log, sqrt
from typing import TYPE_CHECKING

from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players._boards import Board, board_for, check_size

if TYPE_CHECKING:
    from teamplay.engine.tree import TreeSearch

MOST_PLAYOUTS = 1_000_000  # each may add a node to the tree, and a move should end some day
MOST_SECONDS = 3600.0


@dataclass
class TreeSearcher:
    """Searches by a number of playouts, which a seed reproduces, or by time, which nothing does."""

    game: Game
    playouts: int
    seconds: float
    exploration: float
    name: str

    @cached_property
    def _search(self) -> "TreeSearch":
        from teamplay.engine.tree import TreeSearch

        return TreeSearch(self.game, self.exploration)

    def choose(self, position: Position, luck: Luck) -> Move:
        from teamplay.engine.tree import best

        if self.game.outcome(position):
            raise IllegalMove("The game is over; there is nothing to choose.")
        playouts = 0 if self.seconds else self.playouts
        candidates = self._search.candidates(position, playouts, self.seconds, luck.getrandbits(48))
        return luck.choice(best(candidates, position.seat)).move


@dataclass
class TreeNode:
    """A move that somebody made, and what came of it."""

    mover: int
    visits: int = 0
    gain: float = 0.0  # of the mover: 1 a win, a half a draw
    children: dict[Move, "TreeNode"] = field(default_factory=dict)
    untried: list[Move] | None = None  # None until somebody looks

    def child(self, exploration: float) -> Move:
        """The move that promises most, seldom tried ones in favour."""
        spread = log(self.visits)

        def promise(move: Move) -> float:
            child = self.children[move]
            return child.gain / child.visits + exploration * sqrt(spread / child.visits)

        return max(self.children, key=promise)

    def learn(self, winner: int | None) -> None:
        self.visits += 1
        self.gain += 0.5 if winner is None else float(winner == self.mover)


@dataclass
class MonteCarlo:
    """Plays N games at random before each move, or as many as a time allows."""

    game: Game
    playouts: int
    seconds: float
    exploration: float
    name: str

    def choose(self, position: Position, luck: Luck) -> Move:
        if self.game.outcome(position):
            raise IllegalMove("The game is over; there is nothing to choose.")
        board = board_for(self.game, position)
        root = TreeNode(1 - position.seat)
        done, end = 0, time.perf_counter() + self.seconds
        while not done or (time.perf_counter() < end if self.seconds else done < self.playouts):
            self._playout(board, root, luck)
            done += 1
        most = max(child.visits for child in root.children.values())
        return luck.choice([move for move, child in root.children.items() if child.visits == most])

    def _playout(self, board: Board, root: TreeNode, luck: Luck) -> None:
        """Down the tree, one new node, a random game to the end, and back."""
        path = [root]
        while not board.over and not self._fresh(board, path[-1], luck):
            self._step(board, path, path[-1].child(self.exploration))
        if not board.over:
            untried = path[-1].untried
            assert untried
            self._step(board, path, untried.pop())
        winner = board.finish(luck)
        for node in path:
            node.learn(winner)
        for _ in path[1:]:
            board.undo()

    def _fresh(self, board: Board, node: TreeNode, luck: Luck) -> bool:
        """Whether a move from here was never tried."""
        if node.untried is None:
            node.untried = board.moves()
            luck.shuffle(node.untried)
        return bool(node.untried)

    def _step(self, board: Board, path: list[TreeNode], move: Move) -> None:
        node = path[-1].children.setdefault(move, TreeNode(board.seat))
        board.make(move)
        path.append(node)


def make(
    name: str, game: Game, playouts: int = 1000, seconds: float = 0.0, exploration: float = 0.5
) -> TreeSearcher | MonteCarlo:
    """The player that a spec names: `mcts(playouts=1000)`, `mcts(seconds=0.5)`."""
    check_size(game, "mcts")
    if not 1 <= playouts <= MOST_PLAYOUTS:
        raise BadSpec(f"`mcts` plays 1 to {MOST_PLAYOUTS:,} random games before a move, not {playouts:,}.")
    if not 0 <= exploration < float("inf"):
        raise BadSpec(f"`exploration` is a number from 0 on, not {exploration}.")
    if not 0 <= seconds <= MOST_SECONDS:
        raise BadSpec(f"`seconds` is a time up to {MOST_SECONDS:,.0f} seconds, or 0 to count playouts, not {seconds}.")
    if game.compiles:
        return TreeSearcher(game, playouts, seconds, exploration, name)
    return MonteCarlo(game, playouts, seconds, exploration, name)
