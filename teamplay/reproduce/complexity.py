"""What a decision costs: rules, conditions and tests of a team, beside centralized players of the same game."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from teamplay.game import Position
from teamplay.language.expressions import tests
from teamplay.luck import Luck
from teamplay.players._lecture import LINES, squares
from teamplay.players.posswin import PossWin
from teamplay.reproduce.categories import board
from teamplay.team import Team


@dataclass(frozen=True)
class Size:
    """How large a table is."""

    rules: int
    conditions: int


def size(team: Team) -> Size:
    """The rules of a table, one set for each role, and the single tests in their conditions."""
    sets = {rules for cell in board().grid.cells if (rules := team.book.rules(cell))}
    written = [rule for rules in sets for rule in rules]
    return Size(len(written), sum(len(list(tests(rule.condition))) for rule in written))


@dataclass(frozen=True)
class MoveWork:
    """Tests of a decision on the average: by everybody, and by the one with the most to do."""

    total: float
    most: float


def team_work(team: Team, positions: Sequence[Position]) -> MoveWork:
    """Conditions tested by all agents, and by the busiest of them."""
    totals, most = [], []
    for position in positions:
        cells = [move.cell for move in board().moves(position)]
        tested = [sum(len(tried.measures) for tried in team.trace(position, cell, Luck(0))) for cell in cells]
        totals.append(sum(tested))
        most.append(max(tested))
    return MoveWork(sum(totals) / len(totals), sum(most) / len(most))


def lecture_work(player: PossWin, positions: Sequence[Position]) -> float:
    """Lines whose product the lecture's second approach looks at."""
    looked = 0

    def counted(marks: str, mark: str) -> int:
        nonlocal looked
        square = player.possible_win(marks, mark)
        looked += next((i for i, line in enumerate(LINES, 1) if square in line), len(LINES)) if square else len(LINES)
        return square

    for position in positions:
        squares(board(), position, counted, player.make2, player.anywhere)
    return looked / len(positions)


def minimax_work(positions: Sequence[Position]) -> float:
    """Positions that a plain search to the end looks at."""
    return sum(map(_tree, positions)) / len(positions)


@cache
def _tree(position: Position) -> int:
    return 1 + sum(_tree(after) for _, after in board().successors(position))
