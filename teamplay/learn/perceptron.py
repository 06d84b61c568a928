"""One pass of an averaged perceptron over many positions, as a kernel that numba compiles when there are many."""

import numpy as np
from numpy.typing import NDArray

KERNELS = True
ENTRIES = ("lesson",)

STEP = 2.0
MARGIN = 4.0  # by which the best good code must lead

Numbers = NDArray[np.int64]
Reals = NDArray[np.float64]


def lesson(
    features: Reals,
    starts: Numbers,
    code: Numbers,
    good: NDArray[np.bool_],
    order: Numbers,
    weights: Reals,
    mean: Reals,
) -> int:
    """Where the best good code of a position does not lead, move the weights from the best bad one towards it.

    `features` is [codes, features]. Position i of `order` has the codes from `starts[i]` up to `starts[i + 1]`. `mean`
    takes the sum of the weights over all positions, which swings less than they do. How many positions were wrong.
    """
    total = np.zeros(len(features))
    add_products(features, weights, total)
    wrong = 0
    for position in order:
        one, other = -1, -1
        for at in range(starts[position], starts[position + 1]):
            if good[at]:
                if one < 0 or total[code[at]] > total[one]:
                    one = code[at]
            elif other < 0 or total[code[at]] > total[other]:
                other = code[at]
        if total[one] < total[other] + MARGIN:
            wrong += 1
            change = STEP * (features[one] - features[other])
            weights += change
            add_products(features, change, total)
        mean += weights
    return wrong


def add_products(features: Reals, weights: Reals, total: Reals) -> None:
    """Add to each total the weighted sum of its features; `@` would make numba ask for scipy."""
    for at in range(len(features)):
        for i in range(len(weights)):
            total[at] += features[at, i] * weights[i]
