"""What stands under the cursor, in words: a pattern, a rule with the part it leaves unsaid, a heading, a game."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from teamplay.editors.wording import Wording
from teamplay.errors import TeamplayError
from teamplay.game import Game
from teamplay.game_file import load_game
from teamplay.grid import ROLES
from teamplay.language import Source
from teamplay.language.checker import DEFAULT_GAME
from teamplay.language.diagnostics import Span
from teamplay.language.formatter import format_expression, format_let, format_sight
from teamplay.language.parser import read_table
from teamplay.language.tree import (
    Arithmetic,
    Comparison,
    Count,
    Expression,
    Logic,
    Name,
    Negative,
    Not,
    Place,
    Rule,
    Section,
    Table,
    Tally,
)
from teamplay.show.words import counted, listed

MOST_ABOVE = 8  # rules that are named
LARGEST_BOARD = 10_000  # cells that are counted by role
SIGHTS = {
    "lines": "{} cells along every straight line",
    "radius": "every cell at most {} away",
    "all": "the board",
}
VALUES = {
    "k": "the length of a line",
    "row": "the row of my cell, from 1 at the top",
    "col": "the column of my cell, from 1 at the left",
    "layer": "the layer of my cell, from 1",
    "rows": "how many rows the board has",
    "cols": "how many columns the board has",
    "layers": "how many layers the board has",
    "center": "the cell in the middle of the board",
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

    table: Table

    @classmethod
    def of(cls, source: Source) -> "Outline":
        return cls(read_table(source).table)

    @cached_property
    def game(self) -> Game | None:
        """The table's first game, if there is such a one."""
        try:
            return load_game(self.table.games[0] if self.table.games else DEFAULT_GAME)
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

    def wording(self) -> Wording:
        return Wording({let.name: let for let in self.table.lets}, self.game.k if self.game else None)


def hover(outline: Outline, line: int, column: int) -> tuple[str, Span] | None:
    """What to say, in Markdown, of the place that a cursor points at, and the stretch it is said of."""
    table = outline.table
    for named in outline.rules:
        if _at(named.rule.span, line, column):
            return _rule(outline, named, line, column)
    for let in table.lets:
        if _at(let.span, line, column):
            return f"`{format_let(let)}`: {outline.wording().count(Count('n', let.pattern))}.", let.span
    for section in table.sections:
        if _at(section.span, line, column):
            return _heading(outline, section), section.span
    if table.sight and _at(table.sight.span, line, column):
        sight = SIGHTS[table.sight.kind].format(table.sight.reach - (table.sight.kind == "lines"))
        return f"`{format_sight(table.sight)}`: an agent sees {sight}.", table.sight.span
    if table.games and _at(table.span, line, column):
        return _games(table), table.span
    return None


def _at(span: Span, line: int, column: int) -> bool:
    return span.line == line and span.column <= column < span.end


def _rule(outline: Outline, named: Named, line: int, column: int) -> tuple[str, Span]:
    """The part under the cursor, then the whole rule."""
    wording, rule = outline.wording(), named.rule
    whole = f"**{named.name}** ({', '.join(named.section.roles)}) {wording.rule(rule)}{_unsaid(outline, named)}"
    parts = [node for side in (rule.condition, rule.priority) if side for node in _parts(side)]
    for node in parts:
        if _at(node.span, line, column) and (said := _part(wording, node)):
            return f"`{format_expression(node)}`: {said}.\n\n{whole}", node.span
    return whole, rule.span


def _part(wording: Wording, node: Expression) -> str:
    match node:
        case Count() | Tally():
            return wording.count(node)
        case Place():
            return wording.place(node)
        case Name("k") if wording.k:
            return f"{VALUES['k']}, here {wording.k}"
        case Name(word):
            return VALUES.get(word, "")
    return ""


def _parts(node: Expression) -> Iterator[Expression]:
    """The words and counts of an expression."""
    match node:
        case Logic(_, left, right) | Comparison(_, left, right) | Arithmetic(_, left, right):
            yield from _parts(left)
            yield from _parts(right)
        case Not(inner) | Negative(inner):
            yield from _parts(inner)
        case _:
            yield node


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


def _games(table: Table) -> str:
    said = []
    for spec in table.games:
        try:
            game = load_game(spec)
        except TeamplayError as error:
            said.append(f"- {error}")
        else:
            said.append(f"- **{game}**: {game.about}")
    return "\n".join(said)
