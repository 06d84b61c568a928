"""Syntax tree + game -> rule book: every word gets its meaning on this board, or a diagnostic."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from teamplay.errors import TeamplayError, closest
from teamplay.game import Game
from teamplay.game_file import load_game, parse_spec
from teamplay.grid import ROLES, Cell
from teamplay.language.diagnostics import Diagnostic, Span, TableError
from teamplay.language.formatter import format_expression, format_pattern, format_rule
from teamplay.language.parser import Source, load_table
from teamplay.language.rulebook import BoundRule, Reach, Rulebook
from teamplay.language.tree import (
    Arithmetic,
    Arms,
    CellTest,
    Comparison,
    Count,
    Counted,
    Expression,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Ordered,
    Pattern,
    Piece,
    Place,
    Rule,
    Section,
    Step,
    Table,
    Tally,
    Unordered,
)

DEFAULT_GAME = "tic-tac-toe"  # the paper's: a figure pasted as printed names no game
LARGEST_RESULT = 1_000_000_000
LONGEST_ARM = 1000


def load_rulebook(name: str, game: Game | None = None) -> Rulebook:
    """The rule book of a shipped name or path, for the given game or the one that the table names first."""
    table, source = load_table(name)
    return bind(table, source, game)


def bind(table: Table, source: Source, game: Game | None = None) -> Rulebook:
    """The table's meaning in a game, or a TableError with every reason why it has none."""
    binding = _Binding(table, _game(table, source, game))
    book = binding.rulebook(source.path.removesuffix(".team"))
    if binding.diagnostics:
        raise TableError(source.path, source.text, binding.diagnostics)
    return book


def _game(table: Table, source: Source, wanted: Game | None) -> Game:
    """The game to bind to: the wanted one where the table allows it, else the table's first."""

    def refused(message: str, help: str = "") -> TableError:
        lines = source.text.split("\n")
        number = next((i for i, line in enumerate(lines, 1) if line.lstrip().startswith("game ")), 1)
        span = Span(number, 1, len(lines[number - 1].partition("#")[0].rstrip()) + 1)
        return TableError(source.path, source.text, [Diagnostic("T009", span, message, help=help)])

    if wanted is None:
        try:
            return load_game(table.games[0] if table.games else DEFAULT_GAME)
        except TeamplayError as error:
            raise refused(str(error).rstrip(".")) from None
    for spec in table.games:
        name, options = parse_spec(spec)
        if name == wanted.name and (not options or _same(load_game(spec), wanted)):
            return wanted
    if not table.games:
        return wanted
    message = f"this table is for {' and '.join(table.games)}, not for {wanted}"
    raise refused(message, f"choose another table, or add `, {wanted.name}` to the line if its rules make sense there")


def _same(one: Game, other: Game) -> bool:
    return replace(one, parameters=()) == replace(other, parameters=())


class _Wrong(Exception):
    """Stops the binding of one rule; the rest of the table goes on."""

    def __init__(self, code: str, span: Span, message: str, label: str = "", help: str = "") -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, span, message, label, help)


@dataclass
class _Binding:
    """One table meeting one game."""

    table: Table
    game: Game
    diagnostics: list[Diagnostic] = field(default_factory=list)
    lets: dict[str, Pattern] = field(default_factory=dict)
    spoken: frozenset[str] = frozenset()  # the roles that the section at hand speaks to

    def rulebook(self, name: str) -> Rulebook:
        self._bind_lets()
        named = {role for section in self.table.sections for role in section.roles if role in ROLES}
        sections = []
        for section in self.table.sections:
            self.spoken = self._roles(section, named)
            sections.append((self.spoken, tuple(self._rules(section))))
        return Rulebook(name, self.game, self.reach, tuple(sections))

    def sight(self, cell: Cell) -> frozenset[Cell]:
        return Rulebook("", self.game, self.reach, ()).sight(cell)

    @cached_property
    def reach(self) -> Reach:
        declared, grid = self.table.sight, self.game.grid
        if declared is None:
            if self.game.k:
                return Reach("lines", self.game.k - 1)
            return Reach("rays", max(grid.shape) - 1)
        return Reach({"lines": "rays"}.get(declared.kind, declared.kind), declared.reach - (declared.kind == "lines"))

    def _roles(self, section: Section, named: set[str]) -> frozenset[str]:
        """The roles of the board that a heading speaks to."""
        spoken: set[str] = set()
        for role in section.roles:
            if role == "face" and len(self.game.grid.shape) == 2:
                self._note(
                    "T005", section.span, "only boards of three dimensions have faces", "write `edge` or `inner`"
                )
            spoken |= {"everyone": set(ROLES), "others": set(ROLES) - named}.get(role, {role})
        return frozenset(spoken)

    def _note(self, code: str, span: Span, message: str, help: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, span, message, help=help))

    def _bind_lets(self) -> None:
        for let in self.table.lets:
            if set(let.name) <= set(self.game.visible_marks):
                self._note("T012", let.span, f"`{let.name}` reads as marks already", "choose a name with other letters")
                continue
            try:
                self._marks(let.pattern)
            except _Wrong as wrong:
                self.diagnostics.append(wrong.diagnostic)
            # Kept even when wrong: its uses are not to blame.
            self.lets[let.name] = let.pattern

    def _rules(self, section: Section) -> Iterator[BoundRule]:
        for place, rule in enumerate(section.rules, 1):
            try:
                yield self._rule(rule, section, place)
            except _Wrong as wrong:
                self.diagnostics.append(wrong.diagnostic)

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
                raise _Wrong("T011", rule.letters[0].span, message, "here", "leave `play` out")
            return ()
        for letter in rule.letters:
            if letter.text not in self.game.marks:
                raise self._unknown_mark(letter.text, letter.span)
        return tuple(dict.fromkeys(letter.text for letter in rule.letters)) or self.game.marks

    def _unknown_mark(self, mark: str, span: Span) -> _Wrong:
        marks = {"x": "x (mine)", "o": "o (theirs)", "b": "b (blank)"}
        known = [marks.get(known, known) for known in self.game.visible_marks]
        swapped = mark.swapcase()
        help = f"write `{swapped}`" if swapped in self.game.visible_marks else f"the marks are {', '.join(known)}"
        return _Wrong("T006", span, f"`{mark}` is not a mark of {self.game.name}", "here", help)

    # Conditions

    def _condition(self, node: Expression) -> Expression:
        match node:
            case Logic(_, left, right):
                return replace(node, left=self._condition(left), right=self._condition(right))
            case Not(inner):
                return replace(node, inner=self._condition(inner))
            case Comparison(_, left, right):
                if self._is_cell(left) or self._is_cell(right):
                    return self._cell_test(node)
                return replace(node, left=self._number(left)[0], right=self._number(right)[0])
        text = format_expression(node)
        if self._is_cell(node):
            raise _Wrong("T010", node.span, f"`{text}` is a cell, not a condition", "here", f"write `{text} = x`")
        raise _Wrong("T010", node.span, f"`{text}` is a number, not a condition", "here", f"write `{text} >= 1`")

    def _is_cell(self, node: Expression) -> bool:
        return isinstance(node, Place) or (isinstance(node, Name) and node.text == "center")

    def _cell_test(self, node: Comparison) -> CellTest:
        place, mark = (node.left, node.right) if self._is_cell(node.left) else (node.right, node.left)
        if node.sign not in ("=", "!="):
            raise _Wrong("T010", node.span, "a cell holds a mark, which is no number", "here", "compare with = or !=")
        if not isinstance(mark, Name):
            marks = " ".join(self.game.visible_marks)
            raise _Wrong("T010", mark.span, "a cell is compared with a mark", "here", f"write one of {marks}")
        if mark.text not in self.game.visible_marks:
            raise self._unknown_mark(mark.text, mark.span)
        text = format_expression(place)
        return CellTest(self._place(place), node.sign == "=", mark.text, text, span=node.span)

    def _place(self, node: Expression) -> Cell | tuple[int, ...]:
        grid = self.game.grid
        if isinstance(node, Name):
            if grid.center is None:
                raise _Wrong("T008", node.span, f"a board of {grid} has no center cell", help="name a cell: cell(2,2)")
            return self._in_sight(grid.center, node)
        assert isinstance(node, Place)
        numbers = tuple(self._constant(number) for number in node.numbers)
        axes = ("layer", "row", "column")[-len(grid.shape) :]
        if len(numbers) != len(grid.shape):
            message = f"a board of {grid} has {len(grid.shape)} coordinates, not {len(numbers)}"
            raise _Wrong("T008", node.span, message, help=f"write {node.kind}({','.join(axes)})")
        if node.kind == "at":
            self._step_in_sight(numbers, node)
            return numbers
        at = [number - 1 for number in numbers]
        if not grid.contains(at):
            message = f"`{format_expression(node)}` is off the board of {grid}"
            raise _Wrong("T008", node.span, message, help=f"count {' and '.join(axes)} from 1")
        return self._in_sight(grid.cell(at), node)

    def _in_sight(self, target: Cell, node: Expression) -> Cell:
        """An absolute cell may be tested only where every agent of the role can see it."""
        if self.reach.kind == "all":
            return target
        grid = self.game.grid
        for cell in grid.cells:
            if grid.role(cell) in self.spoken and cell != target and target not in self.sight(cell):
                text = format_expression(node)
                message = f"the agent on cell {cell + 1} ({grid.role(cell)}) can't see `{text}`"
                help = "test it only in roles that see it, or declare a wider sight: `sight all`"
                raise _Wrong("T008", node.span, message, f"an agent sees {self.reach}", help)
        return target

    def _step_in_sight(self, step: tuple[int, ...], node: Expression) -> None:
        """A neighbour must lie in sight of some agent of the role, and nowhere on the board out of sight."""
        grid, some = self.game.grid, False
        if len({abs(number) for number in step if number}) <= 1 and max(map(abs, step)) <= self._straight():
            some = self.reach.kind != "lines"  # a straight step within reach is in sight wherever it is on the board
        if not some:
            for cell in grid.cells:
                at = [here + by for here, by in zip(grid.coordinates(cell), step, strict=True)]
                if grid.role(cell) not in self.spoken or not grid.contains(at):
                    continue
                some = True
                if (other := grid.cell(at)) != cell and other not in self.sight(cell):
                    message = f"the agent on cell {cell + 1} can't see `{format_expression(node)}`"
                    help = "declare a wider sight, such as `sight radius 2` or `sight all`"
                    raise _Wrong("T008", node.span, message, f"an agent sees {self.reach}", help)
        if not some:
            message = f"`{format_expression(node)}` is off the board for every agent of this role"
            raise _Wrong("T008", node.span, message, help="take a smaller step")

    def _straight(self) -> int:
        """How far an agent sees along a straight line."""
        return max(self.game.grid.shape) if self.reach.kind == "all" else self.reach.cells

    # Numbers

    def _constant(self, node: Expression) -> int:
        bound, _ = self._number(node)
        if not isinstance(bound, Number):
            raise _Wrong("T010", node.span, "a fixed number belongs here", "here", "use numbers, k, rows and columns")
        return bound.value

    def _number(self, node: Expression) -> tuple[Expression, tuple[int, int]]:
        """The bound expression and the least and greatest value it can take."""
        match node:
            case Number(value):
                return node, (value, value)
            case Name():
                return self._named_number(node)
            case Count():
                return self._counted(node)
            case Tally(mark):
                if mark not in self.game.visible_marks:
                    raise self._unknown_mark(mark, node.span)
                return node, (0, self.game.grid.size)
            case Negative(inner):
                bound, (least, most) = self._number(inner)
                if isinstance(bound, Number):
                    return Number(-bound.value, span=node.span), (-most, -least)
                return replace(node, inner=bound), (-most, -least)
            case Arithmetic():
                return self._arithmetic(node)
        text = format_expression(node)
        kind = "a cell" if self._is_cell(node) else "a condition"
        raise _Wrong("T010", node.span, f"`{text}` is {kind}, not a number", "here")

    def _arithmetic(self, node: Arithmetic) -> tuple[Expression, tuple[int, int]]:
        left, (a, b) = self._number(node.left)
        right, (c, d) = self._number(node.right)
        if node.sign == "*":
            ends = [a * c, a * d, b * c, b * d]
        else:
            ends = [a + c, b + d] if node.sign == "+" else [a - d, b - c]
        if max(map(abs, ends)) > LARGEST_RESULT:
            message = f"this can grow beyond {LARGEST_RESULT:,}"
            raise _Wrong("T013", node.span, message, "here", "use smaller numbers")
        bounds = (min(ends), max(ends))
        if isinstance(left, Number) and isinstance(right, Number):
            return Number(bounds[0], span=node.span), bounds
        return replace(node, left=left, right=right), bounds

    def _named_number(self, node: Name) -> tuple[Expression, tuple[int, int]]:
        shape = self.game.grid.shape
        sides = dict(zip(("layer", "row", "col")[-len(shape) :], shape, strict=True))
        fixed = {f"{name}s": side for name, side in sides.items()}
        if self.game.k:
            fixed["k"] = self.game.k
        if node.text in fixed:
            return Number(fixed[node.text], span=node.span), (fixed[node.text],) * 2
        if node.text in sides:
            return node, (1, sides[node.text])
        if node.text == "k":
            raise _Wrong("T004", node.span, f"{self.game.name} has no line length `k`", "here")
        if node.text in self.game.visible_marks:
            message = f"`{node.text}` is a mark, not a number"
            raise _Wrong("T010", node.span, message, "here", f"count it: count({node.text})")
        known = [*fixed, *sides, "center"]
        near = closest(node.text, known)
        help = f"write `{near}`" if near else f"the names are {', '.join(known)}"
        raise _Wrong("T004", node.span, f"`{node.text}` is not known here", "here", help)

    # Patterns

    def _marks(self, pattern: Pattern) -> tuple[tuple[Piece, ...], ...]:
        """The alternatives of a pattern, a name from `let` looked up, every mark known."""
        if pattern.name in self.lets:
            return self.lets[pattern.name].alternatives
        for pieces in pattern.alternatives:
            for piece in pieces:
                if piece.mark not in (*self.game.visible_marks, "?", "*"):
                    raise self._unknown_in(pattern, piece)
        return pattern.alternatives

    def _unknown_in(self, pattern: Pattern, piece: Piece) -> _Wrong:
        if pattern.name and len(pattern.name) > 1 and not set(pattern.name) & set(self.game.visible_marks):
            near = closest(pattern.name, self.lets)
            help = f"write `{near}`" if near else f"define it: let {pattern.name} = …"
            return _Wrong("T004", pattern.span, f"no pattern is called `{pattern.name}`", "here", help)
        return self._unknown_mark(piece.mark, piece.span)

    def _counted(self, node: Count) -> tuple[Expression, tuple[int, int]]:
        alternatives = self._marks(node.pattern)
        starred = [any(piece.mark == "*" for piece in pieces) for pieces in alternatives]
        if any(starred) != all(starred):
            message = "either all alternatives have a `*`, or none"
            raise _Wrong("T007", node.pattern.span, message, "here", "split it into two counts and add them")
        text = f"{node.kind}({format_pattern(node.pattern)})"
        axes = len(self.game.grid.axes)
        if all(starred):
            shape: Ordered | Unordered = Ordered(tuple(self._arms(pieces, node) for pieces in alternatives))
            most = 2 * axes * len(alternatives)
        else:
            shape = Unordered(tuple(self._needs(pieces, node) for pieces in alternatives))
            most = axes * (self.game.k or 1)
        if node.kind == "size":
            if not any(piece.plus for pieces in alternatives for piece in pieces):
                raise _Wrong("T007", node.span, "size(…) adds up runs, and this has none", "here", "mark a run: o+")
            most *= max(self.game.grid.shape)
        return Counted(node.kind, shape, text, span=node.span), (0, most)

    def _times(self, piece: Piece) -> int:
        times = 1 if piece.repeat is None else self._constant(piece.repeat)
        if not 0 <= times <= LONGEST_ARM:
            assert piece.repeat
            text = format_expression(piece.repeat)
            raise _Wrong("T007", piece.span, f"{text} is {times} here, which is no number of times", "here")
        return times

    def _needs(self, pieces: tuple[Piece, ...], node: Count) -> tuple[tuple[str, int], ...]:
        """How many of each mark a line must hold, `?` left out."""
        if any(piece.plus for piece in pieces):
            raise _Wrong("T007", node.span, "a run needs a `*` to say where the agent stands", help="write n(*o+x)")
        if not self.game.k:
            message = f"{self.game.name} has no line length to count lines of"
            raise _Wrong("T007", node.span, message, help="say where the agent stands with `*`, as in n(*o+x)")
        needs: Counter[str] = Counter()
        for piece in pieces:
            needs[piece.mark] += self._times(piece)
        length, wanted = needs.total(), self.game.k - 1
        if length != wanted:
            message = f"a line of {self.game} has {wanted} other cells; this pattern names {length}"
            help = "name every other cell of the line, `?` for any mark, or say where you stand with `*`"
            raise _Wrong("T007", node.pattern.span, message, "here", help)
        if self._straight() < wanted:
            message = f"lines of {self.game.k} cells reach further than the table's sight"
            raise _Wrong("T008", node.span, message, f"an agent sees {self.reach}", f"declare `sight {self.game.k}`")
        return tuple(sorted((mark, times) for mark, times in needs.items() if mark != "?" and times))

    def _arms(self, pieces: tuple[Piece, ...], node: Count) -> Arms:
        stars = [i for i, piece in enumerate(pieces) if piece.mark == "*"]
        if len(stars) > 1:
            raise _Wrong("T007", pieces[stars[1]].span, "`*` is the agent's own cell; it has only one", help="use one")
        ahead = self._steps(pieces[stars[0] + 1 :], node)
        behind = self._steps(tuple(reversed(pieces[: stars[0]])), node)
        if not ahead and not behind:
            raise _Wrong("T007", node.span, "`*` alone matches nothing", help="name the cells beside it: n(S*S)")
        return Arms(ahead, behind)

    def _steps(self, pieces: tuple[Piece, ...], node: Count) -> tuple[Step, ...]:
        steps = [Step(piece.mark, piece.plus) for piece in pieces for _ in range(self._times(piece))]
        if len(steps) > self._straight() and self.reach.kind != "all":
            message = f"`{format_pattern(node.pattern)}` looks {len(steps)} cells away"
            label = f"an agent sees {self.reach}"
            raise _Wrong("T008", node.span, message, label, f"declare `sight {len(steps) + 1}`")
        return tuple(steps)
