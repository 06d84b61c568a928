"""Is there any table at all? A table comes to an order of the classes of agents, so orders are searched.

Two classes that tie choose from more moves than an order that puts one of them first; so if any table does it, an order
does. First a greedy list, then SAT: which class comes first in each position, and no cycle in what that implies.
"""

import heapq
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from teamplay.learn.classes import ClassBook
from teamplay.learn.far import Far
from teamplay.learn.formula import Budget, Formula
from teamplay.learn.graph import Graph
from teamplay.learn.search import Cegis, Node, in_play
from teamplay.learn.template import Candidate, Fixed, Levels, RuleTest
from teamplay.learn.weights import Weights

MOST_CYCLES = 200  # that one candidate is charged with


def greedy(parts: "list[Cover]", codes: int) -> Levels:
    """A decision list over classes: first those that are good wherever they occur, and so on with what is left.

    Where no class is clean, the one with the least share of failures comes next; the list then goes wrong somewhere,
    which may be where no game leads.
    """
    order: list[int] = []
    done = np.zeros(codes, dtype=np.bool_)
    while True:
        good, bad = np.zeros(codes), np.zeros(codes)
        for part in parts:
            good += part.good(codes)
            bad += part.bad(codes)
        left = np.flatnonzero((good + bad > 0) & ~done)
        if not len(left):
            break
        clean = left[bad[left] == 0]
        if not len(clean):
            share = bad[left] / (good[left] + bad[left])
            clean = left[np.lexsort((-good[left], share))][:1]
        clean = clean[np.argsort(-good[clean], kind="stable")]
        order += clean.tolist()
        done[clean] = True
        for part in parts:
            part.cover(clean)
    levels = np.full(codes, len(order), dtype=np.int32)
    levels[np.array(order, dtype=np.int64)] = np.arange(len(order))
    return levels


class Cover:
    """Some nodes of the team with what is good there, and which of them a list of classes has answered."""

    def __init__(self, graph: Graph, open_: NDArray[np.bool_], good: NDArray[np.bool_]) -> None:
        owner = graph.owner
        kept = open_[owner]
        self.code, self.is_good = graph.code[kept], good[kept]
        self.owner = owner[kept]
        self.open = open_.copy()

    def good(self, codes: int) -> NDArray[np.int64]:
        return np.bincount(self.code[self.is_good], minlength=codes)

    def bad(self, codes: int) -> NDArray[np.int64]:
        return np.bincount(self.code[~self.is_good], minlength=codes)

    def cover(self, codes: NDArray[np.int64]) -> None:
        covered = self.owner[np.isin(self.code, codes)]
        self.open[covered] = False
        kept = self.open[self.owner]
        self.code, self.is_good, self.owner = self.code[kept], self.is_good[kept], self.owner[kept]


class Orders:
    """Orders of codes in clauses. A selector per node lets an unsatisfiable core name the nodes it needs."""

    def __init__(self, budget: Budget, guess: Candidate, book: ClassBook, letters: int) -> None:
        self.formula = Formula(budget)
        self.book, self.letters = book, letters
        self.guess = guess  # what is tried first
        self.selectors: dict[Node, int] = {}
        self._before: dict[tuple[int, int], int] = {}
        self._firsts: dict[Node, list[tuple[int, int, list[int]]]] = {}  # literal, code, codes that come after

    def before(self, one: int, other: int) -> int:
        """The literal that one code comes before another."""
        low, high = min(one, other), max(one, other)
        if (low, high) not in self._before:
            self._before[low, high] = self.formula.var()
        return self._before[low, high] if one == low else -self._before[low, high]

    def constrain(self, search: Cegis, node: Node) -> None:
        selector = self.selectors[node] = self.formula.var()
        options = search.options(node)
        codes = [option.code for option in options]
        firsts = []
        for code, good, children in options:
            if not good:
                continue
            first = self.formula.var()
            others = [other for other in codes if other != code]
            for other in others:
                self.formula.add(-first, self.before(code, other))
            search.leads(first, children)
            firsts.append((first, code, others))
        self.formula.add(-search.reached(node), -selector, *(first for first, _, _ in firsts))
        self._firsts[node] = firsts

    def candidate(self, search: Cegis) -> Candidate | None:
        if isinstance(self.guess, Weights):
            self.guess.choices = list(search.choices())
        implied = self.implied(search, self._firsts)
        return None if self.cut_cycles(implied) else Fixed(self._sorted(implied), self.book, self.letters)

    def assumptions(self) -> list[int]:
        return list(self.selectors.values())

    def implied(self, search: Cegis, nodes: Iterable[Node]) -> nx.DiGraph:
        """Which code comes before which by the model, in the nodes that are reached."""
        graph = nx.DiGraph()
        for node in nodes:
            if self.formula.holds(search.reached(node)):
                chosen = next(each for each in self._firsts[node] if self.formula.holds(each[0]))
                graph.add_edges_from((chosen[1], other) for other in chosen[2])
        return graph

    def cut_cycles(self, graph: nx.DiGraph) -> bool:
        """Rule out the shortest cycles that the model implies."""
        count = 0
        for part in nx.strongly_connected_components(graph):
            if len(part) == 1:
                continue
            inside = graph.subgraph(part)
            seen: set[frozenset[int]] = set()
            for one in sorted(part):
                if count >= MOST_CYCLES:
                    break
                cycle = _shortest_cycle(inside, one)
                if cycle and frozenset(cycle) not in seen:
                    seen.add(frozenset(cycle))
                    following = [*cycle[1:], cycle[0]]
                    self.formula.add(*(-self.before(a, b) for a, b in zip(cycle, following, strict=True)))
                    count += 1
        return count > 0

    def _sorted(self, graph: nx.DiGraph) -> Levels:
        """All codes in an order that the model implies, as near to the guess as it goes."""
        rank = self.guess.levels()
        waiting = dict(graph.in_degree())
        ready = [(int(rank[code]), code) for code in range(len(rank)) if not waiting.get(code)]
        heapq.heapify(ready)
        levels = np.zeros(len(rank), dtype=np.int32)
        place = 0
        while ready:
            _, code = heapq.heappop(ready)
            levels[code] = place
            place += 1
            for after in graph.successors(code) if code in graph else ():
                waiting[after] -= 1
                if not waiting[after]:
                    heapq.heappush(ready, (int(rank[after]), after))
        return levels


def _shortest_cycle(graph: nx.DiGraph, start: int) -> list[int] | None:
    """A shortest cycle through a code, breadth-first."""
    before: dict[int, int | None] = {start: None}
    queue = [start]
    for code in queue:
        for after in sorted(graph.successors(code)):
            if after == start:
                path = [code]
                while (back := before[path[-1]]) is not None:
                    path.append(back)
                return path[::-1]
            if after not in before:
                before[after] = code
                queue.append(after)
    return None


def find_order(
    graphs: Sequence[Graph | Far], book: ClassBook, letters: int, budget: Budget, first: Sequence[RuleTest] = ()
) -> "Ordered":
    """Levels that reach the goal, or nodes that no order can answer together.

    Where all positions are listed a greedy list is the first guess; elsewhere a weighted sum, with the tests `first`
    before it.
    """
    guess: Candidate = Weights(book, letters, first)
    listed = [graph for graph in graphs if isinstance(graph, Graph)]
    if len(listed) == len(graphs):
        codes = len(book.numbers) * letters
        rank = greedy([Cover(graph, in_play(graph) & graph.mine, graph.good) for graph in listed], codes)
        guess = Fixed(rank, book, letters)
        if not any(len(graph.play(rank, 1).failures) for graph in listed):
            return Ordered(guess, [], [])
    encoding = Orders(budget, guess, book, letters)
    search = Cegis(graphs, encoding, budget, "orders")
    try:
        levels = search.run()
        if levels is not None:
            return Ordered(levels, [], list(search.nodes))
        names = {selector: node for node, selector in encoding.selectors.items()}
        core = _smaller(search, encoding, [names[lit] for lit in encoding.formula.core()])
        return Ordered(None, core, list(search.nodes))
    finally:
        encoding.formula.close()


class Ordered(NamedTuple):
    """What came of a search for an order."""

    levels: Candidate | None
    core: list[Node]  # that no order answers, where there is none
    nodes: list[Node]  # that the search had to look at


def _smaller(search: Cegis, encoding: Orders, core: list[Node]) -> list[Node]:
    """Leave out of a core what it does not need, as far as time allows."""
    needed = list(core)
    for node in core:
        if node not in needed:
            continue
        rest = [other for other in needed if other != node]
        chosen = [encoding.selectors[other] for other in rest]
        while True:
            if not encoding.formula.solve(chosen, "why there is none"):
                kept = set(encoding.formula.core())
                needed = [other for other in rest if encoding.selectors[other] in kept]
                break
            if not encoding.cut_cycles(encoding.implied(search, rest)):
                break
    return needed
