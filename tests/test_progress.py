"""Progress: a line on a terminal that moves even while nothing is reported, and nothing anywhere else."""

import io
import time

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


def test_nothing_is_written_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(_progress, "FIRST", 0)
    monkeypatch.setattr(_progress, "TICK", 0.01)
    with Progress() as progress:
        time.sleep(0.05)
        assert not progress.due()
    assert shown.getvalue() == ""
