"""Random positions of a large board with the value of every move, and what agents know of them, as arrays.

A position is drawn as the end of a random opening; the solver values it and all its moves exactly. An agent's *view* is
a row of small numbers. It is up to the symmetries of the game: the board is turned so that the agent's cell becomes the
representative of its orbit, and where several turns do that, the view that sorts first is taken. Equal rows are the
same class, and unequal rows are different classes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from teamplay.arena.playing import after_all, opening, seed_of
from teamplay.engine.keys import symmetries
from teamplay.engine.solver import Solver
from teamplay.engine.solver.search import Limits
from teamplay.game import Game, Position
from teamplay.grid import ROLES, Cell
from teamplay.learn.vocabulary import parse_vocabulary
from teamplay.luck import Luck

MINE, THEIRS = 1, 2
MOST_SOLVED = 20_000_000  # positions searched for one; a sample that left out the hard ones would be another sample
MEMORY = 256  # megabytes for the solver

Rows = NDArray[np.int8]  # [agents, numbers]: what each knows
Boards = NDArray[np.int8]  # [positions, cells]: 0 blank, MINE and THEIRS as the seat to move sees them


@dataclass(frozen=True)
class Sample:
    """Positions with all moves, padded to the same number of moves."""

    game: Game
    positions: list[Position]
    boards: Boards
    cells: NDArray[np.int64]  # [positions, moves]
    legal: NDArray[np.bool_]  # [positions, moves]: is it a move, and not padding?
    cost: NDArray[np.float32]  # [positions, moves]: the value that a move lets go: 0, 1 or 2
    values: NDArray[np.int8]  # [positions]: 1 the seat to move wins, 0 a draw, -1 it loses

    def part(self, first: int, last: int) -> "Sample":
        """Some of the positions."""
        at = slice(first, last)
        arrays = (self.boards[at], self.cells[at], self.legal[at], self.cost[at], self.values[at])
        return Sample(self.game, self.positions[at], *arrays)

    @cached_property
    def seats(self) -> NDArray[np.int8]:
        return np.array([position.seat for position in self.positions], dtype=np.int8)

    @cached_property
    def quiet(self) -> NDArray[np.bool_]:
        """Where neither seat could complete a line by one move; everywhere, in a game without lines. [positions]"""
        if not self.game.k:
            return np.ones(len(self.positions), dtype=np.bool_)
        node, cells = self.agents
        found = counts(self.game, self.boards[node], cells)
        loud = found[:, self.game.k - 2] + found[:, 2 * self.game.k - 3] > 0
        found_quiet: NDArray[np.bool_] = np.bincount(node, loud, minlength=len(self.positions)) == 0
        return found_quiet

    @cached_property
    def agents(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The position and the cell of every agent that may move, position by position. [agents]"""
        return np.nonzero(self.legal)[0], self.cells[self.legal]


def drawn_sample(game: Game, plies: tuple[int, int], number: int, seed: str) -> Sample:
    """Positions after a random number of random moves, one from each opening, each valued by the solver."""
    solver = Solver(game, memory=MEMORY)
    positions, costs, values = [], [], []
    for at in range(number):
        position = after_all(game, opening(game, Luck(seed_of(seed, str(game), at)), *plies))
        solution = solver.solve(position, Limits(positions=MOST_SOLVED), distances=False)
        assert not solution.stopped and solution.value is not None
        positions.append(position)
        values.append(_sign(solution.value))
        after = {move.cell: _sign(worth.lower) for move, worth in solution.moves.items()}
        costs.append({cell: values[-1] - worth for cell, worth in after.items()})
    return packed(game, positions, costs, values)


def packed(game: Game, positions: list[Position], costs: list[dict[Cell, int]], values: list[int]) -> Sample:
    """Positions with the cost of every move, as arrays."""
    most = max(map(len, costs))
    cells = np.zeros((len(positions), most), dtype=np.int64)
    legal, cost = np.zeros(cells.shape, dtype=np.bool_), np.zeros(cells.shape, dtype=np.float32)
    for i, moves in enumerate(costs):
        for j, (cell, lost) in enumerate(sorted(moves.items())):
            cells[i, j], legal[i, j], cost[i, j] = cell, True, lost
    return Sample(game, positions, boards_of(game, positions), cells, legal, cost, np.array(values, dtype=np.int8))


def boards_of(game: Game, positions: list[Position]) -> Boards:
    """The marks of positions as the seat to move sees them."""
    numbers = {game.marks[0]: MINE, game.marks[1]: THEIRS}
    boards = np.array([[numbers.get(mark, 0) for mark in each.marks] for each in positions], dtype=np.int8)
    second = np.array([each.seat == 1 for each in positions])
    boards[second] = np.where(boards[second] > 0, 3 - boards[second], 0)
    return boards


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


# What agents know

Step = tuple[int, ...]
Views = Callable[[Game, Boards, NDArray[np.int64]], Rows]  # of the agent on one cell of each board


def roles(game: Game, boards: Boards, cells: NDArray[np.int64]) -> Rows:
    """The role, one column for each. [agents, roles]"""
    of_cell = np.array([ROLES.index(game.grid.role(cell)) for cell in game.grid.cells])
    rows: Rows = np.eye(len(ROLES), dtype=np.int8)[of_cell[cells]]
    return rows


def places(game: Game, boards: Boards, cells: NDArray[np.int64]) -> Rows:
    """The cell up to symmetry, one column for each orbit. [agents, orbits]"""
    orbit = np.array([min(turn[cell] for turn in symmetries(game)) for cell in game.grid.cells])
    kinds, of_cell = np.unique(orbit, return_inverse=True)
    rows: Rows = np.eye(len(kinds), dtype=np.int8)[of_cell[cells]]
    return rows


def counts(game: Game, boards: Boards, cells: NDArray[np.int64]) -> Rows:
    """The vocabulary `counts`: how many lines hold which marks. [agents, words]"""
    numbers = _flanked if game.goal.kind == "majority" else _windows
    found = np.zeros((len(cells), 4 if game.goal.kind == "majority" else 2 * (game.k or 0)), dtype=np.int8)
    for cell in game.grid.cells:
        here = cells == cell
        if here.any():
            found[here] = numbers(game, boards[here], cell)
    return found


def _windows(game: Game, boards: Boards, cell: Cell, seen: frozenset[Cell] | None = None) -> Rows:
    """Lines with 1 … k-1 marks of mine and else blanks, the same of theirs, with blanks alone, and with both.

    With `seen` only lines that lie within those cells.
    """
    k = game.k or 0
    found = np.zeros((len(boards), 2 * k), dtype=np.int8)
    rows = np.arange(len(boards))
    for line in game.grid.lines_through(cell, k):
        if seen is not None and not seen.issuperset(line):
            continue
        others = boards[:, [other for other in line if other != cell]]
        mine, theirs = (others == MINE).sum(1), (others == THEIRS).sum(1)
        column = np.where(mine == 0, k - 2 + theirs, mine - 1)
        column[(mine == 0) & (theirs == 0)] = 2 * k - 2
        column[(mine > 0) & (theirs > 0)] = 2 * k - 1
        np.add.at(found, (rows, column), 1)
    return found


def above(radius: int) -> Views:
    """Where pieces drop: the counts of the cell above, which a move opens, by lines at most so many steps away.

    An agent that sees so far could count them from its view. [agents, words], or no column where nothing drops
    """

    def views(game: Game, boards: Boards, cells: NDArray[np.int64]) -> Rows:
        if game.placement != "drop":
            return np.zeros((len(cells), 0), dtype=np.int8)
        found = np.zeros((len(cells), 2 * (game.k or 0)), dtype=np.int8)
        for cell in game.grid.cells:
            over, here = game.grid.beside(cell, (-1, 0)), cells == cell
            if over is not None and here.any():
                seen = frozenset([cell, *game.grid.within(cell, radius)])
                found[here] = _windows(game, boards[here], over, seen)
        return found

    return views


def _flanked(game: Game, boards: Boards, cell: Cell) -> Rows:
    """n(*o+x), size(*o+x), n(*x+o), n(*b): what a move turns, what a reply could, and the blanks beside it."""
    found = np.zeros((len(boards), 4), dtype=np.int8)
    for axis in game.grid.axes:
        for step in (axis, tuple(-part for part in axis)):
            seen = boards[:, game.grid.ray(cell, step, game.grid.size)]
            if not seen.shape[1]:
                continue
            for mark, end, column in ((THEIRS, MINE, 0), (MINE, THEIRS, 2)):
                other = np.hstack([seen != mark, np.ones((len(seen), 1), dtype=np.bool_)])
                run = other.argmax(1)
                flanks = (run > 0) & (run < seen.shape[1])
                flanks[flanks] = seen[flanks, run[flanks]] == end
                found[:, column] += flanks
                if mark == THEIRS:
                    found[:, 1] += np.where(flanks, run, 0).astype(np.int8)
            found[:, 3] += seen[:, 0] == 0
    return found


def seen_in(sight: str, middle: bool = False) -> Views:
    """Every mark in a sight with its place, two columns (mine, theirs) for each step away, and the agent's place.

    With `middle` also the cells nearest to the center of the board, wherever the agent is.
    """

    def views(game: Game, boards: Boards, cells: NDArray[np.int64]) -> Rows:
        book = parse_vocabulary("cells", [game], sight).measures(game).book
        extra = set(_middle(game)) if middle else set()
        seen = {cell: sorted({*book.sight(cell), *extra}) for cell in game.grid.cells}
        steps = {_step(game, *pair) for cell in seen for pair in ((cell, other) for other in seen[cell])}
        column = {step: i for i, step in enumerate(sorted(steps))}
        found = np.zeros((len(cells), 2 * len(column)), dtype=np.int8)
        for cell in game.grid.cells:
            here = cells == cell
            if here.any():
                found[here] = _turned(game, boards[here], cell, seen[cell], column)
        return np.hstack([places(game, boards, cells), found])

    return views


def _step(game: Game, cell: Cell, other: Cell) -> Step:
    """How one gets from a cell to another."""
    here, there = game.grid.coordinates(cell), game.grid.coordinates(other)
    return tuple(b - a for a, b in zip(here, there, strict=True))


def _middle(game: Game) -> Iterator[Cell]:
    """The cells nearest to the center point: one where all sides are odd."""
    for cell in game.grid.cells:
        sides = zip(game.grid.coordinates(cell), game.grid.shape, strict=True)
        if all(abs(2 * at - side + 1) <= 1 for at, side in sides):
            yield cell


def _turned(game: Game, boards: Boards, cell: Cell, seen: list[Cell], column: dict[Step, int]) -> Rows:
    """What the agent on a cell sees, as the representative of its orbit would; of several such views the first."""
    turns = symmetries(game)
    home = min(turn[cell] for turn in turns)
    best: Rows | None = None
    for turn in (turn for turn in turns if turn[cell] == home):
        rows = np.zeros((len(boards), len(column), 2), dtype=np.int8)
        for other in seen:
            at = column[_step(game, home, turn[other])]
            rows[:, at, 0] = boards[:, other] == MINE
            rows[:, at, 1] = boards[:, other] == THEIRS
        flat = rows.reshape(len(boards), -1)
        best = flat if best is None else np.where(_comes_first(flat, best)[:, None], flat, best)
    assert best is not None
    return best


def _comes_first(one: Rows, other: Rows) -> NDArray[np.bool_]:
    """Which rows sort before those of the other array. [rows]"""
    at = np.arange(len(one)), (one != other).argmax(1)
    first: NDArray[np.bool_] = one[at] < other[at]
    return first


def together(*parts: Views) -> Views:
    """All that some views know."""
    return lambda game, boards, cells: np.hstack([part(game, boards, cells) for part in parts])


def class_numbers(rows: Rows) -> NDArray[np.int64]:
    """Equal rows have equal numbers. [agents]"""
    packed_rows = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1])))[:, 0]
    return np.unique(packed_rows, return_inverse=True)[1].astype(np.int64)
