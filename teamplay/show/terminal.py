"""The screen: a position as a heat map or as a game in play. Everything that colour says, a sign says too."""

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.console import Console
from rich.table import Table
from rich.text import Text

from teamplay.game import BLANK, Game, Outcome, Position
from teamplay.grid import Cell
from teamplay.show.board import Face, draw, fits
from teamplay.show.picture import ANY_LETTER, Picture
from teamplay.show.reasons import Reason, measured, question, result
from teamplay.show.words import counted, heading, sight, verdict

# Each with a colour of its own for the text, so they read on light and on dark screens; urgent first.
HEAT = (
    "bold #ffffff on #b8322a",
    "#000000 on #ee8f3c",
    "#000000 on #f2cb4f",
    "#000000 on #9ccb86",
    "#000000 on #7fb5d5",
    "#000000 on #b9b6d3",
)
MARKS = {"x": "bold #0087d7", "o": "bold #d75f00"}
LAST = "bold #ffffff on #5f5f87"
DECIDED = "bold #ffffff on #2e7d32"
GLUE = "\ue000"  # for a space between words that stay on one line; nobody else uses it
NARROWEST, USUAL = 10, 80  # columns
MOST_PRIORITIES = 10  # in the legend


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
    """Text from a stranger's file, without the signs that steer a terminal."""
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


def show_picture(screen: Console, picture: Picture) -> None:
    """The whole answer to `show`: what is shown, the heat map, what follows, the legend."""
    signs = Signs(picture, screen.width, plain(screen))
    say(screen, heading(picture), "bold")
    say(screen, sight(picture))
    say(screen)
    put(screen, heat_map(signs))
    say(screen)
    say(screen, verdict(picture), "bold")
    for line in legend(signs):
        say(screen, line)


@dataclass(frozen=True)
class Signs:
    """What stands in the cells of a picture on a screen of some width, which may know only ASCII."""

    picture: Picture
    width: int
    ascii_only: bool

    @property
    def silence(self) -> str:
        return "-" if self.ascii_only else "·"

    @cached_property
    def texts(self) -> dict[Cell, str]:
        """What every agent says, with a space before its letter if that fits."""
        said = {cell: (self.picture.number(cell), self.picture.letter(cell)) for cell in self.picture.answers}
        spaced = {cell: " ".join(filter(None, parts)) for cell, parts in said.items()}
        return spaced if self._fit(spaced) else {cell: "".join(parts) for cell, parts in said.items()}

    @cached_property
    def places(self) -> dict[int, int]:
        """Where the numbers are too long for the whole board: for every priority its place, 1 for the most urgent."""
        places = {priority: place for place, priority in enumerate(self.picture.counts, start=1)}
        shorter = {cell: f"{len(places)}{self.picture.letter(cell)}" for cell in self.texts}
        return places if self._fit(shorter) and not self._fit(self.texts) else {}

    def _fit(self, texts: Mapping[Cell, str]) -> bool:
        return fits(self.picture.game.grid, max(map(len, texts.values()), default=1), self.width)

    def answer(self, cell: Cell) -> str:
        """`4`, `10 S`, or a sign for silence."""
        priority = self.picture.answers[cell].priority
        if priority in self.places:
            return f"{self.places[priority]}{self.picture.letter(cell)}"
        return self.texts[cell] or self.silence


def heat_map(signs: Signs, marks: str = "") -> list[Text]:
    """The board with every answer in its cell; `marks` in place of the team's own view of them."""
    picture = signs.picture
    line = picture.outcome.line if picture.outcome else ()
    faces = {
        cell: Face(mark, DECIDED if cell in line else MARKS.get(mark, "bold"), "[]" if cell in line else "  ")
        for cell, mark in enumerate(marks or picture.marks)
        if mark != BLANK
    }
    tied = frozenset(picture.tied)
    for cell, answer in picture.answers.items():
        heat = "dim" if answer.priority is None else HEAT[picture.shades[answer.priority]]
        faces[cell] = Face(signs.answer(cell), heat, "[]" if cell in tied else "  ")
    return draw(picture.game.grid, faces, picture.tied or sorted(faces), signs.width, signs.ascii_only)


def legend(signs: Signs) -> Iterator[Text]:
    """What the signs mean, as far as they occur, and how many cells gave each priority."""
    picture, game = signs.picture, signs.picture.game
    words = [] if game.shared else [Text("x", MARKS["x"]) + " the team", Text("o", MARKS["o"]) + " the opponent"]
    if picture.outcome and picture.outcome.line:
        words.append(Text("[ ]", "bold") + " the line that decided it")
    if picture.answers:
        example = Text(f"[{signs.answer(picture.tied[0])}]", "bold")
        words.append(example + (" most urgent" if len(picture.tied) == 1 else " tied most urgent"))
    if picture.silent:
        words.append(Text(f"{signs.silence} silent"))
    if any(picture.letter(cell) == ANY_LETTER for cell in picture.answers):
        words.append(Text(f"{ANY_LETTER} any letter"))
    if game.placement != "anywhere" and not picture.outcome:
        words.append(Text("an empty cell is closed now"))
    if words:
        yield Text(", ").join(words)
    if signs.places:
        yield Text(
            "The priorities are too long for this width: 1 stands for the most urgent, 2 for the next.", "italic"
        )
    if picture.counts:
        yield Text.assemble("Priorities: " if signs.places else "Priorities, 1 the most urgent: ", *_counts(signs))
    if picture.team.manager.restless:
        yield Text(f"Some rules have a chance; these are the coins of seed {picture.seed}, another's may differ.")


def _counts(signs: Signs) -> Iterator[Text]:
    """`4` in its colour and how many cells said it, for the most urgent ones and the rest together."""
    counts = list(signs.picture.counts.items())
    for place, (priority, cells) in enumerate(counts[:MOST_PRIORITIES]):
        shown = f"{signs.places[priority]} for {priority}" if signs.places else str(priority)
        yield Text(", " if place else "")
        yield Text(shown.replace(" ", GLUE), HEAT[signs.picture.shades[priority]])
        yield Text(f": {counted(cells, 'cell')}".replace(" ", GLUE))
    if rest := counts[MOST_PRIORITIES:]:
        yield Text(f", and {counted(sum(cells for _, cells in rest), 'cell')} from {rest[0][0]} to {rest[-1][0]}")


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
