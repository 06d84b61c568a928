"""The perfect player: it makes any move that keeps the value of the position, where the game is small enough."""

from dataclasses import dataclass, field

from teamplay.engine.solver import INTERRUPTED, Solution, Solver
from teamplay.engine.solver.search import Limits
from teamplay.errors import TeamplayError
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players._choice import one_of

MOST_POSITIONS = 50_000_000  # to be searched for one move: about a minute


@dataclass
class PerfectPlayer:
    """Solves each position when it is first asked about it, and remembers the moves."""

    game: Game
    hurry: bool  # of equal moves those that win soonest or lose latest, where that is known
    most: int
    name: str
    _known: dict[tuple[str, int], list[Move]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._solver = Solver(self.game)

    def moves(self, position: Position) -> list[Move]:
        """Every move that keeps the value."""
        if self.game.outcome(position):
            return []
        key = position.marks, position.seat  # the points of the past don't matter
        if key not in self._known:
            solution = self._solver.solve(position, Limits(positions=self.most), distances=self.hurry)
            if solution.stopped == INTERRUPTED:
                raise KeyboardInterrupt
            if not solution.complete:
                raise TeamplayError(
                    f"{self.game} is too large for the perfect player: it is not decided after {self.most:,} "
                    f"positions. `perfect(positions=N)` sets another bound."
                )
            self._known[key] = _soonest(solution) if self.hurry else list(solution.best)
        return self._known[key]

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)


def _soonest(solution: Solution) -> list[Move]:
    """Of the best moves those that win soonest or lose latest; all if it is not known how far the end is."""
    distances = [solution.moves[move].distance for move in solution.best]
    known = [distance for distance in distances if distance is not None]
    if not solution.value or len(known) < len(distances):
        return list(solution.best)
    wanted = min(known) if solution.value > 0 else max(known)
    return [move for move in solution.best if solution.moves[move].distance == wanted]


def make(name: str, game: Game, hurry: bool = False, positions: int = MOST_POSITIONS) -> PerfectPlayer:
    """The player that a spec names: `perfect`, `perfect(hurry=true)`."""
    if positions < 1:
        raise TeamplayError(f"The perfect player must look at 1 position at least, not at {positions}.")
    return PerfectPlayer(game, hurry, positions, name)
