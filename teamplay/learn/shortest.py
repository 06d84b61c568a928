"""How few rules are enough? Tables of 1, 2, 3 … rules, each number with its share of the time.

A number of rules is either refuted, or a table is found, or time is up: then perhaps one rule more makes it easier. On
a large board tables that begin with what everybody would, win and block, are tried as soon as that happens; they need
not be the shortest, but are found sooner.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from teamplay.learn.far import Far
from teamplay.learn.formula import Budget, OutOfTime
from teamplay.learn.graph import Graph
from teamplay.learn.search import Cegis, Node
from teamplay.learn.tables import Tables, shorten
from teamplay.learn.template import LearnedRule, RuleTest, Template

MOST_RULES = 24
SHARE = 0.3  # of the time that is left, for each number of rules
MOST_GUIDED = 8  # rules
GUIDED_SHARE = 0.15  # of the time that is left

Keep = Callable[[tuple[LearnedRule, ...], bool], None]  # takes a table, and whether none has fewer rules


@dataclass
class Shortest:
    """The search for the shortest table, and the positions that it had to look at."""

    graphs: Sequence[Graph | Far]
    template: Template
    budget: Budget
    keep: Keep
    most: int = MOST_RULES
    levels: int | None = None  # distinct answers, at most
    refuted: int = 0  # no table has up to so many rules
    known: list[Node] = field(default_factory=list)

    def run(self, begin: Sequence[RuleTest] = ()) -> bool:
        """Whether a table was found; `begin` are the tests of first rules to try where all others take too long."""
        found = guided = False
        for rules in range(1, self.most + 1):
            try:
                found = self._of(rules, self.budget.part(SHARE), ())
            except OutOfTime:
                self.budget("")
                if begin and not guided:
                    guided = True
                    found = self._guided(max(rules, len(begin) + 1), begin)
            else:
                self.refuted += not found and self.refuted == rules - 1
            if found:
                return True
        return False

    def _guided(self, fewest: int, begin: Sequence[RuleTest]) -> bool:
        """Whether a table that begins with these tests was found."""
        for rules in range(fewest, MOST_GUIDED + 1):
            try:
                if self._of(rules, self.budget.part(GUIDED_SHARE), begin):
                    return True
            except OutOfTime:
                self.budget("")
        return False

    def _of(self, rules: int, budget: Budget, begin: Sequence[RuleTest]) -> bool:
        """Whether a table of so many rules was found; then it is kept, and made as cheap for a reader as may be."""
        least = not begin and self.refuted == rules - 1
        tables = Tables(self.template, rules, budget, self.levels)
        tables.begin_with(begin)
        how = " that begin with win and block" if begin else ""
        search = Cegis(self.graphs, tables, budget, f"tables of {rules} rule{'s' * (rules != 1)}{how}")
        try:
            search.extend(self.known)
            if search.run() is None:
                if not begin:
                    search.check()
                return False
            self.keep(tables.found, least)
            self.keep(shorten(search, tables.found, self.budget.part(0.5))[0], least)
            return True
        finally:
            self.known = list(search.nodes)
            search.formula.close()
