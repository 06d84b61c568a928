"""Monte Carlo tree search (UCT) for any game: the move that most of its random games were sent through.

Its choice hangs on the games that it happens to play, so it can't name its set of moves and is only ever sampled.
"""

from dataclasses import dataclass, field
from math import log, sqrt

from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players._boards import Board, board_for, check_size


@dataclass
class Node:
    """A move that somebody made, and what came of it."""

    mover: int
    visits: int = 0
    gain: float = 0.0  # of the mover: 1 a win, a half a draw
    children: dict[Move, "Node"] = field(default_factory=dict)
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


@dataclass(frozen=True)
class MonteCarlo:
    """Plays so many games at random before each move."""

    game: Game
    playouts: int
    exploration: float
    name: str

    def choose(self, position: Position, luck: Luck) -> Move:
        if self.game.outcome(position):
            raise IllegalMove("The game is over; there is nothing to choose.")
        board = board_for(self.game, position)
        root = Node(1 - position.seat)
        for _ in range(self.playouts):
            self._playout(board, root, luck)
        most = max(child.visits for child in root.children.values())
        return luck.choice([move for move, child in root.children.items() if child.visits == most])

    def _playout(self, board: Board, root: Node, luck: Luck) -> None:
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

    def _fresh(self, board: Board, node: Node, luck: Luck) -> bool:
        """Whether a move from here was never tried."""
        if node.untried is None:
            node.untried = board.moves()
            luck.shuffle(node.untried)
        return bool(node.untried)

    def _step(self, board: Board, path: list[Node], move: Move) -> None:
        node = path[-1].children.setdefault(move, Node(board.seat))
        board.make(move)
        path.append(node)


def make(name: str, game: Game, playouts: int = 1000, exploration: float = 1.4) -> MonteCarlo:
    """The player that a spec names: `mcts(playouts=1000)`."""
    check_size(game, "mcts")
    if playouts < 1:
        raise BadSpec(f"`mcts` must play 1 game at least, not {playouts}.")
    if not 0 <= exploration < float("inf"):
        raise BadSpec(f"`exploration` is a number from 0 on, not {exploration}.")
    return MonteCarlo(game, playouts, exploration, name)
