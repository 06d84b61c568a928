"""Findings about headings and numbers: cells without rules or with too many, priorities that clash, idle coins."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from teamplay.check.findings import Finding, deletion
from teamplay.check.rules import Inspection
from teamplay.game import BLANK
from teamplay.language.diagnostics import Edit
from teamplay.language.rulebook import BoundRule
from teamplay.language.tree import Number
from teamplay.show.words import listed


@dataclass(frozen=True)
class Roles:
    """The same inspection, with an eye on who reads what."""

    inspection: Inspection

    def findings(self) -> Iterator[Finding]:
        yield from self._uncovered()
        yield from self._covered_twice()
        yield from self._clashes()
        yield from self._chances()

    def _uncovered(self) -> Iterator[Finding]:
        """Cells that can be played and have no rule at all."""
        fates = self.inspection.fates
        game = fates.book.game
        bare = [one for kinds in fates.by_kind.values() for one in kinds if not one.rules]
        bare = [one for one in bare if game.beginning[one.cell] == BLANK]
        if not bare:
            return
        roles = list(dict.fromkeys(game.grid.role(one.cell) for one in bare))
        cells = listed([str(one.cell + 1) for one in sorted(bare, key=lambda one: one.cell)])
        message = f"no rule speaks to {listed([f'`{role}`' for role in roles])}: {cells} never answer"
        sections = self.inspection.table.sections
        empty = next((one for one in sections if {"others", *roles} & set(one.roles)), None)  # it has no rule
        help = "give it a rule" if empty else f"add `{roles[0]}:`, `others:` or `everyone:` with a rule"
        lines = self.inspection.source.text.split("\n")
        end = len(lines), len(lines[-1]) + 1
        fix = () if empty else (Edit(*end, *end, "\nothers:\n    return 1000000\n"),)
        span, label = (empty.span, "a heading without a rule") if empty else (sections[-1].span, "the last heading")
        yield Finding("T104", span, message, label, help, fix=fix, basis=f"every cell of {game}")

    def _covered_twice(self) -> Iterator[Finding]:
        """Headings whose rules some or all of their agents never read, for others always answer before."""
        inspection = self.inspection
        for section in inspection.table.sections:
            kinds = inspection.fates.unheard.get(", ".join(section.roles), [])
            deaf = [(outlook, last) for outlook, last in kinds if last is not None]
            if not deaf:
                continue
            roles = inspection.named(outlook for outlook, _ in deaf)
            names = sorted({f"`{last.role}` (line {last.span.line})" for _, last in deaf if last})
            all_ = len(deaf) == len(kinds)
            message = f"{roles} never read this heading: {listed(names, 4)} always answers before"
            help = "move the heading up, or take it out" if all_ else "nothing, if that is what you mean"
            severity = "warning" if all_ else "note"
            about = section.span
            yield Finding("T105", about, message, "", help, severity, basis=inspection.views, about=about)

    def _clashes(self) -> Iterator[Finding]:
        """A fixed priority that rules of different headings return under different names and conditions."""
        by_number: dict[int, list[BoundRule]] = {}
        for rule in self.inspection.rules:
            if isinstance(rule.priority, Number):
                by_number.setdefault(rule.priority.value, []).append(rule)
        for number, rules in by_number.items():
            clash = next(((one, other) for one in rules for other in rules if _different(one, other)), None)
            if clash is None:
                continue
            other = clash[1]
            said = [f"line {rule.span.line}: `{rule.name}` under `{rule.role}`" for rule in rules]
            message = f"priority {number} means different things in different roles"
            help = "give each its own number, or all the same label if they mean the same"
            notes = ("\n".join(said),)
            yield Finding("T108", other.span, message, "", help, notes=notes)

    def _chances(self) -> Iterator[Finding]:
        """Coins that always fall the same way."""
        text = self.inspection.source.text
        for rule in self.inspection.rules:
            if rule.chance not in (0, 100):
                continue
            never = rule.chance == 0
            message = f"a chance of {rule.chance} %: this rule {'never' if never else 'always'} has its way"
            help = "take the rule out" if never else "take the chance out"
            match = re.search(r"\s*\bwith\s+chance\s+0*100\s*%", self.inspection.spanned(rule.span))
            line, column = rule.span.line, rule.span.column
            certain = (Edit(line, column + match.start(), line, column + match.end(), ""),) if match else ()
            fix = deletion(text, rule.span) if never else certain
            yield Finding("T110", rule.span, message, "", help, fix=fix)


def _different(one: BoundRule, other: BoundRule) -> bool:
    """Whether two rules stand under different headings and mean different things, the second below the first."""
    same = one.condition == other.condition or (one.label and one.label == other.label)
    return one.role != other.role and not same and one.span.line < other.span.line
