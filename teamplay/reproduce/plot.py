"""A plot as a small vector drawing: curves over two axes, distinguished by dashes and marks as well as by colour."""

from collections.abc import Iterator
from math import ceil, floor, log10
from xml.sax.saxutils import escape

from teamplay.reproduce.replication import Plot

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 40, 90
INKS = ("#1f4e79", "#c55a11", "#548235", "#7f6000")
DASHES = ("", "6 4", "2 3", "8 3 2 3")
LEAST = 1e-12  # what a power of ten is taken of at least


def drawn(plot: Plot) -> str:
    """The plot as SVG."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f"<title>{escape(plot.title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        '<g font-family="Helvetica,Arial,sans-serif" font-size="12" fill="#000">',
        f'<text x="{WIDTH // 2}" y="22" text-anchor="middle" font-size="14">{escape(plot.title)}</text>',
        *_axes(plot),
        *_curves(plot),
        "</g>",
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def _axes(plot: Plot) -> Iterator[str]:
    floor_y, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    yield f'<path d="M{LEFT} {TOP}V{floor_y}H{right}" fill="none" stroke="#000"/>'
    for x in sorted({x for curve in plot.curves for x, _ in curve.points}):
        at = _across(plot, x)
        name = plot.places[round(x) - 1] if plot.places else f"{x:g}"
        yield f'<text x="{at:.1f}" y="{floor_y + 18}" text-anchor="middle">{escape(name)}</text>'
    for y in _ticks(plot):
        at = _up(plot, y)
        label = f"1e{round(log10(y))}" if plot.by_powers else f"{y:g}"
        yield f'<path d="M{LEFT} {at:.1f}H{right}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{label}</text>'
    middle = (LEFT + right) // 2
    yield f'<text x="{middle}" y="{floor_y + 38}" text-anchor="middle">{escape(plot.across)}</text>'
    turned = f"rotate(-90 16 {(TOP + floor_y) // 2})"
    yield f'<text x="16" y="{(TOP + floor_y) // 2}" text-anchor="middle" transform="{turned}">{escape(plot.up)}</text>'


def _curves(plot: Plot) -> Iterator[str]:
    for i, curve in enumerate(plot.curves):
        ink, dash = INKS[i % len(INKS)], DASHES[i % len(DASHES)]
        places = [(_across(plot, x), _up(plot, y)) for x, y in curve.points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        style = f'fill="none" stroke="{ink}" stroke-width="2" stroke-dasharray="{dash}"'
        yield f'<path d="M{path}" {style}/>'
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{ink}"/>' for x, y in places)
        x, y = LEFT + 285 * (i % 2), HEIGHT - 34 + 20 * (i // 2)
        yield f'<path d="M{x} {y - 4}h28" {style}/>'
        yield f'<text x="{x + 36}" y="{y}">{escape(curve.label)}</text>'


def _values(plot: Plot, axis: int) -> list[float]:
    return [point[axis] for curve in plot.curves for point in curve.points]


def _across(plot: Plot, x: float) -> float:
    low, high = min(_values(plot, 0)), max(_values(plot, 0))
    return LEFT + 20 + (x - low) / ((high - low) or 1) * (WIDTH - RIGHT - LEFT - 40)


def _up(plot: Plot, y: float) -> float:
    ticks = _ticks(plot)
    low, high = ticks[0], ticks[-1]
    share = (_power(y) - _power(low)) / (_power(high) - _power(low)) if plot.by_powers else (y - low) / (high - low)
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)


def _power(y: float) -> float:
    return log10(max(y, LEAST))


def _ticks(plot: Plot) -> list[float]:
    """Round numbers that hold all values."""
    values = _values(plot, 1)
    if plot.by_powers:
        low, high = floor(min(map(_power, values))), ceil(max(map(_power, values)))
        return [10.0**power for power in range(low, max(high, low + 1) + 1)]
    most = max(*values, LEAST)
    step = 10.0 ** floor(log10(most))
    step = next(step * part for part in (0.1, 0.2, 0.25, 0.5, 1, 2) if most / (step * part) <= 6)
    return [step * i for i in range(ceil(most / step) + 1)]
