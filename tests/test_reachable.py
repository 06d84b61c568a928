"""Boards that no game leads to: a warning in commands, an error in scenes; and no board of a real game is blamed."""

from pathlib import Path

import pytest

from teamplay import library
from teamplay.cli import main
from teamplay.game import BLANK, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.reachable import flaw
from teamplay.scenes.binder import SceneError, load_suite

Capture = pytest.CaptureFixture[str]

BAD = [
    ("tic-tac-toe", "xx./.../...", None, "x has 2 pieces and o has 0, with x to move"),
    ("tic-tac-toe", "x../.../...", "first", "x has 1 piece and o has 0"),
    ("tic-tac-toe", "xxx/ooo/...", None, "both players have 3 in a row"),
    ("tic-tac-toe", "xxx/oo./o..", None, "x has 3 in a row already, but it was o that moved last"),
    ("mnk(m=3,n=7,k=3)", "ooo/.../xxx/.../.../.../...", None, "both players have 3 in a row"),
    ("connect-four", "x....../......./......./......./......./......o", None, "has nothing below it"),
    ("sos-corners", "...../...../...../...../.....", None, "holds S from the start on"),
    ("reversi(n=4)", "..../.x../..x./....", None, "from the start on"),
    ("notakto", "X../.../...//.../.../...//.../.../...", "first", "1 move was made, after which the second player"),
    ("order-and-chaos", "XX..../....../....../....../....../......", "second", "2 moves were made"),
]


@pytest.mark.parametrize(("spec", "board", "seat", "why"), BAD)
def test_a_board_that_cannot_be_gets_a_warning(spec: str, board: str, seat: str | None, why: str) -> None:
    game = load_game(spec)
    position = game.position(board, {"first": 0, "second": 1, None: None}[seat])
    found = flaw(game, position)
    assert found and why in found


def test_commands_warn_and_go_on(capsys: Capture) -> None:
    for command in (["show", "tic-tac-toe/figure-15"], ["explain", "tic-tac-toe/figure-15"], ["solve", "tic-tac-toe"]):
        assert main([*command, "--board", "xx./.../..."]) == 0
        told = capsys.readouterr()
        assert told.err == (
            "teamplay: warning: no game leads to this position: x has 2 pieces and o has 0, with x to move.\n"
        )
        assert told.out


def test_two_lines_that_no_single_move_completes() -> None:
    game = load_game("mnk(m=5,n=5,k=3)")
    apart = "ooo../xx.x./...../x.x.x/ooo.."
    assert "in several places" in (flaw(game, game.position(apart)) or "")
    crossed = "ooo../oxx../oxx../...../....x"
    assert flaw(game, game.position(crossed)) is None


@pytest.mark.parametrize("spec", [*library.names(".toml"), "mnk(m=4,n=4,k=3)", "sos(n=4)"])
def test_no_position_of_a_real_game_is_blamed(spec: str) -> None:
    game = load_game(spec)
    for seed in range(6):
        luck, position = Luck(seed), game.start
        while moves := game.moves(position):
            assert flaw(game, position) is None, position
            position = game.after(position, luck.choice(moves))
        assert flaw(game, position) is None, position


def test_every_position_of_tic_tac_toe_is_told_from_the_others() -> None:
    game = load_game("tic-tac-toe")
    real = {(position.marks, position.seat) for layer in game.layers(ends=True) for position in layer}
    for number in range(3**9):
        marks = "".join(".xo"[number // 3**place % 3] for place in range(9))
        for seat in (0, 1):
            expected = (marks, seat) in real or marks == BLANK * 9
            assert (flaw(game, Position(marks, seat)) is None) == expected, (marks, seat)


def test_a_scene_must_be_reachable_or_say_that_it_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scene = 'table tic-tac-toe/figure-15\nscene "two"{}\n    x x *\n    . . .\n    . . .\n'
    path = Path("mine.scene")
    path.write_text(scene.format(""))
    with pytest.raises(SceneError, match="no game leads to this drawing: x has 2 pieces and o has 0"):
        load_suite(path)
    path.write_text(scene.format(" unreachable"))
    assert len(load_suite(path).tests) == 1
    path.write_text(scene.format(" in all symmetries unreachable"))
    assert len(load_suite(path).tests) == 1


def test_every_shipped_scene_can_be_read() -> None:
    for path in sorted(library.FOLDERS[".team"].rglob("*.scene")):
        assert load_suite(path).tests
