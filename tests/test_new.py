"""`teamplay new`: what it writes works at once, and nothing is overwritten unasked."""

import subprocess
import sys
from pathlib import Path

import pytest

from teamplay import library
from teamplay.cli import main
from teamplay.game_file import load_game
from teamplay.language import load_rulebook

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("game", library.names(".toml"))
def test_a_new_table_and_its_scenes_work_in_every_game(game: str, capsys: Capture) -> None:
    assert main(["new", "mine.team", "--game", game]) == 0
    assert main(["new", "mine.scene"]) == 0
    assert load_rulebook("mine.team").game == load_game(game)
    assert main(["check", "mine.team"]) in (0, 1)  # a table of one rule has findings, but no errors
    assert main(["test", "mine.scene"]) == 0
    assert "1 passed, 1 to do." in capsys.readouterr().out


def test_a_new_table_copies_a_shipped_one_to_the_letter() -> None:
    assert main(["new", "mine.team", "--from", "mnk/generic"]) == 0
    assert Path("mine.team").read_text("utf-8") == library.read(library.find("mnk/generic", ".team"))


def test_a_new_game_file_is_a_copy_or_a_start(capsys: Capture) -> None:
    assert main(["new", "four.toml"]) == 0
    assert main(["new", "own.toml", "--from", "sos-corners"]) == 0
    assert load_game("four.toml").k == 4
    assert load_game("own.toml").grid == load_game("sos-corners").grid
    assert main(["new", "other.toml", "--game", "sos"]) == 2
    assert "copied with --from GAME" in capsys.readouterr().err


def test_a_new_folder_passes_its_own_pytest(capsys: Capture) -> None:
    assert main(["new", "first-team", "--from", "tic-tac-toe/competent"]) == 0
    said = capsys.readouterr().out
    assert "first-team.team, first-team/first-team.scene and first-team/pyproject.toml." in said
    assert {path.name for path in Path("first-team").iterdir()} == {
        "first-team.team",
        "first-team.scene",
        "pyproject.toml",
    }
    run = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd="first-team", capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert "1 passed, 1 xfailed" in run.stdout


def test_nothing_is_overwritten_without_force(capsys: Capture) -> None:
    Path("mine.team").write_text("return 1\n")
    assert main(["new", "mine.team"]) == 2
    assert capsys.readouterr().err == "teamplay: mine.team exists already; --force overwrites it.\n"
    assert Path("mine.team").read_text() == "return 1\n"
    assert main(["new", "mine.team", "--force"]) == 0
    assert "win:" in Path("mine.team").read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["mine.team", "--from", "figur-15"], "Did you mean `tic-tac-toe/figure-15`?"),
        (["mine.team", "--from", "reversi/corners", "--game", "sos"], "this table is for reversi, not for sos"),
        (["mine.scene"], "There is no file mine.team."),
        (["a b"], "names no folder"),
    ],
)
def test_mistakes_write_nothing(arguments: list[str], sentence: str, capsys: Capture) -> None:
    assert main(["new", *arguments]) == 2
    assert sentence in capsys.readouterr().err
    assert not list(Path.cwd().iterdir())
