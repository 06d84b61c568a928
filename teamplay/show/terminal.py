"""The screen: a position as a heat map or as a game in play. Everything that colour says, a sign says too."""

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rich.console import Console
from rich.table import Table
from rich.text import Text

from teamplay.game import BLANK, Game, Outcome, Position
from teamplay.grid import Cell
from teamplay.show.board import Face, draw, fits
from teamplay.show.chart import By, Chart
from teamplay.show.colours import screen_scheme
from teamplay.show.picture import Picture
from teamplay.show.reasons import Reason, measured, question, result

MARKS = {"x": "bold #0087d7", "o": "bold #d75f00"}
LAST = "bold #ffffff on #5f5f87"
DECIDED = "bold #ffffff on #2e7d32"
GLUE = "\ue000"  # for a space between words that stay on one line; nobody else uses it
NARROWEST, USUAL = 10, 80  # columns
CHOSEN, TIED, LAST_MOVE = "{}", "[]", "()"  # fences, which also read without colour


def console() -> Console:
    """Standard output; what its encoding lacks becomes `?` and never an error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        with contextlib.suppress(io.UnsupportedOperation):
            sys.stdout.reconfigure(errors="replace")
    narrow = os.environ.get("COLUMNS", "").isdigit() and int(os.environ["COLUMNS"]) < NARROWEST
    return _Screen(highlight=False, markup=False, emoji=False, width=USUAL if narrow else None)


class _Screen(Console):
    """A console that leaves a closed pipe to the command line, which ends quietly."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def plain(screen: Console) -> bool:
    """Whether only ASCII can be shown."""
    return not screen.encoding.lower().startswith("utf")


def clean(text: str) -> str:
    """Text from an untrusted file, without the signs that steer a terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)


def say(screen: Console, text: str | Text = "", style: str = "") -> None:
    """A paragraph, wrapped at the width of the screen; a cell's two names stay together."""
    if isinstance(text, str):
        text = Text(clean(text).replace(" (", f"{GLUE}("), style)
    lines = text.wrap(screen, screen.width)
    for line in lines:
        line.plain = line.plain.replace(GLUE, " ")
    put(screen, lines)


def put(screen: Console, lines: Iterable[Text]) -> None:
    """Lines of a drawing, as they are."""
    for line in lines:
        line.rstrip()
        screen.print(line, no_wrap=True, overflow="ignore", crop=False)


def put_table(screen: Console, header: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> None:
    """Columns below a header; what is too wide is wrapped in its column."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim", show_header=bool(header))
    for name in header:
        table.add_column(name)
    for row in rows:
        table.add_row(*(Text(clean(part)) if isinstance(part, str) else part for part in row))
    for line in screen.render_lines(table, pad=False):
        put(screen, [Text.assemble(*((segment.text, segment.style or "") for segment in line))])


def put_tried(screen: Console, why: Reason) -> None:
    """Every rule that a cell tried: its name, its test, what it measured, what came of it."""
    rows = []
    for attempt in why.tried:
        remark = " <- answers" if attempt.fired else " <- nearest miss" if attempt is why.miss else ""
        row = (attempt.rule.name, question(attempt.rule), measured(attempt), f"{result(attempt)}{remark}")
        rows.append([Text(part, "bold" if attempt.fired else "") for part in row])
    put_table(screen, ("rule", "test", "measured", "answer"), rows)


@dataclass(frozen=True)
class Signs:
    """What stands in the cells of a picture on a screen of some width, which may know only ASCII."""

    picture: Picture
    width: int
    ascii_only: bool
    by: By | None = None  # as it reads best
    agent: Cell | None = None  # in a view by sight
    pointers: bool = False  # do the choice among ties and the last move have signs of their own?

    @property
    def silence(self) -> str:
        return "-" if self.ascii_only else "·"

    @property
    def hatch(self) -> str:
        return "::" if self.ascii_only else "░░"

    @cached_property
    def chart(self) -> Chart:
        """The view that was asked for, else the one that reads best: ranks where priorities are too long."""
        usual = self.picture.chart(self.by, self.agent)
        if self.by or usual.by != "priority" or self._fit(self._said(usual, "")):
            return usual
        ranks = self.picture.chart("rank")
        return ranks if self._fit(self._said(ranks, "")) else usual

    @cached_property
    def texts(self) -> dict[Cell, str]:
        """What stands in every cell that answers: `4`, `10 S`, a rule's name, or its number where names are long."""
        if self.chart.by == "rule":
            names = {cell: self.picture.rules[cell] or "" for cell in self.chart.texts}
            return names if self._fit(names, boxed=True) else self.chart.texts
        spaced = self._said(self.chart, " ")
        return spaced if self._fit(spaced) else self._said(self.chart, "")

    def _said(self, chart: Chart, gap: str) -> dict[Cell, str]:
        """The numbers of a view with their letters."""
        return {cell: gap.join(filter(None, (text, chart.letter(cell)))) for cell, text in chart.texts.items()}

    def _fit(self, texts: Mapping[Cell, str], boxed: bool = False) -> bool:
        return fits(self.picture.game.grid, max(map(len, texts.values()), default=1), self.width, boxed)

    def answer(self, cell: Cell) -> str:
        """What stands in the cell of an agent that was asked."""
        return self.texts.get(cell) or self.silence

    def fence(self, cell: Cell) -> str:
        """What stands around the answer of a cell."""
        picture = self.picture
        if cell not in self.chart.framed:
            return "  "
        alone = len(picture.tied) == 1 or not self.pointers
        return CHOSEN if not alone and picture.chosen and picture.chosen.cell == cell else TIED

    def style(self, fill: int | None) -> str:
        """The colours of a cell."""
        if fill is None:
            return "dim"
        colours = self.chart.palette(screen_scheme())[fill]
        return f"{'bold ' if fill == 0 and self.chart.by != 'rule' else ''}{colours.ink} on {colours.ground}"


def heat_map(signs: Signs, marks: str = "") -> list[Text]:
    """The board with every answer in its cell; `marks` in place of the team's own view of them."""
    picture, chart = signs.picture, signs.chart
    faces = {cell: _piece(signs, cell, mark) for cell, mark in enumerate(marks or picture.marks) if mark != BLANK}
    for cell in picture.answers:
        if chart.by != "sight":
            faces[cell] = Face(signs.answer(cell), signs.style(chart.fills.get(cell)), signs.fence(cell))
    if chart.agent is not None:
        faces |= _in_sight(signs, chart.agent, faces)
    return draw(picture.game.grid, faces, chart.focus, signs.width, signs.ascii_only)


def put_heat_map(screen: Console, picture: Picture, marks: str = "", pointers: bool = False) -> None:
    """A heat map as it reads best; where ranks stand for long priorities, a line below it says so."""
    signs = Signs(picture, screen.width, plain(screen), pointers=pointers)
    put(screen, heat_map(signs, marks))
    if signs.chart.by == "rank":
        say(screen, f"Ranks stand for priorities here, 1 for {picture.number(picture.tied[0])}.", "italic")


def _piece(signs: Signs, cell: Cell, mark: str) -> Face:
    """A mark on the board: in the deciding line, the last one, or any other."""
    over, last = signs.picture.outcome, signs.picture.position.last
    hatched = signs.agent is not None  # what is hatched can't be fenced
    if over and cell in over.line and not hatched:
        return Face(mark, DECIDED, TIED)
    if signs.pointers and last and last.cell == cell and not hatched:
        return Face(mark, LAST, LAST_MOVE)
    return Face(mark, MARKS.get(mark, "bold"))


def _in_sight(signs: Signs, agent: Cell, faces: Mapping[Cell, Face]) -> dict[Cell, Face]:
    """The board as one agent knows it: what it sees is hatched, the rest is dim, and its own answer is framed."""
    seen = signs.chart.seen
    found = {cell: replace(face, style="dim") for cell, face in faces.items() if cell not in seen}
    for cell in seen:
        face = faces.get(cell, Face(signs.silence, "dim"))
        found[cell] = replace(face, fence=signs.hatch)
    own = faces.get(agent) or Face(signs.answer(agent), signs.style(signs.chart.fills.get(agent)))
    return found | {agent: replace(own, fence=TIED)}


def game_board(game: Game, position: Position, outcome: Outcome | None, width: int, ascii_only: bool) -> list[Text]:
    """A game in play: the marks, the last move in `( )`, the deciding line in `[ ]`, the numbers of open cells."""
    faces: dict[Cell, Face] = {}
    line = outcome.line if outcome else ()
    last = position.last.cell if position.last else None
    for cell, mark in enumerate(position.marks):
        if mark == BLANK:
            continue
        if cell in line:
            faces[cell] = Face(mark, DECIDED, "[]")
        elif cell == last:
            faces[cell] = Face(mark, LAST, "()")
        else:
            faces[cell] = Face(mark, MARKS.get(mark, "bold"))
    faces |= _open_faces(game, position, ascii_only)
    around = [last] if last is not None else sorted(cell for cell, face in faces.items() if face.text)
    return draw(game.grid, faces, around, width, ascii_only)


def _open_faces(game: Game, position: Position, ascii_only: bool) -> Mapping[Cell, Face]:
    """Cells that can be played now, by number on a small board."""
    numbered = game.grid.size <= 100
    cells = dict.fromkeys(move.cell for move in game.moves(position))
    return {cell: Face(str(cell + 1) if numbered else "-" if ascii_only else "·", "dim") for cell in cells}
