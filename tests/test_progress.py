"""Progress: a line on a terminal that moves even while nothing is reported, and nothing anywhere else."""

import io
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from teamplay.cli import _progress, main
from teamplay.cli._arena import Bar
from teamplay.cli._progress import FIRST, Progress


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def watched(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A terminal; set up inside a test, for pytest puts its own standard error back before one begins."""
    shown = Screen()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(_progress, "FIRST", 0)
    monkeypatch.setattr(_progress, "TICK", 0.01)
    return shown


def wait_for(text: str, screen: Screen) -> None:
    until = time.monotonic() + 20
    while text not in screen.getvalue():
        assert time.monotonic() < until, screen.getvalue()
        time.sleep(0.01)


def test_the_line_moves_while_nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)
    with Progress() as progress:
        wait_for("working (0 s)", screen)
        progress.say("3 of 9")
        wait_for("3 of 9 (0 s)", screen)
    shown = screen.getvalue()
    time.sleep(0.05)
    assert screen.getvalue() == shown, "the clock stops with the work"
    assert shown.endswith("\r"), "the line is wiped"


def test_the_first_word_comes_before_the_first_second(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)
    monkeypatch.setattr(_progress, "TICK", 60)
    with Progress("asking the agents"):
        wait_for("asking the agents …", screen)
    assert FIRST + 0.4 <= 1, "some tenths of a second go by before a command begins"


def test_a_line_is_cut_to_the_terminal_so_that_it_can_be_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)
    monkeypatch.setenv("COLUMNS", "20")
    with Progress() as progress:
        progress.say("first seat: 17 plies, 409,449 positions")
        wait_for("first seat: 17 plie", screen)
    assert max(len(line) for line in screen.getvalue().split("\r")) == 19


@pytest.mark.parametrize("command", ["show", "explain"])
def test_a_board_of_many_agents_is_announced(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)
    assert main([command, "mnk/generic", "--game", "mnk(m=30,n=30,k=5)"]) == 0
    shown = screen.getvalue()
    assert "seating the agents …" in shown and "asking the agents …" in shown


def test_a_match_of_slow_games_shows_that_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)
    with Bar(4):
        wait_for("0 of 4 games (0 s)", screen)


CHANCE = "game mnk\nif n(x{k-1}) >= 1 then return 1\nreturn 5 - n(x{k-2} b) with chance 50%\nreturn 9\n"
SLOW = {
    "match mcts(playouts=500000) mcts --game gomoku --games 4 --workers 1": b"0 of 4 games (",
    "tournament mcts(playouts=500000) mcts --game gomoku --games 4 --workers 1": b"0 of 4 games (",
    "verify own.team --game mnk(m=5,n=5,k=4)": b" positions, ",
    "solve connect-four": b" positions",
    "play perfect --game connect-four": b"perfect is thinking (",
}


@pytest.mark.parametrize("line", SLOW)
def test_at_a_terminal_a_slow_command_shows_that_it_runs(line: str, tmp_path: Path) -> None:
    (tmp_path / "own.team").write_text(CHANCE, "utf-8")
    here, there = pty.openpty()
    command = [sys.executable, "-m", "teamplay", *line.split()]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    process = subprocess.Popen(command, stdin=there, stdout=there, stderr=there, cwd=tmp_path, env=environment)
    os.close(there)
    shown = b""
    try:
        while SLOW[line] not in shown:
            assert select.select([here], [], [], 60)[0], f"waited in vain after {shown!r}"
            shown += os.read(here, 4096)
    finally:
        process.kill()
        process.wait()
        os.close(here)


def test_nothing_is_written_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(_progress, "FIRST", 0)
    monkeypatch.setattr(_progress, "TICK", 0.01)
    with Progress() as progress:
        time.sleep(0.05)
        assert not progress.due()
    assert shown.getvalue() == ""
