"""Which table reaches a goal? Found with a proof, impossible with a proof, or undecided with what is known.

The order of work: who wins by perfect play; every position with its classes; the class game; any order of classes; then
the fewest levels or rules. Each step may already be the answer.
"""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from teamplay.api.verifying import Verification
from teamplay.engine.layers import Layers, fits
from teamplay.engine.solver import Solver
from teamplay.engine.solver.search import Limits
from teamplay.errors import BadSpec
from teamplay.game import SEATS, Game
from teamplay.language import Source, TableError, read_rulebook
from teamplay.learn.classes import ClassBook
from teamplay.learn.far import Far
from teamplay.learn.formula import Budget, OutOfTime
from teamplay.learn.graph import Graph, TooManyNodes, build
from teamplay.learn.impossible import Check, Impossibility, NotShown
from teamplay.learn.orders import find_order
from teamplay.learn.ranks import fewest_levels
from teamplay.learn.reasons import class_game_nodes, explanation, shown_positions
from teamplay.learn.search import EAGER, Cegis, Node
from teamplay.learn.tables import Tables, shorten
from teamplay.learn.template import SILENT, Candidate, LearnedRule, Levels, Slope, Template
from teamplay.learn.verified import verified
from teamplay.learn.views import Views
from teamplay.learn.vocabulary import Vocabulary
from teamplay.learn.writing import answers, deed, listed, table_text
from teamplay.proof.certificate import Certificate, Claim, Header, format_position, game_hash
from teamplay.proof.goals import PROVED, ProofGoal
from teamplay.proof.recheck import recheck
from teamplay.team import Team

LearnVerdict = Literal["found", "impossible", "undecided"]
Fewest = Literal["rules", "levels"]
LEAST_VALUE = {"never-loses": 0, "always-wins": 1, "perfect": 0}
SOLVE_SECONDS = 5.0  # that it may cost to learn that no player could reach the goal
MOST_RULES = 24
LARGE = 100_000  # positions
MOST_GUIDED = 8  # rules
GUIDED_SHARE = 0.15  # of the time that is left
SHARE = 0.3  # of the time that is left, for each number of rules
MOST_LEVELS = 40
FEW_POSITIONS = 3_000  # up to which the reference plays every game again; beyond it answers in a sample
SAMPLE = 200  # positions
FAR_SHARE = 0.25  # of the time, for orders before tables, where a game can't be listed
FAR_SECONDS = 60.0  # the same where time is not bounded


@dataclass(frozen=True)
class Task:
    """What is asked for."""

    games: tuple[Game, ...]
    seats: tuple[int, ...]
    goal: ProofGoal
    vocabulary: Vocabulary
    rules: int | None = None  # at most; 0: only the levels are of interest
    levels: int | None = None  # at most, silence being one
    slopes: bool = False  # may a priority be `c - n(…)`?
    fewest: Fewest = "rules"

    @property
    def template(self) -> str:
        """What the rules of a table may look like, in words."""
        words = "all that it sees" if self.vocabulary.cells else ", ".join(self.vocabulary.texts) or "nothing"
        priority = "a constant or `c - n(…)`" if self.slopes else "a constant"
        sight = f", {self.vocabulary.sight}" if self.vocabulary.sight else ""
        return f"headings by role, tests of {words} joined by `and`, {priority} as priority{sight}"

    @property
    def claim(self) -> str:
        """`never loses moving first or second at tic-tac-toe`."""
        seats = " or ".join(SEATS[seat] for seat in self.seats)
        return f"{PROVED[self.goal]} moving {seats} at {' and '.join(map(str, self.games))}"


@dataclass
class Learned:
    """The answer: exactly one of found, impossible and undecided, and what is known."""

    task: Task
    verdict: LearnVerdict
    table: str | None = None
    rules: int | None = None
    levels: int | None = None
    minimal: Fewest | None = None
    why: str = ""
    bound: str = ""
    impossibility: Impossibility | None = None
    verifications: list[Verification] = field(default_factory=list)
    classes: int = 0
    positions: int = 0
    seconds: float = 0.0
    explanation: list[str] = field(default_factory=list)  # of an impossibility, position by position
    known: list[str] = field(default_factory=list)  # what was proved on the way


def learn(task: Task, budget: Budget | None = None) -> Learned:
    """The answer to a task; at a bound, and at Ctrl-C, what is known by then."""
    begun = time.monotonic()
    work = _Work(task, budget or Budget())
    try:
        work.run()
    except OutOfTime as stopped:
        work.stop(str(stopped))
    except KeyboardInterrupt:
        work.stop("Ctrl-C")
    work.answer.seconds = time.monotonic() - begun
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
        for game in task.games:
            if not fits(game):
                raise BadSpec(f"{game} is too large to learn: its rules and a position must fit into 62 bits.")
        if len({game.shared for game in task.games}) > 1:
            raise BadSpec("One table can't serve games with letters and games without them.")

    def run(self) -> None:
        self._ask_solver()
        graphs: list[Graph | Far] = []
        for game in self.task.games:
            graphs += self._opened(game)
        self.graphs = graphs
        self._refuse_out_of_reach()
        lost = next((g for g, graph in enumerate(graphs) if isinstance(graph, Graph) and not graph.held[0]), None)
        if lost is not None:
            self._impossible([(lost, 0)], "the class game")
            return
        self.template = Template(self.book, self.letters, self._slopes(), self.whole)
        found, core = self._order()
        if core:
            self._impossible(core, "orders of classes")
            return
        if found is not None:
            self.answer.known.append("some table exists")
            self._keep_list(found.levels())
        if self.task.vocabulary.cells or self.task.fewest == "levels":
            self._fewest_levels()
        if not self.task.vocabulary.cells and self.task.rules != 0:
            self._fewest_rules()

    def _order(self) -> tuple[Candidate | None, list[Node]]:
        """An order of the classes, or nodes that none answers; neither if positions are not listed and time is up.

        There a short table may be found although an order of all classes is not.
        """
        if self.whole:
            return find_order(self.graphs, self.book, self.letters, self.budget)
        budget = self.budget.part(FAR_SHARE) if self.budget.seconds < float("inf") else Budget(FAR_SECONDS)
        try:
            return find_order(self.graphs, self.book, self.letters, budget)
        except OutOfTime:
            self.budget("")
            return None, []
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
        if self.answer.table is not None and not (self.task.rules or self.task.levels):
            self.answer.verdict = "found"

    # Before the search

    def _ask_solver(self) -> None:
        """A goal that no player could reach is refused at once."""
        needs = LEAST_VALUE.get(self.task.goal)
        if needs is None:
            return
        for game in self.task.games:
            value = Solver(game).value(game.start, Limits(seconds=min(SOLVE_SECONDS, self.budget.left)))
            if value is not None:
                for seat in self.task.seats:
                    self._refuse(game, seat, value if seat == game.start.seat else -value, needs)

    def _refuse_out_of_reach(self) -> None:
        for graph in self.graphs:
            if self.task.goal in LEAST_VALUE and isinstance(graph, Graph):
                self._refuse(graph.game, graph.seat, int(graph.value[0]), LEAST_VALUE[self.task.goal])

    def _refuse(self, game: Game, seat: int, value: int, needs: int) -> None:
        if value < needs:
            other = SEATS[1 - seat]
            fact = f"the {other} player wins {game} by perfect play" if value < 0 else f"{game} is a draw"
            goal = PROVED[self.task.goal]
            raise BadSpec(f"No player {goal} moving {SEATS[seat]} at {game}: {fact} (`teamplay solve` shows it).")

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

    def _keep_list(self, levels: Levels) -> None:
        """The order itself as a table, in case nothing shorter is found."""
        graphs = [graph for graph in self.graphs if isinstance(graph, Graph)]
        if self.task.vocabulary.cells or not self.whole:
            return
        rules = listed(levels, self.book, self.template, self._met(levels))
        if not any(len(graph.play(self.template.levels(rules)).failures) for graph in graphs):
            with contextlib.suppress(TableError):  # too long to be a table
                self._keep(tuple(rules), None)

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
            answer.verifications = self._verified(views.table())
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
        if self.answer.verdict == "impossible":
            return
        known = self._guided()
        most = self.task.rules or MOST_RULES
        bound = self.answer.levels if self.task.fewest == "levels" else self.task.levels
        refuted = True
        for rules in range(1, most + 1):
            budget = self.budget if self.budget.seconds == float("inf") else self.budget.part(SHARE)
            tables = Tables(self.template, rules, budget, bound)
            search = Cegis(self.graphs, tables, budget, f"tables of {rules} rule{'s' * (rules != 1)}")
            try:
                search.extend(known)
                found = search.run()
                known = list(search.nodes)
                if found is not None:
                    self._keep(tables.found, "rules" if refuted else None)
                    shorter, _ = shorten(search, tables.found, self.budget.part(0.5))
                    self._keep(shorter, self.task.fewest if refuted else None)
                    return
                self.answer.known.append(f"no table of {rules} rule{'s' * (rules != 1)}")
            except OutOfTime:
                self.budget("")
                refuted = False  # perhaps one rule more makes it easier
                known = list(search.nodes)
            finally:
                search.formula.close()
        if self.task.rules and refuted:
            self.answer.verdict, self.answer.table = "impossible", None
            self.answer.why = f"No table of at most {most} rules does it ({self.task.template})."

    def _guided(self) -> list[Node]:
        """On a large board look first for tables that begin with what everybody would: win, block. The nodes they met.

        Such a table need not be a shortest, but it is found sooner, and stays if time runs out.
        """
        known: list[Node] = []
        game = self.task.games[0]
        tests = {deed(test, game): test for test in self.template.tests if test.sign == ">=" and test.number == 1}
        begin = [tests[name] for name in ("win", "block") if name in tests]
        large = sum(graph.nodes for graph in self.graphs) > LARGE or not self.whole
        if not large or len(begin) < 2 or self.task.rules or self.task.levels or self.budget.seconds == float("inf"):
            return known
        for rules in range(3, MOST_GUIDED + 1):
            budget = self.budget.part(GUIDED_SHARE)
            tables = Tables(self.template, rules, budget)
            tables.begin_with(begin)
            search = Cegis(self.graphs, tables, budget, f"tables of {rules} rules that begin with win and block")
            try:
                search.extend(known)
                if search.run() is not None:
                    self._keep(tables.found, None)
                    shorter, _ = shorten(search, tables.found, self.budget.part(GUIDED_SHARE))
                    self._keep(shorter, None)
                    return list(search.nodes)
            except OutOfTime:
                self.budget("")
            finally:
                known = list(search.nodes)
                search.formula.close()
        return known

    def _keep(self, rules: tuple[LearnedRule, ...], minimal: Fewest | None) -> None:
        """Write the table, and let `verify` and the reference agents have their say."""
        answer = self.answer
        plain = table_text(rules, self.template, self.task.games)
        self.budget("verifying the table")
        proofs = self._verified(plain)
        answer.verifications = proofs
        answer.rules, answer.levels, answer.minimal = len(rules), answers(rules, self.template), minimal
        answer.table = table_text(rules, self.template, self.task.games, self._comment(proofs))
        if minimal or not (self.task.rules or self.task.levels):
            answer.verdict = "found"

    def _verified(self, text: str) -> list[Verification]:
        found = []
        for game in self.task.games:
            team = Team(read_rulebook(Source("learned.team", text), game))
            proof = verified(team, game, self.task.seats, self.task.goal)
            assert proof.proved, f"a table that the search found is refuted:\n{text}\n{proof!r}"
            reference_agrees(proof, text)
            found.append(proof)
        return found

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


def reference_agrees(proof: Verification, text: str) -> None:
    """Let the reference agents play every game again, or on a large board answer in a sample of the positions met."""
    for verdict in proof.verdicts:
        game, explorer = proof.game, verdict.explorer
        met = list(explorer.met())
        if len(met) <= FEW_POSITIONS:
            header = Header(game.spec, game_hash(game.spec), "learned", "all", proof.goal, text.rstrip("\n"))
            numbers = (verdict.positions, verdict.wins, verdict.draws, verdict.losses)
            listed_ = [format_position(game, position) for position in met]
            claim = Claim(verdict.seat, "proved", *numbers, explorer.symmetric, listed_)
            recheck(Certificate(header, (claim,)))
        elif isinstance(explorer, Layers) and isinstance(proof.player, Team):
            sample = [met[int(i)] for i in np.linspace(0, len(met) - 1, SAMPLE)]
            keys = np.array([explorer.key(position) for position in sample], dtype=np.int64)
            for position, chosen in zip(
                (explorer.position(int(key)) for key in keys), explorer.choices(keys), strict=True
            ):
                moves = {(move.cell, game.marks.index(move.mark) + 1) for move in proof.player.moves(position)}
                wanted = {(cell, mark) for cell in game.grid.cells for mark in (1, 2, 3) if chosen[cell] >> mark & 1}
                assert moves == wanted, f"the two engines differ in {position.marks}"
