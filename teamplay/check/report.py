"""The report on a table: what is wrong with it, what is suspicious, and what was looked at."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from teamplay.check.allow import silenced
from teamplay.check.codes import DEAD, UNUSED_ALLOW, findings
from teamplay.check.fates import Fates
from teamplay.check.findings import Finding, with_edits
from teamplay.check.inspection import Inspection
from teamplay.check.legal import boards
from teamplay.check.ties import ties
from teamplay.game import Game
from teamplay.language import Rulebook, Source, TableError, read_rulebook
from teamplay.language.diagnostics import Diagnostic, Edit
from teamplay.language.parser import read_table
from teamplay.language.tree import Table
from teamplay.show.words import listed

MOST_FIXED = 20  # errors for which a fix is tried
MOST_GAMES = 8  # of those that a table names


@dataclass(frozen=True)
class Report:
    """The findings of one table, in the order of the file."""

    source: Source
    findings: tuple[Diagnostic, ...]
    allowed: tuple[Diagnostic, ...] = ()
    games: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()  # what was looked at, and what was not, a line for each game
    error: str = ""  # why there is no text to look at

    @property
    def readable(self) -> bool:
        """Whether the table has no errors."""
        return not self.error and not any(one.severity == "error" for one in self.findings)

    @property
    def clean(self) -> bool:
        """Whether nothing worse than a note was found."""
        return all(one.severity == "note" for one in self.findings)


def check(source: Source, game: Game | None = None, thorough: bool = True) -> Report:
    """All diagnostics and findings of a text, saved or not, for one game or all that it names.

    Without `thorough` legal positions are not enumerated and ties not looked for: quick enough for every keystroke.
    """
    try:
        books = _books(source, game)
    except TableError as error:
        return Report(source, tuple(_with_fixes(source, game, error.diagnostics)))
    table = read_table(source).table
    parts = [_part(source, table, book, thorough) for book in books]
    found = list(_joined([part for part, _ in parts]))
    left, quiet = silenced(source.text, found)
    if game is not None and (others := _other_games(source, table, game)):
        left = [_only_here(one, game, others) for one in left]
    scope = tuple(looked for _, looked in parts)
    games = tuple(str(book.game) for book in books)
    return Report(source, _in_order(left), _in_order(quiet), games, scope)


def _books(source: Source, game: Game | None) -> list[Rulebook]:
    """The table bound to the wanted game, or to all that it names."""
    first = read_rulebook(source, game)
    if game is not None:
        return [first]
    others = read_table(source).table.games[1:MOST_GAMES]
    return [first, *(read_rulebook(source, source.load_game(spec)) for spec in others)]


def _other_games(source: Source, table: Table, game: Game) -> list[str]:
    """The games that a table names besides the one that was asked for; a name alone is its default size."""
    return [spec for spec in table.games if source.load_game(spec) != game]


def _only_here(one: Diagnostic, game: Game, others: list[str]) -> Diagnostic:
    """What is dead on one board alone is no more than a note, and nothing to take out: it may serve the others."""
    if not isinstance(one, Finding) or one.code not in (*DEAD, UNUSED_ALLOW):
        return one
    help = f"nothing, if it serves {listed([f'`{spec}`' for spec in others])}; `check` without --game looks at all"
    return replace(one, severity="note", message=f"{one.message} (on {game})", help=help, fix=())


def _part(source: Source, table: Table, book: Rulebook, thorough: bool) -> tuple[list[Finding], str]:
    """The findings for one game, and what was looked at."""
    fates = Fates(book, None)
    if thorough and fates.takes_boards:
        fates.legal = boards(book.game)
    judged = ties(book) if thorough else None
    inspection = Inspection(source, table, fates.study(), judged)
    where = f"the ties in {judged.basis}" if judged else f"no ties{', for it is too large' if thorough else ''}"
    return list(findings(inspection)), f"{book.game}: {inspection.scope}; {where}"


def _joined(parts: Sequence[Sequence[Finding]]) -> Iterator[Finding]:
    """The findings for all games: what is dead must be so in each, the rest is reported once."""
    dead = [{one.about for one in part if one.code in DEAD} for part in parts]
    reported = set()
    for part in parts:
        for one in part:
            if one.code in DEAD and not all(one.about in places for places in dead):
                continue
            key = one.about if one.code in DEAD else (one.code, one.span)
            if key not in reported:
                yield one
        reported |= {one.about if one.code in DEAD else (one.code, one.span) for one in part}


def _in_order(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda one: (one.span.line, one.span.column, one.code)))


def _with_fixes(source: Source, game: Game | None, found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Errors, each with the edit that its help proposes if that removes an error."""
    for place, one in enumerate(found):
        match = re.fullmatch(r"(?:write|type) `([^`…]+)`", one.help) if place < MOST_FIXED else None
        if match:
            edit = Edit(one.span.line, one.span.column, one.span.line, one.span.end, match[1])
            if len(_errors(Source(source.path, with_edits(source.text, (edit,))), game)) < len(found):
                yield replace(one, fix=(edit,))
                continue
        yield one


def _errors(source: Source, game: Game | None) -> Sequence[Diagnostic]:
    try:
        _books(source, game)
    except TableError as error:
        return error.diagnostics
    return ()
