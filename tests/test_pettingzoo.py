"""PettingZoo's own tests of our environments, and what those don't ask: rewards, sight, many boards at once."""

import types
import warnings

import numpy as np
import pytest

from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import Game, Position
from teamplay.game_file import load_game

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'teamplay[pettingzoo]'")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its tests import games that it has marked as old
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
    )

from teamplay.engine.vector import VectorGame
from teamplay.interop import pettingzoo as environments
from teamplay.interop.pettingzoo import CellsEnv, cells_env, env
from teamplay.luck import Luck
from tests.everywhere import SMALL
from tests.odd import FILES, RARE, odd


@pytest.fixture(autouse=True)
def _quiet() -> None:
    """Its tests warn of what they would rather see: dictionaries with action masks are as it documents them."""
    warnings.simplefilter("ignore")


@pytest.mark.parametrize("spec", SMALL)
def test_a_game_passes_its_tests(spec: str) -> None:
    api_test(env(spec), num_cycles=30)
    seed_test(lambda: env(spec), num_cycles=10)


@pytest.mark.parametrize(
    "spec", ["tic-tac-toe", "sos(n=3)", "connect-four(columns=4,rows=4)", "reversi(n=4)", "notakto(boards=2)"]
)
@pytest.mark.parametrize("seat", ["first", "second"])
def test_cells_pass_its_tests(spec: str, seat: str) -> None:
    api_test(cells_env(spec, seat=seat), num_cycles=20)
    seed_test(lambda: cells_env(spec, seat=seat), num_cycles=5)
    parallel_api_test(CellsEnv(spec, seat=seat), num_cycles=20)  # type: ignore[arg-type]
    parallel_seed_test(lambda: CellsEnv(spec, seat=seat), num_cycles=5)  # type: ignore[arg-type]


def test_cells_pass_the_test_of_cycles() -> None:
    max_cycles_test(types.SimpleNamespace(env=cells_env, parallel_env=CellsEnv))


@pytest.mark.parametrize("make", [env, cells_env])
def test_drawings_pass_the_test_of_rendering(make: object) -> None:
    render_test(lambda render_mode=None: make("tic-tac-toe", render_mode=render_mode))  # type: ignore[operator]


def test_the_winner_is_rewarded() -> None:
    game = env("tic-tac-toe")
    game.reset()
    for action in (0, 3, 1, 4, 2):
        game.step(action)
    assert game.rewards == {"first": 1, "second": -1} and all(game.terminations.values())


def test_each_player_sees_the_board_from_its_own_side() -> None:
    game = env("tic-tac-toe")
    game.reset()
    game.step(4)
    assert game.observe("second")["observation"][1, 1] == 2 and game.observe("first")["observation"][1, 1] == 1
    assert game.observe("second")["action_mask"].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert not game.observe("first")["action_mask"].any()


def test_a_cell_observes_its_sight_and_nothing_else() -> None:
    """The blindfold test: scramble what a cell can't see, and its observation stays the same."""
    cells, luck = CellsEnv("mnk(m=5,n=5,k=3)"), Luck(3)
    cells.reset(seed=1)
    for agent, cell in cells._cells.items():
        seen = cells._observations()[agent]["observation"]
        hidden = [other for other in range(25) if other not in (cell, *cells._sight[cell])]
        marks = list(cells.position.marks)
        for other in hidden:
            marks[other] = luck.choice("xo.")
        before, cells.position = cells.position, Position("".join(marks), 0, game=cells.game)
        assert (cells._observations()[agent]["observation"] == seen).all()
        cells.position = before


def test_the_most_urgent_cell_moves() -> None:
    cells = CellsEnv("tic-tac-toe", levels=3)
    cells.reset(seed=5)
    cells.step({agent: 1 if agent == "cell_7" else 2 for agent in cells.agents})
    assert cells.position.marks[6] == "x" and cells.position.marks.count("o") == 1


def test_silence_of_all_is_a_tie_of_all() -> None:
    chosen = set()
    for seed in range(60):
        cells = CellsEnv("tic-tac-toe")
        cells.reset(seed=seed)
        cells.step(dict.fromkeys(cells.agents, 0))
        chosen.add(cells.position.marks.index("x"))
    assert chosen == set(range(9))


@pytest.mark.parametrize(
    ("options", "said"),
    [({"seat": "third"}, "first or second"), ({"levels": 0}, "at least 1"), ({"render_mode": "film"}, "render mode")],
)
def test_bad_options_are_told_in_a_sentence(options: dict[str, object], said: str) -> None:
    with pytest.raises(BadSpec, match=said):
        environments.CellsEnv("tic-tac-toe", **options)  # type: ignore[arg-type]


@pytest.mark.usefixtures("shared_kernels")
@pytest.mark.parametrize("boards", [3, 500])
@pytest.mark.parametrize("spec", [*SMALL, "exact-flank", "two-boards", "two-drops", "closed-boards", "breaker-drop"])
def test_many_boards_follow_the_rules(spec: str, boards: int) -> None:
    """Plain and compiled: every board does what the game does with the same moves."""
    check_boards(odd(spec) if spec in FILES else load_game(spec), boards)


@pytest.mark.slow
@pytest.mark.parametrize("name", RARE)
def test_boards_of_a_mixture_that_is_compiled_for_itself_follow_the_rules(name: str) -> None:
    check_boards(odd(name), 500)


def check_boards(game: Game, boards: int) -> None:
    luck = Luck(2)
    many = VectorGame(game, boards)
    positions = [game.start] * boards
    watched = range(0, boards, max(1, boards // 5))
    for _ in range(30):
        actions = np.array([luck.choice(np.flatnonzero(row).tolist()) for row in many.legal])
        for b in watched:
            legal = {many.move(b, int(action)) for action in np.flatnonzero(many.legal[b])}
            assert legal == set(game.moves(positions[b]))
            positions[b] = game.after(positions[b], many.move(b, int(actions[b])))
        rewards, done = many.step(actions)
        for b in watched:
            over = game.outcome(positions[b])
            assert done[b] == (over is not None)
            if over:
                gained = [0, 0] if over.winner is None else [1 - 2 * over.winner, 2 * over.winner - 1]
                assert rewards[b].tolist() == gained
                positions[b] = game.start
            assert many.seats[b] == positions[b].seat
            assert "".join((".", *game.marks)[mark] for mark in many.marks[b]) == positions[b].marks


def test_an_illegal_action_names_the_board_and_moves_nothing() -> None:
    many = VectorGame(load_game("tic-tac-toe"), 4)
    many.step(np.array([0, 1, 2, 3]))
    before = many.marks.copy()
    with pytest.raises(IllegalMove, match="Action 2 is illegal on board 2"):
        many.step(np.array([5, 5, 2, 5]))
    assert (many.marks == before).all()
    with pytest.raises(BadSpec, match="4 boards"):
        many.step(np.array([1]))


def test_random_play_ends_games() -> None:
    assert VectorGame(load_game("tic-tac-toe"), 50).play_random(100) > 400
