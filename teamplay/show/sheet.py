"""Where does everything lie on a paper drawing? The geometry of a board in SVG, whatever stands in its cells."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from teamplay.grid import Cell, Grid, column_name
from teamplay.show import shapes
from teamplay.show.picture import part, window
from teamplay.show.shapes import HATCH, INK, LINE, LINES, NAMES, fill, stroke, text_at, wrapped

SIDE = 36  # of a cell
MARGIN = 20  # for the names of rows, columns and layers
EDGE = 4  # empty around everything
GAP = 12  # between layers
MOST = (16, 40, 40)  # layers, rows, columns
ACROSS = 4  # layers in a row
CAPTION = 11  # the font of small print


@dataclass(frozen=True)
class Sheet:
    """A board on paper: the part that is drawn, and where its cells are."""

    grid: Grid
    around: Sequence[Cell]  # the cells that must be seen where not everything can be

    @cached_property
    def spans(self) -> tuple[range, ...]:
        """The layers, rows and columns that are drawn; a flat board is a single layer."""
        shape = self.grid.shape
        cut = window(self.grid, self.around, MOST[-len(shape) :])
        return cut if len(shape) == 3 else (range(1), *cut)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the drawing."""
        width, height = self._bare
        return width, height + LINE * len(self.hidden)

    @property
    def _bare(self) -> tuple[int, int]:
        """The size without the sentence about what is left out."""
        layers = len(self.spans[0])
        across, down = min(layers, ACROSS), -(-layers // ACROSS)
        wide, high = self._step
        return across * wide - GAP + 2 * EDGE, down * high - GAP + 2 * EDGE

    @cached_property
    def hidden(self) -> list[str]:
        """What of the board is not drawn, in lines."""
        missing = part(self.grid, self.spans[-len(self.grid.shape) :])
        return wrapped(missing, self._bare[0], CAPTION) if missing else []

    @property
    def _step(self) -> tuple[int, int]:
        """From one layer to the next, across and down."""
        _, rows, columns = map(len, self.spans)
        title = MARGIN if len(self.grid.shape) == 3 else 0
        return MARGIN + columns * SIDE + GAP, title + MARGIN + rows * SIDE + GAP

    @cached_property
    def corners(self) -> list[tuple[int, int]]:
        """The upper left corner of every layer's cells."""
        wide, high = self._step
        title = MARGIN if len(self.grid.shape) == 3 else 0
        return [
            (EDGE + MARGIN + i % ACROSS * wide, EDGE + title + MARGIN + i // ACROSS * high)
            for i in range(len(self.spans[0]))
        ]

    @cached_property
    def places(self) -> dict[Cell, tuple[int, int]]:
        """The upper left corner of every cell that is drawn."""
        layers, rows, columns = self.spans
        return {
            self.grid.cell([layer, row, column][-len(self.grid.shape) :]): (
                left + SIDE * (column - columns.start),
                top + SIDE * (row - rows.start),
            )
            for layer, (left, top) in zip(layers, self.corners, strict=True)
            for row in rows
            for column in columns
        }

    def lines(self) -> Iterator[str]:
        """The lines between the cells."""
        _, rows, columns = map(len, self.spans)
        strokes = []
        for left, top in self.corners:
            strokes += [f"M{left} {top + SIDE * i}h{SIDE * columns}" for i in range(rows + 1)]
            strokes += [f"M{left + SIDE * i} {top}v{SIDE * rows}" for i in range(columns + 1)]
        yield f'<path {stroke("lines", LINES)} d="{"".join(strokes)}"/>'

    def names(self) -> Iterator[str]:
        """Columns above, rows to the left, layers above all; below what is not drawn."""
        layers, rows, columns = self.spans
        yield f'<g {fill("names", NAMES)} font-size="{CAPTION}">'
        for layer, (left, top) in zip(layers, self.corners, strict=True):
            if len(self.grid.shape) == 3:
                yield text_at(left + SIDE * len(columns) // 2, top - MARGIN - 4, f"{self.grid.layer_name} {layer + 1}")
            for i, column in enumerate(columns):
                yield text_at(left + SIDE * i + SIDE // 2, top - 6, column_name(column))
            for i, row in enumerate(rows):
                yield text_at(left - 10, top + SIDE * i + SIDE // 2 + 4, str(row + 1))
        width, height = self._bare
        for i, line in enumerate(self.hidden, start=1):
            yield text_at(width // 2, height + LINE * i - 5, line)
        yield "</g>"

    def grounds(self, by: str, fills: Mapping[Cell, int]) -> Iterator[str]:
        """A ground for some cells, one path per colour, in the order of the palette."""
        for number in sorted(set(fills.values())):
            places = [self.places[cell] for cell, filled in fills.items() if filled == number and cell in self.places]
            if places:
                yield shapes.ground(by, number, "".join(shapes.square(x, y, SIDE) for x, y in places))

    def frames(
        self, cells: Iterable[Cell], kind: shapes.Frame, by: str = "", number: int | None = None
    ) -> Iterator[str]:
        """A frame around each of some cells, on a ground of some number or on none."""
        places = [self.places[cell] for cell in cells if cell in self.places]
        if places:
            yield shapes.framed(by, number, kind, places, SIDE)

    def hatching(self, cells: Iterable[Cell]) -> Iterator[str]:
        """Slanting lines over each of some cells."""
        strokes = [shapes.hatch(*self.places[cell], SIDE) for cell in sorted(cells) if cell in self.places]
        if strokes:
            yield f'<path {stroke("hatch", HATCH)} d="{"".join(strokes)}"/>'

    def corner(self, cell: Cell) -> Iterator[str]:
        """A small triangle in the upper right corner of a cell: the last move."""
        if cell in self.places:
            x, y = self.places[cell]
            yield f'<path {fill("ink", INK)} d="{shapes.triangle(x + SIDE, y)}"/>'

    def pieces(self, marks: Mapping[Cell, str]) -> Iterator[str]:
        """A cross for every x and a ring for every o."""
        strokes = []
        for cell, mark in sorted(marks.items(), key=lambda entry: (entry[1] != "x", entry[0])):
            if cell in self.places:
                x, y = self.places[cell]
                strokes.append(shapes.piece(x, y, mark, SIDE))
        if strokes:
            yield f'<path fill="none" {stroke("ink", INK)} stroke-width="3" d="{"".join(strokes)}"/>'
