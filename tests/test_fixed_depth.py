"""Minimax to a fixed depth on the compiled engine names the moves that the plain search names."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamplay.engine.arrays import board_of
from teamplay.engine.contest import Contest, SearchingSeat
from teamplay.engine.fixed_depth import FixedDepthSearch, is_known
from teamplay.engine.jit import plain
from teamplay.engine.kernels import fixed_depth as kernel
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.learn.trial import Trial, setup
from teamplay.players import BatchPlayer, load_player
from teamplay.players.minimax import CompiledMinimax, Minimax
from tests.everywhere import SMALL, positions
from tests.odd import FILES, odd

GAMES = {**{spec: load_game(spec) for spec in SMALL}, **{name: odd(name) for name in FILES if name != "long"}}
KNOWN = [name for name, game in GAMES.items() if is_known(game)]
LEAVES = 3_000


def plainly(game: Game, position: Position, depth: int) -> list[Move]:
    """What the kernels name without the compiler."""
    search = FixedDepthSearch(game, depth)
    search.room.board[:] = board_of(game, position)
    points = position.scores[0] - position.scores[1]
    count = plain(kernel).best_actions(search.arrays, search.room, position.seat, points, depth)
    assert (search.room.board == board_of(game, position)).all()
    named = [divmod(action, search.arrays.letters) for action in sorted(search.room.best[:count].tolist())]
    return [Move(cell, game.marks[letter if game.shared else position.seat]) for cell, letter in named]


@given(st.sampled_from(KNOWN), st.integers(0, 10**6), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_the_kernels_name_every_best_move_and_no_other(name: str, seed: int, part: float) -> None:
    game = GAMES[name]
    met = [position for position in positions(game, seed) if not game.outcome(position)]
    position = met[int(part * (len(met) - 1))]
    for depth in (1, 2, 3, 4):
        if len(game.moves(position)) ** depth < LEAVES:
            assert plainly(game, position, depth) == Minimax(game, depth, "plain").moves(position)


@pytest.mark.parametrize(
    "name", ["tic-tac-toe", "misere", "connect-four(columns=5,rows=5)", "sos(n=4)", "reversi(n=4)"]
)
def test_compiled_kernels_name_the_same(name: str) -> None:
    game = GAMES[name]
    for depth in (1, 2, 3):
        search, slow = FixedDepthSearch(game, depth), Minimax(game, depth, "plain")
        for position in positions(game, seed=depth, games=2):
            if not game.outcome(position):
                assert search.moves(position) == slow.moves(position)


@pytest.mark.parametrize("name", ["tic-tac-toe", "misere", "connect-four(columns=5,rows=5)"])
def test_it_names_the_same_for_many_positions_at_once(name: str) -> None:
    game = GAMES[name]
    player = load_player("minimax(depth=3)", game)
    assert isinstance(player, BatchPlayer)
    met = [position for position in positions(game, seed=4, games=3) if not game.outcome(position)]
    marks = np.array([list(position.marks) for position in met])
    own = np.array([[game.marks[position.seat]] for position in met])
    mine, theirs = marks == own, (marks != own) & (marks != ".")
    named = player.chosen(mine, theirs, ~mine & ~theirs)
    for position, row in zip(met, named, strict=True):
        assert np.flatnonzero(row).tolist() == [move.cell for move in player.moves(position)]


def test_a_game_that_the_kernels_see_otherwise_is_searched_by_python() -> None:
    long = load_game("mnk(m=14,n=1,k=12)")
    assert not is_known(long) and type(load_player("minimax(depth=1)", long)) is Minimax
    assert type(load_player("minimax(depth=1)", load_game("mnk(m=14,n=1,k=11)"))) is CompiledMinimax


@pytest.mark.parametrize("large", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "spec",  # the first needs the same kernels as the test of a trial below
    ["connect-four(columns=5,rows=4,k=3)", pytest.param("mnk(m=4,n=3,k=3)", marks=pytest.mark.slow)],
)
def test_a_seat_in_a_batch_chooses_among_the_moves_that_the_player_names(spec: str, seat: int, large: bool) -> None:
    game = load_game(spec)
    book = read_rulebook(Source("any", "everyone:\n    return 1\n"), game)
    player = load_player("minimax(depth=2)", game)
    assert isinstance(player, Minimax)
    sitting = (SearchingSeat(depth=2), book) if seat == 0 else (book, SearchingSeat(depth=2))
    contest, chosen = Contest(*sitting, large=large), set[tuple[Position, Move]]()
    position = game.start
    for move in contest.play(40, 7, recorded=1_000).record:
        if position.seat == seat:
            assert move in player.moves(position)
            chosen.add((position, move))
        position = game.after(position, move)
        position = game.start if game.outcome(position) else position
    ties = {position for position, _ in chosen if len(player.moves(position)) > 1}
    assert any(len({move for at, move in chosen if at == position}) > 1 for position in ties)


def test_a_trial_against_it_is_a_batch_and_scores_what_games_move_by_move_do() -> None:
    """Both ways play the same openings; each game's luck differs, so shares are compared."""
    game, games = load_game("connect-four(columns=5,rows=5)"), 300
    book = read_rulebook(Source("any", "everyone:\n    return 1\n"), game)
    rival = load_player("minimax(depth=2)", game)
    assert isinstance(rival, CompiledMinimax)
    setups = [setup(game, n % 2, 9, n) for n in range(games)]
    batched = sum(Trial(book, rival, large=True).scores(setups)) / 2
    one_by_one = sum(Trial(book, Minimax(game, 2, "plain"), large=False).scores(setups)) / 2
    assert abs(batched - one_by_one) < 4 * sqrt(games) / 2, (batched, one_by_one)
    assert batched < games / 4
