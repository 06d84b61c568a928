"""Whole games of table against table on a small board: every position of them, worked out once by numpy, then walked.

Games are those of `contest.py`, draw for draw: the same seed gives the same games. A hundred thousand games of
tic-tac-toe are over before the kernels that play them faster would be compiled.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import board_of
from teamplay.engine.columns import Voice, after_moves, knows, team_moves
from teamplay.engine.compiled import compile_books
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import canonical, layer
from teamplay.engine.kernels.chance import WORD
from teamplay.engine.kernels.game import NOBODY
from teamplay.engine.kernels.layer import Side
from teamplay.engine.kernels.playout import MOVES, RECORDED
from teamplay.engine.keys import fits, setting, space
from teamplay.engine.playouts import Results, game_log, results, seeded
from teamplay.game import Game
from teamplay.language.rulebook import Rulebook

SMALL_BOARD = 9  # cells
MOST_POSITIONS = 20_000
MOST_MOVES = 10_000_000  # of all games, from which on compiled kernels are faster even if they have to be compiled

Keys = NDArray[np.int64]


class GameGraph:
    """The positions that two tables can meet, numbered, and what may follow each."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._begins: list[int] = []  # by position, the first of its moves
        self._counts: list[int] = []  # by position, how many moves it has
        self._moves: list[int] = []  # by move, cell and mark in one number
        self._targets: list[int] = []  # by move, the position after it, or -1 - winner

    def add(self, count: Keys, moves: Keys, targets: Keys) -> None:
        """Add positions: how many moves each has, the moves, and where they lead."""
        self._begins += (len(self._moves) + np.cumsum(count) - count).tolist()
        self._counts += count.tolist()
        self._moves += moves.tolist()
        self._targets += targets.tolist()

    def play(self, games: int, seed: int, recorded: int = 0) -> Results:
        """Play N games from the start. The generator is that of `kernels/chance.py`, written out."""
        begins, counts, targets, moves = self._begins, self._counts, self._targets, self._moves
        a, b, c, d = seeded(seed).tolist()
        log, record = game_log(recorded), list[int]()
        ends, made = [0, 0, 0], 0
        for _ in range(games):
            node = 0
            while node >= 0:
                t = a ^ ((a << 11) & WORD)
                a, b, c, d = b, c, d, d ^ (d >> 19) ^ t ^ (t >> 8)
                move = begins[node] + (d * counts[node] >> 32)
                if made < recorded:
                    record.append(moves[move])
                made += 1
                node = targets[move]
            ends[-1 - node] += 1
        log.outcomes[:MOVES] = ends
        log.outcomes[MOVES] = made
        log.record[: len(record)] = record
        return results(self.game, log)


@lru_cache(maxsize=8)
def game_graph(first: Rulebook, second: Rulebook) -> GameGraph | None:
    """The graph of two tables without chance; None where it is large, or a move does more than to add a mark."""
    game = first.game
    if game.grid.size > SMALL_BOARD or game.placement != "anywhere" or not fits(game) or not knows(game):
        return None
    compiled = compile_books(first, second, looks_up=True)
    made = setting(game, compiled, [tuple(game.grid.cells)])
    small = kernels(layer, large=False)
    voices = [Voice(made, space(game, compiled, made), small)]
    graph = GameGraph(game)
    scores, opener = game.goal.effect == "scores", game.start.seat
    keys = np.array(
        [kernels(canonical, large=False).encode(game.grid.size, scores, board_of(game, game.start), opener, 0)],
        dtype=np.int64,
    )
    known = 0
    while len(keys):
        known += len(keys)
        if known > MOST_POSITIONS:
            return None
        seats = (keys >> 2 * game.grid.size) & 1
        options = [team_moves(voices, Side(seat, False), keys, np.flatnonzero(seats == seat)) for seat in (0, 1)]
        rows, cells, marks = (np.concatenate(column) for column in zip(*options, strict=True))
        order = np.argsort(rows, kind="stable")
        rows, cells, marks = rows[order], cells[order], marks[order]
        after, winners = after_moves(made, keys[rows], cells, marks)
        going = winners == NOBODY
        following, which = np.unique(after[going], return_inverse=True)
        targets = -1 - winners
        targets[going] = known + which
        graph.add(np.bincount(rows, minlength=len(keys)), cells * RECORDED + marks, targets)
        keys = following
    return graph
