"""How strong is each player? Elo by the model of Bradley and Terry, with error bars.

The chance that i beats j is 1 / (1 + exp(s_j - s_i)); a draw is half a win. The strengths are those of the greatest
likelihood, found by Newton's method, with one drawn game added to every pairing, so that who has won every game is not
infinitely strong. Error bars come from the Fisher information: a strength is known up to a constant, so they are the
diagonal of its pseudo-inverse, about the mean of all players. They take games for independent and undrawn: draws make
the true ones narrower, games that repeat each other make them wider.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.arena.estimate import ELO, SURE, Estimate

MOST_STEPS = 100
NEAR = 1e-9  # on the logistic scale: far below a thousandth of an Elo
LONGEST_STEP = 2.0

Reals = NDArray[np.float64]


class Pairing(NamedTuple):
    """What one player has won against another, draws as half."""

    one: int
    other: int
    points: float  # of the first
    games: int


def ratings(players: int, pairings: Sequence[Pairing]) -> list[Estimate]:
    """The Elo of every player; the mean is 0."""
    strengths, spread = _fitted(players, pairings)
    return [_estimate(strengths[i], spread[i, i]) for i in range(players)]


def difference(points: float, games: int) -> Estimate:
    """The Elo of one player over another, from their games alone."""
    strengths, spread = _fitted(2, [Pairing(0, 1, points, games)])
    return _estimate(strengths[0] - strengths[1], spread[0, 0] + spread[1, 1] - 2 * spread[0, 1])


def _estimate(strength: float, variance: float) -> Estimate:
    error = SURE * float(variance) ** 0.5
    return Estimate(*(float(ELO * each) for each in (strength, strength - error, strength + error)))


def _fitted(players: int, pairings: Sequence[Pairing]) -> tuple[Reals, Reals]:
    """The likeliest strengths, [players], and the covariance of their errors, [players, players]."""
    one, other = (np.array([pair[side] for pair in pairings], dtype=np.int64) for side in (0, 1))
    points = np.array([pair.points + 0.5 for pair in pairings])
    games = np.array([pair.games + 1.0 for pair in pairings])
    strengths = np.zeros(players)
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(strengths[other] - strengths[one]))
        information = _information(players, one, other, games * expected * (1 - expected))
        excess = np.zeros(players)
        np.add.at(excess, one, points - games * expected)
        np.add.at(excess, other, games * expected - points)
        step = np.linalg.pinv(information, hermitian=True) @ excess
        longest = np.abs(step).max()
        strengths = strengths + step * min(1.0, LONGEST_STEP / max(longest, NEAR))
        if longest < NEAR:
            break
    return strengths - strengths.mean(), np.linalg.pinv(information, hermitian=True).astype(np.float64)


def _information(players: int, one: NDArray[np.int64], other: NDArray[np.int64], weights: Reals) -> Reals:
    """Fisher's information about the strengths: the Laplacian of who has played whom, [players, players]."""
    information = np.zeros((players, players))
    np.add.at(information, (one, one), weights)
    np.add.at(information, (other, other), weights)
    np.add.at(information, (one, other), -weights)
    np.add.at(information, (other, one), -weights)
    return information
