"""Which agents can't be told apart? Views under a vocabulary fall into classes: role, and what each word measures.

Classes are exact. A view is measured by the compiled engine as what a table would return: the words of a vocabulary are
packed into one number, digit by digit, and never hashed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.keys import Keys, symmetries
from teamplay.engine.layers import Layers
from teamplay.game import Game
from teamplay.grid import ROLES
from teamplay.language import Source, read_rulebook
from teamplay.language.expressions import Binary, BoundExpression, Constant, Reading, Unary
from teamplay.language.features import bounds, is_mark, keeps
from teamplay.language.measures import Measures
from teamplay.learn.vocabulary import Vocabulary

LARGEST_DIGITS = 500_000_000  # what a table may return is twice as much
LARGEST_FACTOR = 1_000_000  # that a table may name
Class = tuple[object, ...]  # the role, then a number per word; for `cells` the role and the view


@dataclass
class ClassBook:
    """All classes met so far in some games, each with a number."""

    vocabulary: Vocabulary
    numbers: dict[Class, int] = field(default_factory=dict)
    games: list[tuple[Game, Measures]] = field(default_factory=list)

    def number(self, described: Class) -> int:
        return self.numbers.setdefault(described, len(self.numbers))

    @property
    def described(self) -> list[Class]:
        return list(self.numbers)


class Classifier:
    """Measures the agents of many positions of one game."""

    def __init__(self, book: ClassBook, game: Game, large: bool) -> None:
        self.book, self.game = book, game
        self.measures = book.vocabulary.measures(game)
        self.roles = np.array([ROLES.index(game.grid.role(cell)) for cell in game.grid.cells], dtype=np.int64)
        self._groups = [] if book.vocabulary.cells else list(_groups(self.measures, game, book.vocabulary.head))
        books = [read_rulebook(Source("words", group.text), game) for group in self._groups]
        self._measured = [Layers(each, 0, symmetric=False, compiles=large) for each in books]
        self._numbers: dict[tuple[int, ...], int] = {}
        book.games.append((game, self.measures))

    @property
    def symmetric(self) -> bool:
        """Whether no word can tell a board from its turns and reflections."""
        if self.book.vocabulary.cells:
            return True
        features = self.measures.book.features
        return all(keeps(feature, self.game.grid, turn) for feature in features for turn in symmetries(self.game))

    def classes(self, keys: Keys, where: Keys, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The class of the agent on each of some cells, `where` saying in which of the positions: [cells]."""
        if self.book.vocabulary.cells:
            return self._views(keys[where], cells)
        columns: list[NDArray[np.int64]] = [self.roles[cells]]
        for group, layers in zip(self._groups, self._measured, strict=True):
            columns.append(layers.answers(keys, where, cells) + group.offset)
        return self._numbered(columns)

    def _numbered(self, columns: list[NDArray[np.int64]]) -> NDArray[np.int64]:
        """The number of each row, by way of the rows that differ."""
        code = columns[0]
        for column in columns[1:]:
            values, column = np.unique(column, return_inverse=True)
            code = code * len(values) + column
            code = np.unique(code, return_inverse=True)[1]
        _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
        rows = zip(*(column[first].tolist() for column in columns), strict=True)
        numbers = np.array([self._number(row) for row in rows], dtype=np.int64)
        return numbers[inverse] if len(numbers) else np.zeros(0, dtype=np.int64)

    def _number(self, row: tuple[int, ...]) -> int:
        """The class of what the tables of all groups return: the role, then a number per group."""
        if row not in self._numbers:
            values: dict[int, int] = {}
            for group, packed in zip(self._groups, row[1:], strict=True):
                values |= dict(zip(group.words, group.unpacked(packed), strict=True))
            self._numbers[row] = self.book.number((ROLES[row[0]], *(values[word] for word in sorted(values))))
        return self._numbers[row]

    def _views(self, keys: Keys, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """All that the agents see, the smallest of the images under the symmetries of the board."""
        size, grid = self.game.grid.size, self.game.grid
        mover = (keys >> 2 * size) & 1
        board = keys & ((1 << 2 * size) - 1)
        if not self.game.shared:  # mine is 1 and theirs 2, whoever moves
            odd = sum(1 << 2 * cell for cell in range(size))
            swapped = ((board & odd) << 1) | ((board >> 1) & odd)
            board = np.where(mover == 1, swapped, board)
        best = np.full(len(keys), np.iinfo(np.int64).max)
        for turn in symmetries(self.game):
            image = np.zeros(len(keys), dtype=np.int64)
            for cell in grid.cells:
                seen = self.measures.book.sight(cell)
                here = cells == cell
                masked = board[here]
                moved = np.zeros(len(masked), dtype=np.int64)
                for other in seen:
                    moved |= ((masked >> 2 * other) & 3) << (2 * turn[other])
                image[here] = (turn[cell] << 2 * size) | moved
            best = np.minimum(best, image)
        values, inverse = np.unique(best, return_inverse=True)
        numbers = [self.book.number((grid.role(int(value >> 2 * size)), int(value))) for value in values.tolist()]
        return np.array(numbers, dtype=np.int64)[inverse]


@dataclass(frozen=True)
class _Group:
    """Some words packed into the number that one table returns; negative ones are lifted by an offset."""

    text: str
    words: tuple[int, ...]  # their places in the vocabulary
    ranges: tuple[tuple[int, int], ...]  # the least value of each word, and how many there are
    offset: int

    def unpacked(self, packed: int) -> list[int]:
        values = []
        for least, width in self.ranges:
            packed, digit = divmod(packed, width)
            values.append(digit + least)
        return values


def _groups(measures: Measures, game: Game, head: str) -> Iterator[_Group]:
    """The words of a vocabulary in as few tables as hold them: numbers together, conditions and marks one by one."""
    head = f"{head}\n"
    texts: list[str] = []
    words: list[int] = []
    ranges: list[tuple[int, int]] = []
    base, lowest = 1, 0
    for word, (text, expression) in enumerate(zip(measures.texts, measures.expressions, strict=True)):
        if _is_mark(expression, measures) or is_condition(expression):
            yield _marks(word, text, expression, game, head)
            continue
        least, most = _bounds(expression, measures, game)
        width = most - least + 1
        if texts and (base > LARGEST_FACTOR or base * width > LARGEST_DIGITS):
            yield _Group(f"{head}return {' + '.join(texts)}", tuple(words), tuple(ranges), -lowest)
            texts, words, ranges, base, lowest = [], [], [], 1, 0
        words.append(word)
        texts.append(f"{base} * ({text})")
        ranges.append((least, width))
        lowest += base * least
        base *= width
    if texts:
        yield _Group(f"{head}return {' + '.join(texts)}", tuple(words), tuple(ranges), -lowest)


def _marks(word: int, text: str, expression: BoundExpression, game: Game, head: str) -> _Group:
    """The mark in a cell, or whether a condition holds, as a table of a few rules."""
    if is_condition(expression):
        return _Group(f"{head}if {text} then return 1\nreturn 0", (word,), ((0, 2),), 0)
    rules = [f"if {text} = {mark} then return {i + 2}" for i, mark in enumerate(game.visible_marks[:-1])]
    rules += [f"if {text} = b then return 1", "return 0"]
    return _Group("\n".join([head, *rules]), (word,), ((-1, len(game.visible_marks) + 1),), 0)


def _is_mark(expression: BoundExpression, measures: Measures) -> bool:
    return isinstance(expression, Reading) and is_mark(measures.book.features[expression.feature])


def is_number(expression: BoundExpression, measures: Measures) -> bool:
    """Whether an expression is a number, and neither a mark nor a condition."""
    return not is_condition(expression) and not _is_mark(expression, measures)


def is_condition(expression: BoundExpression) -> bool:
    """Whether an expression is a condition and no number."""
    match expression:
        case Binary(sign, _, _):
            return sign not in ("+", "-", "*")
        case Unary(sign, _):
            return sign != "-"
    return False


def _bounds(expression: BoundExpression, measures: Measures, game: Game) -> tuple[int, int]:
    """The least and the greatest value that a number can take."""
    match expression:
        case Constant(value):
            return value, value
        case Reading(feature):
            return bounds(measures.book.features[feature], game)
        case Unary(_, inner):
            least, most = _bounds(inner, measures, game)
            return -most, -least
        case Binary(sign, left, right):
            (a, b), (c, d) = (_bounds(side, measures, game) for side in (left, right))
            ends = {"*": [a * c, a * d, b * c, b * d], "+": [a + c, b + d], "-": [a - d, b - c]}[sign]
            return min(ends), max(ends)
    raise TypeError(f"{expression} is not a number")
