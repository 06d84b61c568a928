"""A second opinion on what a table says: slow and obvious, over the tree as written and a dict of coordinates.

Nothing here comes from the checker, the views or the agents. Patterns with `*` are regular expressions over what is
seen in one direction; patterns without are tried in every order.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations

from teamplay.game import Game
from teamplay.language.tree import (
    Arithmetic,
    Comparison,
    Count,
    Expression,
    Logic,
    MarkTally,
    Name,
    Negative,
    Not,
    Number,
    Pattern,
    Piece,
    Place,
    Rule,
    Section,
    Sight,
    Table,
)
from tests.naive import At, places, runs, step, ways

Coin = Callable[[Section, int, Rule], bool]  # a section, a place in it from 1, and the rule there
ROLES = {"center", "corner", "edge", "face", "inner"}


def role(shape: tuple[int, ...], at: At) -> str:
    """What a place is called; sides of length 1 are left out of the count."""
    wide = [(here, side) for here, side in zip(at, shape, strict=True) if side > 1]
    if all(here == side - 1 - here for here, side in wide):
        return "center"
    free = sum(0 < here < side - 1 for here, side in wide)
    if free == len(wide):
        return "inner"
    return {0: "corner", 1: "edge", 2: "face"}[free]


def role_in(game: Game, at: At) -> str:
    """What a place is called on its board; of several boards each is one by itself."""
    apart = game.grid.separate and game.grid.shape[0] > 1
    return role(game.grid.shape[apart:], at[apart:])


def sight(game: Game, declared: Sight | None, home: At) -> frozenset[At]:
    """The other places that an agent knows: those of its own board, unless it sees all."""
    everywhere = declared is not None and declared.kind == "all"
    same = everywhere or not game.grid.separate
    return frozenset(at for at in _straight(game, declared, home) if same or at[0] == home[0])


@lru_cache(maxsize=4096)
def _straight(game: Game, declared: Sight | None, home: At) -> frozenset[At]:
    """The same on boards that are one grid."""
    shape = game.grid.shape
    others = [at for at in places(shape) if at != home]
    if declared is None and game.k:
        return frozenset(at for run in runs(shape, game.k) if home in run for at in run if at != home)
    if declared is None:
        declared = Sight("lines", max(shape))
    if declared.kind == "all":
        return frozenset(others)
    gaps = {at: [abs(a - b) for a, b in zip(at, home, strict=True)] for at in others}
    if declared.kind == "radius":
        return frozenset(at for at in others if max(gaps[at]) <= declared.reach)
    straight = (at for at in others if len({gap for gap in gaps[at] if gap}) == 1)
    return frozenset(at for at in straight if max(gaps[at]) < declared.reach)


def roles(table: Table, section: Section) -> set[str]:
    """Whom a heading speaks to."""
    named = {word for other in table.sections for word in other.roles} & ROLES
    spoken: set[str] = set()
    for word in section.roles:
        spoken |= ROLES if word == "everyone" else ROLES - named if word == "others" else {word}
    return spoken


@dataclass
class Reader:
    """One agent with a table in its hand and the marks of the board before it."""

    table: Table
    game: Game
    marks: dict[At, str]  # as the team sees them: x, o, b, or letters
    home: At
    plays: str = "x"  # what the rule that is being read would place here

    @cached_property
    def seen(self) -> frozenset[At]:
        return sight(self.game, self.table.sight, self.home)

    def answer(self, coin: Coin = lambda section, place, rule: True) -> Rule | None:
        """The first rule that holds, all sections read from the top."""
        mine = role_in(self.game, self.home)
        for section in self.table.sections:
            if mine in roles(self.table, section):
                for place, rule in enumerate(section.rules, 1):
                    if self.game.shared:
                        self.plays = rule.letters[0].text if rule.letters else self.game.marks[0]
                    holds = rule.condition is None or self.holds(rule.condition)
                    if holds and (rule.chance is None or coin(section, place, rule)):
                        return rule
        return None

    def holds(self, node: Expression) -> bool:
        match node:
            case Logic("and", left, right):
                return self.holds(left) and self.holds(right)
            case Logic("or", left, right):
                return self.holds(left) or self.holds(right)
            case Not(inner):
                return not self.holds(inner)
        assert isinstance(node, Comparison), node
        for cell, mark in ((node.left, node.right), (node.right, node.left)):
            if isinstance(cell, Place) or cell == Name("center"):
                assert isinstance(mark, Name)
                return (self.mark(cell) == mark.text) == (node.sign == "=")
        sign = {"=": "==", "!=": "!="}.get(node.sign, node.sign)
        left, right = self.value(node.left), self.value(node.right)
        truths = {"==": left == right, "!=": left != right, "<": left < right, ">": left > right}
        return (truths | {"<=": left <= right, ">=": left >= right})[sign]

    def mark(self, cell: Expression) -> str | None:
        """What stands in a named cell; nothing off the board."""
        shape = self.game.grid.shape
        if isinstance(cell, Name):
            at = tuple(side // 2 for side in shape)
        else:
            assert isinstance(cell, Place)
            numbers = tuple(map(self.value, cell.numbers))
            at = step(self.home, numbers) if cell.kind == "at" else tuple(number - 1 for number in numbers)
        assert at not in self.marks or at == self.home or at in self.seen, f"{cell} is out of sight of {self.home}"
        return self.marks.get(at)

    def value(self, node: Expression) -> int:
        match node:
            case Number(number):
                return number
            case Negative(inner):
                return -self.value(inner)
            case Arithmetic(sign, left, right):
                a, b = self.value(left), self.value(right)
                return {"+": a + b, "-": a - b, "*": a * b}[sign]
            case MarkTally(mark):
                return [self.marks[at] for at in self.seen].count(mark)
            case Count(kind, pattern, None):
                found = self.matches(pattern)
                return sum(found) if kind == "size" else len(found)
            case Count(kind, pattern, Place(_, numbers)):
                there = step(self.home, tuple(map(self.value, numbers)))
                return self.moved_to(there).value(Count(kind, pattern)) if there in self.marks else 0
        assert isinstance(node, Name), node
        for let in self.table.lets:
            if let.name == node.text:
                assert not isinstance(let.meaning, Pattern)
                return self.value(let.meaning)
        return self.named[node.text]

    def moved_to(self, there: At) -> "Reader":
        """The same agent after its own move, as if it sat elsewhere: it knows what it knew, and its own mark."""
        other = Reader(self.table, self.game, {**self.marks, self.home: self.plays}, there, self.plays)
        other.seen = (self.seen | {self.home}) - {there}
        return other

    @cached_property
    def named(self) -> dict[str, int]:
        """The names of numbers."""
        names = ("layer", "row", "col")[-len(self.home) :]
        found = {name: here + 1 for name, here in zip(names, self.home, strict=True)}
        found |= {f"{name}s": side for name, side in zip(names, self.game.grid.shape, strict=True)}
        return found | ({"k": self.game.k} if self.game.k else {})

    def alternatives(self, pattern: Pattern) -> Iterator[list[Piece]]:
        """The rows of a pattern, names looked up, repeats written out."""
        for let in self.table.lets:
            if let.name == pattern.name:
                assert isinstance(let.meaning, Pattern)
                yield from self.alternatives(let.meaning)
                return
        for pieces in pattern.alternatives:
            repeats = [1 if piece.repeat is None else self.value(piece.repeat) for piece in pieces]
            if min(repeats) < 0:
                continue  # the row is meant for longer lines
            yield [piece for piece, times in zip(pieces, repeats, strict=True) for _ in range(times)]

    def matches(self, pattern: Pattern) -> list[int]:
        """For every match, how many cells its runs hold."""
        rows = list(self.alternatives(pattern))
        if not rows:
            return []
        if any(piece.mark == "*" for piece in rows[0]):
            return self._ordered(rows)
        return self._unordered(rows)

    def _unordered(self, rows: list[list[Piece]]) -> list[int]:
        assert self.game.k
        lines = {frozenset(run) for run in runs(self.game.grid.shape, self.game.k) if self.home in run}
        if self.game.grid.separate:
            lines = {line for line in lines if len({at[0] for at in line}) == 1}
        assert all(line <= self.seen | {self.home} for line in lines)
        texts = ["".join(self.marks[at] for at in line - {self.home}) for line in lines]
        wanted = {re.compile("".join(map(_sign, order))) for row in rows for order in permutations(row)}
        return [0 for text in texts if any(order.fullmatch(text) for order in wanted)]

    def _ordered(self, rows: list[list[Piece]]) -> list[int]:
        """By direction and stretch; two alternatives, or a row and its mirror image, count the same stretch once."""
        found: dict[tuple[At, int, int], int] = {}
        seen_rows: list[list[tuple[str, bool]]] = []
        for row in rows:
            signs = [(piece.mark, piece.plus) for piece in row]
            if signs in seen_rows or signs[::-1] in seen_rows:
                continue
            seen_rows.append(signs)
            home = signs.index(("*", False))
            for way in ways(self.game.grid.shape):
                if self.game.grid.separate and way[0]:
                    continue  # no line runs from board to board
                back = tuple(-by for by in way)
                if signs == signs[::-1] and way < back:
                    continue  # a palindrome is read once
                ahead = self._met(row[home + 1 :], way)
                behind = self._met(row[:home][::-1], back)
                if ahead and behind:
                    found[way, ahead[0], behind[0]] = ahead[1] + behind[1]
        return list(found.values())

    def _met(self, row: list[Piece], way: At) -> tuple[int, int] | None:
        """How far a row reaches in one direction, and how many cells its runs hold; None where it does not fit."""
        text, at = "", step(self.home, way)
        while at in self.seen:
            text, at = text + self.marks[at], step(at, way)
        match = re.match("".join(f"({_sign(piece)}++)" if piece.plus else _sign(piece) for piece in row), text)
        return (match.end(), sum(map(len, match.groups()))) if match else None


def _sign(piece: Piece) -> str:
    return "." if piece.mark == "?" else re.escape(piece.mark)


def readers(table: Table, game: Game, drawing: str) -> Iterator[Reader]:
    """The agents on all cells of a board given as one mark a cell."""
    marks = dict(zip(places(game.grid.shape), drawing, strict=True))
    return (Reader(table, game, marks, at) for at in places(game.grid.shape))
