"""Monte Carlo tree search on the compiled engine: which move most simulations went through."""

import time
from dataclasses import dataclass

import numpy as np

from teamplay.engine.arrays import board_of, game_arrays
from teamplay.engine.compiled import switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import tree as kernel
from teamplay.engine.kernels.game import NOBODY
from teamplay.engine.kernels.tree import NodeTree, PlayoutDesk, Root
from teamplay.engine.playouts import seeded
from teamplay.game import Game, Move, Position

FEW = 3_000  # simulations times cells, of all searches so far, that plain kernels make before the compiler has loaded
MOST_NODES = 4_000_000
SLICE = 0.02  # seconds between two looks at the clock, and for Ctrl-C
FIRST_STEP = 16  # simulations before the first look


@dataclass(frozen=True)
class RootMove:
    """A move at the root: how often it was tried, what it gained, and who wins after it, if that is proved."""

    move: Move
    visits: int
    gain: float  # the mean, of the seat to move: 1 for a win, a half for a draw
    winner: int | None  # a seat; 2 for a draw; None where nothing is proved


class TreeSearch:
    """Searches positions of one game; `large` forces or forbids the compiler."""

    def __init__(self, game: Game, exploration: float, large: bool | None = None) -> None:
        self.game, self.exploration, self.large = game, exploration, large
        self._arrays = game_arrays(game)
        self._tree: NodeTree | None = None
        self._asked = 0  # simulations times cells, of all searches so far

    def candidates(self, position: Position, simulations: int, seconds: float, seed: int) -> list[RootMove]:
        """The moves that were tried, after N simulations or some seconds, whichever comes first; 0 is no bound."""
        cells, actions = self.game.grid.size, self.game.grid.size * self._arrays.letters
        self._asked += simulations * cells
        large = bool(seconds) or self._asked > FEW if self.large is None else self.large
        quick = kernels(kernel, large, switched_off(self._arrays))
        # Every simulation but the first of a node adds a family of at most all actions.
        nodes = min(MOST_NODES, (simulations or MOST_NODES) * actions + actions + 1)
        tree, desk = self._empty_tree(nodes, 1 - position.seat), _desk(cells, actions, seed)
        root = Root(board_of(self.game, position), position.seat, position.scores[0] - position.scores[1])
        done, step, end = 0, FIRST_STEP, time.perf_counter() + seconds
        while not simulations or done < simulations:
            begun = time.perf_counter()
            count = min(step, simulations - done) if simulations else step
            made = quick.search(self._arrays, root, tree, desk, self.exploration, done + 1, count)
            done += made
            now = time.perf_counter()
            if made < count or (seconds and now >= end):
                break
            step = max(1, min(step * 2, int(step * SLICE / max(now - begun, 1e-6))))
        return self._found(tree)

    def _empty_tree(self, nodes: int, mover: int) -> NodeTree:
        """A tree with a root alone, and room for N nodes at least.

        The arrays of the last search are used again, for fresh memory costs time. N nodes are either all that the
        simulations can need, or the most that there ever are; so the room that is left over never changes a choice.
        """
        if self._tree is None or len(self._tree.action) < nodes:
            self._tree = _tree(nodes)
        tree = self._tree
        tree.used[0] = 1
        for array in (tree.first, tree.families, tree.visits, tree.gain, tree.later, tree.later_gain):
            array[0] = 0
        tree.result[0] = NOBODY
        tree.mover[0] = mover
        return tree

    def _found(self, tree: NodeTree) -> list[RootMove]:
        first, count = int(tree.first[0]), int(tree.families[0])
        letters, marks = self._arrays.letters, self.game.marks
        found = []
        for child in range(first, first + count):
            cell, letter = divmod(int(tree.action[child]), letters)
            move = Move(cell, marks[letter if self.game.shared else int(tree.mover[child])])
            visits, result = int(tree.visits[child]), int(tree.result[child])
            gain = float(tree.gain[child]) / visits if visits else 0.0
            found.append(RootMove(move, visits, gain, None if result == NOBODY else result))
        return found


def best(candidates: list[RootMove], seat: int) -> list[RootMove]:
    """The moves to choose from: proved wins, else the most tried of those that are not proved lost."""
    for wanted in (
        [each for each in candidates if each.winner == seat],
        [each for each in candidates if each.winner != 1 - seat],
        candidates,
    ):
        if wanted:
            most = max(each.visits for each in wanted)
            return [each for each in wanted if each.visits == most]
    return []


def _tree(nodes: int) -> NodeTree:
    return NodeTree(
        action=np.zeros(nodes, dtype=np.int32),
        mover=np.zeros(nodes, dtype=np.int8),
        first=np.zeros(nodes, dtype=np.int32),
        families=np.zeros(nodes, dtype=np.int32),
        visits=np.zeros(nodes, dtype=np.int32),
        gain=np.zeros(nodes, dtype=np.float64),
        later=np.zeros(nodes, dtype=np.int32),
        later_gain=np.zeros(nodes, dtype=np.float64),
        prior=np.zeros(nodes, dtype=np.float64),
        result=np.full(nodes, NOBODY, dtype=np.int8),
        whole=np.zeros(nodes, dtype=np.bool_),
        used=np.ones(1, dtype=np.int64),
    )


def _desk(cells: int, actions: int, seed: int) -> PlayoutDesk:
    return PlayoutDesk(
        board=np.zeros(cells, dtype=np.int8),
        path=np.zeros(cells + 2, dtype=np.int32),
        cells=np.zeros(max(actions, cells), dtype=np.int32),
        priors=np.zeros(max(actions, cells), dtype=np.float64),
        changed=np.zeros(cells, dtype=np.int64),
        stamps=np.zeros((2, actions), dtype=np.int32),
        state=seeded(seed),
    )
