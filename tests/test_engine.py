"""The compiled engine says what the reference manager and agents say, choice for choice, the whole tie set."""

from random import Random

import numpy as np
import pytest

from teamplay import library
from teamplay.engine.compiled import compile_book
from teamplay.engine.jit import compiled
from teamplay.engine.kernels import chance, lookup, play, rule
from teamplay.engine.live import LiveBoard
from teamplay.engine.program import SILENT
from teamplay.game import Position
from teamplay.language import load_rulebook
from teamplay.language.rulebook import Rulebook
from teamplay.luck import Luck
from teamplay.team import Team

GAMES = 2
LARGE = ("gomoku", "reversi", "connect-four")


def positions(book: Rulebook, seed: int, games: int = GAMES) -> list[Position]:
    """The positions of some random games that are not over."""
    game, chance = book.game, Random(seed)
    met = []
    for _ in range(1 if game.name in LARGE else games):
        position = game.start
        while not game.outcome(position):
            met.append(position)
            position = game.after(position, chance.choice(game.moves(position)))
    return met


@pytest.mark.parametrize("name", library.names(".team"))
def test_a_live_board_names_the_moves_that_the_team_names(name: str) -> None:
    book = load_rulebook(name)
    live, team = LiveBoard(book, large=False), Team(book)
    for position in positions(book, seed=1):
        assert live.moves(position) == team.moves(position)


@pytest.mark.parametrize("name", library.names(".team"))
def test_a_board_kept_up_to_date_equals_one_worked_out_afresh(name: str) -> None:
    book = load_rulebook(name)
    kept = LiveBoard(book, large=False)
    for position in positions(book, seed=2, games=1)[::3]:
        kept.meet(position)
        fresh = LiveBoard(book, large=False)
        fresh.live.seen[:] = kept.live.seen
        fresh.recompute()
        assert (kept.live.said == fresh.live.said).all()
        assert (kept.live.letters == fresh.live.letters).all()


@pytest.mark.parametrize("name", library.names(".team"))
def test_every_agent_answers_alike(name: str) -> None:
    book = load_rulebook(name)
    game, made, team = book.game, compile_book(book, large=False), Team(book)
    marks = game.marks if game.shared else ("x", "o")
    for position in positions(book, seed=3, games=1)[::2]:
        seen = [0 if mark == "b" else marks.index(mark) + 1 for mark in game.seen(position)]
        boards = np.array([seen], dtype=np.int8)
        priorities, letters = np.zeros((2, 1, game.grid.size), dtype=np.int64)
        rule.answers(made.game, made.program, boards, np.zeros(1, dtype=np.int8), priorities, letters)
        for said in team.answers(position, Luck(0)):
            assert priorities[0, said.sender] == (SILENT if said.priority is None else said.priority)
            if game.shared and said.priority is not None:
                assert letters[0, said.sender] >> game.marks.index(said.letter) & 1


def test_the_look_up_table_is_the_same_plain_and_compiled() -> None:
    book = load_rulebook("tic-tac-toe/figure-15")
    made = compile_book(book, large=True)
    plain = np.zeros_like(made.table)
    lookup.fill(made.game, made.program, plain)
    assert (plain == made.table).all()
    assert plain.any()


def test_random_numbers_are_the_same_plain_and_compiled() -> None:
    plain, fast = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    chance.seed(plain, 12345678901)
    compiled(chance).seed(fast, 12345678901)
    drawn = [chance.draw(plain, 6) for _ in range(600)]
    assert drawn == [compiled(chance).draw(fast, 6) for _ in range(600)]
    assert min(map(drawn.count, range(6))) > 60


@pytest.mark.parametrize("name", ["tic-tac-toe/figure-6", "sos/safe", "misere/basic"])
def test_whole_games_end_with_a_winner_or_a_draw(name: str) -> None:
    book = load_rulebook(name)
    boards = [LiveBoard(book, large=False) for _ in range(2)]
    fresh = [LiveBoard(book, large=False).live for _ in range(2)]
    state, outcomes = np.zeros(4, dtype=np.int64), np.zeros(3, dtype=np.int64)
    chance.seed(state, 7)
    (mine, theirs), made = boards, boards[0].compiled
    both = (made.program, mine.live, fresh[0], made.program, theirs.live, fresh[1])
    moves = play.play_many(made.game, *both, 5, state, outcomes)
    assert outcomes.sum() == 5
    assert 5 * 5 <= moves <= 5 * book.game.grid.size
