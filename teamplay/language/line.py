"""One line of text -> the parts of a table that it holds."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, partial
from pathlib import Path
from typing import Any, Protocol

import lark

from teamplay.errors import closest
from teamplay.language.complaints import SIGNS, refuse_the_strange, unexpected
from teamplay.language.diagnostics import Fault, Span
from teamplay.language.pattern import read_pattern
from teamplay.language.tree import (
    HEADINGS,
    Arithmetic,
    Comparison,
    Count,
    Expression,
    Let,
    Logic,
    MarkTally,
    Name,
    Negative,
    Not,
    Number,
    Place,
    Rule,
    Sight,
)

LONGEST_CHAIN = 100
LARGEST_NUMBER = 1_000_000

COUNTS = ("n", "size", "count")  # functions that hold a pattern or a mark
PLACES = ("cell", "at")

# The paper calls the functions of its center, corner and edge agents T1, T2 and T3.
PAPER_ROLES = {"T1": "center", "T2": "corner", "T3": "edge"}


@dataclass(frozen=True)
class Games:
    """`game tic-tac-toe, misere`."""

    specs: tuple[str, ...]
    span: Span


@dataclass(frozen=True)
class Heading:
    """`corner, edge:`."""

    roles: tuple[str, ...]
    span: Span


Part = Games | Heading | Let | Sight | Rule


class HeadingFault(Fault):
    """A heading that is wrong, and what can be told from it all the same."""

    def __init__(self, heading: Heading, code: str, span: Span, message: str, label: str, help: str) -> None:
        super().__init__(code, span, message, label, help)
        self.heading = heading


def parse_line(code: str, number: int) -> list[Part]:
    """The parts of a line without its comment, or the one Fault that is reported for it."""
    refuse_the_strange(code, number)
    try:
        tree = _grammar().parse(code, start="start")
    except lark.UnexpectedInput as error:
        raise unexpected(error, code, number) from None
    return _Line(number).parts(tree)


@cache
def _grammar() -> lark.Lark:
    text = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    starts = ["start", "expression"]
    return lark.Lark(text, parser="lalr", lexer="contextual", propagate_positions=True, start=starts)


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

    def fail(self, item: Any, code: str, message: str, help: str = "") -> Fault:
        return Fault(code, self.span(item), message, "here", help)

    def parts(self, tree: Any) -> list[Part]:
        found: list[Part] = []
        for child in tree.children:
            match child.data:
                case "game_line":
                    specs = [token for token in child.children if token.type == "SPEC"]
                    found.append(Games(tuple(re.sub(r"\s", "", spec) for spec in specs), self.span(child)))
                case "let_line":
                    found.append(self._let(child))
                case "sight_line":
                    found.append(self._sight(child))
                case "heading":
                    found.append(self._heading(child.children[0]))
                case "statement":
                    found.extend(self._statement(child))
        return found

    def _heading(self, token: lark.Token) -> Heading:
        words = [word.strip() for word in token.rstrip().removesuffix(":").split(",")]
        roles = tuple(PAPER_ROLES.get(word, word) for word in words)
        start = self.span(token).column
        span = Span(self.number, start, start + len(token.rstrip()))
        known = tuple(dict.fromkeys(role for role in roles if role in HEADINGS))
        heading = Heading(known, span)
        for role in roles:
            if role not in HEADINGS:
                near = closest(role[:40], HEADINGS)
                help = f"write `{near}`" if near else f"the roles are {', '.join(HEADINGS)}"
                raise HeadingFault(heading, "T005", span, f"`{role[:40]}` is not a role", "here", help)
        if len(known) < len(roles):
            message = "a role is named twice in this heading"
            raise HeadingFault(heading, "T012", span, message, "here", "name each role once")
        return heading

    def _let(self, tree: Any) -> Let:
        """A pattern if it can be read as one, else a number; where it is neither, its signs tell what was meant."""
        _, name, _, text = tree.children
        number = self._number(text)
        try:
            pattern = read_pattern(str(text), self.number, text.column)
        except Fault as fault:
            if isinstance(number, Fault):
                raise (number if re.search(r"[-−(<>=]", text) else fault) from None
            return Let(str(name), number, span=self.span(tree))
        return Let(str(name), pattern, None if isinstance(number, Fault) else number, span=self.span(tree))

    def _number(self, text: lark.Token) -> Expression | Fault:
        """What a text says as an expression, or why it says nothing."""
        line = " " * ((text.column or 1) - 1) + text  # so that every sign keeps its column
        try:
            return self.expression(_grammar().parse(line, start="expression"))
        except lark.UnexpectedInput as error:
            return unexpected(error, line, self.number)
        except Fault as fault:
            return fault

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
            help = f"write a number from {least:,} to {most:,}"
            raise self.fail(token, "T013", f"{token[:20]} is out of range", help)
        return int(token)

    def _statement(self, tree: Any) -> list[Part]:
        label, rule, first = "", None, None
        for child in tree.children:
            if isinstance(child, lark.Tree):
                rule = child
            elif child.type == "LABEL":
                label, first = self._label(child), child
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
        span = Span(self.number, self.span(first or rule).column, self.span(rule).end)
        return [self._answered(answer, condition, chance, label, span)]

    def _label(self, token: lark.Token) -> str:
        """A label, unless it is or looks like a role: then a heading was meant, and would be overlooked."""
        label = token.removesuffix(":").rstrip()
        role = PAPER_ROLES.get(label, label)
        if role in HEADINGS:
            message = f"`{label}` is a role and can't be a label"
            raise self.fail(token, "T001", message, "begin a new line with it, or choose another label")
        for role in HEADINGS:
            if label[0] == role[0] and SequenceMatcher(None, label, role).ratio() >= 0.8:
                message = f"`{label}` is not a role, and too near to `{role}` for a label"
                raise self.fail(token, "T005", message, f"write `{role}`, or choose another label")
        return label

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
            case "count_from":
                count, place, *_ = children
                counted = self._count(count)
                if not isinstance(counted, Count):
                    raise self.fail(place, "T001", "count(…) is the same from wherever I look", "leave `at(…)` out")
                if place != "at":
                    raise self.fail(place, "T001", "a count is seen from a cell `at(…)`", "write n(xx) at(-1,0)")
                numbers = tuple(inner(child) for child in children if isinstance(child, lark.Tree))
                at = Place("at", numbers, span=Span(self.number, self.span(place).column, span.end))
                return Count(counted.kind, counted.pattern, at, span=span)
            case "place":
                self._known_place(children[0])
                numbers = tuple(inner(child) for child in children if isinstance(child, lark.Tree))
                return Place(str(children[0]), numbers, span=span)
            case "group" | "positive":
                return inner(children[1])
            case "negative":
                return Negative(inner(children[1]), span=span)
            case "negated":
                return Not(inner(children[1]), span=span)
        left, sign, right = children
        kind: Any = {"logic": Logic, "compared": Comparison, "arithmetic": Arithmetic}[tree.data]
        made: Expression = kind(SIGNS.get(sign, str(sign)), inner(left), inner(right), span=span)
        return made

    def _known_place(self, token: lark.Token) -> None:
        if token in PLACES:
            return
        if token in COUNTS:
            raise self.fail(token, "T001", f"`{token}(…)` holds a pattern, without parentheses", "write n(xx)")
        near = closest(token[:40], (*PLACES, *COUNTS))
        help = f"write `{near}`" if near else "cell(row,col), at(+1,0), n(…), size(…) and count(…) are"
        raise self.fail(token, "T004", f"`{token[:40]}(…)` is not known here", help)

    def _count(self, token: lark.Token) -> Expression:
        kind, _, inside = token.partition("(")
        inside = inside.removesuffix(")")
        span = self.span(token)
        if kind.strip() == "count":
            mark = inside.strip()
            if len(mark) != 1:
                raise self.fail(token, "T001", "count(…) takes one mark", "write count(x), count(o) or count(b)")
            return MarkTally(mark, span=span)
        pattern = read_pattern(inside, self.number, span.column + token.index("(") + 1)
        return Count(kind.strip(), pattern, span=span)
