"""A guess where a game can't be listed: agents in the order of a weighted sum of what they count.

The weights learn from the positions in which candidates went wrong, as a perceptron does: where a bad choice comes
before every good one, the sum moves from the bad one towards the best good one. Classes that no position spoke of yet
then come where classes like them do, so few of them go wrong. Wins and blocks come first whatever the sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from teamplay.grid import ROLES
from teamplay.learn.classes import ClassBook
from teamplay.learn.template import Levels, RuleTest, holds_in

EPOCHS = 8  # passes over all positions; weights are kept from round to round
FIRST = 1_000_000  # what a win comes before, a thousandth of it what a block does

Choice = tuple[NDArray[np.int64], NDArray[np.int64]]  # good and bad codes of one position


@dataclass
class Weights:
    """A weight for each word, role and letter; `first` are tests that decide before any sum."""

    book: ClassBook
    letters: int
    first: Sequence[RuleTest]
    choices: list[Choice] = field(default_factory=list)
    _weights: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        words = len(self.book.vocabulary.texts)
        self._weights = np.zeros(self.letters * (words + len(ROLES)))

    def levels(self) -> Levels:
        """The level of every code that is known by now."""
        features = self._features()
        self._learn(features)
        found: Levels = -(features @ self._weights + self._before()).astype(np.int32)
        return found

    def _features(self) -> NDArray[np.float64]:
        """What each code counts, in the columns of its letter. [codes, features]"""
        described = self.book.described
        values = np.array([[float(v) for v in each[1:]] for each in described]).reshape(len(described), -1)  # type: ignore[arg-type]
        roles = np.array([[each[0] == role for role in ROLES] for each in described], dtype=np.float64)
        columns = np.hstack([values, roles])
        width = columns.shape[1]
        features = np.zeros((len(described) * self.letters, width * self.letters))
        for letter in range(self.letters):
            features[letter :: self.letters, letter * width : (letter + 1) * width] = columns
        return features

    def _before(self) -> NDArray[np.float64]:
        """What the tests add that decide before any sum. [codes]"""
        described = self.book.described
        words = len(self.book.vocabulary.texts)
        values = np.array([[each[1 + word] for each in described] for word in range(words)], dtype=np.int64)
        added = np.zeros(len(described))
        for place, test in enumerate(self.first):
            added = np.where((added == 0) & holds_in(test, values), FIRST * (len(self.first) - place), added)
        return np.repeat(added, self.letters)

    def _learn(self, features: NDArray[np.float64]) -> None:
        """Pass over the positions until the sum is right in all, or it is clear enough that no sum is."""
        if not self.choices:
            return
        before = self._before()
        goods, bads = (_joined([choice[side] for choice in self.choices]) for side in (0, 1))
        for _ in range(EPOCHS):
            total = features @ self._weights + before
            best, worst = (np.maximum.reduceat(total[codes], starts) for codes, starts in (goods, bads))
            wrong = np.flatnonzero(best < worst + 1)
            for at in wrong.tolist():
                good, bad = (
                    codes[(features[codes] @ self._weights + before[codes]).argmax()] for codes in self.choices[at]
                )
                self._weights += features[good] - features[bad]
            if not len(wrong):
                return


def _joined(parts: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Arrays one after the other, and where each begins."""
    lengths = [len(part) for part in parts]
    return np.concatenate(parts), np.cumsum([0, *lengths[:-1]])
