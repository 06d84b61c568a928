"""How many sequences of moves, positions and complete games there are: the rules counted out, ply by ply.

The tables in `tests/perft` come from the literature, from arithmetic, or from the second implementation in
`tests/naive.py`; each says from which. The shallow part of every table is counted by default, the whole of it with
`python -m pytest -m slow`.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import pytest

from teamplay import library
from teamplay.game import Game, Position
from teamplay.game_file import load_game
from tests import naive

FOLDER = Path(__file__).parent / "perft"

# How many positions (or sequences, where none are merged) a table may visit before its rest is left to the slow run.
QUICK, QUICK_NAIVE, QUICK_UNMERGED, SLOW_UNMERGED = 10_000, 800, 3_000, 200_000


@dataclass(frozen=True)
class Table:
    """One table of a perft file."""

    game: str
    source: str
    sequences: list[int]
    positions: list[int]
    games: dict[str, int] | None = None  # complete ones, where the table goes to the end
    board: str | None = None

    def __str__(self) -> str:
        return f"{self.game} {self.board}" if self.board else self.game

    @property
    def start(self) -> tuple[Game, Position]:
        game = load_game(self.game)
        return game, game.position(self.board) if self.board else game.start

    def depth(self, counts: list[int], budget: int) -> int:
        """How many plies can be counted within a budget."""
        return sum(total <= budget for total in accumulate(counts))


def tables(name: str) -> list[Table]:
    return [Table(**table) for table in tomllib.loads((FOLDER / f"{name}.toml").read_text())["table"]]


TABLES = [table for path in sorted(FOLDER.glob("*.toml")) for table in tables(path.stem)]
every_table = pytest.mark.parametrize("table", TABLES, ids=str)


def layers(game: Game, position: Position) -> Iterator[list[tuple[Position, int]]]:
    """Ply by ply, the different positions and how many sequences of moves lead to each."""
    layer = [(position, 1)]
    while True:
        following: Counter[Position] = Counter()
        for position, times in layer:
            for _, after in game.successors(position):
                following[after] += times
        if not following:
            return
        layer = list(following.items())
        yield layer


def result(game: Game, position: Position) -> int | str | None:
    outcome = game.outcome(position)
    if outcome is None:
        return None
    return "draw" if outcome.winner is None else outcome.winner


def perft(game: Game, position: Position, depth: int) -> int:
    """Sequences of moves counted one by one, in the plainest way."""
    if depth == 0:
        return 1
    return sum(perft(game, game.after(position, move), depth - 1) for move in game.moves(position))


def check(table: Table, depth: int) -> None:
    """The rules count the first plies of a table as it says."""
    game, position = table.start
    compare(table, depth, layers(game, position), partial(result, game))


def check_naive(table: Table, depth: int) -> None:
    """So do the naive rules."""
    game, position = table.start
    compare(table, depth, naive.layers(game, naive.drawn(game, position)), partial(naive.result, game))


def compare(
    table: Table, depth: int, counted: Iterator[list[tuple[Any, int]]], result: Callable[[Any], int | str | None]
) -> None:
    found = list(islice(counted, depth))
    assert [sum(times for _, times in layer) for layer in found] == table.sequences[:depth]
    assert [len(layer) for layer in found] == table.positions[:depth]
    if table.games and depth == len(table.sequences):
        assert next(counted, None) is None, "the game goes on after the last ply of the table"
        ends: Counter[int | str | None] = Counter()
        for layer in found:
            for position, times in layer:
                ends[result(position)] += times
        assert {"first": ends[0], "second": ends[1], "draw": ends["draw"]} == table.games


def test_every_game_has_a_table_and_every_table_a_game() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == library.names(".toml")
    for path in FOLDER.glob("*.toml"):
        assert {load_game(table.game).name for table in tables(path.stem)} == {path.stem}


@every_table
def test_the_rules_count_as_the_table_says(table: Table) -> None:
    depth = table.depth(table.positions, QUICK)
    assert depth > 0
    check(table, depth)


@every_table
def test_the_naive_rules_count_as_the_table_says(table: Table) -> None:
    depth = table.depth(table.positions, QUICK_NAIVE)
    assert depth > 0
    check_naive(table, depth)


@every_table
def test_sequences_counted_one_by_one_are_as_many(table: Table) -> None:
    depth = table.depth(table.sequences, QUICK_UNMERGED)
    assert depth > 0
    assert [perft(*table.start, ply) for ply in range(1, depth + 1)] == table.sequences[:depth]


@every_table
@pytest.mark.slow
def test_the_rules_count_as_the_whole_table_says(table: Table) -> None:
    check(table, len(table.sequences))


@every_table
@pytest.mark.slow
def test_the_naive_rules_count_as_the_whole_table_says(table: Table) -> None:
    check_naive(table, len(table.sequences))


@every_table
@pytest.mark.slow
def test_more_sequences_counted_one_by_one_are_as_many(table: Table) -> None:
    depth = table.depth(table.sequences, SLOW_UNMERGED)
    assert [perft(*table.start, ply) for ply in range(1, depth + 1)] == table.sequences[:depth]


def test_the_tables_hold_the_numbers_that_everybody_knows() -> None:
    (tic_tac_toe,) = tables("tic-tac-toe")
    assert tic_tac_toe.sequences == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert tic_tac_toe.games is not None
    assert sum(tic_tac_toe.games.values()) == 255_168
    assert 1 + sum(tic_tac_toe.positions) == 5_478
    connect_four, connect_four_4x4, *_ = tables("connect-four")
    assert connect_four.sequences[:7] == [7, 49, 343, 2401, 16807, 117649, 823536]
    assert 1 + sum(connect_four_4x4.positions) == 161_029
    reversi, reversi_4x4, *_ = tables("reversi")
    assert reversi.sequences == [4, 12, 56, 244, 1396, 8200, 55092]
    assert reversi_4x4.games is not None
    assert sum(reversi_4x4.games.values()) == 60_060
