"""What every check looks at: one table on one board, and what became of its rules."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from teamplay.check.fates import YES, Fate, Fates
from teamplay.check.outlook import Outlook
from teamplay.check.ties import Ties
from teamplay.language.diagnostics import Span
from teamplay.language.parser import Source
from teamplay.language.rulebook import BoundRule
from teamplay.language.tree import Section, Table
from teamplay.show.words import counted, listed


@dataclass(frozen=True)
class Inspection:
    """One table on one board, and what became of its rules."""

    source: Source
    table: Table
    fates: Fates
    ties: Ties | None = None  # those that change the result, where they were looked for

    @property
    def rules(self) -> Iterator[BoundRule]:
        return (rule for _, rules in self.fates.book.sections for rule in rules)

    @property
    def read_rules(self) -> Iterator[BoundRule]:
        """The rules that some agent of this board reads and that may answer; T110 reports those that never do."""
        return (rule for rule in self.rules if rule.chance != 0 and self.fates.readers(rule))

    @property
    def holding_rules(self) -> Iterator[tuple[BoundRule, Fate]]:
        """The rules that hold in some view, under headings that somebody reads (T105 reports the others)."""
        buried = {role for role, kinds in self.fates.unheard.items() if all(last for _, last in kinds)}
        for rule in self.read_rules:
            fate = self.fates.fates[rule.span]
            if fate.holds == YES and rule.role not in buried:
                yield rule, fate

    @property
    def where(self) -> str:
        """The board, in words."""
        game = self.fates.book.game
        return f"{game.grid}, k={game.k}" if game.k else str(game.grid)

    @property
    def views(self) -> str:
        """What was looked at for a statement about all views."""
        return f"every view of every agent on {self.fates.book.game}"

    @property
    def asked(self) -> str:
        """What was looked at for a statement about what happens in play."""
        game = self.fates.book.game
        if self.fates.legal is not None:
            return f"every legal position of {game}"
        return f"every view of every agent on {game} in which it may be asked, as far as the agent itself can tell"

    @property
    def scope(self) -> str:
        """Which views and positions a report rests on, in words."""
        fates = self.fates
        agents = counted(fates.book.game.grid.size, "agent")
        views = f"all views of {agents}"
        if fates.undecided:
            views = f"not all views of {agents}, so not decided: {listed(fates.undecided, 6)}"
        elif fates.unsure:
            views = f"as many views of {agents} as it takes to know what every rule is for"
        every = fates.legal is not None
        legal = "all legal positions" if every else "what can't be legal only as far as an agent can tell"
        return f"{views}; {legal}"

    def section(self, rule: BoundRule) -> Section:
        """The heading of a rule, with its rules."""
        return next(section for section in self.table.sections if ", ".join(section.roles) == rule.role)

    def spanned(self, span: Span) -> str:
        """The text of a stretch of the table."""
        return self.source.text.split("\n")[span.line - 1][span.column - 1 : span.end - 1]

    def named(self, outlooks: Iterable[Outlook]) -> str:
        """Some kinds of agents, in words."""
        grid = self.fates.book.game.grid
        roles = list(dict.fromkeys(grid.role(outlook.cell) for outlook in outlooks))
        return listed([f"the {role} cells" if role != "center" else "the center" for role in roles])
