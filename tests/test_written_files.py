"""Which files does a command write over? Only those that --force names, and never a read-only one."""

from pathlib import Path

import pytest

from teamplay.cli import main
from teamplay.cli._files import writable, write
from teamplay.errors import BadFile

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_certificate_is_overwritten_only_with_force(room: Path, capsys: Capture) -> None:
    command = ["verify", "tic-tac-toe/competent", "--certificate", "proof"]
    (room / "proof").write_text("mine")
    assert main(command) == 2
    assert "proof exists already; --force overwrites it." in capsys.readouterr().err
    assert (room / "proof").read_text() == "mine"
    assert main([*command, "--force"]) == 0
    assert (room / "proof").read_text() != "mine"


def test_fmt_leaves_a_read_only_table_alone(room: Path, capsys: Capture) -> None:
    table = room / "mine.team"
    table.write_text("everyone:\n  return   1\n")
    table.chmod(0o444)
    assert main(["fmt", "mine.team"]) == 2
    assert "mine.team is read-only" in capsys.readouterr().err
    assert table.read_text() == "everyone:\n  return   1\n"
    assert main(["fmt", "--check", "mine.team"]) == 1


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "not the name of a file"),
        ("-", "not the name of a file"),
        ("here", "is a folder"),
        ("missing/file", "no folder missing"),
        ("old", "--force overwrites it"),
    ],
)
def test_what_may_not_be_written_is_refused_before_any_work(name: str, why: str, room: Path) -> None:
    (room / "here").mkdir()
    (room / "old").write_text("old")
    with pytest.raises(BadFile, match=why):
        writable(name, force=False)


def test_force_overwrites_but_not_what_is_read_only(room: Path) -> None:
    old = room / "old"
    old.write_text("old")
    write("old", "new", force=True)
    assert old.read_text() == "new"
    old.chmod(0o444)
    with pytest.raises(BadFile, match="is read-only"):
        write("old", "newer", force=True)
    assert old.read_text() == "new"
