"""Random games of any game, many of them: who wins them, and how many moves they take."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import board_of, game_arrays
from teamplay.engine.compiled import switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import chance, playout
from teamplay.game import BLANK, Game, Move
from teamplay.grid import Cell

FEW_MOVES = 2000  # at the most, which plain kernels make before the compiler has loaded
WORD = 62  # bits

Numbers = NDArray[np.int64]


class Results(NamedTuple):
    """What came of many games."""

    first: int  # games that the first seat won
    second: int
    draws: int
    moves: int
    record: tuple[Move, ...]  # the first moves, game after game, as many as were wanted


def results(game: Game, outcomes: Numbers, record: Numbers) -> Results:
    """What the kernels count and record, in words."""
    moves = (divmod(int(each), playout.RECORDED) for each in record if each >= 0)
    first, second, draws, made = map(int, outcomes)
    return Results(first, second, draws, made, tuple(Move(cell, game.marks[mark - 1]) for cell, mark in moves))


def seeded(seed: int) -> Numbers:
    """The state of the random numbers of a seed."""
    state = np.zeros(4, dtype=np.int64)
    kernels(chance, large=False).seed(state, seed)
    return state


def playouts(game: Game, games: int, seed: int, recorded: int = 0, large: bool | None = None) -> Results:
    """Play random games from the start; `large` forces or forbids the compiler."""
    kernel, arguments = _prepared(game, games * game.grid.size > FEW_MOVES if large is None else large)
    outcomes, record = np.zeros(4, dtype=np.int64), np.full(recorded, -1, dtype=np.int64)
    kernel(*arguments, games, seeded(seed), outcomes, record)
    return results(game, outcomes, record)


def _prepared(game: Game, large: bool) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """The fastest kernel for a game, and what it needs to know of it."""
    made = game_arrays(game)
    quick = kernels(playout, large, switched_off(made.numbers))
    start, opener = board_of(game, game.start), game.start.seat
    if game.goal.kind == "line" and game.goal.effect != "scores" and not game.shared and game.placement != "flank":
        loses = int(game.goal.effect == "loses")
        if bitboard := _bitboard(game, start):
            return quick.play_bits, (*_stacks(game), *bitboard, opener, loses)
        if max(game.grid.shape) <= WORD:
            return quick.play_lines, (*_stacks(game), *_words(game, start), opener, loses)
    board, (free, changed) = np.zeros_like(start), np.zeros((2, game.grid.size), dtype=np.int64)
    return quick.play_any, (*made, start, board, free, changed, opener)


def _stacks(game: Game) -> tuple[Numbers, Numbers, Numbers]:
    """The free cells as stacks, how many each has, and a list of those with any."""
    stacks: list[list[Cell]] = []
    if game.placement == "drop":
        *_, height, width = game.grid.shape
        tops = [cell for cell in game.grid.cells if cell // width % height == 0]
        stacks = [[top + width * row for row in reversed(range(height))] for top in tops]
    else:
        stacks = [[cell] for cell in game.grid.cells]
    free = [[cell for cell in stack if game.beginning[cell] == BLANK] for stack in stacks]
    table = np.zeros((len(free), max(map(len, stacks))), dtype=np.int64)
    for i, stack in enumerate(free):
        table[i, : len(stack)] = stack
    levels = np.zeros((2, len(free)), dtype=np.int64)
    levels[playout.ROOM] = list(map(len, free))
    return table, levels, np.flatnonzero(levels[playout.ROOM])


def _steps(length: int) -> Numbers:
    """By how much to shift a word over itself, again and again, until only so many marks in a row are left."""
    steps, reached = [], 1
    while reached < length:
        steps.append(min(reached, length - reached))
        reached += steps[-1]
    return np.array(steps, dtype=np.int64)


def _bitboard(game: Game, start: NDArray[np.int8]) -> tuple[Numbers, ...]:
    """The board as a word with a spare cell at the end of every line; nothing where it does not fit."""
    grid = game.grid
    strides = [1]
    for side in reversed(grid.shape[1:]):
        strides.insert(0, strides[0] * (side + 1))
    numbers = [sum(map(int.__mul__, grid.coordinates(cell), strides)) for cell in grid.cells]
    if numbers[-1] >= WORD:
        return ()
    bits = np.array([1 << number for number in numbers], dtype=np.int64)
    axes = [sum(map(int.__mul__, axis, strides)) for axis in grid.axes]
    axes += axes[:1] * (-len(axes) % 4)
    marks = np.array([bits[start == 1].sum(), bits[start == 2].sum()], dtype=np.int64)
    assert game.k
    return bits, marks, np.outer(_steps(game.k), axes)


def _words(game: Game, start: NDArray[np.int8]) -> tuple[Numbers, ...]:
    """The lines of a board as words: where each cell lies, room for the marks of two seats, and those at the start."""
    grid = game.grid
    where = np.zeros((grid.size, 2 * len(grid.axes)), dtype=np.int64)
    lines = 1  # the first is for cells on lines that are too short
    for axis, direction in enumerate(grid.axes):
        behind = tuple(-step for step in direction)
        for cell in (cell for cell in grid.cells if not grid.ray(cell, behind, 1)):
            line = (cell, *grid.ray(cell, direction))
            if len(line) >= (game.k or 0):
                for i, other in enumerate(line):
                    where[other, 2 * axis : 2 * axis + 2] = lines, 1 << i
                lines += 1
    words = np.zeros((2, lines), dtype=np.int64)
    for cell in np.flatnonzero(start).tolist():
        words[start[cell] - 1, where[cell, ::2]] |= where[cell, 1::2]
    assert game.k
    return where, np.zeros_like(words), words, _steps(game.k)
