"""The compiled engine says what the reference says: the rules of every game, every agent, and every tie.

Most tests run the kernels as plain Python; at the end, some hold the compiled ones equal to the plain ones.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teamplay.engine.arrays import board_of, game_arrays, seen_by
from teamplay.engine.contest import Contest
from teamplay.engine.game_graph import game_graph
from teamplay.engine.jit import compiled, kernels
from teamplay.engine.kernels import chance, lookup
from teamplay.engine.kernels import game as rules
from teamplay.engine.layers import Layers, symmetric
from teamplay.engine.live import LiveBoard
from teamplay.engine.playouts import Results, playouts
from teamplay.engine.program import LETTER_BITS, SILENT, TAKEN, WeightedSum, program
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.language import Source, bind, read_rulebook
from teamplay.language.rulebook import Rulebook
from teamplay.luck import Luck
from teamplay.reproduce.chances import chances
from teamplay.team import Team
from tests import odd
from tests.everywhere import EVERYWHERE, OWN, SHIPPED, SMALL, rulebook
from tests.everywhere import positions as played
from tests.strategies import positions, tables

GAMES = [*SMALL, *odd.FILES]
TABLED = [spec for spec in GAMES if spec not in ("long", "large")]  # where random tables are quickly checked
CALM = [(table, spec) for table, spec in EVERYWHERE if table not in OWN or "chance" not in OWN[table][1]]


@cache
def game_of(spec: str) -> Game:
    return odd.odd(spec) if spec in odd.FILES else load_game(spec)


def winner(game: Game, position: Position) -> int:
    """Who has won, as the kernels tell it."""
    outcome = game.outcome(position)
    return rules.NOBODY if outcome is None else rules.DRAW if outcome.winner is None else outcome.winner


def replayed(game: Game, results: Results, games: int, named: Callable[[Position], list[Move]]) -> Results:
    """What the recorded moves come to by the rules, each of them being one that was named."""
    counts, moves = [0, 0, 0], iter(results.record)
    for _ in range(games):
        position = game.start
        while not game.outcome(position):
            move = next(moves)
            assert move in named(position)
            position = game.after(position, move)
        counts[winner(game, position)] += 1
    assert next(moves, None) is None
    return Results(counts[0], counts[1], counts[2], len(results.record), results.record)


# Chance


@given(st.integers(0, 2**62 - 1))
def test_hashes_are_whole_numbers_of_59_bits(number: int) -> None:
    assert 0 <= chance.mix(number) < 2**59


@given(st.integers(0, 2**64))
def test_draws_stay_below_their_limit_and_depend_on_the_seed(seed: int) -> None:
    state, same = [0] * 4, [0] * 4
    chance.seed(state, seed)
    chance.seed(same, seed)
    drawn = [chance.draw(state, limit) for limit in range(1, 40)]
    assert all(0 <= number < limit for limit, number in enumerate(drawn, 1))
    assert drawn == [chance.draw(same, limit) for limit in range(1, 40)]


# The rules of games


@pytest.mark.parametrize("spec", GAMES)
def test_the_rules_over_arrays_are_the_rules(spec: str) -> None:
    game, luck = game_of(spec), Random(spec)
    made, changed = game_arrays(game), [0] * game.grid.size
    for _ in range(4):
        position, board = game.start, board_of(game, game.start).data
        while moves := game.moves(position):
            player = position.seat
            assert [c for c in game.grid.cells if rules.fits(made, board, c, player + 1)] == sorted(
                {move.cell for move in moves}
            )
            move = luck.choice(moves)
            after = game.after(position, move)
            count, found = rules.place(made, board, move.cell, game.marks.index(move.mark) + 1, changed)
            assert count == sum(one != other for one, other in zip(position.marks, after.marks, strict=True))
            assert board.tolist() == board_of(game, after).tolist()
            if game.goal.effect == "scores":
                assert found == sum(after.scores) - sum(position.scores)
            difference, blanks = after.scores[0] - after.scores[1], after.marks.count(".")
            assert rules.winner(made, board, player, found, difference, blanks) == winner(game, after)
            if not game.outcome(after):
                assert rules.following(made, board, player, found) == after.seat
            position = after


def ended(game: Game, position: Position, move: Move) -> int:
    """Who has won after a move, as the kernels tell it, which is what the reference says."""
    made, board = game_arrays(game), board_of(game, position).data
    _, found = rules.place(made, board, move.cell, game.marks.index(move.mark) + 1, [0] * game.grid.size)
    after = game.after(position, move)
    won = rules.winner(made, board, position.seat, found, 0, after.marks.count("."))
    assert won == winner(game, after)
    return won


def test_a_full_board_wins_for_the_other_where_a_line_wins_for_one() -> None:
    game = game_of("breaker")
    assert ended(game, game.position("xoxo/xoxo/oxo.", 1), Move(11, "o")) == 0
    assert ended(game, game.position("xx../oo../....", 0), Move(2, "x")) == 1  # whoever makes the line


def test_a_mark_that_turns_may_leave_the_opponent_a_line_of_the_exact_length() -> None:
    game = game_of("exact-flank")
    assert ended(game, game.position("x..../oooo./o..../.....", 0), Move(15, "x")) == 1


@pytest.mark.parametrize("spec", GAMES)
def test_roles_and_room_are_those_of_the_grid(spec: str) -> None:
    grid = game_of(spec).grid
    arrays = game_arrays(game_of(spec))
    roles = ("center", "corner", "edge", "face", "inner")
    for cell in grid.cells:
        ways = [way for axis in grid.axes for way in (axis, tuple(-step for step in axis))]
        assert arrays.places[cell].tolist() == [len(grid.ray(cell, way)) for way in ways]
        assert roles[arrays.roles[cell]] == grid.role(cell)


def test_a_line_may_be_longer_than_a_short_number() -> None:
    assert game_arrays(load_game("sos-line(n=70000)")).places[0, :2].tolist() == [69999, 0]


@pytest.mark.parametrize("spec", GAMES)
def test_random_games_are_games(spec: str) -> None:
    game, games = game_of(spec), 12
    found = playouts(game, games, seed=5, recorded=games * game.grid.size, large=False)
    assert found == replayed(game, found, games, game.moves)
    assert found != playouts(game, games, seed=6, recorded=games * game.grid.size, large=False)


def test_random_tic_tac_toe_ends_as_it_is_known_to() -> None:
    found = playouts(load_game("tic-tac-toe"), 60_000, seed=1)
    shares = [count / 60_000 for count in found[:3]]
    assert shares == pytest.approx([0.585, 0.288, 0.127], abs=0.01)


# Teams


@pytest.mark.parametrize(("table", "spec"), CALM)
@pytest.mark.parametrize("looks_up", [False, True])
def test_a_live_board_names_the_moves_that_the_team_names(table: str, spec: str, looks_up: bool) -> None:
    book = rulebook(table, spec)
    live, team = LiveBoard(book, large=False, looks_up=looks_up), Team(book)
    for position in islice(played(book.game, seed=1), 0, None, 1 + book.game.grid.size // 16):
        assert sorted(live.moves(position)) == sorted(team.moves(position))


def check_answers(live: LiveBoard, team: Team, met: list[Position]) -> None:
    """What every agent says in some positions: its priority, and the letters that it would place."""
    game = team.game
    for position in met:
        live.meet(position)
        said = dict.fromkeys(game.grid.cells, (TAKEN, 0))
        for response in team.answers(position, Luck(0)):
            priority = SILENT if response.priority is None else response.priority
            letter = 1 << game.marks.index(response.letter) if response.letter else 1
            said[response.sender] = priority, said[response.sender][1] | letter
        for cell, (priority, letters) in said.items():
            if priority != TAKEN:  # agents may answer where the rules let nobody place
                assert live.live.state.said[0, cell] == priority
                assert not game.shared or live.live.state.letters[0, cell] == letters


@pytest.mark.parametrize(("table", "spec"), CALM)
@pytest.mark.parametrize("looks_up", [False, True])
def test_every_agent_of_a_live_board_answers_as_its_agent_does(table: str, spec: str, looks_up: bool) -> None:
    book = rulebook(table, spec)
    met = list(played(book.game, seed=2))[:: 1 + book.game.grid.size // 12]
    check_answers(LiveBoard(book, large=False, looks_up=looks_up), Team(book), met)


# Incremental boards


def same_state(kept: LiveBoard, fresh: LiveBoard) -> bool:
    """Whether two boards hold the same answers and the same best ones."""
    for board in (kept, fresh):
        board.kernels.refresh(board.live.state, 0)
    states = [board.live.state for board in (kept, fresh)]
    tops = [(state.least[0, 1], state.share[0, 1]) for state in states]
    answers = [(state.said.tolist(), state.letters.tolist()) for state in states]
    return answers[0] == answers[1] and tops[0] == tops[1]


def check_incremental(book: Rulebook, changes: list[tuple[int, int]], looks_up: bool) -> None:
    """Marks come, change and go; afterwards the board is as if worked out afresh."""
    kept, fresh = (LiveBoard(book, large=False, looks_up=looks_up) for _ in range(2))
    for i, (cell, mark) in enumerate(changes):
        kept.put(cell, mark)
        if i % 3 == 0:
            fresh.live.state.board[:] = kept.live.state.board
            fresh.recompute()
            assert same_state(kept, fresh)


@pytest.mark.parametrize(("table", "spec"), SHIPPED)
def test_a_board_kept_up_to_date_equals_one_worked_out_afresh(table: str, spec: str) -> None:
    book, luck = rulebook(table, spec), Random(3)
    cells = [luck.randrange(book.game.grid.size) for _ in range(16)]
    changes = [(cell, luck.randrange(1 + len(book.game.marks))) for cell in cells + cells[::-1]]
    for looks_up in (False, True):
        check_incremental(book, changes, looks_up)


def test_one_of_the_most_urgent_is_picked_by_chance_each_as_often() -> None:
    book = rulebook("mnk/generic", "mnk(m=5,n=5,k=4)")
    board, state = LiveBoard(book, large=False), np.zeros(4, dtype=np.int64)
    game = book.game
    position = game.after(game.start, Move(0, "x"))
    tied = {move.cell for move in board.moves(position)}
    board.kernels.refresh(board.live.state, 0)
    kernels(chance, large=False).seed(state, 1)
    picked = [board.kernels.pick(board.live.state, 0, state)[0] for _ in range(200 * len(tied))]
    assert set(picked) == tied
    assert min(map(picked.count, tied)) > 140


def test_codes_and_features_of_a_look_up_are_measured_features() -> None:
    """Where a look-up tells all, an agent's packed features unpack to what is measured afresh."""
    book = rulebook("mnk/generic", "mnk(m=5,n=5,k=4)")
    looked, measured = LiveBoard(book, large=False, looks_up=True), LiveBoard(book, large=False, looks_up=False)
    assert len(looked.live.state.codes) and not len(measured.live.state.codes)
    assert looked.live.teams.table.shape == (lookup.sides(3) ** 2, 1)
    for position in played(book.game, seed=9):
        for board in (looked, measured):
            board.meet(position)
            assert (board.live.state.board == seen_by(book.game, position)).all()
        assert (looked.live.state.said == measured.live.state.said).all()


def weighing(priority: str) -> Rulebook:
    """A table for 6x6x4 in which every cell answers this."""
    game = game_of("mnk(m=6,n=6,k=4)")
    text = f"game mnk\neveryone:\n    if n(x??) > 2 * n(o??) - n(xx?) then return 7\n    return {priority}\n"
    return read_rulebook(Source("weighing", text), game)


@pytest.mark.parametrize("looks_up", [False, True])
def test_a_sum_of_patterns_is_one_feature_that_may_be_negative(looks_up: bool) -> None:
    book = weighing("900 - 7 * (n(x??) - 3 * n(oo?)) + n(*o) - 2 * n(xxx)")
    made = program(book)
    assert sum(isinstance(feature, WeightedSum) for feature in made.features) == 2
    check_answers(LiveBoard(book, False, looks_up), Team(book), list(islice(played(book.game, seed=5), 20)))


def test_a_count_from_another_cell_is_no_part_of_the_packed_word() -> None:
    """In three dimensions its row has a step where those of patterns have their least value, a shift and a mask."""
    text = "game tic-tac-toe-3d\nsight all\nreturn 9 + 3 * n(xx) - n(oo) + 20 * n(*x) at(-1,+1,+1)\n"
    book = read_rulebook(Source("away", text), game_of("tic-tac-toe-3d"))
    assert program(book).can_be_looked_up
    check_answers(LiveBoard(book, False, True), Team(book), list(islice(played(book.game, seed=7), 12)))


def test_where_sums_take_too_much_room_in_a_word_patterns_are_looked_up_one_by_one() -> None:
    book = weighing("n(x??) * 1000000 + n(o??) * 1000000 - n(xx?) * (900000 * n(xx?) - 1000000 * n(oo?))")
    made = program(book)
    assert made.can_be_looked_up and not any(isinstance(feature, WeightedSum) for feature in made.features)
    check_answers(LiveBoard(book, False, True), Team(book), list(islice(played(book.game, seed=6), 10)))


# Random tables


@pytest.mark.parametrize("spec", TABLED)
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_tables_are_followed_by_boards_and_kept_up_to_date(spec: str, data: st.DataObject) -> None:
    game = game_of(spec)
    book = bind(data.draw(tables(game, chances=False)), Source("random", ""), game)
    looks_up, met = data.draw(st.booleans()), data.draw(st.lists(positions(game), min_size=1, max_size=3))
    team, live = Team(book), LiveBoard(book, large=False, looks_up=looks_up)
    for position in met:
        assert sorted(live.moves(position)) == sorted(team.moves(position))
    check_answers(LiveBoard(book, large=False, looks_up=looks_up), team, met)
    a_change = st.tuples(st.integers(0, game.grid.size - 1), st.integers(0, len(game.marks)))
    check_incremental(book, data.draw(st.lists(a_change, max_size=7)), looks_up)


@pytest.mark.slow
@pytest.mark.parametrize("spec", TABLED)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_many_random_tables_are_followed(spec: str, data: st.DataObject) -> None:
    followed = test_random_tables_are_followed_by_boards_and_kept_up_to_date
    followed.hypothesis.inner_test(spec, data)  # type: ignore[attr-defined]


# Proofs


@pytest.mark.parametrize(
    ("table", "spec"),
    [
        ("mnk/generic", "mnk(m=4,n=3,k=3)"),
        ("mnk/generic", "mnk(m=30,n=1,k=5)"),
        ("tic-tac-toe-3d/basic", "tic-tac-toe-3d"),
        ("sos-line/basic", "sos-line(n=6)"),
        ("sos/safe", "sos(rows=2,columns=3)"),
        ("connect-four/basic", "connect-four(columns=4,rows=4)"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_proof_is_the_same_looked_up_and_measured_whole_and_up_to_symmetry(table: str, spec: str, seat: int) -> None:
    book = rulebook(table, spec)
    found = []
    for reduced, looks_up in ((False, False), (True, False), (False, True), (True, True)):
        layers = Layers(book, seat, reduced and symmetric(book), compiles=False, looks_up=looks_up)
        while layers.open and layers.positions < (60 if book.game.grid.size < 20 else 20):
            layers.grow(lambda: True)
        found.append((layers.positions, layers.outcomes, sorted(layers.orbits(layers.layers[-1]).sum(keepdims=True))))
    assert found == found[:1] * 4


# Whole games of table against table


@pytest.mark.parametrize(
    ("first", "second", "spec"),
    [
        ("tic-tac-toe/figure-15", "mnk/generic", "tic-tac-toe"),
        ("mnk/generic", "mnk/generic", "mnk(m=5,n=5,k=4)"),
        ("neighbours", "mnk/generic", "gomoku(n=6)"),
        ("misere/basic", "whole board", "misere"),
        ("connect-four/careful", "connect-four/basic", "connect-four(columns=5,rows=5)"),
        ("sos/safe", "sos/safe", "sos(n=4)"),
        ("reversi/corners", "whole board", "reversi(n=4)"),
        ("reversi/corners", "neighbours", "reversi(n=6)"),
    ],
)
@pytest.mark.parametrize("looks_up", [False, True])
def test_teams_play_what_they_name(first: str, second: str, spec: str, looks_up: bool) -> None:
    books, games = (rulebook(first, spec), rulebook(second, spec)), 3
    game, teams = books[0].game, tuple(map(Team, books))
    made = Contest(*books, large=False, looks_up=looks_up)
    found = made.play(games, seed=4, recorded=games * game.grid.size)
    assert found == replayed(game, found, games, lambda position: teams[position.seat].moves(position))
    assert made.play(games, seed=4, recorded=games * game.grid.size) == found


WALKED = [pair for pair in CALM if game_of(pair[1]).grid.size <= 9 and game_of(pair[1]).placement == "anywhere"]


@pytest.mark.parametrize(("table", "spec"), WALKED)
def test_games_walked_on_a_graph_are_those_of_the_kernels(table: str, spec: str) -> None:
    book = rulebook(table, spec)
    silent = replace(book, name="silent", sections=())
    for books in ((book, book), (book, silent), (silent, book)):
        graph = game_graph(*books)
        if graph is None:
            continue  # more positions than are kept
        assert graph.play(6, seed=5, recorded=40) == Contest(*books, large=False).play(6, seed=5, recorded=40)


@pytest.mark.parametrize("table", ["sos/feasible-greedy", "sos/safe"])
def test_whole_games_end_as_often_as_exact_chances_say(table: str) -> None:
    """Ties are broken among all answers alike, a cell with two letters being two answers, in both engines."""
    book = rulebook(table, "sos(rows=2,columns=4)")
    game, team = book.game, Team(book)
    exact = chances(game, team.moves, game.moves)(game.start)
    silent, games = replace(book, sections=()), 60_000
    found = Contest(book, silent, large=True).play(games, seed=7)
    shares = (found.first / games, found.draws / games, found.second / games)
    assert shares == pytest.approx(tuple(map(float, exact)), abs=0.008)  # four standard errors


def test_the_reference_breaks_ties_among_all_answers_alike() -> None:
    book = rulebook("sos/feasible-greedy", "sos(rows=1,columns=4)")
    team, position = Team(book), book.game.position("S...")
    moves = team.moves(position)
    assert sorted(move.cell for move in moves) == [1, 2, 3, 3], "one cell has two letters, the others one"
    chosen = [team.choose(position, Luck(seed)) for seed in range(200 * len(moves))]
    assert min(map(chosen.count, moves)) > 160  # 200 each; a cell drawn before its letter would make it 133


# The same kernels, compiled


def test_chance_is_the_same_plain_and_compiled() -> None:
    fast = compiled(chance)
    numbers = [0, 1, 2**31 - 1, 2**31, 2**62 - 1, *(Random(1).getrandbits(62) for _ in range(200))]
    assert [chance.mix(number) for number in numbers] == [fast.mix(number) for number in numbers]
    plain, quick = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    chance.seed(plain, 12345678901)
    fast.seed(quick, 12345678901)
    assert [chance.draw(plain, 6) for _ in range(600)] == [fast.draw(quick, 6) for _ in range(600)]


@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect-four", "gomoku(n=9)", "sos(n=4)", "reversi(n=4)"])
def test_random_games_are_the_same_plain_and_compiled(spec: str) -> None:
    game = load_game(spec)
    plain, fast = (playouts(game, 20, seed=3, recorded=2000, large=large) for large in (False, True))
    assert plain == fast


COMPILED = [("mnk/generic", "mnk(m=5,n=5,k=4)"), ("reversi/corners", "reversi(n=4)")]


@pytest.mark.parametrize(("table", "spec"), COMPILED)
def test_boards_are_the_same_plain_and_compiled(table: str, spec: str) -> None:
    book = rulebook(table, spec)
    plain, fast = (LiveBoard(book, large, looks_up=True) for large in (False, True))
    met = list(played(book.game, seed=6))
    for position in met:
        assert plain.moves(position) == fast.moves(position)
        assert same_state(plain, fast)
    check_answers(fast, Team(book), met[::3])


@pytest.mark.parametrize(("table", "spec"), COMPILED)
def test_whole_games_are_the_same_plain_and_compiled(table: str, spec: str) -> None:
    book = rulebook(table, spec)
    plain, fast = (Contest(book, book, large, looks_up=True).play(4, 2, recorded=200) for large in (False, True))
    assert plain == fast


@pytest.mark.parametrize(
    ("table", "spec", "bad"), [("mnk/generic", "mnk(m=4,n=3,k=3)", {None}), ("reversi/corners", "reversi(n=4)", {0})]
)
def test_proofs_are_the_same_plain_and_compiled(table: str, spec: str, bad: "set[int | None]") -> None:
    book, found = rulebook(table, spec), []
    for large in (False, True):
        layers = Layers(book, 1, symmetric(book), compiles=large, looks_up=True)
        while layers.open and not any(layers.outcomes[2 if who is None else who] for who in bad):
            layers.grow(lambda: True)
        game = layers.game_to(bad)
        found.append((layers.positions, layers.outcomes, len(game), np.sort(layers.layers[-1]).tolist()))
        found[-1] += (layers.choices(layers.layers[2]).sum(),)
    assert found[0] == found[1]


def test_a_priority_and_its_letters_fit_into_one_number() -> None:
    assert (TAKEN << LETTER_BITS) < 2**62
    assert (-(10**9) << LETTER_BITS | 255) >> LETTER_BITS == -(10**9)
