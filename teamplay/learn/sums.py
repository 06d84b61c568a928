"""Weighted sums as a table: for each role and letter a sum of what an agent counts, and the least comes first.

The sums learn as a perceptron does, and in all positions that they meet, not only where they fail: the class game says
which choices are good there. So a round costs seconds, and a few rounds decide whether sums are enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.jit import kernels
from teamplay.game import Game
from teamplay.learn import perceptron
from teamplay.learn.classes import ClassBook, Classifier, is_number
from teamplay.learn.formula import Budget, OutOfTime
from teamplay.learn.numbered import SMALL, Judged, Numbered, can_be_numbered
from teamplay.learn.template import NEVER, Levels

ROUNDS = 40
KEPT = 2  # rounds whose positions are learned from
EPOCHS = 3  # passes over them in a round
COARSER = (16, 8, 4, 2)  # what weights are divided by, where the goal survives it


@dataclass(frozen=True)
class Sums:
    """Weights of words and, as the last, a constant; all whole numbers."""

    book: ClassBook
    game: Game
    weights: NDArray[np.int64]  # [roles, letters, words + 1]

    @property
    def roles(self) -> list[str]:
        return roles_in(self.book)

    def levels(self) -> Levels:
        """The level of each code. An agent plays the letter with the least sum, among ties the first. [codes]"""
        sums = self._sums()
        first = np.arange(sums.shape[1]) == sums.argmin(axis=1)[:, np.newaxis]
        return np.where(first, sums, NEVER).reshape(-1).astype(np.int32)

    def _sums(self) -> NDArray[np.int64]:
        """What the sums of an agent come to. [classes, letters]"""
        values, role = measured(self.book)
        found: NDArray[np.int64] = np.einsum("cw,clw->cl", values, self.weights[role])
        return found

    def lifted(self) -> "Sums":
        """The same with larger constants, so that none and no sum is less than 1."""
        lift = 1 - min(int(self._sums().min()), int(self.weights[:, :, -1].min()))
        weights = self.weights.copy()
        weights[:, :, -1] += lift
        return Sums(self.book, self.game, weights)

    def text(self) -> str:
        """The table: a name for each sum, and a section for each role."""
        marks, words = self.game.marks, self.book.vocabulary.texts
        lines = [f"game {self.game}", *filter(None, [self.book.vocabulary.head])]
        for role, sums in zip(self.roles, self.weights.tolist(), strict=True):
            for mark, weights in zip(marks, sums, strict=True):
                terms = [_term(weight, word) for weight, word in zip(weights, words, strict=False) if weight]
                lines.append(f"let {role}_{mark} = {' '.join([str(weights[-1]), *terms])}")
        for role in self.roles:
            lines += ["", f"{role}:"]
            names = [f"{role}_{mark}" for mark in marks]
            for i, (name, mark) in enumerate(zip(names, marks, strict=True)):
                tests = " and ".join(f"{name} <= {other}" for other in names[i + 1 :])
                lines.append(f"    {f'if {tests} then ' if tests else ''}return {name} play {mark}")
        return "\n".join(lines) + "\n"


def can_be_summed(classifier: Classifier) -> bool:
    """Whether agents measure numbers alone, in a game whose boards can be numbered."""
    measures = classifier.measures
    return (
        not classifier.book.vocabulary.cells
        and all(is_number(expression, measures) for expression in measures.expressions)
        and can_be_numbered(classifier)
    )


def _term(weight: int, word: str) -> str:
    """`+ 3 * n(*bb)`."""
    factor = "" if abs(weight) == 1 else f"{abs(weight)} * "
    return f"{'-' if weight < 0 else '+'} {factor}{word}"


def roles_in(book: ClassBook) -> list[str]:
    """The roles of the classes that were met, in the order of their names."""
    return sorted({str(each[0]) for each in book.described})


def measured(book: ClassBook) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What each class counts, and 1 for the constant, [classes, words + 1]; the place of its role, [classes]."""
    roles = roles_in(book)
    values = np.array([[*each[1:], 1] for each in book.described], dtype=np.int64)
    return values, np.array([roles.index(str(each[0])) for each in book.described])


class SumSearch:
    """The search for sums with which a team makes enough points in each of some seats."""

    def __init__(self, numbered: Numbered, book: ClassBook, seats: Sequence[int], needed: int) -> None:
        self.numbered, self.book, self.seats, self.needed = numbered, book, seats, needed
        values, role = measured(book)
        self._shape = (len(roles_in(book)), numbered.letters, values.shape[1])
        self._features = _features(values, role, self._shape)
        self._weights = np.zeros(self._features.shape[1])
        self._random = np.random.default_rng(0)
        self._kernels: Any = kernels(perceptron, numbered.total > SMALL)

    def run(self, budget: Budget) -> Sums | None:
        """Sums that are enough, or None where none were found."""
        kept: list[Judged] = []
        for number in range(1, ROUNDS + 1):
            sums = self._sums(np.rint(-self._weights))
            met = [self.numbered.met(sums.levels(), seat, self.needed) for seat in self.seats]
            failures = sum(each.failures for each in met)
            if not failures:
                return sums
            budget(f"sums: round {number}, {sum(len(each.boards) for each in met):,} boards, {failures:,} failures")
            kept = [*kept, *map(self.numbered.judged, met)][-KEPT * len(self.seats) :]
            self._learn(kept)
        return None

    def plainer(self, sums: Sums, budget: Budget) -> Sums:
        """The same with smaller weights, and without some of them, where they are still enough; as time allows."""
        try:
            for divisor in COARSER:
                coarse = self._sums(np.rint(sums.weights / divisor))
                if self._enough(coarse, budget):
                    sums = coarse
                    break
            roles, letters, words = self._shape
            for at in sorted(np.ndindex(roles, letters, words - 1), key=lambda at: abs(int(sums.weights[at]))):
                if sums.weights[at]:
                    weights = sums.weights.copy()
                    weights[at] = 0
                    fewer = self._sums(weights)
                    sums = fewer if self._enough(fewer, budget) else sums
        except OutOfTime:
            pass
        return sums.lifted()

    def _enough(self, sums: Sums, budget: Budget) -> bool:
        budget("sums: leaving out what is not needed")
        return not any(self.numbered.met(sums.levels(), seat, self.needed, 1).failures for seat in self.seats)

    def _sums(self, weights: NDArray[Any]) -> Sums:
        return Sums(self.book, self.numbered.game, weights.astype(np.int64).reshape(self._shape))

    def _learn(self, kept: Sequence[Judged]) -> None:
        """Pass over all positions of the last rounds, each time in another order."""
        code, good = (np.concatenate([judged[part] for judged in kept]) for part in (1, 2))
        begun = np.cumsum([0, *(len(judged.code) for judged in kept)])
        starts = np.concatenate([judged.starts + begin for judged, begin in zip(kept, begun[:-1], strict=True)])
        ends = np.append(starts, len(code))
        for _ in range(EPOCHS):
            order = self._random.permutation(len(starts))
            mean = np.zeros_like(self._weights)
            self._kernels.lesson(self._features, ends, code, good, order, self._weights, mean)
        self._weights = mean / len(starts)


def _features(values: NDArray[np.int64], role: NDArray[np.int64], shape: tuple[int, int, int]) -> NDArray[np.float64]:
    """What each code counts, in the columns of its role and letter. [codes, features]"""
    features = np.zeros((len(values), shape[1], *shape))
    for letter in range(shape[1]):
        features[np.arange(len(values)), letter, role, letter] = values
    return features.reshape(len(values) * shape[1], -1)
