"""Everything there is to say about a table: what is wrong with it, what is suspicious, and what was looked at."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from teamplay.check.allow import silenced
from teamplay.check.fates import Fates
from teamplay.check.findings import DEAD, Finding, mended
from teamplay.check.legal import boards
from teamplay.check.roles import Roles
from teamplay.check.rules import Inspection, looked_at
from teamplay.check.ties import Tie, Ties, ties
from teamplay.game import SEATS, Game
from teamplay.game_file import load_game
from teamplay.language import Rulebook, Source, TableError, read_rulebook
from teamplay.language.diagnostics import Diagnostic, Edit
from teamplay.language.parser import read_table
from teamplay.language.tree import Table
from teamplay.show.picture import drawing
from teamplay.show.words import listed, move_name

MOST_MENDED = 20  # errors for which a mend is tried
WORDS = {1: "wins", 0: "draws", -1: "loses"}
PLURAL = {1: "win", 0: "draw", -1: "lose"}
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
        return Report(source, tuple(_with_mends(source, game, error.diagnostics)))
    table = read_table(source).table
    parts = [_part(source, table, book, thorough) for book in books]
    found = list(_joined([findings for findings, _ in parts]))
    left, quiet = silenced(source.text, found)
    scope = tuple(looked for _, looked in parts)
    games = tuple(str(book.game) for book in books)
    return Report(source, _in_order(left), _in_order(quiet), games, scope)


def _books(source: Source, game: Game | None) -> list[Rulebook]:
    """The table bound to the wanted game, or to all that it names."""
    first = read_rulebook(source, game)
    if game is not None:
        return [first]
    others = read_table(source).table.games[1:MOST_GAMES]
    return [first, *(read_rulebook(source, load_game(spec)) for spec in others)]


def _part(source: Source, table: Table, book: Rulebook, thorough: bool) -> tuple[list[Finding], str]:
    """The findings for one game, and what was looked at."""
    fates = Fates(book, None)
    if thorough and fates.takes_boards:
        fates.legal = boards(book.game)
    inspection = Inspection(source, table, fates.study())
    found = [*inspection.findings(), *Roles(inspection).findings()]
    judged = ties(book) if thorough else None
    where = f"the ties in {judged.basis}" if judged else f"no ties{', for it is too large' if thorough else ''}"
    if judged:
        found += [_tie(inspection, tie, judged) for tie in judged.found]
    return found, f"{book.game}: {looked_at(fates)}; {where}"


def _tie(inspection: Inspection, tie: Tie, judged: Ties) -> Finding:
    book = inspection.fates.book
    game, position = book.game, tie.position
    best, worst = max(value for _, value in tie.values), min(value for _, value in tie.values)
    board = drawing(game.seen(position).replace("b", "."), game.grid)
    kinds = []
    for worth in sorted({value for _, value in tie.values}, reverse=True):
        names = [move_name(game, move) for move, value in tie.values if value == worth]
        kinds.append(f"{listed(names, 4)} {WORDS[worth] if len(names) == 1 else PLURAL[worth]}")
    seat = SEATS[position.seat]
    notes = (f"on {board}, moving {seat}, these tie: {'; '.join(kinds)}",)
    message = f"a tie that changes the result: one choice {WORDS[best]}, another {WORDS[worst]}"
    if tie.rule:
        span, label = tie.rule.span, "the worst of the tied cells answers by this"
    else:
        silent = next(move.cell for move, value in tie.values if value == worst)
        rules = book.rules(silent)
        heading = inspection.section(rules[-1]) if rules else inspection.table.sections[-1]
        span, label = heading.span, "the worst of the tied cells is silent"
    help = "tell the cells apart by another condition, or give the better one a smaller number"
    return Finding("T109", span, message, label, help, notes=notes, exact=judged.exact, basis=judged.basis)


def _joined(parts: Sequence[Sequence[Finding]]) -> Iterator[Finding]:
    """The findings for all games: what is dead must be so in each, the rest is told once."""
    dead = [{one.about for one in part if one.code in DEAD} for part in parts]
    told = set()
    for part in parts:
        for one in part:
            if one.code in DEAD and not all(one.about in places for places in dead):
                continue
            key = one.about if one.code in DEAD else (one.code, one.span)
            if key not in told:
                yield one
        told |= {one.about if one.code in DEAD else (one.code, one.span) for one in part}


def _in_order(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda one: (one.span.line, one.span.column, one.code)))


def _with_mends(source: Source, game: Game | None, found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Errors, with the edit that their help proposes where it helps indeed."""
    for place, one in enumerate(found):
        match = re.fullmatch(r"(?:write|type) `([^`…]+)`", one.help) if place < MOST_MENDED else None
        if match:
            edit = Edit(one.span.line, one.span.column, one.span.line, one.span.end, match[1])
            if len(_errors(Source(source.path, mended(source.text, (edit,))), game)) < len(found):
                yield replace(one, fix=(edit,))
                continue
        yield one


def _errors(source: Source, game: Game | None) -> Sequence[Diagnostic]:
    try:
        _books(source, game)
    except TableError as error:
        return error.diagnostics
    return ()
