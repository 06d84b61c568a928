"""What rules measure: one evaluator for numbers and columns, bounds that hold, symmetries that change nothing."""

from random import Random

import numpy as np
import pytest

from teamplay.game import Game
from teamplay.game_file import load_game
from teamplay.language import Source, TableError, bind, expressions
from teamplay.language.expressions import format_bound, parts, settled, value
from teamplay.language.features import bounds, keeps, mark_number
from teamplay.language.formatter import format_table
from teamplay.language.measures import bind_measures
from teamplay.language.rulebook import Rulebook
from teamplay.team.columns import columns
from teamplay.team.view import View
from tests.strategies import table

SPECS = ["tic-tac-toe", "mnk(m=5,n=4,k=3)", "sos(n=4)", "reversi(n=6)", "connect-four(columns=5,rows=4)"]


def boards(game: Game, number: int, seed: int) -> list[str]:
    """Some boards, as an agent sees them, legal or not."""
    chance = Random(seed)
    return ["".join(chance.choices([*game.visible_marks, "b"], k=game.grid.size)) for _ in range(number)]


def readings(book: Rulebook, cell: int, shown: list[str]) -> list[dict[int, int]]:
    """What the features that an agent's rules ask for come to, by board and number."""
    view = View(book, cell)
    nodes = [node for rule in book.rules(cell) for node in (rule.condition, rule.priority)]
    numbers = {reading.feature for node in nodes for reading in expressions.readings(node)}
    found = []
    for board in shown:
        for other in view.marks:
            view.notice(other, board[other])
        found.append({number: view[number] for number in numbers})
    return found


def random_book(game: Game, seed: int) -> Rulebook:
    made = table(game, Random(seed))
    return bind(made, Source("test.team", format_table(made)), game)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("spec", SPECS)
def test_a_column_holds_what_each_view_alone_comes_to(spec: str, seed: int) -> None:
    book = random_book(load_game(spec), seed)
    cell = Random(seed).choice(book.game.grid.cells)
    views = readings(book, cell, boards(book.game, 6, seed))
    columns = {number: np.array([view[number] for view in views]) for number in views[0]}
    for rule in book.rules(cell):
        for node in (rule.condition, rule.priority):
            if node is not None:
                alone = [value(node, view) for view in views]
                assert np.full(len(views), value(node, columns)).tolist() == alone, format_bound(node)
                if node is rule.condition and settled(node) is not None:
                    assert set(alone) == {settled(node)}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("spec", SPECS)
def test_features_stay_in_their_bounds_and_turn_with_the_board_if_they_say_so(spec: str, seed: int) -> None:
    book = random_book(load_game(spec), seed)
    grid = book.game.grid
    symmetry = Random(seed).choice(grid.symmetries)
    shown = boards(book.game, 3, seed)
    images = ["".join(board[symmetry.index(cell)] for cell in grid.cells) for board in shown]
    for cell in grid.cells:
        here, there = readings(book, cell, shown), readings(book, symmetry[cell], images)
        for number in here[0]:
            feature = book.features[number]
            least, most = bounds(feature, book.game)
            assert all(least <= view[number] <= most for view in here), feature
            if keeps(feature, grid, symmetry):
                assert [view[number] for view in here] == [view[number] for view in there], (feature, shown, cell)


def test_where_pieces_fall_the_mirror_keeps_rows_and_steps_up_and_down() -> None:
    game = load_game("connect-four")
    book = bind_measures(["row", "col", "at(-1,0)", "at(0,+1)"], game, head="sight all").book
    mirror = tuple(cell // 7 * 7 + 6 - cell % 7 for cell in game.grid.cells)
    assert [keeps(feature, game.grid, mirror) for feature in book.features] == [True, False, True, False]


def test_expressions_without_a_table_are_measured_as_columns() -> None:
    game = load_game("tic-tac-toe")
    measures = bind_measures(["n(oo) * 2", "count(x)", "center", "at(0,+1)", "row"], game, head="sight all")
    shown = ["oobbxbbbb", "bbbbobxxb"]
    assert columns(measures, 2, shown).tolist() == [[2, 1, 1, -1, 1], [0, 2, 2, -1, 1]]
    assert columns(measures, 3, shown)[:, 3].tolist() == [mark_number(game, "x"), mark_number(game, "o")]
    assert columns(measures, 3, []).shape == (0, 5)


def test_an_expression_that_means_nothing_is_an_error_with_its_text() -> None:
    game = load_game("tic-tac-toe")
    for text, code in (("n(xxx)", "T007"), ("1 then return 2", "T001"), ("cell(3,3)", "T008"), ("fo", "T004")):
        with pytest.raises(TableError) as error:
            bind_measures([text], game, role="edge", head="sight 2")
        assert error.value.diagnostics[0].code == code


def test_parts_come_from_left_to_right() -> None:
    measures = bind_measures(["n(xx) + 2 * row > count(o)"], load_game("tic-tac-toe"))
    texts = [format_bound(part) for part in parts(measures.expressions[0])]
    assert texts == [measures.texts[0], "n(xx) + 2 * row", "n(xx)", "2 * row", "2", "row", "count(o)"]
