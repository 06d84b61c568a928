"""Comparing players: exactly where positions can be enumerated, else by play, with a test that keeps its word."""

import json
from math import log
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import teamplay as tp
from teamplay.arena.playing import chooser
from teamplay.cli import main
from teamplay.game_file import load_game
from teamplay.language import Source, bind, read_rulebook
from teamplay.luck import Luck
from teamplay.players import load_player
from teamplay.proof import compare as exact
from teamplay.proof import duel as duels
from teamplay.proof.compare import ChoiceComparison, compare
from teamplay.proof.duel import Duel
from teamplay.statistics import BOUND, llr, normalized_elo, pair_elo
from teamplay.team import Team
from tests.strategies import tables

Capture = pytest.CaptureFixture[str]


def compared(one: str, other: str, spec: str = "tic-tac-toe") -> ChoiceComparison:
    game = load_game(spec)
    found = compare(load_player(one, game), load_player(other, game), game)
    assert found
    return found


# Exactly.


def test_every_position_with_a_side_to_move_is_compared() -> None:
    same = compared("tic-tac-toe/figure-15", "tic-tac-toe/figure-15")
    assert (same.positions, same.different, same.first, same.choices) == (4520, 0, None, None)
    assert compared("random", "random").positions == 4520


def test_the_first_difference_has_the_fewest_marks() -> None:
    found = compared("tic-tac-toe/figure-15", "tic-tac-toe/figure-16c")
    assert (found.positions, found.different) == (4520, 4)
    assert found.first and found.choices and found.first.marks.count(".") == 7
    one, other = (set(moves) for moves in found.choices)
    assert one < other


@pytest.mark.parametrize("spec", ["tic-tac-toe-3d(n=2)", "sos(rows=2,columns=2)", "connect-four(columns=3,rows=2,k=2)"])
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_arrays_and_the_reference_find_the_same_differences(spec: str, data: st.DataObject) -> None:
    game = load_game(spec)
    books = [bind(data.draw(tables(game, chances=False)), Source("random", ""), game) for _ in range(2)]
    one, other = (Team(book) for book in books)
    assert compare(one, other, game) == exact._slowly(one, other, game, None)


def test_coins_and_fixed_ties_are_compared_by_the_reference() -> None:
    game = load_game("tic-tac-toe")
    text = "if n(xx) >= 1 then return 1 with chance 50%\nreturn 2"
    coins, sure = (Team(read_rulebook(Source("own", rules), game)) for rules in (text, text.replace("50%", "0%")))
    found = compare(coins, sure, game)
    assert found and found.positions == 4520 and found.different == 0  # a coin that fails leaves all cells tied
    first = compare(load_player("random", game), Team(sure.book, "first"), game)
    assert first and first.different == 4520 - 222  # all but those with one cell left


def test_too_many_positions_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_POSITIONS", 100)
    monkeypatch.setattr(exact, "MOST_SLOWLY", 100)
    game = load_game("tic-tac-toe")
    for player in ("random", "tic-tac-toe/figure-15"):
        assert compare(load_player(player, game), load_player(player, game), game) is None


def test_nobody_is_asked_before_the_positions_are_known_not_to_be_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_SLOWLY", 500)
    game = load_game("tic-tac-toe")
    player, asked = load_player("helpfulness", game), []
    monkeypatch.setattr(type(player), "moves", lambda _, position: asked.append(position))
    assert compare(player, player, game) is None
    assert not asked, "half a minute for nothing, on larger boards"


def test_the_command_tells_the_first_difference(capsys: Capture) -> None:
    assert main(["compare", "tic-tac-toe/figure-15", "tic-tac-toe/figure-16c"]) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert (
        "differ at tic-tac-toe on 4 of 4,520 positions with a side to move; the first, with the first seat (x)" in text
    )
    assert "figure-16c chooses" in text
    assert "play about equally well at tic-tac-toe: neither is 20 normalized Elo better." in text
    assert "Elo of tic-tac-toe/figure-15 over tic-tac-toe/figure-16c: " in text and "(95%: -" in text
    assert main(["compare", "tic-tac-toe/figure-9", "tic-tac-toe/figure-9"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "are equivalent at tic-tac-toe: they choose alike in all 4,520" in text and "plays better" not in text


def test_json_of_an_exact_comparison(capsys: Capture) -> None:
    assert main(["compare", "tic-tac-toe/figure-9", "tic-tac-toe/figure-11", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["method"], said["equivalent"], said["positions"]) == ("exact", False, 4520)
    assert set(said["first"]) == {"board", "seat", "a", "b"} and said["first"]["a"] != said["first"]["b"]
    assert said["verdict"] == "b" and said["wins"] + said["draws"] + said["losses"] == 2 * sum(said["pairs"])
    assert said["elo"]["low"] < said["elo"]["value"] < said["elo"]["high"] < 0
    assert main(["compare", "random", "random", "--json"]) == 0
    same = json.loads(capsys.readouterr().out)
    assert set(same) == set(said) and same["equivalent"] and same["verdict"] == "equal" and same["pairs"] is None


def test_who_plays_better_is_said_of_players_without_luck_too() -> None:
    """They play from random openings, and no pair of games counts twice."""
    found = tp.compare("tic-tac-toe/figure-9(tie=first)", "tic-tac-toe/figure-15(tie=first)")
    assert found.equivalent is False and found.choices and found.choices.different and found.duel
    assert found.verdict == "a" and found.duel.repeated > 0


def test_equal_sets_with_other_chances_are_played_out(tmp_path: Path) -> None:
    """A coin changes how often a move is made, not which moves may be made."""
    paths = [tmp_path / f"{percent}.team" for percent in (10, 90)]
    for path in paths:
        path.write_text(f"if n(xx) >= 1 then return 1 with chance {path.stem}%\nreturn 1 with chance 50%\nreturn 2\n")
    found = tp.compare(str(paths[0]), str(paths[1]), "tic-tac-toe", games=20)
    assert found.equivalent and found.duel and found.duel.pairs == 10


# Statistics.


def test_a_known_case() -> None:
    assert llr([3, 60, 352, 84, 9], 0, 20) == pytest.approx(3.12, abs=0.005)
    assert pytest.approx(log(19)) == BOUND


def test_what_is_turned_round_is_turned_round() -> None:
    counts = [3, 60, 352, 84, 9]
    assert llr(counts, 0, 20) == pytest.approx(-llr(counts, 20, 0))
    assert llr(counts[::-1], 0, 20) == pytest.approx(llr(counts, 0, -20), rel=1e-6)
    assert pair_elo(counts).value == pytest.approx(-pair_elo(counts[::-1]).value)


def test_more_evidence_says_more() -> None:
    counts = [3, 60, 352, 84, 9]
    assert llr([10 * count for count in counts], 0, 20) == pytest.approx(10 * llr(counts, 0, 20), rel=1e-6)
    wide, narrow = pair_elo(counts), pair_elo([100 * count for count in counts])
    assert wide.value == pytest.approx(narrow.value)
    assert (wide.high - wide.low) == pytest.approx(10 * (narrow.high - narrow.low), rel=0.02)


def test_elo_of_a_known_score() -> None:
    assert pair_elo([0, 0, 1, 0, 0]).value == pytest.approx(0, abs=1e-6)
    assert pair_elo([0, 0, 0, 10_000, 0]).value == pytest.approx(190.8, abs=0.1)  # three quarters of the points
    assert normalized_elo([1, 1, 1, 1, 1]).value == pytest.approx(0, abs=1e-9)


@given(st.lists(st.integers(0, 1000), min_size=5, max_size=5))
def test_no_counts_are_too_odd(counts: list[int]) -> None:
    for number in (llr(counts, 0, 20), llr(counts, -20, 0), pair_elo(counts).value, normalized_elo(counts).low):
        assert number == number and abs(number) < 1e7


@given(st.lists(st.integers(0, 200), min_size=5, max_size=5).filter(lambda counts: sum(counts) > 5))
def test_a_better_result_is_never_less_evidence(counts: list[int]) -> None:
    for place in range(4):
        if counts[place]:
            raised = list(counts)
            raised[place] -= 1
            raised[place + 1] += 1
            assert pair_elo(raised).value > pair_elo(counts).value


def decided(shares: list[float], luck: Random, most: int = 4_000) -> str:
    """What the test says of a pair of players whose pairs fall so."""
    counts = [0] * 5
    for _ in range(most // 50):
        for place in luck.choices(range(5), shares, k=50):
            counts[place] += 1
        ratio = llr(counts, 0, 100)
        if abs(ratio) >= BOUND:
            return "better" if ratio > 0 else "equal"
    return "undecided"


def tilted(wanted: float) -> list[float]:
    """Shares of pairs that stand for so much normalized Elo."""
    low, high = -0.1, 0.1
    for _ in range(60):
        middle = (low + high) / 2
        shares = [0.1 - middle, 0.2 - middle / 2, 0.4, 0.2 + middle / 2, 0.1 + middle]
        low, high = (
            (middle, high) if normalized_elo([1e9 * share for share in shares]).value < wanted else (low, middle)
        )
    return shares


@pytest.mark.parametrize(
    ("runs", "margin"), [(60, 0.13), pytest.param(1_000, 0.07, marks=pytest.mark.slow)], ids=["quickly", "thoroughly"]
)
def test_the_test_errs_as_seldom_as_it_says(runs: int, margin: float) -> None:
    """Errors of at most 5% at both hypotheses, and some room for the luck of a finite number of runs."""
    luck = Random(2026)
    equal = [decided(tilted(0), luck) for _ in range(runs)]
    unequal = [decided(tilted(100), luck) for _ in range(runs)]
    assert equal.count("better") / runs < margin and unequal.count("equal") / runs < margin
    assert equal.count("undecided") == unequal.count("undecided") == 0


# By play.


def played(one: str, other: str, games: int, seed: int = 1, spec: str = "tic-tac-toe") -> Duel:
    game = load_game(spec)
    found = Duel(load_player(one, game), load_player(other, game), game, seed)
    found.play(games)
    return found


def test_one_seed_one_result() -> None:
    one, same, another = (played("tic-tac-toe/figure-11", "random", 60, seed) for seed in (1, 1, 2))
    assert (one.counts, one.results) == (same.counts, same.results) != (another.counts, another.results)


def test_the_better_player_is_found_from_either_side() -> None:
    assert played("tic-tac-toe/figure-11", "random", 2_000).verdict == "first"
    assert played("random", "tic-tac-toe/figure-11", 2_000).verdict == "second"


def test_games_that_were_played_before_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duels, "MOST_REPEATS", 40)
    found = played("mnk/generic(tie=first)", "mnk/generic(tie=first)", 4_000, spec="mnk(m=2,n=2,k=2)")
    assert found.repeated >= 40 and found.pairs < 20
    assert found.stopped == "the last 40 pairs were all played before"


def test_games_in_which_chance_had_a_part_count_again() -> None:
    """On four cells there are few games, so many are met again: each is one more observation all the same."""
    found = played("random", "random", 400, spec="mnk(m=2,n=2,k=2)")
    assert found.repeated == 0


def test_both_play_both_seats_of_the_same_opening() -> None:
    found = played("random", "random", 40)
    assert sum(found.results) == 2 * found.pairs == 40
    start = found._opening(3)
    assert start == found._opening(3) and not found.game.outcome(start)


def test_a_large_board_is_played_by_the_compiled_engine_with_the_same_sets() -> None:
    game = load_game("gomoku(n=9)")
    team = load_player("mnk/generic", game)
    assert isinstance(team, Team)
    choose, position, luck = chooser(team), game.start, Luck(5)
    for _ in range(12):
        assert choose(position, luck) in team.moves(position)
        position = game.after(position, luck.choice(game.moves(position)))


def test_ctrl_c_keeps_what_is_known() -> None:
    def impatient(duel: Duel) -> None:
        if duel.pairs == 7:
            raise KeyboardInterrupt

    game = load_game("tic-tac-toe")
    found = Duel(load_player("random", game), load_player("random", game), game, 1)
    found.play(1_000, impatient)
    assert (found.pairs, found.stopped) == (7, "Ctrl-C")


def test_players_without_a_set_are_compared_by_play() -> None:
    game = load_game("tic-tac-toe")
    assert compare(load_player("mcts(playouts=1)", game), load_player("random", game), game) is None


def test_the_command_by_play(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_SLOWLY", 10)
    assert main(["compare", "tic-tac-toe/figure-11", "random", "--seed", "3"]) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith("tic-tac-toe/figure-11 plays better than random at tic-tac-toe.")
    assert "Log-likelihood ratios, sure at 2.94 and -2.94" in text and "Elo of" in text and "95%" in text
    assert main(["compare", "random", "random", "--games", "20", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["method"] == "play" and said["verdict"] == "undecided" and sum(said["pairs"]) == 10
    assert said["wins"] + said["draws"] + said["losses"] == 20


def test_mistakes(capsys: Capture, tmp_path: Path) -> None:
    assert main(["compare", "random", "nobody"]) == 2
    assert main(["compare", "tic-tac-toe/figure-6", "sos/safe"]) == 2
    assert main(["compare", "random", "random", "--games", "1"]) == 2
    assert "--games is at least 2" in capsys.readouterr().err
