"""Levels in clauses: in each position every class at the least level must be a good choice.

`Free` lets every class have any level, which tells how many distinct answers any table needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from teamplay.learn.classes import ClassBook
from teamplay.learn.far import Far
from teamplay.learn.formula import Budget, Formula
from teamplay.learn.graph import Graph
from teamplay.learn.search import Cegis, Node
from teamplay.learn.template import NEVER, SILENT, Candidate, Fixed


@dataclass(frozen=True)
class AnswerVars:
    """The variables of one class: is its level at most this, is this letter played?"""

    at_most: dict[int, int]
    plays: list[int]  # none where marks are each player's own


class Ranks:
    """Levels from `low` to `top`, and silence above them."""

    def __init__(self, formula: Formula, letters: int, low: int, top: int) -> None:
        self.formula, self.letters, self.low, self.top = formula, letters, low, top

    def of_class(self, number: int) -> AnswerVars:
        """The variables of a class, made when a position first needs them."""
        raise NotImplementedError

    def new_answer(self) -> AnswerVars:
        """Variables for another class."""
        at_most = {level: self.formula.var() for level in range(self.low, self.top + 1)}
        for level in range(self.low, self.top):
            self.formula.add(-at_most[level], at_most[level + 1])
        return AnswerVars(at_most, self.formula.vars(self.letters) if self.letters > 1 else [])

    def constrain(self, search: Cegis, node: Node) -> None:
        """Every class at the least level is good; where all are silent, every class."""
        formula, letters = self.formula, self.letters
        here, options = search.reached(node), search.options(node)
        classes = {option.code // letters for option in options}
        least = {level: formula.var() for level in range(self.low, self.top + 1)}  # somebody answers at most this
        for level, some in least.items():
            formula.add(-some, *(self.of_class(number).at_most[level] for number in classes))
        for option in options:
            number, letter = divmod(option.code, letters)
            answer = self.of_class(number)
            unplayed = [-answer.plays[letter]] if letters > 1 else []
            if option.good and not option.children:
                continue
            chosen = [formula.var()] if option.good else []  # nothing: it must not be chosen
            for level in range(self.low, self.top + 1):
                below = [least[level - 1]] if level > self.low else []
                formula.add(-here, -answer.at_most[level], *below, *unplayed, *chosen)
            silent = [least[self.top]] if self.top >= self.low else []
            formula.add(-here, *silent, *chosen)
            if chosen:
                search.leads(chosen[0], option.children)


class Free(Ranks):
    """Every class has the level that it likes; `levels` of them, silence among them."""

    def __init__(self, book: ClassBook, letters: int, levels: int, budget: Budget) -> None:
        super().__init__(Formula(budget, proved=True), letters, 1, levels - 1)
        self.book = book
        self._answers: dict[int, AnswerVars] = {}

    def of_class(self, number: int) -> AnswerVars:
        if number not in self._answers:
            answer = self._answers[number] = self.new_answer()
            if answer.plays:
                self.formula.add(*answer.plays)
        return self._answers[number]

    def assumptions(self) -> list[int]:
        return []

    def candidate(self, search: Cegis) -> Candidate | None:
        """The levels of the model; a class that no clause speaks of is silent."""
        levels = np.full((len(self.book.numbers), self.letters), SILENT, dtype=np.int32)
        for number, answer in self._answers.items():
            low = [level for level, literal in answer.at_most.items() if self.formula.holds(literal)]
            if low:
                levels[number] = min(low)
                for letter, literal in enumerate(answer.plays):
                    if not self.formula.holds(literal):
                        levels[number, letter] = NEVER
        return Fixed(levels.reshape(-1), self.book, self.letters)


def fewest_levels(
    graphs: Sequence[Graph | Far], book: ClassBook, letters: int, budget: Budget, most: int
) -> tuple[int, Candidate | None]:
    """How many distinct answers a table needs at the least, silence being one, and levels that do it.

    None for the levels: not even `most` are enough.
    """
    known: list[Node] = []
    for levels in range(1, most + 1):
        search = Cegis(graphs, Free(book, letters, levels, budget), budget, f"{levels} levels")
        search.extend(known)
        try:
            found = search.run()
            known = list(search.nodes)
            if found is None:
                search.check()
        finally:
            search.formula.close()
        if found is not None:
            return levels, found
    return most + 1, None
