"""The command line: one sentence for every mistake, JSON for scripts, and a start without heavy imports."""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from teamplay import library
from teamplay.cli import commands, main
from teamplay.game_file import load_game
from teamplay.language import load_rulebook

Capture = pytest.CaptureFixture[str]
FIGURE = "tic-tac-toe/figure-15"


def teamplay(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    known = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    command = [sys.executable, "-m", "teamplay", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=known | environment, check=False)


# Mistakes

MISTAKES = [
    (["show", "tic-tac-toe/figure-99"], "There is no player named `tic-tac-toe/figure-99`."),
    (["show", "figure-15"], "Did you mean `tic-tac-toe/figure-15`?"),
    (["show", "random"], "`random` is a player without agents; name a table"),
    (["show", "missing.team"], "There is no file missing.team."),
    (["show", FIGURE, "--board", "xo./.x."], "tic-tac-toe has 3 rows of 3 cells; the drawing has rows of 3 3 cells."),
    (["show", FIGURE, "--board", "xo./.x./..q"], "`q` is not a mark of tic-tac-toe; draw with x o and `.`."),
    (["show", FIGURE, "--board", "missing.txt"], "There is no file missing.txt."),
    (["show", FIGURE, "--board", ""], "the drawing is empty"),
    (["show", FIGURE, "--board", "x" * 5000], "3 rows of 3 cells"),
    (["show", FIGURE, "--game", "reversi"], "this table is for tic-tac-toe, not for reversi"),
    (["show", FIGURE, "--game", "chess"], "There is no game named `chess`."),
    (["show", FIGURE, "--game", "mnk(k=x)"], "`k` of mnk is a whole number, not `x`."),
    (["show", f"{FIGURE}(ties=first)"], "there is no option `ties`"),
    (
        ["show", FIGURE, "--svg", "/nowhere/board.svg"],
        "cannot be written: there is no folder /nowhere",
    ),
    (["explain", FIGURE, "10"], "There is no cell 10; the cells are 1 to 9."),
    (["explain", FIGURE, "d4"], "There is no cell `d4` on a board of 3x3"),
    (["explain", FIGURE, "hello"], "`hello` is not a cell"),
    (["explain", FIGURE, "--why-not", "0"], "There is no cell 0"),
    (["play", "nobody"], "There is no"),
    (["play", "random", "--game", "chess"], "There is no game named `chess`."),
    (["games", "ches"], "There is no game named `ches`."),
    (["games", "reversi(n=5)"], "reversi needs n%2 = 0, which does not hold for n=5."),
    (["rules", "figur-15"], "Did you mean `tic-tac-toe/figure-15`?"),
]


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES, ids=lambda value: " ".join(value)[:60])
def test_a_mistake_is_told_and_never_a_traceback(arguments: list[str], sentence: str, capsys: Capture) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert sentence in shown.err
    assert shown.err.startswith("teamplay: ")
    assert "Traceback" not in shown.err


def test_a_board_where_the_team_must_pass_is_a_mistake(capsys: Capture) -> None:
    assert main(["show", "reversi/corners", "--game", "reversi(n=4)", "--board", "oooo/oooo/oox./...."]) == 2
    assert "must pass" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a\0b.team", "/dev/null", "()", "a=b", "~nobody/x.team", "x" * 9999])
def test_strange_names_are_mistakes_too(name: str, capsys: Capture) -> None:
    for command in ("show", "explain", "play", "rules"):
        assert main([command, name]) == 2
    assert "Traceback" not in capsys.readouterr().err


# Every command


@pytest.mark.parametrize("name", commands())
def test_a_command_is_a_file_with_a_summary_arguments_and_a_way_to_run(name: str) -> None:
    module = import_module(f"teamplay.cli.{name}")
    summary = (module.__doc__ or "").splitlines()[0]
    assert summary and summary[0].islower() and not summary.endswith(".")
    assert callable(module.arguments) and callable(module.run)


def test_words_and_options_come_in_any_order(capsys: Capture) -> None:
    shown = []
    board = ["--board", "o../.x./..."]
    for arguments in ([FIGURE, "9", *board], [FIGURE, *board, "9"], [*board, FIGURE, "9"]):
        assert main(["explain", *arguments, "--json"]) == 0
        shown.append(capsys.readouterr().out)
    assert len(set(shown)) == 1


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, teamplay.cli\n"
        "try: teamplay.cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'rich', 'lark', 'networkx', 'numpy', 'numba', 'typing', 'dataclasses', 'pathlib', 'tomllib'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, cwd=_root())
    assert done.stderr.strip() == "[]"


def _root() -> Path:
    return Path(__file__).parent.parent


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m teamplay rules {FIGURE} | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert done.stdout.startswith(FIGURE)
    assert "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr


def test_an_ascii_terminal_is_served() -> None:
    done = teamplay("show", FIGURE, "--board", "o../.x./...", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    assert "+-----+" in done.stdout and done.stdout.isascii()


# games and rules


def test_all_games_are_listed_with_what_they_are(capsys: Capture) -> None:
    assert main(["games"]) == 0
    shown = capsys.readouterr().out
    assert main(["games", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["games"]
    assert [game["game"] for game in listed] == library.names(".toml")
    for game in listed:
        assert f"\n{game['game']} " in shown
        assert game["board"] == list(load_game(game["game"]).grid.shape)


@pytest.mark.parametrize("name", library.names(".toml"))
def test_one_game_is_told_with_its_start_and_its_tables(name: str, capsys: Capture) -> None:
    assert main(["games", name]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"{name}\n{' '.join(load_game(name).about.split()[:3])}")
    assert all(
        f"\n{word} " in shown for word in ("board", "parameters", "marks", "placement", "goal", "turns", "tables")
    )
    assert max(map(len, shown.splitlines())) <= 80
    assert main(["games", name, "--json"]) == 0
    game = load_game(name)
    described = json.loads(capsys.readouterr().out)
    assert described["start"].replace("/", "") == game.beginning
    assert described["goal"]["length"] == game.k


def test_all_tables_are_listed_and_the_figures_in_the_order_of_the_paper(capsys: Capture) -> None:
    assert main(["rules", "--json"]) == 0
    tables = json.loads(capsys.readouterr().out)["tables"]
    names = [table["table"] for table in tables]
    assert sorted(names) == library.names(".team")
    figures = [name for name in names if "figure" in name]
    assert figures == [f"tic-tac-toe/figure-{number}" for number in ("6", "9", "11", "13", "15", "16c")]
    assert main(["rules"]) == 0
    shown = capsys.readouterr().out
    assert all(f"\n{name} " in shown for name in names)


@pytest.mark.parametrize("name", library.names(".team"))
def test_one_table_is_told_as_it_is_written(name: str, capsys: Capture) -> None:
    text = library.read(library.find(name, ".team"))
    assert main(["rules", name]) == 0
    assert capsys.readouterr().out.endswith("".join(f"{line.rstrip()}\n" for line in text.rstrip().split("\n")))
    assert main(["rules", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    book = load_rulebook(name)
    assert told["sight"] == str(book.reach)
    assert told["text"] == text
    grid = book.game.grid
    assert told["roles"] == {grid.role(cell): len(book.rules(cell)) for cell in grid.cells}


def test_a_table_cannot_steer_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "evil.team"
    path.write_text("# \x1b[2J gone \x07\neveryone:\n    return 1\n", encoding="utf-8")
    main(["rules", str(path)])
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out + shown.err


# tour


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_tour_shows_everything_on_any_screen(
    columns: int, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["tour"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "" and "\x1b" not in shown.out
    drawings = [line for line in shown.out.splitlines() if line.startswith('--board "')]
    assert len(drawings) == 5, "one below every board, on one line however wide"
    assert max(len(line) for line in shown.out.splitlines() if line not in drawings) <= columns
    for word in ("One idea", "nearest", "never", "lose", "random", "mnk", "sos", "reversi", "teamplay play"):
        assert word in shown.out, word
    main(["tour"])
    assert shown.out == capsys.readouterr().out, "the tour is the same every time"


def test_what_the_tour_says_to_try_works(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from teamplay.cli.tour import NEXT

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", lambda _: "quit")
    for command, _ in NEXT:
        first, *arguments = command.split()
        assert first == "teamplay"
        assert main(arguments) == 0, command
    assert not re.search("error", capsys.readouterr().err)


# Streams that fail, names that are odd, boards that are huge


def _shell(line: str) -> "subprocess.CompletedProcess[str]":
    command = line.replace("teamplay", f"{sys.executable} -m teamplay")
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("line", "codes", "complaint"),
    [
        ("teamplay games >&-", {0}, ""),
        ("teamplay games >/dev/full", {2}, "teamplay: The output can't be written: No space left on device.\n"),
        # 0 where all was written before `head` ended
        ("teamplay tour | head -2 >/dev/null; exit ${PIPESTATUS[0]}", {0, 141}, ""),
        ("COLUMNS=0 teamplay games >/dev/null", {0}, ""),
        ("teamplay play --seed 0 <&- >/dev/null", {0}, ""),
        # An answer that nobody has read is neither yes nor no.
        ("teamplay verify tic-tac-toe/figure-15 | true; exit ${PIPESTATUS[0]}", {141}, ""),
        ("teamplay show nothing 2>/dev/full", {2}, ""),
        ("teamplay show nothing 2>&1 >/dev/null | true; exit ${PIPESTATUS[0]}", {2}, ""),
        ("teamplay verify tic-tac-toe/figure-15 >/dev/full 2>/dev/full", {2}, ""),
        ("teamplay show tic-tac-toe/figure-15 --board xx./.../... 2>/dev/full", {0}, ""),
        ("teamplay verify tic-tac-toe/competent 2>&- >/dev/null", {0}, ""),
    ],
)
def test_a_stream_that_fails_is_no_traceback(line: str, codes: set[int], complaint: str) -> None:
    done = _shell(line)
    assert done.returncode in codes and done.stderr == complaint


def test_a_path_may_hold_what_a_browser_puts_into_names(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "my täble, a=b (1).team"
    path.write_text("game tic-tac-toe\nreturn 1\n", encoding="utf-8")
    assert main(["show", f"{path}(tie=first)", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chosen"] == 1


def test_a_team_that_would_fill_the_memory_is_refused(tmp_path: Path, capsys: Capture) -> None:
    assert main(["show", "mnk/generic", "--game", "mnk(m=1000,n=1000,k=5)"]) == 2
    assert "too large to seat" in capsys.readouterr().err
    path = tmp_path / "all.team"
    path.write_text("game mnk\nsight all\nreturn count(x)\n", encoding="utf-8")
    assert main(["show", str(path), "--game", "mnk(m=60,n=60,k=5)"]) == 2
    assert "a narrower sight" in capsys.readouterr().err


def test_rules_lists_the_tables_for_a_game(capsys: Capture) -> None:
    assert main(["rules", "--game", "mnk(m=7,n=7,k=5)", "--json"]) == 0
    assert {table["table"] for table in json.loads(capsys.readouterr().out)["tables"]} == {
        "mnk/generic",
        "mnk/helpfulness",
    }
    assert main(["rules", "--game", "sos(n=4)"]) == 0
    assert "tic-tac-toe/" not in capsys.readouterr().out


def test_one_line_descriptions_are_whole_sentences(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.split("\n\n")[0].splitlines()[1:]
    assert len(lines) == len(library.names(".team"))
    assert [line for line in lines if not line.rstrip().endswith(".")] == []


@pytest.mark.parametrize(("arguments", "suffix"), [(["rules", FIGURE], ".team"), (["games", "mnk(m=7)"], ".toml")])
def test_raw_prints_the_file_and_nothing_else(arguments: list[str], suffix: str, capsys: Capture) -> None:
    assert main([*arguments, "--raw"]) == 0
    name = arguments[1].partition("(")[0]
    assert capsys.readouterr().out == library.read(library.find(name, suffix))
    assert main([arguments[0], "--raw"]) == 2
