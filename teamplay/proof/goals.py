"""What may be claimed of a player, and what breaks the claim."""

from typing import Literal, assert_never, get_args

ProofGoal = Literal["never-loses", "always-wins", "wins-if-possible", "perfect"]
GOALS: tuple[ProofGoal, ...] = get_args(ProofGoal)

ClaimTies = Literal["all", "first"]  # is a claim about every tie, or only about the first among ties?

# What a verdict on a goal says of the player; with `first` the claim is a smaller one.
PROVED: dict[ProofGoal, str] = {
    "never-loses": "never loses",
    "always-wins": "always wins",
    "wins-if-possible": "never lets a win go",
    "perfect": "never loses and never lets a win go",
}
REFUTED: dict[ProofGoal, str] = {
    "never-loses": "can lose",
    "always-wins": "can fail to win",
    "wins-if-possible": "can let a win go",
    "perfect": "can lose or let a win go",
}
TIES: dict[ClaimTies, str] = {"all": "", "first": " (always the first among ties)"}

Winner = int | None  # a seat, or None for a draw


def bad_winners(goal: ProofGoal, seat: int) -> set[Winner]:
    """The ends of a game that break a goal of this seat; letting a win go is no end."""
    match goal:
        case "never-loses" | "perfect":
            return {1 - seat}
        case "always-wins":
            return {1 - seat, None}
        case "wins-if-possible":
            return set()
        case unknown:
            assert_never(unknown)


def forbids_slips(goal: ProofGoal) -> bool:
    """Whether a choice that lets a theoretical win go breaks a goal."""
    return goal in ("wins-if-possible", "perfect")


def least_value(goal: ProofGoal) -> int:
    """The least value by perfect play (1 win, 0 draw, -1 loss) that keeps a goal in reach."""
    return 0 if goal in ("never-loses", "perfect") else 1
