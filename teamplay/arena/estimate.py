"""How sure is a number? Estimates with their 95% intervals."""

from dataclasses import dataclass
from math import log, sqrt

SURE = 1.959963984540054  # standard deviations to either side that hold 95%
ELO = 400 / log(10)  # Elo for a unit of the logistic scale


@dataclass(frozen=True)
class Estimate:
    """A number with its 95% interval."""

    value: float
    low: float
    high: float


def wilson(found: int, games: int, sure: float = SURE) -> Estimate:
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
