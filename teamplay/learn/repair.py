"""What is the smallest edit that makes a refuted table proved? SAT over all edits, with a bound raised from 0.

An edit is: a number changed (in a test or a priority; a mark counts as one), a test dropped, a test added with `and`, a
rule deleted, a rule inserted, or a rule moved within its section.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from teamplay.api.verifying import Verification
from teamplay.engine.layers import fits
from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.language import Source, read_rulebook
from teamplay.language.formatter import format_rule, format_table
from teamplay.language.parser import parse_table
from teamplay.language.tree import Table
from teamplay.learn.classes import ClassBook
from teamplay.learn.edited import edited_table
from teamplay.learn.editing import MOST_EDITS, EditedTable, Edits
from teamplay.learn.edits import head_of, parts_of, words_of
from teamplay.learn.formula import Budget, OutOfTime
from teamplay.learn.graph import build
from teamplay.learn.reach import ask_solver
from teamplay.learn.search import Cegis
from teamplay.learn.template import Template
from teamplay.learn.verified import verified
from teamplay.learn.vocabulary import Vocabulary, parse_vocabulary
from teamplay.proof.goals import ProofGoal
from teamplay.team import Team

RepairVerdict = Literal["proved already", "repaired", "impossible", "undecided"]


@dataclass
class Repaired:
    """The answer of a repair."""

    verdict: RepairVerdict
    table: str | None = None
    edits: list[str] = field(default_factory=list)
    minimal: bool = False
    bound: str = ""
    known: str = ""
    verification: Verification | None = None

    def diff(self, before: str, name: str) -> list[str]:
        """What changed, as a unified diff."""
        lines = (before.splitlines(), (self.table or before).splitlines())
        return list(difflib.unified_diff(*lines, name, f"{name}, repaired", lineterm="", n=1))


def repair(source: Source, game: Game, seats: Sequence[int], goal: ProofGoal, budget: Budget) -> Repaired:
    """The smallest set of edits that proves a table; at a bound, and at Ctrl-C, what is known."""
    team = Team(read_rulebook(source, game))
    if not fits(game):
        raise BadSpec(f"{game} is too large to repair a table for: a position must fit into a number of 62 bits.")
    ask_solver([game], seats, goal, budget)
    answer = Repaired("undecided")
    try:
        budget("verifying the table")
        proof = verified(team, game, seats, goal, max(0.0, budget.left))
        if proof.proved:
            return Repaired("proved already", source.text, minimal=True)
        if any(verdict.verdict == "undecided" for verdict in proof.verdicts):
            budget("")
        _search(source, game, tuple(seats), goal, budget, answer)
    except OutOfTime as stopped:
        answer.bound = str(stopped)
    except KeyboardInterrupt:
        answer.bound = "Ctrl-C"
    return answer


def _search(
    source: Source, game: Game, seats: tuple[int, ...], goal: ProofGoal, budget: Budget, answer: Repaired
) -> None:
    """Raise the number of edits until there is a repair, then look for one that is easier to follow."""
    table = parse_table(source)
    parts = parts_of(table, game)
    sight, lets = head_of(table)
    words = list(dict.fromkeys([*words_of(parts), *parse_vocabulary("counts", [game]).texts]))
    book = ClassBook(Vocabulary("repair", tuple(words), sight, lets=lets))
    graphs = build(book, game, seats, goal, budget)
    if not all(graph.held[0] for graph in graphs):
        answer.verdict, answer.known = "impossible", "no table over what this one measures does it"
        return
    template = Template(book, len(game.marks) if game.shared else 1)
    edits = Edits(EditedTable(game, table, parts, words, book, template, budget))
    search = Cegis(graphs, edits, budget, "edits")
    try:
        for number in range(1, MOST_EDITS + 1):
            edits.allow(number)
            search.doing = f"{number} edit{'s' * (number != 1)}"
            if search.run() is not None:
                _keep(source, table, edits, answer, (game, seats, goal))
                while edits.weight():
                    edits.lighter_than(edits.weight())
                    if search.run() is None:
                        return
                    _keep(source, table, edits, answer, (game, seats, goal))
                return
            answer.known = f"no {number} edit{'s' * (number != 1)} are enough"
    finally:
        edits.formula.close()
    answer.bound = f"{MOST_EDITS} edits"


def _keep(
    source: Source, table: Table, edits: Edits, answer: Repaired, asked: tuple[Game, tuple[int, ...], ProofGoal]
) -> None:
    """Write what was found, and let `verify` have its say."""
    game, seats, goal = asked
    edited, said = edited_table(edits)
    text = _text(source, table, edited)
    proof = verified(Team(read_rulebook(Source("repaired", text), game)), game, seats, goal)
    assert proof.proved, f"a repair is refuted:\n{text}"
    answer.verdict, answer.table, answer.edits = "repaired", text, said
    answer.minimal, answer.verification = True, proof


def _text(source: Source, before: Table, after: Table) -> str:
    """The text with the lines of edited rules replaced, so that comments stay; laid out anew where lines are shared."""
    spans = [rule.span.line for section in before.sections for rule in section.rules]
    if len(spans) != len(set(spans)) or any(not section.rules for section in after.sections):
        kept = tuple(section for section in after.sections if section.rules)
        return format_table(replace(after, sections=kept))
    lines: dict[int, list[str]] = {i: [line] for i, line in enumerate(source.text.splitlines(), 1)}
    for old, new in zip(before.sections, after.sections, strict=True):
        mine = [rule.span.line for rule in old.rules]
        for number in mine:
            lines[number] = []
        at = mine[0] if mine else old.span.line
        for rule in new.rules:
            own = rule.span.line if rule.span.line in mine and rule.span.line >= at else at
            at = own
            lines[own].append(f"    {format_rule(rule)}")
    return "\n".join(line for number in sorted(lines) for line in lines[number]) + "\n"
