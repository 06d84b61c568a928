"""What a learned table may look like: rules with a heading, a conjunction of tests, and a priority.

A priority is a constant or `c - n(…)`. Levels and texts are worked out here, from the rules alone, so that what a
solver says about them can be checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from teamplay.game import Game
from teamplay.grid import ROLES
from teamplay.language.expressions import Reading
from teamplay.language.features import OFF, is_mark
from teamplay.learn.classes import ClassBook, is_condition

EVERYONE, OTHERS = "everyone", "others"
NEVER = np.iinfo(np.int32).max  # the level of an option that is not played
SILENT = NEVER - 1
MOST_MET = 400  # positions of random games from which the numbers in tests are taken where a game can't be listed

Levels = NDArray[np.int32]  # [codes]: the least is the most urgent; a code is a class and a letter


class Candidate(Protocol):
    """Something that plays: a table, an order, any levels."""

    def levels(self) -> Levels:
        """The level of every code that is known by now."""


@dataclass(frozen=True)
class Fixed:
    """Levels that are known once and for all; codes that are met later come last."""

    given: Levels
    book: ClassBook
    letters: int

    def levels(self) -> Levels:
        missing = len(self.book.numbers) * self.letters - len(self.given)
        return np.concatenate([self.given, np.full(missing, SILENT, dtype=np.int32)]) if missing else self.given


@dataclass(frozen=True)
class RuleTest:
    """One comparison: its text, what it costs a reader, and in which classes it holds."""

    text: str
    cost: int
    word: int  # the place of the word in the vocabulary
    sign: str
    number: int


@dataclass(frozen=True)
class Slope:
    """What a priority takes off: a word of the vocabulary."""

    word: int
    text: str


@dataclass(frozen=True)
class LearnedRule:
    """One rule: who follows it, when it holds, what it answers."""

    heading: str
    tests: tuple[RuleTest, ...]
    priority: int
    slope: Slope | None = None
    letters: tuple[int, ...] = ()  # by their places in the game's marks; none where marks are each player's own


@dataclass
class Template:
    """The tests and headings that rules may use, and what holds in which class."""

    book: ClassBook
    letters: int
    slopes: tuple[Slope, ...] = ()
    whole: bool = True  # are all classes known already?
    tests: list[RuleTest] = field(init=False)
    exact: list[RuleTest] = field(init=False)  # those that say what a word comes to
    roles: list[str] = field(init=False)
    truth: NDArray[np.bool_] = field(init=False)  # [tests, classes]
    values: NDArray[np.int64] = field(init=False)  # [words, classes]
    role: NDArray[np.int64] = field(init=False)  # [classes], by their places in `roles`

    def __post_init__(self) -> None:
        described = self.book.described
        self.roles = [role for role in ROLES if any(each[0] == role for each in described)]
        self._measure()
        every = _tests(self)
        self.exact = [test for test in every if test.sign == "="]
        self.tests = self._distinct(every) if self.whole else every
        self.grow()

    def grow(self) -> None:
        """Take in classes that were met since."""
        self._measure()
        rows = [holds_in(test, self.values) for test in self.tests]
        self.truth = np.array(rows, dtype=np.bool_).reshape(len(rows), self.values.shape[1])

    def _measure(self) -> None:
        described = self.book.described
        self.role = np.array([self.roles.index(str(each[0])) for each in described], dtype=np.int64)
        words = 0 if self.book.vocabulary.cells else len(self.book.vocabulary.texts)
        rows = [[each[1 + word] for each in described] for word in range(words)]
        self.values = np.array(rows, dtype=np.int64).reshape(words, len(described))

    def _distinct(self, tests: list[RuleTest]) -> list[RuleTest]:
        """Of tests that hold in the very same classes the cheapest; none that hold everywhere or nowhere."""
        kept: dict[bytes, RuleTest] = {}
        for test in sorted(tests, key=lambda test: test.cost):
            held = holds_in(test, self.values)
            if held.any() and not held.all():
                kept.setdefault(held.tobytes(), test)
        return list(kept.values())

    def applies(self, rule: LearnedRule, named: set[str]) -> NDArray[np.bool_]:
        """The classes that a rule speaks to and in which it holds. [classes]"""
        roles = {EVERYONE: set(self.roles), OTHERS: set(self.roles) - named}.get(rule.heading, {rule.heading})
        held = np.isin(self.role, [i for i, role in enumerate(self.roles) if role in roles])
        for test in rule.tests:
            held &= holds_in(test, self.values)
        return held

    def answers(self, rules: Sequence[LearnedRule]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rule that answers in each class, -1 for silence, and the priority, SILENT for silence. [classes]"""
        named = {rule.heading for rule in rules}
        by = np.full(self.values.shape[1], -1, dtype=np.int64)
        priority = np.full(self.values.shape[1], SILENT, dtype=np.int64)
        for i, rule in enumerate(rules):
            fires = self.applies(rule, named) & (by < 0)
            by[fires] = i
            priority[fires] = rule.priority - (self.values[rule.slope.word][fires] if rule.slope else 0)
        return by, priority

    def levels(self, rules: Sequence[LearnedRule]) -> Levels:
        """The level of each class and letter. [codes]"""
        by, priority = self.answers(rules)
        levels = np.repeat(priority, self.letters).reshape(-1, self.letters)
        if self.letters > 1:
            for i, rule in enumerate(rules):
                unplayed = [letter for letter in range(self.letters) if letter not in rule.letters]
                for letter in unplayed:
                    levels[by == i, letter] = NEVER
        return levels.reshape(-1).astype(np.int32)


@dataclass(frozen=True)
class Written:
    """A table as a candidate."""

    rules: tuple[LearnedRule, ...]
    template: Template

    def levels(self) -> Levels:
        if len(self.template.book.numbers) > self.template.values.shape[1]:
            self.template.grow()
        return self.template.levels(self.rules)


def _tests(template: Template) -> list[RuleTest]:
    """Every comparison of a word with a number or a mark that occurs."""
    found: list[RuleTest] = []
    for word, text in enumerate(template.book.vocabulary.texts if len(template.values) else ()):
        values = sorted(set(template.values[word].tolist()))
        game, measures = template.book.games[0]
        expression = measures.expressions[word]
        if is_condition(expression):
            found += [RuleTest(text, 2, word, "=", 1), RuleTest(f"not ({text})", 3, word, "=", 0)]
        elif isinstance(expression, Reading) and is_mark(measures.book.features[expression.feature]):
            found += [test for value in values if value != OFF for test in _mark_tests(text, word, value, game)]
        else:
            found += [RuleTest(f"{text} >= {value}", 1 + value, word, ">=", value) for value in values if value > 0]
            found += [RuleTest(f"{text} = {value}", 3 + value, word, "=", value) for value in values]
            found += [RuleTest(f"{text} <= {value}", 4 + value, word, "<=", value) for value in values if value > 0]
    return found


def _mark_tests(text: str, word: int, value: int, game: Game) -> list[RuleTest]:
    mark = ("b", *game.visible_marks[:-1])[value]
    return [RuleTest(f"{text} = {mark}", 3, word, "=", value), RuleTest(f"{text} != {mark}", 3, word, "!=", value)]


def holds_in(test: RuleTest, values: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether a test holds in each class. [classes]"""
    column = values[test.word]
    held: NDArray[np.bool_] = {
        ">=": column >= test.number,
        "<=": column <= test.number,
        "=": column == test.number,
        "!=": column != test.number,
    }[test.sign]
    return held
