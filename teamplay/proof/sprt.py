"""Is one player better than the other? Pairs of games, a sequential test on them, and the Elo difference.

A pair is one opening played twice with seats swapped. Its result is one of five: the first player's points from both
games, in halves: 0, 1/2, 1, 3/2 or 2. The generalized sequential probability ratio test (GSPRT) weighs two hypotheses
about the mean against each other, each with the distribution that fits the counts best under it.
"""

from collections.abc import Sequence
from math import erf, log, sqrt

from teamplay.arena.estimate import ELO, SURE, Estimate

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair, as a share of what could be had
NORMALIZED = 800 / log(10)  # normalized Elo for one standard deviation of a game
BOUND = log(0.95 / 0.05)  # of the log-likelihood ratio, for errors of 5% on both sides: 2.94
LEAST = 1e-3  # what an empty class counts, so that no result is impossible


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
    """The distribution nearest to the observed one whose mean lies so many standard deviations above one half.

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


def elo(counts: Sequence[float]) -> Estimate:
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


def better(counts: Sequence[float]) -> float:
    """The likelihood of superiority: how sure it is, by these counts, that the first player is better."""
    total, shares = _shares(counts)
    mean, variance = _moments(shares)
    return (1 + erf((mean - 0.5) / sqrt(2 * variance / total))) / 2
