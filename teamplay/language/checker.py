"""Syntax tree + game -> rule book: every word gets its meaning on this board, or a diagnostic."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import PurePath

from teamplay.errors import TeamplayError
from teamplay.game import Game
from teamplay.game_file import parse_spec
from teamplay.grid import ROLES
from teamplay.language.binding import Binding, reach
from teamplay.language.diagnostics import Diagnostic, Fault, TableError
from teamplay.language.formatter import format_rule
from teamplay.language.parser import KEPT, Source, load_source, read_table
from teamplay.language.rulebook import BoundRule, Rulebook
from teamplay.language.shapes import unknown_mark
from teamplay.language.tree import Rule, Section, Table

DEFAULT_GAME = "tic-tac-toe"  # the paper's: a figure pasted as printed names no game


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
        book, diagnostics = _bound(source, table, _game(table, source, game))
    except Fault as fault:
        raise TableError(source.path, source.text, [fault.diagnostic]) from None
    if diagnostics:
        raise TableError(source.path, source.text, diagnostics)
    return book


@lru_cache(maxsize=KEPT)
def _bound(source: Source, table: Table, game: Game) -> tuple[Rulebook, list[Diagnostic]]:
    """A table is bound to a game once, however many players and tools ask for it."""
    return bind_partly(table, game, source.path.removesuffix(".team"))


def bind_partly(table: Table, game: Game, name: str = "") -> tuple[Rulebook, list[Diagnostic]]:
    """The rules that have a meaning in a game, and the reasons why others have none."""
    meeting = _Meeting(table, game)
    return meeting.rulebook(name), meeting.diagnostics


def _game(table: Table, source: Source, wanted: Game | None) -> Game:
    """The game to bind to: the wanted one where the table allows it, else the table's first."""
    try:
        if wanted is None:
            return source.load_game(table.games[0] if table.games else DEFAULT_GAME)
        if not table.games or any(_allows(spec, source, wanted) for spec in table.games):
            return wanted
    except TeamplayError as error:
        message, _, help = str(error).rstrip(".").partition(". ")
        raise Fault("T009", table.span, message, help=help) from None
    message = f"this table is for {_named(table.games)}, not for {wanted}"
    help = f"choose another table, or add `, {wanted.name}` to the line if its rules make sense there"
    raise Fault("T009", table.span, message, help=help)


def _named(games: Sequence[str]) -> str:
    """Names in a sentence."""
    return " and ".join(filter(None, [", ".join(games[:-1]), games[-1]]))


def _allows(spec: str, source: Source, wanted: Game) -> bool:
    """A bare name allows every board of the game, parameters only their own."""
    name, options = parse_spec(spec)
    if name.endswith(".toml"):
        name = PurePath(name).stem
    return name == wanted.name and (not options or _same(source.load_game(spec), wanted))


def _same(one: Game, other: Game) -> bool:
    return replace(one, parameters=()) == replace(other, parameters=())


@dataclass
class _Meeting:
    """One table meeting one game."""

    table: Table
    game: Game
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.binding = Binding(self.game, reach(self.game, self.table.sight))

    def rulebook(self, name: str) -> Rulebook:
        self.diagnostics.extend(self.binding.define(self.table.lets))
        named = {role for section in self.table.sections for role in section.roles if role in ROLES}
        sections = []
        for section in self.table.sections:
            self.binding.roles = self._roles(section, named)
            sections.append((self.binding.roles, tuple(self._rules(section))))
        return Rulebook(name, self.game, self.binding.reach, tuple(self.binding.features), tuple(sections))

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
        self.binding.plays = self._letters(rule)
        return BoundRule(
            condition=self.binding.condition(rule.condition) if rule.condition else None,
            priority=self.binding.number(rule.priority)[0],
            letters=self.binding.plays,
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
