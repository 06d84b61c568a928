"""The language server: what an editor shows of a table while it is typed.

Errors are reported at once. What `check` finds takes longer: a process of its own looks for it when the typing has
paused, and is ended by the next change.
"""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from teamplay import __version__
from teamplay.check.codes import DEAD
from teamplay.check.findings import Finding
from teamplay.editors.hover import Outline, hover
from teamplay.editors.look import OUT_OF_TIME
from teamplay.editors.page import Page
from teamplay.language import Diagnostic, Source, TableError, read_rulebook
from teamplay.language.diagnostics import Edit, Span
from teamplay.language.layout import Refusal, laid_out

AT_ONCE, PAUSE = 0.05, 0.4  # seconds without typing, before a text is read, and before it is checked
LONGEST_ANSWER = 1 << 24  # bytes
SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


@dataclass
class Opened:
    """A table in an editor: its text, and what was found in just this text."""

    uri: str
    version: int | None
    source: Source
    page: Page
    stale: bool  # does the editor show errors of an earlier text, or nothing at all yet?
    found: tuple[Diagnostic, ...] = ()
    looking: "asyncio.Task[None] | None" = None

    @cached_property
    def outline(self) -> Outline:
        return Outline.of(self.source)

    def range(self, line: int, column: int, end_line: int, end: int) -> types.Range:
        start, stop = self.page.position(line, column), self.page.position(end_line, end)
        return types.Range(types.Position(*start), types.Position(*stop))

    def spanned(self, span: Span) -> types.Range:
        return self.range(span.line, span.column, span.line, span.end)

    def edited(self, edit: Edit) -> types.TextEdit:
        return types.TextEdit(self.range(edit.line, edit.column, edit.end_line, edit.end), edit.text)

    def shown(self, one: Diagnostic) -> types.Diagnostic:
        """A finding as an editor shows it."""
        return types.Diagnostic(
            range=self.spanned(one.span),
            message=_told(one),
            severity=SEVERITIES[one.severity],
            code=one.code or None,
            source="teamplay",
            tags=[types.DiagnosticTag.Unnecessary] if one.code in DEAD else None,
        )


def _told(one: Diagnostic) -> str:
    """A finding in a paragraph, and whether everything was looked at."""
    label = one.label if one.label not in ("", "here") else ""
    basis = ""
    if isinstance(one, Finding) and one.basis:
        basis = f"{'exact' if one.exact else 'bounded'}: looked at {one.basis}"
    return "\n".join(filter(None, [one.message, label, *one.notes, basis, f"help: {one.help}" if one.help else ""]))


@dataclass
class Desk:
    """All tables that are open; the one place with state."""

    server: LanguageServer
    seconds: float
    opened: dict[str, Opened] = field(default_factory=dict)

    def look(self, uri: str) -> None:
        """A text was opened, changed or saved."""
        document = self.server.workspace.get_text_document(uri)
        if document.language_id == "team-scene" or uri.endswith(".scene"):
            return
        before = self.opened.pop(uri, None)
        if before and before.looking:
            before.looking.cancel()
        units = types.PositionEncodingKind(self.server.workspace.position_encoding or "utf-16")
        page = Page(document.source, units.value)
        name = document.filename or "untitled"
        stale = before is None or before.stale or any(one.severity == "error" for one in before.found)
        now = Opened(uri, document.version, Source(name, page.text, str(Path(document.path).parent)), page, stale)
        now.looking = asyncio.get_running_loop().create_task(self._find(now))
        self.opened[uri] = now

    def close(self, uri: str) -> None:
        gone = self.opened.pop(uri, None)
        if gone and gone.looking:
            gone.looking.cancel()
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def _find(self, table: Opened) -> None:
        """What is wrong at once, the rest when nobody has typed for a while."""
        await asyncio.sleep(AT_ONCE)
        found = _errors(table.source)
        if found or table.stale:  # else the findings of the last text stay until there are new ones
            self._publish(table, found)
        await asyncio.sleep(PAUSE)
        await self._check(table)

    async def _check(self, table: Opened) -> None:
        """Let another process look at the text; when this task is cancelled it ends."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "teamplay.editors.look", str(self.seconds)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_ANSWER,
        )
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps([table.source.path, table.source.text, table.source.folder]).encode())
            process.stdin.close()
            async for line in process.stdout:
                self._publish(table, [_read(one) for one in json.loads(line)])
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if code == OUT_OF_TIME:
            self._publish(table, [*table.found, self._unfinished()])
        elif code:
            self.server.window_log_message(
                types.LogMessageParams(types.MessageType.Error, f"The check of {table.source.path} failed ({code}).")
            )

    def _unfinished(self) -> Diagnostic:
        message = f"not everything was looked at in {self.seconds:g} seconds"
        help = "`teamplay check` takes the time it needs, and `teamplay lsp --seconds` allows more"
        return Diagnostic("", Span(1, 1, 1), message, help=help, severity="note")

    def _publish(self, table: Opened, found: Sequence[Diagnostic]) -> None:
        table.found, table.stale = tuple(found), False
        shown = [table.shown(one) for one in found]
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(table.uri, shown, version=table.version)
        )

    def hover(self, uri: str, where: types.Position) -> types.Hover | None:
        """The place in words."""
        table = self.opened.get(uri)
        said = table and hover(table.outline, *table.page.place(where.line, where.character))
        if not table or not said:
            return None
        text, span = said
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), table.spanned(span))

    def format(self, uri: str) -> list[types.TextEdit] | None:
        """The whole text anew, as `teamplay fmt` would write it; nothing if it can't be read or is well laid out."""
        table = self.opened.get(uri)
        if not table:
            return None
        try:
            text = laid_out(table.source)
        except TableError:
            return None  # its errors are shown already
        except Refusal as refusal:
            self.server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, str(refusal)))
            return None
        if text == table.source.text:
            return None
        lines = table.page.lines
        whole = table.range(1, 1, len(lines), len(lines[-1]) + 1)
        return [types.TextEdit(whole, text.replace("\n", table.page.ending))]

    def fixes(self, uri: str, where: types.Range) -> list[types.CodeAction]:
        """The quick fixes of what was found in this stretch."""
        table = self.opened.get(uri)
        if not table:
            return []
        first, last = where.start.line + 1, where.end.line + 1
        return [
            types.CodeAction(
                title=one.help or "fix it",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[table.shown(one)],
                is_preferred=True,
                edit=types.WorkspaceEdit(changes={uri: [table.edited(edit) for edit in one.fix]}),
            )
            for one in table.found
            if one.fix and first <= one.span.line <= last
        ]

    def symbols(self, uri: str) -> list[types.DocumentSymbol]:
        """The headings with their rules, and the names from `let`."""
        table = self.opened.get(uri)
        if not table:
            return []
        outline = table.outline
        found = [_symbol(table, let.name, types.SymbolKind.Variable, let.span, let.span) for let in outline.table.lets]
        for section in outline.table.sections:
            rules = [named for named in outline.rules if named.section is section]
            last = max([section.span, *(named.rule.span for named in rules)], key=lambda span: (span.line, span.end))
            heading = _symbol(table, ", ".join(section.roles), types.SymbolKind.Class, section.span, last)
            heading.children = [
                _symbol(table, named.name, types.SymbolKind.Function, named.rule.span, named.rule.span)
                for named in rules
            ]
            found.append(heading)
        return found


def _symbol(table: Opened, name: str, kind: types.SymbolKind, first: Span, last: Span) -> types.DocumentSymbol:
    whole = table.range(first.line, first.column, last.line, last.end)
    return types.DocumentSymbol(name, kind, whole, table.spanned(first))


def _errors(source: Source) -> Sequence[Diagnostic]:
    try:
        read_rulebook(source)
    except TableError as error:
        return error.diagnostics
    return ()


def _read(one: dict[str, Any]) -> Finding:
    """A finding from the JSON of `check`."""
    return Finding(
        code=one["code"],
        span=Span(one["line"], one["column"], one["end"]),
        message=one["message"],
        label=one["label"],
        help=one["help"],
        severity=one["level"],
        notes=tuple(one["notes"]),
        fix=tuple(Edit(**edit) for edit in one["fix"] or ()),
        exact=one["exact"],
        basis=one["basis"],
    )


def made(seconds: float) -> LanguageServer:
    """A server that knows tables; whole texts are sent, for they are small."""
    server = LanguageServer("teamplay", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
    desk = Desk(server, seconds)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def changed(params: Any) -> None:
        desk.look(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        desk.close(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(params: types.HoverParams) -> types.Hover | None:
        return desk.hover(params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        return desk.format(params.text_document.uri)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def asked(params: types.CodeActionParams) -> list[types.CodeAction]:
        return desk.fixes(params.text_document.uri, params.range)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        return desk.symbols(params.text_document.uri)

    return server


def serve(seconds: float) -> None:
    """Serve one editor over standard input and output until it leaves."""
    wire = os.fdopen(os.dup(sys.stdout.fileno()), "wb")  # pygls closes it in the end
    with contextlib.redirect_stdout(sys.stderr):  # whatever is printed is no message
        made(seconds).start_io(sys.stdin.buffer, wire)
