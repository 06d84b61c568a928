"""What people stumble over every day: files in other folders, odd games, boards that can't be, files that exist."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from teamplay import library
from teamplay.cli import main
from teamplay.language import checker, load_rulebook, parser

Capture = pytest.CaptureFixture[str]
FIGURE = "tic-tac-toe/figure-15"

WIDE = """
about = "Three in a row on 3x4 cells."
board = [3, 4]
[goal]
line = 3
"""


def told(capsys: Capture, *arguments: str) -> dict[str, object]:
    """What a command prints as JSON."""
    assert main([*arguments, "--json"]) in (0, 1)
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


# Paths in a table begin in its own folder


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table that names a game file beside it, in a folder below the current one."""
    folder = tmp_path / "below"
    folder.mkdir()
    (folder / "wide.toml").write_text(WIDE, "utf-8")
    (folder / "mine.team").write_text("game wide.toml\neveryone:\n    return 1\n", "utf-8")
    scene = 'table mine.team\n\nscene "any"\n    ****/****/****\nexpect 1\n'
    (folder / "mine.scene").write_text(scene, "utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def test_a_table_finds_the_game_file_beside_it(elsewhere: Path, capsys: Capture) -> None:
    assert told(capsys, "show", "below/mine.team")["game"] == "wide"
    assert told(capsys, "rules", "below/mine.team")["game"] == "wide"
    assert told(capsys, "verify", "below/mine.team", "--seat", "first")["game"] == "wide"
    assert told(capsys, "match", "below/mine.team", "random", "--games", "2")["games"] == 2
    assert main(["check", "below"]) == 1
    assert "wide" in capsys.readouterr().out
    assert main(["test", "below"]) == 0


def test_workers_find_the_game_file_too(elsewhere: Path, capsys: Capture) -> None:
    assert told(capsys, "match", "below/mine.team", "random", "--games", "40", "--workers", "2")["games"] == 40


def test_a_certificate_finds_the_game_file_again(elsewhere: Path, capsys: Capture) -> None:
    assert main(["verify", "below/mine.team", "--seat", "first", "--certificate", "c"]) == 1
    assert main(["recheck", "c"]) == 0


def test_pytest_finds_the_game_file_from_any_folder(elsewhere: Path) -> None:
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "below"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout


# A table is read and bound once for each command


COMMANDS = [
    ["show", FIGURE],
    ["explain", FIGURE, "5"],
    ["rules", FIGURE],
    ["check", FIGURE],
    ["verify", FIGURE, "--seat", "second", "--certificate", "c"],
    ["match", FIGURE, "random", "--games", "2", "--workers", "1"],
    ["compare", FIGURE, FIGURE],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_command_reads_and_binds_a_table_once(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plain, seen = library._read, []

    def counted(path: Path, limit: int) -> str:
        seen.extend([path] * (path.suffix == ".team"))
        return plain(path, limit)

    monkeypatch.setattr(library, "_read", counted)
    parser.read_table.cache_clear()
    checker._bound.cache_clear()
    assert main(command) in (0, 1)
    assert seen == [library.find(FIGURE, ".team")]
    assert (parser.read_table.cache_info().misses, checker._bound.cache_info().misses) == (1, 1)


def test_a_table_that_is_saved_again_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.team"
    path.write_text("everyone:\n    return 1\n", "utf-8")
    with library.reading_once():
        assert len(load_rulebook(str(path)).sections) == 1
        path.write_text("center:\n    return 1\neveryone:\n    return 2\n", "utf-8")
        assert len(load_rulebook(str(path)).sections) == 2


# A game with one letter that both players place


LETTER = """
about = "Both place X; who completes a line of three loses."
board = [3, 3]
marks = { shared = ["X"] }
[goal]
line = 3
effect = "loses"
"""


@pytest.fixture
def letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "letter.toml").write_text(LETTER, "utf-8")
    path = tmp_path / "mine.team"
    path.write_text("game letter.toml\neveryone:\n    if n(XX) >= 1 then return 9\n    return 1\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", lambda _: "quit")
    return path


@pytest.mark.parametrize("player", ["mine.team", "random", "minimax", "perfect", "mcts(playouts=20)"])
@pytest.mark.parametrize("seat", ["first", "second"])
def test_one_letter_for_both_can_be_played(player: str, seat: str, letter: Path) -> None:
    assert main(["play", player, "--game", "letter.toml", "--seat", seat]) == 0
    assert main(["match", player, "random", "--game", "letter.toml", "--games", "4"]) == 0


@pytest.mark.parametrize("seat", ["first", "second"])
def test_one_letter_for_both_can_be_shown_and_proved(seat: str, letter: Path, capsys: Capture) -> None:
    assert main(["show", "mine.team", "--seat", seat, "--svg", "shown.svg"]) == 0
    assert main(["show", "mine.team", "--seat", seat, "--board", "X../.../..."]) == 0
    assert main(["explain", "mine.team", "--seat", seat]) == 0
    assert main(["explain", "mine.team", "5", "--seat", seat, "--why-not", "1"]) == 0
    assert main(["verify", "mine.team", "--seat", seat]) in (0, 1)
    capsys.readouterr()
    reference = told(capsys, "verify", "mine.team(tie=first)", "--seat", seat)
    assert reference["seats"][seat]["verdict"] in ("proved", "refuted")  # type: ignore[index]
    assert main(["solve", "letter.toml", "--board", "XX./.../..."]) == 0
    assert main(["compare", "mine.team", "random"]) == 1
    assert main(["check", "mine.team"]) in (0, 1)


def test_the_only_letter_may_be_left_out_of_a_move(letter: Path, capsys: Capture) -> None:
    assert main(["show", "mine.team", "--moves", "5 X1 b1"]) == 0
    assert '--board "XX./.X./..."' in capsys.readouterr().out
    assert main(["show", "mine.team", "--moves", "X"]) == 2
    assert main(["show", "sos/safe", "--moves", "5"]) == 2
    assert "`5` is not a move; write S or O and a cell, as `S5`." in capsys.readouterr().err


def test_what_rules_says_to_try_for_a_game_of_ones_own_works(letter: Path, capsys: Capture) -> None:
    assert main(["rules", "--game", "letter.toml"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "`teamplay new mine.team --game 'letter.toml'` starts one" in said
    assert main(["new", "other.team", "--game", "letter.toml"]) == 0
    assert main(["show", "other.team"]) == 0


# What people name in the place of something else


CONFUSED = {
    "show sos": "`sos`. It is a game, which --game names; `teamplay rules --game sos` lists the tables for it.",
    "match gomoku random": "`teamplay rules --game gomoku` lists the tables for it.",
    "check tic-tac-toe": "`teamplay rules --game tic-tac-toe` lists the tables for it.",
    "show letter.toml": "`letter.toml`. Its name is that of a game file, which --game names.",
    "show mnk/generic --game sos": "is for mnk, gomoku, tic-tac-toe and tic-tac-toe-3d, not for sos",
    "show tic-tac-toe/figure-15 --seed one": "`one` is not a whole number of at most 40 digits",
    "results nothing": "nothing is empty; a tournament that has just begun writes to it in a moment.",
}


@pytest.mark.parametrize("command", CONFUSED)
def test_who_confuses_two_things_is_told_which_is_which(command: str, letter: Path, capsys: Capture) -> None:
    Path("nothing").touch()
    assert main(command.split()) == 2
    assert CONFUSED[command] in capsys.readouterr().err


def test_a_difference_of_nothing_is_not_minus_nothing(letter: Path, capsys: Capture) -> None:
    assert main(["tournament", FIGURE, "random", "minimax", "--games", "4", "--results", "r"]) == 0
    said = capsys.readouterr().out
    assert " +0 " in said and " -0 " not in said
