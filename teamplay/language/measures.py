"""Expressions of the language without a table around them: bound to a game, to be measured in many views at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from teamplay.game import Game
from teamplay.language.binding import Binding
from teamplay.language.checker import bind
from teamplay.language.diagnostics import Fault, Span, TableError
from teamplay.language.expressions import BoundExpression, Readings, value
from teamplay.language.line import parse_line
from teamplay.language.parser import Source, parse_table
from teamplay.language.rulebook import Rulebook
from teamplay.language.tree import Expression, Rule

PREFIX, SUFFIX = "if ", " then return 1"


@dataclass(frozen=True)
class Measures:
    """Some expressions, and a rule book that knows their features and what an agent sees; its rule does not matter."""

    texts: tuple[str, ...]
    expressions: tuple[BoundExpression, ...]
    book: Rulebook

    def values(self, readings: Readings) -> list[Any]:
        """What each expression comes to: numbers where the features are numbers (a view), columns where they are."""
        return [value(expression, readings) for expression in self.expressions]


def bind_measures(texts: Sequence[str], game: Game, role: str = "everyone", head: str = "") -> Measures:
    """Numbers (`n(xx) - 1`), conditions (`center != x`) and cells (`center`: the number of its mark) in a game.

    A role bounds which cells can be named: all its agents must see them. `head` is what may stand above the rules of
    a table: `sight` and `let`.

    >>> from teamplay.game_file import load_game
    >>> bind_measures(["n(xx)", "center = o", "center"], load_game("tic-tac-toe")).book.features
    (UnorderedCount(alternatives=((('x', 2),),)), CellMark(cell=4))
    """
    source = Source("head", f"{head}\n{role}: return 1")
    book = bind(parse_table(source), source, game)
    binding = Binding(game, book.reach, book.sections[0][0])
    wrong = list(binding.define(parse_table(source).lets))
    assert not wrong  # else the head could not have been bound
    found = []
    for text in texts:
        line = f"{PREFIX}{text}{SUFFIX}"
        try:
            found.append(binding.measure(_expression(line)))
        except Fault as fault:
            raise TableError(text, line, [fault.diagnostic]) from None
    return Measures(tuple(texts), tuple(found), replace(book, features=tuple(binding.features)))


def _expression(line: str) -> Expression:
    """The expression in a line that reads as a rule because of it."""
    match parse_line(line, 1):
        case [Rule(condition=condition)] if condition is not None:
            return condition
    raise Fault("T001", Span(1, len(PREFIX) + 1, len(line)), "one expression belongs here", "here", "write n(xx)")
