"""docs/price.md: the numbers behind it mean what the page says, and the page shows what was kept."""

import json
from itertools import product

import numpy as np
import pytest

from teamplay.arena.playing import after_all, opening
from teamplay.engine.solver import Solver
from teamplay.game import Move, Position
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.luck import Luck
from teamplay.reproduce.plot import drawn
from tests import price, price_managers
from tests.learning import written
from tests.price_managers import LocalSearch, local_value


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


def test_three_roles_are_few_enough_to_try_every_order() -> None:
    team = price.Team(load_game("misere"), "its role alone", 1, "never-loses")
    for levels, regret in zip(range(1, 4), team.climbed(), strict=False):
        orders = (np.array(each, dtype=np.int32) for each in product(range(levels), repeat=3))
        assert regret == pytest.approx(min(map(team.regret, orders)))


@pytest.mark.parametrize("spec", ["tic-tac-toe", "sos(n=3)"])
def test_the_positions_of_one_class_add_up_to_the_regret_of_all(spec: str) -> None:
    team = price.Team(load_game(spec), "counts of its lines", 0, "never-loses")
    options, random = price.Options.of(team), np.random.default_rng(2)
    codes = len(team.book.numbers) * team.letters
    levels = random.integers(0, 4, codes).astype(np.int32)
    everywhere = np.arange(len(options.code))
    before = options.lost(levels, everywhere)
    assert before.mean() == pytest.approx(team.regret(levels))
    for code in random.choice(codes, 20, replace=False).tolist():
        other = levels.copy()
        other[code] = (other[code] + 1) % 4
        rest = np.delete(everywhere, options.rows[code])
        after = options.lost(other, everywhere)
        assert (after[rest] == before[rest]).all()
        assert after.mean() == pytest.approx(team.regret(other))


@pytest.mark.parametrize("cut", [cut for cut in price_managers.CUTS if cut != "lines"])
@pytest.mark.parametrize("spec", ["tic-tac-toe", "mnk(m=4,n=3,k=3)", "connect-four"])
def test_every_cell_is_in_one_area(spec: str, cut: str) -> None:
    game = load_game(spec)
    areas = price_managers.CUTS[cut](game)
    assert sorted(cell for area in areas for cell in area) == list(game.grid.cells)


def test_the_lines_of_a_move_are_what_its_agent_sees_and_itself() -> None:
    game = load_game("connect-four")
    sight = read_rulebook(Source("any", "everyone: return 1"), game).sight
    for cell, asked in price_managers.asked_after(game, "lines").items():
        assert asked == {cell, *sight(cell)}


def test_one_area_plays_as_one_mind_and_areas_alone_do_not() -> None:
    game = load_game("mnk(m=3,n=2,k=2)")
    for rule in price_managers.RULES:
        assert local_value(game, 0, "one area", rule) == 1
    worst, chance, last = (local_value(game, 0, "rows", rule) for rule in ("worst", "chance", "last"))
    assert worst <= min(chance, last) <= 1


@pytest.mark.parametrize("spec", ["tic-tac-toe", "misere"])
@pytest.mark.parametrize("seat", [0, 1])
def test_two_ways_to_what_areas_reach_agree(spec: str, seat: int) -> None:
    """By the rules of the game and its positions, and by a search over bit sets."""
    game = load_game(spec)
    for cut in ("lines", "roles", "left and right"):
        assert LocalSearch(game, cut, "last").value(game.start, seat) == local_value(game, seat, cut, "last")
        if cut != "lines":
            assert LocalSearch(game, cut, "worst").value(game.start, seat) == local_value(game, seat, cut, "worst")


@pytest.mark.parametrize("spec", ["connect-four", "mnk(m=5,n=5,k=4)"])
def test_one_area_reaches_what_the_solver_says_and_more_areas_reach_no_more(spec: str) -> None:
    game = load_game(spec)
    solver = Solver(game, memory=64)
    for at in range(12):
        position = after_all(game, opening(game, Luck(at), game.grid.size - 12, game.grid.size - 8))
        value = solver.value(position)
        for rule in ("last", "worst"):
            assert LocalSearch(game, "one area", rule).value(position, position.seat) == value
            assert LocalSearch(game, "left and right", rule).value(position, position.seat) <= value


def test_an_area_that_was_not_provoked_can_not_block() -> None:
    """o threatens the top row by a move in the bottom row, whose manager alone is asked."""
    game = load_game("tic-tac-toe")
    position = Position("oo..x.x.o", 0, last=Move(8, "o"))
    assert LocalSearch(game, "rows", "last").value(position, 0) == -1
    assert LocalSearch(game, "lines", "last").value(position, 0) == 1, "the corner 3 is on a line with 9, and wins"


def test_the_page_shows_what_was_kept() -> None:
    kept, text = json.loads(price.KEPT.read_text("utf-8")), price.PAGE.read_text("utf-8")
    assert set(kept) <= set(price.questions())
    for name, table in price.TABLES.items():
        assert written(text, name, table(kept)) == text
    for plot in price.plots(kept):
        assert (price.DOCS / f"{plot.name}.svg").read_text("utf-8") == drawn(plot)
        assert f"({plot.name}.svg)" in text
