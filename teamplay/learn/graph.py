"""Every position of a game with the classes of its moves: what a team with this vocabulary could choose, and should.

A node is a position; an *option* of the team is a class of agents (and a letter), and choosing it may make any of its
moves. Where the opponent is to move there is one option with every move. Layers have one mark more each, so one pass
from the end to the start says which nodes a team can hold if it may choose a class in every position as it likes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.game import NOBODY
from teamplay.engine.keys import Keys
from teamplay.engine.layers import SMALL_JOB, Layers, fits
from teamplay.errors import BadSpec, TeamplayError
from teamplay.game import SEATS, Game
from teamplay.language import Source, read_rulebook
from teamplay.learn.classes import ClassBook, Classifier
from teamplay.learn.template import Candidate, Levels
from teamplay.proof.goals import ProofGoal, bad_winners, forbids_slips

MOST_NODES = 3_000_000
MOST_EDGES = 15_000_000  # some hundred bytes each while the graph is made
OPPONENT = -1  # the option of a node in which the opponent moves

Watch = Callable[[str], None]  # told what is done; raises to stop


class TooManyNodes(TeamplayError):
    """A game too large to list."""


@dataclass
class Graph:
    """All positions of one game that can be met with a team in one seat; arrays over nodes, options and edges."""

    game: Game
    seat: int
    goal: ProofGoal
    keys: Keys  # [nodes]
    starts: list[int]  # where each layer begins, and the end
    mine: NDArray[np.bool_]  # [nodes]: is the team to move?
    options: NDArray[np.int64]  # [nodes + 1]: where the options of each node begin
    code: NDArray[np.int64]  # [options]: class * letters + letter, or OPPONENT
    edges: NDArray[np.int64]  # [options + 1]: where the edges of each option begin
    child: NDArray[np.int64]  # [edges]: the node after the move, or -1 where the game is over
    won: NDArray[np.int8]  # [edges]: who has won
    value: NDArray[np.int8] = field(init=False)  # [nodes]: what perfect play brings the team
    good: NDArray[np.bool_] = field(init=False)  # [options]: keeps the goal in reach if classes are chosen freely
    held: NDArray[np.bool_] = field(init=False)  # [nodes]: has a good option

    def __post_init__(self) -> None:
        self.value = self._values()
        self.good, self.held = self._class_game()

    @property
    def nodes(self) -> int:
        return len(self.keys)

    @property
    def owner(self) -> NDArray[np.int64]:
        """The node of each option. [options]"""
        return np.repeat(np.arange(self.nodes), np.diff(self.options))

    def _ends(self) -> NDArray[np.int8]:
        """What the end of each edge brings the team, 0 where the game goes on. [edges]"""
        ends = np.zeros(len(self.won), dtype=np.int8)
        ends[self.won == self.seat] = 1
        ends[self.won == 1 - self.seat] = -1
        return ends

    def _values(self) -> NDArray[np.int8]:
        value = np.zeros(self.nodes, dtype=np.int8)
        ends = self._ends()
        first = self.edges[self.options]
        for start, stop in reversed(list(zip(self.starts, self.starts[1:], strict=False))):
            low, high = first[start], first[stop]
            child = self.child[low:high]
            worth = np.where(child >= 0, value[child], ends[low:high])
            at = (first[start:stop] - low).astype(np.int64)
            best, worst = np.maximum.reduceat(worth, at), np.minimum.reduceat(worth, at)
            value[start:stop] = np.where(self.mine[start:stop], best, worst)
        return value

    def bad_edges(self) -> NDArray[np.bool_]:
        """The moves that break the goal by themselves. [edges]"""
        bad = np.zeros(len(self.won), dtype=np.bool_)
        for winner in bad_winners(self.goal, self.seat):
            bad |= self.won == (2 if winner is None else winner)
        if forbids_slips(self.goal):
            parent = np.repeat(np.arange(self.nodes), np.diff(self.edges[self.options]))
            after = np.where(self.child >= 0, self.value[self.child], self._ends())
            bad |= self.mine[parent] & (self.value[parent] == 1) & (after < 1)
        return bad

    def _class_game(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        good, held = np.zeros(len(self.code), dtype=np.bool_), np.zeros(self.nodes, dtype=np.bool_)
        bad = self.bad_edges()
        for start, stop in reversed(list(zip(self.starts, self.starts[1:], strict=False))):
            one, last = self.options[start], self.options[stop]
            low, high = self.edges[one], self.edges[last]
            child = self.child[low:high]
            fine = ~bad[low:high] & ((child < 0) | held[child])
            good[one:last] = np.logical_and.reduceat(fine, self.edges[one:last] - low)
            held[start:stop] = np.logical_or.reduceat(good[one:last], self.options[start:stop] - one)
        return good, held

    def play(self, levels: Levels, enough: int | None = None) -> "Play":
        """Where a table leads that gives every option a level; `levels` is by code, the opponent's moves all count.

        With `enough` it goes no further than the layer in which so many bad choices are made.
        """
        reached, chosen = np.zeros(self.nodes, dtype=np.bool_), np.zeros(len(self.code), dtype=np.bool_)
        parent = np.full(self.nodes, -1, dtype=np.int64)
        level_of = np.append(levels, 0)  # the last is the opponent's
        reached[0] = True
        failures = 0
        for start, stop in zip(self.starts, self.starts[1:], strict=False):
            here = np.flatnonzero(reached[start:stop]) + start
            if not len(here):
                break
            options, owner = _ranges(self.options[here], self.options[here + 1])
            level = level_of[self.code[options]]
            best = np.minimum.reduceat(level, np.searchsorted(owner, np.arange(len(here))))
            taken = level == best[owner]
            chosen[options[taken]] = True
            failures += int(np.count_nonzero(~self.good[options[taken]] & self.held[here[owner[taken]]]))
            if enough is not None and failures >= enough:
                break
            edges, option = _ranges(self.edges[options[taken]], self.edges[options[taken] + 1])
            child = self.child[edges]
            after = child[child >= 0]
            reached[after] = True
            parent[after] = here[owner[taken][option]][child >= 0]
        return Play(self, reached, chosen, parent)

    def choices(self, node: int) -> list[tuple[int, bool, list[int]]]:
        """The options of a node: code, whether it is good, the nodes after it."""
        found = []
        for option in range(int(self.options[node]), int(self.options[node + 1])):
            after = self.child[self.edges[option] : self.edges[option + 1]]
            found.append((int(self.code[option]), bool(self.good[option]), sorted(set(after[after >= 0].tolist()))))
        return found

    def refutations(self, candidate: Candidate, most: int, watch: Watch) -> "list[Way]":
        """Ways to nodes in which a candidate chooses badly, the earliest: ways to them are short."""
        play = self.play(candidate.levels(), most)
        failures = play.failures
        step = max(1, len(failures) // most)
        return [Way(play.path(int(node)), []) for node in failures[::step][:most]]


class Way(NamedTuple):
    """A way to a failure: the nodes from the start, and nodes that are known to be lost."""

    nodes: list[int]
    lost: list[int]


def _ranges(first: NDArray[np.int64], last: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All numbers of some ranges one after the other, and for each the place of its range."""
    lengths = last - first
    owner = np.repeat(np.arange(len(first)), lengths)
    starts = np.cumsum(lengths) - lengths
    return np.arange(int(lengths.sum())) - starts[owner] + first[owner], owner


@dataclass
class Play:
    """All that may happen when the team plays by some levels."""

    graph: Graph
    reached: NDArray[np.bool_]  # [nodes]
    chosen: NDArray[np.bool_]  # [options]
    parent: NDArray[np.int64]  # [nodes]: a node before, for nodes that are reached

    @property
    def failures(self) -> NDArray[np.int64]:
        """The nodes that could be held and in which an option is chosen that is not good, the earliest first.

        A node that can't be held is another's failure, except the start.
        """
        wrong = np.flatnonzero(self.chosen & ~self.graph.good)
        nodes: NDArray[np.int64] = np.unique(np.searchsorted(self.graph.options, wrong, side="right") - 1)
        kept: NDArray[np.int64] = nodes[self.graph.held[nodes] | (nodes == 0)]
        return kept

    def path(self, node: int) -> list[int]:
        """The nodes from the start to one that is reached."""
        found = [node]
        while self.parent[found[-1]] >= 0:
            found.append(int(self.parent[found[-1]]))
        return found[::-1]


def build(book: ClassBook, game: Game, seats: tuple[int, ...], goal: ProofGoal, watch: Watch) -> list[Graph]:
    """The graphs of a game for some seats, up to symmetry where the vocabulary is symmetric."""
    if not fits(game):
        raise BadSpec(f"{game} is too large to learn exactly: a position must fit into a number of 62 bits.")
    large = game.grid.size > SMALL_JOB
    classifier = Classifier(book, game, large)
    silent = read_rulebook(Source("silent", "everyone: return 1"), game)
    layers = Layers(silent, 0, classifier.symmetric, compiles=large)
    layer = layers.layers[0]
    all_layers, moves = [layer], []
    total, edges = 1, 0
    while len(layer):
        found = layers.branches(layer)
        moves.append(found)
        layer = np.unique(found[3][found[4] == NOBODY])
        total += len(layer)
        all_layers.append(layer)
        watch(f"{total:,} positions of {game}")
        edges += found.shape[1]
        if total > MOST_NODES or edges > MOST_EDGES:
            raise TooManyNodes(f"{game} has more than {MOST_NODES:,} positions, which are too many to list.")
    all_layers.pop()
    return [_graph(game, seat, goal, all_layers, moves, classifier, watch) for seat in seats]


def _graph(
    game: Game, seat: int, goal: ProofGoal, layers: list[Keys], moves: list[Keys], classifier: Classifier, watch: Watch
) -> Graph:
    """The graph of one seat."""
    letters = len(game.marks) if game.shared else 1
    starts = [0, *np.cumsum([len(layer) for layer in layers]).tolist()]
    codes, children, wons, parents = [], [], [], []
    mine = [(layer >> 2 * game.grid.size) & 1 == seat for layer in layers]
    for i, (layer, found) in enumerate(zip(layers, moves, strict=True)):
        where, cell, mark, key, won = found
        code = np.full(len(where), OPPONENT, dtype=np.int64)
        own = mine[i][where]
        if own.any():
            code[own] = classifier.classes(layer, where[own], cell[own]) * letters
            code[own] += mark[own] - 1 if game.shared else 0
        child = np.full(len(where), -1, dtype=np.int64)
        if i + 1 < len(layers):
            goes_on = won == NOBODY
            child[goes_on] = np.searchsorted(layers[i + 1], key[goes_on]) + starts[i + 1]
        order = np.lexsort((code, where))
        codes.append(code[order])
        children.append(child[order])
        wons.append(won[order].astype(np.int8))
        parents.append(where[order] + starts[i])
        watch(f"{starts[i + 1]:,} of {starts[-1]:,} positions of {game}, moving {SEATS[seat]}")
    code, parent = np.concatenate(codes), np.concatenate(parents)
    new = np.ones(len(code), dtype=np.bool_)
    new[1:] = (code[1:] != code[:-1]) | (parent[1:] != parent[:-1])
    first = np.flatnonzero(new)
    owner = parent[first]
    return Graph(
        game=game,
        seat=seat,
        goal=goal,
        keys=np.concatenate(layers),
        starts=starts,
        mine=np.concatenate(mine),
        options=np.searchsorted(owner, np.arange(starts[-1] + 1)),
        code=code[first],
        edges=np.append(first, len(code)),
        child=np.concatenate(children),
        won=np.concatenate(wons),
    )
