"""Every position that a team can meet, layer by layer: first those with one mark, then with two, and so on.

Every move adds a mark, so two layers never share a position, a layer needs only the one before, and the first bad end
is met in the shortest game.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from teamplay.engine import columns
from teamplay.engine.arrays import board_of
from teamplay.engine.coins import without_coins
from teamplay.engine.columns import BatchChoice, Options, Voice, knows
from teamplay.engine.compiled import compile_books, switched_off
from teamplay.engine.jit import is_loaded, kernels
from teamplay.engine.kernels import canonical
from teamplay.engine.kernels import layer as layer_kernels
from teamplay.engine.kernels.game import NOBODY, is_plain
from teamplay.engine.kernels.layer import FINISHED, GOING_ON, MET, NextLayer, Side
from teamplay.engine.keys import Keys, fits, setting, space, symmetries
from teamplay.engine.program import LETTER_BITS, MEMO
from teamplay.game import BLANK, Game, Move, Position
from teamplay.language.features import keeps
from teamplay.language.rulebook import Reach, Rulebook
from teamplay.team import Team

__all__ = ["Keys", "Layers", "fits", "knows", "serves", "symmetric"]

SMALL_JOB = 9  # cells; plain kernels exhaust such a board before the compiler has loaded
CHUNK = 1 << 15  # positions between two looks at the clock
FEW = 1 << 15  # positions of a layer that numpy expands before kernels are compiled
SMALL_CHUNK = 1 << 12  # positions between two looks at the clock, by numpy
ASKED_CHUNK = 1 << 6  # the same where a player is asked position by position


def symmetric(book: Rulebook) -> bool:
    """Whether a table can't tell a board from its turns and reflections: no rule measures what does not turn with it.

    Roles and sight are the same under every symmetry.
    """
    turns = symmetries(book.game)
    return all(keeps(feature, book.game.grid, turn) for feature in book.asked_features for turn in turns)


class NamedChoice(Protocol):
    """A player that names its moves in a position."""

    name: str

    def moves(self, position: Position) -> list[Move]: ...


def serves(book: Rulebook) -> bool:
    """Whether an exploration by layers knows this table: with coins only in plain games, which numpy knows."""
    return fits(book.game) and (knows(book.game) or len(without_coins(book)) == 1)


def voices(book: Rulebook, used: list[tuple[int, ...]], looks_up: bool, large: bool) -> list[Voice]:
    """A table made ready, and where it has coins, what it may say with them."""
    books = without_coins(book)
    found = []
    for each in books:
        compiled = compile_books(each, each, looks_up or len(books) > 1)
        made = setting(book.game, compiled, used)
        measures = len(books) > 1 and not made.program[0, MEMO]
        ready = kernels(layer_kernels, large, switched_off(made.game, made.program)) if measures else None
        found.append(Voice(made, space(book.game, compiled, made), ready))
    return found


@dataclass
class Layers:
    """An exploration of all that may happen when a table's team plays one seat."""

    book: Rulebook
    seat: int
    symmetric: bool
    first: bool = False  # is the first of ties taken? Not with letters, and not up to symmetry
    compiles: bool | None = None  # is the job large enough for the compiler? None: by the size of the board
    looks_up: bool | None = None  # are patterns looked up where they can be? None: in a large job
    layers: list[Keys] = field(default_factory=list)
    chunk: int = SMALL_CHUNK  # positions between two looks at the clock, by numpy
    grown: int = 0  # how many of the layers were expanded, the last perhaps in part
    positions: int = 0  # met with the team to move, images counted
    outcomes: list[int] = field(default_factory=lambda: [0, 0, 0])  # finished: seat 0 wins, seat 1 wins, draws

    def __post_init__(self) -> None:
        game = self.book.game
        self.large = game.grid.size > SMALL_JOB if self.compiles is None else self.compiles
        looks_up = self.large if self.looks_up is None else self.looks_up
        used = symmetries(game) if self.symmetric else [tuple(game.grid.cells)]
        self.voices = voices(self.book, used, looks_up, self.large)
        self.setting, self.space, _ = self.voices[0]
        self.side = Side(self.seat, self.first)
        self.layers = [np.array([self.key(game.start)], dtype=np.int64)]
        self.made = 0  # how many positions of the next layer go on, as far as it is known
        self._busy = 0  # bytes at work on it

    @cached_property
    def kernels(self) -> Any:
        """The kernels for a layer."""
        return kernels(layer_kernels, self.large, self._off)

    @property
    def _off(self) -> list[str]:
        return switched_off(self.setting.game, self.setting.program)

    def _by_columns(self, positions: int) -> bool:
        """Whether numpy takes this work: it can, it is little, and nothing is compiled that would be faster."""
        if len(self.voices) > 1:
            return True
        can = self.voices[0].looks_up(self.seat) and is_plain(self.setting.game)
        return self.compiles is None and can and positions <= FEW and not is_loaded(layer_kernels, self._off)

    def key(self, position: Position) -> int:
        """The number of a position, the smallest of its images."""
        board = board_of(self.book.game, position)
        difference = position.scores[0] - position.scores[1]
        scores = self.book.game.goal.effect == "scores"
        size, small = self.book.game.grid.size, kernels(canonical, large=False)
        key = small.encode(size, scores, board, position.seat, difference)
        small.rearrange(self.setting.turned, key, self.space.turns)
        return int(small.smallest(size, self.space.turns, key))

    def position(self, key: int) -> Position:
        """The position of a number."""
        return self.all_positions(np.array([key], dtype=np.int64))[0]

    def all_positions(self, keys: Keys) -> list[Position]:
        """The positions of many numbers."""
        game, size = self.book.game, self.book.game.grid.size
        named = np.array((BLANK, *game.marks))[columns.marks_of(self.setting, keys)]  # [keys, cells]
        texts = named.view(f"U{size}").ravel().tolist()
        seats = (keys >> 2 * size & 1).tolist()
        if game.goal.effect != "scores":
            return [Position(marks, seat) for marks, seat in zip(texts, seats, strict=True)]
        points = columns.completed(self.setting, keys) - self._points_before
        differences = (keys >> 2 * size + 1) - canonical.EVEN
        first, second = ((points + differences) // 2).tolist(), ((points - differences) // 2).tolist()
        return [Position(marks, seat, (a, b)) for marks, seat, a, b in zip(texts, seats, first, second, strict=True)]

    @cached_property
    def _points_before(self) -> int:
        """How many lines meet the goal at the start."""
        return int(columns.completed(self.setting, self.layers[0])[0])

    def choices(self, keys: Keys) -> NDArray[np.int8]:
        """The team's tied most urgent moves in many positions, of the seat to move: marks as bits, [keys, cells]."""
        chosen = np.zeros((len(keys), self.book.game.grid.size), dtype=np.int8)
        if self._by_columns(len(keys)):
            seats = (keys >> 2 * self.book.game.grid.size) & 1
            for seat in (0, 1):
                rows = np.flatnonzero(seats == seat)
                found, cells, marks = columns.team_moves(self.voices, Side(seat, False), keys, rows)
                np.bitwise_or.at(chosen, (found, cells), (1 << marks).astype(np.int8))
            return chosen
        self.kernels.choices(self.setting, self.space, keys, chosen)
        return chosen

    def branches(self, keys: Keys) -> Keys:
        """Every legal move in many positions, of the seat to move: [5, moves].

        The rows: the place of the position in `keys`, the cell, the mark (from 1), the number of the position after
        the move, and who has won there (a seat, 2 for a draw, NOBODY where the game goes on).
        """
        size = self.book.game.grid.size
        blanks = sum(((keys >> 2 * cell) & 3 == 0).astype(np.int64) for cell in range(size))
        found = np.zeros((5, int(np.sum(blanks)) * self.setting.game.letters), dtype=np.int64)
        total = self.kernels.branch(self.setting, self.space, keys, found)
        return found[:, :total]

    def answers(self, keys: Keys, where: Keys, cells: Keys) -> Keys:
        """The priorities of the agents on some blank cells; `where` is the position of each. All are [cells]."""
        words = np.zeros(len(cells), dtype=np.int64)
        self.kernels.answers(self.setting, self.space, keys, where, cells, words)
        return words >> LETTER_BITS

    def orbits(self, keys: Keys) -> NDArray[np.int64]:
        """How many positions each number stands for: itself and its different images. [keys]"""
        board = keys & ((1 << 2 * self.book.game.grid.size) - 1)
        return columns.orbits(columns.images(self.setting, board))

    def waiting(self) -> Iterator[Position]:
        """The positions of the last layer in which the team is to move."""
        return self._turns(self.layers[-1])

    def met(self) -> Iterator[Position]:
        """All positions in which the team was to move."""
        return chain.from_iterable(map(self._turns, self.layers))

    def _turns(self, layer: Keys) -> Iterator[Position]:
        mine = layer[(layer >> 2 * self.book.game.grid.size & 1) == self.seat]
        return iter(self.all_positions(np.sort(mine)))

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
        if self._by_columns(len(layer)):
            return self._grow_by_columns(layer, watch)
        size = 1 << max(8, (4 * len(layer)).bit_length())
        made = NextLayer(np.full(size, -1, dtype=np.int64), np.empty(size // 2, dtype=np.int64), np.zeros(6, np.int64))
        start = 0
        self.grown = len(self.layers)
        self._busy = made.known.nbytes + made.onward.nbytes
        while start < len(layer):
            stop = min(start + CHUNK, len(layer))
            start = self.kernels.expand(self.setting, self.space, self.side, layer, start, stop, made)
            self._count(made.counts)
            if start < stop:
                self._busy = 3 * (made.known.nbytes + made.onward.nbytes)  # the old and the new beside each other
            if not watch():
                return False
            if start < stop:
                made = self._doubled(made)
                self._busy = made.known.nbytes + made.onward.nbytes
        self.layers.append(made.onward[: made.counts[GOING_ON]].copy())
        self._busy = 0
        return True

    def _choose(self, keys: Keys, rows: Keys) -> Options:
        """The moves of the team, by numpy."""
        return columns.team_moves(self.voices, self.side, keys, rows)

    def _grow_by_columns(self, layer: Keys, watch: Callable[[], bool]) -> bool:
        """The same by numpy: the children of each chunk, and of those that are equal only one.

        What the chunks found is put together whenever it has doubled, so the work grows little faster than the layer.
        """
        self.grown, self.made = len(self.layers), 0
        found = [np.zeros((3, 0), dtype=np.int64)]  # keys, winners and images, [3, positions]
        once = total = 0  # how many of them are known to be different, how many there are
        going = True
        for start in range(0, len(layer), self.chunk):
            keys = layer[start : start + self.chunk]
            made = columns.children(self.setting, self._choose, self.seat, keys)
            found.append(np.array([made.keys, made.winners, made.images]))
            total += len(made.keys)
            self.made += int((made.winners == NOBODY).sum())
            if total > 2 * once:
                found = [_different(found)]
                once = total = found[0].shape[1]
                self.made = int((found[0][1] == NOBODY).sum())
            mine = keys[(keys >> 2 * self.book.game.grid.size) & 1 == self.seat]
            self.positions += int(self.orbits(mine).sum())
            self._busy = 2 * total * found[0].itemsize * len(found[0])
            going = watch()
            if not going:
                break
        keys, winners, images = _different(found)
        self.outcomes = [self.outcomes[end] + int(images[winners == end].sum()) for end in range(3)]
        if going:
            self.layers.append(keys[winners == NOBODY])
            self._busy = 0
        return going

    def _count(self, counts: Keys) -> None:
        """Take over what `expand` counted since the last time."""
        self.made = int(counts[GOING_ON])
        self.positions += int(counts[MET])
        self.outcomes = [total + int(more) for total, more in zip(self.outcomes, counts[FINISHED:], strict=True)]
        counts[MET:] = 0

    def _doubled(self, made: NextLayer) -> NextLayer:
        larger = np.full(2 * len(made.known), -1, dtype=np.int64)
        kernels(canonical, self.large).gather(larger, made.known[made.known != -1])
        longer = np.empty(len(made.known), dtype=np.int64)
        longer[: made.counts[GOING_ON]] = made.onward[: made.counts[GOING_ON]]
        return NextLayer(larger, longer, made.counts)

    def game_to(self, bad: set[int | None]) -> list[Move]:
        """The moves to a bad end, the last layer that was expanded being the first from which one can be reached."""
        nothing = np.zeros(0, dtype=np.int64)
        leading = self._leading(self.layers[: self.grown], nothing, [int(winner in bad) for winner in (0, 1, None)])
        return self._path(leading, bad)

    def game_toward(self, position: Position) -> list[Move]:
        """The moves to a position that goes on, one of the last layer, or an image of it."""
        goal = np.array([self.key(position)], dtype=np.int64)
        return self._path([*self._leading(self.layers[:-1], goal, [0, 0, 0]), {int(goal[0])}], set())

    def _options(self, position: Position) -> list[Move]:
        """The moves of the team in a position, by the reference."""
        return self._team.moves(position)

    @cached_property
    def _team(self) -> Team:
        return Team(self.book, "first" if self.first else "random")

    def _path(self, leading: list[set[int]], bad: set[int | None]) -> list[Move]:
        """The moves through some positions of every layer, and to a bad end where there is one after them."""
        game = self.book.game
        position = game.start
        moves: list[Move] = []
        while len(moves) + 1 < len(leading) or (bad and not game.outcome(position)):
            options = self._options(position) if position.seat == self.seat else game.moves(position)
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
        for layer in reversed(layers):
            chosen = layer[self._leads(layer, goals, np.array(bad, dtype=np.int64))]
            found.append(set(chosen.tolist()))
            goals = chosen
        return found[::-1]

    def _leads(self, layer: Keys, goals: Keys, bad: Keys) -> NDArray[np.bool_]:
        """Which positions of a layer lead to some in the next, or to a bad end. [keys]"""
        marked = np.zeros(len(layer), dtype=np.int8)
        if self._by_columns(len(layer)):
            for start in range(0, len(layer), SMALL_CHUNK):
                keys = layer[start : start + SMALL_CHUNK]
                made = columns.children(self.setting, self._choose, self.seat, keys)
                going = made.winners == NOBODY
                leads = np.where(going, np.isin(made.keys, goals), bad[made.winners] == 1)
                marked[start + made.parents[leads]] = 1
        else:
            self.kernels.lead(self.setting, self.space, self.side, layer, bad, self._set(goals), marked)
        return marked.astype(np.bool_)

    def _set(self, keys: Keys) -> Keys:
        """A set with open addressing."""
        known = np.full(1 << (2 * len(keys) + 8).bit_length(), -1, dtype=np.int64)
        kernels(canonical, self.large).gather(known, keys)
        return known


def _different(found: list[Keys]) -> Keys:
    """Positions that were found, each once. [3, positions]"""
    together = np.concatenate(found, axis=1)
    return together[:, np.unique(together[0], return_index=True)[1]]


class PlayerLayers(Layers):
    """An exploration of all that may happen when a player that is no table plays one seat, by numpy alone.

    A player that names its moves in many positions at once is asked so, any other position by position.
    """

    def __init__(self, player: NamedChoice, game: Game, seat: int, batch: BatchChoice | None = None) -> None:
        self.player, self.batch = player, batch
        book = Rulebook(player.name, game, Reach("all", 0), (), ())
        chunk = SMALL_CHUNK if batch else ASKED_CHUNK
        super().__init__(book, seat, symmetric=False, looks_up=True, chunk=chunk)

    def _by_columns(self, positions: int) -> bool:
        return True

    def _choose(self, keys: Keys, rows: Keys) -> Options:
        if self.batch:
            return columns.players_moves(self.setting, self.batch, self.seat, keys, rows)
        marks = self.book.game.marks
        named = [
            (row, move.cell, marks.index(move.mark) + 1)
            for row, position in zip(rows.tolist(), self.all_positions(keys[rows]), strict=True)
            for move in self.player.moves(position)
        ]
        found, cells, placed = np.array(named, dtype=np.int64).reshape(-1, 3).T
        return found, cells, placed

    def _options(self, position: Position) -> list[Move]:
        return self.player.moves(position)
