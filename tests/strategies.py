"""Random tables: `trees()` are anything the parser can read, `tables(game)` mean something in a game.

Written as plain random choices, which hypothesis makes and shrinks. Without hypothesis: `table(game, Random(7))`.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, product
from random import Random
from string import ascii_letters, digits

from hypothesis import strategies as st

from teamplay.game import Game, Position
from teamplay.language.tree import (
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
    Pattern,
    Piece,
    Place,
    Rule,
    Section,
    Sight,
    Table,
)
from tests import naive_table
from tests.naive import At, places, runs, step, ways

HEADINGS = ("everyone", "others", "center", "corner", "edge", "face", "inner")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
LABELS = ("win", "block", "winner", "counter", "corner-trap", "pre-empt", "B_2", "a", "x1", "n", "return-home")
NAMES = ("k", "row", "center", "x", "n", "size", "all", "T1", "ifs", "_", "radius", "col", "S", "Z9", "a_b")
MARKS = "xobSO?*" + ascii_letters + digits + "_"
LET_NAMES = ("ee", "fork", "e_1", "Fine")
NUMBER_NAMES = ("weight", "danger", "w_2", "Sum")
SPECS = ("tic-tac-toe", "mnk(m=5,n=5,k=4)", "sos(n=4)", "../mine/game.toml", "no-such-game")

Row = tuple[Piece, ...]


def trees() -> st.SearchStrategy[Table]:
    """Any table that the parser can read, whether or not it means anything."""
    return st.randoms(use_true_random=False).map(lambda chance: Scribbler(chance).table())


def tables(game: Game, chances: bool = True) -> st.SearchStrategy[Table]:
    """Tables that bind to this game, rich in all that the language has; meant for boards of up to some 64 cells."""
    return st.randoms(use_true_random=False).map(lambda chance: table(game, chance, chances))


@st.composite
def positions(draw: st.DrawFn, game: Game) -> Position:
    """A position that is not over, some random moves after the start."""
    chance = draw(st.randoms(use_true_random=False))
    position = game.start
    for _ in range(chance.randrange(game.grid.size)):
        after = game.after(position, chance.choice(game.moves(position)))
        if game.outcome(after):
            break
        position = after
    return position


def pattern(rows: list[Row]) -> Pattern:
    """A pattern with the name that the parser gives it: its text, if that is a bare word."""
    text = "".join(piece.mark for piece in rows[0])
    plain = len(rows) == 1 and all(piece.repeat is None and not piece.plus for piece in rows[0])
    return Pattern(tuple(rows), text if plain and re.fullmatch(r"[A-Za-z_]\w*", text) else "")


def headings(chance: Random, words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Some headings, each of one word or more, and no word twice."""
    left = chance.sample(words, chance.randint(1, len(words)))
    found = []
    while left:
        size = chance.randint(1, len(left))
        found.append(tuple(left[:size]))
        left = left[size:]
    return found


def with_a_rule(sections: list[Section]) -> tuple[Section, ...]:
    """A table without any rule is refused; give it one."""
    if any(section.rules for section in sections):
        return tuple(sections)
    return (Section(sections[0].roles, (Rule(Number(1)),)), *sections[1:])


@dataclass
class Scribbler:
    """Writes what can be read, sense or nonsense."""

    chance: Random

    def table(self) -> Table:
        chance = self.chance
        sights = [None, Sight("lines", chance.randint(2, 1000)), Sight("radius", chance.randint(1, 1000)), Sight("all")]
        names = chance.sample(NAMES, chance.randrange(3))
        sections = [Section(words, self.rules()) for words in headings(chance, HEADINGS)]
        return Table(
            tuple(chance.sample(SPECS, chance.randrange(3))),
            chance.choice(sights),
            tuple(Let(name, self.meaning()) for name in names),
            with_a_rule(sections),
        )

    def meaning(self) -> Pattern | Expression:
        """A pattern, or a number that can't be read as one."""
        if self.chance.randrange(2):
            return self.pattern()
        return Arithmetic("-", self.expression(1), Number(self.chance.randint(0, 9)))

    def rules(self) -> tuple[Rule, ...]:
        """Some rules whose labels differ."""
        labels = self.chance.sample(LABELS, 5)
        return tuple(self.rule(labels.pop()) for _ in range(self.chance.randrange(4)))

    def rule(self, label: str) -> Rule:
        chance = self.chance
        return Rule(
            self.number(2),
            self.condition(2) if chance.random() < 0.8 else None,
            self.letters(),
            self.percent(),
            chance.choice(["", label]),
        )

    def letters(self) -> tuple[Name, ...]:
        return tuple(Name(self.chance.choice(NAMES)) for _ in range(self.chance.randrange(3)))

    def percent(self) -> int | None:
        return self.chance.choice([None, None, 0, 1, 25, 50, 99, 100])

    def condition(self, depth: int) -> Expression:
        return self.expression(depth)

    def number(self, depth: int) -> Expression:
        return self.expression(depth)

    def expression(self, depth: int) -> Expression:
        """Anything inside anything."""
        chance = self.chance
        if not depth:
            leaf = chance.randrange(4)
            if leaf == 0:
                return Number(chance.choice([0, 1, 2, 10, 1_000_000]))
            if leaf == 1:
                return Name(chance.choice(NAMES))
            if leaf == 2:
                return MarkTally(chance.choice("xobS?*z7|"))
            at = Place("at", (Number(1), Name("k"))) if chance.randrange(3) == 0 else None
            return Count(chance.choice(["n", "size"]), self.pattern(), at)
        kind = chance.randrange(6)
        inner = [self.expression(chance.randrange(depth)) for _ in range(3)]
        if kind == 0:
            return Arithmetic(chance.choice("+-*"), *inner[:2])
        if kind == 1:
            return Comparison(chance.choice(COMPARISONS), *inner[:2])
        if kind == 2:
            return Logic(chance.choice(["and", "or"]), *inner[:2])
        if kind == 3:
            return Place(chance.choice(["cell", "at"]), tuple(inner[: chance.randint(1, 3)]))
        return Not(inner[0]) if kind == 4 else Negative(inner[0])

    def pattern(self) -> Pattern:
        rows = [tuple(self.piece() for _ in range(self.chance.randint(1, 5))) for _ in range(self.chance.randint(1, 3))]
        return pattern(rows)

    def piece(self) -> Piece:
        chance = self.chance
        mark, kind = chance.choice(MARKS), chance.randrange(4)
        if mark == "*" or kind < 2:
            return Piece(mark)
        return Piece(mark, plus=True) if kind == 2 else Piece(mark, self.repeat())

    def repeat(self) -> Expression:
        sides: list[Expression] = [Name("k"), Number(self.chance.choice([0, 1, 3, 9999]))]
        self.chance.shuffle(sides)
        return self.chance.choice([sides[0], Arithmetic(self.chance.choice("+-*"), *sides)])


def table(game: Game, chance: Random, chances: bool = True) -> Table:
    """A random table that binds to this game."""
    wide = max(game.grid.shape)
    wanted = [None, Sight("lines", chance.randint(2, wide + 1)), Sight("radius", chance.randint(1, wide)), Sight("all")]
    sight = chance.choice(wanted)
    writer = Writer(chance, game, sight, chances)
    lets = writer.names()
    words = tuple(word for word in HEADINGS if word != "face" or len(game.grid.shape) == 3)
    bare = Table((str(game),), sight, lets, tuple(Section(roles, ()) for roles in headings(chance, words)))
    sections = []
    for section in bare.sections:
        roles = frozenset(naive_table.roles(bare, section))
        sections.append(Section(section.roles, Writer(chance, game, sight, chances, lets, roles).rules()))
    return Table(bare.games, sight, lets, with_a_rule(sections))


@dataclass
class Writer(Scribbler):
    """Writes what has a meaning for some roles of a game."""

    game: Game
    sight: Sight | None
    chances: bool
    lets: tuple[Let, ...] = ()
    roles: frozenset[str] = frozenset(naive_table.ROLES)
    played: tuple[Name, ...] = ()  # by the rule at hand

    @property
    def reach(self) -> int:
        """How far an agent sees along a straight line."""
        wide = max(self.game.grid.shape) - 1
        if self.sight is None:
            return self.game.k - 1 if self.game.k else wide
        return {"lines": self.sight.reach - 1, "radius": self.sight.reach, "all": wide}[self.sight.kind]

    def rule(self, label: str) -> Rule:
        """A rule whose letters are chosen first: with one of them its counts may look beyond its move."""
        marks = self.game.marks if self.game.shared else ()
        self.played = tuple(Name(mark) for mark in self.chance.sample(marks, self.chance.randint(0, len(marks))))
        return super().rule(label)

    def letters(self) -> tuple[Name, ...]:
        return self.played

    def percent(self) -> int | None:
        return super().percent() if self.chances else None

    def condition(self, depth: int) -> Expression:
        kind = self.chance.randrange(6)
        if depth and kind == 0:
            return Not(self.condition(depth - 1))
        if depth and kind < 3:
            return Logic(self.chance.choice(["and", "or"]), self.condition(depth - 1), self.condition(depth - 1))
        spots = _spots(self.game, self.sight, self.roles)
        if spots and kind < 5 and self.chance.randrange(2):
            sides = [self.chance.choice(spots), Name(self.chance.choice(self.game.visible_marks))]
            self.chance.shuffle(sides)
            return Comparison(self.chance.choice(["=", "!="]), *sides)
        return Comparison(self.chance.choice(COMPARISONS), self.number(depth), self.number(0))

    def names(self) -> tuple[Let, ...]:
        """Some patterns and numbers with names, in any order; a number may be made of others."""
        lets = [Let(name, self.pattern()) for name in self.chance.sample(LET_NAMES, self.chance.randrange(3))]
        for name in self.chance.sample(NUMBER_NAMES, self.chance.randrange(4)):
            writer = replace(self, lets=tuple(lets))
            lets.append(Let(name, Arithmetic(self.chance.choice("+-"), Count("n", self.pattern()), writer.number(2))))
        self.chance.shuffle(lets)
        return tuple(lets)

    def number(self, depth: int) -> Expression:
        chance, kind = self.chance, self.chance.randrange(9)
        numbers = [let.name for let in self.lets if not isinstance(let.meaning, Pattern)]
        if numbers and kind == 8:
            return Name(chance.choice(numbers))
        if depth and kind < 2:
            return Arithmetic(chance.choice("+-"), self.number(depth - 1), self.number(depth - 1))
        if depth and kind == 2:
            return Arithmetic("*", Number(chance.randint(0, 9)), self.number(depth - 1))
        if depth and kind == 3:
            return Negative(self.number(depth - 1))
        if kind == 4:
            axes = ("layer", "row", "col")[-len(self.game.grid.shape) :]
            return Name(chance.choice([*axes, *(f"{axis}s" for axis in axes), *(["k"] if self.game.k else [])]))
        if kind == 5:
            return MarkTally(chance.choice(self.game.visible_marks))
        if kind == 6:
            return Number(chance.randint(0, 3))
        if kind == 7:
            return self.seen_from(Count("size", pattern([self.ordered(run=True) for _ in range(chance.randint(1, 2))])))
        patterns = [let.name for let in self.lets if isinstance(let.meaning, Pattern)]
        if patterns and chance.randrange(3) == 0:
            return Count("n", pattern([tuple(map(Piece, chance.choice(patterns)))]))
        return self.seen_from(Count("n", self.pattern()))

    def seen_from(self, count: Count) -> Count:
        """The same count, sometimes from another cell, where agents see all that it takes."""
        if self.chance.randrange(2) or (self.game.shared and len(self.played) != 1):
            return count
        rows = count.pattern.alternatives
        ordered = any(piece.mark == "*" for pieces in rows for piece in pieces)
        runs = any(piece.plus for pieces in rows for piece in pieces)
        far = max(self.game.grid.shape) if runs else 3  # `ordered` names no more cells each way
        steps = _steps_from(self.game, self.sight, self.roles, far if ordered else 0)
        return Count(count.kind, count.pattern, self.chance.choice(steps)) if steps else count

    def pattern(self) -> Pattern:
        rows = self.chance.randint(1, 3)
        if self.game.k and self.reach >= self.game.k - 1 and self.chance.random() < 0.6:
            return pattern([self.signs(self.game.k - 1) for _ in range(rows)])
        return pattern([self.ordered() for _ in range(rows)])

    def signs(self, length: int) -> Row:
        """So many signs; equal neighbours one by one, as x{2}, or as x{k-1}."""
        marks = [self.chance.choice([*self.game.visible_marks, "?"]) for _ in range(length)]
        found: list[Piece] = []
        for mark, group in groupby(marks):
            same, k, way = len(list(group)), self.game.k or 0, self.chance.randrange(4)
            if way < 2:
                found.extend(Piece(mark) for _ in range(same))
            elif way == 2 or k < same:
                found.append(Piece(mark, Number(same)))
            else:
                found.append(Piece(mark, Arithmetic("-", Name("k"), Number(k - same))))
        return tuple(found)

    def ordered(self, run: bool = False) -> Row:
        """Some signs on each side of `*`, no more than the agent sees; with a run where one is wanted."""
        arms = [self.signs(self.chance.randint(0, min(self.reach, 3))) for _ in range(2)]
        if not arms[0] and not arms[1]:
            arms[1] = self.signs(1)
        side = 0 if arms[0] else 1
        if run or self.chance.randrange(3) == 0:
            place = self.chance.randrange(len(arms[side]))
            signs = list(arms[side])
            signs[place] = Piece(signs[place].mark, plus=True)
            arms[side] = tuple(signs)
        return (*arms[0], Piece("*"), *arms[1])


@lru_cache(maxsize=1024)
def _steps_from(game: Game, sight: Sight | None, roles: frozenset[str], far: int) -> tuple[Place, ...]:
    """The steps to cells from which every agent of these roles may count, so many cells each way; 0: whole lines."""
    shape = game.grid.shape
    board = set(places(shape))
    agents = [at for at in places(shape) if naive_table.role_in(game, at) in roles]
    lines = [set(run) for run in runs(shape, game.k)] if game.k else []

    def around(at: At) -> set[At]:
        if not far:
            return {other for line in lines if at in line for other in line}
        rays = ([step(at, tuple(by * i for by in way)) for i in range(1, far + 1)] for way in ways(shape))
        return {other for ray in rays for other in ray} & board

    found: list[Place] = []
    for by in product(range(-2, 3), repeat=len(shape)):
        targets = {agent: step(agent, by) for agent in agents if step(agent, by) in board}
        seen = (around(at) - {at} <= naive_table.sight(game, sight, agent) | {agent} for agent, at in targets.items())
        small = any(by) and all(abs(b) < side for b, side in zip(by, shape, strict=True))
        if small and all(seen):
            signs = (Number(number) if number >= 0 else Negative(Number(-number)) for number in by)
            found.append(Place("at", tuple(signs)))
    return tuple(found)


@lru_cache(maxsize=1024)
def _spots(game: Game, sight: Sight | None, roles: frozenset[str]) -> tuple[Expression, ...]:
    """The cells that every agent of these roles may test, and the steps to neighbours that it may."""
    shape = game.grid.shape
    board = set(places(shape))
    agents = [at for at in places(shape) if naive_table.role_in(game, at) in roles]

    def seen(agent: At, at: At) -> bool:
        return at == agent or at in naive_table.sight(game, sight, agent)

    found: list[Expression] = []
    for at in places(shape):
        if all(seen(agent, at) for agent in agents):
            found.append(Place("cell", tuple(Number(here + 1) for here in at)))
            one_board = not game.grid.separate or shape[0] == 1
            if one_board and all(2 * here + 1 == side for here, side in zip(at, shape, strict=True)):
                found.append(Name("center"))
    for by in product(range(-2, 3), repeat=len(shape)):
        targets = {agent: step(agent, by) for agent in agents if step(agent, by) in board}
        if (targets or not agents) and all(seen(agent, at) for agent, at in targets.items()):
            signs = (Number(number) if number >= 0 else Negative(Number(-number)) for number in by)
            found.append(Place("at", tuple(signs)))
    return tuple(found)
