"""A game of points with few enough boards to number them all: the exact class game, and where levels lead a team."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.jit import kernels
from teamplay.engine.kernels.canonical import EVEN
from teamplay.engine.keys import Keys, symmetries
from teamplay.game import BLANK, Game
from teamplay.grid import Cell
from teamplay.learn import boards
from teamplay.learn.boards import NONE, PointRules, Room, Values
from teamplay.learn.classes import Classifier
from teamplay.learn.graph import Watch
from teamplay.learn.template import Levels

MOST_BOARDS = 50_000_000
MOST_LOOKS = 4_000_000  # what the agents of all cells may see
SMALL = 20_000  # boards that need no compiler
SLICE = 2_000_000  # boards between two looks at the clock


class Met(NamedTuple):
    """The boards that a team meets when it is to move."""

    boards: Keys  # [boards]
    needed: Keys  # [boards]: the difference of points that must still come
    failures: int  # on how many of them the team may make a move after which that can't be had


class Judged(NamedTuple):
    """The codes on some boards, and whether choosing one keeps the goal in reach; boards without a choice left out."""

    starts: Keys  # [boards]: where the codes of each board begin
    code: Keys  # [codes]
    good: NDArray[np.bool_]  # [codes]


def can_be_numbered(classifier: Classifier) -> bool:
    """Whether a game is one of points for words, with few enough boards and few enough different views."""
    game, digits = classifier.game, len(classifier.game.marks) + 1
    return (
        game.shared
        and game.goal.kind == "word"
        and game.goal.effect == "scores"
        and game.placement == "anywhere"
        and game.grid.boards == 1
        and digits**game.grid.size <= MOST_BOARDS
        and sum(digits ** len(seen) for seen in _seen(classifier)) <= MOST_LOOKS
    )


class Numbered:
    """All boards of a game, with what the class game still brings on each."""

    def __init__(self, classifier: Classifier, watch: Watch) -> None:
        game = classifier.game
        self.game, self.letters = game, len(game.marks)
        self.total = (self.letters + 1) ** game.grid.size
        self.rules = _rules(classifier, _seen(classifier))
        self.values = Values(*np.zeros((2, self.total), dtype=np.int8))
        cells, moves = np.zeros((2, game.grid.size), np.int64), np.zeros((2, game.grid.size * self.letters), np.int64)
        self._room = Room(*cells, *moves)
        self._kernels: Any = kernels(boards, self.total > SMALL)
        for stop in range(self.total, 0, -SLICE):
            self._kernels.class_game(self.rules, max(0, stop - SLICE), stop, self.values, self._room)
            watch(f"{self.total - stop:,} of {self.total:,} boards of {game}")
        marks = (BLANK, *game.marks)
        self.start = sum(marks.index(mark) * int(self.rules.powers[cell]) for cell, mark in enumerate(game.beginning))

    def held(self, seat: int, needed: int) -> bool:
        """Whether a team that may choose a class on every board as it likes makes enough points."""
        values = self.values.team if seat == self.game.start.seat else self.values.other
        return int(values[self.start]) >= needed

    def met(self, levels: Levels, seat: int, needed: int, enough: int | None = None) -> Met:
        """The boards that a team with these levels meets; `enough` failures end the search for more."""
        met = Values(*np.full((2, self.total), NONE, dtype=np.int8))
        (met.team if seat == self.game.start.seat else met.other)[self.start] = 0
        failures = self._kernels.follow(
            self.rules, self.values, levels.astype(np.int64), needed, met, self._room, enough or self.total
        )
        found = np.flatnonzero(met.team != NONE)
        return Met(found, needed - met.team[found].astype(np.int64), failures)

    def judged(self, met: Met) -> Judged:
        """What may be chosen on boards that were met."""
        found = np.zeros((3, len(met.boards) * len(self._room.codes)), dtype=np.int64)
        total = self._kernels.judge(self.rules, self.values, met.boards, met.needed, self._room, found)
        place, code, good = found[:, :total]
        return Judged(np.flatnonzero(np.diff(place, prepend=-1)), code.copy(), good == 1)


def _seen(classifier: Classifier) -> list[list[Cell]]:
    """The cells that matter to each cell: those in sight, and those on lines through it."""
    game = classifier.game
    found = []
    for cell in game.grid.cells:
        lines = {other for line in game.lines_through(cell) for other in line}
        found.append(sorted((lines | classifier.measures.book.sight(cell)) - {cell}))
    return found


def _rules(classifier: Classifier, seen: list[list[Cell]]) -> PointRules:
    """The game for the kernels, with the class and the points of every look: of all marks that an agent may see."""
    game, size = classifier.game, classifier.game.grid.size
    letters = len(game.marks)
    powers = (letters + 1) ** np.arange(size + 1)
    padded = np.full((size, max(map(len, seen)) + 1), -1, dtype=np.int64)
    codes, points = [], []
    for cell, others in enumerate(seen):
        padded[cell, : len(others)] = others
        look = np.arange((letters + 1) ** len(others))
        marks = {other: look // (letters + 1) ** i % (letters + 1) for i, other in enumerate(others)}
        keys = np.full(len(look), EVEN << (2 * size + 1), dtype=np.int64)
        for other, mark in marks.items():
            keys |= mark << (2 * other)
        codes.append(classifier.classes(keys, look, np.full(len(look), cell)) * letters)
        points.append([_points(game, cell, marks | {cell: np.full(len(look), 1 + i)}) for i in range(letters)])
    images, half = _images(game, powers, classifier.symmetric)
    return PointRules(
        digits=letters + 1,
        powers=powers,
        again=game.again,
        seen=padded,
        begin=np.cumsum([0, *(len(code) for code in codes[:-1])]),
        code=np.concatenate(codes),
        points=np.ascontiguousarray(np.concatenate(points, axis=1).T),
        images=images,
        half=half,
    )


def _points(game: Game, cell: Cell, marks: dict[Cell, Keys]) -> NDArray[np.int8]:
    """How many words through a cell are complete, by what stands there and on the cells around. [looks]"""
    word = [game.marks.index(letter) + 1 for letter in game.goal.word]
    found = np.zeros(len(marks[cell]), dtype=np.int8)
    for line in game.lines_through(cell):
        one, other = (
            np.logical_and.reduce([marks[at] == mark for at, mark in zip(line, way, strict=True)])
            for way in (word, word[::-1])
        )
        found += one | other
    return found


def _images(game: Game, powers: Keys, symmetric: bool) -> tuple[Keys, int]:
    """Where the cells of each half of a board go under the symmetries, [images, 2, numbers]; what the half counts."""
    turns = symmetries(game) if symmetric else [tuple(game.grid.cells)]
    digits, middle = len(game.marks) + 1, (game.grid.size + 1) // 2
    numbers = np.arange(powers[middle])
    images = np.zeros((len(turns), 2, len(numbers)), dtype=np.int64)
    for i, turn in enumerate(turns):
        for cell in game.grid.cells:
            upper, place = divmod(cell, middle)
            images[i, upper] += numbers // digits**place % digits * powers[turn[cell]]
    return images, int(powers[middle])
