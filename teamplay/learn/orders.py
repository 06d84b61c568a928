"""Is there any table at all? A table comes to an order of the classes of agents, so orders are searched.

Two classes that tie choose from more moves than an order that puts one of them first; so if any table does it, an order
does. First a greedy list, then SAT: which class comes first in each position, and no cycle in what that implies.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.learn.classes import ClassBook
from teamplay.learn.far import Far
from teamplay.learn.formula import Budget, Formula
from teamplay.learn.graph import Graph
from teamplay.learn.precedence import Precedence
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
    """Orders of codes in clauses. A selector per node lets an unsatisfiable core name the nodes it needs.

    The solver tries first what the guess says of two codes: where positions leave it free, its models then are orders
    already, and few cycles have to be ruled out.
    """

    def __init__(self, budget: Budget, guess: Candidate, book: ClassBook, letters: int) -> None:
        self.formula = Formula(budget)
        self.book, self.letters = book, letters
        self.guess = guess
        self.selectors: dict[Node, int] = {}
        self._rank = guess.levels()
        self._before: dict[tuple[int, int], int] = {}
        self._places: dict[Node, int] = {}
        self._reached: list[int] = []  # by the place of a node the literal that it is reached
        self._firsts = Firsts([], [], [], [])

    def before(self, one: int, other: int) -> int:
        """The literal that one code comes before another."""
        low, high = min(one, other), max(one, other)
        if (low, high) not in self._before:
            literal = self._before[low, high] = self.formula.var()
            if high < len(self._rank):
                self.formula.prefer(literal if self._rank[low] <= self._rank[high] else -literal)
        return self._before[low, high] if one == low else -self._before[low, high]

    def constrain(self, search: Cegis, node: Node) -> None:
        selector = self.selectors[node] = self.formula.var()
        place = self._places[node] = len(self._reached)
        self._reached.append(search.reached(node))
        options = search.options(node)
        codes = [option.code for option in options]
        present = sum(1 << code for code in codes)
        firsts = []
        for code, good, children in options:
            if not good:
                continue
            first = self.formula.var()
            for other in codes:
                if other != code:
                    self.formula.add(-first, self.before(code, other))
            search.leads(first, children)
            firsts.append(first)
            self._firsts.add(place, first, code, present & ~(1 << code))
        self.formula.add(-search.reached(node), -selector, *firsts)

    def candidate(self, search: Cegis) -> Candidate | None:
        if isinstance(self.guess, Weights):
            self.guess.choices = list(search.choices())
        self._rank = self.guess.levels()
        implied = self.implied(self._places)
        if implied.has_cycle():
            self.cut_cycles(implied)
            return None
        return Fixed(implied.order(self._rank), self.book, self.letters)

    def assumptions(self) -> list[int]:
        return list(self.selectors.values())

    def implied(self, nodes: Iterable[Node]) -> Precedence:
        """Which code comes before which by the model, in those of the nodes that are reached.

        Where the model would let several codes come first, the one that the guess has first does.
        """
        found, model = Precedence(), self.formula.model()
        reached = np.zeros(len(self._reached), dtype=np.bool_)
        asked = [self._places[node] for node in nodes]
        reached[asked] = model[np.array(self._reached, dtype=np.int64)[asked]]
        place, literal, code = (np.array(each, dtype=np.int64) for each in self._firsts[:3])
        held = np.flatnonzero(model[literal] & reached[place])
        held = held[np.lexsort((self._rank[code[held]], place[held]))]
        for at in held[np.flatnonzero(np.diff(place[held], prepend=-1))].tolist():
            found.add(self._firsts.code[at], self._firsts.others[at])
        return found

    def cut_cycles(self, implied: Precedence) -> bool:
        """Rule out the shortest cycles that the model implies; whether there are any."""
        cycles = list(implied.cycles(MOST_CYCLES))
        for cycle in cycles:
            following = [*cycle[1:], cycle[0]]
            self.formula.add(*(-self.before(a, b) for a, b in zip(cycle, following, strict=True)))
        return bool(cycles)


class Firsts(NamedTuple):
    """The codes that may come first in a node: the node's place, the literal, the code, the others there as bits."""

    place: list[int]
    literal: list[int]
    code: list[int]
    others: list[int]

    def add(self, place: int, literal: int, code: int, others: int) -> None:
        for column, value in zip(self, (place, literal, code, others), strict=True):
            column.append(value)


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
        core = _smaller(encoding, [names[lit] for lit in encoding.formula.core()])
        return Ordered(None, core, list(search.nodes))
    finally:
        encoding.formula.close()


class Ordered(NamedTuple):
    """What came of a search for an order."""

    levels: Candidate | None
    core: list[Node]  # that no order answers, where there is none
    nodes: list[Node]  # that the search had to look at


def _smaller(encoding: Orders, core: list[Node]) -> list[Node]:
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
            if not encoding.cut_cycles(encoding.implied(rest)):
                break
    return needed
