"""Positions as numbers, their symmetries and lines: what the kernels of a proof know of a game and a table."""

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.compiled import Compiled
from teamplay.engine.kernels.layer import Moves, Setting, Space
from teamplay.engine.kernels.lookup import sides
from teamplay.engine.program import CODED, LINES, MEMO, SIGHT
from teamplay.game import BLANK, Game
from teamplay.grid import Cell, Line

Keys = NDArray[np.int64]
LARGEST_KEY = 62  # bits
WIDEST_LINE = 31  # cells, two bits each, in one word
LONGEST_LOOK_UP = 4  # cells each way: 65,536 codes of two bits a cell
REMEMBERED = 1 << 12  # answers kept for packed features
OFF_BOARD = 3  # what stands there on a line


def fits(game: Game) -> bool:
    """Whether a position of a game fits into one number."""
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


def setting(game: Game, compiled: Compiled, used: list[tuple[int, ...]]) -> Setting:
    """The setting of a proof up to the symmetries that are used, one at the least."""
    rows = compiled.rows.copy()
    coded = int(rows[0, CODED]) if rows[0, MEMO] else 0
    lines: list[Line] = []
    line_of, place_of = np.zeros((2, game.grid.size, len(game.grid.axes)), dtype=np.int64)
    table = np.zeros((0, len(compiled.programs)), dtype=np.int64)
    if 0 < coded <= LONGEST_LOOK_UP:
        lines, line_of, place_of = _sights(game, compiled, coded)
        table = _by_bits(compiled.table, coded)
    else:
        rows[compiled.heads, MEMO] = 0
    turned = _moved(game, [list(enumerate(symmetry)) for symmetry in used])
    laid = _moved(game, [[(cell, at) for at, cell in enumerate(line)] for line in lines])
    return Setting(compiled.game, rows, table, line_of, place_of, turned, laid, *_through(game))


def space(game: Game, compiled: Compiled, made: Setting) -> Space:
    """Room for the work on a position."""
    size = game.grid.size
    images, turns = np.zeros((2, made.turned.shape[2]), dtype=np.int64)
    blanks, changed = np.zeros((2, size + 1), dtype=np.int64)
    return Space(
        board=np.zeros(size, dtype=np.int8),
        work=compiled.work,
        memo=np.full((REMEMBERED, 2), -1, dtype=np.int64),
        images=images,
        lines=np.zeros(made.laid.shape[2], dtype=np.int64),
        moves=Moves(*np.zeros((6, size * (len(game.marks) if game.shared else 1)), dtype=np.int64)),
        blanks=blanks,
        changed=changed,
        turns=turns,
    )


def _moved(game: Game, words: list[list[tuple[Cell, int]]]) -> Keys:
    """Where the marks in each byte of a key go in some words: [bytes, 256, words].

    A word is given as pairs of a cell, or -1 off the board, and its place in the word.
    """
    moved = np.zeros((-(-2 * game.grid.size // 8), 256, len(words)), dtype=np.int64)
    values = np.arange(256, dtype=np.int64)
    for i, (cell, target) in ((i, pair) for i, word in enumerate(words) for pair in word):
        byte, shift = divmod(2 * cell, 8)
        marks = (values >> shift) & 3 if cell >= 0 else OFF_BOARD
        moved[max(0, byte), :, i] |= marks << (2 * target)
    return moved


def _through(game: Game) -> tuple[Keys, Keys]:
    """The bits of the other cells of the lines through each cell, and what must stand there to complete them."""
    through = [game.lines_through(cell) for cell in game.grid.cells]
    most = max(map(len, through)) + 1
    others = np.zeros((game.grid.size, most), dtype=np.int64)
    needed = np.full((game.grid.size, most, 2 * len(game.marks)), -1, dtype=np.int64)
    for cell, lines in enumerate(through):
        for i, line in enumerate(lines):
            others[cell, i] = sum(3 << (2 * other) for other in line if other != cell)
            for mark in range(1, len(game.marks) + 1):
                spelt = [game.marks.index(letter) + 1 for letter in game.goal.word] or [mark] * len(line)
                for way, letters in enumerate((spelt, spelt[::-1])):
                    if letters[line.index(cell)] == mark:
                        pairs = zip(line, letters, strict=True)
                        needed[cell, i, 2 * mark - 2 + way] = sum(m << (2 * at) for at, m in pairs if at != cell)
    return others, needed


def _sights(game: Game, compiled: Compiled, coded: int) -> tuple[list[Line], Keys, Keys]:
    """The lines along which agents look, -1 off the board; which is an agent's along each axis; where it begins there.

    A line is longer at both ends by as many cells as an agent looks; where that is too wide for a word, it is cut. The
    first lies all off the board, for agents that don't look along an axis.
    """
    grid = game.grid
    shortest = compiled.game.length if compiled.rows[0, SIGHT] == LINES else 1
    margin = (-1,) * coded
    widest = WIDEST_LINE - 2 * coded
    line_of, place_of = np.zeros((2, grid.size, compiled.game.axes), dtype=np.int64)
    lines: list[Line] = [(-1,) * (2 * coded + 1)]
    for axis, direction in enumerate(grid.axes):
        behind = tuple(-step for step in direction)
        for cell in (cell for cell in grid.cells if not grid.ray(cell, behind, 1)):
            line: tuple[Cell, ...] = (cell, *grid.ray(cell, direction))
            wide = (*margin, *line, *margin)
            for start in range(0, len(line) if len(line) >= shortest else 0, widest):
                for i, other in enumerate(line[start : start + widest]):
                    line_of[other, axis], place_of[other, axis] = len(lines), 2 * i
                lines.append(wide[start : start + WIDEST_LINE])
    return lines, line_of, place_of


def _by_bits(table: Keys, coded: int) -> Keys:
    """The look-up table for codes of two bits a cell, 3 being off the board: first the farthest cell behind."""
    bits = np.arange(4**coded)
    ahead, behind = np.zeros_like(bits), np.zeros_like(bits)
    for i in range(coded):
        near_last, near_first = (bits >> 2 * (coded - 1 - i)) & 3, (bits >> 2 * i) & 3
        ahead = np.where(near_last == OFF_BOARD, 0, 3 * ahead + 1 + near_last)
        behind = np.where(near_first == OFF_BOARD, 0, 3 * behind + 1 + near_first)
    codes = behind[np.newaxis, :] * sides(coded) + ahead[:, np.newaxis]
    return np.ascontiguousarray(table[codes.ravel()])
