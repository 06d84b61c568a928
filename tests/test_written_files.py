"""Which files does a command write over? Only those that --force names, and never a read-only one."""

from pathlib import Path

import pytest

from teamplay.cli import main
from teamplay.cli._files import writable, write
from teamplay.errors import BadFile
from tests import plain_user

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


BEFORE = {
    "verify tic-tac-toe/figure-15 --certificate": "c",
    "show tic-tac-toe/figure-15 --svg": "x.svg",
    "match random random --record": "x.jsonl",
    "learn --game tic-tac-toe -o": "x.team",
}


@pytest.mark.parametrize("command", BEFORE)
def test_a_folder_without_permission_is_refused_before_any_work(command: str, room: Path) -> None:
    (room / "shut").mkdir()
    (room / "shut").chmod(0o555)
    file = f"shut/{BEFORE[command]}"
    done = plain_user.teamplay(room, *command.split(), file)
    said = f"teamplay: {file} cannot be written: there is no permission to write in the folder shut.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.parametrize(
    "command",
    [
        "learn --game tic-tac-toe",
        "repair tic-tac-toe/figure-15",
        "distill random --game tic-tac-toe",
        "tune mnk/generic --against random --held-out random",
    ],
)
@pytest.mark.parametrize("name", ["x.txt", "x", "", "x.team.bak"])
def test_a_table_that_is_written_must_have_the_name_of_one(
    command: str, name: str, room: Path, capsys: Capture
) -> None:
    assert main([*command.split(), "-o", name]) == 2
    said = capsys.readouterr()
    wanted = f"`{name}` must end in .team, as the names of such files do." if name else "`` is not the name of a file."
    assert (said.out, said.err) == ("", f"teamplay: {wanted}\n")
    assert not list(room.iterdir())


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [
        ("replay games --html", "x.txt", "`x.txt` must end in .html, as the names of such files do."),
        ("verify tic-tac-toe/figure-15 --save-scene", "x.txt", "`x.txt` must end in .scene"),
        ("match random random --record", "", "`` is not the name of a file."),
        ("match random random --record", "-", "`-` is not the name of a file."),
        ("tournament random minimax --results", "", "`` is not the name of a file; --results keeps"),
        ("tournament random minimax --results", "-", "`-` is not the name of a file; --results keeps"),
        ("show tic-tac-toe/figure-15 --svg", "", "--svg needs the name of a file"),
    ],
)
def test_a_name_that_is_none_is_refused(command: str, name: str, said: str, room: Path, capsys: Capture) -> None:
    assert main(["match", "random", "random", "--games", "2", "--record", "games"]) == 0
    capsys.readouterr()
    assert main([*command.split(), name]) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and said in shown.err
    assert [path.name for path in room.iterdir()] == ["games"]
