"""Random games of any game, many of them: who wins them, and how many moves they take."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import board_of, game_arrays
from teamplay.engine.compiled import switched_off
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import chance, playout
from teamplay.engine.kernels.game import is_plain, is_race
from teamplay.engine.kernels.playout import AnyGame, Bitboard, GameLog, LineWords, Stacks
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


def game_log(recorded: int) -> GameLog:
    """Room for the results of games and for N recorded moves."""
    return GameLog(np.zeros(4, dtype=np.int64), np.full(recorded, -1, dtype=np.int64))


def results(game: Game, log: GameLog) -> Results:
    """What the kernels count and record, in words."""
    moves = (divmod(int(each), playout.RECORDED) for each in log.record if each >= 0)
    first, second, draws, made = map(int, log.outcomes)
    return Results(first, second, draws, made, tuple(Move(cell, game.marks[mark - 1]) for cell, mark in moves))


def seeded(seed: int) -> Numbers:
    """The state of the random numbers of a seed."""
    state = np.zeros(4, dtype=np.int64)
    kernels(chance, large=False).seed(state, seed)
    return state


def playouts(game: Game, games: int, seed: int, recorded: int = 0, large: bool | None = None) -> Results:
    """Play random games from the start; `large` forces or forbids the compiler."""
    play = _prepared(game, games * game.grid.size > FEW_MOVES if large is None else large)
    log = game_log(recorded)
    play(games, seeded(seed), log)
    return results(game, log)


def _prepared(game: Game, large: bool) -> Callable[[int, Numbers, GameLog], None]:
    """The fastest kernel for a game, with what it needs to know of it."""
    made = game_arrays(game)
    quick = kernels(playout, large, switched_off(made))
    start, opener = board_of(game, game.start), game.start.seat
    if is_race(made) and is_plain(made) and game.goal.effect != "scores":
        loses = game.goal.effect == "loses"
        if bitboard := _bitboard(game, start):
            return partial(quick.play_bits, _stacks(game), bitboard, opener, loses)
        if max(game.grid.shape) <= WORD:
            return partial(quick.play_lines, _stacks(game), _line_words(game, start), opener, loses)
    free, changed = np.zeros((2, game.grid.size), dtype=np.int64)
    return partial(quick.play_any, AnyGame(made, start, np.zeros_like(start), free, changed), opener)


def _stacks(game: Game) -> Stacks:
    """The free cells as stacks."""
    stacks: list[list[Cell]] = []
    if game.placement == "drop":
        *_, height, width = game.grid.shape
        tops = [cell for cell in game.grid.cells if cell // width % height == 0]
        stacks = [[top + width * row for row in reversed(range(height))] for top in tops]
    else:
        stacks = [[cell] for cell in game.grid.cells]
    free = [[cell for cell in stack if game.beginning[cell] == BLANK] for stack in stacks]
    cells = np.zeros((len(free), max(map(len, stacks))), dtype=np.int64)
    for i, stack in enumerate(free):
        cells[i, : len(stack)] = stack
    room = np.array(list(map(len, free)), dtype=np.int64)
    return Stacks(cells, np.zeros_like(room), room, np.flatnonzero(room))


def _steps(length: int) -> Numbers:
    """By how much to shift a word over itself, again and again, until only rows of N marks are left."""
    steps, reached = [], 1
    while reached < length:
        steps.append(min(reached, length - reached))
        reached += steps[-1]
    return np.array(steps, dtype=np.int64)


def _bitboard(game: Game, start: NDArray[np.int8]) -> Bitboard | None:
    """The board as a word with a spare cell at the end of every line; nothing where it does not fit."""
    grid = game.grid
    strides = [1]
    for side in reversed(grid.shape[1:]):
        strides.insert(0, strides[0] * (side + 1))
    numbers = [sum(map(int.__mul__, grid.coordinates(cell), strides)) for cell in grid.cells]
    if numbers[-1] >= WORD:
        return None
    bits = np.array([1 << number for number in numbers], dtype=np.int64)
    axes = [sum(map(int.__mul__, axis, strides)) for axis in grid.axes]
    axes += axes[:1] * (-len(axes) % 4)
    marks = np.array([bits[start == 1].sum(), bits[start == 2].sum()], dtype=np.int64)
    assert game.k
    return Bitboard(bits, marks, np.outer(_steps(game.k), axes))


def _line_words(game: Game, start: NDArray[np.int8]) -> LineWords:
    """The lines of a board as words."""
    grid = game.grid
    line_of, bit_of = np.zeros((2, grid.size, len(grid.axes)), dtype=np.int64)
    lines = 1  # the first is for cells on lines that are too short
    for axis, direction in enumerate(grid.axes):
        behind = tuple(-step for step in direction)
        for cell in (cell for cell in grid.cells if not grid.ray(cell, behind, 1)):
            line = (cell, *grid.ray(cell, direction))
            if len(line) >= (game.k or 0):
                for i, other in enumerate(line):
                    line_of[other, axis], bit_of[other, axis] = lines, 1 << i
                lines += 1
    words = np.zeros((2, lines), dtype=np.int64)
    for cell in np.flatnonzero(start).tolist():
        words[start[cell] - 1, line_of[cell]] |= bit_of[cell]
    assert game.k
    return LineWords(line_of, bit_of, np.zeros_like(words), words, _steps(game.k))
