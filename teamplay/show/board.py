"""How a board is drawn with characters: boxes where there is room, tight rows where not, a window of the largest."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from rich.text import Text

from teamplay.grid import Cell, Grid, column_name
from teamplay.show.picture import part, window

MOST_ROWS = 40  # of a board that is shown whole
WINDOW_ROWS = 24  # of one that is not
MOST_LAYERS = 8
MOST_BOXED_ROWS = 10
GAP = 3  # columns between two layers


class Lines(NamedTuple):
    """The signs that boxes are made of; a rule is its left end, a dash, a crossing, its right end."""

    top: tuple[str, str, str, str]
    middle: tuple[str, str, str, str]
    bottom: tuple[str, str, str, str]
    wall: str


UNICODE = Lines(("┌", "─", "┬", "┐"), ("├", "─", "┼", "┤"), ("└", "─", "┴", "┘"), "│")
ASCII = Lines(("+", "-", "+", "+"), ("+", "-", "+", "+"), ("+", "-", "+", "+"), "|")


@dataclass(frozen=True)
class Face:
    """How one cell looks: what stands in it, its style, and a fence (`[]`, `()`) that also reads without colour."""

    text: str
    style: str = ""
    fence: str = "  "


BARE = Face("")


@dataclass(frozen=True)
class Layout:
    """What part of the board is drawn, and how: boxed or tight, the width of a cell, how many layers abreast."""

    spans: tuple[range, ...]  # layers, rows, columns
    boxed: bool
    inner: int
    across: int

    @property
    def rows(self) -> range:
        return self.spans[-2]

    @property
    def columns(self) -> range:
        return self.spans[-1]

    @property
    def label(self) -> int:
        """How wide the row numbers are."""
        return len(str(self.rows.stop))


def draw(grid: Grid, faces: Mapping[Cell, Face], around: Sequence[Cell], width: int, plain: bool = False) -> list[Text]:
    """The lines of a drawing that fits the width; cells without a face are bare, `plain` draws in ASCII."""
    layout = _layout(grid, max((len(face.text) for face in faces.values()), default=1), around, width)
    layers = layout.spans[0] if len(grid.shape) == 3 else [None]
    drawn = [_layer(grid, faces, layout, layer, ASCII if plain else UNICODE) for layer in layers]
    lines: list[Text] = []
    for start in range(0, len(drawn), layout.across):
        if lines:
            lines.append(Text())
        lines.extend(map(_joined, zip(*drawn[start : start + layout.across], strict=True)))
    if hidden := part(grid, layout.spans):
        lines += [Text(), *(Text(line, "italic") for line in textwrap.wrap(hidden, width))]
    return lines


def fits(grid: Grid, text: int, width: int, boxed: bool = False) -> bool:
    """Whether every column of a board can be shown, perhaps in boxes, if the longest text of a cell is so long."""
    layout = _layout(grid, text, (), width)
    return len(layout.columns) == grid.shape[-1] and (layout.boxed or not boxed)


def _layout(grid: Grid, text: int, around: Sequence[Cell], width: int) -> Layout:
    """The roomiest way that puts all layers side by side, else that shows a whole layer, else a window."""
    *layers, height, columns = grid.shape
    count = layers[0] if layers else 1
    label = len(str(height))
    # Boxed or not, and the characters of a cell.
    ways = [(True, text + 4), (True, text + 2), (False, max(text, 2, len(column_name(columns - 1))))]
    if height > MOST_BOXED_ROWS:
        ways = ways[-1:]
    across = {way: (width + GAP) // (label + 2 + (way[1] + 1) * columns + GAP) for way in ways}
    side_by_side = [way for way in ways if across[way] >= count]
    boxed, inner = next(iter(side_by_side or [way for way in ways if across[way]] or ways[-1:]))
    room = max(1, (width - label - 2) // (inner + 1))
    most = [MOST_LAYERS] * len(layers) + [MOST_ROWS if height <= MOST_ROWS else WINDOW_ROWS, room]
    return Layout(window(grid, around, most), boxed, inner, max(1, across[boxed, inner]))


def _layer(grid: Grid, faces: Mapping[Cell, Face], layout: Layout, layer: int | None, lines: Lines) -> list[Text]:
    """One layer of the board, or all of a flat one: every line equally wide."""
    at = [] if layer is None else [layer]
    rows = {row: [faces.get(grid.cell([*at, row, column]), BARE) for column in layout.columns] for row in layout.rows}
    body = _boxed(rows, layout, lines) if layout.boxed else [_tight(row, cells, layout) for row, cells in rows.items()]
    pad = " " * (layout.label + 2)
    place = str.center if layout.boxed else str.rjust
    names = " ".join(place(column_name(column), layout.inner) for column in layout.columns)
    title = [] if layer is None else [Text(f"{pad}{grid.layer_name} {layer + 1}", "bold")]
    drawn = [*title, Text(f"{pad}{names}", "dim"), *body]
    widest = max(line.cell_len for line in drawn)
    for line in drawn:
        line.pad_right(widest - line.cell_len)
    return drawn


def _boxed(rows: Mapping[int, Sequence[Face]], layout: Layout, lines: Lines) -> list[Text]:
    """Rows in boxes."""

    def rule(signs: tuple[str, str, str, str]) -> Text:
        left, dash, cross, right = signs
        dashes = cross.join([dash * layout.inner] * len(layout.columns))
        return Text(f"{' ' * layout.label} {left}{dashes}{right}", "dim")

    drawn = [rule(lines.top)]
    for row, cells in rows.items():
        if len(drawn) > 1:
            drawn.append(rule(lines.middle))
        parts = [Text(f"{row + 1:>{layout.label}} {lines.wall}", "dim")]
        for face in cells:
            inside = f"{face.fence[0]}{face.text}{face.fence[1]}".center(layout.inner)
            parts += [Text(inside, face.style), Text(lines.wall, "dim")]
        drawn.append(Text.assemble(*parts))
    return [*drawn, rule(lines.bottom)]


def _tight(row: int, cells: Sequence[Face], layout: Layout) -> Text:
    """A row without boxes; a fence hugs its text, and two neighbours share one sign between them."""
    parts = [Text(f"{row + 1:>{layout.label}} ", "dim")]
    for before, face in pairwise([BARE, *cells, BARE]):
        block = f"{face.fence[0].strip()}{face.text}".rjust(layout.inner + 1)
        parts.append(Text(_between(before.fence[1].strip(), block[0].strip()), "bold"))
        parts.append(Text(block[1:], face.style))
    return Text.assemble(*parts[:-1])  # behind the last cell stands only its fence


def _between(left: str, right: str) -> str:
    """The one sign between two neighbours: of two fences the braces, one of two alike, else a bar."""
    for sign in (left, right):
        if sign in ("{", "}"):
            return sign
    return "|" if left and right and left != right else left or right or " "


def _joined(parts: Sequence[Text]) -> Text:
    """The same line of several layers, side by side."""
    return Text(" " * GAP).join(parts)
