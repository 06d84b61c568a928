"""Syntax tree + game -> rule book: every word gets its meaning on this board, or a diagnostic."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from teamplay.errors import TeamplayError, closest
from teamplay.game import Game
from teamplay.game_file import load_game, parse_spec
from teamplay.grid import ROLES
from teamplay.language.diagnostics import Diagnostic, Fault, TableError
from teamplay.language.formatter import format_expression, format_rule
from teamplay.language.parser import Source, load_source, read_table
from teamplay.language.places import Places, is_place
from teamplay.language.rulebook import BoundRule, Reach, Rulebook
from teamplay.language.shapes import Shapes, unknown_mark
from teamplay.language.tree import (
    Arithmetic,
    CellTest,
    Comparison,
    Count,
    Expression,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Place,
    Rule,
    Section,
    Table,
    Tally,
)

DEFAULT_GAME = "tic-tac-toe"  # the paper's: a figure pasted as printed names no game
LARGEST_RESULT = 1_000_000_000
COORDINATES = ("layer", "row", "col")  # the numbers of an agent's own cell; with an s the sides of the board

Bounds = tuple[int, int]  # the least and the greatest value that a number can take


def load_rulebook(name: str, game: Game | None = None) -> Rulebook:
    """The rule book of a shipped name or path, for the given game or the one that the table names first."""
    return read_rulebook(load_source(name), game)


def read_rulebook(source: Source, game: Game | None = None) -> Rulebook:
    """The rule book of a text, or a TableError with everything that is wrong: in the text and in the game."""
    draft = read_table(source)
    if not draft.diagnostics:
        return bind(draft.table, source, game)
    found = list(draft.diagnostics)
    if draft.rules_only:
        try:
            bind(draft.table, source, game)
        except TableError as error:
            found.extend(error.diagnostics)
    raise TableError(source.path, source.text, found)


def bind(table: Table, source: Source, game: Game | None = None) -> Rulebook:
    """The table's meaning in a game, or a TableError with every reason why it has none."""
    try:
        binding = _Binding(table, _game(table, game))
    except Fault as fault:
        raise TableError(source.path, source.text, [fault.diagnostic]) from None
    book = binding.rulebook(source.path.removesuffix(".team"))
    if binding.diagnostics:
        raise TableError(source.path, source.text, binding.diagnostics)
    return book


def _game(table: Table, wanted: Game | None) -> Game:
    """The game to bind to: the wanted one where the table allows it, else the table's first."""
    try:
        if wanted is None:
            return load_game(table.games[0] if table.games else DEFAULT_GAME)
        if not table.games or any(_allows(spec, wanted) for spec in table.games):
            return wanted
    except TeamplayError as error:
        message, _, help = str(error).rstrip(".").partition(". ")
        raise Fault("T009", table.span, message, help=help) from None
    message = f"this table is for {' and '.join(table.games)}, not for {wanted}"
    help = f"choose another table, or add `, {wanted.name}` to the line if its rules make sense there"
    raise Fault("T009", table.span, message, help=help)


def _allows(spec: str, wanted: Game) -> bool:
    """A bare name allows every board of the game, parameters only their own."""
    name, options = parse_spec(spec)
    if name.endswith(".toml"):
        name = PurePath(name).stem
    return name == wanted.name and (not options or _same(load_game(spec), wanted))


def _same(one: Game, other: Game) -> bool:
    return replace(one, parameters=()) == replace(other, parameters=())


@dataclass
class _Binding:
    """One table meeting one game."""

    table: Table
    game: Game
    diagnostics: list[Diagnostic] = field(default_factory=list)
    roles: frozenset[str] = frozenset()  # the roles of the board that the section at hand speaks to

    def __post_init__(self) -> None:
        self.reach = self._reach()
        self.shapes = Shapes(self.game, self.reach)
        self.places = Places(self.game, self.reach)

    def rulebook(self, name: str) -> Rulebook:
        for let in self.table.lets:
            try:
                self.shapes.define(let)
            except Fault as fault:
                self.diagnostics.append(fault.diagnostic)
        named = {role for section in self.table.sections for role in section.roles if role in ROLES}
        sections = []
        for section in self.table.sections:
            self.roles = self._roles(section, named)
            sections.append((self.roles, tuple(self._rules(section))))
        return Rulebook(name, self.game, self.reach, tuple(sections))

    def _reach(self) -> Reach:
        declared, grid = self.table.sight, self.game.grid
        if declared is None:
            return Reach("lines", self.game.k - 1) if self.game.k else Reach("rays", max(grid.shape) - 1)
        if declared.kind == "lines":
            return Reach("rays", declared.reach - 1)
        return Reach(declared.kind, declared.reach)

    def _roles(self, section: Section, named: set[str]) -> frozenset[str]:
        """The roles of the board that a heading speaks to."""
        if "face" in section.roles and len(self.game.grid.shape) == 2:
            message, help = "only boards of three dimensions have faces", "write `edge` or `inner`"
            self.diagnostics.append(Diagnostic("T005", section.span, message, help=help))
        meaning = {"everyone": set(ROLES), "others": set(ROLES) - named}
        return frozenset().union(*(meaning.get(role, {role}) for role in section.roles))

    def _rules(self, section: Section) -> Iterator[BoundRule]:
        for place, rule in enumerate(section.rules, 1):
            try:
                yield self._rule(rule, section, place)
            except Fault as fault:
                self.diagnostics.append(fault.diagnostic)

    def _rule(self, rule: Rule, section: Section, place: int) -> BoundRule:
        return BoundRule(
            condition=self._condition(rule.condition) if rule.condition else None,
            priority=self._number(rule.priority)[0],
            letters=self._letters(rule),
            chance=rule.chance,
            label=rule.label,
            role=", ".join(section.roles),
            place=place,
            text=format_rule(rule),
            span=rule.span,
        )

    def _letters(self, rule: Rule) -> tuple[str, ...]:
        if not self.game.shared:
            if rule.letters:
                message = f"{self.game.name} has no letters to play; every player has marks of its own"
                raise Fault("T011", rule.letters[0].span, message, "here", "leave `play` out")
            return ()
        for letter in rule.letters:
            if letter.text not in self.game.marks:
                raise unknown_mark(self.game, letter.text, letter.span)
        return tuple(dict.fromkeys(letter.text for letter in rule.letters)) or self.game.marks

    # Conditions

    def _condition(self, node: Expression) -> Expression:
        match node:
            case Logic(_, left, right):
                return replace(node, left=self._condition(left), right=self._condition(right))
            case Not(inner):
                return replace(node, inner=self._condition(inner))
            case Comparison(_, left, right):
                if is_place(left) or is_place(right):
                    return self._cell_test(node)
                return replace(node, left=self._number(left)[0], right=self._number(right)[0])
        text = format_expression(node)
        if is_place(node):
            help = f"write `{text} = {self.game.visible_marks[0]}`"
            raise Fault("T010", node.span, f"`{text}` is a cell, not a condition", "here", help)
        help = "compare it with another, as in `n(xx) >= 1`" if isinstance(node, Number) else f"write `{text} >= 1`"
        raise Fault("T010", node.span, f"`{text}` is a number, not a condition", "here", help)

    def _cell_test(self, node: Comparison) -> CellTest:
        place, mark = (node.left, node.right) if is_place(node.left) else (node.right, node.left)
        marks = " ".join(self.game.visible_marks)
        if node.sign not in ("=", "!="):
            raise Fault("T010", node.span, "a cell holds a mark, which is no number", "here", "compare with = or !=")
        if not isinstance(mark, Name):
            raise Fault("T010", mark.span, "a cell is compared with a mark", "here", f"write one of {marks}")
        if mark.text not in self.game.visible_marks:
            raise unknown_mark(self.game, mark.text, mark.span)
        numbers = tuple(map(self._constant, place.numbers)) if isinstance(place, Place) else ()
        spot = self.places.spot(place, numbers, self.roles)
        return CellTest(spot, node.sign == "=", mark.text, format_expression(place), span=node.span)

    # Numbers

    def _constant(self, node: Expression) -> int:
        bound, _ = self._number(node)
        if not isinstance(bound, Number):
            raise Fault("T010", node.span, "a fixed number belongs here", "here", "use numbers, k, rows and cols")
        return bound.value

    def _number(self, node: Expression) -> tuple[Expression, Bounds]:
        """The bound expression and the least and greatest value it can take."""
        match node:
            case Number(value):
                return node, (value, value)
            case Name() if not is_place(node):
                return self._named_number(node)
            case Count():
                counted, most = self.shapes.counted(node)
                return counted if most else Number(0, span=node.span), (0, most)
            case Tally(mark):
                if mark not in self.game.visible_marks:
                    raise unknown_mark(self.game, mark, node.span)
                return node, (0, self.game.grid.size)
            case Negative(inner):
                bound, (least, most) = self._number(inner)
                if isinstance(bound, Number):
                    return Number(-bound.value, span=node.span), (-most, -least)
                return replace(node, inner=bound), (-most, -least)
            case Arithmetic():
                return self._arithmetic(node)
        text = format_expression(node)
        if is_place(node):
            help = f"test it: `{text} = {self.game.visible_marks[0]}`"
            raise Fault("T010", node.span, f"`{text}` is a cell, not a number", "here", help)
        raise Fault("T010", node.span, f"`{text}` is a condition, not a number", "here", "move it behind an `if`")

    def _arithmetic(self, node: Arithmetic) -> tuple[Expression, Bounds]:
        left, (a, b) = self._number(node.left)
        right, (c, d) = self._number(node.right)
        if node.sign == "*":
            ends = [a * c, a * d, b * c, b * d]
        else:
            ends = [a + c, b + d] if node.sign == "+" else [a - d, b - c]
        if max(map(abs, ends)) > LARGEST_RESULT:
            message = f"this can grow beyond {LARGEST_RESULT:,}"
            raise Fault("T013", node.span, message, "here", "use smaller numbers")
        bounds = (min(ends), max(ends))
        if isinstance(left, Number) and isinstance(right, Number):
            return Number(bounds[0], span=node.span), bounds
        return replace(node, left=left, right=right), bounds

    def _named_number(self, node: Name) -> tuple[Expression, Bounds]:
        shape = self.game.grid.shape
        sides = dict(zip(COORDINATES[-len(shape) :], shape, strict=True))
        fixed = {f"{name}s": side for name, side in sides.items()}
        if self.game.k:
            fixed["k"] = self.game.k
        if node.text in fixed:
            return Number(fixed[node.text], span=node.span), (fixed[node.text],) * 2
        if node.text in sides:
            return node, (1, sides[node.text])
        if node.text == "k":
            raise Fault("T004", node.span, f"{self.game.name} has no line length `k`", "here", "write a number")
        if node.text in self.game.visible_marks:
            message = f"`{node.text}` is a mark, not a number"
            raise Fault("T010", node.span, message, "here", f"count it: count({node.text})")
        known = [*fixed, *sides, "center"]
        near = closest(node.text[:40], known)
        help = f"write `{near}`" if near else f"the names are {', '.join(known)}"
        raise Fault("T004", node.span, f"`{node.text[:40]}` is not known here", "here", help)
