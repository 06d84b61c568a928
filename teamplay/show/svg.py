"""The paper: the same picture as a small vector drawing that also reads in black and white."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from xml.sax.saxutils import escape

from teamplay.game import BLANK
from teamplay.grid import Cell, Grid, column_name
from teamplay.show.picture import Picture, window
from teamplay.show.words import heading, verdict

NAMESPACE = "http://www.w3.org/2000/svg"
SIDE = 36  # of a cell
MARGIN = 20  # for the names of rows, columns and layers
EDGE = 4  # white around everything
GAP = 12  # between layers
MOST = (16, 40, 40)  # layers, rows, columns
ACROSS = 4  # layers in a row
HEAT = ("#f39a5b", "#f8bb8b", "#fbd3b0", "#fde4cf", "#fef1e5", "#fffaf5")  # darker is more urgent


def drawn(picture: Picture) -> str:
    """The picture as SVG: no scripts, no fonts to fetch, the same bytes for the same picture."""
    sheet = _Sheet(picture)
    width, height = sheet.size
    return "\n".join(
        [
            f'<svg xmlns="{NAMESPACE}" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
            f"<title>{_xml(heading(picture))}</title>",
            f"<desc>{_xml(verdict(picture))}</desc>",
            f'<path fill="#fff" d="M0 0h{width}v{height}h-{width}z"/>',
            *sheet.heat(),
            *sheet.lines(),
            '<g font-family="Helvetica,Arial,sans-serif" font-size="14" text-anchor="middle">',
            *sheet.names(),
            *sheet.texts(),
            "</g>",
            *sheet.signs(),
            *sheet.frames(),
            "</svg>",
            "",
        ]
    )


@dataclass(frozen=True)
class _Sheet:
    """Where everything lies on the paper."""

    picture: Picture

    @property
    def grid(self) -> Grid:
        return self.picture.game.grid

    @cached_property
    def tied(self) -> frozenset[Cell]:
        return frozenset(self.picture.tied)

    @cached_property
    def spans(self) -> tuple[range, ...]:
        """The layers, rows and columns that are drawn; a flat board is a single layer."""
        shape = self.grid.shape
        cut = window(self.grid, self.picture.tied, MOST[-len(shape) :])
        return cut if len(shape) == 3 else (range(1), *cut)

    @property
    def size(self) -> tuple[int, int]:
        layers = len(self.spans[0])
        across, down = min(layers, ACROSS), -(-layers // ACROSS)
        wide, high = self._step
        return across * wide - GAP + 2 * EDGE, down * high - GAP + 2 * EDGE

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

    def heat(self) -> Iterator[str]:
        """A ground for every answer, one path a shade."""
        grounds: dict[int, list[str]] = {}
        for cell, (x, y) in self.places.items():
            answer = self.picture.answers.get(cell)
            if answer and answer.priority is not None:
                shade = self.picture.shades[answer.priority]
                grounds.setdefault(shade, []).append(f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")
        return (f'<path fill="{HEAT[shade]}" d="{"".join(paths)}"/>' for shade, paths in sorted(grounds.items()))

    def lines(self) -> Iterator[str]:
        """The lines between the cells."""
        _, rows, columns = map(len, self.spans)
        strokes = []
        for left, top in self.corners:
            strokes += [f"M{left} {top + SIDE * i}h{SIDE * columns}" for i in range(rows + 1)]
            strokes += [f"M{left + SIDE * i} {top}v{SIDE * rows}" for i in range(columns + 1)]
        yield f'<path stroke="#888" d="{"".join(strokes)}"/>'

    def names(self) -> Iterator[str]:
        """Columns above, rows to the left, layers above all."""
        layers, rows, columns = self.spans
        yield '<g fill="#666" font-size="11">'
        for layer, (left, top) in zip(layers, self.corners, strict=True):
            if len(self.grid.shape) == 3:
                yield _text(left + SIDE * len(columns) // 2, top - MARGIN - 4, f"layer {layer + 1}")
            for i, column in enumerate(columns):
                yield _text(left + SIDE * i + SIDE // 2, top - 6, column_name(column))
            for i, row in enumerate(rows):
                yield _text(left - 10, top + SIDE * i + SIDE // 2 + 4, str(row + 1))
        yield "</g>"

    def texts(self) -> Iterator[str]:
        """The answers, each with its letter in bold, and the letters on the board; one group a font."""
        groups: dict[str, list[str]] = {}
        for cell in self.places:
            for x, y, text, font in self._words(cell):
                groups.setdefault(font, []).append(_text(x, y, text))
        for font, texts in groups.items():
            yield from ([f"<g{font}>", *texts, "</g>"] if font else texts)

    def _words(self, cell: Cell) -> Iterator[tuple[int, int, str, str]]:
        """What is written in a cell: where, what, and in which font."""
        x, y = self.places[cell]
        middle = x + SIDE // 2
        number, letter = self.picture.number(cell), self.picture.letter(cell)
        bold = cell in self.tied
        size = min(14, max(6, 38 // (len(number + letter) or 1)))
        if number and letter:
            middle += (len(number) - len(letter)) * size * 3 // 10  # a digit is some 0.6 of its height wide
            yield middle - 1, y + 23, number, _font(size, bold, "end")
            yield middle + 1, y + 23, letter, _font(size, True, "start")
        elif number:
            yield middle, y + 23, number, _font(size, bold)
        elif self.picture.game.shared and self.picture.marks[cell] != BLANK:
            yield middle, y + 25, self.picture.marks[cell], _font(20, True)

    def signs(self) -> Iterator[str]:
        """A cross, a ring, or the dot of a silent agent."""
        half, arm = SIDE // 2, SIDE // 4
        crosses, rings, dots = [], [], []
        for cell, (x, y) in self.places.items():
            answer = self.picture.answers.get(cell)
            mark = "" if self.picture.game.shared else self.picture.marks[cell].replace(BLANK, "")
            if mark == "x":
                crosses.append(f"M{x + arm} {y + arm}l{half} {half}m0-{half}l-{half} {half}")
            elif mark == "o":
                rings.append(_circle(x + arm, y + half, arm))
            elif answer and answer.priority is None:
                dots.append(_circle(x + half - 2, y + half, 2))
        if crosses or rings:
            yield f'<path fill="none" stroke="#000" stroke-width="3" d="{"".join(crosses + rings)}"/>'
        if dots:
            yield f'<path fill="#888" d="{"".join(dots)}"/>'

    def frames(self) -> Iterator[str]:
        """A thick frame around the most urgent cells, or around the line that decided the game."""
        over = self.picture.outcome
        cells = over.line if over else self.picture.tied
        places = [self.places[cell] for cell in cells if cell in self.places]
        frames = [f"M{x + 2} {y + 2}h{SIDE - 4}v{SIDE - 4}h-{SIDE - 4}z" for x, y in places]
        if frames:
            yield f'<path fill="none" stroke="#000" stroke-width="3" d="{"".join(frames)}"/>'


def _circle(x: int, y: int, radius: int) -> str:
    """A ring that begins at its left end."""
    return f"M{x} {y}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0-{2 * radius} 0z"


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}">{_xml(text)}</text>'


def _font(size: int, bold: bool, anchor: str = "") -> str:
    """What differs from the font of the whole drawing."""
    parts = [
        f' font-size="{size}"' if size != 14 else "",
        ' font-weight="bold"' if bold else "",
        f' text-anchor="{anchor}"' if anchor else "",
    ]
    return "".join(parts)


def _xml(text: str) -> str:
    """Text from anywhere, as XML may hold it."""
    return escape("".join(char if char.isprintable() else " " for char in text))
