"""How can many rules say the same in fewer? Rules become boxes of counts, and boxes are joined, widened and left out.

A box holds a least and a greatest value for every word. What comes of a change is tried on the listed graphs: it stays
if the table still reaches the goal. So classes that never compete, or that no game meets any more, cost nothing. The
result need not be the shortest; it is a table to read where no search could prove how few rules are enough.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.learn.classes import is_number
from teamplay.learn.formula import Budget, OutOfTime
from teamplay.learn.graph import Graph
from teamplay.learn.template import EVERYONE, NEVER, SILENT, LearnedRule, Levels, RuleTest, Template, holds_in

TRIES = 4  # each makes changes in another order


@dataclass(frozen=True, eq=False)
class Box:
    """A rule: who follows it, between which values each word must lie, and what it answers."""

    heading: str
    least: tuple[int, ...]  # [words]
    most: tuple[int, ...]  # [words]
    priority: int
    letters: tuple[int, ...]


class BoxChange(NamedTuple):
    """Boxes that go, and one that comes, in the place of the first or of the last of them."""

    gone: tuple[Box, ...]
    come: Box | None
    last: bool = False


def compressed(
    graphs: Sequence[Graph], template: Template, rules: Sequence[LearnedRule], budget: Budget
) -> tuple[LearnedRule, ...]:
    """The shortest of the tables that a few tries come to, as far as time allows."""
    best = tuple(rules)
    for seed in range(TRIES):
        work = Compression(graphs, template, rules, budget, seed)
        try:
            work.run()
        except OutOfTime:
            return min(best, work.rules(), key=len)
        best = min(best, work.rules(), key=len)
    return best


class Compression:
    """A table of boxes that reaches the goal, made smaller change by change; roles' sections come before everyone's."""

    def __init__(
        self, graphs: Sequence[Graph], template: Template, rules: Sequence[LearnedRule], budget: Budget, seed: int = 0
    ) -> None:
        self.graphs, self.template, self.budget = graphs, template, budget
        self.low = tuple(template.values.min(axis=1).tolist())
        self.high = tuple(template.values.max(axis=1).tolist())
        self.boxes = [self._box(rule) for rule in rules]
        self.began = len(rules)
        measures = template.book.games[0][1]
        self.counts = [is_number(expression, measures) for expression in measures.expressions]
        self._random = np.random.default_rng(seed)
        self._tests = {holds_in(test, template.values).tobytes(): test for test in reversed(template.tests)}

    def run(self) -> tuple[LearnedRule, ...]:
        """Change after change until none is left that the goal survives."""
        kinds = (self._joined, self._left_out, self._shared, self._widened)
        while sum(self._made(list(kind())) for kind in kinds):
            pass
        return self.rules()

    def rules(self) -> tuple[LearnedRule, ...]:
        """The boxes as rules."""
        return tuple(
            LearnedRule(box.heading, tuple(self._tests_of(box)), box.priority, None, box.letters) for box in self.boxes
        )

    # Changes

    def _made(self, changes: list[BoxChange]) -> int:
        """Make all changes that the goal survives, in a random order; how many."""
        made = 0
        for at in self._random.permutation(len(changes)).tolist():
            self.budget(f"{len(self.boxes)} rules in the place of {self.began}")
            gone, come, last = changes[at]
            places = [place for place, box in enumerate(self.boxes) if box in gone]
            if len(places) < len(gone):  # an earlier change took one
                continue
            boxes: list[Box | None] = [None if box in gone else box for box in self.boxes]
            if come is not None and come.heading == gone[0].heading:
                boxes[places[-1 if last else 0]] = come
            elif come is not None:  # of everyone's now
                begin = next((i for i, box in enumerate(self.boxes) if box.heading == EVERYONE), len(boxes))
                boxes.insert(len(boxes) if last else begin, come)
            less = [box for box in boxes if box is not None]
            if self._holds(less):
                self.boxes, made = less, made + 1
        return made

    def _joined(self) -> Iterator[BoxChange]:
        """One box around two with the same answer."""
        for one, other in combinations(self.boxes, 2):
            if (one.heading, one.priority, one.letters) == (other.heading, other.priority, other.letters):
                hull = self._bounded(one, map(min, one.least, other.least), map(max, one.most, other.most))
                yield from (BoxChange((one, other), hull, last) for last in (False, True))

    def _left_out(self) -> Iterator[BoxChange]:
        yield from (BoxChange((box,), None) for box in self.boxes)

    def _shared(self) -> Iterator[BoxChange]:
        """A box of one role for everyone."""
        for box in self.boxes:
            if box.heading != EVERYONE:
                yield from (BoxChange((box,), replace(box, heading=EVERYONE), last) for last in (False, True))

    def _widened(self) -> Iterator[BoxChange]:
        """A box without one of its bounds."""
        for box in self.boxes:
            for word, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
                if box.least[word] > low:
                    least = (*box.least[:word], low, *box.least[word + 1 :])
                    yield BoxChange((box,), self._bounded(box, least, box.most))
                if box.most[word] < high:
                    most = (*box.most[:word], high, *box.most[word + 1 :])
                    yield BoxChange((box,), self._bounded(box, box.least, most))

    def _bounded(self, box: Box, least: Iterable[int], most: Iterable[int]) -> Box:
        """The box with other bounds; of a mark or a condition only one value or all make sense."""
        bounds = [
            (one, last) if one == last or self.counts[word] else (self.low[word], self.high[word])
            for word, (one, last) in enumerate(zip(least, most, strict=True))
        ]
        return replace(box, least=tuple(one for one, _ in bounds), most=tuple(last for _, last in bounds))

    # What boxes answer

    def _holds(self, boxes: Sequence[Box]) -> bool:
        levels = self._levels(boxes)
        return not any(len(graph.play(levels, 1).failures) for graph in self.graphs)

    def _levels(self, boxes: Sequence[Box]) -> Levels:
        """The level of each class and letter. [codes]"""
        template, letters = self.template, self.template.letters
        levels = np.full((template.values.shape[1], letters), SILENT, dtype=np.int32)
        silent = np.ones(len(levels), dtype=np.bool_)
        for box in boxes:
            fires = silent & self._inside(box)
            levels[fires] = box.priority
            for letter in set(range(letters)) - set(box.letters) if letters > 1 else ():
                levels[fires, letter] = NEVER
            silent &= ~fires
        return levels.reshape(-1)

    def _inside(self, box: Box) -> NDArray[np.bool_]:
        """The classes that a box holds. [classes]"""
        values = self.template.values
        above, below = values >= np.array(box.least)[:, None], values <= np.array(box.most)[:, None]
        inside: NDArray[np.bool_] = np.logical_and.reduce(above & below, axis=0)
        if box.heading != EVERYONE:
            inside &= self.template.role == self.template.roles.index(box.heading)
        return inside

    # Boxes and tests

    def _box(self, rule: LearnedRule) -> Box:
        least, most = list(self.low), list(self.high)
        for test in rule.tests:
            if test.sign in (">=", "="):
                least[test.word] = max(least[test.word], test.number)
            if test.sign in ("<=", "="):
                most[test.word] = min(most[test.word], test.number)
        return Box(rule.heading, tuple(least), tuple(most), rule.priority, rule.letters)

    def _tests_of(self, box: Box) -> Iterator[RuleTest]:
        """The tests of a box; of those that hold in the same classes the cheapest."""
        for word, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            least, most = box.least[word], box.most[word]
            bounds = [(">=", least)] * (least > low) + [("<=", most)] * (most < high)
            for sign, number in [("=", least)] if bounds and least == most else bounds:
                wanted = RuleTest("", 0, word, sign, number)
                yield self._tests[holds_in(wanted, self.template.values).tobytes()]
