"""Every example in README.md and docs/*.md is run; a page that says something else than the program does fails.

A page runs from top to bottom in an empty folder. What stands between ``` fences is

- a file, if its first line is `# file: NAME` (toml, team, scene): written to the folder; a table must also load
- `team`: a table, which must load for the game it names
- `team error`: a table that must fail, for the code in its last comment and nothing else
- `python`: a doctest; all of a page share their names
- `console`: lines after `$ ` are commands (`teamplay …`, `cat FILE`, `echo $?`), and what follows is what they print; a
  line `...` stands for any lines
- `text` and `sh`: not run

`python -m tests.test_docs PAGE…` writes what the commands print into a page.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

import pytest

from teamplay.cli import main
from teamplay.language import Source, TableError, read_rulebook

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
FENCE = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
WIDTH = "80"
NEEDS = {"interop.md": ("pettingzoo", "pyspiel")}  # libraries without which a page can't be followed


@dataclass(frozen=True)
class Block:
    """What stands between two fences, and where."""

    kind: str
    text: str
    place: str  # page and line

    @property
    def file(self) -> str:
        match = re.match(r"# file: ([\w./-]+)\n", self.text)
        return match[1] if match else ""


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, from top to bottom."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        _, kind, inside = match.groups()
        yield Block(kind.strip(), dedent(inside), f"{page.name}:{text.count(chr(10), 0, match.start()) + 1}")


@dataclass
class Reader:
    """Somebody who does, in the current folder, all that a page says."""

    names: dict[str, object] = field(default_factory=dict)  # of its doctests
    code: int = 0  # of the last command

    def follow(self, block: Block) -> None:
        if block.file:
            assert block.kind in ("toml", "team", "team error", "scene"), (
                f"{block.place}: a file of kind `{block.kind}`"
            )
            Path(block.file).write_text(block.text, encoding="utf-8")
        match block.kind:
            case "team":
                read_rulebook(Source(block.place, block.text))
            case "team error":
                self.fails(block)
            case "python":
                self.doctest(block)
            case "console":
                assert same(self.printed(block), block.text), differs(block, self.printed(block))
            case "toml" | "scene":
                assert block.file, f"{block.place}: begin it with `# file: NAME`"
            case kind:
                assert kind in ("text", "sh"), (
                    f"{block.place}: `{kind}` is not a kind of block that is run, nor text or sh"
                )

    def fails(self, block: Block) -> None:
        """A table that must be refused for the reason named in its last comment."""
        wanted = re.findall(r"#.*?\b(T\d{3})\b", block.text)
        assert wanted, f"{block.place}: end it with a comment that names a code"
        with pytest.raises(TableError) as caught:
            read_rulebook(Source(block.place, block.text))
        assert {one.code for one in caught.value.diagnostics} == {wanted[-1]}, str(caught.value)

    def doctest(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(block.text, self.names, block.place, block.place, 0)
        assert test.examples, f"{block.place}: a python block is a doctest, with >>>"
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        runner.run(test, out=report.write, clear_globs=False)
        self.names.update(test.globs)
        assert not runner.failures, report.getvalue()

    def printed(self, block: Block) -> str:
        """The commands of a block, each with what it prints."""
        commands = re.findall(r"^\$ (.*)\n", block.text, re.MULTILINE)
        assert commands and block.text.startswith("$ "), f"{block.place}: a console block begins with `$ `"
        return "".join(f"$ {command}\n{self.run(command, block.place)}" for command in commands)

    def run(self, command: str, place: str) -> str:
        match shlex.split(command):
            case ["teamplay", *arguments]:
                return self.teamplay(arguments)
            case ["cat", name]:
                return Path(name).read_text(encoding="utf-8")
            case ["echo", "$?"]:
                return f"{self.code}\n"
        raise AssertionError(f"{place}: `{command}` is not a command that is run")

    def teamplay(self, arguments: list[str]) -> str:
        """What the program prints, as `python -m teamplay` would."""
        screen = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with contextlib.redirect_stdout(screen), contextlib.redirect_stderr(screen):
            try:
                self.code = main(arguments)
            except SystemExit as leaving:  # argparse
                self.code = leaving.code if isinstance(leaving.code, int) else 1
        screen.seek(0)
        return screen.read()


def same(printed: str, written: str) -> bool:
    """Whether a page tells what was printed: `...` stands for any lines, spaces at the end of one for nothing."""
    lines = [line.rstrip() for line in written.rstrip().split("\n")]
    pattern = "\n".join(r"(?:.*\n)*?.*" if line == "..." else re.escape(line) for line in lines)
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed.rstrip().split("\n"))) is not None


def differs(block: Block, printed: str) -> str:
    return f"{block.place} says\n\n{block.text}\nbut this is printed:\n\n{printed}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, a terminal of 80 columns without colours, and `teamplay` where engines look for it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", WIDTH)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_says_what_the_program_does(page: Path, folder: None) -> None:
    for library in NEEDS.get(page.name, ()):
        pytest.importorskip(library)
    reader = Reader()
    for block in blocks(page):
        reader.follow(block)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_fence_is_closed_and_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "```" not in FENCE.sub("", text)
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", FENCE.sub("", text)):
        assert link.startswith(("http://", "https://")) or (page.parent / link).exists(), link


def test_the_harness_notices_what_is_wrong(folder: None) -> None:
    """A test of the test: each of these blocks must be refused."""
    for kind, text in [
        ("python", ">>> 1 + 1\n3\n"),
        ("python", "print(1)\n"),
        ("console", "$ teamplay games nonsense\nall is well\n"),
        ("console", "$ rm -rf /\n"),
        ("team", "retrun 1\n"),
        ("team error", "return 1\n# T001\n"),
        ("team error", "retrun 1\n# T002\n"),
        ("toml", "board = [3, 3]\n"),
        ("rust", "fn main() {}\n"),
    ]:
        with pytest.raises((AssertionError, TableError, pytest.fail.Exception)):
            Reader().follow(Block(kind, text, "here"))
    assert same("a\nb \nc\n", "a\n...\nc")
    assert not same("a\nb\n", "a\n")


def rewrite(page: Path) -> None:
    """Put what the commands print into a page; blocks that say `...` stay."""
    reader, found = Reader(), blocks(page)

    def rewritten(match: re.Match[str]) -> str:
        block = next(found)
        if block.file:
            Path(block.file).write_text(block.text, encoding="utf-8")
        if block.kind != "console" or "\n...\n" in block.text:
            return match[0]
        lines = ["```console", *reader.printed(block).rstrip().split("\n"), "```"]
        return "\n".join(f"{match[1]}{line}".rstrip() for line in lines)

    page.write_text(FENCE.sub(rewritten, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    os.environ |= {"COLUMNS": WIDTH, "NO_COLOR": "1"}
    for name in [Path(argument).resolve() for argument in sys.argv[1:]]:
        with tempfile.TemporaryDirectory() as empty, contextlib.chdir(empty):
            rewrite(name)
