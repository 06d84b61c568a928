"""A refutation as a regression test: a scene that fails today and holds once the table is fixed."""

import json
from pathlib import Path

import pytest

from teamplay.cli import main
from teamplay.scenes.binder import load_suite

Capture = pytest.CaptureFixture[str]

WEAK = "game tic-tac-toe\neveryone:\n    if n(xx) >= 1 then return 1\n    return 5\n"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weak.team").write_text(WEAK)
    return tmp_path


def test_a_lost_game_becomes_a_scene_that_fails_until_the_table_is_fixed(room: Path, capsys: Capture) -> None:
    (room / "tests").mkdir()
    assert main(["verify", "weak.team", "--save-scene", "tests/lost.scene"]) == 1
    assert "`teamplay test tests/lost.scene` runs it" in capsys.readouterr().out
    assert "table ../weak.team" in (room / "tests/lost.scene").read_text()
    assert main(["test", "tests/lost.scene", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["failed"] == 2
    assert main(["new", "weak.team", "--from", "tic-tac-toe/competent", "--force"]) == 0
    assert main(["verify", "weak.team"]) == 0
    assert main(["test", "tests/lost.scene"]) == 0


@pytest.mark.parametrize(
    ("player", "game"),
    [
        ("sos/feasible-greedy", "sos(n=3)"),
        ("reversi/corners", "reversi(n=4)"),
        ("misere/basic", "misere"),
        ("notakto/basic", "notakto(boards=1)"),
        ("tic-tac-toe/figure-9", "tic-tac-toe"),
    ],
)
def test_every_scene_that_is_saved_fails_today(player: str, game: str, room: Path, capsys: Capture) -> None:
    main(["verify", player, "--game", game, "--save-scene", "lost.scene", "--json"])
    found = json.loads(capsys.readouterr().out)
    lost = [seat for seat in found["seats"].values() if seat["verdict"] == "refuted"]
    assert found["scene"] == ("lost.scene" if lost else None)
    assert Path("lost.scene").exists() == bool(lost)
    if lost:
        assert len(load_suite(Path("lost.scene")).tests) == len(lost)
        assert main(["test", "lost.scene", "--json"]) == 1
        assert json.loads(capsys.readouterr().out)["failed"] == len(lost)


def test_nothing_is_written_where_nothing_was_lost(room: Path, capsys: Capture) -> None:
    assert main(["verify", "tic-tac-toe/competent", "--save-scene", "lost.scene"]) == 0
    assert "No game was lost" in capsys.readouterr().out
    assert not Path("lost.scene").exists()


WRONG = [
    (["weak.team", "--save-scene", "lost.txt"], "must end in .scene"),
    (["random", "--game", "tic-tac-toe", "--save-scene", "lost.scene"], "has no table"),
    (["weak.team", "--save-scene", "there.scene"], "--force overwrites it"),
]


@pytest.mark.parametrize(("words", "said"), WRONG)
def test_a_scene_that_cannot_be_saved_is_refused_before_the_work(
    words: list[str], said: str, room: Path, capsys: Capture
) -> None:
    (room / "there.scene").write_text("mine")
    assert main(["verify", *words]) == 2
    assert said in capsys.readouterr().err
    assert (room / "there.scene").read_text() == "mine"


@pytest.mark.parametrize("seat", ["first", "second"])
def test_the_team_is_x_in_both_seats_and_the_moves_can_be_pasted(seat: str, room: Path, capsys: Capture) -> None:
    assert main(["verify", "weak.team", "--seat", seat]) == 1
    told = capsys.readouterr().out
    assert "The team is x, the opponent o." in told
    boards = [line.split('"')[1] for line in told.split("\n") if line.startswith("--board ")]
    [moves] = [line.split('"')[1] for line in told.split("\n") if line.startswith("--moves ")]
    assert boards and all(len(board) == len("xo./.../...") for board in boards)
    assert told.count("[o]") == 3 and "[x]" not in told, "the line that wins is the opponent's, in the last board"
    assert main(["solve", "tic-tac-toe", "--moves", moves]) == 0
    assert "wins, 3 in a row" in capsys.readouterr().out
    for board in boards:  # drawn from the side of the team, which is to move
        assert main(["show", "weak.team", "--board", board, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["seat"] == seat
