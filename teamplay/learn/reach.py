"""Could any player reach the goal? What perfect play can't do, no table does, and that is said at once."""

from collections.abc import Sequence

from teamplay.engine.solver import Solver
from teamplay.engine.solver.search import Limits
from teamplay.errors import BadSpec
from teamplay.game import SEATS, Game
from teamplay.learn.formula import Budget
from teamplay.proof.goals import PROVED, ProofGoal

LEAST_VALUE = {"never-loses": 0, "always-wins": 1, "perfect": 0}
SOLVE_SECONDS = 5.0  # that it may cost to learn that no player could reach the goal


def ask_solver(games: Sequence[Game], seats: Sequence[int], goal: ProofGoal, budget: Budget) -> None:
    """Refuse a goal that no player could reach, where the solver knows it soon."""
    if goal in LEAST_VALUE:
        for game in games:
            value = Solver(game).value(game.start, Limits(seconds=min(SOLVE_SECONDS, budget.left)))
            if value is not None:
                for seat in seats:
                    refuse_out_of_reach(game, seat, goal, value if seat == game.start.seat else -value)


def refuse_out_of_reach(game: Game, seat: int, goal: ProofGoal, value: int) -> None:
    """Refuse a goal that is above what the game is worth to a seat by perfect play."""
    if value < LEAST_VALUE.get(goal, value):
        fact = f"the {SEATS[1 - seat]} player wins {game} by perfect play" if value < 0 else f"{game} is a draw"
        raise BadSpec(f"No player {PROVED[goal]} moving {SEATS[seat]} at {game}: {fact} (`teamplay solve` shows it).")
