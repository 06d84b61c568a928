"""`--moves "5 1 9"` names a position wherever `--board` does."""

import json
from itertools import pairwise

import pytest

from teamplay.cli import main
from teamplay.errors import BadSpec
from teamplay.game_file import load_game

Capture = pytest.CaptureFixture[str]
FIGURE = "tic-tac-toe/figure-15"


@pytest.mark.parametrize("command", [["show", FIGURE], ["explain", FIGURE], ["solve", "tic-tac-toe"]])
def test_moves_lead_to_the_board_that_a_drawing_shows(command: list[str], capsys: Capture) -> None:
    shown = []
    for named in (["--moves", "5 1 c3"], ["--board", "x../.o./..o"]):
        assert main([*command, *named, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        shown.append({key: value for key, value in found.items() if key not in ("seconds", "last")})
    assert shown[0] == shown[1]


def test_moves_go_on_from_a_board(capsys: Capture) -> None:
    assert main(["solve", "tic-tac-toe", "--board", "x../.o./...", "--moves", "9 3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["board"], found["seat"]) == ("x.o/.o./..x", "first")


def test_letters_stand_before_their_cells(capsys: Capture) -> None:
    assert main(["solve", "sos(n=3)", "--moves", "S1 Oa2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["board"] == "S../O../..."


def test_where_pieces_drop_a_column_is_enough(capsys: Capture) -> None:
    assert main(["show", "connect-four/basic", "--moves", "d d C d6 c", "--json"]) == 2
    assert "Move 4 (`d6`) is not possible: Cell 39 is taken by x." in capsys.readouterr().err
    assert main(["show", "connect-four/basic", "--moves", "d D c", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["board"].endswith("...x.../..oo...")
    assert main(["show", "connect-four/basic", "--moves", "d d d d d d d"]) == 2
    assert "Move 7 (`d`) is not possible: Cell 4 is taken" in capsys.readouterr().err


WRONG = [
    ("5 5", "Move 2 (`5`) is not possible: Cell 5 is taken by x."),
    ("5 z9", "Move 2 (`z9`) is not possible: "),
    ("1 4 2 5 3 6", "Move 6 (`6`) is not possible: The game is over (3 in a row)"),
]


@pytest.mark.parametrize(("moves", "said"), WRONG)
def test_moves_that_cannot_be_made_say_which(moves: str, said: str, capsys: Capture) -> None:
    assert main(["show", FIGURE, "--moves", moves]) == 2
    assert said in capsys.readouterr().err


def test_a_seat_that_contradicts_the_moves_is_refused(capsys: Capture) -> None:
    assert main(["show", FIGURE, "--moves", "5", "--seat", "first"]) == 2
    assert "the second player is to move; leave --seat out" in capsys.readouterr().err
    assert main(["show", FIGURE, "--moves", "5", "--seat", "second"]) == 0


def test_a_passed_turn_needs_no_move() -> None:
    with pytest.raises(BadSpec, match="flank"):
        load_game("reversi(n=4)").played("1")


DRAWING = [
    ["show", FIGURE],
    ["solve", "tic-tac-toe"],
    ["verify", FIGURE, "--seat", "second"],
    ["compare", FIGURE, "tic-tac-toe/figure-16c", "--games", "2"],
    ["tour"],
]


@pytest.mark.parametrize("command", DRAWING, ids=lambda command: command[0])
def test_below_every_board_stands_what_names_it(command: list[str], capsys: Capture) -> None:
    assert main(command) in (0, 1)
    lines = [line for line in capsys.readouterr().out.splitlines() if line and not line.startswith("Ranks stand for")]
    below = [after for line, after in pairwise(lines) if line.startswith("  └")]
    assert below and all(line.startswith(("--board ", "--moves ")) for line in below)


def test_a_board_of_ranks_says_what_they_stand_for(capsys: Capture) -> None:
    assert main(["verify", "mnk/helpfulness", "--game", "mnk(m=5,n=5,k=4)", "--seat", "second"]) == 1
    said = capsys.readouterr().out
    assert "Ranks stand for priorities here, 1 for " in said
