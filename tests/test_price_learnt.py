"""What is learnt of large boards: views are classes, samples are valued truly, and a search finds the best there is."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from teamplay.engine.layers import Layers
from teamplay.engine.solver import Solver
from teamplay.game import Game, Position
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.learn.classes import ClassBook, Classifier
from teamplay.learn.vocabulary import parse_vocabulary
from tests import price, price_fit, price_learnt, price_views
from tests.price_fit import ANY
from tests.price_views import Rows, Sample, class_numbers

SMALL = {"connect-four(columns=4,rows=4)": (6, 10), "reversi(n=4)": (4, 8), "mnk(m=4,n=3,k=3)": (4, 7)}


def layers_of(game: Game, symmetric: bool) -> Layers:
    return Layers(read_rulebook(Source("silent", "everyone: return 1"), game), 0, symmetric, compiles=False)


@cache
def everything(sight: str, seat: int) -> tuple[price.Team, Sample]:
    """All positions of tic-tac-toe in which a seat is to move, up to symmetry: listed, and as a sample."""
    game = load_game("tic-tac-toe")
    team = price.Team(game, sight, seat, "never-loses")
    layers, solver = layers_of(game, True), Solver(game)
    positions = [layers.position(int(key)) for key in team.graph.keys[team.graph.mine]]
    solved = [solver.solve(position, distances=False) for position in positions]
    values = [solution.value or 0 for solution in solved]
    pairs = zip(solved, values, strict=True)
    costs = [{move.cell: value - worth.lower for move, worth in solution.moves.items()} for solution, value in pairs]
    return team, price_views.packed(game, positions, costs, values)


def lost_by(sample: Sample, sight: str, table: price_fit.Ranking) -> float:
    levels = price_learnt.levels_of(sample, price_learnt.KNOWN[sight][1], table)
    return float(price_fit.regrets(sample, levels).mean())


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize(
    ("sight", "words", "seen"),
    [
        ("its role alone", "roles", ""),
        ("its neighbours", "cells", "radius 1"),
        ("counts of its lines", "counts", ""),
        ("its lines, mark by mark", "cells", ""),
        ("the whole board", "cells", "all"),
    ],
)
def test_equal_rows_are_the_classes_of_the_exact_learner(spec: str, sight: str, words: str, seen: str) -> None:
    game = load_game(spec)
    sample = price_views.drawn_sample(game, SMALL[spec], 120, "classes")
    node, cells = sample.agents
    layers = layers_of(game, False)
    keys = np.array([layers.key(position) for position in sample.positions], dtype=np.int64)
    classifier = Classifier(ClassBook(parse_vocabulary(words, [game], seen)), game, large=False)
    exact = classifier.classes(keys, node, cells)
    found = class_numbers(price_learnt.rows_of(sample, price_learnt.KNOWN[sight][1]))
    pairs = {*zip(found.tolist(), exact.tolist(), strict=True)}
    assert len(np.unique(found)) == len(np.unique(exact)) == len(pairs) > 1


@pytest.mark.parametrize("spec", ["connect-four", "mnk(m=7,n=7,k=5)", "reversi"])
def test_on_a_large_board_a_view_holds_what_is_in_sight_and_nothing_else(spec: str) -> None:
    """The blindfold test: what an agent does not see may be anything, and what it sees counts."""
    game, random = load_game(spec), np.random.default_rng(3)
    size = game.grid.size
    for sight, words in (("its neighbours", "radius 1"), ("its lines, mark by mark", "")):
        book = parse_vocabulary("cells", [game], words).measures(game).book
        for cell in random.choice(size, 6, replace=False).tolist():
            boards = random.integers(0, 3, (2, size)).astype(np.int8)
            seen = sorted(book.sight(cell) - {cell})
            boards[1, seen] = boards[0, seen]
            rows = price_learnt.KNOWN[sight][1](game, boards, np.array([cell, cell]))
            assert (rows[0] == rows[1]).all(), (sight, cell)
            boards[1, seen[0]] = (boards[1, seen[0]] + 1) % 3
            rows = price_learnt.KNOWN[sight][1](game, boards, np.array([cell, cell]))
            turned_alike = len([turn for turn in game.grid.symmetries if turn[cell] == cell]) > 1
            assert turned_alike or (rows[0] != rows[1]).any(), (sight, cell)


@pytest.mark.parametrize("spec", SMALL)
def test_a_sample_is_valued_as_by_listing_all_games(spec: str) -> None:
    game = load_game(spec)
    sample = price_views.drawn_sample(game, SMALL[spec], 25, "values")

    @cache
    def value(position: Position, seat: int) -> int:
        over = game.outcome(position)
        if over:
            return 0 if over.winner is None else 1 if over.winner == seat else -1
        worths = [value(after, seat) for _, after in game.successors(position)]
        return max(worths) if position.seat == seat else min(worths)

    for i, position in enumerate(sample.positions):
        assert sample.values[i] == value(position, position.seat)
        after = {move.cell: value(left, position.seat) for move, left in game.successors(position)}
        found = zip(sample.cells[i][sample.legal[i]], sample.cost[i][sample.legal[i]], strict=True)
        assert {int(cell): int(sample.values[i] - cost) for cell, cost in found} == after


def test_in_a_quiet_position_no_move_of_either_seat_completes_a_line() -> None:
    game = load_game("connect-four")
    sample = price_views.drawn_sample(game, (18, 26), 40, "quiet")
    for i, position in enumerate(sample.positions):
        both = [Position(position.marks, seat) for seat in (0, 1)]
        ends = [game.outcome(after) for each in both for _, after in game.successors(each)]
        assert sample.quiet[i] == (not any(end and end.line for end in ends))
    assert 0 < sample.quiet.sum() < 40


@pytest.mark.parametrize("seat", [0, 1])
def test_few_classes_are_exhausted_so_the_search_reaches_the_best_table_there_is(seat: int) -> None:
    """Brute force: every assignment of three levels to the three roles, by the exact graph."""
    team, sample = everything("its role alone", seat)
    tables = price_learnt.fit(sample, len(sample.positions), price_views.roles, (1, 2, 3, ANY))
    for levels in (1, 2, 3):
        given = (np.array(each, dtype=np.int32) for each in product(range(levels), repeat=3))
        best = min(map(team.regret, given))
        assert lost_by(sample, "its role alone", tables[levels]) == pytest.approx(best, abs=1e-6)
    assert lost_by(sample, "its role alone", tables[ANY]) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize(
    "sight", ["its role alone", "its neighbours", "counts of its lines", "its lines, mark by mark"]
)
@pytest.mark.parametrize("seat", [0, 1])
def test_what_is_learnt_of_a_sample_never_beats_the_exact_bound(sight: str, seat: int) -> None:
    team, sample = everything(sight, seat)
    views = price_learnt.KNOWN[sight][1]
    rows = price_learnt.rows_of(sample, views)
    least = price_fit.least_regrets(sample, class_numbers(rows))
    assert least.mean() == pytest.approx(team.least_regret(), abs=1e-6)
    tables = price_learnt.fit(sample, len(sample.positions) * 3 // 4, views, (1, 2, ANY))
    for levels, table in tables.items():
        lost = price_fit.regrets(sample, price_learnt.levels_of(sample, views, table))
        assert (lost > least - 1e-6).all(), "in no position"
        assert levels == 1 or lost.mean() < team.regret(np.zeros(len(team.book.numbers), dtype=np.int32)) - 0.05


def test_a_listed_table_finds_the_best_level_of_every_cell_where_orders_are_too_many() -> None:
    """Local search over places: no class can be moved to a better level."""
    _, sample = everything("its neighbours", 0)
    rows = price_learnt.rows_of(sample, price_views.seen_in("radius 1"))
    kinds, codes = np.unique(rows, axis=0, return_inverse=True)
    assert 3 ** len(kinds) > price_fit.MOST_ORDERS
    table = price_fit.listed(sample, rows, (1, 2, 3))[3]
    given = table.levels(kinds, np.zeros(len(kinds), dtype=np.int8))
    best = price_fit.regrets(sample, given[codes.ravel()]).mean()
    assert best == pytest.approx(price.Team(sample.game, "its neighbours", 0, "never-loses").climbed()[2], abs=0.02)
    for code in range(0, len(kinds), 7):
        for level in range(3):
            other = given.copy()
            other[code] = level
            assert price_fit.regrets(sample, other[codes.ravel()]).mean() > best - 1e-6


def test_the_gradient_is_that_of_the_expected_loss() -> None:
    random = np.random.default_rng(5)
    legal = random.random((6, 5)) < 0.8
    legal[:, 0] = True
    cost = random.integers(0, 3, legal.shape).astype(np.float64)
    scores, cuts = random.normal(size=legal.shape), np.array([-0.4, 0.1, 0.9])

    def loss(scores: NDArray[np.float64], cuts: NDArray[np.float64]) -> float:
        return price_fit.level_slopes(scores, cuts, cost, legal, 0.7)[0]  # type: ignore[arg-type]

    _, by_score, by_cut = price_fit.level_slopes(scores, cuts, cost, legal, 0.7)  # type: ignore[arg-type]
    for at in zip(*np.nonzero(legal), strict=True):
        step = np.zeros_like(scores)
        step[at] = 1e-5
        assert (loss(scores + step, cuts) - loss(scores - step, cuts)) / 2e-5 == pytest.approx(by_score[at], abs=1e-4)
    for at, slope in enumerate(by_cut):
        step = np.eye(3)[at] * 1e-5
        assert (loss(scores, cuts + step) - loss(scores, cuts - step)) / 2e-5 == pytest.approx(slope, abs=1e-4)


def test_without_heat_the_expected_loss_is_the_regret_of_hard_levels() -> None:
    _, sample = everything("counts of its lines", 0)
    random = np.random.default_rng(7)
    scores = random.normal(size=sample.legal.shape).astype(np.float32)
    cuts = np.array([-0.5, 0.3], dtype=np.float32)
    loss = price_fit.level_slopes(scores, cuts, sample.cost, sample.legal, 1e-4)[0]
    assert loss == pytest.approx(
        price_fit.regrets(sample, np.searchsorted(cuts, scores[sample.legal])).mean(), abs=1e-3
    )


class Knowing:
    """A table over the whole board that solves it: two levels, and nothing is lost."""

    def __init__(self, game: Game) -> None:
        self.game, self.solver = game, Solver(game)

    def views(self, game: Game, boards: NDArray[np.int8], cells: NDArray[np.int64]) -> Rows:
        return np.hstack([boards, cells[:, None]]).astype(np.int8)

    def levels(self, rows: Rows, seats: NDArray[np.int8]) -> NDArray[np.int64]:
        return np.array([self._level(row, int(seat)) for row, seat in zip(rows, seats, strict=True)])

    def _level(self, row: NDArray[np.int8], seat: int) -> int:
        marks = (".", self.game.marks[seat], self.game.marks[1 - seat])
        position = Position("".join(marks[number] for number in row[:-1]), seat)
        best = self.solver.solve(position, distances=False).best
        return 0 if any(move.cell == row[-1] for move in best) else 1


@pytest.mark.parametrize("spec", ["connect-four(columns=4,rows=4)", "reversi(n=4)"])
def test_a_team_that_keeps_the_value_reaches_what_perfect_play_does_and_one_that_knows_nothing_does_not(
    spec: str,
) -> None:
    game = load_game(spec)
    sample = price_views.drawn_sample(game, SMALL[spec], 60, "games")
    knowing = Knowing(game)
    found = price_learnt.games(sample, knowing.views, knowing)
    assert found["results"] == found["perfect"] and found["lost"] == [0, 0]
    found = price_learnt.games(sample, price_views.roles, price_fit.Listed({}, 1))
    assert found["lost"][0] > 0.1 and found["results"] != found["perfect"]


def test_a_table_is_taken_by_the_positions_that_choose_and_not_by_those_that_judge() -> None:
    def row(chosen: float, regret: float) -> dict[str, object]:
        return {
            "levels": {"2": {"chosen": chosen, "regret": [regret, 0.0]}, "0": {"chosen": 1.0, "regret": [0.0, 0.0]}}
        }

    kept = {"learnt; g; its role alone": row(0.4, 0.9), "learnt; g; its own cell": row(0.5, 0.1)}
    assert price_learnt.best_of(kept, "g", "its own cell", 2, (2, ANY)) == ("its role alone", 2)
    assert price_learnt.best_of(kept, "g", "its own cell", ANY, (2, ANY)) == ("its role alone", 2)


def test_the_rows_of_a_board_are_the_same_every_time() -> None:
    board = price_learnt.LargeBoard("connect-four(columns=5,rows=4)", (6, 12), 120, 40, 40, 10)
    price_learnt.sample_of.cache_clear()
    one = price_learnt.learnt_row(board, "counts of its lines")
    price_learnt.sample_of.cache_clear()
    other = price_learnt.learnt_row(board, "counts of its lines")
    assert one | {"seconds": 0} == other | {"seconds": 0}
    assert set(one["levels"]) == {str(levels) for levels in price_learnt.LEVELS}
