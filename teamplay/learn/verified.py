"""What does `verify` say of a table that a search has written? Ctrl-C, which it answers, ends the search as well."""

from collections.abc import Sequence

from teamplay.api.verifying import Verification, verification
from teamplay.game import Game
from teamplay.proof.goals import ProofGoal
from teamplay.proof.verify import INTERRUPTED, Bounds
from teamplay.team import Team


def verified(
    team: Team, game: Game, seats: Sequence[int], goal: ProofGoal, seconds: float = float("inf")
) -> Verification:
    """The verdict on each seat, undecided where that takes too long."""
    found = verification(team, game, seats, goal, Bounds(seconds=seconds))
    if any(verdict.bound == INTERRUPTED for verdict in found.verdicts):
        raise KeyboardInterrupt
    return found
