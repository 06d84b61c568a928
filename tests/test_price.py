"""docs/price.md: the numbers behind it mean what the page says, and the page shows what was kept."""

import json

import pytest

from teamplay.game_file import load_game
from tests import price
from tests.learning import written


@pytest.mark.parametrize("sight", ["its role alone", "counts of its lines"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_greedy_order_loses_no_less_than_the_best_class_of_every_position(sight: str, seat: int) -> None:
    team = price.Team(load_game("tic-tac-toe"), sight, seat, "never-loses")
    levels = team.careful()
    assert 0 <= team.least_regret() <= team.regret(levels) < team.regret(0 * levels)


def test_what_never_loses_never_loses_against_perfect_play() -> None:
    team = price.Team(load_game("tic-tac-toe"), "counts of its lines", 0, "never-loses")
    order = team.order()
    assert order is not None
    assert team.against_perfect(order) == pytest.approx((0, 1, 0))
    won, drawn, lost = team.against_perfect(0 * order)
    assert won == 0 and drawn + lost == pytest.approx(1) and lost > 0.1, "any cell against perfect play"


def test_more_levels_lose_no_more() -> None:
    regrets = price.Team(load_game("tic-tac-toe"), "its role alone", 0, "never-loses").climbed()
    assert regrets == sorted(regrets, reverse=True) and regrets[2] == regrets[-1], "three roles, three levels"


def test_one_area_plays_as_one_mind_and_areas_alone_do_not() -> None:
    game = load_game("mnk(m=3,n=2,k=2)")
    whole, rows = (price.AREAS[name](game) for name in ("one area", "rows"))
    assert price.local(game, 0, whole, True) == price.local(game, 0, whole, False) == 1
    assert price.local(game, 0, rows, True) <= price.local(game, 0, rows, False) <= 1


def test_the_page_shows_what_was_kept() -> None:
    kept, text = json.loads(price.KEPT.read_text("utf-8")), price.PAGE.read_text("utf-8")
    assert set(kept) <= set(price.questions())
    for name, table in price.TABLES.items():
        assert written(text, name, table(kept)) == text
