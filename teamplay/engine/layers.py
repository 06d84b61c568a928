"""Every position that a team can meet, layer by layer: first those with one mark, then with two, and so on.

Every move adds a mark, so two layers never share a position, a layer needs only the one before, and the first bad end
is met in the shortest game.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import board_of
from teamplay.engine.compiled import compile_books, switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import game as game_kernels
from teamplay.engine.kernels import layer as layer_kernels
from teamplay.engine.keys import Keys, fits, setting, space, symmetries
from teamplay.engine.program import CELL, COORDINATE, STEP, program
from teamplay.game import BLANK, Move, Position
from teamplay.language.rulebook import Rulebook
from teamplay.language.tree import Ordered
from teamplay.team import Team

__all__ = ["Keys", "Layers", "fits", "symmetric"]

SMALL_JOB = 9  # cells; plain kernels exhaust such a board before the compiler has loaded
CHUNK = 1 << 15  # positions between two looks at the clock


def symmetric(book: Rulebook) -> bool:
    """Whether a table can't tell a board from its turns and reflections: no row, column, step or cell but a fixed one.

    Roles and patterns are the same under every symmetry: a pattern is read along all lines, both ways. But where a
    palindrome, read one way only, stands beside an alternative that is none, cells that match both count once or twice.
    """
    for feature in program(book).features:
        if feature.kind in (STEP, COORDINATE):
            return False
        if isinstance(feature.shape, Ordered) and not feature.shape.mirrors:
            return False
        if feature.kind == CELL and any(turn[feature.values[0]] != feature.values[0] for turn in symmetries(book.game)):
            return False
    return True


@dataclass
class Layers:
    """An exploration of all that may happen when a table's team plays one seat."""

    book: Rulebook
    seat: int
    symmetric: bool
    first: bool = False  # is the first of equals taken? Not with letters, and not up to symmetry
    compiles: bool | None = None  # is the job large enough for the compiler? None: by the size of the board
    looks_up: bool | None = None  # are patterns looked up where they can be? None: in a large job
    layers: list[Keys] = field(default_factory=list)
    grown: int = 0  # how many of the layers were expanded, the last perhaps in part
    positions: int = 0  # met with the team to move, images counted
    outcomes: list[int] = field(default_factory=lambda: [0, 0, 0])  # finished: seat 0 wins, seat 1 wins, draws

    def __post_init__(self) -> None:
        game = self.book.game
        self.large = game.grid.size > SMALL_JOB if self.compiles is None else self.compiles
        self.compiled = compile_books(self.book, self.book, self.large if self.looks_up is None else self.looks_up)
        used = symmetries(game) if self.symmetric else [tuple(game.grid.cells)]
        self.setting = setting(game, self.compiled, used)
        self.kernels = kernels(layer_kernels, self.large, switched_off(self.setting.numbers, self.setting.program))
        self.space = space(game, self.compiled, self.setting, len(used))
        self.layers = [np.array([self.key(game.start)], dtype=np.int64)]
        self.made = 0  # how many positions of the next layer go on, as far as it is known
        self._busy = 0  # bytes at work on it

    def key(self, position: Position) -> int:
        """The number of a position, the smallest of its images."""
        board = board_of(self.book.game, position)
        difference = position.scores[0] - position.scores[1]
        scores = self.book.game.goal.effect == "scores"
        size, small = self.book.game.grid.size, kernels(layer_kernels, large=False)
        key = small.encode(size, scores, board, position.seat, difference)
        small.rearrange(self.setting.moved, key, self.space.turns)
        return int(small.smallest(size, self.space.turns, key))

    def position(self, key: int) -> Position:
        """The position of a number."""
        game = self.book.game
        size = game.grid.size
        marks = "".join((BLANK, *game.marks)[key >> 2 * cell & 3] for cell in game.grid.cells)
        if game.goal.effect != "scores":
            return Position(marks, key >> 2 * size & 1)
        points = self._lines_on(marks) - self._lines_on(game.beginning)
        difference = (key >> 2 * size + 1) - layer_kernels.EVEN
        return Position(marks, key >> 2 * size & 1, ((points + difference) // 2, (points - difference) // 2))

    def _lines_on(self, marks: str) -> int:
        """How many lines of a board meet the goal."""
        board = board_of(self.book.game, Position(marks))
        met = (
            kernels(game_kernels, False).completed(*self.compiled.game, board, int(cell))
            for cell in np.flatnonzero(board)
        )
        return int(sum(met)) // (self.book.game.k or 1)

    def choices(self, keys: Keys) -> NDArray[np.int8]:
        """The team's tied most urgent moves in many positions, whoever is to move: marks as bits, [keys, cells]."""
        chosen = np.zeros((len(keys), self.book.game.grid.size), dtype=np.int8)
        self.kernels.choices(*self.setting[:6], *self.space[:5], keys, chosen)
        return chosen

    def orbits(self, keys: Keys) -> NDArray[np.int64]:
        """How many positions each number stands for: itself and its different images. [keys]"""
        board = keys & ((1 << 2 * self.book.game.grid.size) - 1)
        images = np.zeros((len(keys), len(self.space.turns)), dtype=np.int64)
        for byte, moved in enumerate(self.setting.moved):
            images |= moved[(board >> 8 * byte) & 255, : len(self.space.turns)]
        same: NDArray[np.int64] = (images == board[:, np.newaxis]).sum(axis=1)
        return images.shape[1] // same

    def waiting(self) -> Iterator[Position]:
        """The positions of the last layer in which the team is to move."""
        return self._turns(self.layers[-1])

    def met(self) -> Iterator[Position]:
        """All positions in which the team was to move."""
        return chain.from_iterable(map(self._turns, self.layers))

    def _turns(self, layer: Keys) -> Iterator[Position]:
        mine = layer[(layer >> 2 * self.book.game.grid.size & 1) == self.seat]
        return map(self.position, np.sort(mine).tolist())

    @property
    def open(self) -> int:
        """How many positions of the last layer go on."""
        return len(self.layers[-1])

    @property
    def memory(self) -> int:
        """Bytes held by the layers and by the work on the next one."""
        return sum(layer.nbytes for layer in self.layers) + self._busy

    def grow(self, watch: Callable[[], bool]) -> bool:
        """Add one layer; False where `watch`, asked after every chunk, says to stop."""
        layer = self.layers[-1]
        size = 1 << max(8, (4 * len(layer)).bit_length())
        known, following = np.full(size, -1, dtype=np.int64), np.empty(size // 2, dtype=np.int64)
        counts = np.zeros(6, dtype=np.int64)
        start = 0
        self.grown = len(self.layers)
        self._busy = known.nbytes + following.nbytes
        while start < len(layer):
            stop = min(start + CHUNK, len(layer))
            work = (layer, start, stop, known, following, counts)
            start = self.kernels.expand(*self.setting, *self.space, self.seat, self.first, *work)
            self._count(counts)
            if start < stop:
                self._busy = 3 * (known.nbytes + following.nbytes)  # the old and the new beside each other
            if not watch():
                return False
            if start < stop:
                known, following = self._doubled(known, following, counts)
                self._busy = known.nbytes + following.nbytes
        self.layers.append(following[: counts[1]].copy())
        self._busy = 0
        return True

    def _count(self, counts: Keys) -> None:
        """Take over what `expand` counted since the last time."""
        self.made = int(counts[1])
        self.positions += int(counts[2])
        self.outcomes = [total + int(more) for total, more in zip(self.outcomes, counts[3:], strict=True)]
        counts[2:] = 0

    def _doubled(self, known: Keys, following: Keys, counts: Keys) -> tuple[Keys, Keys]:
        larger = np.full(2 * len(known), -1, dtype=np.int64)
        self.kernels.gather(larger, known[known != -1])
        longer = np.empty(len(known), dtype=np.int64)
        longer[: counts[1]] = following[: counts[1]]
        return larger, longer

    def game_to(self, bad: set[int | None]) -> list[Move]:
        """The moves to a bad end, the last layer that was expanded being the first from which one can be reached."""
        nothing = np.zeros(0, dtype=np.int64)
        leading = self._leading(self.layers[: self.grown], nothing, [int(winner in bad) for winner in (0, 1, None)])
        return self._path(leading, bad)

    def game_toward(self, position: Position) -> list[Move]:
        """The moves to a position that goes on, one of the last layer, or an image of it."""
        goal = np.array([self.key(position)], dtype=np.int64)
        return self._path([*self._leading(self.layers[:-1], goal, [0, 0, 0]), {int(goal[0])}], set())

    def _path(self, leading: list[set[int]], bad: set[int | None]) -> list[Move]:
        """The moves through some positions of every layer, and to a bad end where there is one after them."""
        game, team = self.book.game, Team(self.book, "first" if self.first else "random")
        position = game.start
        moves: list[Move] = []
        while len(moves) + 1 < len(leading) or (bad and not game.outcome(position)):
            options = team.moves(position) if position.seat == self.seat else game.moves(position)
            following = leading[len(moves) + 1] if len(moves) + 1 < len(leading) else set()
            for move in options:
                after = game.after(position, move)
                outcome = game.outcome(after)
                if outcome.winner in bad if outcome else self.key(after) in following:
                    position = after
                    moves.append(move)
                    break
            else:
                raise AssertionError("a position that leads to a bad end has a move that leads there")
        return moves

    def _leading(self, layers: list[Keys], goals: Keys, bad: list[int]) -> list[set[int]]:
        """For every layer the keys that lead to some in the layer after the last, or to a bad end.

        Bad is, each 0 or 1: seat 0 wins, seat 1 wins, a draw.
        """
        found: list[set[int]] = []
        targets = self._set(goals)
        for layer in reversed(layers):
            marked = np.zeros(len(layer), dtype=np.int8)
            flags = np.array(bad, dtype=np.int64)
            self.kernels.lead(*self.setting, *self.space, self.seat, self.first, layer, flags, targets, marked)
            chosen = layer[marked == 1]
            found.append(set(chosen.tolist()))
            targets = self._set(chosen)
        return found[::-1]

    def _set(self, keys: Keys) -> Keys:
        """A set with open addressing."""
        known = np.full(1 << (2 * len(keys) + 8).bit_length(), -1, dtype=np.int64)
        self.kernels.gather(known, keys)
        return known
