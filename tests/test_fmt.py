"""`teamplay fmt`: one layout, the same tree and comments, and files that are written whole or not at all."""

import io
import os
import stat
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from teamplay import library
from teamplay.cli import main
from teamplay.language import Source, TableError, load_source, parse_table
from teamplay.language.formatter import format_table
from teamplay.language.layout import Refusal, comments, laid_out
from tests.strategies import Scribbler

Capture = pytest.CaptureFixture[str]

MESSY = """\
# Figure 9
if n(oo) \\ge 1 then return 1 if n(ob) ≥ 2 then return 2 # twice
return 3



corner: # c

 1: win : if (n( x x ))>=(1) then return 01 #d
   # the end of the corners
let ee=bb|ox
# of the edges
edge , center :
return n( x b{k-2} )
# last"""

NEAT = """\
# Figure 9
if n(oo) >= 1 then return 1
if n(ob) >= 2 then return 2  # twice
return 3

corner:  # c
    win: if n(xx) >= 1 then return 1  #d
# the end of the corners
let ee = bb | ox

# of the edges
edge, center:
    return n(x b{k-2})
# last
"""


def neat(text: str) -> str:
    return laid_out(Source("test.team", text))


def test_one_layout() -> None:
    assert neat(MESSY) == NEAT
    assert neat(NEAT) == NEAT


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("return 1", "return 1\n"),
        ("\n\n# a\n\n\n# b\nreturn 1\n\n", "# a\n\n# b\nreturn 1\n"),
        ("game tic-tac-toe\nreturn 1", "game tic-tac-toe\n\nreturn 1\n"),
        ("game  tic-tac-toe , misere\ncorner:return 1", "game tic-tac-toe, misere\n\ncorner:\n    return 1\n"),
        ("corner:\n# why\nreturn 1", "corner:\n    # why\n    return 1\n"),
        (
            "corner:\n    return 1\n    # here ends the corner\nedge:\n",
            "corner:\n    return 1\n    # here ends the corner\n\nedge:\n",
        ),
        (
            "corner:\n    return 1\n# here begins the edge\nedge:\n",
            "corner:\n    return 1\n\n# here begins the edge\nedge:\n",
        ),
        ("corner:\n    return 1\n\n\n    return 2", "corner:\n    return 1\n\n    return 2\n"),
        (
            "1: if n(xx) = 1 then return 1\n2: else return 2\n3: end if # done",
            "if n(xx) = 1 then return 1\nreturn 2\n# done\n",
        ),
        ("game mnk\nreturn n(x{k-2}b) + n(b x{ k - 2 })", "game mnk\n\nreturn n(x{k-2} b) + n(b x{k-2})\n"),
        ("sight 4\nreturn n(*x{2}) + n(b{2}*)", "sight 4\n\nreturn n(*x{2}) + n(b{2}*)\n"),
        ("T2:\nreturn 1 -  - 1", "corner:\n    return 1 - -1\n"),
    ],
)
def test_a_layout(text: str, wanted: str) -> None:
    assert neat(text) == wanted


def messed(text: str, chance: Random) -> str:
    """The same table, badly laid out: comments, blanks, indents and joined lines."""
    lines: list[str] = []
    for line in text.split("\n"):
        kind = chance.randrange(6)
        if kind == 0:
            lines.append(chance.choice(["", "  ", f"# {chance.random()}", "   # in", "#", "\t# tab"]))
        if kind == 1:
            line += chance.choice(["   # behind", "#close", "  "])
        if kind == 2:
            line = chance.choice([" ", "\t", ""]) + line.lstrip()
        if kind == 3 and line.startswith("    ") and lines[-1].startswith("    ") and "#" not in lines[-1]:
            line = f"{lines.pop()} {line.strip()}"
        lines.append(line)
    return "\n".join(lines)


def test_random_tables_keep_their_trees_and_comments() -> None:
    for seed in range(60):
        chance = Random(seed)
        tree = Scribbler(chance).table()
        text = format_table(tree)
        assert neat(text) == text, seed
        bad = messed(text, chance)
        good = neat(bad)
        assert parse_table(Source("test.team", good)) == tree, seed
        assert comments(good) == comments(bad), seed
        assert neat(good) == good, seed


@pytest.mark.parametrize("name", library.names(".team"))
def test_shipped_tables_are_laid_out(name: str) -> None:
    source = load_source(name)
    assert laid_out(source) == source.text


def test_what_can_not_be_read_is_refused_with_all_reasons() -> None:
    with pytest.raises(TableError) as caught:
        neat("retrun 1\nreturn 2\nif then")
    assert len(caught.value.diagnostics) == 2


def test_a_line_that_would_grow_too_long_is_refused() -> None:
    text = "if " + " or ".join(["1≥1"] * 75) + " then return " + "+".join(["1000000"] * 50)
    assert len(text) <= 1000
    with pytest.raises(Refusal, match=r"left as it is: laid out, it could not be read \(a line of"):
        neat(text)


def test_an_allow_stays_with_what_it_is_about() -> None:
    text = (
        "center:\n    return 1\n    # allow T106: meant\ncorner: # allow T105: meant\n    if n(xx) >= 1 then return 2"
    )
    assert neat(text) == (
        "center:\n    return 1\n\n# allow T106: meant\ncorner:  # allow T105: meant\n    if n(xx) >= 1 then return 2\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "if n(xx) >= 5 then return 1 return 2 # allow T101: both",
        "# allow T101: both\nif n(xx) >= 5 then return 1 return 2",
        "corner: return 2 # allow T106: of the heading or the rule?",
        "# allow T101: nothing\nend if\nreturn 2",
    ],
)
def test_an_allow_that_would_come_to_mean_something_else_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="the allow in line 1 would not speak of the same; put it right above"):
        neat(text)
    assert neat(text.replace("allow T", "allowed T"))  # any other comment may move


# The command


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.team"
    path.write_text(MESSY, encoding="utf-8")
    return path


def test_files_are_written_and_then_stay(mine: Path, capsys: Capture) -> None:
    mine.chmod(0o640)
    assert main(["fmt", str(mine)]) == 0
    assert mine.read_text(encoding="utf-8") == NEAT
    assert stat.S_IMODE(mine.stat().st_mode) == 0o640
    assert capsys.readouterr().out == f"{mine}: formatted.\n"
    before = mine.stat().st_mtime_ns
    assert main(["fmt", str(mine.parent)]) == 0
    assert mine.stat().st_mtime_ns == before and capsys.readouterr().out == ""
    assert list(mine.parent.iterdir()) == [mine]


def test_a_link_stays_a_link(mine: Path) -> None:
    link = mine.with_name("link.team")
    link.symlink_to(mine)
    assert main(["fmt", str(link)]) == 0
    assert link.is_symlink() and mine.read_text(encoding="utf-8") == NEAT


def test_check_and_diff_write_nothing(mine: Path, capsys: Capture) -> None:
    assert main(["fmt", "--check", str(mine), "tic-tac-toe/figure-15"]) == 1
    assert capsys.readouterr().out == f"{mine}: would change.\n"
    assert main(["fmt", "--diff", str(mine)]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert "-return n( x b{k-2} )" in shown and "+    return n(x b{k-2})" in shown
    assert mine.read_text(encoding="utf-8") == MESSY
    assert main(["fmt", "--check", "tic-tac-toe/figure-15"]) == 0
    assert main(["fmt", "--diff", "tic-tac-toe/figure-15"]) == 0
    assert capsys.readouterr().out == ""


def test_foreign_line_ends_are_a_change(mine: Path, capsys: Capture) -> None:
    mine.write_bytes(NEAT.replace("\n", "\r\n").encode())
    assert main(["fmt", "--check", str(mine)]) == 1
    assert main(["fmt", "--diff", str(mine)]) == 1
    assert "only its line ends or its byte-order mark would change" in capsys.readouterr().out
    assert main(["fmt", str(mine)]) == 0
    assert mine.read_bytes() == NEAT.encode()


def test_a_missing_line_end_and_odd_separators_are_seen_in_the_difference(mine: Path, capsys: Capture) -> None:
    mine.write_text("return 1 # a\u2028b", encoding="utf-8")
    assert main(["fmt", "--diff", str(mine)]) == 1
    said = capsys.readouterr().out.split("\n")
    assert said[3:] == ["-return 1 # a b", "\\ No newline at end of file", "+return 1  # a b", ""]


def test_standard_input_goes_to_standard_output(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def given(data: bytes, *options: str) -> int:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        return main(["fmt", "-", *options])

    assert given(MESSY.encode()) == 0
    assert capsys.readouterr().out == NEAT
    assert given(MESSY.encode(), "--check") == 1
    assert capsys.readouterr().out == "standard input: would change.\n"
    assert given(b"return 1 # \xe4") == 2
    assert capsys.readouterr().err == "teamplay: standard input is not UTF-8 text (line 1, byte 12).\n"


def test_the_text_is_utf_8_whatever_the_terminal_speaks(mine: Path) -> None:
    mine.write_text("return 1 # ≥\n", encoding="utf-8")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for arguments in (["fmt", "--diff", str(mine)], ["fmt", "-"]):
        with mine.open() as file:
            command = [sys.executable, "-m", "teamplay", *arguments]
            done = subprocess.run(command, stdin=file, capture_output=True, env=ascii_only)
        assert "return 1  # ≥".encode() in done.stdout and not done.stderr


def test_no_name_is_not_the_whole_folder(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine.parent)
    assert main(["fmt", ""]) == 2
    assert mine.read_text(encoding="utf-8") == MESSY


def test_if_some_tables_are_wrong_all_are_told_and_none_is_written(mine: Path, capsys: Capture) -> None:
    mine.with_name("wrong.team").write_text("retrun 1", encoding="utf-8")
    mine.with_name("worse.team").write_bytes(b"\0")
    assert main(["fmt", str(mine.parent)]) == 2
    said = capsys.readouterr().err
    assert "error[T001]" in said and "worse.team is a binary file" in said
    assert mine.read_text(encoding="utf-8") == MESSY


def test_shipped_tables_are_not_written(capsys: Capture) -> None:
    assert main(["fmt", "tic-tac-toe/figure-15"]) == 2
    assert "shipped ones can only be checked" in capsys.readouterr().err
