"""What do faults cost in strength? Elo of weakened teams against the same team with all its answers, as curves."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from teamplay.api.matches import match
from teamplay.cli._progress import Progress
from teamplay.game_file import load_game
from teamplay.language import load_rulebook
from teamplay.library import save
from teamplay.live.weakened import WeakenedTeam
from teamplay.statistics import Estimate
from teamplay.team import Team

TEAMS = (("mnk/generic", "mnk(m=9,n=9,k=5)"), ("sos/safe", "sos(n=9)"))
LOST = (0, 10, 20, 30, 40, 50)  # per cent
AREAS = (1, 2, 3, 4, 6, 9)
MEMORY = (0, 1, 2, 4, 8, 16)  # rounds
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 340, 70, 20, 40, 80
FLOOR = HEIGHT - BOTTOM
INKS = ("#1f4e79", "#c55a11")


class Point(NamedTuple):
    """How strong a weakened team is."""

    x: int
    elo: Estimate


class StrengthCurve(NamedTuple):
    """One table under one kind of fault."""

    label: str
    points: list[Point]


def write_curves(folder: Path, games: int, seed: int) -> dict[str, Any]:
    """Play all matches, and write one picture for each kind of fault."""
    kinds = {
        "lost": ("Answers that are lost, %", "Strength when answers are lost", LOST),
        "areas": ("Areas, of which one decides without asking the others", "Strength when areas decide alone", AREAS),
        "memory": ("Rounds for which an answer is remembered", "Strength when only affected agents are asked", MEMORY),
    }
    shown: dict[str, Any] = {"games": games, "seed": seed, "curves": {}, "pictures": []}
    with Progress() as progress:
        for kind, (across, title, values) in kinds.items():
            curves = []
            for table, spec in TEAMS:
                points = []
                for x in values:
                    if progress.watched:
                        progress.say(f"{title}: {table}, {x}")
                    points.append(Point(x, strength(table, spec, kind, x, games, seed)))
                curves.append(StrengthCurve(f"{table} at {spec}", points))
            path = folder / f"live-{kind}.svg"
            save(str(path), drawn(title, across, curves))
            shown["pictures"].append(str(path))
            shown["curves"][kind] = [
                {"label": label, "points": [_row(point) for point in points]} for label, points in curves
            ]
    return shown


def _row(point: Point) -> list[float]:
    return [point.x, *(round(end, 1) for end in (point.elo.value, point.elo.low, point.elo.high))]


def strength(table: str, spec: str, kind: str, x: int, games: int, seed: int) -> Estimate:
    """Elo of a weakened team over the same team with nothing lost."""
    book = load_rulebook(table, load_game(spec))
    weakened = {
        "lost": lambda: WeakenedTeam(book, lost=x / 100),
        "areas": lambda: WeakenedTeam(book, areas=x),
        "memory": lambda: WeakenedTeam(book, memory=x),
    }[kind]()
    return match(weakened, Team(book), book.game, games, seed).elo


class CurveFrame(NamedTuple):
    """Where things are in a picture."""

    places: list[int]  # along the axis, evenly spaced
    low: int
    high: int
    step: int

    def across(self, x: int) -> float:
        return LEFT + 25 + self.places.index(x) * (WIDTH - LEFT - RIGHT - 50) / (len(self.places) - 1)

    def up(self, elo: float) -> float:
        return FLOOR - (elo - self.low) / (self.high - self.low) * (FLOOR - TOP)


def frame(curves: Sequence[StrengthCurve]) -> CurveFrame:
    """A frame that holds all intervals, with lines at round numbers."""
    ends = [end for curve in curves for point in curve.points for end in (point.elo.low, point.elo.high)]
    step = next(step for step in (50, 100, 200, 500, 1000, 5000) if (max(ends) - min(ends)) / step <= 8)
    places = sorted({point.x for curve in curves for point in curve.points})
    return CurveFrame(places, int(min(ends) // step) * step, -int(-max(ends) // step) * step, step)


def drawn(title: str, across: str, curves: Sequence[StrengthCurve]) -> str:
    """A picture of curves with their 95% intervals."""
    where = frame(curves)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        '<g font-family="Helvetica,Arial,sans-serif" font-size="12" fill="#000">',
        f'<text x="{WIDTH // 2}" y="22" text-anchor="middle" font-size="14">{escape(title)}</text>',
        *_axes(where, across),
        *(line for number, curve in enumerate(curves) for line in _curve(where, number, curve)),
    ]
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _axes(where: CurveFrame, across: str) -> Iterator[str]:
    for elo in range(where.low, where.high + 1, where.step):
        at, ink = where.up(elo), "#888" if elo == 0 else "#ddd"
        yield f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="{ink}"/>'
        yield f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{elo}</text>'
    for x in where.places:
        yield f'<text x="{where.across(x):.1f}" y="{FLOOR + 18}" text-anchor="middle">{x}</text>'
    middle, height = (LEFT + WIDTH - RIGHT) // 2, (TOP + FLOOR) // 2
    yield f'<text x="{middle}" y="{FLOOR + 38}" text-anchor="middle">{escape(across)}</text>'
    yield f'<text x="18" y="{height}" text-anchor="middle" transform="rotate(-90 18 {height})">Elo</text>'


def _curve(where: CurveFrame, number: int, curve: StrengthCurve) -> Iterator[str]:
    """One curve with its bars, a little aside so that two don't hide each other, and its line in the legend."""
    ink, dash, aside = INKS[number], ("", "6 4")[number], (-3, 3)[number]
    style = f'stroke="{ink}" stroke-width="2" stroke-dasharray="{dash}"'
    path = "L".join(f"{where.across(point.x) + aside:.1f} {where.up(point.elo.value):.1f}" for point in curve.points)
    yield f'<path d="M{path}" fill="none" {style}/>'
    for point in curve.points:
        at = where.across(point.x) + aside
        bar = f"M{at - 3:.1f} {where.up(point.elo.low):.1f}h6m-3 0V{where.up(point.elo.high):.1f}m-3 0h6"
        yield f'<path d="{bar}" fill="none" stroke="{ink}"/>'
        yield f'<circle cx="{at:.1f}" cy="{where.up(point.elo.value):.1f}" r="3" fill="{ink}"/>'
    y = HEIGHT - 24 + 16 * number
    yield f'<path d="M{LEFT} {y - 4}h28" {style}/>'
    yield f'<text x="{LEFT + 36}" y="{y}">{escape(curve.label)}</text>'
