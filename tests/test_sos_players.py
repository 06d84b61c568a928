"""The SOS players of the papers: what each may choose, as published, repaired, and as a table."""

from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamplay.engine.jit import kernels
from teamplay.errors import BadSpec
from teamplay.game import BLANK, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, _sos_minimax, _sos_search, game_of, load_player
from teamplay.proof.verify import verify
from tests.everywhere import winner
from tests.naive import places, runs
from tests.strategies import positions

BOARDS = [load_game(spec) for spec in ("sos(n=3)", "sos(n=4)", "sos(rows=2,columns=6)", "sos-corners", "sos-line(n=9)")]
SCORING = BOARDS[:-1]
PLAYERS = (
    "greedy",
    "greedy(take=any,letter=last)",
    "greedy(take=most)",
    "feasible-greedy",
    "feasible-greedy(limit=side,blacklist=false)",
    "feasible-greedy(limit=2,letter=last)",
    "considerate-greedy(endgame=4)",
)
SEARCHERS = ("h1(depth=2)", "h2(depth=2)", "owned-minimax(depth=2)")


def named(spec: str, game: Game) -> OpenPlayer:
    player = load_player(spec, game)
    assert isinstance(player, OpenPlayer)
    return player


@cache
def triples(game: Game) -> list[tuple[int, ...]]:
    """Every three cells in a row, read both ways."""
    cells = {at: cell for cell, at in enumerate(places(game.grid.shape))}
    return [tuple(cells[at] for at in run) for run in runs(game.grid.shape, 3)]


def texts(game: Game, marks: str) -> list[str]:
    return [marks[a] + marks[b] + marks[c] for a, b, c in triples(game)]


def words(game: Game, marks: str) -> int:
    """The SOS on a board; each is read both ways."""
    return texts(game, marks).count("SOS") // 2


def gains(game: Game, position: Position) -> dict[Move, int]:
    """The SOS that each move completes."""
    before = words(game, position.marks)
    return {move: words(game, after.marks) - before for move, after in game.successors(position)}


def may_score(game: Game, position: Position) -> bool:
    return not {"S.S", "SO."}.isdisjoint(texts(game, position.marks))


def quiet(game: Game, position: Position) -> set[Move]:
    """The moves after which nobody can score at once."""
    return {move for move, after in game.successors(position) if not may_score(game, after)}


@st.composite
def calm(draw: st.DrawFn, game: Game) -> Position:
    """A position in which nobody can score at once, now and then one in which every move changes that."""
    chance: Random = draw(st.randoms(use_true_random=False))
    position = game.start
    for _ in range(chance.choice([game.grid.size, chance.randrange(game.grid.size)])):
        moves = game.moves(position)
        chance.shuffle(moves)
        afters = (game.after(position, move) for move in moves)
        calmer = next((after for after in afters if not may_score(game, after) and not game.outcome(after)), None)
        if calmer is None:
            return position
        position = calmer
    return position


# Pure greedy


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_greedy_scores_if_it_can_and_else_might_do_anything(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(BOARDS))
    position = data.draw(positions(game))
    gained = gains(game, position)
    scoring = [move for move in game.moves(position) if gained[move]]
    first, every, most, blind = (
        named(spec, game).moves(position)
        for spec in ("greedy", "greedy(take=any)", "greedy(take=most)", "greedy(letter=last)")
    )
    if scoring:
        assert first == blind == [scoring[0]], "the first cell that scores, S before O"
        assert every == scoring
        assert most == [move for move in scoring if gained[move] == max(gained.values())]
    else:
        assert first == every == most == game.moves(position)
        assert blind == [move for move in game.moves(position) if move.mark == "O"]


# Feasible greedy


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_feasible_greedy_may_end_with_what_algorithm_2_may_end_with(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(BOARDS))
    position = data.draw(calm(game))
    moves, safe = game.moves(position), quiet(game, position)
    bad = len(moves) - len(safe)
    wanted = [move for move in moves if move in safe] or moves
    assert named("feasible-greedy", game).moves(position) == wanted
    assert named(f"feasible-greedy(limit={bad})", game).moves(position) == wanted
    if bad:
        assert named(f"feasible-greedy(limit={bad - 1})", game).moves(position) == moves
        assert named("feasible-greedy(blacklist=false)", game).moves(position) == moves, "every draw may be bad"


@pytest.mark.parametrize("how", ["blacklist=true", "blacklist=true,limit=3", "blacklist=false,limit=1", "letter=last"])
def test_feasible_greedy_draws_all_that_it_names_and_nothing_else(how: str) -> None:
    game = load_game("sos(rows=1,columns=6)")
    player = named(f"feasible-greedy({how})", game)
    for board in ("S.....", "SS..SS", "S..O..", "SO.S..", "......"):
        position = game.position(board)
        drawn = Counter(player.choose(position, Luck(seed)) for seed in range(600))
        assert set(drawn) == set(player.moves(position)), board


def test_without_a_blacklist_a_bad_move_is_as_rare_as_the_limit_makes_it() -> None:
    game = load_game("sos(rows=1,columns=6)")
    position = game.position("S..O..")  # 3 of the 8 moves give a point away
    safe = quiet(game, position)
    assert len(safe) == 5

    def bad(how: str) -> int:
        player = named(f"feasible-greedy({how})", game)
        return sum(player.choose(position, Luck(seed)) not in safe for seed in range(2000))

    assert 670 < bad("limit=0,blacklist=false") < 830, "3/8 of 2000"
    assert 220 < bad("limit=1,blacklist=false") < 345, "(3/8)^2 of 2000"
    assert bad("limit=side,blacklist=false") < 10, "(3/8)^13"
    assert 165 < bad("limit=1,blacklist=true") < 265, "3/8 * 2/7 of 2000"
    assert bad("limit=3,blacklist=true") == 0


# As a table


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_the_feasible_greedy_table_chooses_from_the_same_set_where_nobody_can_score(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(BOARDS))
    position = data.draw(calm(game))
    assert not may_score(game, position)
    assert set(named("sos/feasible-greedy", game).moves(position)) == set(
        named("feasible-greedy", game).moves(position)
    )


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_the_feasible_greedy_table_is_everywhere_the_original_that_takes_any_points(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(BOARDS))
    position = data.draw(positions(game))
    original = named("feasible-greedy(take=any)", game).moves(position)
    assert set(named("sos/feasible-greedy", game).moves(position)) == set(original)


def test_the_table_and_the_original_meet_the_no_option_condition_alike() -> None:
    game = load_game("sos(rows=1,columns=4)")
    position = game.position("S..S")
    assert not may_score(game, position) and not quiet(game, position)
    for player in ("sos/feasible-greedy", "feasible-greedy"):
        assert set(named(player, game).moves(position)) == set(game.moves(position))


# Considerate greedy


def taken_in_turn(game: Game, position: Position, seat: int) -> int:
    """The points that `seat` is ahead once whoever moves has taken the most, again and again."""
    while (gained := gains(game, position)) and max(gained.values()):
        position = game.after(position, max(gained, key=gained.__getitem__))
    return position.scores[seat] - position.scores[1 - seat]


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_considerate_greedy_does_the_least_harm_where_every_move_harms(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(SCORING))
    position = data.draw(calm(game))
    chosen = set(named("considerate-greedy(endgame=0)", game).moves(position))
    if safe := quiet(game, position):
        assert chosen == safe
    else:
        left = {move: taken_in_turn(game, after, position.seat) for move, after in game.successors(position)}
        assert chosen == {move for move in left if left[move] == max(left.values())}


def test_considerate_greedy_gives_one_point_rather_than_two() -> None:
    game = load_game("sos(rows=3,columns=5)")
    position = game.position("S..SS / OOSSO / SSOSS")
    assert not quiet(game, position)
    harm = {move: max(gains(game, after).values()) for move, after in game.successors(position)}
    assert len(set(harm.values())) > 1
    chosen = named("considerate-greedy(endgame=0)", game).moves(position)
    assert {harm[move] for move in chosen} == {min(harm.values())}


def best_by_points(game: Game, position: Position, depth: int) -> tuple[int, set[Move]]:
    """The most points ahead, mine less theirs, that so many moves can bring, and the moves that do: plain minimax."""
    values = {}
    for move, after in game.successors(position):
        gained = sum(after.scores) - sum(position.scores)
        rest = best_by_points(game, after, depth - 1)[0] if depth > 1 else 0
        values[move] = gained + (rest if after.seat == position.seat else -rest)
    best = max(values.values(), default=0)
    return best, {move for move in values if values[move] == best}


def nearly_full(game: Game, blanks: int) -> st.SearchStrategy[Position]:
    """Positions in which so many cells at the most are blank."""

    def filled(chance: Random) -> Position:
        position = game.start
        while position.marks.count(BLANK) > blanks:
            position = game.after(position, chance.choice(game.moves(position)))
        return position

    return st.randoms(use_true_random=False).map(filled)


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_considerate_greedy_plays_the_end_perfectly(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(SCORING))
    position = data.draw(nearly_full(game, 3))
    assert set(named("considerate-greedy", game).moves(position)) == best_by_points(game, position, 3)[1]


def test_considerate_greedy_wins_the_row_at_once_and_sets_no_trap_for_itself() -> None:
    game = load_game("sos-line(n=9)")
    player = named("considerate-greedy", game)
    assert player.moves(game.position("S.S......")) == [Move(1, "O")]
    assert not {Move(1, "O"), Move(2, "S")} & set(player.moves(game.position("S........")))


# h1 and h2, as printed


def printed(game: Game, position: Position, depth: int, penalty: int) -> set[Move]:
    """The paper's search, move by move and without any pruning."""
    blank = [cell for cell, mark in enumerate(position.marks) if mark == BLANK]

    def heuristic(marks: str) -> int:
        return words(game, marks) - penalty * marks.count("O")

    def minimax(marks: str, depth: int, maximizing: bool, symbol: str) -> int:
        if depth == 0 or BLANK not in marks:
            return heuristic(marks)
        letter = symbol if maximizing else "SO".replace(symbol, "")
        after = (f"{marks[:cell]}{letter}{marks[cell + 1 :]}" for cell in blank if marks[cell] == BLANK)
        return (max if maximizing else min)(minimax(child, depth - 1, not maximizing, symbol) for child in after)

    best = {}
    for cell in blank:
        tried = {
            letter: minimax(f"{position.marks[:cell]}{letter}{position.marks[cell + 1 :]}", depth, False, letter)
            for letter in "SO"
        }
        letter = "S" if tried["S"] > tried["O"] else "O"
        best[Move(cell, letter)] = tried[letter]
    return {move for move in best if best[move] == max(best.values())}


@pytest.mark.parametrize(("name", "penalty"), [("h1", 0), ("h2", 1)])
@given(st.data())
@settings(max_examples=30, deadline=None)
def test_h1_and_h2_choose_what_the_printed_search_would(name: str, penalty: int, data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(SCORING))
    depth, blanks = data.draw(st.sampled_from([(0, 12), (1, 10), (2, 7), (4, 5)]))
    position = data.draw(nearly_full(game, blanks))
    assert set(named(f"{name}(depth={depth})", game).moves(position)) == printed(game, position, depth, penalty)


def test_h1_and_h2_might_begin_as_the_sample_games_of_the_paper_do() -> None:
    game = load_game("sos-corners")
    h1 = named("h1", game)
    assert {game.parse_move("O 3,3", 0), game.parse_move("O 4,5", 0)} <= set(h1.moves(game.start))
    answered = game.after(game.start, game.parse_move("S 2,1", 0))
    assert game.parse_move("O 2,4", 1) in h1.moves(answered)
    assert {move.mark for move in named("h2", game).moves(game.start)} == {"S"}, "every O costs it a point"


def test_the_printed_search_leaves_its_own_point_to_the_opponent_because_no_point_has_an_owner() -> None:
    game = load_game("sos-corners")
    position = game.position("SOOSS / .SOSO / OOO.S / OOSOS / SSSSS")
    scoring = {move for move, gained in gains(game, position).items() if gained}
    for name in ("h1", "h2"):
        assert not scoring & set(named(name, game).moves(position))
    assert set(named("owned-minimax", game).moves(position)) <= scoring


# The repaired search


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_owned_minimax_is_plain_minimax_over_points(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(SCORING))
    depth, blanks = data.draw(st.sampled_from([(0, 12), (1, 8), (2, 5), (4, 3)]))
    position = data.draw(nearly_full(game, blanks))
    assert (
        set(named(f"owned-minimax(depth={depth})", game).moves(position))
        == best_by_points(game, position, depth + 1)[1]
    )


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_plain_and_compiled_searches_agree(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(SCORING))
    position = data.draw(nearly_full(game, 6))
    board, (near, far) = _sos_minimax.board_of(position), _sos_minimax.surroundings(game)
    before = board.copy()
    low, depth = data.draw(st.integers(-5, 5)), data.draw(st.integers(0, 3))
    for arguments in ((depth, low, low + 3, 1, 2, 1, 0), (depth, low, low + 3, 0, 1, 0, 4)):
        plain, fast = (kernels(_sos_search, large).printed(board, near, far, *arguments) for large in (False, True))
        assert plain == fast
    plain, fast = (
        kernels(_sos_search, large).owned(board, near, far, depth, low, low + 3, int(game.again))
        for large in (False, True)
    )
    assert plain == fast and np.array_equal(board, before)


# All of them


@pytest.mark.parametrize("seat", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_feasible_greedy_never_loses_on_3x3(seat: int) -> None:
    game = load_game("sos(n=3)")
    assert verify(named("feasible-greedy", game), game, seat).verdict == "proved"


@pytest.mark.parametrize("seat", [0, 1])
def test_without_a_blacklist_feasible_greedy_may_lose_though_it_need_not(seat: int) -> None:
    game = load_game("sos(rows=2,columns=3)")
    assert verify(named("feasible-greedy", game), game, seat).verdict == "proved"
    assert verify(named("feasible-greedy(blacklist=false)", game), game, seat).verdict == "refuted"


def lead(spec: str, one: str, other: str, games: int) -> int:
    """Games won less games lost, seats alternating."""
    game = load_game(spec)
    players = load_player(one, game), load_player(other, game)
    found = 0
    for seed in range(games):
        won = winner(game, players if seed % 2 == 0 else players[::-1], seed)
        found += 0 if won is None else 1 if won == seed % 2 else -1
    return found


@pytest.mark.parametrize(
    ("spec", "one", "other", "games", "least"),
    [
        ("sos(n=5)", "greedy", "random", 30, 26),
        ("sos(n=5)", "feasible-greedy", "random", 30, 28),
        ("sos(n=5)", "feasible-greedy", "greedy", 30, 26),
        ("sos(n=6)", "considerate-greedy", "feasible-greedy", 40, 4),
        ("sos-corners", "h1", "random", 20, 15),
        ("sos-corners", "h2", "random", 20, 12),
        ("sos-corners", "greedy", "h1", 30, 8),  # the paper's searches are no match for a look at one's own points
        ("sos-corners", "greedy", "h2", 30, 15),
        ("sos-corners", "owned-minimax", "h1", 20, 12),
        ("sos-corners", "owned-minimax", "greedy", 20, 4),
    ],
)
def test_one_player_is_clearly_stronger(spec: str, one: str, other: str, games: int, least: int) -> None:
    assert lead(spec, one, other, games) >= least


# What can't be


@pytest.mark.parametrize("name", ["greedy", "feasible-greedy", "considerate-greedy", "h1", "h2", "owned-minimax"])
@pytest.mark.parametrize("spec", ["tic-tac-toe", "reversi", "connect-four"])
def test_another_game_is_refused_in_a_sentence(name: str, spec: str) -> None:
    with pytest.raises(BadSpec, match=rf"^`{name}` can't play {spec}.*; it plays SOS \(sos, .*\)\.$"):
        load_player(name, load_game(spec))


@pytest.mark.parametrize("name", ["h1", "h2", "owned-minimax"])
def test_who_counts_points_can_not_play_for_the_first_word(name: str) -> None:
    with pytest.raises(BadSpec, match="can't play sos-line"):
        load_player(name, load_game("sos-line"))


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("greedy(take=last)", "`take` is first or any or most, not `last`"),
        ("greedy(letter=S)", "`letter` is either or last, not `S`"),
        ("feasible-greedy(limit=-1)", "`limit` is cells, side or a whole number up to 100,000, not `-1`"),
        ("feasible-greedy(limit=1000000)", "`limit` is cells, side or a whole number"),
        ("feasible-greedy(limit=²)", "`limit` is cells, side or a whole number"),
        ("feasible-greedy(blacklist=1)", "`blacklist` is true or false"),
        ("considerate-greedy(endgame=11)", "`endgame` is a number of blanks from 0 to 10, not 11"),
        ("h1(depth=-1)", "0 or more, not -1"),
        ("owned-minimax(depth=9)", "can't look 9 moves beyond its own on sos; take a smaller board"),
    ],
)
def test_a_bad_option_is_refused_in_a_sentence(spec: str, reason: str) -> None:
    with pytest.raises(BadSpec, match=reason) as caught:
        load_player(spec, load_game("sos"))
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)


@pytest.mark.parametrize(("player", "own"), [("greedy", "sos"), ("feasible-greedy", "sos"), ("h1", "sos-corners")])
def test_an_sos_player_named_without_a_game_plays_its_own(player: str, own: str) -> None:
    assert game_of(player) == load_game(own)
