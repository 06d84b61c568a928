"""Monte Carlo tree search on the engine: plain and compiled alike, and what it proves is true."""

import signal
import threading
import time

import pytest

from teamplay.engine.tree import TreeSearch, best
from teamplay.game import Game, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from tests.odd import FILES, RARE, odd

GAMES = [
    "tic-tac-toe",
    "misere",
    "mnk(m=5,n=4,k=3)",
    "gomoku(n=9)",
    "connect-four(columns=5,rows=4)",
    "reversi(n=4)",
    "sos(n=3)",
    "sos-corners(n=3)",
    "sos-line(n=7)",
    "tic-tac-toe-3d",
    "notakto(boards=2)",
    "order-and-chaos(n=4,k=3)",
    "exact",
    "exact-flank",
    "two-boards",
    "closed-boards",
]


def game_of(spec: str) -> Game:
    return odd(spec) if spec in FILES else load_game(spec)


def met(game: Game, plies: int, seed: int) -> Position:
    luck, position = Luck(seed), game.start
    for _ in range(plies):
        after = game.after(position, luck.choice(game.moves(position)))
        if game.outcome(after):
            break
        position = after
    return position


@pytest.mark.usefixtures("shared_kernels")
@pytest.mark.parametrize("spec", GAMES)
def test_plain_and_compiled_search_alike(spec: str) -> None:
    check_alike(game_of(spec))


@pytest.mark.slow
@pytest.mark.parametrize("spec", RARE)
def test_a_mixture_of_mechanics_that_is_compiled_for_itself_is_searched_alike(spec: str) -> None:
    check_alike(game_of(spec))


def check_alike(game: Game) -> None:
    for plies in (0, 3):
        position = met(game, plies, 1)
        plain, compiled = (TreeSearch(game, 0.5, large).candidates(position, 60, 0, 7) for large in (False, True))
        assert plain == compiled and sum(each.visits for each in plain) > 0
        assert {each.move for each in plain} <= set(game.moves(position))


def value(game: Game, position: Position, known: dict[Position, int]) -> int:
    """Who wins with best play: a seat, or 2 for a draw; by plain recursion."""
    if position not in known:
        over = game.outcome(position)
        if over:
            known[position] = 2 if over.winner is None else over.winner
        else:
            found = {value(game, after, known) for _, after in game.successors(position)}
            seat = position.seat
            known[position] = seat if seat in found else 2 if 2 in found else 1 - seat
    return known[position]


@pytest.mark.usefixtures("shared_kernels")
@pytest.mark.parametrize(
    "spec",
    [
        *("tic-tac-toe", "misere", "mnk(m=4,n=3,k=3)", "connect-four(columns=4,rows=3,k=3)", "sos(n=3)"),
        *("notakto(boards=1)", "order-and-chaos(n=3,k=2)", "breaker", "exact-letters", "breaker-flank"),
    ],
)
def test_what_it_proves_is_true(spec: str) -> None:
    game = game_of(spec)
    known: dict[Position, int] = {}
    proved = 0
    for seed in range(12):
        position = met(game, 4 if spec == "sos(n=3)" else 3, seed)
        for each in TreeSearch(game, 0.5, True).candidates(position, 3000, 0, seed):
            if each.winner is not None:
                proved += 1
                assert each.winner == value(game, game.after(position, each.move), known)
    assert proved >= 10


def test_a_proved_win_is_taken_and_a_proved_loss_is_not() -> None:
    game = load_game("tic-tac-toe")
    won = game.position("xx. / oo. / ...")
    assert [each.move.cell for each in best(TreeSearch(game, 0.5).candidates(won, 50, 0, 1), 0)] == [2]
    corner = game.position("o.. / ... / ...", 1)  # only the center holds
    assert [each.move.cell for each in best(TreeSearch(game, 0.5, True).candidates(corner, 20_000, 0, 1), 1)] == [4]


def test_time_is_a_bound() -> None:
    game = load_game("connect-four")
    TreeSearch(game, 0.5, True).candidates(game.start, 100, 0, 1)
    found = TreeSearch(game, 0.5).candidates(game.start, 0, 0.05, 1)
    assert sum(each.visits for each in found) > 0


@pytest.mark.parametrize("slice", [1e-9, 10.0])
def test_how_often_somebody_looks_at_the_clock_changes_no_choice(slice: float, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("connect-four")
    usual = TreeSearch(game, 0.5).candidates(game.start, 2_000, 0, 7)
    monkeypatch.setattr("teamplay.engine.tree.SLICE", slice)
    assert TreeSearch(game, 0.5).candidates(game.start, 2_000, 0, 7) == usual


def test_ctrl_c_ends_a_long_search_at_once() -> None:
    """A million playouts on the board of gomoku take minutes."""
    game = load_game("gomoku")
    search = TreeSearch(game, 0.5)
    search.candidates(game.start, 100, 0, 7)  # compiled now
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.process_time())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(0.5, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search.candidates(game.start, 1_000_000, 0, 7)
    assert time.process_time() - pressed[0] < 2
