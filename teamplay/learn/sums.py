"""A table whose last rule is a weighted sum of counts: what ends the game first, forks next, then the sum.

Where a game can't be listed this is tried before any order: a sum has a handful of numbers, so a few positions in which
it went wrong say a lot about all others. It is a table of the language, but none of the template that rules are counted
in: there priorities are constants, or `c - n(…)`.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from teamplay.game import Game
from teamplay.grid import ROLES
from teamplay.learn.classes import ClassBook
from teamplay.learn.far import Far
from teamplay.learn.formula import Budget
from teamplay.learn.template import Levels, RuleTest, Template
from teamplay.learn.weights import Choice, Weights
from teamplay.learn.writing import deed

BEFORE = (("win", 1), ("block", 1), ("fork", 2), ("unfork", 2))  # what comes before the sum, if it is counted
AT_ONCE = 16  # failures that one sum is charged with
ROUNDS = 60  # sums that are tried


class Sum:
    """A weighted sum as a candidate."""

    def __init__(self, book: ClassBook, first: Sequence[tuple[str, RuleTest]]) -> None:
        self.book, self.first = book, first
        self.weights = Weights(book, 1, [test for _, test in first])

    def levels(self) -> Levels:
        return self.weights.as_they_are()

    def text(self, game: Game) -> str:
        """The sum as a table."""
        words = self.book.vocabulary.texts
        weights = self.weights.of_words()
        sums = np.array([sum(map(_times, weights, each[1:])) for each in self.book.described])  # type: ignore[arg-type]
        top = 10 ** len(str(int(np.abs(sums).max(initial=1)) + max(map(abs, weights[len(words) :]))))
        taken = "".join(_part(weight, word) for weight, word in zip(weights, words, strict=False) if weight)
        lines = [f"game {game}", *([self.book.vocabulary.sight] if self.book.vocabulary.sight else [])]
        lines += ["", "everyone:"]
        for place, (name, test) in enumerate(self.first, 1):
            lines.append(f"    {name}: if {test.text} then return {place}")
        roles = dict(zip(ROLES, weights[len(words) :], strict=True))
        present = [role for role in ROLES if any(each[0] == role for each in self.book.described)]
        apart = [role for role in present if roles[role]]
        for role in apart:
            lines += ["", f"{role}:", f"    weigh: return {top - roles[role]}{taken}"]
        if len(apart) < len(present):
            lines += ["", "others:"] if apart else []
            lines.append(f"    weigh: return {top}{taken}")
        return "\n".join(lines) + "\n"


def find_sum(far: Far, template: Template, budget: Budget) -> Sum | None:
    """A sum that reaches the goal; None if some are tried and none does."""
    found = Sum(far.book, list(_first(far.game, template)))
    choices: dict[int, Choice] = {}
    for _ in range(ROUNDS):
        budget(f"weighted sums: {len(choices):,} positions")
        found.weights.choices = list(choices.values())
        found.weights.learn()
        ways = far.refutations(found, AT_ONCE, budget)
        if not ways:
            return found
        for way in ways:
            good, bad = far.judged(way)
            if len(good) and len(bad):
                choices[way.nodes[-1]] = (np.array(good), np.array(bad))
    return None


def _first(game: Game, template: Template) -> Iterator[tuple[str, RuleTest]]:
    """Tests of what comes before the sum, with their names."""
    for name, number in BEFORE:
        for test in template.tests:
            if test.sign == ">=" and test.number == number and deed(test, game) == name:
                yield name, test


def _times(weight: int, value: int) -> int:
    return weight * int(value)


def _part(weight: int, word: str) -> str:
    """What a word takes off, or adds: ` - 3 * n(bbx)`."""
    factor = f"{abs(weight)} * " if abs(weight) != 1 else ""
    return f" {'-' if weight > 0 else '+'} {factor}{word}"
