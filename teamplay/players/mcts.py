"""Monte Carlo tree search for any game: the move that most of its simulations went through.

It is UCT with RAVE, priors and proved results, on the compiled engine (see `engine/kernels/tree.py`). Its choice
depends on the games that it happens to play, so it can't name its set of moves and is only ever sampled.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players._boards import check_size

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


def make(name: str, game: Game, playouts: int = 1000, seconds: float = 0.0, exploration: float = 0.5) -> TreeSearcher:
    """The player that a spec names: `mcts(playouts=1000)`, `mcts(seconds=0.5)`."""
    check_size(game, "mcts")
    if not 1 <= playouts <= MOST_PLAYOUTS:
        raise BadSpec(f"`mcts` plays 1 to {MOST_PLAYOUTS:,} random games before a move, not {playouts:,}.")
    if not 0 <= exploration < float("inf"):
        raise BadSpec(f"`exploration` is a number from 0 on, not {exploration}.")
    if not 0 <= seconds <= MOST_SECONDS:
        raise BadSpec(f"`seconds` is a time up to {MOST_SECONDS:,.0f} seconds, or 0 to count playouts, not {seconds}.")
    return TreeSearcher(game, playouts, seconds, exploration, name)
