"""Positions as numbers, their symmetries and lines: what the kernels of a proof know of a game and a table."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.compiled import Compiled
from teamplay.engine.kernels.game import AXES, LENGTH
from teamplay.engine.kernels.lookup import sides
from teamplay.engine.program import CODED, LINES, REMEMBERS, SIGHT
from teamplay.game import BLANK, Game
from teamplay.grid import Cell, Line

Keys = NDArray[np.int64]
LARGEST_KEY = 62  # bits
WIDEST_LINE = 31  # cells, two bits each, in one word
LONGEST_LOOK_UP = 4  # cells each way: 65,536 codes of two bits a cell
REMEMBERED = 1 << 12  # answers kept for packed features
OFF_BOARD = 3  # what stands there on a line


def fits(game: Game) -> bool:
    """Whether a position of this game fits into one number."""
    extra = 9 if game.goal.effect == "scores" else 1
    return 2 * game.grid.size + extra <= LARGEST_KEY and len(game.marks) <= 3


def symmetries(game: Game) -> list[tuple[int, ...]]:
    """The symmetries of the board that the game keeps: its start, and which way pieces fall."""
    kept = []
    for symmetry in game.grid.symmetries:
        turned = [BLANK] * game.grid.size
        for cell, mark in enumerate(game.beginning):
            turned[symmetry[cell]] = mark
        if "".join(turned) == game.beginning and (game.placement != "drop" or _falls(game, symmetry)):
            kept.append(symmetry)
    return kept


def _falls(game: Game, symmetry: tuple[int, ...]) -> bool:
    """Whether the cell below stays the cell below."""
    width = game.grid.shape[-1]
    height = game.grid.shape[-2]
    upper = [cell for cell in game.grid.cells if cell // width % height < height - 1]
    return all(symmetry[cell + width] - symmetry[cell] == width for cell in upper)


class Setting(NamedTuple):
    """Everything about a game and a table that stays the same from position to position; see the kernels."""

    numbers: NDArray[np.int64]
    places: NDArray[np.signedinteger]
    program: NDArray[np.int64]
    table: Keys  # [seats, codes of two bits a cell]
    at: Keys  # [cells, 2 * axes]
    moved: Keys  # [bytes, 256, symmetries and lines]
    through: Keys  # [cells, lines, 1 + 2 * marks]


class Space(NamedTuple):
    """Arrays that the work on one position needs, made once for many."""

    board: NDArray[np.int8]
    work: NDArray[np.int64]
    memo: NDArray[np.int64]
    words: Keys  # [symmetries and lines]
    moves: NDArray[np.int64]  # [5, moves]
    changed: NDArray[np.int64]  # [cells]
    turns: Keys  # [symmetries]


def setting(game: Game, compiled: Compiled, used: list[tuple[int, ...]]) -> Setting:
    """The setting of a proof up to the symmetries that are used, one at the least."""
    rows = compiled.rows.copy()
    coded = int(rows[0, CODED]) if rows[0, REMEMBERS] else 0
    lines: list[Line] = []
    at = np.zeros((game.grid.size, 2 * len(game.grid.axes)), dtype=np.int64)
    table = np.zeros((len(compiled.programs), 0), dtype=np.int64)
    if 0 < coded <= LONGEST_LOOK_UP:
        lines, at = _sights(game, compiled, coded)
        at[:, ::2] += len(used)
        table = _by_bits(compiled.table, coded)
    else:
        rows[compiled.heads, REMEMBERS] = 0
    return Setting(*compiled.game, rows, table, at, _moved(game, used, lines), _through(game))


def space(game: Game, compiled: Compiled, made: Setting, symmetries: int) -> Space:
    """Room for the work on a position."""
    size = game.grid.size
    return Space(
        board=np.zeros(size, dtype=np.int8),
        work=compiled.work,
        memo=np.full((REMEMBERED, 2), -1, dtype=np.int64),
        words=np.zeros(made.moved.shape[2], dtype=np.int64),
        moves=np.zeros((5, size * (len(game.marks) if game.shared else 1)), dtype=np.int64),
        changed=np.zeros(size, dtype=np.int64),
        turns=np.zeros(symmetries, dtype=np.int64),
    )


def _moved(game: Game, used: list[tuple[int, ...]], lines: list[Line]) -> Keys:
    """Where the marks in each byte of a key go under each symmetry, and on each line."""
    moved = np.zeros((-(-2 * game.grid.size // 8), 256, len(used) + len(lines)), dtype=np.int64)
    values = np.arange(256, dtype=np.int64)
    pairs = [list(enumerate(symmetry)) for symmetry in used]
    pairs += [[(cell, at) for at, cell in enumerate(line)] for line in lines]
    for i, (cell, target) in ((i, pair) for i, word in enumerate(pairs) for pair in word):
        byte, shift = divmod(2 * cell, 8)
        marks = (values >> shift) & 3 if cell >= 0 else OFF_BOARD
        moved[max(0, byte), :, i] |= marks << (2 * target)
    return moved


def _through(game: Game) -> Keys:
    """The bits of the other cells of the lines through each cell, and what must stand there to complete them."""
    through = [game.lines_through(cell) for cell in game.grid.cells]
    marks = range(1, len(game.marks) + 1)
    made = np.full((game.grid.size, max(map(len, through)) + 1, 1 + 2 * len(game.marks)), -1, dtype=np.int64)
    made[:, :, 0] = 0
    for cell, lines in enumerate(through):
        for i, line in enumerate(lines):
            made[cell, i, 0] = sum(3 << (2 * other) for other in line if other != cell)
            for mark in marks:
                spelt = [game.marks.index(letter) + 1 for letter in game.goal.word] or [mark] * len(line)
                for way, letters in enumerate((spelt, spelt[::-1])):
                    if letters[line.index(cell)] == mark:
                        pairs = zip(line, letters, strict=True)
                        made[cell, i, 2 * mark - 1 + way] = sum(m << (2 * at) for at, m in pairs if at != cell)
    return made


def _sights(game: Game, compiled: Compiled, coded: int) -> tuple[list[Line], Keys]:
    """The lines along which agents look, -1 off the board, and where on them every agent's sight begins.

    A line takes so many cells more at both ends as an agent looks; where that is too wide for a word, it is cut. The
    first lies all off the board, for agents that don't look along an axis.
    """
    grid, numbers = game.grid, compiled.game.numbers
    shortest = int(numbers[LENGTH]) if compiled.rows[0, SIGHT] == LINES else 1
    margin = (-1,) * coded
    widest = WIDEST_LINE - 2 * coded
    at = np.zeros((grid.size, 2 * int(numbers[AXES])), dtype=np.int64)
    lines: list[Line] = [(-1,) * (2 * coded + 1)]
    for axis, direction in enumerate(grid.axes):
        behind = tuple(-step for step in direction)
        for cell in (cell for cell in grid.cells if not grid.ray(cell, behind, 1)):
            line: tuple[Cell, ...] = (cell, *grid.ray(cell, direction))
            wide = (*margin, *line, *margin)
            for start in range(0, len(line) if len(line) >= shortest else 0, widest):
                for i, other in enumerate(line[start : start + widest]):
                    at[other, 2 * axis : 2 * axis + 2] = len(lines), 2 * i
                lines.append(wide[start : start + WIDEST_LINE])
    return lines, at


def _by_bits(table: Keys, coded: int) -> Keys:
    """The look-up table for codes of two bits a cell, 3 being off the board: first the farthest cell behind."""
    bits = np.arange(4**coded)
    ahead, behind = np.zeros_like(bits), np.zeros_like(bits)
    for i in range(coded):
        near_last, near_first = (bits >> 2 * (coded - 1 - i)) & 3, (bits >> 2 * i) & 3
        ahead = np.where(near_last == OFF_BOARD, 0, 3 * ahead + 1 + near_last)
        behind = np.where(near_first == OFF_BOARD, 0, 3 * behind + 1 + near_first)
    codes = behind[np.newaxis, :] * sides(coded) + ahead[:, np.newaxis]
    return np.ascontiguousarray(table[:, codes.ravel()])
