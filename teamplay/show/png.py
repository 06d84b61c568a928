"""How does a drawing become a PNG? Through resvg, an optional library."""

import importlib
from functools import cache
from typing import Any

from teamplay.errors import TeamplayError
from teamplay.show.shapes import FONT, NAMESPACE

ZOOM = 2  # pixels for each unit of a drawing


def png(svg: str) -> bytes:
    """A drawing as a PNG, in its light scheme."""
    check_png()
    return _rendered(svg)


def check_png() -> None:
    """Refuse to make a PNG where the library for it is missing, or any font."""
    if not _has_fonts():
        raise TeamplayError("A PNG needs a font, and none was found here; install one, or write an SVG.")


@cache
def _has_fonts() -> bool:
    """Whether texts would be drawn at all: without a font they are left out silently."""
    page = f'<svg xmlns="{NAMESPACE}" width="20" height="20"><g {FONT} font-size="16">%s</g></svg>'
    return _rendered(page % '<text x="2" y="16">8</text>') != _rendered(page % "")


def _rendered(svg: str) -> bytes:
    return bytes(_resvg().svg_to_bytes(svg_string=svg, zoom=ZOOM))


def _resvg() -> Any:
    try:
        return importlib.import_module("resvg_py")
    except ImportError:
        raise TeamplayError("A PNG needs resvg: `pip install 'teamplay[png]'`; a name in .svg needs nothing.") from None
