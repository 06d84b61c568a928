"""Text -> syntax tree, line by line: an error never spreads to the next line, and every line is reported once."""

import re
import unicodedata
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Protocol

import lark

from teamplay import library
from teamplay.errors import closest
from teamplay.grid import ROLES
from teamplay.language.diagnostics import Diagnostic, Span, TableError
from teamplay.language.pattern import PatternError, read_pattern
from teamplay.language.tree import (
    Arithmetic,
    Comparison,
    Count,
    Expression,
    Let,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Pattern,
    Place,
    Rule,
    Section,
    Sight,
    Table,
    Tally,
)

MOST_LINES = 5000
LONGEST_LINE = 1000
DEEPEST = 32
LONGEST_CHAIN = 100
LARGEST_NUMBER = 1_000_000

HEADINGS = ("everyone", "others", *ROLES)
# The paper calls the functions of its center, corner and edge agents T1, T2 and T3.
PAPER_ROLES = {"T1": "center", "T2": "corner", "T3": "edge"}
SIGNS = {"≥": ">=", "≤": "<=", "≠": "!=", "<>": "!=", "==": "=", "−": "-", "×": "*"}
SIGNS |= {"\\ge": ">=", "\\geq": ">=", "\\le": "<=", "\\leq": "<=", "\\ne": "!=", "\\neq": "!="}

LOOK_ALIKES = dict(
    zip("асеіјорѕхуАВСЕНІЈКМОРЅТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧοᴏх", "aceijopsxyABCEHIJKMOPSTXYABEZHIKMNOPTYXoox", strict=True)
)

ENGLISH = {
    "GAME": "`game`",
    "LET": "`let`",
    "SIGHT": "`sight`",
    "RADIUS": "`radius`",
    "ALL": "`all`",
    "IF": "`if`",
    "THEN": "`then`",
    "ELSE": "`else`",
    "END": "`end if`",
    "RETURN": "`return`",
    "PLAY": "`play`",
    "WITH": "`with chance`",
    "CHANCE": "`chance`",
    "AND": "`and`",
    "OR": "`or`",
    "NOT": "`not`",
    "HEADING": "a heading such as `corner:`",
    "LABEL": "a label such as `win:`",
    "NUMBERING": "a line number such as `1:`",
    "COUNT": "a count such as `n(xx)`",
    "SPEC": "a game such as `tic-tac-toe`",
    "PATTERN": "a pattern such as `bb | ox`",
    "NAME": "a name",
    "NUMBER": "a number",
    "COMPARE": "a comparison such as `>=`",
    "EQUALS": "`=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "TIMES": "`*`",
    "OPEN": "`(`",
    "CLOSE": "`)`",
    "COMMA": "`,`",
    "PERCENT": "`%`",
    "$END": "the end of the line",
}
KEYWORDS = {
    english.strip("`").split()[0]: name for name, english in ENGLISH.items() if re.fullmatch(r"`[a-z ]+`", english)
}
# What a writer most likely means where many things may follow; the rest is left out of the message.
LIKELY = (
    "THEN",
    "RETURN",
    "COMPARE",
    "CLOSE",
    "PATTERN",
    "SPEC",
    "NUMBER",
    "PERCENT",
    "CHANCE",
    "NAME",
    "IF",
    "EQUALS",
)


def load_table(name: str) -> "tuple[Table, Source]":
    """The table that a shipped name or a path names, with its text."""
    path = library.find(name, ".team")
    source = Source(_shown(path, name), library.read(path))
    return parse_table(source), source


def _shown(path: Path, name: str) -> str:
    return name if name.endswith(".team") else f"{name}{path.suffix}"


@dataclass(frozen=True)
class Source:
    """A table's text and the name it goes by in messages."""

    path: str
    text: str


def parse_table(source: Source) -> Table:
    """The tree of a table, or a TableError with everything that is wrong with it."""
    reading = _Reading()
    lines = source.text.split("\n")
    if len(lines) > MOST_LINES:
        span = Span(MOST_LINES + 1, 1, 1)
        too_long = Diagnostic("T003", span, f"a table of {len(lines):,} lines is too long; {MOST_LINES:,} are the most")
        raise TableError(source.path, source.text, [too_long])
    for number, line in enumerate(lines, 1):
        try:
            reading.take(_parse_line(line, number))
        except _LineError as error:
            reading.diagnostics.append(error.diagnostic)
    table = reading.table()
    if reading.diagnostics:
        raise TableError(source.path, source.text, reading.diagnostics)
    return table


class _LineError(Exception):
    """The one thing that is reported for a line."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


# What one line may hold: the parts of a table, in the order of the text.
@dataclass(frozen=True)
class _Games:
    specs: tuple[str, ...]
    span: Span


@dataclass(frozen=True)
class _Heading:
    roles: tuple[str, ...]
    span: Span


_Part = _Games | _Heading | Let | Sight | Rule


@dataclass
class _Reading:
    """Gathers the parts of the lines into a table; the one place with state."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    games: _Games | None = None
    sight: Sight | None = None
    lets: dict[str, Let] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)

    def take(self, parts: list[_Part]) -> None:
        for part in parts:
            match part:
                case _Games():
                    self._once(self.games, part.span, "game")
                    self.games = part
                case Sight():
                    self._once(self.sight, part.span, "sight")
                    self.sight = part
                case Let():
                    self._once(self.lets.get(part.name), part.span, f"let {part.name}")
                    self.lets[part.name] = part
                case _Heading():
                    for section in self.sections:
                        for role in set(section.roles) & set(part.roles):
                            self._once(section, part.span, f"the heading {role}")
                    self.sections.append(Section(part.roles, (), span=part.span))
                case Rule():
                    self._take_rule(part)

    def _take_rule(self, rule: Rule) -> None:
        if not self.sections:
            self.sections.append(Section(("everyone",), (), span=rule.span))
        section = self.sections[-1]
        if rule.label:
            self._once(next((r for r in section.rules if r.label == rule.label), None), rule.span, rule.label)
        self.sections[-1] = replace(section, rules=(*section.rules, rule))

    def _once(self, before: Any, span: Span, what: str) -> None:
        if before is not None:
            message = f"`{what}` is said twice; it stands already in line {before.span.line}"
            self.diagnostics.append(Diagnostic("T012", span, message, "again here", "take one of them out"))

    def table(self) -> Table:
        if not self.diagnostics and not any(section.rules for section in self.sections):
            help = "write at least one rule, such as `return 1`"
            self.diagnostics.append(Diagnostic("T014", Span(1, 1, 1), "a table without a rule", help=help))
        specs = self.games.specs if self.games else ()
        return Table(specs, self.sight, tuple(self.lets.values()), tuple(self.sections))


def _parse_line(text: str, number: int) -> list[_Part]:
    """The parts of one line, its comment left out; nothing for an empty line."""
    code = text.partition("#")[0].rstrip()
    if not code.strip():
        return []
    _refuse_the_strange(code, number)
    try:
        tree = _grammar().parse(code)
        return _Line(number).parts(tree)
    except lark.UnexpectedInput as error:
        raise _LineError(_unexpected(error, code, number)) from None
    except PatternError as error:
        raise _LineError(error.diagnostic) from None


def _refuse_the_strange(code: str, number: int) -> None:
    """Whatever would hurt the parser or puzzle the reader, before the grammar sees it."""
    if len(code) > LONGEST_LINE:
        span = Span(number, LONGEST_LINE + 1, LONGEST_LINE + 2)
        raise _LineError(Diagnostic("T003", span, f"a line of {len(code):,} characters; {LONGEST_LINE:,} are the most"))
    opened: list[int] = []  # columns
    for column, char in enumerate(code, 1):
        here = Span(number, column, column + 1)
        if char == "(":
            opened.append(column)
        if len(opened) > DEEPEST:
            raise _LineError(Diagnostic("T003", here, f"parentheses nested more than {DEEPEST} deep"))
        if char == ")" and not opened:
            raise _LineError(Diagnostic("T001", here, "`)` closes nothing", help="take it out, or add a `(` before"))
        if char == ")":
            opened.pop()
        if not char.isascii() and char not in SIGNS:
            raise _LineError(_strange(char, here))
        if char.isascii() and not char.isprintable() and char not in "\t\f":
            message = f"an invisible character (U+{ord(char):04X})"
            raise _LineError(Diagnostic("T002", here, message, help="delete it and type the line again"))
    if opened:
        here = Span(number, opened[-1], opened[-1] + 1)
        raise _LineError(Diagnostic("T001", here, "`(` is not closed", help="add a `)`"))


def _strange(char: str, here: Span) -> Diagnostic:
    name = unicodedata.name(char, f"U+{ord(char):04X}").capitalize()
    if char in LOOK_ALIKES:
        latin = LOOK_ALIKES[char]
        return Diagnostic("T002", here, f"`{char}` is not the Latin letter `{latin}`", name, f"type `{latin}`")
    if char.isspace():
        return Diagnostic("T002", here, "a special space", name, "type an ordinary space")
    return Diagnostic("T002", here, f"`{char}` has no meaning in a table", name, "it may stand in a comment, after `#`")


@cache
def _grammar() -> lark.Lark:
    text = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    return lark.Lark(text, parser="lalr", lexer="contextual", propagate_positions=True)


def _unexpected(error: lark.UnexpectedInput, code: str, number: int) -> Diagnostic:
    """The parser's complaint in English."""
    if isinstance(error, lark.UnexpectedToken):
        start, expected = (error.token.start_pos or 0), set(error.accepts or error.expected)
        if error.token.type == "$END":
            start = len(code)
    else:
        assert isinstance(error, lark.UnexpectedCharacters)
        start, expected = error.pos_in_stream, set(error.allowed or ())
    match = re.compile(r"\w+|\S").match(code, start)
    found = match[0] if match else ""
    span = Span(number, start + 1, start + 1 + max(1, len(found)))
    words = {word for word, name in KEYWORDS.items() if name in expected}
    near = closest(found, words) if len(found) > 1 else None
    wanted = [ENGLISH[name] for name in LIKELY if name in expected]
    wanted = wanted or sorted(ENGLISH.get(name, name) for name in expected)
    if {"GAME", "RETURN", "HEADING"} <= expected:
        wanted = ["`if … then return …`", "`return …`", "a heading", "`game`", "`let` or `sight`"]
    sought = " or ".join(wanted[:4])
    message = f"expected {sought}, found " + (f"`{found}`" if found else "the end of the line")
    help = f"write `{near}`" if near else _advice(code, found)
    return Diagnostic("T001", span, message, "here", help)


def _advice(code: str, found: str) -> str:
    """A hint for the slips that are made most often."""
    first = code.split()[0]
    if "=>" in code or "=<" in code:
        return "write `>=` or `<=`"
    if found == "return" and "then" not in code:
        return "put `then` between the condition and `return`"
    if re.match(r"(n|size|count)\b", found):
        return "a count is written n(pattern), as in n(xx)"
    if first == "if" and "return" not in code:
        return "a rule reads `if … then return 2`, on one line"
    if found == ":" or code.endswith(":"):
        return "a heading is a role (or roles parted by commas) and a colon"
    return ""


class _Located(Protocol):
    """What lark knows of a place; columns count from 1."""

    column: int
    end_column: int


@dataclass(frozen=True)
class _Line:
    """Turns lark's tree of one line into parts of a table."""

    number: int

    def span(self, item: Any) -> Span:
        where: _Located = item.meta if isinstance(item, lark.Tree) else item
        return Span(self.number, where.column, where.end_column)

    def fail(self, item: Any, code: str, message: str, help: str = "") -> _LineError:
        return _LineError(Diagnostic(code, self.span(item), message, "here", help))

    def parts(self, tree: Any) -> list[_Part]:
        found: list[_Part] = []
        for child in tree.children:
            match child.data:
                case "game_line":
                    specs = [token for token in child.children if token.type == "SPEC"]
                    found.append(_Games(tuple(re.sub(r"\s", "", spec) for spec in specs), self.span(child)))
                case "let_line":
                    found.append(self._let(child))
                case "sight_line":
                    found.append(self._sight(child))
                case "heading":
                    found.append(self._heading(child.children[0]))
                case "statement":
                    found.extend(self._statement(child))
        return found

    def _heading(self, token: lark.Token) -> _Heading:
        words = [word.strip() for word in token.rstrip().removesuffix(":").split(",")]
        roles = tuple(PAPER_ROLES.get(word, word) for word in words)
        for role in roles:
            if role not in HEADINGS:
                near = closest(role, HEADINGS)
                help = f"write `{near}`" if near else f"the roles are {', '.join(HEADINGS)}"
                raise self.fail(token, "T005", f"`{role}` is not a role", help)
        if len(set(roles)) < len(roles):
            raise self.fail(token, "T012", "a role is named twice in this heading", "name each role once")
        start = self.span(token).column
        return _Heading(roles, Span(self.number, start, start + len(token.rstrip())))

    def _let(self, tree: Any) -> Let:
        _, name, _, text = tree.children
        return Let(str(name), read_pattern(str(text), self.number, text.column), span=self.span(tree))

    def _sight(self, tree: Any) -> Sight:
        _, *rest = tree.children
        span = self.span(tree)
        match [token.type for token in rest]:
            case ["NUMBER"]:
                return Sight("lines", self._bounded(rest[0], 2, 1000), span=span)
            case ["RADIUS", "NUMBER"]:
                return Sight("radius", self._bounded(rest[1], 1, 1000), span=span)
        return Sight("all", span=span)

    def _bounded(self, token: lark.Token, least: int, most: int) -> int:
        if len(token) > 9 or not least <= int(token) <= most:
            raise self.fail(
                token, "T013", f"{token[:20]} is out of range", f"write a number from {least:,} to {most:,}"
            )
        return int(token)

    def _statement(self, tree: Any) -> list[_Part]:
        label, rule = "", None
        for child in tree.children:
            if isinstance(child, lark.Tree):
                rule = child
            elif child.type == "LABEL":
                label = child.rstrip(": \t")
        if rule is None:  # the `end if` of the paper's longer listings closes what has no need to be opened
            return []
        condition, chance, answer = None, None, None
        for child in rule.children:
            if isinstance(child, lark.Tree) and child.data == "answer":
                answer = child
            elif isinstance(child, lark.Tree) and child.data == "chance":
                chance = child
            elif isinstance(child, lark.Tree):
                condition = self.expression(child)
        assert answer is not None
        return [self._answered(answer, condition, chance, label, self.span(tree))]

    def _answered(self, answer: Any, condition: Expression | None, chance: Any, label: str, span: Span) -> Rule:
        _, priority, *rest = answer.children
        letters: tuple[Name, ...] = ()
        for child in rest:
            if child.data == "play":
                names = [token for token in child.children if token.type == "NAME"]
                letters = tuple(Name(str(token), span=self.span(token)) for token in names)
            elif chance is not None:
                raise self.fail(child, "T012", "a rule has one chance only", "keep one `with chance`")
            else:
                chance = child
        percent = None if chance is None else self._bounded(chance.children[2], 0, 100)
        return Rule(self.expression(priority), condition, letters, percent, label, span=span)

    def expression(self, tree: Any, depth: int = 0) -> Expression:
        span, children = self.span(tree), tree.children
        if depth > LONGEST_CHAIN:
            raise self.fail(tree, "T003", f"more than {LONGEST_CHAIN} operations in one expression", "split the rule")
        inner = partial(self.expression, depth=depth + 1)
        match tree.data:
            case "number":
                return Number(self._bounded(children[0], 0, LARGEST_NUMBER), span=span)
            case "name":
                return Name(str(children[0]), span=span)
            case "count":
                return self._count(children[0])
            case "place":
                numbers = [inner(child) for child in children if isinstance(child, lark.Tree)]
                if children[0] not in ("cell", "at"):
                    known = ("cell", "at", "n", "size", "count")
                    near = closest(children[0], known)
                    help = f"write `{near}`" if near else "cell(row,col), at(+1,0), n(…), size(…) and count(…) are"
                    raise self.fail(children[0], "T004", f"`{children[0]}(…)` is not known here", help)
                return Place(str(children[0]), tuple(numbers), span=span)
            case "group" | "positive":
                return inner(children[1])
            case "negative":
                return Negative(inner(children[1]), span=span)
            case "negated":
                return Not(inner(children[1]), span=span)
        left, sign, right = children
        kind: Any = {"logic": Logic, "compared": Comparison, "arithmetic": Arithmetic}[tree.data]
        word = SIGNS.get(sign, str(sign))
        made: Expression = kind(word, inner(left), inner(right), span=span)
        return made

    def _count(self, token: lark.Token) -> Expression:
        kind, _, inside = token.partition("(")
        inside = inside.removesuffix(")")
        span = self.span(token)
        column = span.column + token.index("(") + 1
        if kind.strip() == "count":
            mark = inside.strip()
            if len(mark) != 1:
                raise self.fail(token, "T001", "count(…) takes one mark", "write count(x), count(o) or count(b)")
            return Tally(mark, span=span)
        pattern: Pattern = read_pattern(inside, self.number, column)
        return Count(kind.strip(), pattern, span=span)
