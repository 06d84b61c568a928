"""`teamplay lsp`, driven over standard input and output as an editor does."""

import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from teamplay.check.findings import with_edits
from teamplay.cli import main
from teamplay.editors.page import Page
from teamplay.language import Source, TableError, load_source, read_rulebook
from teamplay.language.diagnostics import Edit
from teamplay.language.layout import laid_out

PATIENCE = 60.0  # seconds, on a busy machine
AT_A_TIME = 4  # prefixes that are open; closed before a check of them begins
Message = dict[str, Any]


class Editor:
    """The other end of the wire: frames messages, keeps notifications, waits for answers."""

    def __init__(self, *options: str, encodings: tuple[str, ...] = ()) -> None:
        command = [sys.executable, "-m", "teamplay", "lsp", *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.numbers = itertools.count(1)
        self.incoming: queue.Queue[Message] = queue.Queue()
        self.notes: list[Message] = []
        self.complaints: list[bytes] = []
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._overhear, daemon=True).start()
        general = {"positionEncodings": list(encodings)} if encodings else {}
        answer = self.ask(
            "initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {"general": general}}
        )
        self.abilities = answer["capabilities"]
        self.tell("initialized", {})

    def _listen(self) -> None:
        out = self.process.stdout
        assert out
        while header := out.readline():
            size = int(header.removeprefix(b"Content-Length:"))
            while out.readline().strip():
                pass
            self.incoming.put(json.loads(out.read(size)))

    def _overhear(self) -> None:
        assert self.process.stderr
        self.complaints.extend(self.process.stderr)

    def send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0"} | message).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method: str, params: Message) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Message | None) -> Any:
        number = next(self.numbers)
        self.send({"id": number, "method": method, "params": params})
        while True:
            message = self.incoming.get(timeout=PATIENCE)
            if message.get("id") == number:
                assert "error" not in message, message["error"]
                return message["result"]
            self.notes.append(message)

    def wait(self, wanted: Callable[[Message], bool]) -> Message:
        """The first notification that is wanted, among those that came and those to come."""
        for place, note in enumerate(self.notes):
            if wanted(note):
                return self.notes.pop(place)
        while not wanted(note := self.incoming.get(timeout=PATIENCE)):
            self.notes.append(note)
        return note

    def open(self, text: str, uri: str, language: str = "team") -> None:
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def change(self, text: str, uri: str, version: int) -> None:
        document = {"uri": uri, "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def close(self, uri: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def about(self, uri: str, method: str, **more: Any) -> Any:
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, **more})

    def hover(self, uri: str, line: int, character: int) -> Any:
        return self.about(uri, "hover", position={"line": line, "character": character})

    def format(self, uri: str) -> Any:
        return self.about(uri, "formatting", options={"tabSize": 4, "insertSpaces": True})

    def found(self, uri: str, version: int = 1, code: str | None = None) -> list[Message]:
        """The next diagnostics of a version; with a code, the first that have it."""

        def wanted(note: Message) -> bool:
            params = note.get("params", {})
            same = params.get("uri") == uri and params.get("version") == version
            return same and (code is None or code in [one.get("code") for one in params["diagnostics"]])

        found: list[Message] = self.wait(wanted)["params"]["diagnostics"]
        return found

    def leave(self) -> int:
        self.ask("shutdown", None)
        self.send({"method": "exit"})
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    editor = Editor()
    try:
        yield editor
        assert editor.process.poll() is None, b"".join(editor.complaints).decode()
    finally:
        editor.kill()


@pytest.fixture(scope="module")
def hasty() -> Iterator[Editor]:
    """An editor that counts bytes, has no time for checks, and leaves in the middle of one."""
    editor = Editor("--seconds", "0.1", encodings=("utf-8",))
    try:
        yield editor
        editor.open("return 1\n", "untitled:last")
        editor.found("untitled:last")
        assert editor.leave() == 0
        assert not editor.complaints, b"".join(editor.complaints).decode()
    finally:
        editor.kill()


@pytest.fixture
def uri(editor: Editor, request: pytest.FixtureRequest) -> Iterator[str]:
    """A document of a test's own, not saved anywhere, closed in the end."""
    name = f"untitled:{request.node.name}"
    yield name
    editor.close(name)


def edited(text: str, edits: list[Message], units: str = "utf-16") -> str:
    """A text after an editor has applied the edits of a server."""
    page = Page(text, units)
    made = []
    for edit in edits:
        start, end = edit["range"]["start"], edit["range"]["end"]
        first, last = page.place(start["line"], start["character"]), page.place(end["line"], end["character"])
        made.append(Edit(*first, *last, edit["newText"]))
    return with_edits(page.text, tuple(made))


def test_the_server_says_what_it_can(editor: Editor) -> None:
    assert editor.abilities["hoverProvider"]
    assert editor.abilities["documentFormattingProvider"]
    assert editor.abilities["documentSymbolProvider"]
    assert editor.abilities["codeActionProvider"]["codeActionKinds"] == ["quickfix"]


def test_errors_are_told_where_they_are_and_go_when_they_are_mended(editor: Editor, uri: str) -> None:
    editor.open("everyone:\n    return bar\n", uri)
    (error,) = editor.found(uri)
    assert error["range"] == {"start": {"line": 1, "character": 11}, "end": {"line": 1, "character": 14}}
    assert (error["code"], error["severity"], error["source"]) == ("T004", 1, "teamplay")
    assert "`bar` is not known here" in error["message"] and "help: the names are" in error["message"]
    editor.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert editor.found(uri) == [error]
    editor.change("everyone:\n    return ba\n", uri, 2)
    editor.change("everyone:\n    return 1\n", uri, 3)  # before the second text was read
    assert editor.found(uri, 3) == []


def test_columns_are_counted_in_the_units_of_the_editor(editor: Editor, hasty: Editor, uri: str) -> None:
    """A die is one character, but two units of UTF-16: a fault behind one lies two units further."""
    editor.open("🎲🎲 return 1", uri)
    (error,) = editor.found(uri)
    assert (error["code"], error["range"]["end"]["character"]) == ("T002", 2)
    assert hasty.abilities["positionEncoding"] == "utf-8"
    hasty.open("🎲🎲 return 1", uri)
    assert hasty.found(uri)[0]["range"]["end"]["character"] == 4


def test_what_check_finds_follows_and_a_quick_fix_mends_it(editor: Editor, uri: str) -> None:
    text = "game sos-line\r\neveryone:\r\n    return 1 play S with chance 100%\r\n"
    editor.open(text, uri)
    chance = next(one for one in editor.found(uri, code="T110") if one["code"] == "T110")
    assert chance["severity"] == 2
    where = {"range": chance["range"], "context": {"diagnostics": [chance]}}
    actions = [one for one in editor.about(uri, "codeAction", **where) if one["diagnostics"][0]["code"] == "T110"]
    assert [one["kind"] for one in actions] == ["quickfix"]
    mended_text = edited(text, actions[0]["edit"]["changes"][uri])
    assert mended_text == "game sos-line\neveryone:\n    return 1 play S\n"
    editor.change(mended_text, uri, 2)
    assert editor.about(uri, "codeAction", **where) == [], "the text is another now"


def test_a_misspelt_word_has_a_quick_fix(editor: Editor, uri: str) -> None:
    text = "# 🎲\nif n(xx) >= 1 then retrun 1\nreturn 2\n"
    editor.open(text, uri)
    first = editor.found(uri)
    assert [one["code"] for one in first] == ["T001"]
    assert editor.found(uri) == first  # told again, now with its mend
    (action,) = editor.about(uri, "codeAction", range=first[0]["range"], context={"diagnostics": first})
    assert action["title"] == "write `return`"
    assert edited(text, action["edit"]["changes"][uri]) == text.replace("retrun", "return")


def test_hover_tells_the_pattern_and_what_a_rule_leaves_unsaid(editor: Editor, uri: str) -> None:
    editor.open(load_source("tic-tac-toe/figure-9").text, uri)
    line = load_source("tic-tac-toe/figure-9").text.split("\n").index("    preempt: if n(ob) >= 2 then return 2")
    told = editor.hover(uri, line, 17)
    assert told["contents"]["kind"] == "markdown"
    pattern, _, rule = told["contents"]["value"].partition("\n\n")
    assert pattern == (
        "`n(ob)`: the lines of 3 cells through my cell whose other cells hold 1 of theirs and 1 blank, in any order."
    )
    assert rule == (
        "**preempt** (everyone) answers `2` if at least 2 lines through my cell have 1 of theirs and 1 blank, "
        "and none of the rules above it answers:\n\n- `block`, if `n(oo) >= 1`"
    )
    assert told["range"] == {"start": {"line": line, "character": 16}, "end": {"line": line, "character": 21}}
    assert editor.hover(uri, 0, 3) is None
    assert editor.hover(uri, 999, 0) is None


def test_formatting_is_that_of_fmt(editor: Editor, uri: str) -> None:
    text = "corner:if n(oo)≥1 then return 1 return  2 # calm\n"
    editor.open(text, uri)
    assert edited(text, editor.format(uri)) == laid_out(Source("a.team", text))
    editor.change(laid_out(Source("a.team", text)), uri, 2)
    assert not editor.format(uri), "well laid out"
    editor.change("corner: retrun 1", uri, 3)
    assert not editor.format(uri), "not a table"
    editor.change("return  1\r\n", uri, 4)
    (edit,) = editor.format(uri)
    assert edit["newText"] == "return 1\r\n"


def test_symbols_are_the_headings_with_their_rules(editor: Editor, uri: str) -> None:
    editor.open(
        "let ee = bb | ox\ncorner:\n    win: if n(xx) >= 1 then return 1\n    return 2\nothers: return 3\n", uri
    )
    let, *headings = editor.about(uri, "documentSymbol")
    assert let["name"] == "ee"
    assert [(one["name"], [child["name"] for child in one["children"]]) for one in headings] == [
        ("corner", ["win", "corner 2"]),
        ("others", ["others 1"]),
    ]
    assert headings[0]["range"]["end"] == {"line": 3, "character": 12}


def test_a_check_that_takes_too_long_is_ended_and_says_so(hasty: Editor, uri: str) -> None:
    hasty.open("return 1\n", uri)
    said = next(found for _ in range(4) if (found := hasty.found(uri)) and found[0]["severity"] == 3)
    assert "not everything was looked at in 0.1 seconds" in said[0]["message"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n" * 6000,
        "x" * 300_000,
        "if " + "(" * 5000,
        "game no-such-game\nreturn 1",
        "game missing.toml\nreturn 1",
        "game mnk(m=0)\nreturn 1",
        "return 1\ud800\x00",
    ],
    ids=["empty", "many-lines", "one-long-line", "deep", "no-game", "no-file", "bad-game", "surrogate"],
)
def test_whatever_is_opened_errors_are_told_and_questions_answered(editor: Editor, uri: str, text: str) -> None:
    editor.open(text, uri)
    assert editor.found(uri), "none of these is a table"
    for line, character in ((0, 0), (0, 10**6), (10**6, 0)):
        editor.hover(uri, line, character)
    editor.format(uri)
    editor.about(uri, "documentSymbol")


def test_a_byte_order_mark_is_no_error(editor: Editor, uri: str) -> None:
    editor.open("\ufeffreturn bar", uri)
    (error,) = editor.found(uri)
    assert (error["code"], error["range"]["start"]["character"]) == ("T004", 8)


def test_scenes_are_left_alone(editor: Editor) -> None:
    editor.open('scene "a"', "file:///a.scene", "team-scene")
    assert editor.hover("file:///a.scene", 0, 0) is None
    assert not editor.format("file:///a.scene")


def test_every_prefix_of_a_table_can_be_typed(editor: Editor) -> None:
    """Each is read, hovered, outlined and laid out; the server tells what is wrong where something is, and lives."""
    text = load_source("tic-tac-toe/figure-13").text
    text = text[text.index("game") :]
    for size in range(0, len(text) + 1, AT_A_TIME):
        prefixes = {f"untitled:{end}": text[:end] for end in range(size, min(size + AT_A_TIME, len(text) + 1))}
        for uri, prefix in prefixes.items():
            editor.open(prefix, uri)
            editor.hover(uri, prefix.count("\n"), max(0, len(prefix.rpartition("\n")[2]) - 1))
            editor.about(uri, "documentSymbol")
            editor.format(uri)
        for uri, prefix in prefixes.items():
            assert bool(editor.found(uri)) == (not readable(prefix)), prefix
            editor.close(uri)


def readable(text: str) -> bool:
    try:
        read_rulebook(Source("a.team", text))
    except TableError:
        return False
    return True


def test_without_pygls_there_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("teamplay.cli.lsp.find_spec", lambda name: None)
    assert main(["lsp"]) == 2
    assert capsys.readouterr().err == (
        "teamplay: `teamplay lsp` needs pygls; install it with `pip install 'teamplay[lsp]'`.\n"
    )
