"""`explain`: every rule tried, what it measured, the first that held, the nearest miss, and why not another cell."""

import json
import random
from pathlib import Path

import pytest

from teamplay import library
from teamplay.cli import main
from teamplay.game import Move
from teamplay.game_file import load_game
from teamplay.players import team
from teamplay.show.picture import Picture, think
from teamplay.show.reasons import comparison, measured, needed, question, reason, result, standing, summary
from teamplay.team.consult import Tried

FIGURE_15 = ["explain", "tic-tac-toe/figure-15", "--board", "o../.x./..."]


def picture_of(name: str, board: str, game: str | None = None, seed: int = 0) -> Picture:
    playing = team(name, load_game(game) if game else None)
    return think(playing, playing.game.position(board), seed)


def words(text: str) -> str:
    """A text without the line ends of its layout."""
    return " ".join(text.split())


def row(attempt: Tried) -> tuple[str, str, str, str]:
    return attempt.rule.name, question(attempt.rule), measured(attempt), result(attempt)


# One cell


def test_every_rule_down_to_the_one_that_answers_is_told_with_its_counts() -> None:
    why = reason(picture_of("tic-tac-toe/figure-15", "o../.x./..."), 8)
    assert [row(attempt) for attempt in why.tried] == [
        ("win", "n(xx) >= 1 or center != x", "n(xx)=0 no, center=x no", "no"),
        ("block", "n(oo) >= 1", "n(oo)=0 (needs 1)", "no"),
        ("counter", "n(bo) = 2 and n(bx) = 1", "n(bo)=0 no, n(bx)=0 no", "no"),
        ("fork", "n(bx) = 2", "n(bx)=0 (needs 2)", "no"),
        ("threaten", "n(bx) >= 1", "n(bx)=0 (needs 1)", "no"),
        ("preempt", "n(bo) >= 2", "n(bo)=0 (needs 2)", "no"),
        ("calm", "n(ee) >= 2", "n(ee)=3", "7"),
    ]
    assert why.miss is why.tried[0]
    assert summary(why) == (
        "`calm` answers 7: it holds, and none of the 6 rules above it does. Below it, not read here: `open`."
    )


@pytest.mark.parametrize("name", library.names(".team"))
def test_an_explanation_ends_in_the_answer_that_show_shows(name: str) -> None:
    playing = team(name, None)
    game, generator = playing.game, random.Random(name)
    position = game.start
    for _ in range(8):
        picture = think(playing, position, seed=1)
        cell = generator.choice(list(picture.answers))
        why, answer = reason(picture, cell), picture.answers[cell]
        assert [attempt.rule for attempt in why.tried] + list(why.unread) == list(playing.book.rules(cell))
        assert not any(attempt.fired for attempt in why.tried[:-1])
        assert (why.fired.priority if why.fired else None) == answer.priority
        assert (why.fired.rule.name if why.fired else "") == answer.rule
        assert all(attempt.missing > 0 for attempt in why.tried if not attempt.held)
        position = game.after(position, generator.choice(game.moves(position)))
        if game.outcome(position):
            position = game.start


def test_a_silent_agent_has_tried_everything(tmp_path: Path) -> None:
    path = tmp_path / "shy.team"
    path.write_text("everyone:\n    if n(xx) >= 1 then return 1\n    if not n(oo) = 0 then return 2\n")
    why = reason(picture_of(str(path), "o../.x./..."), 1)
    assert summary(why) == "No rule answers, so the agent stays silent (2 rules tried)."
    assert why.miss is why.tried[0]
    assert measured(why.tried[1]) == "n(oo)=0 yes", "the test inside a `not` is told as it was measured"


def test_a_coin_is_told_whichever_way_it_fell(tmp_path: Path) -> None:
    path = tmp_path / "coin.team"
    path.write_text("everyone:\n    dare: return 1 with chance 50%\n    return 2\n")
    told = {result(reason(picture_of(str(path), ".........", seed=seed), 0).tried[0]) for seed in range(20)}
    assert told == {"1 (its coin, 50%, came up)", "holds, but its coin (50%) failed"}


def test_letters_are_part_of_the_answer(tmp_path: Path) -> None:
    path = tmp_path / "sos.team"
    path.write_text(
        "game sos\neveryone:\n    if n(S*S) >= 1 then return 10 - n(S*S) play O\n    return 50 play S or O\n"
    )
    picture = picture_of(str(path), "S.S/.../...", "sos(n=3)")
    assert result(reason(picture, 1).tried[-1]) == "9 play O"
    assert result(reason(picture, 4).tried[-1]) == "50 play S or O"


@pytest.mark.parametrize(
    ("name", "game", "board", "cell", "sentence"),
    [
        ("tic-tac-toe/figure-6", None, "o../.x./...", 4, "Cell 5 (b2) is taken by x, the team's own"),
        ("tic-tac-toe/figure-6", None, "o../.x./...", 0, "Cell 1 (a1) is taken by o, the opponent's"),
        ("connect-four/basic", None, "/".join(["......."] * 6), 0, "the cell below it is empty, and pieces drop"),
        ("tic-tac-toe/figure-6", None, "xxx/oo./...", 8, "The game is over: the team (x) wins, 3 in a row."),
        ("mnk/generic", "mnk(m=3,n=3,k=3)", "xox/oxo/oxo", 0, "The game is over: a draw, no move is left."),
    ],
)
def test_an_agent_that_is_not_asked_has_a_reason(
    name: str, game: str | None, board: str, cell: int, sentence: str
) -> None:
    picture = picture_of(name, board, game)
    why = reason(picture, cell)
    assert sentence in why.barred
    assert comparison(picture, why) == [why.barred]
    assert not why.tried


def test_marks_are_named_from_the_side_of_the_team(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*FIGURE_15, "5", "--seat", "second"]) == 0
    assert "Cell 5 (b2) is taken by x, the team's own" in capsys.readouterr().out


# Why not?


def test_why_not_names_the_winner_and_what_was_missing() -> None:
    picture = picture_of("tic-tac-toe/figure-11", "o.x/o.x/.o.")
    assert comparison(picture, reason(picture, 6)) == [
        "Cell 7 (a3) answers 2 by `block`.",
        "The manager takes 9 (c3), which answers 1 by `win`: n(xx) >= 1, where n(xx)=1.",
        "To be as urgent it would have needed `win`, which answers 1: n(xx) >= 1, but n(xx)=0 (needs 1).",
    ]


def test_why_not_looks_only_at_rules_that_are_urgent_enough() -> None:
    picture = picture_of("tic-tac-toe/figure-13", ".o./x.o/.x.")
    for cell in set(picture.answers) - set(picture.tied):
        missed = needed(reason(picture, cell), 3)
        assert missed is not None and missed.priority <= 3 and not missed.held


def test_why_not_a_cell_that_ties_says_so() -> None:
    picture = picture_of("tic-tac-toe/figure-15", "o../.x./...")
    assert picture.chosen == Move(5, "x")
    assert comparison(picture, reason(picture, 5))[-1].startswith("It is the choice. It ties with 5 other cells")
    assert comparison(picture, reason(picture, 1))[-1] == "It ties with 5 other cells as the most urgent."
    assert standing(picture, reason(picture, 8)).startswith("More urgent: 2 (b1), 3 (c1)")


FIXED = """game mnk
everyone:
    never: if k <= 4 then return 1
    rare: if n(x{k-1}) >= 1 and k <= 4 then return 2
    here: if n(x?{k-2}) >= 2 and k >= 3 then return 3
    last: if k > 3 then return 9 - n(b{k-1})
"""


def test_a_test_of_what_is_fixed_on_a_board_measures_nothing(tmp_path: Path) -> None:
    (tmp_path / "my.team").write_text(FIXED)
    picture = picture_of(str(tmp_path / "my.team"), "x...../....../....../....../....../......", "mnk(m=6,n=6,k=5)")
    why = reason(picture, 35)
    assert [row(attempt)[1:3] for attempt in why.tried] == [
        ("5 <= 4", ""),
        ("n(x{k-1}) >= 1 and 5 <= 4", "n(x{k-1})=0 no, 5 <= 4 no"),
        ("n(x ?{k-2}) >= 2 and 5 >= 3", "n(x ?{k-2})=0 (needs 2)"),
        ("5 > 3", "n(b{k-1})=3"),
    ]
    assert why.miss and why.miss.rule.name == "here", "the others hold nowhere on this board"
    found = needed(why, 3)
    assert found and found.rule.name == "here"


def test_why_not_compares_what_one_rule_counted_in_two_cells() -> None:
    picture = picture_of("mnk/generic", ".../.../...", "tic-tac-toe")
    assert comparison(picture, reason(picture, 1))[1] == (
        "The manager takes 5 (b2), which answers 9996 by `short`: 3 <= 4, where threats=0 (n(x{k-2} b)=0), "
        "risks=0 (n(o{k-2} b)=0), n(x b{k-2})=0, n(o b{k-2})=0, free=4 (n(b{k-1})=4)."
    )


def test_why_not_finds_a_rule_in_the_shadow_of_another(tmp_path: Path) -> None:
    path = tmp_path / "shadow.team"
    path.write_text("center:\n    return 1\nothers:\n    calm: return 5\n    urgent: return 1\n")
    picture = picture_of(str(path), ".........")
    assert comparison(picture, reason(picture, 0))[-1] == (
        "Its rule `urgent` would be urgent enough, but it stands below the one that answered."
    )
    path.write_text("center:\n    return 1\nothers:\n    calm: return 5\n")
    picture = picture_of(str(path), ".........")
    assert comparison(picture, reason(picture, 0))[-1] == "None of its rules (it is a corner) answers 1 or less here."


def test_why_not_tells_of_a_coin_that_failed(tmp_path: Path) -> None:
    path = tmp_path / "coin.team"
    path.write_text("center:\n    return 2\nothers:\n    dare: return 2 with chance 1%\n    return 5\n")
    picture = picture_of(str(path), ".........")
    assert comparison(picture, reason(picture, 0))[-1] == (
        "Its rule `dare` holds and is urgent enough (2), but its coin failed."
    )


# The command


def test_the_short_form_groups_the_cells_and_tells_what_follows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "tic-tac-toe/figure-11", "--board", "o.x/o.x/.o."]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[5:9]] == [
        ["1", "win", "9", "(c3)"],
        ["2", "block", "7", "(a3)"],
        ["3", "preempt", "5", "(b2)"],
        ["4", "everyone", "4", "2", "(b1)"],
    ]
    assert lines[-1] == "9 (c3) makes 3 in a row and wins."


def test_the_long_form_fits_eighty_columns_and_marks_answer_and_miss(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*FIGURE_15, "c3", "--why-not", "9"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if line.endswith("<- nearest miss")] == ["win"]
    assert [line.split()[0] for line in lines if line.endswith("<- answers")] == ["calm"]
    assert "Cell 9 (c3), a corner, sees 6 cells: o at a1 and x at b2." in lines


def test_json_holds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*FIGURE_15, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["groups"] == [
        {"priority": 4, "rule": "threaten", "cells": [2, 3, 4, 6, 7, 8]},
        {"priority": 7, "rule": "calm", "cells": [9]},
    ]
    assert main([*FIGURE_15, "9", "--why-not", "5", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["cell"], shown["state"], shown["priority"], shown["rule"]) == (9, "answers", 7, "calm")
    assert [attempt["held"] for attempt in shown["tried"]] == [False] * 6 + [True]
    assert shown["nearest_miss"] == "win"
    assert shown["unread"] == ["open"]
    assert shown["why_not"]["state"] == "taken"
