"""Messages say what is wrong and what would be right; each of these was once misleading."""

from pathlib import Path

import pytest

from teamplay.cli import main
from teamplay.errors import closest
from tests import plain_user

Capture = pytest.CaptureFixture[str]
FIGURE = "tic-tac-toe/figure-15"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.team").write_text("everyone:\n    return 1\n")
    (tmp_path / "zero.toml").write_text('board = ["3/0", 3]\n[goal]\nline = 3\n')
    (tmp_path / "half.toml").write_text('board = ["n/h", "m"]\n[parameters]\nm=3\nn=3\nh=0\n[goal]\nline = 3\n')
    (tmp_path / "several.toml").write_text("board = [3, 3]\nboardz = 2\n[goal]\nline = 3\n")
    return tmp_path


WRONG = {
    "a division by zero without parameters": (["games", "zero.toml"], "'3/0' divides by zero."),
    "a division by zero names what is in the formula": (["games", "half.toml"], "divides by zero where n=3, h=0."),
    "a huge integer": (["games", "mnk(m=99999999999)"], "`m` of mnk is too large; 9999999 is the most."),
    "an empty drawing": (["show", FIGURE, "--board", ""], "3 rows of 3 cells; the drawing is empty."),
    "a negative opening": (["match", "random", "random", "--opening", "-1"], "of at least 0"),
    "no games": (["match", "random", "random", "--games", "0"], "of at least 1"),
    "a number that is too long": (["match", "random", "random", "--games", "9" * 30], "too large a number"),
    "a table here whose ending was left out": (["show", "own"], "Did you mean `own.team`, which is a file here?"),
    "the same for check": (["check", "own"], "Did you mean `own.team`, which is a file here?"),
    "a player that does not exist": (["match", "nobody", "random"], "random, minimax, mcts"),
    "a key that does not exist": (["games", "several.toml"], "Did you mean `board"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_the_message_says_what_would_be_right(wrong: str, room: Path, capsys: Capture) -> None:
    command, said = WRONG[wrong]
    assert main(command) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.parametrize(("word", "known"), [("boards", "word"), ("own", "posswin")])
def test_words_that_are_far_apart_are_not_suggested(word: str, known: str) -> None:
    assert closest(word, [known]) is None


CLOSED = {
    "check closed": "The folder closed cannot be read: Permission denied.",
    "test closed": "The folder closed cannot be read: Permission denied.",
    "fmt closed": "The folder closed cannot be read: Permission denied.",
    "check .": "The folder ./closed cannot be read: Permission denied.",
    "check closed/own.team": "closed/own.team cannot be read: Permission denied.",
    "fmt closed/own.team": "closed/own.team cannot be read: Permission denied.",
    "results closed/results": "closed/results cannot be opened: Permission denied.",
    "new closed/own.team": "closed/own.team cannot be written: there is no permission to write in the folder closed.",
    "new closed/own": "closed/own can't be used: Permission denied.",
}


@pytest.mark.parametrize("command", CLOSED)
def test_a_folder_that_may_not_be_searched_says_so(command: str, room: Path) -> None:
    closed = room / "closed"
    closed.mkdir()
    (closed / "own.team").write_text("everyone:\n    return 1\n")
    closed.chmod(0)
    try:
        done = plain_user.teamplay(room, *command.split())
    finally:
        closed.chmod(0o700)
    assert (done.returncode, done.stderr) == (2, f"teamplay: {CLOSED[command]}\n")
