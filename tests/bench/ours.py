"""Our side of the comparisons."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from teamplay.engine.compiled import compile_books, switched_off
from teamplay.engine.contest import Contest
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import live as live_kernels
from teamplay.engine.layers import Layers
from teamplay.engine.live import live
from teamplay.engine.playouts import playouts, seeded
from teamplay.engine.solver import Solver
from teamplay.engine.vector import VectorGame
from teamplay.game_file import load_game
from teamplay.language import load_rulebook
from teamplay.players import load_player
from teamplay.proof.verify import Verdict, verify
from tests.bench import moves

STONES = 10  # percent of the cells that hold one when single moves are timed
RECENT = 60  # stones that are added to them and taken back again
MOVES = 100_000


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of some work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def best_of_3(work: Callable[[], object]) -> float:
    """The least CPU seconds of three runs, after one that may compile."""
    work()
    return min(cpu(work) for _ in range(3))


def random_moves(spec: str, seconds: float) -> Callable[[], float]:
    """A run of random games that says how many moves a second were made."""
    game = load_game(spec)
    games = int(seconds * 30e6 / playouts(game, 1000, seed=1, large=True).moves * 1000)
    made = playouts(game, games, seed=1, large=True).moves
    return lambda: made / cpu(lambda: playouts(game, games, seed=1, large=True))


def stepped_moves(spec: str, boards: int, steps: int) -> Callable[[], float]:
    """A run of random moves on many boards, stepped together, that says how many a second were made."""
    many = VectorGame(load_game(spec), boards)
    many.play_random(10)
    return lambda: boards * steps / cpu(lambda: many.play_random(steps))


def team_moves(spec: str, games: int) -> Callable[[], float]:
    """A run of games of a generic team against itself that says how many moves a second were made."""
    book = load_rulebook("mnk/generic", load_game(spec))
    contest = Contest(book, book, large=True)
    made = contest.play(games, seed=1).moves
    return lambda: made / cpu(lambda: contest.play(games, seed=1))


def prove_four() -> tuple[float, Verdict]:
    """CPU seconds of a proof that the generic table moving first never loses 4x4x4, all positions exhausted."""
    game = load_game("mnk(m=4,n=4,k=4)")
    player = load_player("mnk/generic", game)
    Layers(load_rulebook("mnk/generic", game), 0, True, compiles=True).grow(lambda: True)  # what is loaded is used
    return best_of_3(lambda: verify(player, game, 0)), verify(player, game, 0)


def solve(spec: str) -> tuple[float, int | None]:
    """CPU seconds to solve a game from the start, nothing known before, and its value."""
    game = load_game(spec)
    return best_of_3(lambda: Solver(game, large=True).value(game.start)), Solver(game).value(game.start)


@dataclass(frozen=True)
class Scale:
    """What one move of two generic teams costs on a board: one chooses, both think about the change.

    So that a board does not fill up, a move also takes back the oldest of some recent stones.
    """

    spec: str
    full: float  # seconds in which all agents think
    incremental: float  # seconds in which those think who see the change
    megabytes: float


def scale(spec: str) -> Scale:
    """The cost of a move on a board with some stones."""
    book = load_rulebook("mnk/generic", load_game(spec))
    compiled = compile_books(book, book, looks_up=True)
    board = live(compiled)
    size = len(board.state.board)
    chance = np.random.default_rng(1)
    board.state.board[chance.permutation(size)[: size * STONES // 100]] = chance.integers(1, 3, size * STONES // 100)
    off = switched_off(compiled.game, compiled.rows)
    full = partial(kernels(live_kernels, True, off).recompute, compiled.game, board.teams, board.state)
    full()
    repeats = max(1, 200_000 // size)
    recompute = min(cpu(lambda: [full() for _ in range(repeats)]) for _ in range(3)) / repeats
    make, state, recent = kernels(moves, True, off).make_moves, seeded(1), np.full(RECENT, -1, dtype=np.int64)
    spent = best_of_3(lambda: make(compiled.game, board, recent, MOVES, state))
    memory = board.nbytes + compiled.game.places.nbytes + compiled.game.roles.nbytes
    return Scale(spec, recompute, spent / MOVES, memory / 1e6)


def start_up() -> tuple[float, float]:
    """Seconds of `teamplay --help` and of Python that does nothing, the least of ten runs each."""
    asked = [[sys.executable, "-m", "teamplay", "--help"], [sys.executable, "-c", "pass"]]
    least = [float("inf"), float("inf")]
    for _ in range(10):
        for i, command in enumerate(asked):
            begun = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            least[i] = min(least[i], time.perf_counter() - begun)
    return least[0], least[1]
