"""What is the shortest table? SAT over the tables of a template with N rules, all ties followed.

For each class of agents that matters the clauses say which rule holds first and what level that gives; for each
position, that every class at the least level there is a good choice. Rules come in three phases, because a heading
stands once in a file: sections for roles, the section for everyone, and sections for other roles.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from teamplay.learn.far import Far
from teamplay.learn.formula import Budget, Formula, OutOfTime
from teamplay.learn.graph import Graph
from teamplay.learn.ranks import AnswerVars, Ranks
from teamplay.learn.search import Cegis
from teamplay.learn.template import EVERYONE, OTHERS, Candidate, LearnedRule, RuleTest, Template, Written

MOST_SLOPE = 8  # the greatest number that `c - n(…)` takes off


class Tables(Ranks):
    """Tables of `rules` rules in clauses; `levels` bounds the distinct answers, silence among them."""

    def __init__(self, template: Template, rules: int, budget: Budget, levels: int | None = None) -> None:
        self.template, self.rules = template, rules
        steepest = max((int(template.values[slope.word].max()) for slope in template.slopes), default=0)
        self.steepest = min(MOST_SLOPE, steepest)
        # Constants need no more numbers than rules; with a slope the answers of other rules may come between its own.
        top = min(rules, levels - 1 if levels else rules) + self.steepest
        super().__init__(Formula(budget, proved=True), template.letters, 1 - self.steepest, top)
        self.headings = [EVERYONE, *([OTHERS] if len(template.roles) > 2 else []), *template.roles]
        if len(template.roles) == 1:
            self.headings = [EVERYONE]
        self._bound: Any = None
        self._goal = 0
        self._classes: dict[int, AnswerVars] = {}
        self.found: tuple[LearnedRule, ...] = ()
        self._rule_variables()

    # The rules

    def _rule_variables(self) -> None:
        formula, rules = self.formula, range(self.rules)
        self.selected = [formula.vars(len(self.template.tests)) for _ in rules]
        self.heading = [formula.vars(len(self.headings)) for _ in rules]
        self.upto = [formula.vars(self.top - 1) for _ in rules]  # is the constant at most 1, 2, …?
        self.slope = [formula.vars(len(self.template.slopes)) for _ in rules]
        self.plays = [formula.vars(self.template.letters) for _ in rules]
        for i in rules:
            formula.exactly_one(self.heading[i])
            formula.at_most_one(self.slope[i])
            if self.template.letters > 1:
                formula.add(*self.plays[i])
            for less, more in zip(self.upto[i], self.upto[i][1:], strict=False):
                formula.add(-less, more)
        self._named = {role: formula.var() for role in self.headings[1:] if role != OTHERS}
        for role, named in self._named.items():
            spoken = [self.heading[i][self.headings.index(role)] for i in rules]
            formula.add(-named, *spoken)
            for literal in spoken:
                formula.add(-literal, named)
        self.speaks = [[self._speaks(i, role) for role in self.template.roles] for i in rules]
        self._phases()
        self._no_idle_tests()
        if not self.template.slopes:
            self._no_gaps()

    def _no_idle_tests(self) -> None:
        """No two tests in a rule of which one says nothing beside the other, or which never hold together.

        A rule that never holds could be left out, and tables of fewer rules have been tried.
        """
        for i, one in enumerate(self.template.tests):
            for j, other in enumerate(self.template.tests[:i]):
                if one.word == other.word and ("=" in (one.sign, other.sign) or one.sign == other.sign != "!="):
                    for selected in self.selected:
                        self.formula.add(-selected[i], -selected[j])

    def _no_gaps(self) -> None:
        """Constants are 1, 2, 3 without gaps: other numbers in the same order choose the same."""
        formula = self.formula
        for level in range(2, self.top + 1):
            below = [formula.var() for _ in range(self.rules)]  # this rule returns one number less
            for i in range(self.rules):
                formula.add(-below[i], self.upto[i][level - 2])
                if level > 2:
                    formula.add(-below[i], -self.upto[i][level - 3])
                at_level = [self.upto[i][level - 2], *([-self.upto[i][level - 1]] if level < self.top else [])]
                formula.add(*at_level, *below)

    def _speaks(self, i: int, role: str) -> int:
        """The literal that a rule speaks to a role."""
        formula, heading = self.formula, self.heading[i]
        speaks = formula.var()
        ways = [heading[0]]
        if role in self._named:
            ways.append(heading[self.headings.index(role)])
        if OTHERS in self.headings:
            other = formula.var()  # others, and the role has no heading of its own
            formula.add(-other, heading[1])
            formula.add(-other, -self._named[role])
            formula.add(other, -heading[1], self._named[role])
            ways.append(other)
        formula.add(-speaks, *ways)
        for way in ways:
            formula.add(speaks, -way)
        return speaks

    def _phases(self) -> None:
        """Sections for roles, then everyone's, then sections for other roles; within a phase in the order of roles."""
        formula, rules = self.formula, self.rules
        early, late = formula.vars(rules), formula.vars(rules)
        self.early = early
        side = {place: formula.var() for place in range(1, len(self.headings))}
        for i in range(rules):
            formula.add(-early[i], -late[i])
            formula.add(self.heading[i][0], early[i], late[i])
            formula.add(-self.heading[i][0], -early[i])
            formula.add(-self.heading[i][0], -late[i])
            for place, after in side.items():
                formula.add(-self.heading[i][place], -early[i], -after)
                formula.add(-self.heading[i][place], -late[i], after)
            if i:
                formula.add(-early[i], early[i - 1])
                formula.add(-late[i - 1], late[i])
                for one in side:
                    for other in side:
                        if other < one:
                            here, before = self.heading[i][other], self.heading[i - 1][one]
                            formula.add(-here, -before, early[i - 1], -early[i])
                            formula.add(-here, -before, -early[i - 1], -early[i])
                            formula.add(-here, -before, -late[i - 1])
        formula.add(-early[rules - 1])

    def begin_with(self, tests: Sequence[RuleTest]) -> None:
        """Ask that the first rules are everyone's, with one of these tests each and priorities from 1."""
        for i, wanted in enumerate(tests):
            self.formula.add(self.heading[i][0])
            for test, chosen in zip(self.template.tests, self.selected[i], strict=True):
                self.formula.add(chosen if test == wanted else -chosen)
            for level, literal in enumerate(self.upto[i], 1):
                self.formula.add(literal if level > i else -literal)

    # What a class answers

    def of_class(self, number: int) -> AnswerVars:
        """The variables of a class, made when a position first needs them."""
        if number not in self._classes:
            if number >= self.template.values.shape[1]:
                self.template.grow()
            self._classes[number] = _answer(self, number)
        return self._classes[number]

    def assumptions(self) -> list[int]:
        return [self._goal] if self._goal else []

    # Tables

    def candidate(self, search: Cegis) -> Candidate | None:
        self.found = self._table()
        return Written(self.found, self.template)

    def _table(self) -> tuple[LearnedRule, ...]:
        """The table of the model."""
        holds, template = self.formula.holds, self.template
        rules = []
        for i in range(self.rules):
            tests = [test for test, chosen in zip(template.tests, self.selected[i], strict=True) if holds(chosen)]
            slopes = [slope for slope, chosen in zip(template.slopes, self.slope[i], strict=True) if holds(chosen)]
            letters = [letter for letter, chosen in enumerate(self.plays[i]) if holds(chosen)]
            heading = next(name for name, chosen in zip(self.headings, self.heading[i], strict=True) if holds(chosen))
            priority = 1 + sum(not holds(literal) for literal in self.upto[i])
            played = tuple(letters) if template.letters > 1 else ()
            rules.append(LearnedRule(heading, tuple(tests), priority, slopes[0] if slopes else None, played))
        return tuple(rules)

    def cost(self, rules: tuple[LearnedRule, ...]) -> int:
        """What a reader pays for a table: its tests, narrow headings, sections before everyone's, slopes."""
        everyone = [i for i, rule in enumerate(rules) if rule.heading == EVERYONE]
        early = everyone[0] if everyone else 0
        narrow = sum(rule.heading != EVERYONE for rule in rules)
        tests = sum(test.cost for rule in rules for test in rule.tests)
        return tests + narrow + early + 2 * sum(rule.slope is not None for rule in rules)

    def cheaper_than(self, cost: int) -> None:
        """Ask for a table that costs a reader less."""
        from pysat.card import ITotalizer

        if self._bound is None:
            literals = []
            for i in range(self.rules):
                for test, chosen in zip(self.template.tests, self.selected[i], strict=True):
                    literals += [chosen] * test.cost
                literals += [-self.heading[i][0], self.early[i]] + [
                    chosen for chosen in self.slope[i] for _ in range(2)
                ]
            copies = []
            for literal in literals:  # a totalizer counts each variable once, so weights are copies
                copy = self.formula.var()
                self.formula.add(-literal, copy)
                copies.append(copy)
            self._bound = ITotalizer(lits=copies, ubound=cost, top_id=self.formula.variables)
            self.formula.variables = max(self.formula.variables, self._bound.top_id)
            for clause in self._bound.cnf.clauses:
                self.formula.add(*clause)
        self._goal = -self._bound.rhs[cost - 1]


def _answer(tables: Tables, number: int) -> AnswerVars:
    """Which rule answers in a class, at which level, with which letters."""
    formula, template = tables.formula, tables.template
    role = int(template.role[number])
    answer = tables.new_answer()
    open_ = 0  # the literal that no rule so far holds
    fails = [t for t in range(len(template.tests)) if not template.truth[t, number]]
    for i in range(tables.rules):
        holds, rest = formula.var(), formula.var()
        wrong = [tables.selected[i][t] for t in fails]
        formula.add(-holds, tables.speaks[i][role])
        for literal in wrong:
            formula.add(-holds, -literal)
        formula.add(holds, -tables.speaks[i][role], *wrong)
        not_open = [-open_] if open_ else []
        formula.add(rest, holds, *not_open)
        formula.add(-rest, -holds)
        if open_:
            formula.add(-rest, open_)
        _answered(tables, i, number, answer, [*not_open, -holds])
        open_ = rest
    formula.add(-open_, -answer.at_most[tables.top])
    return answer


def _answered(tables: Tables, i: int, number: int, answer: AnswerVars, unless: list[int]) -> None:
    """If rule i answers, its priority is the level of the class and its letters are played."""
    formula, template = tables.formula, tables.template
    ways = [(tuple(tables.slope[i]), 0)]
    for slope, chosen in zip(template.slopes, tables.slope[i], strict=True):
        ways.append(((-chosen,), min(tables.steepest, int(template.values[slope.word, number]))))
    for guard, lift in ways:
        for level in range(tables.low, tables.top + 1):
            constant = level + lift  # the level is the constant less what the slope takes off
            at_most = answer.at_most[level]
            if constant < 1:
                formula.add(*unless, *guard, -at_most)
            elif constant >= tables.top:
                formula.add(*unless, *guard, at_most)
            else:
                formula.add(*unless, *guard, -at_most, tables.upto[i][constant - 1])
                formula.add(*unless, *guard, at_most, -tables.upto[i][constant - 1])
    for mine, played in zip(answer.plays, tables.plays[i], strict=False):
        formula.add(*unless, -mine, played)
        formula.add(*unless, mine, -played)


def simplified(
    graphs: Sequence[Graph | Far], template: Template, table: tuple[LearnedRule, ...], budget: Budget
) -> tuple[LearnedRule, ...]:
    """The table without what can be left out, one part after the other: tests first, then narrow headings."""
    for i in range(len(table)):
        for test in sorted(table[i].tests, key=lambda test: -test.cost):
            less = replace(table[i], tests=tuple(other for other in table[i].tests if other != test))
            table = _if_it_holds(graphs, template, table, (*table[:i], less, *table[i + 1 :]), budget)
    if not any(rule.heading == EVERYONE for rule in table):
        for heading in dict.fromkeys(rule.heading for rule in table):
            wide = tuple(replace(rule, heading=EVERYONE) if rule.heading == heading else rule for rule in table)
            table = _if_it_holds(graphs, template, table, wide, budget)
            if any(rule.heading == EVERYONE for rule in table):
                break
    return table


def _if_it_holds(
    graphs: Sequence[Graph | Far],
    template: Template,
    table: tuple[LearnedRule, ...],
    other: tuple[LearnedRule, ...],
    budget: Budget,
) -> tuple[LearnedRule, ...]:
    """Another table if it reaches the goal as well."""
    candidate = Written(other, template)
    return table if any(graph.refutations(candidate, 1, budget) for graph in graphs) else other


def shorten(search: Cegis, table: tuple[LearnedRule, ...], budget: Budget) -> tuple[tuple[LearnedRule, ...], bool]:
    """The table of as many rules that costs a reader least, and whether that is proved."""
    tables = search.encoding
    assert isinstance(tables, Tables)
    search.budget = search.formula.budget = budget
    best = table
    try:
        best = simplified(search.graphs, tables.template, table, budget)
        while tables.cost(best):
            search.doing = f"{tables.rules} rules of cost below {tables.cost(best)}"
            tables.cheaper_than(tables.cost(best))
            if search.run() is None:
                break
            best = tables.found
    except OutOfTime:
        return best, False
    return best, True
