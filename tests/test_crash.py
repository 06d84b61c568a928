"""A defect of teamplay has an exit code of its own and asks for a report."""

from pathlib import Path

import pytest

from teamplay.cli import main, show, verify

Capture = pytest.CaptureFixture[str]


def broken(*_: object) -> int:
    raise IndexError("tuple index out of range")


def test_a_defect_never_looks_like_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.delenv("TEAMPLAY_TRACEBACK")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(verify, "run", broken)
    assert main(["verify", "tic-tac-toe/figure-15", "--seat", "first"]) == 70
    error = capsys.readouterr().err
    [file] = tmp_path.glob("teamplay-crash-*.txt")
    assert "IndexError: tuple index out of range" in error and "Please report it" in error and str(file) in error
    kept = file.read_text("utf-8")
    assert "command: teamplay verify tic-tac-toe/figure-15 --seat first" in kept
    assert "in broken" in kept and "Traceback" in kept
    assert "Traceback" not in error


def test_the_traceback_is_shown_where_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("TEAMPLAY_TRACEBACK", "1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(show, "run", broken)
    assert main(["show", "tic-tac-toe/figure-15"]) == 70
    assert "Traceback" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_without_a_place_for_a_file_the_traceback_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.delenv("TEAMPLAY_TRACEBACK")
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    monkeypatch.setattr(show, "run", broken)
    assert main(["show", "tic-tac-toe/figure-15"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_is_still_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(show, "run", pressed)
    assert main(["show", "tic-tac-toe/figure-15"]) == 130
