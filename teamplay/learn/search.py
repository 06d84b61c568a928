"""The loop that all searches share: a candidate, the positions in which it goes wrong, the next candidate (CEGIS).

Positions become clauses only when a candidate needs them. A position counts only if the choices before it lead there,
so what is said about it hangs on a variable `reached`. That a choice leads to a position is a clause only once the
position is one: most that a choice leads to never matter.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from teamplay.learn.far import Far
from teamplay.learn.formula import Budget, Formula
from teamplay.learn.graph import Graph
from teamplay.learn.template import Candidate

EAGER = 4_000  # nodes up to which all become clauses at once
AT_ONCE = 64  # failures that one candidate is charged with
AT_ONCE_FAR = 8  # the same where a game can't be listed, for there each asks a solver who is to blame

Node = tuple[int, int]  # graph, node


class Option(NamedTuple):
    """What the team may choose in a node: a class and letter, whether that keeps the goal, and the nodes after it."""

    code: int
    good: bool
    children: list[Node]


class Encoding(Protocol):
    """What a candidate is, in clauses."""

    formula: Formula

    def constrain(self, search: "Cegis", node: Node) -> None:
        """Say what the team must do in a node if it is reached."""

    def assumptions(self) -> list[int]:
        """What is asked for beside the clauses."""

    def candidate(self, search: "Cegis") -> Candidate | None:
        """What the model that was found would play; None if clauses were added that rule the model out."""


class Cegis:
    """The nodes that have become clauses, and the search for levels that hold in all others too."""

    def __init__(self, graphs: Sequence[Graph | Far], encoding: Encoding, budget: Budget, doing: str = "") -> None:
        self.graphs, self.encoding, self.budget, self.doing = graphs, encoding, budget, doing
        self.formula = encoding.formula
        self.nodes: dict[Node, None] = {}
        self.lost: set[Node] = set()  # beside what the graphs know to be bad
        self.rounds = 0
        self._reached: dict[Node, int] = {}
        self._ways: dict[Node, list[int]] = {}  # what leads to a node that nothing is said about yet
        for g, graph in enumerate(graphs):
            self.formula.add(self.reached((g, 0)))
            if isinstance(graph, Graph) and graph.nodes <= EAGER:
                self.extend((g, int(n)) for n in np.flatnonzero(in_play(graph)))

    def reached(self, node: Node) -> int:
        """The literal that a node is reached; from now on it follows from what leads there."""
        if node not in self._reached:
            here = self._reached[node] = self.formula.var()
            for literal in self._ways.pop(node, ()):
                self.formula.add(-literal, here)
        return self._reached[node]

    def leads(self, literal: int, nodes: Iterable[Node]) -> None:
        """If a literal holds, these nodes are reached."""
        for node in nodes:
            if node in self._reached:
                self.formula.add(-literal, self._reached[node])
            else:
                self._ways.setdefault(node, []).append(literal)

    def extend(self, nodes: Iterable[Node]) -> int:
        """Make clauses of nodes that are none yet. How many."""
        count = 0
        for node in nodes:
            if node not in self.nodes:
                self.nodes[node] = None
                self._constrain(node)
                count += 1
        return count

    def _constrain(self, node: Node) -> None:
        g, n = node
        if self.graphs[g].mine[n]:
            self.encoding.constrain(self, node)
            return
        for option in self.options(node):
            self.leads(self.reached(node), option.children)

    def options(self, node: Node) -> list[Option]:
        """What may be chosen in a node; one option with every move where the opponent is to move."""
        g, n = node
        return [Option(code, good, [(g, child) for child in after]) for code, good, after in self.graphs[g].choices(n)]

    def choices(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """The good and the bad codes of each of the team's nodes, where it has a choice between both."""
        for node in self.nodes:
            if self.graphs[node[0]].mine[node[1]]:
                options = self.options(node)
                good = [each.code for each in options if each.good and not self.lost.intersection(each.children)]
                bad = [each.code for each in options if each.code not in good]
                if good and bad:
                    yield np.array(good), np.array(bad)

    def run(self) -> Candidate | None:
        """A candidate that holds everywhere, or None if there is none."""
        if any(isinstance(graph, Graph) and not graph.held[0] for graph in self.graphs):
            return None
        while True:
            self.rounds += 1
            text = (
                f"{self.doing}: round {self.rounds}, {len(self.nodes):,} positions in {self.formula.clauses:,} clauses"
            )
            self.budget(text)
            if not self.formula.solve(self.encoding.assumptions(), text):
                return None
            candidate = self.encoding.candidate(self)
            if candidate is not None and not self._refuted(candidate):
                return candidate

    def check(self) -> None:
        """Replay the proof that there is no candidate; where no choice of classes is enough, the graphs show that."""
        if not any(isinstance(graph, Graph) and not graph.held[0] for graph in self.graphs):
            self.formula.check()

    def _refuted(self, candidate: Candidate) -> bool:
        """Whether the candidate goes wrong somewhere; then the ways there become clauses."""
        wrong = False
        for g, graph in enumerate(self.graphs):
            most = AT_ONCE if isinstance(graph, Graph) else AT_ONCE_FAR
            found = graph.refutations(candidate, most, self.budget)
            before = self.formula.clauses
            for way in found:
                self.extend((g, n) for n in way.nodes)
                for lost in {(g, child) for child in way.lost} - self.lost:
                    self.lost.add(lost)
                    self.formula.add(-self.reached(lost))
            wrong |= bool(found)
            assert not found or self.formula.clauses > before, "a candidate goes wrong only where it was not asked"
        return wrong


def in_play(graph: Graph) -> NDArray[np.bool_]:
    """The nodes that good options lead to. [nodes]"""
    reached = np.zeros(graph.nodes, dtype=np.bool_)
    reached[0] = True
    owner = graph.owner
    parent = np.repeat(np.arange(len(graph.code)), np.diff(graph.edges))
    for start, stop in zip(graph.starts, graph.starts[1:], strict=False):
        low, high = graph.edges[graph.options[start]], graph.edges[graph.options[stop]]
        option = parent[low:high]
        child = graph.child[low:high]
        leads = (child >= 0) & graph.good[option] & reached[owner[option]]
        reached[child[leads]] = True
    return reached
