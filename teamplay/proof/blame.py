"""Which choice lost the game: the last one before which perfect play would still have reached the goal."""

from collections.abc import Sequence
from dataclasses import dataclass

from teamplay.errors import TeamplayError
from teamplay.game import Game, Move, Position
from teamplay.proof.goals import ProofGoal, forbids_slips, least_value
from teamplay.proof.oracle import Oracle, value_for


@dataclass(frozen=True)
class Blame:
    """The move that was to blame, by its place in the game; None where the goal was out of reach from the start."""

    ply: int | None
    certain: bool  # was perfect play known, or is it merely the player's last move?
    better: tuple[Move, ...] = ()  # what would have kept the goal in reach


def positions_of(game: Game, moves: Sequence[Move]) -> list[Position]:
    """The positions of a game, the start first: one more than moves."""
    positions = [game.start]
    for move in moves:
        positions.append(game.after(positions[-1], move))
    return positions


def blame(game: Game, moves: Sequence[Move], seat: int, goal: ProofGoal, oracle: Oracle) -> Blame:
    """Go back from the end of a game, so that small positions are looked at first."""
    positions = positions_of(game, moves)
    mine = [ply for ply in range(len(moves)) if positions[ply].seat == seat]
    needs = least_value(goal)
    if forbids_slips(goal) and not game.outcome(positions[-1]):
        needs = 1  # the game ends with the choice that lets the win go
    try:
        for ply in reversed(mine):
            if value_for(oracle, positions[ply], seat) >= needs:
                return Blame(ply, True, _better(game, positions[ply], seat, needs, oracle))
    except (TeamplayError, KeyboardInterrupt):  # too large from here on, or nobody wants to wait for it
        return Blame(mine[-1] if mine else None, False)
    return Blame(None, True)


def _better(game: Game, position: Position, seat: int, needs: int, oracle: Oracle) -> tuple[Move, ...]:
    """The moves that keep the goal in reach, as far as their values are known."""
    return tuple(move for move, after in game.successors(position) if value_for(oracle, after, seat) >= needs)
