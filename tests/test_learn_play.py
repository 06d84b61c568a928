"""`distill` and `tune`: tables from what players do, and from play; small budgets."""

import json
from pathlib import Path

import pytest

from teamplay.cli import main
from teamplay.game_file import load_game
from teamplay.language import Source
from teamplay.language.parser import parse_table
from teamplay.learn.distill import distill
from teamplay.learn.formula import Budget
from teamplay.learn.knobs import numbers, turned, value_at
from teamplay.learn.tune import HeldOut, Tuned, TuningPlan, tune
from teamplay.learn.vocabulary import parse_vocabulary
from teamplay.players import load_player
from teamplay.statistics import wilson

GAME = load_game("tic-tac-toe")
BLIND = "game tic-tac-toe\neveryone:\n    win: if n(xx) >= 1 then return 6\n    rest: return 5\n"


def test_a_table_is_distilled_from_itself() -> None:
    """Choice for choice; where nobody answers all are tied, so one rule says what the figure says with two."""
    player = load_player("tic-tac-toe/figure-6", GAME)
    found = distill(player, GAME, parse_vocabulary("n(oo)", [GAME]), 3, Budget(30))
    assert found.exhaustive and found.agreement == 1.0 and found.rules == 1
    assert found.regret == found.player_regret


def test_perfect_play_is_distilled_with_few_misses() -> None:
    player = load_player("perfect", GAME)
    found = distill(player, GAME, parse_vocabulary("n(xx), n(oo)", [GAME]), 3, Budget(30))
    assert found.player_regret == 0.0
    assert 0.6 < found.agreement < 1.0 and 0 < (found.regret or 0) < 0.5


def test_a_large_game_is_sampled_and_judged_by_positions_it_was_not_fitted_to() -> None:
    game = load_game("mnk(m=4,n=4,k=3)")
    player = load_player("mnk/helpfulness", game)
    found = distill(player, game, parse_vocabulary("n(xx), n(oo)", [game]), 2, Budget(20), sampled=60)
    assert not found.exhaustive and 0 < found.positions < 40


def test_the_command_prints_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "like.team"
    words = ["--vocabulary", "n(oo)", "--rules", "2", "-o", str(file)]
    assert main(["distill", "tic-tac-toe/figure-6", *words]) == 0
    assert "chooses as tic-tac-toe/figure-6 in 100.0% of all 627 positions" in " ".join(capsys.readouterr().out.split())
    assert main(["distill", "tic-tac-toe/figure-6", *words, "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agreement"] == 1.0


# Tuning


def test_every_number_of_the_rules_can_be_turned_and_no_other() -> None:
    table = parse_table(
        Source("t", "let near = x{k-2} b\nif n(near) >= 2 and at(+1,0) = b then return 9 - 3 * n(bb)\n")
    )
    assert [value_at(table, path) for path in numbers(table)] == [9, 3, 2]
    first = numbers(table)[0]
    assert [value_at(other, first) for other in turned(table, first)] == [4, 7, 8, 10, 11, 18]


def test_a_table_that_never_takes_its_win_is_tuned_to_take_it() -> None:
    found = tune(Source("blind", BLIND), GAME, ["random"], ["minimax(depth=1)"], TuningPlan(150, 20, 10), Budget(30))
    win, rest = (int(line.rpartition(" ")[2]) for line in found.table.splitlines() if "return" in line)
    assert found.accepted and win < rest
    assert found.elo.value > 0 and found.held_out
    assert found.verdict in ("better", "undecided")


def test_nothing_is_claimed_of_a_table_that_is_worse_on_held_out_opponents() -> None:
    worse = HeldOut("someone", 1, 400, wilson(300, 400), wilson(200, 400))
    assert worse.worse
    found = Tuned("", accepted=["x"], duel=[0, 0, 0, 0, 100], held_out=[worse])
    assert found.elo.low > 0 and found.verdict == "not better"
    assert Tuned("", accepted=["x"], duel=[0, 0, 0, 0, 100]).verdict == "undecided"
    assert Tuned("").verdict == "not better"


def test_an_opponent_of_the_pool_can_not_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "blind.team"
    file.write_text(BLIND, "utf-8")
    assert main(["tune", str(file), "--against", "random", "--held-out", "random"]) == 2
    assert "is in the pool, so it can't judge" in capsys.readouterr().err


def test_the_gate_lets_no_equal_table_through() -> None:
    """Whatever the only number of this table is, it plays the same."""
    found = tune(Source("flat", "return 5\n"), GAME, ["random"], ["minimax(depth=1)"], TuningPlan(60, 4, 2), Budget())
    assert (found.tried, found.accepted, found.verdict) == (4, [], "not better")
