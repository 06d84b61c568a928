"""The perfect player: every search agrees with plain recursion over the rules of the game."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamplay.cli import main
from teamplay.engine.jit import compiled
from teamplay.engine.solver import Limits, Solution, Solver, rules, search, solve
from teamplay.engine.solver.kernels import memory as memory_kernels
from teamplay.engine.solver.plain import PlainSearch
from teamplay.engine.solver.rules import masks, method_of
from teamplay.engine.solver.score import is_stolen, widest
from teamplay.engine.solver.search import Clock, Search, Stopped, Workplace
from teamplay.errors import TeamplayError
from teamplay.game import BLANK, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, load_player

Worth = tuple[int, int | None]  # the value, and the plies to the end where somebody wins by a line or word

SMALL = [
    "tic-tac-toe",
    "misere",
    "mnk(m=4,n=3,k=3)",
    "mnk(m=5,n=2,k=3)",
    "mnk(m=3,n=3,k=2)",
    "tic-tac-toe-3d(n=2)",
    "connect-four(columns=4,rows=3,k=3)",
    "connect-four(columns=3,rows=4,k=3)",
    "sos(n=3)",
    "sos(rows=2,columns=4)",
    "sos-line(n=8)",
    "sos-corners(n=3)",
    "reversi(n=4)",
]
LARGE = [  # of these only positions near the end
    "mnk(m=4,n=4,k=4)",
    "mnk(m=5,n=5,k=4)",
    "mnk(m=6,n=4,k=3)",
    "tic-tac-toe-3d",
    "connect-four",
    "connect-four(columns=5,rows=4)",
    "gomoku(n=7)",
    "sos(n=4)",
    "sos(rows=4,columns=5)",
    "sos-corners(n=5)",
    "sos-line(n=16)",
    "reversi(n=6)",
]
SHARED = 'marks = { shared = ["S", "O"] }'
OWN_FILES = {
    "lines that score, with another turn": 'board = [3, 3]\nturns = "again"\n[goal]\nline = 2\neffect = "scores"',
    "lines that score": 'board = [3, 3]\n[goal]\nline = 3\neffect = "scores"',
    "one mark for both": 'board = [3, 3]\nmarks = { shared = ["X"] }\n[goal]\nline = 3\neffect = "loses"',
    "misère of dropping pieces": 'board = [3, 3]\nplacement = "drop"\n[goal]\nline = 3\neffect = "loses"',
    "misère of letters": f'board = [1, 7]\n{SHARED}\n[goal]\nword = "SOS"\neffect = "loses"',
    "letters that drop": f'board = [3, 3]\n{SHARED}\nplacement = "drop"\n[goal]\nword = "SOS"\neffect = "scores"',
    "letters that drop and win": f'board = [3, 3]\n{SHARED}\nplacement = "drop"\n[goal]\nword = "SOO"',
    "a word that is no palindrome": f'board = [2, 4]\n{SHARED}\n[goal]\nword = "SSO"\neffect = "scores"',
    "lines of letters": f"board = [3, 3]\n{SHARED}\n[goal]\nline = 3",
    "dropping into a cube": 'board = [2, 3, 2]\nplacement = "drop"\n[goal]\nline = 2',
    "flanking in a cube": 'board = [2, 2, 3]\nplacement = "flank"\nstart = { x = [[1, 1, 1]], o = [[1, 1, 2]] }\n'
    "[goal]\nmajority = true",
    # For these there is only the plain search.
    "three letters": 'board = [1, 6]\nmarks = { shared = ["C", "A", "T"] }\n[goal]\nword = "CAT"',
    "a word of own marks": 'board = [3, 3]\n[goal]\nword = "xox"',
    "lines of flanked marks": 'board = [3, 4]\nplacement = "flank"\nstart = { x = [[2, 2]], o = [[2, 3]] }\n'
    "[goal]\nline = 3",
    "a majority without flanking": "board = [2, 3]\n[goal]\nmajority = true",
}
TRUTHS = [  # from the start: the value, and the plies to the end
    ("tic-tac-toe", 0, None),
    ("misere", 0, None),
    ("mnk(m=4,n=3,k=3)", 1, 7),
    ("mnk(m=4,n=4,k=4)", 0, None),
    ("mnk(m=5,n=4,k=4)", 0, None),
    ("tic-tac-toe-3d", 1, 7),
    ("connect-four(columns=4,rows=4)", 0, None),
    ("connect-four(columns=5,rows=4)", 0, None),
    ("connect-four(columns=4,rows=5)", 0, None),
    ("connect-four(columns=6,rows=4)", -1, 24),
    ("reversi(n=4)", -1, None),
    ("sos(n=3)", 0, None),
    ("sos(n=4)", 0, None),
    ("sos-corners(n=3)", 2, None),
    ("sos-corners(n=4)", -4, None),
    ("sos-line(n=14)", 0, None),
    ("sos-line(n=16)", -1, 16),
]
SLOW_TRUTHS = [
    ("mnk(m=5,n=5,k=4)", 0),
    ("mnk(m=5,n=5,k=5)", 0),
    ("mnk(m=6,n=4,k=4)", 0),
    ("mnk(m=6,n=5,k=4)", 1),
    ("mnk(m=6,n=6,k=4)", 1),
    ("connect-four(columns=5,rows=5)", 0),
    ("connect-four(columns=6,rows=5)", 0),
    ("sos(rows=3,columns=5)", 0),
    ("sos(rows=4,columns=5)", 0),
    ("sos-corners(n=5)", 1),
    ("reversi(n=6)", -1),
    *((f"sos-line(n={n})", 1 if n % 2 else -1) for n in range(15, 22)),
]


class Recursion:
    """Plain recursion over all that may follow, in the words of the rules and with no cleverness."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[tuple[str, int], Worth] = {}

    def worth(self, position: Position) -> Worth:
        key = position.marks, position.seat
        if key not in self.known:
            moves = [self.move(position, after) for _, after in self.game.successors(position)]
            self.known[key] = self.ended(position) or max(moves, key=goodness)
        return self.known[key]

    def move(self, position: Position, after: Position) -> Worth:
        """What a move is worth to who makes it."""
        value, plies = self.worth(after)
        me = position.seat
        value = value if after.seat == me else -value
        return value + after.scores[me] - position.scores[me], None if plies is None else plies + 1

    def ended(self, position: Position) -> Worth | None:
        outcome = self.game.outcome(position)
        if outcome is None:
            return None
        if outcome.winner is None or self.game.goal.effect == "scores":
            return 0, None
        value = 1 if outcome.winner == position.seat else -1
        return value, None if self.game.goal.kind == "majority" else 0


def goodness(worth: Worth) -> tuple[int, int]:
    """The winner hurries, the loser delays."""
    value, plies = worth
    return value, 0 if not plies else -plies if value > 0 else plies


@cache
def recursion(spec: str) -> Recursion:
    return Recursion(load_game(spec))


def walks(game: Game, blanks: int, count: int, seed: int = 0) -> Iterator[Position]:
    """Positions of random games that are not over and have at most so many blank cells."""
    random = Random(seed)
    for _ in range(20 * count):
        position = game.start
        end = random.randrange(1, blanks + 1)
        while position.marks.count(BLANK) > end:
            following = [after for _, after in game.successors(position)]
            going_on = [after for after in following if not game.outcome(after)]
            if not going_on:
                break
            position = random.choice(going_on)
        if position.marks.count(BLANK) <= blanks:
            yield position
            count -= 1
        if not count:
            return


def check(solution: Solution, position: Position, reference: Recursion) -> None:
    """Hold a solution against recursion: value, distance, every move, the best ones."""
    game = reference.game
    assert solution.complete
    assert not solution.stopped
    assert (solution.value, solution.distance) == reference.worth(position), position
    moves = {move: reference.move(position, after) for move, after in game.successors(position)}
    assert {move: (each.value, each.distance) for move, each in solution.moves.items()} == moves, position
    best = max((value for value, _ in moves.values()), default=None)
    assert set(solution.best) == {move for move, (value, _) in moves.items() if value == best}, position


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("large", [False, True], ids=["plain", "compiled"])
def test_small_games_from_the_start_and_from_hundreds_of_positions(spec: str, large: bool) -> None:
    reference = recursion(spec)
    game = reference.game
    solver = Solver(game, large=large)
    for position in [game.start, *walks(game, game.grid.size, 200 if large else 12)]:
        check(solver.solve(position), position, reference)


@pytest.mark.parametrize("spec", LARGE)
def test_large_games_near_their_end(spec: str) -> None:
    reference = recursion(spec)
    game = reference.game
    solver = Solver(game, large=True)
    positions = list(walks(game, 5 if game.shared else 7, 40))
    assert len(positions) == 40, "too few random games come that far"
    for position in positions:
        check(solver.solve(position), position, reference)


@pytest.mark.parametrize("text", OWN_FILES.values(), ids=list(OWN_FILES))
def test_game_files_that_nobody_has_shipped(text: str, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(text)
    reference = recursion(str(tmp_path / "own.toml"))
    game = reference.game
    solver = Solver(game, large=True)
    for position in [game.start, *walks(game, game.grid.size - 1, 50)]:
        check(solver.solve(position), position, reference)


SPECS = st.one_of(
    st.builds("mnk(m={},n={},k={})".format, st.integers(1, 4), st.integers(1, 3), st.integers(2, 4)),
    st.builds("connect-four(columns={},rows={},k={})".format, *[st.integers(1, 3)] * 2, st.integers(2, 4)),
    st.builds("sos(rows={},columns={})".format, st.integers(1, 2), st.integers(1, 4)),
    st.builds("sos-line(n={})".format, st.integers(1, 8)),
    st.just("sos-corners(n=3)"),
)


@settings(max_examples=60, deadline=None)
@given(spec=SPECS, seed=st.integers(0, 999), symmetry=st.booleans())
def test_games_of_all_sizes(spec: str, seed: int, symmetry: bool) -> None:
    reference = recursion(spec)
    game = reference.game
    solver = Solver(game, symmetry=symmetry, large=True)
    for position in [game.start, *walks(game, game.grid.size, 2, seed)]:
        check(solver.solve(position), position, reference)


@pytest.mark.parametrize(("spec", "value", "distance"), TRUTHS)
def test_what_is_known_of_games(spec: str, value: int, distance: int | None) -> None:
    game = load_game(spec)
    solution = Solver(game, large=True).solve(game.start)
    assert (solution.value, solution.distance) == (value, distance)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "value"), SLOW_TRUTHS)
def test_what_is_known_of_larger_games(spec: str, value: int) -> None:
    game = load_game(spec)
    assert Solver(game).value(game.start) == value


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["connect-four(columns=4,rows=4)", "sos(rows=2,columns=5)", "sos-line(n=10)"])
def test_plain_recursion_confirms_larger_games(spec: str) -> None:
    game = load_game(spec)
    check(solve(game, game.start), game.start, recursion(spec))


@pytest.mark.parametrize(
    "spec", ["tic-tac-toe", "misere", "connect-four(columns=4,rows=3)", "sos(n=3)", "reversi(n=4)"]
)
def test_plain_kernels_equal_compiled_ones_down_to_what_they_remember(spec: str) -> None:
    game = load_game(spec)
    method = method_of(game, symmetry=True)
    assert method
    found = []
    for kernels in (method.kernels, compiled(method.kernels)):
        memory, workplace, limit = np.zeros((1 << 8, 3), dtype=np.int64), Workplace(game.grid.size), widest(game)
        room = workplace.room(memory)
        windows = [(-limit, limit), (-1, 0), (0, 1)]
        positions = [game.start, *walks(game, game.grid.size, 5)]
        scores = [
            int(kernels.search(method.rules, room, *masks(game, position, method.bits), 0, *window))
            for position in positions
            for window in windows
        ]
        found.append((scores, workplace.control.tolist(), memory.tolist()))
    assert found[0] == found[1]
    for name in ("search", "attack", "guess", "last_moves"):
        made = getattr(compiled(method.kernels), name, None)
        assert made is None or len(made.signatures) < 2, f"numba's cache breaks a {name} of two types"


@pytest.mark.parametrize("spec", ["mnk(m=4,n=4,k=4)", "connect-four(columns=4,rows=4)", "sos-line(n=12)", "sos(n=3)"])
def test_neither_symmetry_nor_memory_changes_an_answer(spec: str) -> None:
    game = load_game(spec)
    solvers = [Solver(game, symmetry, True, memory) for symmetry, memory in [(True, 1024), (False, 1024), (True, 0)]]
    for position in [game.start, *walks(game, game.grid.size - 2, 12)]:
        one, *others = [solver.solve(position) for solver in solvers]
        assert one.complete
        for other in others:
            assert (other.worth, other.moves) == (one.worth, one.moves), position


Rows = st.lists(st.tuples(*[st.integers(0, 1 << 61)] * 2, st.integers(-99, 99), st.integers(0, 99), st.integers(1, 9)))


@given(rows=Rows, few=st.booleans())
def test_memory_forgets_but_is_never_wrong(rows: list[tuple[int, int, int, int, int]], few: bool) -> None:
    memory = np.zeros((4 if few else 64, 3), dtype=np.int64)
    written: dict[tuple[int, int], tuple[int, int]] = {}
    for first, second, lower, more, work in rows:
        first, second = (first % 3, second % 3) if few else (first, second)
        memory_kernels.keep(memory, first, second, lower, lower + more, work, more)
        written[first, second] = lower, lower + more
        assert memory_kernels.recall(memory, first, second), "what was kept last is there"
        for key, bounds in written.items():
            if entry := memory_kernels.recall(memory, *key):
                assert (memory_kernels.lower_bound(entry), memory_kernels.upper_bound(entry)) == bounds
                assert memory_kernels.best_move(entry) == bounds[1] - bounds[0]


@pytest.mark.parametrize(("spec", "blanks"), [("gomoku", 225), ("tic-tac-toe-3d(n=4)", 64), ("reversi(n=10)", 96)])
def test_a_board_that_is_too_large_is_refused_with_the_bound(spec: str, blanks: int) -> None:
    game = load_game(spec)
    with pytest.raises(
        TeamplayError, match=f"{blanks} of its {game.grid.size} cells are blank here. Boards of up to 61 cells"
    ):
        Solver(game).solve(game.start)


def test_the_end_of_a_game_on_a_large_board_is_searched_all_the_same() -> None:
    reference = recursion("reversi")
    for position in walks(reference.game, 6, 3):
        check(solve(reference.game, position), position, reference)


@pytest.mark.parametrize("limits", [Limits(positions=5_000), Limits(seconds=0.3)], ids=["positions", "seconds"])
def test_at_a_bound_the_answer_is_what_is_known(limits: Limits) -> None:
    game = load_game("connect-four")
    solver = Solver(game, large=True)
    solution = solver.solve(game.start, limits)
    assert solution.value is None
    assert not solution.complete
    assert solution.best == ()
    assert (solution.worth.lower, solution.worth.upper) in [(-1, 1), (0, 1), (-1, 0)]
    assert solution.stopped == ("5,000 positions" if limits.positions else "0.3 seconds")
    assert solution.positions <= 5_001 or not limits.positions
    assert solution.seconds < 20
    assert solver.value(game.start, limits) is None


@pytest.mark.parametrize("most", range(1, 140, 7))
def test_a_bound_never_makes_an_answer_wrong(most: int) -> None:
    reference = recursion("tic-tac-toe")
    game = reference.game
    solver = Solver(game)
    while True:  # what was learnt before a bound is not lost
        solution = solver.solve(game.start, Limits(positions=most))
        assert solution.worth.lower <= 0 <= solution.worth.upper
        for move, after in game.successors(game.start):
            assert solution.moves[move].lower <= reference.move(game.start, after)[0] <= solution.moves[move].upper
        if solution.complete or most < 60:
            break
    assert solution.complete or most < 60


@pytest.mark.parametrize(
    "spec", ["mnk(m=4,n=4,k=3)", "tic-tac-toe", "sos(n=3)", "reversi(n=4)", "connect-four(columns=5,rows=4,k=3)"]
)
def test_one_best_move_is_named_before_the_others_are_searched(spec: str) -> None:
    game = load_game(spec)
    early: list[Solution] = []
    solution = Solver(game).solve(game.start, early=early.append)
    [first] = early
    assert first.value == solution.value
    assert first.best and set(first.best) <= set(solution.best)
    assert first.positions <= solution.positions


def test_a_win_that_is_proved_names_a_move_though_a_bound_stops_the_rest() -> None:
    game = load_game("mnk(m=6,n=6,k=4)")
    seen: list[Solution] = []
    Solver(game, large=True).solve(game.start, Limits(positions=400_000), early=seen.append, distances=False)
    [first] = seen
    bound = Limits(positions=first.positions + 1_000)
    solution = Solver(game, large=True).solve(game.start, bound, distances=False)
    assert solution.value == 1 and solution.best and not solution.complete


def test_memory_that_grows_looks_at_the_clock() -> None:
    game = load_game("connect-four")
    large = Solver(game, large=True)._search
    assert isinstance(large, Search)
    before = large._memory
    with pytest.raises(Stopped, match="seconds"):
        large._grow(Clock(Limits(seconds=1e-9)))
    assert large._memory is before


@pytest.mark.parametrize("spec", ["connect-four(columns=5,rows=4)", "connect-four(columns=4,rows=4,k=3)"])
def test_by_columns_and_by_lines_a_game_of_dropping_is_worth_the_same(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game(spec)
    by_columns = Solver(game, large=True)
    monkeypatch.setattr(rules, "MOST_CELLS", game.grid.size)  # no room for spare bits
    by_lines = Solver(game, large=True)
    assert (by_columns.method, by_lines.method) == ("drops", "lines")
    for position in [game.start, *walks(game, game.grid.size - 2, 25)]:
        one, other = by_columns.solve(position), by_lines.solve(position)
        assert one.complete and (one.worth, one.moves) == (other.worth, other.moves), position


def test_strategy_stealing_bounds_the_empty_board_of_lines_and_no_other() -> None:
    stopped = Limits(positions=1)
    for spec, lower in [
        ("mnk(m=6,n=6,k=5)", 0),
        ("connect-four", -1),
        ("misere", -1),
        ("sos-line(n=15)", -1),
    ]:
        game = load_game(spec)
        assert Solver(game).solve(game.start, stopped).worth.lower == lower, spec
    game = load_game("mnk(m=6,n=6,k=5)")
    begun = game.after(game.start, game.moves(game.start)[0])
    assert Solver(game).solve(begun, stopped).worth.lower == -1


@pytest.mark.parametrize("spec", ["tic-tac-toe", "mnk(m=4,n=3,k=3)", "mnk(m=3,n=3,k=2)", "mnk(m=5,n=2,k=3)"])
def test_strategy_stealing_is_never_wrong(spec: str) -> None:
    reference = recursion(spec)
    game = reference.game
    reference.worth(game.start)
    stolen = []
    for (marks, seat), (value, _) in reference.known.items():
        position = Position(marks, seat)
        if not game.outcome(position) and is_stolen(game, position):
            assert value >= 0, marks
            stolen.append(marks)
    assert len(stolen) > 5 and game.start.marks in stolen


@pytest.mark.parametrize("spec", ["misere", "connect-four(columns=4,rows=3,k=3)", "sos-line(n=8)", "order-and-chaos"])
def test_where_a_mark_may_hurt_no_strategy_is_stolen(spec: str) -> None:
    game = load_game(spec)
    assert not any(is_stolen(game, position) for position in [game.start, *walks(game, game.grid.size, 40)])


def test_ctrl_c_leaves_with_what_is_known() -> None:
    def press(positions: int, seconds: float) -> None:
        raise KeyboardInterrupt

    game = load_game("connect-four")
    solver = Solver(game, large=True)
    solution = solver.solve(game.start, Limits(seconds=60), press)
    assert solution.stopped == "Ctrl-C"
    assert not solution.complete
    assert solution.seconds < 30


def test_the_plain_search_stops_at_a_bound_too() -> None:
    game = load_game("tic-tac-toe")
    solver = Solver(game)
    solver._search = PlainSearch(game)
    assert solver.solve(game.start, Limits(positions=100)).stopped == "100 positions"
    assert solver.solve(game.start).value == 0


@pytest.mark.parametrize(
    "spec", ["tic-tac-toe", "misere", "sos(n=3)", "reversi(n=4)", "connect-four(columns=4,rows=4)"]
)
def test_the_perfect_player_never_does_worse_than_the_value(spec: str) -> None:
    game = load_game(spec)
    perfect, random = load_player("perfect", game), load_player("random", game)
    assert isinstance(perfect, OpenPlayer)
    value = Solver(game).value(game.start)
    assert value is not None
    for seed in range(20):
        luck, position, seat = Luck(seed), game.start, seed % 2
        while not game.outcome(position):
            player = perfect if position.seat == seat else random
            position = game.after(position, player.choose(position, luck))
        outcome = game.outcome(position)
        assert outcome
        result = 0 if outcome.winner is None else 1 if outcome.winner == seat else -1
        if game.goal.effect == "scores":
            result = position.scores[seat] - position.scores[1 - seat]
        assert result >= (value if seat == 0 else -value)


def test_the_perfect_player_names_every_best_move_and_hurries_if_told() -> None:
    game = load_game("mnk(m=4,n=3,k=3)")
    calm, hasty = load_player("perfect", game), load_player("perfect(hurry=true)", game)
    assert isinstance(calm, OpenPlayer)
    assert isinstance(hasty, OpenPlayer)
    assert calm.name == "perfect"
    assert [move.cell + 1 for move in calm.moves(game.start)] == [1, 2, 3, 4, 6, 7, 9, 10, 11, 12]
    assert [move.cell + 1 for move in hasty.moves(game.start)] == [2, 3, 6, 7, 10, 11]
    lost = game.after(game.start, Move(0, "x"))
    assert calm.moves(lost) == game.moves(lost)
    longest = {move: recursion(str(game)).move(lost, after)[1] for move, after in game.successors(lost)}
    assert hasty.moves(lost) == [move for move, plies in longest.items() if plies == 8]
    assert max(plies or 0 for plies in longest.values()) == 8


def test_the_perfect_player_says_when_a_game_is_too_large() -> None:
    game = load_game("connect-four")
    with pytest.raises(TeamplayError, match="not decided after 3,000 positions"):
        load_player("perfect(positions=3000)", game).choose(game.start, Luck(0))
    with pytest.raises(TeamplayError, match="1 position at least"):
        load_player("perfect(positions=0)", game)


def test_a_huge_board_is_refused_before_its_moves_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("mnk(m=1000,n=1000,k=5)")
    monkeypatch.setattr(Game, "successors", None)
    with pytest.raises(TeamplayError, match="1,000,000 of its 1,000,000 cells are blank"):
        Solver(game).solve(game.start)


def test_small_questions_to_a_large_memory_need_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("mnk(m=4,n=4,k=4)")
    solver = Solver(game, large=True)
    position = game.position("xo.x/.ox./x..o/o...")
    known = solver.solve(position)
    monkeypatch.setattr(Search, "_watched", None)
    assert solver.solve(position, Limits(seconds=60)).moves == known.moves


def test_a_question_that_is_not_small_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "QUICK", 3)
    game, ticks = load_game("mnk(m=4,n=4,k=4)"), list[int]()
    monkeypatch.setattr(search, "TICK", 1e-4)
    solution = Solver(game, large=True).solve(game.start, watch=lambda positions, _: ticks.append(positions))
    assert solution.value == 0 and ticks and ticks == sorted(ticks)


def output(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit code and output of a command."""
    code = main(["solve", *words])
    return code, " ".join(capsys.readouterr().out.split())


def test_solve_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = output(capsys, "tic-tac-toe", "--board", "xx./oo./...", "--json")
    shown = json.loads(text)
    assert code == 0
    assert (shown["value"], shown["best"], shown["distance"]) == (1, [3], 1)
    assert shown["moves"][0] == {"move": 3, "value": 1, "distance": 1, "margin": None}
    assert (shown["decided"], shown["bound"], shown["method"]) == (True, None, "lines")
    code, text = output(capsys, "sos(n=3)", "--board", "SO./.../...", "--json")
    shown = json.loads(text)
    assert shown["best"] == ["S3"]
    assert shown["value"] > 0


def test_solve_draws_the_board_from_the_side_to_move(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = output(capsys, "tic-tac-toe", "--board", "xx./oo./...", "--seat", "second")
    assert code == 0
    assert "The second player (x) is to move." in text
    assert "With best play the second player wins in 1 ply." in text
    assert "Wins in 1: 3 (c1)." in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tic-tac-toe"], "With best play the game is a draw. Draws: 1 (a1), 2 (b1)"),
        (["mnk(m=4,n=3,k=3)"], "With best play the first player wins in 7 plies. Wins in 7: 2 (b1)"),
        (["mnk(m=4,n=3,k=3)"], "Loses in 10: 5 (a2) and 8 (d2)."),
        (["reversi(n=4)"], "With best play the second player wins by 8 marks. Loses by 8: 2 (b1)"),
        (["sos(n=3)"], "With best play both players make as many points from here on. 0: S1 (a1)"),
        (["sos-corners(n=3)"], "With best play the first player makes 2 points more than the second player from here"),
        (["sos-corners(n=4)"], "With best play the second player makes 4 points more than the first player"),
        (["tic-tac-toe", "--board", "xxx/oo./..."], "The game is over: the first player (x) wins, 3 in a row."),
    ],
)
def test_solve_in_words(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = output(capsys, *words)
    assert code == 0
    assert sentence in text


def test_solve_is_honest_about_what_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = output(capsys, "connect-four", "--max-positions", "1000")
    assert code == 1
    assert "Not decided: the bound was 1,000 positions. Nothing is known yet." in text
    code, text = output(capsys, "sos", "--max-positions", "1000", "--json")
    assert code == 1
    assert json.loads(text)["value"] is None
    assert json.loads(text)["bound"] == "1,000 positions"
    assert main(["solve", "gomoku"]) == 2
    assert "225 of its 225 cells are blank here" in capsys.readouterr().err
    assert main(["solve", "reversi(n=10)"]) == 2
    assert "96 of its 100 cells are blank here. Boards of up to 61 cells" in capsys.readouterr().err
    code, text = output(capsys, "reversi", "--max-positions", "1000")
    assert code == 1
    assert "Not decided: the bound was 1,000 positions. Nothing is known yet." in text
    assert main(["solve", "tic-tac-toe", "--max-seconds", "0"]) == 2
    assert "not a number of seconds above 0" in capsys.readouterr().err
