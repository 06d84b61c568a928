"""Every view that one agent may have, as the numbers that its rules measure; a sample where they are too many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from teamplay.check.blocks import FLANKS, Block, Cutter
from teamplay.game import BLANK
from teamplay.grid import Cell
from teamplay.language.expressions import BoundExpression, readings, relevant, value
from teamplay.language.features import Coordinate
from teamplay.language.rulebook import BoundRule

MOST_ROWS = 200_000
MOST_SUMS = 4_000_000  # at once, before equal ones are merged
DENSE = 8  # a table of places is quick up to this many times as many places as keys
DIRECTED, RANDOM = 3_000, 2_000  # views of a sample: made to meet the rules, and random ones

Bools = NDArray[np.bool_]  # [views]
Numbers = NDArray[np.int64]  # [views]
Picks = NDArray[np.int64]  # [views, blocks]: the number of a state


@dataclass(frozen=True)
class Rows:
    """Views of one agent: the value of each feature, and the states of the blocks behind it."""

    columns: dict[int, Numbers]  # by the number of a feature
    picks: Picks
    exact: bool  # are these all, up to views in which all features have the same values?

    def __len__(self) -> int:
        return len(self.picks)

    def holds(self, node: BoundExpression | None) -> Bools:
        """In which views a condition is true."""
        return np.full(len(self), True if node is None else value(node, self.columns), dtype=np.bool_)

    def value(self, node: BoundExpression) -> Numbers:
        """The value of a number in each view."""
        return np.full(len(self), value(node, self.columns), dtype=np.int64)

    def where(self, chosen: Bools) -> "Rows":
        """Only some of the views."""
        columns = {feature: column[chosen] for feature, column in self.columns.items()}
        return Rows(columns, self.picks[chosen], self.exact)


@dataclass
class Outlook:
    """What the agent on one cell may see."""

    cutter: Cutter
    cell: Cell
    rules: tuple[BoundRule, ...]
    asked_flanks: bool  # is it asked only where its sight shows something to turn?
    known: dict[tuple[frozenset[int], bool], Rows] = field(default_factory=dict)

    @cached_property
    def blocks(self) -> list[Block]:
        # The same order for agents that see alike.
        return sorted(self.cutter.blocks(self.cell), key=lambda block: repr(block.layout))

    @cached_property
    def own(self) -> Numbers:
        """What is known before anything is looked at, [features + 1]."""
        return self.cutter.own(self.cell)

    @property
    def kind(self) -> tuple[object, ...]:
        """Equal for agents that answer alike: same rules, same blocks, and the same place if a rule reads it."""
        nodes = [node for rule in self.rules for node in (rule.condition, rule.priority)]
        known = tuple((number, int(self.own[number])) for number in sorted(_wanted(nodes)))
        return self.rules, tuple(block.layout for block in self.blocks), known

    def rows(self, nodes: Sequence[BoundExpression | None], asked: bool = False) -> Rows:
        """The views that some expressions can tell apart; with `asked` only those in which the agent may be asked."""
        wanted = frozenset(feature for node in nodes if node for feature in relevant(node, self._fixed))
        if (wanted, asked) not in self.known:
            self.known[wanted, asked] = self._rows(wanted, asked)
        return self.known[wanted, asked]

    @cached_property
    def _fixed(self) -> dict[int, int]:
        """By the number of its feature, what is the same in all views of this agent: its row and column."""
        features = enumerate(self.cutter.features)
        return {number: int(self.own[number]) for number, each in features if isinstance(each, Coordinate)}

    def seen(self, boards: Sequence[str]) -> tuple[Rows, list[str]]:
        """The views of some boards, each with one of the boards; every block must be known whole."""
        looked = [cell for block in self.blocks for cell in block.cells]
        different = list({"".join([board[cell] for cell in looked]): board for board in boards}.values())
        picks = [[block.place(board) for block in self.blocks] for board in different]
        made = np.array(picks, dtype=np.int64).reshape(len(different), len(self.blocks))
        return self._measured(made, exact=True), different

    def board(self, picks: Sequence[int]) -> str:
        """A board of which this agent has this view: blank outside its sight."""
        marks = [BLANK] * self.cutter.game.grid.size
        for block, pick in zip(self.blocks, picks, strict=True):
            for cell, mark in zip(block.cells, block.states[pick], strict=True):
                marks[cell] = mark.replace("b", BLANK)
        return "".join(marks)

    def _rows(self, wanted: frozenset[int], asked: bool) -> Rows:
        columns = sorted(wanted)
        if asked:
            columns.append(len(self.cutter.features))
            if self.asked_flanks and self._flanks not in wanted:
                columns.append(self._flanks)
        picks = self._sums(columns)
        whole = all(block.whole for block in self.blocks)
        rows = self._sampled if picks is None else self._measured(picks, whole, columns)
        return rows.where(self._possible(rows)) if asked else rows

    @property
    def _flanks(self) -> int:
        return self.cutter.features.index(FLANKS)

    def _possible(self, rows: Rows) -> Bools:
        """In which views the agent may be asked, by what the view alone shows."""
        impossible = self.own[-1] + sum(
            (block.counts[rows.picks[:, i], -1] for i, block in enumerate(self.blocks)),
            np.zeros(len(rows), dtype=np.int64),
        )
        possible: Bools = impossible == 0
        return possible & (rows.columns[self._flanks] > 0) if self.asked_flanks else possible

    def _sums(self, columns: list[int]) -> Picks | None:
        """States of the blocks whose sums are all values that these columns can have, each once; None if too many."""
        counts = [block.counts[:, columns] for block in self.blocks]
        widths = 1 + sum((part.max(axis=0) for part in counts), np.zeros(len(columns), dtype=np.int64))
        if np.prod(widths.astype(float)) > 2.0**62:
            return None
        radix = np.cumprod(np.concatenate([[1], widths[:-1]])) if columns else np.zeros(0, dtype=np.int64)
        sums, picks = np.zeros(1, dtype=np.int64), np.zeros((1, 0), dtype=np.int64)
        for block, part in zip(self.blocks, counts, strict=True):
            if not part.any():  # nothing that is asked for lies here
                picks = np.column_stack([picks, np.full(len(picks), block.fewest_first[0])])
                continue
            keys, places = _distinct(part @ radix.astype(np.int64), block.fewest_first)
            if len(sums) * len(keys) > MOST_SUMS:
                return None
            sums, flat = _firsts(np.add.outer(sums, keys).ravel())
            if len(sums) > MOST_ROWS:
                return None
            before, state = np.divmod(flat, len(keys))
            picks = np.column_stack([picks[before], places[state]])
        return picks

    @cached_property
    def _sampled(self) -> Rows:
        """Some views, where all are too many: for every rule views that meet it, blank elsewhere; and random views."""
        picks = [np.array([[block.fewest_first[0] for block in self.blocks]])]
        for rule in self.rules:
            alone = self.rows([rule.condition])
            if alone.exact and rule.condition is not None:
                met = alone.picks[alone.holds(rule.condition)]
                picks.append(met[:: 1 + len(met) * len(self.rules) // DIRECTED])
        chance = np.random.default_rng(self.cell)
        picks.append(np.column_stack([chance.integers(len(block.states), size=RANDOM) for block in self.blocks]))
        return self._measured(np.concatenate(picks), exact=False)

    def _measured(self, picks: Picks, exact: bool, columns: Sequence[int] | None = None) -> Rows:
        """The values of the features of some columns, or of all, in these states."""
        wanted = [number for number in range(len(self.cutter.features)) if columns is None or number in columns]
        counts = np.tile(self.own[wanted], (len(picks), 1))
        for i, block in enumerate(self.blocks):
            counts += block.counts[:, wanted][picks[:, i]]
        # What is left out makes no difference in this cell, so that any value serves.
        rest = {number: np.broadcast_to(self.own[number], len(picks)) for number in range(len(self.cutter.features))}
        return Rows(rest | {number: counts[:, at] for at, number in enumerate(wanted)}, picks, exact)


def _wanted(nodes: Sequence[BoundExpression | None]) -> frozenset[int]:
    """The numbers of all features that some expressions measure."""
    return frozenset(reading.feature for node in nodes for reading in readings(node))


def _distinct(keys: Numbers, order: NDArray[np.int64]) -> tuple[Numbers, NDArray[np.int64]]:
    """Every key once, with the first state in this order that has it."""
    found, first = _firsts(keys[order])
    return found, order[first]


def _firsts(keys: Numbers) -> tuple[Numbers, NDArray[np.int64]]:
    """Every key once, the smallest first, with the place where it comes first; keys are not negative.

    Where keys are no larger than they are many, a table of places takes a fraction of the time of sorting them.
    """
    size = int(keys.max(initial=0)) + 1
    if size > DENSE * len(keys):
        return np.unique(keys, return_index=True)
    places = np.full(size, -1, dtype=np.int64)
    places[keys[::-1]] = np.arange(len(keys) - 1, -1, -1)  # of equal keys the last that is written counts
    found: Numbers = np.flatnonzero(places >= 0)
    return found, places[found]
