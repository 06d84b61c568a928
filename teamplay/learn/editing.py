"""Edited tables in clauses: which edits are made, and what every class then answers."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.language.tree import Expression, Logic, Not, Table
from teamplay.learn.classes import ClassBook
from teamplay.learn.edits import Leaf, Part, roles_of, test_of
from teamplay.learn.formula import Budget, Formula
from teamplay.learn.ranks import AnswerVars, Ranks
from teamplay.learn.search import Cegis
from teamplay.learn.template import NEVER, SILENT, Candidate, Fixed, RuleTest, Template, holds_in

MOST_EDITS = 8
WIDEST = 60  # numbers that the answers of a table may span

# Among as many edits those are preferred that a reader follows most easily; changed numbers and dropped tests are free.
DELETED, ADDED, MOVED, INSERTED = 1, 2, 2, 3


@dataclass(frozen=True)
class EditedTable:
    """A table that is to be edited, with the classes of a game."""

    game: Game
    table: Table
    parts: list[Part]
    words: list[str]
    book: ClassBook
    template: Template
    budget: Budget


@dataclass
class _RuleVars:
    """What may become of a rule."""

    gone: int
    moved: int
    dropped: list[int]
    changed: list[dict[int, int]]  # for each leaf, by the new number
    added: list[int]
    upto: dict[int, int]  # is its constant at most this?
    renumbered: int


@dataclass
class Gap:
    """A place in a section where a rule may come: a new one, or one of the section's."""

    section: int
    place: int  # before the rule with this place
    used: int
    tests: list[int]
    upto: dict[int, int]
    plays: list[int]
    moves: dict[int, int]  # by the number of a part of the same section


class Edits(Ranks):
    """Edited tables in clauses."""

    def __init__(self, work: EditedTable) -> None:
        self.work, self.table, self.parts, self.template = work, work.table, work.parts, work.template
        self.values = {word: work.template.values[i] for i, word in enumerate(work.words)}
        least, greatest = self._range()
        super().__init__(Formula(work.budget), work.template.letters, least - 1, greatest + 1)
        self.costs: list[int] = []
        self.weights: list[int] = []  # literals, as often as they cost
        self.rules = [self._rule(part) for part in self.parts]
        self.gaps = [
            self._gap(number, place)
            for number, section in enumerate(self.table.sections)
            for place in range(len(section.rules) + 1)
        ]
        self._link_moves()
        self._answers: dict[int, AnswerVars] = {}
        self._counted: Any = None
        self._weighed: Any = None
        self._bounds = [0, 0]

    def _range(self) -> tuple[int, int]:
        """The least and the greatest answer of the table as it stands."""
        lows, highs = [], []
        for part in self.parts:
            rest = self.values[part.rest] if part.rest else np.zeros(1, dtype=np.int64)
            lows.append((part.base or 0) + int(rest.min()))
            highs.append((part.base or 0) + int(rest.max()))
        least, greatest = min(lows), max(highs)
        if greatest - least > WIDEST:
            raise BadSpec(f"The answers of this table span {greatest - least:,} numbers; a repair takes {WIDEST}.")
        return least, greatest

    def _cost(self, weight: int = 0) -> int:
        """A new literal for an edit; among as many edits those of less weight are preferred."""
        literal = self.formula.var()
        self.costs.append(literal)
        self.weights += [literal] * weight
        return literal

    def _constants(self) -> dict[int, int]:
        """Variables for a constant between the bounds: is it at most this?"""
        formula = self.formula
        upto = {level: formula.var() for level in range(self.low, self.top)}
        for level in range(self.low, self.top - 1):
            formula.add(-upto[level], upto[level + 1])
        return upto

    def _rule(self, part: Part) -> _RuleVars:
        formula = self.formula
        gone, moved = self._cost(DELETED), formula.var()
        dropped, changed = [], []
        for leaf in part.leaves:
            dropped.append(self._cost())
            others = self._numbers(leaf)
            choice = {number: self._cost() for number in others}
            formula.at_most_one([dropped[-1], *choice.values()])
            changed.append(choice)
        added = [self._cost(ADDED) for _ in self.template.tests]
        upto, renumbered = self._constants(), self._cost()
        if part.base is None:
            formula.add(-renumbered)
        else:
            for level, literal in upto.items():
                formula.add(literal if level >= part.base else -literal, renumbered)
        return _RuleVars(gone, moved, dropped, changed, added, upto, renumbered)

    def _numbers(self, leaf: Leaf) -> list[int]:
        """What else a word could be compared with."""
        if not leaf.editable:
            return []
        values = sorted(set(self.values[leaf.word].tolist()))
        return [value for value in values if value != leaf.number and value >= 0]

    def _gap(self, section: int, place: int) -> Gap:
        formula = self.formula
        used = self._cost(INSERTED)
        plays = formula.vars(self.letters) if self.letters > 1 else []
        if plays:
            formula.add(*plays)
        moves = {
            i: self._cost(MOVED)
            for i, part in enumerate(self.parts)
            if part.section == section and place not in (part.place, part.place + 1)
        }
        formula.at_most_one([used, *moves.values()])
        tests = formula.vars(len(self.template.tests))
        for test, literal in zip(self.template.tests, tests, strict=True):
            formula.add(-literal, used)
            self.weights += [literal] * test.cost
        return Gap(section, place, used, tests, self._constants(), plays, moves)

    def _link_moves(self) -> None:
        """A rule that moves is in one other place, and no longer in its own; it is not edited besides."""
        formula = self.formula
        for i, rule in enumerate(self.rules):
            places = [gap.moves[i] for gap in self.gaps if i in gap.moves]
            formula.at_most_one(places)
            formula.add(-rule.moved, *places)
            for place in places:
                formula.add(-place, rule.moved)
                formula.add(-place, -rule.gone)

    # What a class answers

    def of_class(self, number: int) -> AnswerVars:
        if number not in self._answers:
            self._answers[number] = self._answer(number)
        return self._answers[number]

    def _answer(self, number: int) -> AnswerVars:
        formula = self.formula
        answer = self.new_answer()
        role = self.template.roles[int(self.template.role[number])]
        open_: list[int] = []  # nothing so far holds
        for entry in self._entries(role):
            if isinstance(entry, Gap):
                open_ = self._gap_answers(entry, number, answer, open_)
            else:
                part, rule = self.parts[entry], self.rules[entry]
                holds = self._holds(part, rule, number)
                out = formula.var()  # it stands here and holds
                formula.add(-out, holds)
                formula.add(-out, -rule.gone)
                formula.add(-out, -rule.moved)
                formula.add(out, -holds, rule.gone, rule.moved)
                open_ = self._fires(out, number, answer, open_, part, rule)
        formula.add(*open_, -answer.at_most[self.top]) if open_ else formula.add(-answer.at_most[self.top])
        return answer

    def _entries(self, role: str) -> list["int | Gap"]:
        """The rules and gaps of the sections that speak to a role, in the order of the file."""
        found: list[int | Gap] = []
        for number, section in enumerate(self.table.sections):
            if role in roles_of(section, self.table, self.template.roles):
                gaps = {gap.place: gap for gap in self.gaps if gap.section == number}
                numbers = [i for i, part in enumerate(self.parts) if part.section == number]
                for i in numbers:
                    found += [gaps[self.parts[i].place], i]
                found.append(gaps[len(section.rules)])
        return found

    def _next(self, fires: int, open_: list[int]) -> list[int]:
        """After an entry: the literals of which one is true unless all entries so far were passed."""
        rest = self.formula.var()  # all were passed
        self.formula.add(-rest, -fires)
        for literal in open_:
            self.formula.add(-rest, -literal)
        self.formula.add(rest, fires, *open_)
        return [-rest]

    def _fires(
        self, out: int, number: int, answer: AnswerVars, open_: list[int], part: Part, rule: _RuleVars
    ) -> list[int]:
        unless = [*open_, -out]
        rest = int(self.values[part.rest][number]) if part.rest else 0
        for level, at_most in answer.at_most.items():
            constant = level - rest
            if part.base is None:
                self.formula.add(*unless, at_most if rest <= level else -at_most)
            elif constant < self.low:
                self.formula.add(*unless, -at_most)
            elif constant >= self.top:
                self.formula.add(*unless, at_most)
            else:
                self.formula.add(*unless, -at_most, rule.upto[constant])
                self.formula.add(*unless, at_most, -rule.upto[constant])
        self._letters(answer, unless, [letter.text for letter in part.rule.letters])
        return self._next(out, open_)

    def _letters(self, answer: AnswerVars, unless: list[int], letters: list[str]) -> None:
        for literal, mark in zip(answer.plays, self.work.game.marks, strict=False):
            self.formula.add(*unless, literal if not letters or mark in letters else -literal)

    def _gap_answers(self, gap: Gap, number: int, answer: AnswerVars, open_: list[int]) -> list[int]:
        formula = self.formula
        new = formula.var()
        wrong = [gap.tests[t] for t in range(len(self.template.tests)) if not self.template.truth[t, number]]
        formula.add(-new, gap.used)
        for literal in wrong:
            formula.add(-new, -literal)
        formula.add(new, -gap.used, *wrong)
        unless = [*open_, -new]
        for level, at_most in answer.at_most.items():
            if level >= self.top:
                formula.add(*unless, at_most)
            else:
                formula.add(*unless, -at_most, gap.upto[level])
                formula.add(*unless, at_most, -gap.upto[level])
        for literal, played in zip(answer.plays, gap.plays, strict=False):
            formula.add(*unless, -literal, played)
            formula.add(*unless, literal, -played)
        open_ = self._next(new, open_)
        for i, moves in gap.moves.items():
            part = self.parts[i]
            if self._true(part.rule.condition, part, number):
                open_ = self._fires(moves, number, answer, open_, part, self.rules[i])
        return open_

    def _true(self, node: Expression | None, part: Part, number: int) -> bool:
        """Whether the condition as it stands holds in a class."""
        flags = iter(
            [bool(holds_in(test_of(leaf, self.work.words), self.template.values)[number]) for leaf in part.leaves]
        )

        def walk(node: Expression | None) -> bool:
            match node:
                case None:
                    return True
                case Logic(word, left, right):
                    one, other = walk(left), walk(right)
                    return (one and other) if word == "and" else (one or other)
                case Not(inner):
                    return not walk(inner)
            return next(flags)

        return walk(node)

    def _holds(self, part: Part, rule: _RuleVars, number: int) -> int:
        """The literal that the condition of a rule, as it is edited, holds in a class."""
        formula = self.formula
        literals = iter(range(len(part.leaves)))

        def walk(node: Expression, neutral: bool) -> int:
            match node:
                case Logic(word, left, right):
                    one, other = walk(left, word == "and"), walk(right, word == "and")
                    both = formula.var()
                    sign = 1 if word == "and" else -1
                    formula.add(-sign * both, sign * one)
                    formula.add(-sign * both, sign * other)
                    formula.add(sign * both, -sign * one, -sign * other)
                    return both
                case Not(inner):
                    return -walk(inner, not neutral)
            return self._leaf_literal(part, rule, next(literals), number, neutral)

        found = formula.var()
        inner = walk(part.rule.condition, True) if part.rule.condition else 0
        wrong = [rule.added[t] for t in range(len(self.template.tests)) if not self.template.truth[t, number]]
        if inner:
            formula.add(-found, inner)
        for literal in wrong:
            formula.add(-found, -literal)
        formula.add(found, *([-inner] if inner else []), *wrong)
        return found

    def _leaf_literal(self, part: Part, rule: _RuleVars, place: int, number: int, neutral: bool) -> int:
        formula, leaf = self.formula, part.leaves[place]
        literal = formula.var()
        words, values = self.work.words, self.template.values

        def fact(test: RuleTest) -> int:
            return literal if holds_in(test, values)[number] else -literal

        states = [rule.dropped[place], *rule.changed[place].values()]
        formula.add(*states, fact(test_of(leaf, words)))
        formula.add(-rule.dropped[place], literal if neutral else -literal)
        for new, state in rule.changed[place].items():
            formula.add(-state, fact(test_of(leaf, words, new)))
        return literal

    # The bound, and what was found

    def allow(self, edits: int) -> None:
        """Allow at most N edits."""
        if self._counted is None:
            self._counted = self._totalizer(self.costs, MOST_EDITS + 1)
        self._bounds[0] = -self._counted.rhs[edits]

    def weight(self) -> int:
        """What the edits of the model cost a reader."""
        return sum(self.formula.holds(literal) for literal in self.weights)

    def lighter_than(self, weight: int) -> None:
        """Ask for edits that cost a reader less."""
        if self._weighed is None:
            copies = []
            for literal in self.weights:  # a totalizer counts each variable once, so weights are copies
                copies.append(self.formula.var())
                self.formula.add(-literal, copies[-1])
            self._weighed = self._totalizer(copies, weight)
        self._bounds[1] = -self._weighed.rhs[weight - 1]

    def _totalizer(self, literals: list[int], most: int) -> Any:
        from pysat.card import ITotalizer

        made = ITotalizer(lits=literals, ubound=most, top_id=self.formula.variables)
        self.formula.variables = max(self.formula.variables, made.top_id)
        for clause in made.cnf.clauses:
            self.formula.add(*clause)
        return made

    def assumptions(self) -> list[int]:
        return [bound for bound in self._bounds if bound]

    def candidate(self, search: Cegis) -> Candidate | None:
        """The levels that the model gives; a class that no clause speaks of is asked for."""
        known = len(self._answers)
        levels = np.full((len(self.work.book.numbers), self.letters), SILENT, dtype=np.int32)
        for number in range(len(self.work.book.numbers)):
            answer = self.of_class(number)
            low = [level for level, literal in answer.at_most.items() if self.formula.holds(literal)]
            if low:
                levels[number] = min(low)
                for letter, literal in enumerate(answer.plays):
                    if not self.formula.holds(literal):
                        levels[number, letter] = NEVER
        if len(self._answers) > known:
            return None  # the model says nothing of the new ones yet
        return Fixed(levels.reshape(-1), self.work.book, self.letters)
