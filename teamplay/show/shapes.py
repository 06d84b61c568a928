"""What is an SVG made of? A page that is light or dark as the reader's screen is, small shapes, and texts."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Literal
from xml.sax.saxutils import escape

from teamplay.show.colours import RULE_FILLS, TIER_FILLS, Fill

Frame = Literal["chosen", "tied"]
FRAMES: dict[Frame, float] = {"chosen": 3, "tied": 1.5}  # how thick they are; in a legend a little less

NAMESPACE = "http://www.w3.org/2000/svg"
FONT = "font-family=\"Helvetica,Arial,'Liberation Sans','DejaVu Sans','Noto Sans',sans-serif\""
LINE = 17  # from one line of text to the next
WIDE = 0.58  # of a letter, in heights: more than Helvetica needs, as the reader's font may be wider

# Everything has the colours of a light page, and a class by which a dark scheme changes them. A program that knows no
# style sheets still draws the light one.
INK, PAPER, LINES, NAMES, HATCH, SILENT = "#000", "#fff", "#888", "#666", "#aaa", "#888"
_DARK = {"ink": "#eee", "paper": "#16130f", "lines": "#7d756b", "names": "#b5ada3", "hatch": "#7d756b"}


def page(size: tuple[int, int], title: str, description: str, parts: Iterable[str], inside: bool = False) -> str:
    """A whole drawing: no script, no font or picture to fetch, light or dark as the reader's screen is.

    A drawing `inside` another has the style sheet of that one.
    """
    width, height = size
    return "\n".join(
        [
            f'<svg xmlns="{NAMESPACE}" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
            f"<title>{xml(title)}</title>",
            *([f"<desc>{xml(description)}</desc>"] if description else []),
            *([] if inside else [f"<style>{_dark()}</style>"]),
            f'<path {fill("paper", PAPER)} d="M0 0h{width}v{height}h-{width}z"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def _dark() -> str:
    """The style sheet: what a dark scheme changes."""
    changed = [f".tp-{name}{{fill:{colour}}}.tp-{name}-line{{stroke:{colour}}}" for name, colour in _DARK.items()]
    for number, colours in enumerate(TIER_FILLS["dark"]):
        changed.append(f".tp-tier{number}{{fill:{colours.ground}}}.tp-on{number}{{fill:{colours.ink}}}")
        changed.append(f".tp-on{number}-line{{stroke:{colours.ink}}}")
    return f"@media (prefers-color-scheme:dark){{{''.join(changed)}}}"


def fill(name: str, colour: str) -> str:
    """A fill by its colour on a light page, and the class by which a dark one changes it."""
    return f'class="tp-{name}" fill="{colour}"'


def stroke(name: str, colour: str) -> str:
    """A stroke by its colour on a light page, and the class by which a dark one changes it."""
    return f'class="tp-{name}-line" stroke="{colour}"'


def ground(by: str, number: int, d: str) -> str:
    """A ground in the colour of a rule or of a tier, which a dark scheme changes."""
    if by == "rule":
        return f'<path fill="{RULE_FILLS[number].ground}" d="{d}"/>'
    return f'<path {fill(f"tier{number}", _light(number).ground)} d="{d}"/>'


def on(by: str, number: int) -> str:
    """The fill of what is written on a ground."""
    if by == "rule":
        return f'fill="{RULE_FILLS[number].ink}"'
    return fill(f"on{number}", _light(number).ink)


def framed(by: str, number: int | None, kind: Frame, places: Sequence[tuple[int, int]], side: int) -> str:
    """Frames around squares, readable on their ground: thin for ties; for the choice thick, with a black inner edge."""
    width = min(FRAMES[kind], side / 6)
    outer = "".join(frame(x, y, 1, width, side) for x, y in places)
    inner = "".join(frame(x, y, 1 + width, width / 2, side) for x, y in places)
    thin = f'stroke="{INK}"' if by == "rule" or number is None else stroke(f"on{number}", _light(number).ink)
    if number is None or kind == "chosen":
        drawn = f'<path fill="none" {stroke("ink", INK)} stroke-width="{width:g}" d="{outer}"/>'
        black = f'<path fill="none" stroke="{INK}" stroke-width="{width / 2:g}" d="{inner}"/>'
        return drawn if number is None else f"{drawn}\n{black}"
    return f'<path fill="none" {thin} stroke-width="{width:g}" d="{outer}"/>'


def _light(number: int) -> Fill:
    return TIER_FILLS["light"][number]


def square(x: int, y: int, side: int) -> str:
    """A square by its upper left corner."""
    return f"M{x} {y}h{side}v{side}h-{side}z"


def piece(x: int, y: int, mark: str, side: int) -> str:
    """A cross or a ring in a square."""
    half, arm = side // 2, side // 4
    if mark == "x":
        return f"M{x + arm} {y + arm}l{half} {half}m0-{half}l-{half} {half}"
    return circle(x + arm, y + half, arm)


def frame(x: int, y: int, inset: float, width: float, side: int) -> str:
    """A frame inside a square, so far from its edge and as wide as its stroke will be."""
    inset += width / 2
    long = side - 2 * inset
    return f"M{x + inset:g} {y + inset:g}h{long:g}v{long:g}h-{long:g}z"


def hatch(x: int, y: int, side: int) -> str:
    """Slanting lines within a square."""
    rising = "".join(f"M{x} {y + at}l{at}-{at}" for at in range(6, side + 1, 6))
    return rising + "".join(f"M{x + at} {y + side}l{side - at}-{side - at}" for at in range(6, side, 6))


def triangle(x: int, y: int) -> str:
    """A triangle in the upper right corner of a square, by that corner."""
    return f"M{x} {y}h-11l11 11z"


def circle(x: int, y: int, radius: int) -> str:
    """A ring that begins at its left end."""
    return f"M{x} {y}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0-{2 * radius} 0z"


def text_at(x: int, y: int, text: str) -> str:
    """A text with its place."""
    return f'<text x="{x}" y="{y}">{xml(text)}</text>'


def xml(text: str) -> str:
    """Text from anywhere, as XML may hold it."""
    return escape("".join(char if char.isprintable() else " " for char in text))


def wrapped(text: str, width: int, size: int) -> list[str]:
    """A text in lines of about one length that fit a width, as far as that can be known without its font."""
    most = max(10, int(width / (size * WIDE)))
    lines = textwrap.wrap(text, most, break_on_hyphens=False)
    while most > 10 and len(shorter := textwrap.wrap(text, most - 1, break_on_hyphens=False)) == len(lines):
        most, lines = most - 1, shorter
    return lines
