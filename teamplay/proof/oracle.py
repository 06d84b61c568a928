"""Who wins if both sides play perfectly from here: by plain recursion where that is enough, else by the solver."""

from dataclasses import dataclass, field
from typing import Protocol

from teamplay.errors import TeamplayError
from teamplay.game import Game, Position

DEEPEST = 400  # plies; every one takes some of Python's stack
SMALL_BOARD = 9  # cells, with marks of their own: plain recursion has been everywhere in a moment
MOST_POSITIONS = 300_000  # that plain recursion looks at for one value: half a minute
SOLVER_MEMORY = 24  # megabytes, beside what a proof itself takes
MOST_SOLVED = 20_000_000  # that the solver looks at for one value: some ten seconds


class TooLarge(TeamplayError):
    """A position whose value is out of reach."""


class Oracle(Protocol):
    """Knows the value of positions."""

    def value(self, position: Position) -> int:
        """1 where the seat to move wins, 0 for a draw, -1 where it loses; TooLarge if that is out of reach."""


@dataclass
class Recursion:
    """Plain recursion over the rules of the game, with a table of results and nothing clever that could be wrong."""

    game: Game
    most: int = MOST_POSITIONS
    known: dict[Position, int] = field(default_factory=dict)
    looked: int = 0

    def value(self, position: Position) -> int:
        """The value of a position for the seat to move."""
        if position.marks.count(".") > DEEPEST:
            raise self._too_large()
        self.looked = 0
        return self._value(position)

    def _value(self, position: Position) -> int:
        if position in self.known:
            return self.known[position]
        self.looked += 1
        if self.looked > self.most:
            raise self._too_large()
        if over := self.game.outcome(position):
            best = 0 if over.winner is None else 1 if over.winner == position.seat else -1
        else:
            best = -1
            for _, after in self.game.successors(position):
                value = self._value(after)
                best = max(best, value if after.seat == position.seat else -value)
                if best == 1:
                    break
        self.known[position] = best
        return best

    def _too_large(self) -> TooLarge:
        return TooLarge(f"Who wins {self.game} by perfect play can't be decided within {self.most:,} positions.")


def value_for(oracle: Oracle, position: Position, seat: int) -> int:
    """The value of a position for a seat that may or may not be the one to move."""
    value = oracle.value(position)
    return value if position.seat == seat else -value


@dataclass
class SolverOracle:
    """The solver as an oracle."""

    game: Game
    most: int  # positions that one value may cost

    def __post_init__(self) -> None:
        from teamplay.engine.solver import Solver

        self._solver = Solver(self.game, memory=SOLVER_MEMORY)

    def value(self, position: Position) -> int:
        """The value of a position for the seat to move, the points that were made before included."""
        from teamplay.engine.solver.search import Limits

        value = self._solver.value(position, Limits(positions=self.most))
        if value is None:
            raise TooLarge(f"Who wins {self.game} by perfect play can't be decided within {self.most:,} positions.")
        if self.game.goal.effect == "scores":
            value += position.scores[position.seat] - position.scores[1 - position.seat]
        return (value > 0) - (value < 0)


def oracle_for(game: Game, most: int = MOST_SOLVED) -> Oracle:
    """The oracle for a game; one value may cost at most N positions."""
    if game.grid.size <= SMALL_BOARD and not game.shared:
        return Recursion(game)
    return SolverOracle(game, most)
