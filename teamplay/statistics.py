"""How sure is a number? Shares with their intervals, ratings, sequential tests, exact tests.

Elo ratings follow the model of Bradley and Terry. The chance that i beats j is 1 / (1 + exp(s_j - s_i)); a draw is half
a win. The strengths are those of the greatest likelihood, found by Newton's method, with one drawn game added to every
pairing, so that a player who has won every game is not infinitely strong. Error bars come from the Fisher information:
a strength is known up to a constant, so they are the diagonal of its pseudo-inverse, about the mean of all players.
They assume that games are independent and undrawn: draws make the true ones narrower, repeated games make them wider.

The sequential test is about pairs of games. A pair is one opening played twice with seats swapped. Its result is one of
five (pentanomial): the first player's points from both games, in halves: 0, 1/2, 1, 3/2 or 2. The generalized
sequential probability ratio test (GSPRT) compares two hypotheses about the mean, each with the distribution that fits
the counts best under it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, factorial, lgamma, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SURE = 1.959963984540054  # standard deviations to either side that hold 95%
ELO = 400 / log(10)  # Elo for a unit of the logistic scale
NORMALIZED = 800 / log(10)  # normalized Elo for one standard deviation of a game
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair, as a share of the points at stake
BOUND = log(0.95 / 0.05)  # of the log-likelihood ratio, for errors of 5% on both sides: 2.94
LEAST = 1e-3  # what an empty class counts, so that no result is impossible
MOST_STEPS = 100
NEAR = 1e-9  # on the logistic scale: far below a thousandth of an Elo
LONGEST_STEP = 2.0
ROUNDING = 1e-9  # equal likelihoods may differ by this much as floating-point numbers

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A number with its 95% interval."""

    value: float
    low: float
    high: float


def wilson(found: float, games: int, sure: float = SURE) -> Estimate:
    """A share of games with Wilson's interval, which stays within 0 and 1 and is sound for small numbers.

    >>> share = wilson(8, 10)
    >>> round(share.low, 3), round(share.high, 3)
    (0.49, 0.943)
    """
    if not games:
        return Estimate(0.0, 0.0, 1.0)
    share, spread = found / games, sure * sure / games
    middle = (share + spread / 2) / (1 + spread)
    margin = sure * sqrt(share * (1 - share) / games + spread / (4 * games)) / (1 + spread)
    return Estimate(share, min(share, max(0.0, middle - margin)), max(share, min(1.0, middle + margin)))


def differ(one: int, of_one: int, other: int, of_other: int, sure: float = SURE) -> bool:
    """Whether two shares differ for sure."""
    first, second = wilson(one, of_one, sure), wilson(other, of_other, sure)
    return surely_less(first, second) or surely_less(second, first)


def surely_less(one: Estimate, other: Estimate) -> bool:
    """Whether a share is less than another for sure, by Newcombe's interval for the difference of two shares."""
    return one.value - other.value + sqrt((one.high - one.value) ** 2 + (other.value - other.low) ** 2) < 0


# Ratings


class Pairing(NamedTuple):
    """What one player has won against another, draws as half."""

    one: int
    other: int
    points: float  # of the first
    games: int


def ratings(players: int, pairings: Sequence[Pairing]) -> list[Estimate]:
    """The Elo of every player; the mean is 0."""
    strengths, spread = _strengths(players, pairings)
    return [_elo_estimate(strengths[i], spread[i, i]) for i in range(players)]


def difference(points: float, games: int) -> Estimate:
    """The Elo of one player over another, from their games alone."""
    strengths, spread = _strengths(2, [Pairing(0, 1, points, games)])
    return _elo_estimate(strengths[0] - strengths[1], spread[0, 0] + spread[1, 1] - 2 * spread[0, 1])


def _elo_estimate(strength: float, variance: float) -> Estimate:
    error = SURE * float(variance) ** 0.5
    return Estimate(*(float(ELO * each) for each in (strength, strength - error, strength + error)))


def _strengths(players: int, pairings: Sequence[Pairing]) -> tuple[Reals, Reals]:
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


# The sequential test


def llr(counts: Sequence[float], low: float, high: float) -> float:
    """The log-likelihood ratio of normalized Elo `high` against `low`, from the counts of the five results.

    >>> round(llr([3, 60, 352, 84, 9], 0, 20), 2)
    3.12
    """
    total, shares = _shares(counts)
    # A pair has half the variance of a game, so the mean of a pair lies further out in its own standard deviations.
    under, over = (_fitted(shares, elo / NORMALIZED * sqrt(2)) for elo in (low, high))
    return total * sum(share * log(b / a) for share, a, b in zip(shares, under, over, strict=True))


def _shares(counts: Sequence[float]) -> tuple[float, list[float]]:
    held = [count or LEAST for count in counts]
    return sum(held), [count / sum(held) for count in held]


def _moments(shares: Sequence[float]) -> tuple[float, float]:
    mean = sum(share * score for share, score in zip(shares, SCORES, strict=True))
    return mean, sum(share * (score - mean) ** 2 for share, score in zip(shares, SCORES, strict=True))


def _fitted(shares: Sequence[float], wanted: float) -> list[float]:
    """The distribution nearest to the observed one whose mean lies `wanted` standard deviations above one half.

    The maximum of the likelihood under that condition; each round solves it for the moments of the round before.
    """
    fitted = [1 / len(shares)] * len(shares)
    for _ in range(50):
        mean, variance = _moments(fitted)
        deviation = sqrt(variance)
        slopes = [score - 0.5 - wanted * deviation * (1 + ((mean - score) / deviation) ** 2) / 2 for score in SCORES]
        before, fitted = fitted, _tilted(shares, slopes)
        if max(abs(a - b) for a, b in zip(before, fitted, strict=True)) < 1e-9:
            break
    return fitted


def _tilted(shares: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """The distribution nearest to the observed one under which the slopes are 0 on average (Owen's lemma)."""
    low, high = -1 / max(slopes), -1 / min(slopes)  # beyond, a share would be negative
    for _ in range(200):
        middle = (low + high) / 2
        excess = sum(share * slope / (1 + middle * slope) for share, slope in zip(shares, slopes, strict=True))
        low, high = (middle, high) if excess > 0 else (low, middle)
    middle = (low + high) / 2
    return [share / (1 + middle * slope) for share, slope in zip(shares, slopes, strict=True)]


def pair_elo(counts: Sequence[float]) -> Estimate:
    """The Elo difference that the mean score of all pairs stands for, with its 95% interval."""
    total, shares = _shares(counts)
    mean, variance = _moments(shares)
    error = SURE * sqrt(variance / total)
    return Estimate(*(_elo(score) for score in (mean, mean - error, mean + error)))


def _elo(score: float) -> float:
    """Elo for a share of the points; never infinite."""
    score = min(max(score, 1e-6), 1 - 1e-6)
    return -ELO * log(1 / score - 1)


def normalized_elo(counts: Sequence[float]) -> Estimate:
    """The difference in standard deviations of a game: what decides how many games a test needs."""
    total, shares = _shares(counts)
    mean, variance = _moments(shares)
    scale = NORMALIZED / sqrt(2 * variance)
    error = SURE * sqrt(variance / total)
    return Estimate(*(scale * (score - 0.5) for score in (mean, mean - error, mean + error)))


# Exact tests


def as_unlikely(counts: tuple[int, ...], shares: tuple[float, ...]) -> float:
    """How likely it is to count something that is as unlikely as this: the exact test, for few games or known chances.

    >>> round(as_unlikely((0, 0, 2), (0.5, 0.25, 0.25)), 4), as_unlikely((1, 0), (0.5, 0.5))
    (0.125, 1.0)
    """
    games = sum(counts)
    odds = {found: _likelihood(found, shares) for found in _compositions(games, len(counts))}
    return sum(chance for chance in odds.values() if chance <= odds[counts] * (1 + ROUNDING))


def together(tests: Sequence[float]) -> float:
    """What independent tests come to, each with how likely something as unlikely is: Fisher's method.

    >>> round(together([0.3]), 6), round(together([0.1, 0.1]), 4)
    (0.3, 0.0561)
    """
    if not all(tests):
        return 0.0
    doubt = -sum(map(log, tests))
    return exp(-doubt) * sum(doubt**i / factorial(i) for i in range(len(tests)))


def _compositions(games: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to write a number of games as a sum of `parts` counts."""
    if parts == 1:
        yield (games,)
        return
    for count in range(games + 1):
        yield from ((count, *rest) for rest in _compositions(games - count, parts - 1))


def _likelihood(counts: tuple[int, ...], shares: tuple[float, ...]) -> float:
    if any(count and not share for count, share in zip(counts, shares, strict=True)):
        return 0.0
    logs = (count * log(share) - lgamma(count + 1) for count, share in zip(counts, shares, strict=True) if count)
    return exp(lgamma(sum(counts) + 1) + sum(logs))
