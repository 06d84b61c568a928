"""A game's rules as numbers: what the kernels know of a game."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.game import BLANK, Game, Position

PLACEMENTS = ("anywhere", "drop", "flank")
GOALS = ("line", "word", "majority")
EFFECTS = ("wins", "loses", "scores")


class GameArrays(NamedTuple):
    """Cells are row-major; marks are 0 for blank, then 1, 2, … in the game's order; seats are 0 and 1."""

    cells: int
    columns: int
    rows: int
    strides: NDArray[np.int64]  # [axes]: the step from a cell to the next along each axis
    room: NDArray[np.int16]  # [cells, 2 * axes]: cells before the border, ahead and behind along each axis
    placement: int
    goal: int
    length: int  # of a line or word, 0 where there is none
    word: NDArray[np.int8]  # [length], or [0]
    effect: int
    again: int
    shared: int
    letters: int  # how many marks a player may choose from


def game_arrays(game: Game) -> GameArrays:
    """The arrays of a game."""
    grid = game.grid
    unit = [grid.cell([step + 1 for step in axis]) - grid.cell([1] * len(axis)) for axis in grid.axes]
    return GameArrays(
        cells=grid.size,
        columns=grid.shape[-1],
        rows=grid.shape[-2],
        strides=np.array(unit, dtype=np.int64),
        room=_room(game),
        placement=PLACEMENTS.index(game.placement),
        goal=GOALS.index(game.goal.kind),
        length=game.goal.length or 0,
        word=np.array([game.marks.index(letter) + 1 for letter in game.goal.word], dtype=np.int8),
        effect=EFFECTS.index(game.goal.effect),
        again=int(game.again),
        shared=int(game.shared),
        letters=len(game.marks) if game.shared else 1,
    )


def _room(game: Game) -> NDArray[np.int16]:
    """How many cells lie before the border: [cells, 2 * axes], ahead in the even columns, behind in the odd."""
    shape = game.grid.shape
    at = np.indices(shape).reshape(len(shape), -1)  # [dimensions, cells]
    columns = []
    for axis in game.grid.axes:
        for way in (1, -1):
            rooms = [
                (side - 1 - here) if step * way > 0 else here
                for here, step, side in zip(at, axis, shape, strict=True)
                if step
            ]
            columns.append(np.minimum.reduce(rooms))
    return np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.int16)


def board_of(game: Game, position: Position) -> NDArray[np.int8]:
    """The marks of a position as numbers: [cells]."""
    code: dict[str, Any] = {BLANK: 0} | {mark: i for i, mark in enumerate(game.marks, 1)}
    table = bytes(code.get(chr(byte), 0) for byte in range(256))
    return np.frombuffer(position.marks.encode("ascii").translate(table), dtype=np.int8).copy()
