"""What do the signs of a paper drawing mean? Its legend, in rows that fit its width."""

from collections.abc import Iterator

from teamplay.show import shapes
from teamplay.show.chart import Chart, LegendEntry, counted_entry
from teamplay.show.shapes import FONT, HATCH, INK, LINE, LINES, SILENT, WIDE, fill, stroke, text_at

SIZE = 12  # of the font
BOX = 16  # of a sample
ROW = 22  # from one row to the next
GAP = 14  # between two entries


def rows(chart: Chart, width: int) -> tuple[list[str], int]:
    """The legend of a view, from (0, 0) on, and its height."""
    signs = [entry for entry in chart.legend if entry.sign != "fill"]
    fills = [entry for entry in chart.legend if entry.sign == "fill"]
    placed, height = _placed(signs, width, [_width(entry) for entry in signs])
    parts = [f'<g {FONT} font-size="{SIZE}" {fill("ink", INK)}>']
    for entry, x, y in placed:
        parts += _entry(chart, entry, x, y)
    if fills:
        parts.append(text_at(0, height + 12, f"{chart.scale}:"))
        top = height + LINE + 2
        placed, height = _placed(fills, width, [max(map(_width, fills))] * len(fills))
        for entry, x, y in placed:
            parts += _entry(chart, entry, x, top + y)
        height += top
    return [*parts, "</g>"], height


def _placed(
    entries: list[LegendEntry], width: int, widths: list[int]
) -> tuple[list[tuple[LegendEntry, int, int]], int]:
    """Entries with their places, line by line, and the height of all lines."""
    found, x, y = [], 0, 0
    for entry, wide in zip(entries, widths, strict=True):
        if x and x + wide > width:
            x, y = 0, y + ROW
        found.append((entry, x, y))
        x += wide + GAP
    return found, y + ROW if entries else 0


def _entry(chart: Chart, entry: LegendEntry, x: int, y: int) -> list[str]:
    return [*_sample(chart, entry, x, y), text_at(x + BOX + 6, y + 12, _text(entry))]


def _text(entry: LegendEntry) -> str:
    return counted_entry(entry) if entry.sign in ("fill", "seen") else entry.text


def _width(entry: LegendEntry) -> int:
    return BOX + 6 + round(len(_text(entry)) * SIZE * WIDE)


def _sample(chart: Chart, entry: LegendEntry, x: int, y: int) -> Iterator[str]:
    """A small cell that looks as the entry says."""
    chosen = chart.picture.chosen
    match entry.sign:
        case "own" | "other":
            shape = shapes.piece(x, y, entry.sample, BOX)
            yield f'<path fill="none" {stroke("ink", INK)} stroke-width="2" d="{shape}"/>'
            return
        case "letter":
            yield text_at(x + 4, y + 12, entry.sample)
            return
        case "fill" if entry.fill is not None:
            yield shapes.ground(chart.by, entry.fill, shapes.square(x, y, BOX))
            if chart.by == "rule":
                yield f'<g {shapes.on(chart.by, entry.fill)} text-anchor="middle">'
                yield text_at(x + BOX // 2, y + 12, entry.sample)
                yield "</g>"
        case "seen":
            yield f'<path {stroke("hatch", HATCH)} d="{shapes.hatch(x, y, BOX)}"/>'
        case "last":
            yield f'<path {fill("ink", INK)} d="{shapes.triangle(x + BOX, y)}"/>'
        case "silent":
            yield f'<path fill="{SILENT}" d="{shapes.circle(x + BOX // 2 - 2, y + BOX // 2, 2)}"/>'
        case "chosen" | "line" | "tied" | "agent":
            cell = chart.agent if chart.agent is not None else chosen.cell if chosen else -1
            number = chart.fills.get(cell)
            if number is not None:
                yield shapes.ground(chart.by, number, shapes.square(x, y, BOX))
            kind: shapes.Frame = "tied" if entry.sign == "tied" else "chosen"
            yield shapes.framed(chart.by, number, kind, [(x, y)], BOX)
    yield f'<path fill="none" {stroke("lines", LINES)} d="{shapes.square(x, y, BOX)}"/>'
