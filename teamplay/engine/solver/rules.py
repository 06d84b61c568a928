"""Which search fits a game, and the game's rules as the masks that it takes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.solver.kernels import drops, flanks, lines, words
from teamplay.engine.solver.kernels.flips import LONGEST, Axes
from teamplay.game import Game, Position
from teamplay.grid import Line

WORD = 64  # bits of a mask
MOST_CELLS = 61  # the sign bit is not used, nor the two that tell positions with spare cells apart
REPLIES = 4  # deeper attacks cost more than they find
DROP_REPLIES = 1  # by columns, positions are so cheap that less pays
EFFECTS = {"wins": words.WINS, "loses": words.LOSES, "scores": words.SCORES}


@dataclass(frozen=True)
class Method:
    """A search and what it must know of a game."""

    name: str
    kernels: ModuleType
    rules: Any  # the kernels' own rules
    exact: Any = None  # those under which a score tells how far the end is; None where nobody hurries
    bits: Sequence[int] = range(WORD)  # which bit of a mask stands for each cell
    signed: bool = False  # masks need the sign bit, which only compiled kernels can use


def method_of(game: Game, symmetry: bool) -> Method | None:
    """The search for a game; None where only the plain one knows the rules."""
    goal = game.goal
    if game.grid.size > WORD or game.grid.boards > 1 or goal.exact or goal.owner is not None:
        return None
    if goal.kind == "majority" and game.placement == "flank" and max(game.grid.shape) <= LONGEST:
        return Method("flanks", flanks, _flanks(game, symmetry), signed=game.grid.size == WORD)
    if game.grid.size > MOST_CELLS or goal.kind == "majority" or game.placement == "flank":
        return None
    if goal.kind == "line" and goal.effect == "wins" and not game.shared:
        if game.placement == "drop" and len(game.grid.shape) == 2 and _spare_bits(game) <= MOST_CELLS:
            by_columns = _drops(game, symmetry)
            return Method("drops", drops, by_columns, by_columns, _column_bits(game))
        rules = _lines(game, symmetry)
        return Method("lines", lines, rules, rules)
    if len(game.marks) > 2 or (goal.kind == "word" and not game.shared):
        return None  # of marks of their own, only lines look the same from both sides
    rules_of_words = _words(game, symmetry)
    exact = None if goal.effect == "scores" else rules_of_words._replace(pairs=False)
    return Method("words", words, rules_of_words, exact)


def masks(game: Game, position: Position, bits: Sequence[int]) -> tuple[int, int]:
    """A position as two masks: of both letters, or of the mover's marks and the other's."""
    marks = game.marks if game.shared else (game.marks[position.seat], game.marks[1 - position.seat])
    first, second = (
        _mask(bits[i] for i, mark in enumerate(position.marks) if mark == wanted) for wanted in (*marks, "")[:2]
    )
    return first, second


def _mask(cells: Iterable[int]) -> int:
    """One bit a cell, as an int64: of 64 cells the last is the sign."""
    mask = sum(1 << cell for cell in cells)
    return mask - (1 << 64) if mask >> 63 else mask


def _all_lines(game: Game) -> list[Line]:
    assert game.goal.length
    return [line for cell in game.grid.cells for line in game.grid.lines_from(cell, game.goal.length)]


def _placement(game: Game) -> dict[str, Any]:
    """The board, its floor, and the way down."""
    *_, height, width = game.grid.shape
    drops = game.placement == "drop"
    bottom = (cell for cell in game.grid.cells if not drops or cell // width % height == height - 1)
    return {"board": (1 << game.grid.size) - 1, "floor": _mask(bottom), "below": width, "drops": drops}


def _turns(game: Game, symmetry: bool) -> NDArray[np.int64]:
    """Where each byte of a mask goes under the symmetries of the board that keep `down` down."""
    grid = game.grid
    cells = tuple(grid.cells)
    rows = [grid.coordinates(cell)[-2] for cell in cells]
    kept = [turn for turn in (grid.symmetries if symmetry else ()) if turn != cells]
    if game.placement == "drop":
        kept = [turn for turn in kept if all(rows[turn[cell]] == rows[cell] for cell in cells)]
    table = np.zeros((len(kept), (grid.size + 7) // 8, 256), dtype=np.int64)
    byte = np.arange(256)
    for number, turn in enumerate(kept):
        for cell in cells:
            table[number, cell // 8] |= ((byte >> (cell % 8)) & 1) << turn[cell]
    return table


def _lines(game: Game, symmetry: bool) -> lines.LineRules:
    found = _all_lines(game)
    return lines.LineRules(
        lines=np.array(list(map(_mask, found)), dtype=np.int64),
        cells=np.array(found, dtype=np.int64).reshape(-1, game.goal.length or 1),
        turns=_turns(game, symmetry),
        replies=REPLIES,
        **_placement(game),
    )


def _spare_bits(game: Game) -> int:
    """How many bits a mask by columns has: one more than cells for each column."""
    height, width = game.grid.shape
    return (height + 1) * width


def _column_bits(game: Game) -> list[int]:
    """The bit of each cell in a mask by columns, counted from below."""
    height, width = game.grid.shape
    return [cell % width * (height + 1) + height - 1 - cell // width for cell in game.grid.cells]


def _drops(game: Game, symmetry: bool) -> drops.DropRules:
    height, width = game.grid.shape
    bits = _column_bits(game)
    centre = np.zeros(_spare_bits(game), dtype=np.int64)
    for cell in game.grid.cells:
        centre[bits[cell]] = width - abs(2 * (cell % width) - width + 1)
    return drops.DropRules(
        centre=centre,
        shifts=np.array([height + 1, height + 2, height], dtype=np.int64),
        board=_mask(bits),
        floor=_mask(bits[cell] for cell in game.grid.cells if cell // width == height - 1),
        even=_mask(bits[cell] for cell in game.grid.cells if (height - 1 - cell // width) % 2 == 0),
        columns=width,
        height=height,
        length=game.goal.length or 1,
        replies=DROP_REPLIES,
        symmetric=symmetry,
    )


def _words(game: Game, symmetry: bool) -> words.WordRules:
    """Lines are words too: of one mark only."""
    goal = game.goal
    marks = (*game.marks, "")[:2]
    texts = {goal.word, goal.word[::-1]} if goal.kind == "word" else {mark * (goal.length or 0) for mark in game.marks}
    spelt = [
        [_mask(cell for cell, mark in zip(line, text, strict=True) if mark == wanted) for wanted in marks]
        for line in _all_lines(game)
        for text in sorted(texts)
    ]
    return words.WordRules(
        words=np.array(spelt, dtype=np.int64).reshape(-1, 2),
        turns=_turns(game, symmetry),
        **_placement(game),
        letters=len(game.marks) if game.shared else 1,
        swaps=not game.shared,
        effect=EFFECTS[goal.effect],
        again=game.again,
        pairs=game.placement == "anywhere",
    )


def _flanks(game: Game, symmetry: bool) -> flanks.FlankRules:
    grid = game.grid
    steps, inner = [], []
    for axis in grid.axes:
        back = tuple(-step for step in axis)
        flanked = [cell for cell in grid.cells if None not in (grid.beside(cell, axis), grid.beside(cell, back))]
        if flanked:
            steps.append(grid.ray(flanked[0], axis, 1)[0] - flanked[0])
            inner.append(_mask(flanked))
    regions: dict[tuple[bool, ...], list[int]] = {}
    for cell in grid.cells:
        halves = tuple(2 * at < side for at, side in zip(grid.coordinates(cell), grid.shape, strict=True))
        regions.setdefault(halves, []).append(cell)
    return flanks.FlankRules(
        axes=Axes(np.array(steps, dtype=np.int64), np.array(inner, dtype=np.int64)),
        regions=np.array(list(map(_mask, regions.values())), dtype=np.int64),
        turns=_turns(game, symmetry),
        board=_mask(grid.cells),
        cells=grid.size,
        corners=_mask(cell for cell in grid.cells if grid.role(cell) == "corner"),
    )
