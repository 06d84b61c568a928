"""A game's rules as numbers: what the kernels know of a game."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels import game as index
from teamplay.game import BLANK, Game, Position
from teamplay.grid import ROLES

PLACEMENTS = ("anywhere", "drop", "flank")
GOALS = ("line", "word", "majority")
EFFECTS = ("wins", "loses", "scores")
Marks = NDArray[np.int8]


class GameArrays(NamedTuple):
    """Cells are row-major; marks are 0 for blank, then 1, 2, … in the game's order; seats are 0 and 1."""

    numbers: NDArray[np.int64]  # what is where stands at the top of `kernels/game.py`
    places: NDArray[np.signedinteger]  # [cells, 2 * axes + 1]: the room ahead and behind along each axis; the role


def game_arrays(game: Game) -> GameArrays:
    """The arrays of a game."""
    grid = game.grid
    numbers = np.zeros(index.NUMBERS, dtype=np.int64)
    numbers[index.CELLS] = grid.size
    numbers[index.COLUMNS] = grid.shape[-1]
    numbers[index.ROWS] = grid.shape[-2]
    numbers[index.AXES] = len(grid.axes)
    numbers[index.PLACEMENT] = PLACEMENTS.index(game.placement)
    numbers[index.GOAL] = GOALS.index(game.goal.kind)
    numbers[index.LENGTH] = game.goal.length or 0
    numbers[index.EFFECT] = EFFECTS.index(game.goal.effect)
    numbers[index.AGAIN] = game.again
    numbers[index.SHARED] = game.shared
    numbers[index.LETTERS] = len(game.marks) if game.shared else 1
    for i, axis in enumerate(grid.axes):
        numbers[index.STRIDES + i] = grid.cell([step + 1 for step in axis]) - grid.cell([1] * len(axis))
    for i, letter in enumerate(game.goal.word):
        numbers[index.SPELT + i] = game.marks.index(letter) + 1
    return GameArrays(numbers, _places(game))


def _places(game: Game) -> NDArray[np.signedinteger]:
    """How many cells lie before the border, ahead and behind along each axis, and the role: [cells, 2 * axes + 1]."""
    shape = game.grid.shape
    at = np.indices(shape, dtype=np.int32).reshape(len(shape), -1)  # [dimensions, cells]
    slim = max(shape) <= np.iinfo(np.int16).max
    places = np.zeros((game.grid.size, 2 * len(game.grid.axes) + 1), dtype=np.int16 if slim else np.int32)
    for i, axis in enumerate(game.grid.axes):
        for behind in (0, 1):
            rooms = [
                here if (step < 0) != behind else side - 1 - here
                for here, step, side in zip(at, axis, shape, strict=True)
                if step
            ]
            places[:, 2 * i + behind] = np.minimum.reduce(rooms)
    places[:, -1] = _roles(game, at)
    return places


def _roles(game: Game, at: NDArray[np.int32]) -> Marks:
    """The role of every cell, as an index into ROLES: [cells]."""
    grid = game.grid
    wide = [(here, side) for here, side in zip(at, grid.shape, strict=True) if side > 1]
    borders = np.zeros(grid.size, dtype=np.int8)
    middle = np.ones(grid.size, dtype=np.bool_)
    for here, side in wide:
        borders += (here == 0) | (here == side - 1)
        middle &= 2 * here == side - 1
    role = np.full(grid.size, ROLES.index("edge"), dtype=np.int8)
    role[len(wide) - borders == 2] = ROLES.index("face")
    role[borders == 0] = ROLES.index("inner")
    role[borders == len(wide)] = ROLES.index("corner")
    role[middle] = ROLES.index("center")
    return role


def board_of(game: Game, position: Position) -> Marks:
    """The marks of a position as numbers: [cells]."""
    return _numbered(position.marks, (BLANK, *game.marks))


def seen_by(game: Game, position: Position) -> Marks:
    """The marks of a position as the seat to move sees them, 1 for its own: [cells]."""
    return _numbered(game.seen(position), ("b", *(game.marks if game.shared else ("x", "o"))))


def _numbered(marks: str, order: tuple[str, ...]) -> Marks:
    table = bytearray(256)
    for number, mark in enumerate(order):
        table[ord(mark)] = number
    return np.frombuffer(marks.encode("ascii").translate(bytes(table)), dtype=np.int8).copy()
