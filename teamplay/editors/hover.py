"""What stands under the cursor, in words: a pattern, a rule with the part it leaves unsaid, a heading, a game."""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from teamplay.editors.wording import VALUES, Wording
from teamplay.errors import TeamplayError
from teamplay.game import Game
from teamplay.grid import ROLES
from teamplay.language import BoundRule, Rulebook, Source
from teamplay.language.checker import DEFAULT_GAME, bind_partly
from teamplay.language.diagnostics import Span
from teamplay.language.expressions import BoundExpression, Reading, format_bound, parts, readings, terms, unnamed
from teamplay.language.formatter import format_expression, format_let, format_sight
from teamplay.language.parser import read_table
from teamplay.language.tree import Count, Let, Name, Pattern, Rule, Section, Table
from teamplay.show.words import counted, listed

MOST_ABOVE = 8  # rules that are named
LARGEST_BOARD = 10_000  # cells that are counted by role
SIGHTS = {
    "lines": "{} cells along every straight line",
    "radius": "every cell at most {} away",
    "all": "the board",
}


@dataclass(frozen=True)
class Named:
    """A rule, the heading it stands under, and the name it goes by."""

    rule: Rule
    section: Section
    name: str


@dataclass(frozen=True)
class Outline:
    """What could be read of a table, however much is wrong with the rest."""

    source: Source
    table: Table

    @classmethod
    def of(cls, source: Source) -> "Outline":
        return cls(source, read_table(source).table)

    @cached_property
    def game(self) -> Game | None:
        """The table's first game, if there is such a one."""
        try:
            return self.source.load_game(self.table.games[0] if self.table.games else DEFAULT_GAME)
        except TeamplayError:
            return None

    @cached_property
    def rules(self) -> list[Named]:
        """All rules, in the order of the file."""
        return [
            Named(rule, section, rule.label or f"{', '.join(section.roles)} {place}")
            for section in self.table.sections
            for place, rule in enumerate(section.rules, 1)
        ]

    @cached_property
    def sizes(self) -> dict[str, int]:
        """How many cells of the board have each role; nothing where that is not known."""
        if self.game is None or self.game.grid.size > LARGEST_BOARD:
            return {}
        roles = [self.game.grid.role(cell) for cell in self.game.grid.cells]
        return {role: roles.count(role) for role in ROLES}

    def roles(self, section: Section) -> list[str]:
        """The roles that a heading speaks to, those left out that this board does not have."""
        named = {role for other in self.table.sections for role in other.roles}
        meaning = {"everyone": ROLES, "others": tuple(role for role in ROLES if role not in named)}
        spoken = {role for word in section.roles for role in meaning.get(word, (word,))}
        return [role for role in ROLES if role in spoken and self.sizes.get(role, 1)]

    def above(self, named: Named) -> list[tuple[list[str], list[Named]]]:
        """The rules that come before one, for each group of roles that reads the same ones."""
        before = self.rules[: self.rules.index(named)]
        sections = {id(other.section): other.section for other in before}
        groups: dict[tuple[int, ...], list[str]] = {}
        for role in self.roles(named.section):
            heard = tuple(key for key, section in sections.items() if role in self.roles(section))
            groups.setdefault(heard, []).append(role)
        return [(roles, [other for other in before if id(other.section) in heard]) for heard, roles in groups.items()]

    @cached_property
    def book(self) -> Rulebook | None:
        """The rules that mean something in the game."""
        return bind_partly(self.table, self.game)[0] if self.game else None

    def bound(self, rule: Rule) -> BoundRule | None:
        """What a rule means, if anything."""
        sections = self.book.sections if self.book else ()
        return next((bound for _, rules in sections for bound in rules if bound.span == rule.span), None)

    def word(self, line: int, column: int) -> tuple[str, Span]:
        """The word at a place of the text."""
        text = self.source.text.split("\n")[line - 1]
        match = next((one for one in re.finditer(r"\w+", text) if one.start() < column <= one.end()), None)
        return (match[0], Span(line, match.start() + 1, match.end() + 1)) if match else ("", Span(line, column, column))


def hover(outline: Outline, line: int, column: int) -> tuple[str, Span] | None:
    """What to say, in Markdown, of the place that a cursor points at, and the stretch it is said of."""
    table = outline.table
    for named in outline.rules:
        if _at(named.rule.span, line, column):
            return _rule(outline, named, line, column)
    for let in table.lets:
        if _at(let.span, line, column):
            return _let(outline, let, line, column)
    for section in table.sections:
        if _at(section.span, line, column):
            return _heading(outline, section), section.span
    if table.sight and _at(table.sight.span, line, column):
        sight = SIGHTS[table.sight.kind].format(table.sight.reach - (table.sight.kind == "lines"))
        return f"`{format_sight(table.sight)}`: an agent sees {sight}.", table.sight.span
    if table.games and _at(table.span, line, column):
        return _games(outline), table.span
    return None


def _at(span: Span, line: int, column: int) -> bool:
    return span.line == line and span.column <= column < span.end


def _let(outline: Outline, let: Let, line: int, column: int) -> tuple[str, Span]:
    """What a pattern with a name counts, or what a number with a name is made of."""
    written = f"`{format_let(let)}`"
    book = _bound_alone(outline, let) if outline.game else None
    rules = [rule for _, rules in book.sections for rule in rules] if book else []
    if not book or not rules:
        return f"{written}.", let.span
    wording, named = Wording(book), rules[0].priority
    if named.name:
        for one in readings(named):
            if _at(one.span, line, column):
                return f"`{one.text}`: {wording.reading(one)}.", one.span
        return f"{written}{_made_of(wording, named)}", let.span
    counted_lines = next(readings(named), None)
    return f"{written}{f': {wording.reading(counted_lines)}' if counted_lines else ''}.", let.span


def _bound_alone(outline: Outline, let: Let) -> Rulebook:
    """A rule book that measures nothing but what a name stands for."""
    assert outline.game
    letters = tuple(map(Name, outline.game.marks[:1])) if outline.game.shared else ()
    one = [Rule(Name(let.name, span=let.span), letters=letters, span=let.span)]
    if isinstance(let.meaning, Pattern):  # which of the two it is, the game decides
        one.append(Rule(Count("n", let.meaning, span=let.span), span=let.span))
    return bind_partly(replace(outline.table, sections=(Section(("everyone",), tuple(one)),)), outline.game)[0]


def _made_of(wording: Wording, node: BoundExpression) -> str:
    """What stands behind a name: each part in words."""
    said = [
        f"- `{term.name}` = `{format_bound(unnamed(term))}`"
        if term.name or not isinstance(term, Reading)
        else f"- `{term.text}`: {wording.reading(term)}"
        for term in dict.fromkeys(terms(unnamed(node)))
    ]
    return "\n".join([":\n", *said]) if said else "."


def _rule(outline: Outline, named: Named, line: int, column: int) -> tuple[str, Span]:
    """The part under the cursor, then the whole rule."""
    rule = named.rule
    if outline.book is None:
        return f"**{named.name}** ({', '.join(named.section.roles)})", rule.span
    wording, bound = Wording(outline.book), outline.bound(rule)
    whole = f"**{named.name}** ({', '.join(named.section.roles)}) {wording.rule(rule, bound)}{_unsaid(outline, named)}"
    measured = [one for side in (bound.condition, bound.priority) for one in readings(side)] if bound else []
    for side in (bound.condition, bound.priority) if bound else ():
        for part in parts(side):
            if part.name and _at(part.span, line, column):
                return f"`{part.name}` = `{format_bound(unnamed(part))}`{_made_of(wording, part)}\n\n{whole}", part.span
    for one in measured:
        if _at(one.span, line, column):
            return f"`{one.text}`: {wording.reading(one)}.\n\n{whole}", one.span
    word, span = outline.word(line, column)
    if word in VALUES and column > rule.span.column + len(rule.label):
        here = f", here {outline.book.game.k}" if word == "k" and outline.book.game.k else ""
        return f"`{word}`: {VALUES[word]}{here}.\n\n{whole}", span
    return whole, rule.span


def _unsaid(outline: Outline, named: Named) -> str:
    """What a rule leaves unsaid: that none of the rules above it answers."""
    groups = outline.above(named)
    if not groups:
        return "; but no cell of this board has this role."
    if not any(rules for _, rules in groups):
        return "; there is no rule above it." if named.rule.condition else " always; there is no rule above it."
    said = [f"{', and' if named.rule.condition else ' if'} none of the rules above it answers:\n"]
    for roles, rules in groups:
        where = f"for {listed(roles)}: " if len(groups) > 1 else ""
        if not rules:
            said.append(f"- {where}there are none")
            continue
        if len(rules) > MOST_ABOVE:
            said.append(f"- {where}{counted(len(rules), 'rule')}, the last of them:")
        said += [f"- {where}`{other.name}`, {_question(other.rule)}" for other in rules[-MOST_ABOVE:]]
    return "\n".join(said)


def _question(rule: Rule) -> str:
    coin = f" (chance {rule.chance}%)" if rule.chance is not None else ""
    return (f"if `{format_expression(rule.condition)}`" if rule.condition else "always") + coin


def _heading(outline: Outline, section: Section) -> str:
    roles = outline.roles(section)
    if not roles:
        return "No cell of this board has this role."
    if not outline.sizes:
        return f"The rules of {listed(roles)}."
    cells = [f"{role} ({counted(outline.sizes[role], 'cell')})" for role in roles]
    return f"The rules of {listed(cells)} on {outline.game}."


def _games(outline: Outline) -> str:
    said = []
    for spec in outline.table.games:
        try:
            game = outline.source.load_game(spec)
        except TeamplayError as error:
            said.append(f"- {error}")
        else:
            said.append(f"- **{game}**: {game.about}")
    return "\n".join(said)
