"""A game's rules as numbers: what the kernels know of a game."""

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.game import NOBODY, GameArrays, Marks
from teamplay.game import BLANK, Game, Position
from teamplay.grid import ROLES

PLACEMENTS = ("anywhere", "drop", "flank")
GOALS = ("line", "word", "majority")
EFFECTS = ("wins", "loses", "scores")


def game_arrays(game: Game) -> GameArrays:
    """The arrays of a game."""
    grid = game.grid
    strides = [grid.cell([step + 1 for step in axis]) - grid.cell([1] * len(axis)) for axis in grid.axes]
    return GameArrays(
        cells=grid.size,
        columns=grid.shape[-1],
        rows=grid.shape[-2],
        axes=len(grid.axes),
        placement=PLACEMENTS.index(game.placement),
        goal=GOALS.index(game.goal.kind),
        length=game.goal.length or 0,
        effect=EFFECTS.index(game.goal.effect),
        exact=game.goal.exact,
        owner=NOBODY if game.goal.owner is None else game.goal.owner,
        area=grid.size // grid.boards,
        again=game.again,
        shared=game.shared,
        letters=len(game.marks) if game.shared else 1,
        strides=np.array(strides, dtype=np.int64),
        spelt=np.array([game.marks.index(letter) + 1 for letter in game.goal.word], dtype=np.int64),
        places=_places(game),
        roles=_roles(game),
    )


def _indices(game: Game) -> NDArray[np.int32]:
    """The coordinates of every cell: [dimensions, cells]."""
    return np.indices(game.grid.shape, dtype=np.int32).reshape(len(game.grid.shape), -1)


def _places(game: Game) -> NDArray[np.signedinteger]:
    """How many cells lie before the border, ahead and behind along each axis: [cells, 2 * axes]."""
    shape, at = game.grid.shape, _indices(game)
    slim = max(shape) <= np.iinfo(np.int16).max
    places = np.zeros((game.grid.size, 2 * len(game.grid.axes)), dtype=np.int16 if slim else np.int32)
    for i, axis in enumerate(game.grid.axes):
        for behind in (0, 1):
            rooms = [
                here if (step < 0) != behind else side - 1 - here
                for here, step, side in zip(at, axis, shape, strict=True)
                if step
            ]
            places[:, 2 * i + behind] = np.minimum.reduce(rooms)
    return places


def _roles(game: Game) -> Marks:
    """The role of every cell, as an index into ROLES: [cells]."""
    grid = game.grid
    sides = list(zip(_indices(game), grid.shape, strict=True))
    wide = [(here, side) for here, side in sides[int(grid.boards > 1) :] if side > 1]
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


def roles_of(game: Game) -> list[str]:
    """The roles that some cell of a board has."""
    return [ROLES[number] for number in np.unique(_roles(game))]


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
