"""The solver of games that a majority of marks wins: exact margins, large boards, several workers at one question."""

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from teamplay.engine.solver import Limits, Solver, search
from teamplay.engine.solver.kernels import flanks, flips, workers
from teamplay.engine.solver.kernels import memory as memory_kernels
from teamplay.engine.solver.rules import masks, method_of
from teamplay.engine.solver.search import Clock, Workplace
from teamplay.game import BLANK, Game, Position
from teamplay.game_file import load_game
from tests.test_solver import walks


class Margins:
    """Plain recursion over all that may follow: the marks of the seat to move less the other's at the end."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[tuple[str, int], int] = {}

    def margin(self, position: Position) -> int:
        key = position.marks, position.seat
        if key not in self.known:
            moves = [self.move(position, after) for _, after in self.game.successors(position)]
            mine, theirs = (position.marks.count(self.game.marks[seat]) for seat in (position.seat, 1 - position.seat))
            self.known[key] = mine - theirs if self.game.outcome(position) else max(moves)
        return self.known[key]

    def move(self, position: Position, after: Position) -> int:
        return self.margin(after) if after.seat == position.seat else -self.margin(after)


@cache
def margins(spec: str) -> Margins:
    return Margins(load_game(spec))


def check_margins(solver: Solver, reference: Margins, position: Position) -> None:
    solution = solver.solve(position)
    margin = reference.margin(position)
    assert solution.complete and solution.margin == margin, position
    assert solution.value == (margin > 0) - (margin < 0)
    moves = {move: reference.move(position, after) for move, after in reference.game.successors(position)}
    assert {move: worth.margin for move, worth in solution.moves.items()} == moves, position


@pytest.mark.parametrize(
    ("spec", "blanks", "count"), [("reversi(n=4)", 9, 40), ("reversi(n=6)", 8, 10), ("reversi", 8, 6)]
)
def test_margins_are_those_of_plain_recursion(spec: str, blanks: int, count: int) -> None:
    reference = margins(spec)
    solver = Solver(reference.game, large=True)
    for position in walks(reference.game, blanks, count):
        check_margins(solver, reference, position)


def test_every_part_of_the_search_is_right_and_not_only_the_last_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FEW": 1, "SOME": 3, "DEEP": 5, "SHARED": 2}.items():
        monkeypatch.setattr(flanks, name, value)
    for spec, blanks, count in [("reversi(n=4)", 9, 15), ("reversi(n=6)", 7, 10)]:
        reference = margins(spec)
        solver = Solver(reference.game, large=False)
        for position in walks(reference.game, blanks, count, seed=1):
            check_margins(solver, reference, position)


def ending(game: Game, blanks: int, seed: int) -> Position:
    """A position of a random game with so many blank cells."""
    random = Random(seed)
    while True:
        position = game.start
        while position.marks.count(BLANK) > blanks and not game.outcome(position):
            position = random.choice([after for _, after in game.successors(position)])
        if not game.outcome(position):
            return position


def test_two_workers_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "QUICK", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    game = load_game("reversi(n=6)")
    for seed in range(2):
        position = ending(game, 17, seed)
        together, alone = (Solver(game, large=True, memory=32) for _ in range(2))
        first, second = together.solve(position), alone.solve(position, Limits(positions=1 << 40))
        assert (workplaces(together), workplaces(alone)) == (2, 1)
        assert first.complete and first.worth == second.worth
        for move, worth in first.moves.items():
            other = second.moves[move]
            assert worth.value == other.value
            assert worth.margin == other.margin or None in (worth.margin, other.margin)  # how far time allowed


def workplaces(solver: Solver) -> int:
    """How many workers a solver has had."""
    assert isinstance(solver._search, search.Search)
    return len(solver._search._workplaces)


def test_a_worker_goes_back_to_a_position_that_another_has_decided() -> None:
    game = load_game("reversi(n=4)")
    workplace, memory = Workplace(game.grid.size), np.zeros((64, 3), dtype=np.int64)
    room = workplace.room(memory, workers.UPWARDS)
    assert not workers.overtaken(room, 0, 1, 2, -1, 0)
    assert not workers.overtaken(room, 1, 3, 4, 0, 1)
    memory_kernels.keep(memory, 1, 2, -16, 16, 1)  # this decides nothing
    assert not workers.overtaken(room, 2, 5, 6, -1, 0)
    memory_kernels.keep(memory, 3, 4, 2, 16, 1)
    assert workers.overtaken(room, 2, 5, 6, -1, 0)
    assert (workplace.control[workers.BACK], workplace.control[workers.ANSWER]) == (1, 2)


def test_a_row_that_two_workers_wrote_at_once_counts_as_empty() -> None:
    one, two = (np.zeros((2, 3), dtype=np.int64) for _ in range(2))
    memory_kernels.keep(one, 5, 6, 0, 3, 1)
    memory_kernels.keep(two, 9, 6, -2, 1, 1)
    for words in ([0], [1], [2], [0, 1], [0, 2], [1, 2]):
        torn = one.copy()
        torn[:, words] = two[:, words]
        assert not memory_kernels.recall(torn, 5, 6) and not memory_kernels.recall(torn, 9, 6), words


def test_stable_marks_are_never_turned_whatever_follows() -> None:
    game = load_game("reversi(n=4)")
    method = method_of(game, symmetry=True)
    assert method
    rules: flanks.FlankRules = method.rules
    full, met = np.zeros(8, dtype=np.int64), 0

    def lasting(position: Position, seat: int, cells: set[int], seen: set[Any]) -> None:
        if (position.marks, position.seat) in seen:
            return
        seen.add((position.marks, position.seat))
        assert all(position.marks[cell] == game.marks[seat] for cell in cells)
        for _, after in game.successors(position):
            lasting(after, seat, cells, seen)

    for position in walks(game, 8, 40):
        for seat in (0, 1):
            mine, theirs = masks(game, Position(position.marks, seat), method.bits)
            mask = flips.stable(rules.axes, full, mine, rules.board & ~(mine | theirs))
            assert mask & ~mine == 0
            cells = {cell for cell in game.grid.cells if mask >> cell & 1}
            met += len(cells)
            lasting(position, seat, cells, set())
    assert met > 50, "too few stable marks to mean anything"


def test_after_a_lost_position_no_move_has_to_be_searched() -> None:
    game = load_game("reversi(n=4)")
    solver = Solver(game)
    clock = Clock()
    solver._decide(root := solver._case(game.start), clock)
    assert root.upper < 0
    solution = Solver(game).solve(game.start, distances=False)
    assert solution.complete and len(solution.best) == 4
    assert solution.positions == clock.positions


def test_openspiel_agrees_on_who_wins_the_end_of_othello() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    known: dict[str, float] = {}

    def value(state: Any) -> float:
        """For black, by recursion over OpenSpiel's own states."""
        if state.is_terminal():
            return float(state.returns()[0])
        key = f"{state}{state.current_player()}"
        if key not in known:
            choose = max if state.current_player() == 0 else min
            known[key] = choose(value(state.child(action)) for action in state.legal_actions())
        return known[key]

    game = load_game("reversi")
    solver = Solver(game, large=True)
    for seed in range(6):
        random = Random(seed)
        position, state = game.start, pyspiel.load_game("othello").new_initial_state()
        while position.marks.count(BLANK) > 8 and not game.outcome(position):
            move = random.choice(game.moves(position))
            while state.legal_actions() == [64]:
                state.apply_action(64)  # a pass, which is no move here
            position = game.after(position, move)
            state.apply_action(move.cell)
        if not game.outcome(position):
            found = solver.value(position)
            assert found is not None and value(state) == (found if position.seat == 0 else -found)


@pytest.mark.slow
@pytest.mark.parametrize("blanks", [16, 18])
def test_endings_of_8x8_are_solved(blanks: int) -> None:
    game = load_game("reversi")
    for seed in range(4):
        position = ending(game, blanks, seed)
        solution = Solver(game).solve(position)
        assert solution.complete and solution.margin is not None
        after = next(after for move, after in game.successors(position) if move in solution.best)
        assert Solver(game).value(after) == (solution.value if after.seat == position.seat else -(solution.value or 0))
