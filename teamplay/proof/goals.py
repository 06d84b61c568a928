"""What may be claimed of a player, and what breaks the claim."""

NEVER_LOSES, ALWAYS_WINS, WINS_IF_POSSIBLE = GOALS = ("never-loses", "always-wins", "wins-if-possible")

Winner = int | None  # a seat, or None for a draw


def bad_winners(goal: str, seat: int) -> set[Winner]:
    """The ends of a game that break a goal of this seat; letting a win go is no end."""
    if goal == NEVER_LOSES:
        return {1 - seat}
    return {1 - seat, None} if goal == ALWAYS_WINS else set()


def least_value(goal: str) -> int:
    """The least value by perfect play (1 win, 0 draw, -1 loss) that keeps a goal in reach."""
    return 0 if goal == NEVER_LOSES else 1
