"""Which search fits a game, and the game's rules as the masks that it takes."""

from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.solver.kernels import flanks, lines, words
from teamplay.game import Game, Position
from teamplay.grid import Line

MOST_CELLS = 61  # a mask of 63 bits has two for the memory's own use
REPLIES = 4  # deeper attacks cost more than they find
EFFECTS = {"wins": words.WINS, "loses": words.LOSES, "scores": words.SCORES}


@dataclass(frozen=True)
class Method:
    """A search and what it must know of a game."""

    name: str
    kernels: ModuleType
    rules: Any  # the kernels' own Rules
    exact: Any = None  # those under which a score tells how far the end is; None where nobody hurries


def method_of(game: Game, symmetry: bool) -> Method | None:
    """The search for a game; None where only the plain one knows the rules."""
    goal = game.goal
    if game.grid.size > MOST_CELLS:
        return None
    if goal.kind == "majority" and game.placement == "flank":
        return Method("flanks", flanks, _flanks(game, symmetry))
    if goal.kind == "majority" or game.placement == "flank":
        return None
    if goal.kind == "line" and goal.effect == "wins" and not game.shared:
        rules = _lines(game, symmetry)
        return Method("lines", lines, rules, rules)
    if len(game.marks) > 2 or (goal.kind == "word" and not game.shared):
        return None  # of marks of their own, only lines look the same from both sides
    rules_of_words = _words(game, symmetry)
    exact = None if goal.effect == "scores" else rules_of_words._replace(pairs=False)
    return Method("words", words, rules_of_words, exact)


def masks(game: Game, position: Position) -> tuple[int, int]:
    """A position as two masks: of both letters, or of the mover's marks and the other's."""
    marks = game.marks if game.shared else (game.marks[position.seat], game.marks[1 - position.seat])
    first, second = (_mask(i for i, mark in enumerate(position.marks) if mark == wanted) for wanted in (*marks, "")[:2])
    return first, second


def _mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


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


def _lines(game: Game, symmetry: bool) -> lines.Rules:
    found = _all_lines(game)
    return lines.Rules(
        lines=np.array(list(map(_mask, found)), dtype=np.int64),
        cells=np.array(found, dtype=np.int64).reshape(-1, game.goal.length or 1),
        turns=_turns(game, symmetry),
        replies=REPLIES,
        **_placement(game),
    )


def _words(game: Game, symmetry: bool) -> words.Rules:
    """Lines are words too: of one mark only."""
    goal = game.goal
    marks = (*game.marks, "")[:2]
    texts = {goal.word, goal.word[::-1]} if goal.kind == "word" else {mark * (goal.length or 0) for mark in game.marks}
    spelt = [
        [_mask(cell for cell, mark in zip(line, text, strict=True) if mark == wanted) for wanted in marks]
        for line in _all_lines(game)
        for text in sorted(texts)
    ]
    return words.Rules(
        words=np.array(spelt, dtype=np.int64).reshape(-1, 2),
        turns=_turns(game, symmetry),
        **_placement(game),
        letters=len(game.marks) if game.shared else 1,
        swaps=not game.shared,
        effect=EFFECTS[goal.effect],
        again=game.again,
        pairs=game.placement == "anywhere",
    )


def _flanks(game: Game, symmetry: bool) -> flanks.Rules:
    grid = game.grid
    steps, inside = [], []
    for direction in grid.directions:
        neighbours = {cell: ray[0] for cell in grid.cells if (ray := grid.ray(cell, direction, 1))}
        if neighbours:
            cell = next(iter(neighbours))
            steps.append(neighbours[cell] - cell)
            inside.append(_mask(neighbours))
    turns = _turns(game, symmetry)
    return flanks.Rules(
        steps=np.array(steps, dtype=np.int64),
        inside=np.array(inside, dtype=np.int64),
        turns=turns,
        none=turns[:0],
        board=(1 << grid.size) - 1,
        corners=_mask(cell for cell in grid.cells if grid.role(cell) == "corner"),
    )
