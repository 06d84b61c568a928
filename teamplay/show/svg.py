"""The paper: the same view as a small vector drawing, with title and legend, that also reads in black and white."""

from collections.abc import Iterable, Iterator, Sequence

from teamplay.game import BLANK, Game, Position
from teamplay.grid import Cell
from teamplay.show import shapes
from teamplay.show.chart import By, Chart
from teamplay.show.legend import rows
from teamplay.show.picture import Picture
from teamplay.show.shapes import FONT, INK, LINE, SILENT, fill, page, text_at, wrapped
from teamplay.show.sheet import SIDE, Sheet
from teamplay.show.words import heading, verdict

NARROWEST = 300  # of a drawing with a title and a legend
TITLE = 13  # its font
BORDER = 8  # empty around it


def drawn(picture: Picture, by: By | None = None, agent: Cell | None = None) -> str:
    """A view of a picture as SVG, the same bytes for the same view: title, board, legend."""
    chart = picture.chart(by, agent)
    sheet = Sheet(picture.game.grid, chart.focus)
    wide, high = sheet.size
    width = max(wide, NARROWEST)
    title = wrapped(heading(picture), width, TITLE)
    top = LINE * len(title) + BORDER
    below, tall = rows(chart, width)
    parts = [
        f'<g transform="translate({BORDER} {BORDER})">',
        f'<g {FONT} font-size="{TITLE}" font-weight="bold" text-anchor="middle" {fill("ink", INK)}>',
        *(text_at(width // 2, LINE * i - 3, line) for i, line in enumerate(title, start=1)),
        "</g>",
        f'<g transform="translate({(width - wide) // 2} {top})">',
        *_board(chart, sheet),
        "</g>",
        f'<g transform="translate(0 {top + high + BORDER})">',
        *below,
        "</g>",
        "</g>",
    ]
    said = " ".join(filter(None, [verdict(picture), *sheet.hidden]))
    return page((width + 2 * BORDER, top + high + tall + 3 * BORDER), heading(picture), said, parts)


def board(game: Game, position: Position, framed: Sequence[Cell] = (), inside: bool = False) -> str:
    """A position as SVG, perhaps `inside` another: the marks, a corner for the last move, the deciding line framed.

    Other cells may be framed while the game goes on.
    """
    taken = {cell: mark for cell, mark in enumerate(position.marks) if mark != BLANK}
    last, over = position.last, game.outcome(position)
    sheet = Sheet(game.grid, list(framed) or ([last.cell] if last else sorted(taken)))
    letters = taken if game.shared else {}
    parts = [
        *sheet.lines(),
        *_texts(sheet, ((*_middle(sheet, cell), mark, _font(20, True), "") for cell, mark in letters.items())),
        *sheet.pieces({} if game.shared else taken),  # x is the first player, whoever is to move
        *(sheet.corner(last.cell) if last else ()),
        *sheet.frames(over.line if over else framed, "chosen"),
    ]
    said = " ".join(filter(None, [over.reason if over else "", *sheet.hidden]))
    return page(sheet.size, str(game), said, parts, inside)


def _board(chart: Chart, sheet: Sheet) -> Iterator[str]:
    """The board of a view: grounds, hatching, lines, texts, pieces, frames."""
    picture = chart.picture
    marks = {cell: mark for cell, mark in enumerate(picture.marks) if mark != BLANK}
    yield from sheet.grounds(chart.by, chart.fills)
    yield from sheet.hatching(chart.seen)
    yield from sheet.lines()
    yield from _texts(sheet, (word for cell in sheet.places for word in _words(chart, sheet, cell)))
    yield from sheet.pieces({} if picture.game.shared else marks)
    yield from _silence(chart, sheet)
    if picture.position.last:
        yield from sheet.corner(picture.position.last.cell)
    yield from _frames(chart, sheet)


def _frames(chart: Chart, sheet: Sheet) -> Iterator[str]:
    """A thick frame around the choice or the deciding line, a thin one around each tie."""
    chosen = chart.picture.chosen
    groups: dict[tuple[shapes.Frame, int | None], list[Cell]] = {}
    for cell in sorted(chart.framed):
        tied = chosen is not None and chosen.cell != cell and chart.agent is None
        groups.setdefault(("tied" if tied else "chosen", chart.fills.get(cell)), []).append(cell)
    for (kind, number), cells in groups.items():
        yield from sheet.frames(cells, kind, chart.by, number)


def _texts(sheet: Sheet, words: Iterable[tuple[int, int, str, str, str]]) -> Iterator[str]:
    """The names around the board and the texts in it, those of one font and colour together."""
    groups: dict[str, list[str]] = {}
    for x, y, text, font, colour in words:
        groups.setdefault(f"{font}{colour}", []).append(text_at(x, y, text))
    yield f'<g {FONT} font-size="14" text-anchor="middle" {fill("ink", INK)}>'
    yield from sheet.names()
    for look, texts in groups.items():
        yield from ([f"<g{look}>", *texts, "</g>"] if look else texts)
    yield "</g>"


def _middle(sheet: Sheet, cell: Cell) -> tuple[int, int]:
    """Where a letter on the board stands."""
    x, y = sheet.places[cell]
    return x + SIDE // 2, y + 25


def _words(chart: Chart, sheet: Sheet, cell: Cell) -> Iterator[tuple[int, int, str, str, str]]:
    """What is written in a cell: where, what, in which font and colour."""
    x, y = sheet.places[cell]
    middle = x + SIDE // 2
    picture = chart.picture
    number = chart.texts.get(cell, "")
    letter = chart.letter(cell) if number else ""
    bold = picture.chosen is not None and picture.chosen.cell == cell
    size = min(14, max(6, 38 // (len(number + letter) or 1)))
    ink = _ink(chart, cell)
    if number and letter:
        middle += (len(number) - len(letter)) * size * 3 // 10  # a digit is some 0.6 of its height wide
        yield middle - 1, y + 23, number, _font(size, bold, "end"), ink
        yield middle + 1, y + 23, letter, _font(size, True, "start"), ink
    elif number:
        yield middle, y + 23, number, _font(size, bold), ink
    elif picture.game.shared and picture.marks[cell] != BLANK:
        yield *_middle(sheet, cell), picture.marks[cell], _font(20, True), ""


def _ink(chart: Chart, cell: Cell) -> str:
    """The colour of the text on the ground of a cell."""
    return f" {shapes.on(chart.by, chart.fills[cell])}" if cell in chart.fills else ""


def _silence(chart: Chart, sheet: Sheet) -> Iterator[str]:
    """A dot for every silent agent."""
    states = chart.picture.states if chart.by != "sight" else ()
    places = [sheet.places[cell] for cell, state in enumerate(states) if state == "silent" and cell in sheet.places]
    if places:
        dots = "".join(shapes.circle(x + SIDE // 2 - 2, y + SIDE // 2, 2) for x, y in places)
        yield f'<path fill="{SILENT}" d="{dots}"/>'


def _font(size: int, bold: bool, anchor: str = "") -> str:
    """What differs from the font of the whole drawing."""
    parts = [
        f' font-size="{size}"' if size != 14 else "",
        ' font-weight="bold"' if bold else "",
        f' text-anchor="{anchor}"' if anchor else "",
    ]
    return "".join(parts)
