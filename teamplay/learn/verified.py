"""What does `verify` say of a table that a search has written? Ctrl-C, which it answers, ends the search as well."""

from collections.abc import Sequence

from teamplay.api.verifying import Verification, verification
from teamplay.game import Game
from teamplay.proof.goals import ProofGoal
from teamplay.proof.verify import INTERRUPTED, Bounds
from teamplay.team import Team


def verified(team: Team, game: Game, seats: Sequence[int], goal: ProofGoal) -> Verification:
    """The verdict on each seat, without bounds."""
    found = verification(team, game, seats, goal, Bounds())
    if any(verdict.bound == INTERRUPTED for verdict in found.verdicts):
        raise KeyboardInterrupt
    return found
