"""Progress: a line on a terminal that moves even while nothing is reported, and nothing anywhere else."""

import io
import time

import pytest

from teamplay.cli import _progress
from teamplay.cli._arena import Bar
from teamplay.cli._progress import Progress


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def watched(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A terminal; set up inside a test, for pytest puts its own standard error back before one begins."""
    shown = Screen()
    monkeypatch.setattr("sys.stderr", shown)
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


def test_a_match_of_slow_games_shows_that_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)
    with Bar(4):
        wait_for("0 of 4 games (0 s)", screen)


def test_nothing_is_written_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(_progress, "TICK", 0.01)
    with Progress() as progress:
        time.sleep(0.05)
        assert not progress.due()
    assert shown.getvalue() == ""
