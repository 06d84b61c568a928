"""Helpfulness: win, block, else the cell through which the most, and the fullest, lines are still open.

The method of "Developing a Memory Efficient Algorithm for Playing m, n, k Games". Version 1 counts the player's own
lines, version 2 adds the opponent's. What the paper leaves open is an option; docs/players.md says why each default.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import EllipsisType
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from teamplay.errors import BadSpec
from teamplay.game import Game, Move, Position
from teamplay.grid import Direction
from teamplay.luck import Luck
from teamplay.players._choice import lines_win, one_of, parse_reading

Tie = Literal["random", "first", "last"]
Lines = Literal["windows", "whole"]
Diagonals = Literal["both", "nested"]
Blanks = Literal["ignored", "blocking"]

TIES: tuple[Tie, ...] = get_args(Tie)
LINES: tuple[Lines, ...] = get_args(Lines)
DIAGONALS: tuple[Diagonals, ...] = get_args(Diagonals)
BLANKS: tuple[Blanks, ...] = get_args(Blanks)

RISING: Direction = (1, -1)  # the positive diagonal
FALLING: Direction = (1, 1)  # the negative one

Numbers = NDArray[np.int32]  # [layers, rows, columns], or without layers; or many of them
Flags = NDArray[np.bool_]  # likewise
Slices = tuple[slice | EllipsisType, ...]  # of the board's axes, whatever comes before them


@dataclass(frozen=True)
class Helpfulness:
    """Looks along lines alone, so what it computes is one number a cell."""

    game: Game
    version: int
    tie: Tie
    lines: Lines  # windows: every run of k cells; whole: the row, the column and the diagonals from border to border
    diagonals: Diagonals  # nested, as the pseudocode is indented: the negative diagonal counts only on a positive one
    blanks: Blanks  # blocking, as the pseudocode is worded: a blank ends a line's hopes as the opponent's mark does
    name: str

    def moves(self, position: Position) -> list[Move]:
        """The winning cells, else the blocking ones, else the most helpful."""
        legal = self.game.moves(position)
        if not legal:
            return []
        cells = np.array([move.cell for move in legal])
        wins, blocks, values = (found.ravel()[cells] for found in self.look(position))
        if wins.any():
            kept = np.flatnonzero(wins)
            kept = kept if self.tie == "random" else kept[:1]  # the first win ends the paper's loop
        else:
            kept = np.flatnonzero(blocks if blocks.any() else values == values.max())
            kept = {"random": kept, "first": kept[:1], "last": kept[-1:]}[self.tie]
        return [legal[i] for i in kept.tolist()]

    def chosen(self, mine: Flags, theirs: Flags, legal: Flags) -> Flags:
        """The same cells for many positions at once. [positions, cells]"""
        shape = (len(mine), *self.game.grid.shape)
        found = self._look(mine.reshape(shape).astype(np.int32), theirs.reshape(shape).astype(np.int32))
        wins, blocks, values = (each.reshape(legal.shape) for each in found)
        wins, blocks = wins & legal, blocks & legal
        hopes = np.where(legal, values, -1)
        helpful = legal & (hopes == hopes.max(axis=1, keepdims=True))
        winning, blocking = wins.any(axis=1, keepdims=True), blocks.any(axis=1, keepdims=True)
        kept: Flags = np.where(winning, wins, np.where(blocking, blocks, helpful))
        if self.tie == "random":
            return kept
        first = _only(kept, kept.argmax(axis=1))
        last = _only(kept, kept.shape[1] - 1 - kept[:, ::-1].argmax(axis=1))
        return np.where(winning | (self.tie == "first"), first, last)  # the first win ends the paper's loop

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)

    def values(self, position: Position) -> list[int | None]:
        """The helpfulness of every cell, None where nobody can play."""
        legal = {move.cell for move in self.game.moves(position)}
        _, _, values = self.look(position)
        return [value if cell in legal else None for cell, value in enumerate(values.ravel().tolist())]

    def look(self, position: Position) -> tuple[Flags, Flags, Numbers]:
        """Where the seat to move wins, where it blocks, and what a mark in each cell is worth (if it is blank)."""
        return self._look(*self._marks(position))

    def _look(self, mine: Numbers, theirs: Numbers) -> tuple[Flags, Flags, Numbers]:
        """The same for one board, or for many with one more axis before those of the board."""
        wins, blocks, values = (np.zeros(mine.shape, dtype=kind) for kind in (bool, bool, np.int32))
        for axis, steps in self._windows.items():
            own, others = _sum(mine, steps), _sum(theirs, steps)
            _spread(wins, own - others == len(steps) - 1, steps)
            _spread(blocks, others - own == len(steps) - 1, steps)
            if self.lines == "windows":
                found = np.zeros_like(values)
                _spread(found, self._worth(own, others, len(steps)), steps)
            else:
                found = self._whole(axis, mine, theirs)
            values += found * self._on_rising if self.diagonals == "nested" and axis == FALLING else found
        return wins, blocks, values

    def _marks(self, position: Position) -> tuple[Numbers, Numbers]:
        """Where the marks of the seat to move stand, and the other's."""
        board = np.frombuffer(position.marks.encode(), dtype=np.uint8).reshape(self.game.grid.shape)
        mine, theirs = (ord(self.game.marks[seat]) for seat in (position.seat, 1 - position.seat))
        return (board == mine).astype(np.int32), (board == theirs).astype(np.int32)

    def _whole(self, axis: Direction, mine: Numbers, theirs: Numbers) -> Numbers:
        """What the one line along an axis from border to border adds to each cell, if it is long enough."""
        starts = self._starts[axis]
        lengths = np.bincount(starts).astype(np.int32)
        own, others = (
            np.array([np.bincount(starts, board) for board in marks.reshape(-1, len(starts))]).astype(np.int32)
            for marks in (mine, theirs)
        )
        worth = np.where(lengths < (self.game.k or 0), 0, self._worth(own, others, lengths))
        return worth[:, starts].reshape(mine.shape)

    def _worth(self, own: Numbers, others: Numbers, length: int | Numbers) -> Numbers:
        """What lines with N marks are worth to a player who adds one: the paper's `get_helpfulness`."""
        count = self._count(own, others, length)
        return count + self._count(others, own, length) if self.version == 2 else count

    def _count(self, own: Numbers, others: Numbers, length: int | Numbers) -> Numbers:
        """The paper's `count`: own marks, the one to be placed included; nothing where the line is lost."""
        lost = others > 0 if self.blanks == "ignored" else (others > 0) | (own < length - 1)
        return (own + 1) * ~lost

    @cached_property
    def _windows(self) -> dict[Direction, list[Slices]]:
        """By axis the first, second, … cells of all its windows, as slices of the board: no window is ever listed."""
        length, shape = self.game.k or 0, self.game.grid.shape
        fitting = [
            axis
            for axis in self.game.grid.axes
            if all(not step or length <= side for step, side in zip(axis, shape, strict=True))
        ]
        return {axis: [_nth(axis, i, length, shape) for i in range(length)] for axis in fitting}

    @cached_property
    def _starts(self) -> dict[Direction, NDArray[np.int64]]:
        """By axis the cell in which each cell's line begins at the border: [cells]."""
        grid = self.game.grid
        behind = {axis: tuple(-step for step in axis) for axis in self._windows}
        return {
            axis: np.array([(*reversed(grid.ray(cell, back)), cell)[0] for cell in grid.cells])
            for axis, back in behind.items()
        }

    @cached_property
    def _on_rising(self) -> Flags:
        """Whether each cell lies on a positive diagonal."""
        found = np.zeros(self.game.grid.shape, dtype=bool)
        for step in self._windows.get(RISING, ()):
            found[step] = True
        return found


def _nth(axis: Direction, i: int, length: int, shape: Sequence[int]) -> Slices:
    """Where the cells number `i` of all windows along an axis stand."""
    firsts = (i if step > 0 else length - 1 - i if step < 0 else 0 for step in axis)
    spans = (side - length + 1 if step else side for step, side in zip(axis, shape, strict=True))
    return (..., *(slice(first, first + span) for first, span in zip(firsts, spans, strict=True)))


def _sum(marks: Numbers, steps: Sequence[Slices]) -> Numbers:
    """How many marks stand in each window: [windows along the axis]."""
    total = marks[steps[0]].copy()
    for step in steps[1:]:
        total += marks[step]
    return total


def _spread(found: Numbers | Flags, worth: Numbers | Flags, steps: Sequence[Slices]) -> None:
    """Add what each window is worth to all its cells."""
    if worth.any():
        for step in steps:
            found[step] += worth


def _only(kept: Flags, cells: NDArray[np.int64]) -> Flags:
    """One cell of each position."""
    only: Flags = np.arange(kept.shape[1]) == cells[:, np.newaxis]
    return only


def make(
    name: str,
    game: Game,
    version: int = 2,
    tie: str = "random",
    lines: str = "windows",
    diagonals: str = "both",
    blanks: str = "ignored",
) -> Helpfulness:
    """The player that a spec names: `helpfulness`, `helpfulness(version=1)`, or another reading of the paper."""
    if not lines_win(game):
        raise BadSpec(f"`helpfulness` plays games that k marks of one's own in a row win, which {game} is not.")
    parse_reading("version", str(version), ("1", "2"))
    if diagonals == "nested" and len(game.grid.shape) > 2:
        raise BadSpec("`diagonals=nested` speaks of two diagonals; a board in three dimensions has more.")
    return Helpfulness(
        game,
        version,
        parse_reading("tie", tie, TIES),
        parse_reading("lines", lines, LINES),
        parse_reading("diagonals", diagonals, DIAGONALS),
        parse_reading("blanks", blanks, BLANKS),
        name,
    )
