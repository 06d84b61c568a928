"""The other side of the comparisons: OpenSpiel, easyAI, PettingZoo and pgx, used as their documentation shows."""

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import pyspiel
from easyAI import Negamax, TranspositionTable, TwoPlayerGame

from teamplay.game_file import load_game


def random_moves(name: str, seconds: float) -> float:
    """Moves a second of random games, played through OpenSpiel's Python API."""
    game, chance, made = pyspiel.load_game(name), random.Random(1), 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            made += 1
    return made / spent


def rollout_moves(name: str, seconds: float) -> float:
    """Moves a second of OpenSpiel's own random rollouts in C++, with which its Monte Carlo search values a position."""
    game, chance = pyspiel.load_game(name), random.Random(1)
    lengths = []
    for _ in range(300):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        lengths.append(state.move_number())
    rollouts, done = 100, 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        value = pyspiel.RandomRolloutEvaluator(rollouts, done + 1)
        pyspiel.MCTSBot(game, value, 1.4, 1, 100, False, 3, False).step(game.new_initial_state())
        done += rollouts
    return done * sum(lengths) / len(lengths) / spent


def pettingzoo_moves(name: str, seconds: float) -> float:
    """Moves a second of random games in PettingZoo's own environment, with its action masks."""
    env = import_module(f"pettingzoo.classic.{name}").env()
    chance, made = random.Random(1), 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        env.reset()
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
            else:
                env.step(chance.choice(observation["action_mask"].nonzero()[0]))
                made += 1
    return made / spent


def pgx_moves(name: str, boards: int, steps: int) -> float:
    """Moves a second of random games on many boards of pgx, compiled by jax for the CPU; both are optional here."""
    jax, pgx = import_module("jax"), import_module("pgx")
    env, reset = pgx.make(name), import_module("pgx.experimental").auto_reset
    step = jax.vmap(reset(env.step, env.init))

    def body(carry: Any, _: Any) -> Any:
        state, key = carry
        key, drawn, renewed = jax.random.split(key, 3)
        chances = jax.numpy.log(state.legal_action_mask.astype("float32"))
        return (step(state, jax.random.categorical(drawn, chances), jax.random.split(renewed, boards)), key), None

    run = jax.jit(lambda state, key: jax.lax.scan(body, (state, key), None, length=steps)[0])
    key = jax.random.PRNGKey(1)
    carry = jax.block_until_ready(run(jax.jit(jax.vmap(env.init))(jax.random.split(key, boards)), key))
    begun = time.process_time()
    jax.block_until_ready(run(*carry))
    return boards * steps / (time.process_time() - begun)


def generic(k: int, lines: list[list[list[int]]]) -> Callable[[str, str, str], list[int]]:
    """The table `mnk/generic` as somebody would write it in Python, from the other cells of each cell's lines."""

    def moves(board: str, mine: str, theirs: str) -> list[int]:
        best, tied = None, []
        for cell, mark in enumerate(board):
            if mark == ".":
                found: dict[tuple[int, int], int] = {}
                for line in lines[cell]:
                    marks = [board[other] for other in line]
                    held = marks.count(mine), marks.count(theirs)
                    found[held] = found.get(held, 0) + 1
                urgency = priority(found)
                if best is None or urgency < best:
                    best, tied = urgency, []
                if urgency == best:
                    tied.append(cell)
        return tied

    def priority(found: dict[tuple[int, int], int]) -> int:
        count: Callable[[tuple[int, int]], int] = lambda held: found.get(held, 0)  # noqa: E731
        if count((k - 1, 0)):
            return 1
        if count((0, k - 1)):
            return 2
        if count((k - 2, 0)) >= 2:
            return 3
        if count((0, k - 2)) >= 2:
            return 4
        return (
            10000
            - 12 * count((k - 2, 0))
            - 10 * count((0, k - 2))
            - 4 * count((1, 0))
            - 3 * count((0, 1))
            - count((0, 0))
        )

    return moves


@dataclass
class DepthFirst:
    """A plain depth-first proof over OpenSpiel's states that remembers what it has visited."""

    seat: int = 0
    enough: int | None = None  # positions after which it stops
    visited: set[str] = field(default_factory=set)
    outcomes: list[int] = field(default_factory=lambda: [0, 0, 0])
    asked: int = 0

    def __post_init__(self) -> None:
        self.game = pyspiel.load_game("mnk(m=4,n=4,k=4)")
        ours = load_game("mnk(m=4,n=4,k=4)")
        through = [ours.lines_through(cell) for cell in ours.grid.cells]
        others = [[[other for other in line if other != cell] for line in lines] for cell, lines in enumerate(through)]
        self.team = generic(4, others)

    def run(self) -> float:
        """CPU seconds of the exploration."""
        begun = time.process_time()
        self.explore(self.game.new_initial_state())
        return time.process_time() - begun

    def explore(self, state: Any) -> None:
        key = str(state)
        if key in self.visited or (self.enough and len(self.visited) >= self.enough):
            return
        self.visited.add(key)
        if state.is_terminal():
            first = state.returns()[0]
            self.outcomes[2 if first == 0 else 0 if first > 0 else 1] += 1
            return
        actions: Iterable[int] = state.legal_actions()
        if state.current_player() == self.seat:
            self.asked += 1
            actions = self.team(key.replace("\n", ""), *("xo" if self.seat == 0 else "ox"))
        for action in actions:
            self.explore(state.child(action))


class FourInARow(TwoPlayerGame):  # type: ignore[misc]
    """4x4x4 for easyAI, with a line table and a board that is played on and back, as its examples do."""

    def __init__(self) -> None:
        ours = load_game("mnk(m=4,n=4,k=4)")
        self.lines = sorted({line for cell in ours.grid.cells for line in ours.lines_through(cell)})
        self.players, self.current_player = [None, None], 1
        self.board = [0] * 16

    def possible_moves(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.board) if mark == 0]

    def make_move(self, move: int) -> None:
        self.board[move] = self.current_player

    def unmake_move(self, move: int) -> None:
        self.board[move] = 0

    def lose(self) -> bool:
        return any(all(self.board[cell] == self.opponent_index for cell in line) for line in self.lines)

    def is_over(self) -> bool:
        return self.lose() or 0 not in self.board

    def scoring(self) -> int:
        return -100 if self.lose() else 0

    def ttentry(self) -> tuple[int, ...]:
        return tuple(self.board)


def solve_four() -> tuple[float, int]:
    """CPU seconds in which easyAI solves 4x4x4 from the empty board, and the value that it finds."""
    search = Negamax(16, win_score=90, tt=TranspositionTable())
    begun = time.process_time()
    search(FourInARow())
    return time.process_time() - begun, round(search.alpha)
