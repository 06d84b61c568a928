"""`watch`: once at the beginning, again after every save, patient with files that are away, and gone with Ctrl-C."""

import argparse
import importlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from teamplay.cli import main
from teamplay.cli.watch import PATIENCE, saves
from teamplay.scenes.binder import scenes_of

TABLE = "game mnk(m=3,n=1,k=3)\nreturn 1\n"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("my.team")
    path.write_text(TABLE)
    return path


class Script:
    """What happens between two looks, one after the other; then the watch is ended as by Ctrl-C."""

    def __init__(self, *acts: Callable[[], object] | None) -> None:
        self.acts = list(acts)

    def __call__(self) -> None:
        if not self.acts:
            raise KeyboardInterrupt
        act = self.acts.pop(0)
        if act:
            act()


def looks(table: Path, *acts: Callable[[], object] | None) -> int:
    """How often the table is looked at while this happens."""
    count = 0
    with pytest.raises(KeyboardInterrupt):
        for _ in saves(table, Script(*acts)):
            count += 1
    return count


def write(path: Path, text: str) -> Callable[[], object]:
    return lambda: path.write_text(text)


def test_once_at_the_beginning_and_not_again_while_nothing_changes(table: Path) -> None:
    assert looks(table) == 1
    assert looks(table, None, None, None) == 1


def test_again_after_a_save_when_the_file_is_still(table: Path) -> None:
    assert looks(table, write(table, "return 22\n")) == 1, "it may not be whole yet"
    assert looks(table, write(table, "return 333\n"), None) == 2
    halves = write(table, "ret"), write(table, "return 4444\n"), None, None
    assert looks(table, *halves) == 2, "both halves are one save"


def test_a_scene_file_beside_the_table_counts_too(table: Path) -> None:
    assert looks(table, write(Path("my.scene"), "table my.team\n"), None) == 2
    assert looks(table, Path("my.scene").unlink, None) == 2


def test_a_file_that_is_away_for_a_moment_is_awaited(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    away = Path("away.team")
    renamed = (lambda: table.rename(away), None, lambda: away.rename(table), None)
    assert looks(table, *renamed) == 2, "it is looked at again though time and size are the same"
    assert "not there" not in capsys.readouterr().out
    assert looks(table, table.unlink, *[None] * (PATIENCE + 5), write(table, TABLE), None) == 2
    assert capsys.readouterr().out.count("my.team is not there; waiting for it.") == 1


def test_a_table_that_is_not_there_at_all_is_an_error(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "other.team"]) == 2
    assert "There is no file other.team." in capsys.readouterr().err


def test_every_look_is_a_check_the_tests_of_this_table_and_a_picture(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("my.scene").write_text("table my.team\n")
    Path("other.scene").write_text("table tic-tac-toe/figure-6\nclaim never loses\n")
    Path("broken.scene").write_bytes(b"\xff")
    asked: list[list[str]] = []
    monkeypatch.setattr("teamplay.cli.watch.run_command", lambda argv: asked.append(argv) or 0)
    monkeypatch.setattr("teamplay.cli.watch._wait", Script())
    watch = importlib.import_module("teamplay.cli.watch")
    parser = argparse.ArgumentParser()
    watch.arguments(parser)
    where = ["--board", "x../.../...", "--moves", "2 3", "--seat", "second"]
    assert watch.run(parser.parse_args(["my.team", *where])) == 0
    assert asked == [
        ["check", "my.team"],
        ["test", "my.scene", "--seed", "0"],
        ["show", "my.team", *where, "--seed", "0"],
    ]


def test_a_scene_file_that_cannot_be_read_is_about_the_table_of_its_name(table: Path) -> None:
    for data in (b"\xff", b"", b"tabel my.team"):
        Path("my.scene").write_bytes(data)
        Path("other.scene").write_bytes(data)
        assert Path("my.scene") in scenes_of(Path("my.team"))
    assert scenes_of(Path("my.team")) == [Path("my.scene"), Path("other.scene")], "a misspelt word is understood"


def test_a_broken_table_is_told_and_the_watch_goes_on(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("my.scene").write_text("table my.team\nask center b1 -> 1\n")
    script = Script(write(table, "retrun 1\n"), None, write(table, TABLE), None)
    monkeypatch.setattr("teamplay.cli.watch._wait", script)
    assert main(["watch", "my.team"]) == 0
    said = capsys.readouterr().out
    assert said.count("ok      ask center b1 -> 1") == 2
    assert said.count("  --> my.team:1:1") == 1, "by the check alone"
    assert said.count("[1]") == 6 and said.count("{1}") == 4 and said.endswith("No longer watching.\n")
    assert "\x1b" not in said, "the screen is wiped only where somebody sees it"


def test_ctrl_c_ends_the_process_cleanly(table: Path) -> None:
    command = [sys.executable, "-u", "-m", "teamplay", "watch", str(table)]
    quiet = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=quiet) as process:
        assert process.stdout
        try:
            lines = []
            for line in process.stdout:
                lines.append(line)
                if "Watching my.team" in line:
                    break
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0 and "No longer watching." in rest and "Traceback" not in rest
