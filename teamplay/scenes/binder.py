"""A scene file with its table and its game: what every drawing, question and claim means on this board."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from teamplay import library
from teamplay.errors import TeamplayError, closest
from teamplay.game import BLANK, Game, Position
from teamplay.game_file import load_game, parse_spec
from teamplay.grid import Cell
from teamplay.language.diagnostics import Diagnostic, Fault, Span, TableError
from teamplay.players import Player, game_of, load_player, refuse_code
from teamplay.proof import symmetry
from teamplay.reachable import flaw
from teamplay.scenes.reader import read_script
from teamplay.scenes.script import (
    Ask,
    Beats,
    DrawnRow,
    Entry,
    ExpectedAnswer,
    GoalClaim,
    Mention,
    Note,
    SameChoice,
    Scene,
    Script,
)
from teamplay.team import Team

MAY, MUST_NOT = "*", "!"


class SceneError(TableError):
    """A scene file that can't be used, with every reason."""


@dataclass(frozen=True)
class Image:
    """One board of a scene: where the team may choose, where it must not, and who is asked what."""

    position: Position
    may: frozenset[Cell]
    must_not: frozenset[Cell]
    asks: tuple[tuple[Cell, ExpectedAnswer], ...] = ()


@dataclass(frozen=True)
class Staged:
    """A scene on its boards: one, or all its rotations and reflections."""

    images: tuple[Image, ...]
    expected: ExpectedAnswer | None = None


@dataclass(frozen=True)
class Rivalry:
    """A claim that names another player."""

    claim: Beats | SameChoice
    player: Player


@dataclass(frozen=True)
class Test:
    """One thing to be tested: a scene, a question, a claim, or a note of what is missing."""

    __test__ = False  # for pytest, which would take the name for its own

    name: str
    kind: str
    line: int
    mood: str
    subject: Staged | GoalClaim | Rivalry | Note


@dataclass(frozen=True)
class Suite:
    """All tests of one scene file."""

    path: Path
    table: Path
    team: Team
    tests: tuple[Test, ...]


def load_suite(path: Path) -> Suite:
    """The tests of a scene file, or an error that says everything that is wrong with it."""
    text = library.read(path)
    found: list[Diagnostic] = []
    try:
        script, found = read_script(text)
        suite = _SuiteBinding(path, script, found).suite()
    except Fault as fault:
        found.append(fault.diagnostic)
    if found:
        raise SceneError(str(path), text, found)
    return suite


def table_of(path: Path) -> Path | None:
    """The table that a scene file names, whatever else is wrong with it."""
    try:
        binding = _SuiteBinding(path, *read_script(library.read(path)))
    except Fault:
        return None
    return binding.table() if binding.script.table else None


def scenes_of(table: Path) -> list[Path]:
    """The scene files beside a table that are about it; one that can't tell is about the table of its name."""
    found = []
    for path in sorted(table.parent.glob("*.scene")):
        try:
            about = table_of(path)
        except TeamplayError:  # half saved, or no text at all
            about = None
        if (about or path.with_suffix(".team")).resolve() == table.resolve():
            found.append(path)
    return found


def images(game: Game, image: Image) -> Iterator[Image]:
    """A drawing under the rotations and reflections of the board; where pieces fall, only the reflection."""
    symmetries = symmetry.of_game(game) if game.placement == "drop" else game.grid.symmetries
    known = set()
    for moved in symmetries:
        marks = list(image.position.marks)
        for cell, mark in enumerate(image.position.marks):
            marks[moved[cell]] = mark
        turned = Image(
            Position("".join(marks), image.position.seat),
            frozenset(moved[cell] for cell in image.may),
            frozenset(moved[cell] for cell in image.must_not),
            tuple((moved[cell], answer) for cell, answer in image.asks),
        )
        if turned not in known:
            known.add(turned)
            yield turned


@dataclass
class _SuiteBinding:
    """Binds the statements of a script to a table and a game, and collects what is wrong."""

    path: Path
    script: Script
    diagnostics: list[Diagnostic]

    def suite(self) -> Suite:
        named = self.script.table
        if named is None:
            beside = self.path.with_suffix(".team")
            example = beside.name if beside.is_file() else "figure-15.team"
            message = "a scene file names the table that it is about"
            raise Fault("T014", Span(1, 1, 2), message, help=f"begin it with `table {example}`")
        spec = self._beside(named.spec, ".team")
        try:
            refuse_code(spec, "a scene file")
            game = load_game(self._beside(self.script.game.spec, ".toml")) if self.script.game else game_of(spec)
        except TableError:
            raise  # it points into the table itself
        except TeamplayError as error:
            raise _wrong("T009", (self.script.game or named).span, error) from None
        team = self._player(named, game)
        if not isinstance(team, Team):
            raise Fault("T009", named.span, f"`{team.name}` is a player without agents", help="name a table")
        tests = [test for entry in self.script.entries if (test := self._test(entry, team))]
        return Suite(self.path, self.table(), team, tuple(tests))

    def table(self) -> Path:
        """The file of the table."""
        assert self.script.table
        return library.find(parse_spec(self._beside(self.script.table.spec, ".team"))[0], ".team")

    def _beside(self, spec: str, suffix: str) -> str:
        """A spec whose path, if it is one, begins in the folder of the scene file."""
        name, _ = parse_spec(spec)
        if not name.endswith(suffix):
            return spec
        return spec.replace(name, str(self.path.parent / library.find(name, suffix)), 1)

    def _player(self, named: Mention, game: Game) -> Player:
        try:
            refuse_code(named.spec, "a scene file")
            return load_player(self._beside(named.spec, ".team"), game)
        except TableError:
            raise
        except TeamplayError as error:
            raise _wrong("T004", named.span, error) from None

    def _test(self, entry: Entry, team: Team) -> Test | None:
        """The test of one statement; what is wrong with it is noted."""
        if isinstance(entry.statement, Scene) and not entry.statement.whole:
            return None
        try:
            subject = self._subject(entry, team)
        except Fault as fault:
            self.diagnostics.append(fault.diagnostic)
            return None
        kind = {Scene: "scene", Ask: "ask", Note: "note"}.get(type(entry.statement), "claim")
        return Test(entry.name, kind, entry.span.line, entry.mood, subject)

    def _subject(self, entry: Entry, team: Team) -> Staged | GoalClaim | Rivalry | Note:
        match entry.statement:
            case Scene() as scene:
                return _staged(scene, entry.span, team)
            case Ask() as ask:
                start = team.game.start
                return Staged((Image(start, frozenset(), frozenset(), (_asked(ask, start, team),)),))
            case Beats(player) | SameChoice(player) as claim:
                return Rivalry(claim, self._player(player, team.game))
            case other:
                return other


def _wrong(code: str, span: Span, error: TeamplayError) -> Fault:
    """An error's sentence as a finding."""
    message, _, help = str(error).rstrip(".").partition("; " if ". " not in str(error) else ". ")
    return Fault(code, span, message, "here", help or "name one that is there")


def _staged(scene: Scene, span: Span, team: Team) -> Staged:
    if not scene.rows:
        raise Fault("T014", span, "a scene without a drawing", help="draw the board below it, indented")
    image = _drawn(scene, team.game)
    if not (image.may or image.must_not or scene.expected or scene.asks):
        help = "mark cells with * or !, or write `expect 1 by win` below the drawing"
        raise Fault("T014", span, "a scene that expects nothing", help=help)
    if scene.expected:
        _check_answer(scene.expected, team, [rule.name for _, rules in team.book.sections for rule in rules])
        if scene.expected.every and not image.may:
            raise Fault("T014", scene.expected.span, "no cell has a *", "here", "mark the cells in the drawing")
    asks = tuple(_asked(ask, image.position, team) for ask in scene.asks)
    image = Image(image.position, image.may, image.must_not, asks)
    return Staged(tuple(images(team.game, image)) if scene.symmetric else (image,), scene.expected)


def _drawn(scene: Scene, game: Game) -> Image:
    """The position of a drawing, with the cells that are marked in it."""
    places = [
        (row, column, sign)
        for row in scene.rows
        for column, sign in enumerate(row.text, 1)
        if not (sign.isspace() or sign in "|/")
    ]
    drawable = {sign for mark in game.visible_marks for sign in (mark, mark.swapcase())} | set("._-·*!")
    for row, column, sign in places:
        if sign not in drawable:
            marks = " ".join(mark for mark in game.visible_marks if mark != "b")
            message = f"`{sign}` is not a mark of {game.name}"
            help = f"draw with {marks} and `.`, and with * or ! what the team may or must not choose"
            raise Fault("T006", Span(row.line, column, column + 1), message, "here", help)
    text = "\n".join(row.text for row in scene.rows)
    try:
        position = game.position(text.replace(MAY, BLANK).replace(MUST_NOT, BLANK), scene.seat)
    except TeamplayError as error:
        raise _wrong("T001", _odd_row(scene.rows, game), error) from None
    if not scene.unreachable and (wrong := flaw(game, position)):
        help = "draw what a game can lead to, or write `unreachable` after the name of the scene"
        raise Fault("T014", _row_span(scene.rows[0]), f"no game leads to this drawing: {wrong}", "here", help)
    if over := game.outcome(position):
        message = f"the game is over in this drawing ({over.reason}), so nobody is asked"
        raise Fault("T014", _row_span(scene.rows[0]), message, "here", "draw a position that goes on")
    open_ = {move.cell for move in game.moves(position)}
    for cell, (row, column, sign) in enumerate(places):
        if sign in (MAY, MUST_NOT) and cell not in open_:
            message = f"cell {game.grid.format_cell(cell)} can't be played here, so {sign} means nothing"
            raise Fault("T008", Span(row.line, column, column + 1), message, "here", "draw `.` instead")
    marked = {wanted: frozenset(i for i, (*_, sign) in enumerate(places) if sign == wanted) for wanted in "*!"}
    return Image(position, marked[MAY], marked[MUST_NOT])


def _odd_row(rows: list[DrawnRow], game: Game) -> Span:
    """The first row that is not as long as the board is wide, else the first."""
    width = game.grid.shape[-1]
    odd = (row for row in rows if sum(not (sign.isspace() or sign in "|/") for sign in row.text) != width)
    return _row_span(next(odd, rows[0]))


def _row_span(row: DrawnRow) -> Span:
    start = len(row.text) - len(row.text.lstrip())
    return Span(row.line, start + 1, len(row.text) + 1)


def _asked(ask: Ask, position: Position, team: Team) -> tuple[Cell, ExpectedAnswer]:
    """The cell that is asked, and what it should say."""
    game, grid = team.game, team.game.grid
    try:
        cell = grid.parse_cell(ask.cell.spec)
    except TeamplayError as error:
        raise _wrong("T008", ask.cell.span, error) from None
    if ask.role and ask.role.spec != grid.role(cell):
        message = f"{ask.cell.spec} is not `{ask.role.spec}`"
        raise Fault("T005", ask.role.span, message, "here", f"write `{grid.role(cell)}`")
    if all(move.cell != cell for move in game.moves(position)):
        mark = game.seen(position)[cell]
        why = "it can't be played" if mark == "b" else f"it is taken by {mark}"
        help = "ask a cell that can be played; an `ask` below an empty line is about the start of the game"
        raise Fault("T008", ask.cell.span, f"{ask.cell.spec} is not asked here: {why}", "here", help)
    _check_answer(ask.answer, team, [rule.name for rule in team.book.rules(cell)])
    return cell, ask.answer


def _check_answer(answer: ExpectedAnswer, team: Team, names: list[str]) -> None:
    """Refuse the name of a rule or letter that nobody could answer with."""
    if answer.label and answer.label not in names:
        near = closest(answer.label, names)
        help = f"write `{near}`" if near else f"the rules are {', '.join(dict.fromkeys(names))}"
        raise Fault("T004", answer.span, f"no rule that is asked is called `{answer.label}`", "here", help)
    for letter in answer.letters:
        if not team.game.shared:
            raise Fault("T011", answer.span, f"{team.game.name} has no letters", "here", "take `play` out")
        if letter not in team.game.marks:
            letters = " or ".join(team.game.marks)
            raise Fault("T006", answer.span, f"`{letter}` is not a letter of {team.game.name}", "here", letters)
