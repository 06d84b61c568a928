"""Findings about single rules: never true, never reached, never legal, of no consequence; and agents without a rule."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from teamplay.check.fates import NO, YES, Fate, Fates
from teamplay.check.findings import Finding, deletion
from teamplay.check.outlook import Outlook
from teamplay.language.diagnostics import Edit, Span
from teamplay.language.formatter import format_expression
from teamplay.language.parser import Source
from teamplay.language.rulebook import BoundRule
from teamplay.language.tree import CellTest, Comparison, Expression, Logic, Number, Section, Table
from teamplay.show.picture import drawing
from teamplay.show.words import cell_name, counted, listed


@dataclass(frozen=True)
class Inspection:
    """One table on one board, and what became of its rules."""

    source: Source
    table: Table
    fates: Fates

    @property
    def rules(self) -> Iterator[BoundRule]:
        return (rule for _, rules in self.fates.book.sections for rule in rules)

    @property
    def where(self) -> str:
        """The board, in words."""
        game = self.fates.book.game
        return f"{game.grid}, k={game.k}" if game.k else str(game.grid)

    @property
    def views(self) -> str:
        """What was looked at to speak of all views."""
        return f"every view of every agent on {self.fates.book.game}"

    @property
    def asked(self) -> str:
        """What was looked at to speak of what happens in play."""
        game = self.fates.book.game
        if self.fates.legal is not None:
            return f"every legal position of {game}"
        return f"every view of every agent on {game} in which it may be asked, as far as the agent itself can tell"

    def section(self, rule: BoundRule) -> Section:
        """The heading with its rules under which a rule stands."""
        return next(section for section in self.table.sections if ", ".join(section.roles) == rule.role)

    def spanned(self, span: Span) -> str:
        """The text of a stretch of the table."""
        return self.source.text.split("\n")[span.line - 1][span.column - 1 : span.end - 1]

    def findings(self) -> Iterator[Finding]:
        """All about single rules; of one rule only the most telling."""
        buried = {role for role, kinds in self.fates.unheard.items() if all(last for _, last in kinds)}
        for rule in self.rules:
            if rule.chance == 0 or not self.fates.readers(rule):  # said by T110; not on this board
                continue
            fate = self.fates.fates[rule.span]
            yield from self._never(rule)
            if fate.holds == YES and rule.role not in buried:
                yield from self._dead(rule, fate)
        yield from self._silent()

    # Conditions

    def _never(self, rule: BoundRule) -> Iterator[Finding]:
        """The smallest parts of a condition that are never true."""
        if rule.condition is None:
            return
        for part in self._false_parts(rule.condition, rule):
            blamed = self._smallest(part, rule)
            whole = part is rule.condition
            message = "this is never true" if whole else "this part is never true"
            help = self._possible(blamed, rule) or ("take the rule out" if whole else "take this part out")
            fix = deletion(self.source.text, rule.span) if whole else ()
            label = self._range(blamed, rule)
            about = rule.span if whole else blamed.span
            yield Finding("T101", blamed.span, message, label, help, fix=fix, basis=self.views, about=about)

    def _false_parts(self, node: Expression, rule: BoundRule) -> Iterator[Expression]:
        """The largest parts that are never true, what stands behind a `not` left out."""
        if self.fates.never(node, rule):
            yield node
        elif isinstance(node, Logic):
            yield from self._false_parts(node.left, rule)
            yield from self._false_parts(node.right, rule)

    def _smallest(self, node: Expression, rule: BoundRule) -> Expression:
        """Of a part that is never true, the smallest part that is to blame alone."""
        if isinstance(node, Logic) and node.word == "and":
            for inner in (node.left, node.right):
                if self.fates.never(inner, rule):
                    return self._smallest(inner, rule)
        return node

    def _range(self, node: Expression, rule: BoundRule) -> str:
        """What the sides of a comparison come to."""
        roles = self.named(self.fates.readers(rule))
        if isinstance(node, CellTest):
            return f"for {roles} this can't be ({self.where})"
        if not isinstance(node, Comparison):
            return f"for {roles} not both at once ({self.where})"
        sides = [side for side in (node.left, node.right) if not isinstance(side, Number)]
        said = []
        for side in sides:
            least, most = self._ends(side, rule)
            span = f"{least} to {most}" if least != most else f"always {least}"
            said.append(f"`{format_expression(side)}` is {span}")
        return f"for {roles} {' and '.join(said)} ({self.where})" if said else "these are fixed numbers"

    def _ends(self, node: Expression, rule: BoundRule) -> tuple[int, int]:
        """The least and greatest value of a number, over all agents that read the rule."""
        values = [outlook.rows([node]).value(node) for outlook in self.fates.readers(rule)]
        return int(min(value.min() for value in values)), int(max(value.max() for value in values))

    def _possible(self, node: Expression, rule: BoundRule) -> str:
        """The nearest comparison that can be true."""
        if isinstance(node, Comparison) and isinstance(node.right, Number) and node.sign in (">=", ">", "="):
            least, most = self._ends(node.left, rule)
            near = most - (node.sign == ">")
            if least <= near < node.right.value:
                return (
                    f"`{format_expression(node.left)} {node.sign} {near}` can be true; or move the rule to another role"
                )
        return ""

    def named(self, outlooks: Iterable[Outlook]) -> str:
        """Some kinds of agents, in words."""
        grid = self.fates.book.game.grid
        roles = list(dict.fromkeys(grid.role(outlook.cell) for outlook in outlooks))
        return listed([f"the {role} cells" if role != "center" else "the center" for role in roles])

    # Rules

    def _dead(self, rule: BoundRule, fate: Fate) -> Iterator[Finding]:
        """A rule that holds in some view and yet does nothing."""
        fix, about = deletion(self.source.text, rule.span), rule.span
        if fate.fires == NO:
            above = sorted(fate.above.values(), key=lambda other: other.span.line)
            names = listed([f"`{other.name}` (line {other.span.line})" for other in above], 6)
            message = f"{names} always {'answer' if len(above) > 1 else 'answers'} before this rule"
            label = (
                "wherever it holds, one of them holds too" if len(above) > 1 else "wherever it holds, that holds too"
            )
            help = "move it up, or take it out"
            yield Finding("T102", rule.span, message, label, help, fix=fix, basis=self.views, about=about)
        elif fate.fires == YES and fate.plays == NO:
            message, label = "this rule fires in no legal position", "it holds only where its agent is never asked"
            help = "take it out, or ask for less"
            yield Finding("T103", rule.span, message, label, help, fix=fix, basis=self.asked, about=about)
        elif fate.plays == YES and fate.matters == NO:
            message = "without this rule, the rules below it would answer the same"
            help = "take it out, or let it answer something else"
            yield Finding("T107", rule.span, message, "", help, fix=fix, basis=self.asked, about=about)

    # Silence

    def _silent(self) -> Iterator[Finding]:
        """Headings under which an agent may have no rule that holds, each once."""
        grid = self.fates.book.game.grid
        by_heading: dict[Section, list[tuple[Outlook, str]]] = {}
        for silence in self.fates.silences:
            section = self.section(silence.outlook.rules[-1])
            by_heading.setdefault(section, []).append((silence.outlook, silence.board))
        for section, found in by_heading.items():
            outlook, board = min(found, key=lambda one: len(one[1]) - one[1].count("."))
            legal = self.fates.legal is not None
            some = self.fates.unsure and not legal
            basis = f"some views of the agents on {self.fates.book.game}" if some else self.asked
            shown = f"on {drawing(board, grid)} the agent on {cell_name(grid, outlook.cell)} has no rule that holds"
            notes = (shown if legal else f"{shown}; whether play leads there was not looked at",)
            number, line = self._last_resort(), section.rules[-1].span.line
            end = len(self.source.text.split("\n")[line - 1]) + 1
            fix = (Edit(line, end, line, end, f"\n    return {number}"),)
            message = f"no default: {self.named([one for one, _ in found])} may fall silent"
            help = f"end with a rule without a condition, such as `return {number}`"
            yield Finding("T106", section.span, message, "", help, notes=notes, fix=fix, exact=legal, basis=basis)

    def _last_resort(self) -> int:
        """A priority behind all others."""
        most = 0
        for rule in self.rules:
            for outlook in self.fates.readers(rule):
                values = outlook.rows([rule.condition, rule.priority]).value(rule.priority)
                most = max(most, int(np.max(values, initial=0)))
        return most + 1


def looked_at(fates: Fates) -> str:
    """Which views and positions a report rests on, in words."""
    agents = counted(fates.book.game.grid.size, "agent")
    views = f"all views of {agents}"
    if fates.undecided:
        views = f"not all views of {agents}, so not decided: {listed(fates.undecided, 6)}"
    elif fates.unsure:
        views = f"as many views of {agents} as it takes to know what every rule is for"
    legal = "all legal positions" if fates.legal is not None else "what can't be legal only as far as an agent can tell"
    return f"{views}; {legal}"
