"""Text -> syntax tree, line by line: an error never spreads to the next line, and every line is reported once."""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from teamplay import library
from teamplay.errors import closest
from teamplay.game import Game
from teamplay.game_file import load_game
from teamplay.language.complaints import LONGEST_LINE
from teamplay.language.diagnostics import Diagnostic, Fault, Span, TableError
from teamplay.language.line import Games, Heading, HeadingFault, Part, parse_line
from teamplay.language.tree import Let, Rule, Section, Sight, Table

MOST_LINES = 5000
MOST_CODE = 30_000  # characters, comments and indents left out: about a second's reading
MOST_ERRORS = 500
KEPT = 32  # tables whose meaning is remembered


@dataclass(frozen=True)
class Source:
    """A table's text and the name it goes by in messages."""

    path: str
    text: str
    folder: str | None = None  # where relative paths in the text begin; None: beside the file that `path` names

    def load_game(self, spec: str) -> Game:
        """A game that the table names; a path begins in the folder of the table."""
        folder = self.folder
        if folder is None and self.path.endswith(".team"):
            folder = str(library.find(self.path, ".team").parent)
        return load_game(spec, Path(folder or "."))


@dataclass(frozen=True)
class Draft:
    """What could be read of a table, and what was wrong with the rest."""

    table: Table
    diagnostics: tuple[Diagnostic, ...]
    rules_only: bool  # is nothing but rules missing, so that the rest means what it says?


def load_table(name: str) -> tuple[Table, Source]:
    """The table that a shipped name or a path names, with its text."""
    source = load_source(name)
    return parse_table(source), source


def load_source(name: str) -> Source:
    """The text that a shipped name or a path names."""
    path = library.find(name, ".team")
    return Source(_shown(path, name), library.read(path))


def _shown(path: Path, name: str) -> str:
    return name if name.endswith(".team") else f"{name}{path.suffix}"


def parse_table(source: Source) -> Table:
    """The tree of a table, or a TableError with everything that is wrong with it."""
    draft = read_table(source)
    if draft.diagnostics:
        raise TableError(source.path, source.text, draft.diagnostics)
    return draft.table


@lru_cache(maxsize=KEPT)
def read_table(source: Source) -> Draft:
    """As much of a table as can be read; one text is read once."""
    reading = _Reading()
    lines = source.text.removesuffix("\n").split("\n")
    if len(lines) > MOST_LINES:
        message = f"a table of {len(lines):,} lines is too long; {MOST_LINES:,} are the most"
        return Draft(Table(), (_too_much(MOST_LINES + 1, message),), rules_only=False)
    size = 0
    for number, line in enumerate(lines, 1):
        code = line.partition("#")[0].rstrip()
        size += min(len(code.strip()), LONGEST_LINE)  # a longer line is refused as such
        if size > MOST_CODE:
            reading.stop(_too_much(number, f"a table has at most {MOST_CODE:,} characters of rules"))
            break
        if code.strip():
            reading.read(code, number)
        if len(reading.diagnostics) >= MOST_ERRORS:
            message = f"{MOST_ERRORS} errors are enough; the rest is not read"
            reading.stop(Diagnostic("T003", Span(number, 1, 2), message))
            break
    return reading.draft()


def _too_much(line: int, message: str) -> Diagnostic:
    return Diagnostic("T003", Span(line, 1, 2), message, help="write fewer rules that say more")


@dataclass
class _Reading:
    """Gathers the parts of the lines into a table; the one place with state."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    rules_only: bool = True
    games: Games | None = None
    sight: Sight | None = None
    lets: dict[str, Let] = field(default_factory=dict)
    headings: list[Heading] = field(default_factory=list)
    unheaded: Heading | None = None  # what rules before the first heading stand under
    rules: list[dict[str | int, Rule]] = field(default_factory=list)  # for each heading, by label or place

    def stop(self, reason: Diagnostic) -> None:
        """The rest of the text will not be read."""
        self.diagnostics.append(reason)
        self.rules_only = False

    def read(self, code: str, number: int) -> None:
        """Take in one line, or note what is wrong with it."""
        try:
            for part in parse_line(code, number):
                self._take(part)
        except HeadingFault as fault:
            self.diagnostics.append(fault.diagnostic)
            self._take(fault.heading)  # else its rules would be taken for those of the heading before
            self.rules_only = False
        except Fault as fault:
            self.diagnostics.append(fault.diagnostic)
            heads = closest(code.split()[0], ("game", "let", "sight")) or code.endswith(":")
            self.rules_only &= not heads

    def _take(self, part: Part) -> None:
        match part:
            case Games():
                if self._first(self.games, part.span, "`game`"):
                    self.games = part
            case Sight():
                if self._first(self.sight, part.span, "`sight`"):
                    self.sight = part
            case Let(name):
                if self._first(self.lets.get(name), part.span, f"`let {name}`"):
                    self.lets[name] = part
            case Heading():
                self._take_heading(part)
            case Rule():
                self._take_rule(part)

    def _take_heading(self, heading: Heading) -> None:
        for role in heading.roles:
            before = next((other for other in self.headings if role in other.roles), None)
            self._first(before, heading.span, f"the heading `{role}`")
        self.headings.append(heading)
        self.rules.append({})

    def _take_rule(self, rule: Rule) -> None:
        if not self.headings:
            self.unheaded = Heading(("everyone",), rule.span)
            self._take_heading(self.unheaded)
        rules, start = self.rules[-1], rule.span.column
        label = Span(rule.span.line, start, start + len(rule.label))
        if self._first(rules.get(rule.label), label, f"the label `{rule.label}`"):
            rules[rule.label or len(rules)] = rule

    def _first(self, before: Any, span: Span, what: str) -> bool:
        """Whether this is said for the first time; if not, it is noted."""
        if before is None:
            return True
        line = before.span.line
        message = f"{what} is said twice; it stands already in line {line}"
        if before is self.unheaded:
            message = f"rules without a heading, as in line {line}, speak to `everyone` already"
        help = "take one of them out"
        if what == "`game`":
            help += ", or name all games in one line, with commas: `game tic-tac-toe, mnk`"
        self.diagnostics.append(Diagnostic("T012", span, message, "again here", help))
        return False

    def draft(self) -> Draft:
        if not self.diagnostics and not any(self.rules):
            help = "write at least one rule, such as `return 1`"
            self.diagnostics.append(Diagnostic("T014", Span(1, 1, 2), "a table without a rule", help=help))
        games, where = (self.games.specs, self.games.span) if self.games else ((), Span(1, 1, 1))
        sections = tuple(
            Section(heading.roles, tuple(rules.values()), span=heading.span)
            for heading, rules in zip(self.headings, self.rules, strict=True)
        )
        table = Table(games, self.sight, tuple(self.lets.values()), sections, span=where)
        return Draft(table, tuple(self.diagnostics), self.rules_only)
