"""Which table reaches a goal? Found with a proof, impossible with a proof, or undecided with what is known.

The order of work: who wins by perfect play; every position with its classes; the class game; any order of classes; then
the fewest levels or rules. Each step may already be the answer.
"""

from collections.abc import Sequence

import numpy as np

from teamplay.api.verifying import Verification
from teamplay.engine.layers import fits
from teamplay.errors import BadSpec
from teamplay.game import SEATS, Game
from teamplay.language import Source, TableError, read_rulebook
from teamplay.learn.classes import ClassBook, Classifier
from teamplay.learn.compress import compressed
from teamplay.learn.far import Far
from teamplay.learn.formula import Budget, OutOfTime
from teamplay.learn.given import refuse_foreign, rules_in
from teamplay.learn.graph import Graph, TooManyNodes, build
from teamplay.learn.impossible import Check, Impossibility, NotShown
from teamplay.learn.numbered import Numbered
from teamplay.learn.orders import Ordered, find_order
from teamplay.learn.ranks import fewest_levels
from teamplay.learn.reach import ask_solver, refuse_out_of_reach
from teamplay.learn.reasons import class_game_nodes, explanation, shown_positions
from teamplay.learn.rechecked import reference_agrees
from teamplay.learn.search import EAGER, Node
from teamplay.learn.shortest import Shortest
from teamplay.learn.sums import Sums, SumSearch, can_be_summed
from teamplay.learn.task import Fewest, Learned, Task
from teamplay.learn.template import SILENT, LearnedRule, Levels, RuleTest, Slope, Template
from teamplay.learn.verified import verified
from teamplay.learn.views import Views
from teamplay.learn.writing import answers, comment_lines, deed, listed, table_text
from teamplay.team import Team

LARGE = 100_000  # positions
MOST_LEVELS = 40
LEVELS_SHARE = COMPRESSION_SHARE = 0.15  # of the time that is left, for a table with few levels, and in few rules
SUMS_SHARE = 0.5  # of the time, for weighted sums
FAR_SHARE = 0.25  # of the time, for orders before tables, where a game can't be listed
FAR_SECONDS = 60.0  # the same where time is not bounded


def learn(task: Task, budget: Budget | None = None) -> Learned:
    """The answer to a task; at a bound, and at Ctrl-C, what is known by then."""
    work = _Work(task, budget or Budget())
    try:
        work.run()
    except OutOfTime as stopped:
        work.stop(str(stopped))
    except KeyboardInterrupt:
        work.stop("Ctrl-C")
    work.answer.seconds = work.budget.spent
    work.answer.classes = len(work.book.numbers)
    work.answer.positions = sum(graph.nodes for graph in work.graphs)
    return work.answer


class _Work:
    """The work on one task, and the answer as far as it is known."""

    def __init__(self, task: Task, budget: Budget) -> None:
        self.task, self.budget = task, budget
        self.answer = Learned(task, "undecided")
        self.book = ClassBook(task.vocabulary)
        self.letters = len(task.games[0].marks) if task.games[0].shared else 1
        self.graphs: list[Graph | Far] = []
        self.kept: tuple[LearnedRule, ...] = ()  # the rules of the table in the answer
        self.known: list[Node] = []  # that a search for an order had to look at
        for game in task.games:
            if not fits(game):
                raise BadSpec(f"{game} is too large to learn: its rules and a position must fit into 62 bits.")
        if task.shorter_than is not None:
            refuse_foreign(task.shorter_than, task.games, task.vocabulary)
        if len({game.shared for game in task.games}) > 1:
            raise BadSpec("One table can't serve games with letters and games without them.")

    def run(self) -> None:
        ask_solver(self.task.games, self.task.seats, self.task.goal, self.budget)
        graphs: list[Graph | Far] = []
        for game in self.task.games:
            graphs += self._opened(game)
        self.graphs = graphs
        for graph in graphs:
            if isinstance(graph, Graph):
                refuse_out_of_reach(graph.game, graph.seat, graph.goal, int(graph.value[0]))
        lost = next((g for g, graph in enumerate(graphs) if isinstance(graph, Graph) and not graph.held[0]), None)
        if lost is not None:
            self._impossible([(lost, 0)], "the class game")
            return
        self.template = Template(self.book, self.letters, self._slopes(), self.whole)
        if self.task.shorter_than is not None:
            self._keep_given(self.task.shorter_than)
            self._fewest_rules()
            return
        if self._keep_sums():
            self._fewest_rules()
            return
        found = self._order()
        if found.core:
            self._impossible(found.core, "orders of classes")
            return
        self.known = found.nodes
        if found.levels is not None:
            self.answer.known.append("some table exists")
            self._keep_list(found.levels.levels())
        if self.task.vocabulary.cells or self.task.fewest == "levels":
            self._fewest_levels()
        if not self.task.vocabulary.cells and self.task.rules != 0:
            self._fewest_rules()

    def _order(self) -> Ordered:
        """An order of the classes, or nodes that none answers; neither if positions are not listed and time is up.

        There a short table may be found although an order of all classes is not.
        """
        if self.whole:
            return find_order(self.graphs, self.book, self.letters, self.budget)
        budget = (
            self.budget.part(FAR_SHARE)
            if self.budget.seconds < float("inf")
            else Budget(FAR_SECONDS, self.budget.report, self.budget.clock)
        )
        try:
            return find_order(self.graphs, self.book, self.letters, budget, self._first_rules())
        except OutOfTime:
            self.budget("")
            return Ordered(None, [], [])
        finally:
            self.template = Template(self.book, self.letters, self._slopes(), self.whole)

    def _opened(self, game: Game) -> Sequence[Graph | Far]:
        """All positions of a game, or where they are too many those that candidates lead to."""
        try:
            return build(self.book, game, self.task.seats, self.task.goal, self.budget)
        except TooManyNodes:
            return [Far(self.book, game, seat, self.task.goal) for seat in self.task.seats]

    @property
    def whole(self) -> bool:
        """Whether all positions, and so all classes, are known."""
        return all(isinstance(graph, Graph) for graph in self.graphs)

    def stop(self, bound: str) -> None:
        """A bound was reached: what was found stays, and is only said not to be minimal."""
        self.answer.bound = bound
        if self.answer.table is not None and self._as_asked():
            self.answer.verdict = "found"

    # Before the search

    def _slopes(self) -> tuple[Slope, ...]:
        if not self.task.slopes:
            return ()
        texts = self.task.vocabulary.texts
        return tuple(Slope(i, text) for i, text in enumerate(texts) if text.startswith(("n(", "size(", "count(")))

    # Impossible

    def _impossible(self, nodes: Sequence[Node], by: str) -> None:
        """Say why, and try all orders on the positions again, with the reference."""
        positions = tuple(shown_positions(self.graphs, class_game_nodes(self.graphs, nodes), self.task.games))
        claim = Impossibility(self.task.games, self.task.seats, self.task.goal, self.task.vocabulary, positions)
        self.budget("checking the impossibility")
        check = Check(claim)
        try:
            check.run()
        except NotShown as problem:
            self.answer.why = f"A search over {by} found no table, but a second argument did not confirm it. {problem}"
            self.answer.bound = "the second argument"
            return
        self.answer.verdict, self.answer.impossibility = "impossible", claim
        self.answer.why = f"No order of the classes answers these {len(positions)} positions together (by {by})."
        self.answer.explanation = explanation(check)

    # Found

    def _keep_given(self, source: Source) -> None:
        """The table that is to be made shorter, which must do it."""
        answer, game = self.answer, self.task.games[0]
        self.budget(f"verifying {source.path}")
        proofs = self._verified(source)
        for proof in proofs:
            if not proof.proved:
                raise BadSpec(f"{source.path} is no table that {self.task.claim} (`teamplay verify` shows it).")
        answer.known.append(f"{source.path} does it")
        answer.verdict, answer.verifications = "found", proofs
        answer.table, answer.rules = source.text, rules_in(source, game)

    def _keep_sums(self) -> bool:
        """Whether weighted sums do it, in a game of points too large to list whose boards can be numbered."""
        far = next((graph for graph in self.graphs if isinstance(graph, Far)), None)
        if far is None or len(self.task.games) > 1 or self.task.rules == 0 or not can_be_summed(far.classifier):
            return False
        try:
            sums = self._found_sums(far.classifier, self.budget.part(SUMS_SHARE))
        except OutOfTime:
            self.budget("")
            return False
        if sums is None:
            return False
        answer, text = self.answer, sums.text()
        self.budget("verifying the table")
        answer.verifications = self._proved(text)
        answer.known.append("some table exists")
        answer.rules = rules_in(Source("learned.team", text), far.game)
        answer.table = "\n".join([*comment_lines(self._comment(answer.verifications)), text])
        if self._as_asked():
            answer.verdict = "found"
        return True

    def _found_sums(self, classifier: Classifier, budget: Budget) -> Sums | None:
        """Sums that do it, as plain as time allows; None if the class game is lost, or a search found none."""
        needed = 1 if self.task.goal == "always-wins" else 0
        numbered = Numbered(classifier, budget)
        if not all(numbered.held(seat, needed) for seat in self.task.seats):
            return None
        search = SumSearch(numbered, self.book, self.task.seats, needed)
        found = search.run(budget)
        return search.plainer(found, budget) if found else None

    def _keep_list(self, order: Levels) -> None:
        """The order itself as a table, in case nothing shorter is found; on a larger board made smaller first."""
        graphs = [graph for graph in self.graphs if isinstance(graph, Graph)]
        if self.task.vocabulary.cells or not self.whole:
            return
        large = sum(graph.nodes for graph in graphs) > EAGER
        levels = self._few_levels(order) if large and self.task.rules != 0 else order
        rules = listed(levels, self.book, self.template, self._met(levels))
        if any(len(graph.play(self.template.levels(rules)).failures) for graph in graphs):
            return
        if large and self.task.rules != 0:
            rules = list(compressed(graphs, self.template, rules, self.budget.part(COMPRESSION_SHARE)))
        try:
            self._keep(tuple(rules), None)
        except TableError:
            self.answer.verdict = "found" if not (self.task.rules or self.task.levels) else "undecided"
            self.answer.why = f"The table that was found would have {len(rules):,} rules, too many to be written."

    def _few_levels(self, order: Levels) -> Levels:
        """Levels with many classes each, which can share rules; the order where time does not allow it."""
        budget = self.budget.part(LEVELS_SHARE)
        try:
            found = fewest_levels(self.graphs, self.book, self.letters, budget, MOST_LEVELS)[1]
        except OutOfTime:
            self.budget("")
            found = None
        return found.levels() if found else order

    def _fewest_levels(self) -> None:
        most = self.task.levels or MOST_LEVELS
        levels, found = fewest_levels(self.graphs, self.book, self.letters, self.budget, most)
        if found is None:
            self.answer.verdict = "impossible" if self.task.levels else "undecided"
            self.answer.why = f"No table with at most {most} distinct answers does it, silence being one."
            self.answer.table = None
            return
        self.answer.known.append(f"{levels} levels are the fewest of any table")
        self.answer.levels, self.answer.minimal = levels, "levels"
        if self.task.vocabulary.cells:
            self._keep_views(found.levels())

    def _keep_views(self, levels: Levels) -> None:
        """The table that lists every view that is met and answered."""
        answer, game = self.answer, self.task.games[0]
        levels = self._sparse(levels)
        views = Views(levels, self.book, self._met(levels), game)
        answer.verdict = "found"
        try:
            answer.verifications = self._proved(views.table())
        except TableError:
            answer.why = f"The table would list {len(views.rules):,} views, too many to be written."
            return
        answer.table, answer.rules = views.table(self._comment(answer.verifications)), len(views.rules)

    def _sparse(self, levels: Levels) -> Levels:
        """Levels with fewer answers that do it as well: among ties of different classes one is enough."""
        graphs = [graph for graph in self.graphs if isinstance(graph, Graph) and graph.nodes <= EAGER]
        for g, n in [(g, int(n)) for g, graph in enumerate(graphs) for n in np.flatnonzero(graph.mine)]:
            self.budget("leaving out views")
            play = graphs[g].play(levels)
            if not play.reached[n]:
                continue
            tied = [option for option in range(*graphs[g].options[n : n + 2].tolist()) if play.chosen[option]]
            less = levels.copy()
            less[[int(graphs[g].code[option]) for option in tied[1:]]] = SILENT
            if len(tied) > 1 and not any(len(graph.play(less).failures) for graph in graphs):
                levels = less
        return levels

    def _met(self, levels: Levels) -> set[int]:
        """The classes of agents that are asked when the team plays by some levels."""
        met: set[int] = set()
        for graph in self.graphs:
            if isinstance(graph, Graph):
                reached = graph.play(levels).reached & graph.mine
                met |= set((graph.code[reached[graph.owner]] // self.letters).tolist())
        return met

    def _fewest_rules(self) -> None:
        """The shortest table, or as short a one as time allows."""
        if self.answer.verdict == "impossible":
            return
        task, answer = self.task, self.answer
        shortest = Shortest(self.graphs, self.template, self.budget, self._keep_table, levels=task.levels)
        if task.rules:
            shortest.most = task.rules
        if task.fewest == "levels":
            shortest.levels = answer.levels
        shortest.known = self.known
        if answer.rules is not None:  # a table that is known already need not be found again
            shortest.most = min(shortest.most, answer.rules - 1)
        try:
            found = shortest.run(self._first_rules())
        finally:
            answer.known += [f"no table of {n} rule{'s' * (n != 1)}" for n in range(1, shortest.refuted + 1)]
        if shortest.refuted < (answer.rules - 1 if found and answer.rules else shortest.most):
            answer.bound = self.budget.bound  # some number of rules had its share of the time, and is open
        if not found and answer.rules is not None and shortest.refuted == answer.rules - 1:
            answer.minimal = task.fewest
            if self.kept:
                self._keep(self.kept, task.fewest)
        elif not found and shortest.refuted == task.rules:
            answer.verdict, answer.table = "impossible", None
            answer.why = f"No table of at most {task.rules} rules does it ({task.template})."

    def _first_rules(self) -> list[RuleTest]:
        """What everybody would begin with, win and block; worth a try on a large board."""
        game = self.task.games[0]
        tests = {deed(test, game): test for test in self.template.tests if test.sign == ">=" and test.number == 1}
        begin = [tests[name] for name in ("win", "block") if name in tests]
        large = sum(graph.nodes for graph in self.graphs) > LARGE or not self.whole
        return begin if large and len(begin) == 2 and not (self.task.rules or self.task.levels) else []

    def _keep_table(self, rules: tuple[LearnedRule, ...], least: bool) -> None:
        self._keep(rules, self.task.fewest if least else None)

    def _keep(self, rules: tuple[LearnedRule, ...], minimal: Fewest | None) -> None:
        """Write the table, and let `verify` and the reference agents have their say."""
        answer = self.answer
        plain = table_text(rules, self.template, self.task.games)
        self.budget("verifying the table")
        proofs = self._proved(plain)
        answer.verifications, self.kept = proofs, rules
        answer.rules, answer.levels, answer.minimal = len(rules), answers(rules, self.template), minimal
        answer.table = table_text(rules, self.template, self.task.games, self._comment(proofs))
        if self._as_asked():
            answer.verdict = "found"

    def _as_asked(self) -> bool:
        """Whether the table that is kept has no more rules and levels than were allowed."""
        task, answer = self.task, self.answer
        return (
            answer.rules is not None
            and (not task.rules or answer.rules <= task.rules)
            and (not task.levels or (answer.levels is not None and answer.levels <= task.levels))
        )

    def _proved(self, text: str) -> list[Verification]:
        """What `verify` says of a table that the search found, and the reference agents as well."""
        proofs = self._verified(Source("learned.team", text))
        for proof in proofs:
            assert proof.proved, f"a table that the search found is refuted:\n{text}\n{proof!r}"
            reference_agrees(proof, text)
        return proofs

    def _verified(self, source: Source) -> list[Verification]:
        teams = [Team(read_rulebook(source, game)) for game in self.task.games]
        return [
            verified(team, game, self.task.seats, self.task.goal)
            for team, game in zip(teams, self.task.games, strict=True)
        ]

    def _comment(self, proofs: list[Verification]) -> str:
        task, answer = self.task, self.answer
        met = ", ".join(
            f"{verdict.positions:,} positions moving {SEATS[verdict.seat]}"
            + (f" at {proof.game}" if len(proofs) > 1 else "")
            for proof in proofs
            for verdict in proof.verdicts
        )
        said = f"Written by `teamplay learn`. What holds (`verify`): it {task.claim}: {met}."
        if answer.minimal == "rules":
            least = f"No table of fewer rules does it ({task.template})."
        elif answer.minimal == "levels":
            least = "No table has fewer distinct answers, silence being one."
        else:
            return said
        return f"{said}\n{least}"
