"""`distill` and `tune`: tables from what players do, and from play; small budgets."""

import json
from pathlib import Path

import pytest

from teamplay.arena.playing import after_all, opening, played_out
from teamplay.cli import main
from teamplay.engine.contest import Contest, SearchingSeat
from teamplay.engine.solver import Solver
from teamplay.errors import TeamplayError
from teamplay.game import Move
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.language.parser import parse_table
from teamplay.learn.distill import distill
from teamplay.learn.formula import Budget
from teamplay.learn.knobs import numbers, turned, value_at
from teamplay.learn.trial import Trial, half_points, setup
from teamplay.learn.tune import HeldOut, Tuned, TuningPlan, tune
from teamplay.learn.vocabulary import parse_vocabulary
from teamplay.luck import Luck
from teamplay.players import load_player
from teamplay.statistics import wilson
from teamplay.team import Team

GAME = load_game("tic-tac-toe")
BLIND = "game tic-tac-toe\neveryone:\n    win: if n(xx) >= 1 then return 6\n    rest: return 5\n"


def test_a_player_too_slow_for_the_bound_is_asked_in_some_positions_at_least() -> None:
    found = distill(load_player("perfect", GAME), GAME, parse_vocabulary("n(oo)", [GAME]), 3, Budget(0.0))
    assert found.bound == "0 seconds" and not found.exhaustive and 0 < found.positions < 20


def test_a_table_is_distilled_from_itself() -> None:
    """Choice for choice; where nobody answers all are tied, so one rule says what the figure says with two."""
    player = load_player("tic-tac-toe/figure-6", GAME)
    found = distill(player, GAME, parse_vocabulary("n(oo)", [GAME]), 3, Budget())
    assert found.exhaustive and found.agreement == 1.0 and found.rules == 1
    assert found.regret == found.player_regret


def test_perfect_play_is_distilled_with_few_misses() -> None:
    player = load_player("perfect", GAME)
    found = distill(player, GAME, parse_vocabulary("n(xx), n(oo)", [GAME]), 3, Budget())
    assert found.player_regret == 0.0
    assert 0.6 < found.agreement < 1.0 and 0 < (found.regret or 0) < 0.5


def test_a_large_game_is_sampled_and_judged_by_positions_it_was_not_fitted_to() -> None:
    game = load_game("mnk(m=4,n=4,k=3)")
    player = load_player("mnk/helpfulness", game)
    found = distill(player, game, parse_vocabulary("n(xx), n(oo)", [game]), 2, Budget(), sampled=60)
    assert not found.exhaustive and 0 < found.positions < 40


def test_the_command_prints_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "like.team"
    words = ["--vocabulary", "n(oo)", "--rules", "2", "-o", str(file)]
    assert main(["distill", "tic-tac-toe/figure-6", *words]) == 0
    assert "chooses as tic-tac-toe/figure-6 in 100.0% of all 627 positions" in " ".join(capsys.readouterr().out.split())
    assert main(["distill", "tic-tac-toe/figure-6", *words, "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agreement"] == 1.0


# Games of a tuning


@pytest.mark.parametrize("named", ["tic-tac-toe", "connect-four(columns=4,rows=4)", "sos(n=3)", "reversi(n=4)"])
def test_a_game_goes_on_where_its_opening_ends(named: str) -> None:
    """Openings that leave one move, after which the rules say who has won."""
    game, openings, ends = load_game(named), [], []
    for seed in range(30):
        position, played = game.start, list[Move]()
        luck = Luck(seed)
        while not game.outcome(position):
            last, before = game.moves(position), position
            played.append(luck.choice(last))
            position = game.after(position, played[-1])
        outcomes = {over.winner for move in last if (over := game.outcome(game.after(before, move)))}
        if len(outcomes) == 1 and all(game.outcome(game.after(before, move)) for move in last):
            openings.append(played[:-1])
            ends.append(outcomes.pop())
    book = read_rulebook(Source("any", "everyone:\n    return 1\n"), game)
    assert len(set(ends)) >= 2
    assert Contest(book, book, large=False).winners(openings, 1) == ends


@pytest.mark.parametrize("seat", [0, 1])
def test_a_search_in_a_batch_makes_perfect_moves_within_enough_nodes(seat: int) -> None:
    """No nodes are spared at tic-tac-toe, so whoever stands well after an opening keeps it against random moves."""
    book, solver = read_rulebook(Source("silent", "everyone:\n    if n(xx) >= 9 then return 1\n"), GAME), Solver(GAME)
    openings = [opening(GAME, Luck(seed), 4, 4) for seed in range(12)]
    sitting = (SearchingSeat(nodes=10_000), book) if seat == 0 else (book, SearchingSeat(nodes=10_000))
    for moves, winner in zip(openings, Contest(*sitting, large=False).winners(openings, 3), strict=True):
        value = (solver.value(after_all(GAME, moves)) or 0) * (1 if seat == 0 else -1)
        assert value <= (0 if winner is None else 1 if winner == seat else -1)


def test_a_batch_ends_as_the_reference_does_where_nothing_is_left_to_chance() -> None:
    game = load_game("mnk(m=4,n=3,k=3)")
    text = "everyone:\n    win: if n(xx) >= 1 then return 1\n    return 10 * row + col\n"
    team = Team(read_rulebook(Source("in order", text), game))
    setups = [setup(game, n % 2, 5, n) for n in range(30)]
    found = Trial(team.book, team, large=False).scores(setups)
    for each, points in zip(setups, found, strict=True):
        ended = played_out(game, after_all(game, each.opening), (team.choose, team.choose), Luck(0))
        assert points == half_points(ended.winner, each.seat)
    assert [each.opening for each in setups[::3]] == [()] * 10 and len(set(found)) > 1


# Tuning


def test_every_number_of_the_rules_can_be_turned_and_no_other() -> None:
    text = "let near = x{k-2} b\nlet free = 7 * n(bb)\nif n(near) >= 2 and at(+1,0) = b then return 9 - 3 * free\n"
    table = parse_table(Source("t", text))
    assert [value_at(table, path) for path in numbers(table)] == [7, 9, 3, 2]
    first = numbers(table)[1]
    assert [value_at(other, first) for other in turned(table, first)] == [4, 7, 8, 10, 11, 18]


def test_a_table_that_never_takes_its_win_is_tuned_to_take_it() -> None:
    found = tune(Source("blind", BLIND), GAME, ["random"], ["minimax(depth=1)"], TuningPlan(150, 20, 10), Budget())
    win, rest = (int(line.rpartition(" ")[2]) for line in found.table.splitlines() if "return" in line)
    assert found.accepted and win < rest
    assert found.elo.value > 0 and found.held_out
    assert found.verdict in ("better", "undecided")


def test_a_judge_that_cannot_play_the_game_is_an_error_before_any_game() -> None:
    game, told = load_game("gomoku"), list[str]()
    table = Source("any", "everyone:\n    return 1\n")
    with pytest.raises(TeamplayError, match="too large for perfect play"):
        tune(table, game, ["random"], ["perfect"], TuningPlan(8, 2, 2), Budget(report=told.append))
    assert not told


def test_nothing_is_claimed_of_a_table_that_is_worse_on_held_out_opponents() -> None:
    worse = HeldOut("someone", 1, 400, wilson(300, 400), wilson(200, 400))
    assert worse.worse
    found = Tuned("", accepted=["x"], duel=[0, 0, 0, 0, 100], held_out=[worse])
    assert found.elo.low > 0 and found.verdict == "not better"
    assert Tuned("", accepted=["x"], duel=[0, 0, 0, 0, 100]).verdict == "undecided"
    assert Tuned("").verdict == "not better"


def test_a_proposal_passes_the_gate_or_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seeing = BLIND.replace("return 6", "return 4")
    for name, text in (("blind", BLIND), ("seeing", seeing)):
        (tmp_path / f"{name}.team").write_text(text, "utf-8")
    blind, proposal = str(tmp_path / "blind.team"), str(tmp_path / "seeing.team")
    words = ["--against", "random", "--held-out", "minimax(depth=1)", "--games", "20", "--gate", "300", "--json"]
    assert main(["tune", blind, "--proposal", proposal, *words]) in (0, 1)
    found = json.loads(capsys.readouterr().out)
    assert (found["tried"], found["accepted"], found["table"]) == (1, [f"the whole of {proposal}"], seeing)
    assert found["elo"]["value"] > 0 and len(found["held_out"]) == 2
    assert main(["tune", proposal, "--proposal", blind, *words]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["accepted"], found["table"], found["verdict"]) == ([], seeing, "not better")


def test_an_opponent_of_the_pool_can_not_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "blind.team"
    file.write_text(BLIND, "utf-8")
    assert main(["tune", str(file), "--against", "random", "--held-out", "random"]) == 2
    assert "is in the pool, so it can't judge" in capsys.readouterr().err


def test_the_gate_lets_no_equal_table_through() -> None:
    """Whatever the only number of this table is, it plays the same."""
    found = tune(Source("flat", "return 5\n"), GAME, ["random"], ["minimax(depth=1)"], TuningPlan(60, 4, 2), Budget())
    assert (found.tried, found.accepted, found.verdict) == (4, [], "not better")
