"""The categories of section II of the decentralized paper: what a player of each does, and in how many positions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from teamplay.game import BLANK, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.players import OpenPlayer

Question = Callable[[Position, Move], bool]


@dataclass(frozen=True)
class Category:
    """When it is put to the test, and which moves pass."""

    name: str
    applies: Callable[[Position], bool]
    passes: Question


@dataclass(frozen=True)
class Score:
    """How a player did: in how many positions it was tested, and in how many all its moves passed."""

    tested: int
    passed: int

    def __str__(self) -> str:
        return f"{self.passed:,} of {self.tested:,} positions"


@cache
def board() -> Game:
    """The paper's game."""
    return load_game("tic-tac-toe")


@cache
def positions() -> tuple[Position, ...]:
    """Every position of the game that is not over."""
    return tuple(position for layer in board().layers() for position in layer)


@cache
def completions(position: Position, seat: int) -> frozenset[int]:
    """The blank cells where a seat would finish a row."""
    mark, marks = board().marks[seat], position.marks
    return frozenset(
        cell
        for cell in board().grid.cells
        if marks[cell] == BLANK
        and any(all(marks[other] == mark for other in line if other != cell) for line in board().lines_through(cell))
    )


def threats(position: Position, cell: int, seat: int) -> frozenset[int]:
    """What a piece of a seat in a cell would threaten to finish next."""
    marks = position.marks[:cell] + board().marks[seat] + position.marks[cell + 1 :]
    return completions(Position(marks, position.seat), seat)


def forks(position: Position, seat: int) -> frozenset[int]:
    """The blank cells from which a seat would threaten two completions at once."""
    blanks = (cell for cell, mark in enumerate(position.marks) if mark == BLANK)
    return frozenset(cell for cell in blanks if len(threats(position, cell, seat)) >= 2)


def _urgent(position: Position) -> bool:
    """Whether somebody can finish a row at once."""
    return any(completions(position, seat) for seat in (0, 1))


def _can_threaten(position: Position) -> bool:
    blanks = (cell for cell, mark in enumerate(position.marks) if mark == BLANK)
    return any(threats(position, cell, position.seat) for cell in blanks)


def _no_double_attack(position: Position, move: Move) -> bool:
    """After the move, no reply threatens twice, unless the reply is not free: the team threatens elsewhere."""
    after = board().after(position, move)
    if board().outcome(after):
        return True
    forced = completions(after, position.seat)
    attacks = forks(after, after.seat)
    return not attacks or (bool(forced) and not forced & attacks)


def _answers_an_opening(position: Position, move: Move) -> bool:
    """The center, or a corner where the opponent has the center."""
    center = 4
    return move.cell in (0, 2, 6, 8) if position.marks[center] != BLANK else move.cell == center


NOVICE_DEFENSIVE = Category(
    "blocks a row",
    lambda position: bool(completions(position, 1 - position.seat)) and not completions(position, position.seat),
    lambda position, move: move.cell in completions(position, 1 - position.seat),
)
INTERMEDIATE_DEFENSIVE = Category(
    "prevents a double threat",
    lambda position: bool(forks(position, 1 - position.seat)) and not _urgent(position),
    _no_double_attack,
)
ADVANCED_DEFENSIVE = Category(
    "answers an opening",
    lambda position: position.marks.count(BLANK) == 8,
    _answers_an_opening,
)
NOVICE_OFFENSIVE = Category(
    "completes a row",
    lambda position: bool(completions(position, position.seat)),
    lambda position, move: move.cell in completions(position, position.seat),
)
INTERMEDIATE_OFFENSIVE = Category(
    "threatens a row",
    lambda position: _can_threaten(position) and not _urgent(position),
    lambda position, move: bool(threats(position, move.cell, position.seat)),
)
EXPERIENCED_OFFENSIVE = Category(
    "threatens twice",
    lambda position: bool(forks(position, position.seat)) and not _urgent(position),
    lambda position, move: move.cell in forks(position, position.seat),
)


def choices(player: OpenPlayer) -> dict[Position, list[Move]]:
    """What a player might do in every position."""
    return {position: player.moves(position) for position in positions()}


def score(chosen: Mapping[Position, list[Move]], category: Category) -> Score:
    """Test a player's choices in every position that the category speaks of."""
    tested = [position for position in positions() if category.applies(position)]
    passed = (all(category.passes(position, move) for move in chosen[position]) for position in tested)
    return Score(len(tested), sum(passed))
