"""Every view that one agent may have, as the numbers that its rules measure: all of them, or a sample of too many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from teamplay.check.blocks import FLANKS, Atom, Block, Cutter, atoms, parts
from teamplay.game import BLANK
from teamplay.grid import Cell
from teamplay.language.rulebook import BoundRule
from teamplay.language.tree import (
    Arithmetic,
    CellTest,
    Comparison,
    Counted,
    Expression,
    Logic,
    Name,
    Negative,
    Not,
    Tally,
)
from teamplay.language.tree import Number as Constant

MOST_ROWS = 200_000
MOST_SUMS = 4_000_000  # at once, before equal ones are merged
DIRECTED, RANDOM = 3_000, 2_000  # views of a sample: made to meet the rules, and drawn by chance

Bools = NDArray[np.bool_]  # [views]
Numbers = NDArray[np.int64]  # [views]
Picks = NDArray[np.int64]  # [views, blocks]: the number of a state

COMPARE = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


@dataclass(frozen=True)
class Rows:
    """Views of one agent: what each atom comes to, and the states of the blocks behind it."""

    columns: dict[Atom, Numbers]
    picks: Picks
    exact: bool  # are these all, up to views in which all atoms come to the same?
    coordinates: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.picks)

    def holds(self, node: Expression | None) -> Bools:
        """In which views a condition is true."""
        match node:
            case None:
                return np.ones(len(self), dtype=bool)
            case Logic("and", left, right):
                return self.holds(left) & self.holds(right)
            case Logic(_, left, right):
                return self.holds(left) | self.holds(right)
            case Not(inner):
                return ~self.holds(inner)
            case Comparison(sign, left, right):
                found: Bools = COMPARE[sign](self.value(left), self.value(right))
                return found
            case CellTest(place, equal, mark, text):
                marked: Bools = self.columns[CellTest(place, True, mark, text)] > 0
                return marked if equal else ~marked
        raise TypeError(f"{node} is not a condition")  # the checker lets none through

    def value(self, node: Expression) -> Numbers:
        """What a number comes to in each view."""
        match node:
            case Constant(number):
                return np.full(len(self), number, dtype=np.int64)
            case Counted() | Tally():
                return self.columns[node]
            case Name(word):
                at = self.coordinates[{"col": -1, "row": -2, "layer": -3}[word]] + 1
                return np.full(len(self), at, dtype=np.int64)
            case Negative(inner):
                return -self.value(inner)
            case Arithmetic(sign, left, right):
                a, b = self.value(left), self.value(right)
                return a + b if sign == "+" else a - b if sign == "-" else a * b
        raise TypeError(f"{node} is not a number")  # the checker lets none through

    def where(self, chosen: Bools) -> "Rows":
        """Only some of the views."""
        columns = {atom: column[chosen] for atom, column in self.columns.items()}
        return Rows(columns, self.picks[chosen], self.exact, self.coordinates)


@dataclass
class Outlook:
    """What the agent on one cell may see."""

    cutter: Cutter
    cell: Cell
    rules: tuple[BoundRule, ...]
    asked_flanks: bool  # is it asked only where its sight shows something to turn?
    known: dict[tuple[frozenset[Atom], bool], Rows] = field(default_factory=dict)

    @cached_property
    def blocks(self) -> list[Block]:
        # The same order for agents that see alike.
        return sorted(self.cutter.blocks(self.cell), key=lambda block: repr(block.layout))

    @cached_property
    def coordinates(self) -> tuple[int, ...]:
        return self.cutter.game.grid.coordinates(self.cell)

    @cached_property
    def own(self) -> Numbers:
        """What is known before anything is looked at, [atoms + 1]: the agent's own cell is blank."""
        found = np.zeros(len(self.cutter.atoms) + 1, dtype=np.int64)
        for number, target in self.cutter.tests(self.cell).items():
            atom = self.cutter.atoms[number]
            assert isinstance(atom, CellTest)
            found[number] = target == self.cell and atom.mark == "b"
        return found

    @property
    def kind(self) -> tuple[object, ...]:
        """Equal for agents that can't differ: same rules, same blocks, and the same place if a rule asks for it."""
        nodes = (part for rule in self.rules for node in (rule.condition, rule.priority) for part in parts(node))
        place = self.coordinates if any(isinstance(node, Name) for node in nodes) else ()
        return self.rules, tuple(block.layout for block in self.blocks), tuple(self.own), place

    def rows(self, nodes: Sequence[Expression | None], asked: bool = False) -> Rows:
        """The views that some expressions can tell apart; with `asked` only those in which the agent may be asked."""
        wanted = frozenset(atom for node in nodes for atom in atoms(node))
        if (wanted, asked) not in self.known:
            self.known[wanted, asked] = self._rows(wanted, asked)
        return self.known[wanted, asked]

    def seen(self, boards: Sequence[str]) -> tuple[Rows, list[str]]:
        """The views of some boards, each with one of the boards; every block must be known whole."""
        looked = [cell for block in self.blocks for cell in block.cells]
        different = list({"".join([board[cell] for cell in looked]): board for board in boards}.values())
        picks = [[block.place(board) for block in self.blocks] for board in different]
        made = np.array(picks, dtype=np.int64).reshape(len(different), len(self.blocks))
        return self._measured(made, exact=True), different

    def board(self, picks: Sequence[int]) -> str:
        """A board that looks so to this agent: blank where it does not look."""
        marks = [BLANK] * self.cutter.game.grid.size
        for block, pick in zip(self.blocks, picks, strict=True):
            for cell, mark in zip(block.cells, block.states[pick], strict=True):
                marks[cell] = mark.replace("b", BLANK)
        return "".join(marks)

    def _rows(self, wanted: frozenset[Atom], asked: bool) -> Rows:
        columns = [number for number, atom in enumerate(self.cutter.atoms) if atom in wanted]
        if asked:
            columns.append(len(self.cutter.atoms))
            if self.asked_flanks and FLANKS not in wanted:
                columns.append(self.cutter.atoms.index(FLANKS))
        picks = self._sums(columns)
        whole = all(block.whole for block in self.blocks)
        rows = self._sampled if picks is None else self._measured(picks, whole, columns)
        return rows.where(self._possible(rows)) if asked else rows

    def _possible(self, rows: Rows) -> Bools:
        """In which views the agent may be asked, as far as it can tell."""
        impossible = self.own[-1] + sum(
            (block.counts[rows.picks[:, i], -1] for i, block in enumerate(self.blocks)),
            np.zeros(len(rows), dtype=np.int64),
        )
        possible: Bools = impossible == 0
        return possible & (rows.columns[FLANKS] > 0) if self.asked_flanks else possible

    def _sums(self, columns: list[int]) -> Picks | None:
        """States of the blocks whose sums are all that these columns can come to, each once; None if too many."""
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
            sums, flat = np.unique(np.add.outer(sums, keys).ravel(), return_index=True)
            if len(sums) > MOST_ROWS:
                return None
            before, state = np.divmod(flat, len(keys))
            picks = np.column_stack([picks[before], places[state]])
        return picks

    @cached_property
    def _sampled(self) -> Rows:
        """Some views, where all are too many: for every rule views that meet it, else blank; and views by chance."""
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
        """What the atoms of some columns, or all, come to in these states."""
        wanted = [number for number in range(len(self.cutter.atoms)) if columns is None or number in columns]
        counts = np.tile(self.own[wanted], (len(picks), 1))
        for i, block in enumerate(self.blocks):
            counts += block.counts[:, wanted][picks[:, i]]
        measured = {self.cutter.atoms[number]: counts[:, at] for at, number in enumerate(wanted)}
        return Rows(measured, picks, exact, self.coordinates)


def _distinct(keys: Numbers, order: NDArray[np.int64]) -> tuple[Numbers, NDArray[np.int64]]:
    """Every key once, with the first state in this order that has it."""
    found, first = np.unique(keys[order], return_index=True)
    return found, order[first]
