"""The best table that was found for a sample of positions: a level for every class of views, for each seat.

With few classes the levels are searched: all of them where that is possible, else one class after the other to its
best level. With many, most classes of unseen positions were never met, so the level must follow from what a class
says: a small neural network turns a view into a score, and thresholds turn scores into levels. It is trained by
gradient descent on the regret itself: an agent answers with a level by chance, more and more surely, and the expected
loss of the manager's choice among the most urgent is what the gradient reduces.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tests.price_views import Rows, Sample

MOST_ORDERS = 5_000  # that are tried one by one
FEW_CLASSES = 60  # for one seat, up to which levels are searched
ANY = 0  # stands for any number of levels
SEARCHED = 16  # levels that a search takes for any number
HIDDEN = 64
FIRST_EPOCHS, EPOCHS, BATCH = 40, 10, 128
RATE, DECAY = 3e-3, 2e-3
SHARPEST = 0.05  # the last temperature; the first is 1
GRID = 40  # quantiles of the scores among which first thresholds are chosen
DIGITS = 3  # of a score that count: equal views must tie, whatever the order of additions

Levels = NDArray[np.int64]
Floats = NDArray[np.float32]


class Ranking(Protocol):
    """A table: what agents that know `rows` answer, in a seat each. [agents]"""

    def levels(self, rows: Rows, seats: NDArray[np.int8]) -> Levels: ...


def shares(legal: NDArray[np.bool_], levels: Levels) -> Floats:
    """How likely each move is: those of the most urgent level alike. [positions, moves]"""
    spread = np.full(legal.shape, np.iinfo(np.int64).max)
    spread[legal] = levels
    chosen = (spread == spread.min(1, keepdims=True)) & legal
    found: Floats = (chosen / chosen.sum(1, keepdims=True)).astype(np.float32)
    return found


def regrets(sample: Sample, levels: Levels) -> Floats:
    """The value let go on average in each position. [positions]"""
    lost: Floats = (shares(sample.legal, levels) * sample.cost).sum(1)
    return lost


def least_regrets(sample: Sample, classes: Levels) -> Floats:
    """What any table lets go in each position at the least: the mean cost of the best class there. [positions]"""
    node, _ = sample.agents
    cost = sample.cost[sample.legal]
    pairs, which = np.unique(np.stack([node, classes]), axis=1, return_inverse=True)
    means = np.bincount(which.ravel(), cost) / np.bincount(which.ravel())
    starts = np.searchsorted(pairs[0], np.arange(len(sample.positions)))
    least: Floats = np.minimum.reduceat(means, starts).astype(np.float32)
    return least


def agent_seats(sample: Sample) -> NDArray[np.int8]:
    seats: NDArray[np.int8] = sample.seats[sample.agents[0]]
    return seats


# Few classes


@dataclass(frozen=True)
class Listed:
    """A level for each class, in each seat; a class that was never met comes last."""

    known: dict[tuple[int, bytes], int]
    last: int

    def levels(self, rows: Rows, seats: NDArray[np.int8]) -> Levels:
        pairs = zip(seats.tolist(), rows, strict=True)
        return np.array([self.known.get((seat, row.tobytes()), self.last) for seat, row in pairs], dtype=np.int64)


def listed(sample: Sample, rows: Rows, levels: tuple[int, ...]) -> dict[int, Listed]:
    """The best lists found, by number of levels."""
    found = {number: Listed({}, SEARCHED) for number in levels}
    for seat in (0, 1):
        part, mine = _of_seat(sample, rows, seat)
        if not len(part.positions):
            continue
        kinds, codes = np.unique(mine, axis=0, return_inverse=True)
        for number, best in _searched(part, codes.ravel(), len(kinds), levels).items():
            found[number].known.update({(seat, kinds[i].tobytes()): int(best[i]) for i in range(len(kinds))})
    return found


def _of_seat(sample: Sample, rows: Rows, seat: int) -> tuple[Sample, Rows]:
    """The positions in which a seat is to move, and the rows of their agents."""
    at = np.flatnonzero(sample.seats == seat)
    arrays = (sample.boards[at], sample.cells[at], sample.legal[at], sample.cost[at], sample.values[at])
    part = Sample(sample.game, [sample.positions[i] for i in at.tolist()], *arrays)
    return part, rows[agent_seats(sample) == seat]


def _searched(part: Sample, codes: Levels, classes: int, levels: tuple[int, ...]) -> dict[int, Levels]:
    """The best level of every class, by number of levels: each time from the best with fewer."""
    best, found = np.zeros(classes, dtype=np.int64), {}
    have = 1
    for number in sorted(levels, key=lambda number: number or SEARCHED):
        wanted = min(number or SEARCHED, classes)
        if wanted**classes <= MOST_ORDERS:
            tried: Iterator[Levels] = (np.array(each) for each in product(range(wanted), repeat=classes))
        else:
            grown = _grown(best, have, wanted)
            tried = (_climbed(part, codes, start, wanted) for start in grown)
        if wanted > 1:
            best = min(tried, key=lambda each: _mean(part, codes, each))
        have = max(have, wanted)
        found[number] = best
    return found


def _grown(best: Levels, have: int, wanted: int) -> list[Levels]:
    """Where one level is added, it may stand anywhere; where many are, one is put before each."""
    if wanted == have + 1:
        return [best + (best >= place) for place in range(wanted)]
    return [np.minimum(best * (wanted // have), wanted - 1)]


def _climbed(part: Sample, codes: Levels, start: Levels, levels: int) -> Levels:
    """Every class moved to its best level until nothing helps."""
    best, given, before = _mean(part, codes, start), start, np.inf
    while best < before - 1e-9:
        before = best
        for code in range(len(start)):
            for level in range(levels):
                other = given.copy()
                other[code] = level
                if (regret := _mean(part, codes, other)) < best - 1e-9:
                    best, given = regret, other
    return given


def _mean(part: Sample, codes: Levels, levels: Levels) -> float:
    return float(regrets(part, levels[codes]).mean())


# Many classes


@dataclass(frozen=True)
class Net:
    """A view becomes a score, the lower the more urgent, and thresholds make levels of scores."""

    scale: Floats  # [numbers]: what one unit of each number counts
    hidden: Floats  # [numbers + 1, HIDDEN]: weights, the last row constants
    out: Floats  # [HIDDEN]
    cuts: Floats = field(default_factory=lambda: np.zeros(0, dtype=np.float32))  # [levels - 1]; none: any number

    def inputs(self, rows: Rows, seats: NDArray[np.int8]) -> Floats:
        """Numbers for the network: what is known, the seat, and a constant. [agents, numbers + 1]"""
        constant = np.ones((len(rows), 1), dtype=np.float32)
        return np.hstack([rows * self.scale[:-1], seats[:, None] * self.scale[-1], constant], dtype=np.float32)

    def scores(self, inputs: Floats) -> Floats:
        found: Floats = np.maximum(inputs @ self.hidden, 0) @ self.out
        return found

    def levels_of(self, scores: Floats) -> Levels:
        rounded = np.round(scores, DIGITS)
        if not len(self.cuts):
            return np.unique(rounded, return_inverse=True)[1].astype(np.int64)
        return np.searchsorted(np.sort(np.round(self.cuts, DIGITS)), rounded).astype(np.int64)

    def levels(self, rows: Rows, seats: NDArray[np.int8]) -> Levels:
        return self.levels_of(self.scores(self.inputs(rows, seats)))


def fresh(rows: Rows, random: np.random.Generator) -> Net:
    """A network with random weights."""
    spread = rows.std(0, dtype=np.float64)
    scale = np.append(1 / np.maximum(spread, 0.3), 1.0).astype(np.float32)
    numbers = len(scale)
    hidden = random.normal(0, 1 / np.sqrt(numbers), (numbers + 1, HIDDEN)).astype(np.float32)
    return Net(scale, hidden, random.normal(0, 1 / np.sqrt(HIDDEN), HIDDEN).astype(np.float32))


def trained(sample: Sample, rows: Rows, fitted: int, levels: tuple[int, ...], seed: int) -> dict[int, Net]:
    """Networks by number of levels; all go on from one that was trained for any number.

    The first `fitted` positions give the gradient, the others say which epoch is kept.
    """
    random = np.random.default_rng(seed)
    net = fresh(rows, random)
    job = _Job(sample, net.inputs(rows, agent_seats(sample)), fitted, random)
    start = job.run(net, FIRST_EPOCHS)
    found = {ANY: start}
    for number in levels:
        if number > 1:
            found[number] = job.run(replace(start, cuts=job.first_cuts(start, number)), EPOCHS)
    return found


class _Job:
    """Training on the positions in which moves differ; those at the end are not fitted."""

    def __init__(self, sample: Sample, inputs: Floats, fitted: int, random: np.random.Generator) -> None:
        self.random = random
        matters = sample.cost.max(1) > 0
        self.legal, self.cost = sample.legal[matters], sample.cost[matters]
        padded = np.zeros((*sample.legal.shape, inputs.shape[1]), dtype=np.float32)
        padded[sample.legal] = inputs
        self.inputs = padded[matters]
        self.fitted = int(matters[:fitted].sum())

    def run(self, net: Net, epochs: int) -> Net:
        """The network of the epoch that did best in the positions that are not fitted."""
        weights = [net.hidden.copy(), net.out.copy(), net.cuts.copy()]
        moments = [(np.zeros_like(each), np.zeros_like(each)) for each in weights]
        best, kept, step = self.judged(net), net, 0
        for epoch in range(epochs):
            heat = max(SHARPEST, SHARPEST ** (epoch / max(1, epochs - 1)))
            order = self.random.permutation(self.fitted)
            for at in range(0, self.fitted, BATCH):
                step += 1
                slopes = self.slopes(weights, order[at : at + BATCH], heat)
                rate = RATE * (1 - 0.9 * epoch / epochs)
                for weight, slope, (mean, square) in zip(weights, slopes, moments, strict=True):
                    _adam(weight, slope, mean, square, step, rate)
            now = replace(net, hidden=weights[0].copy(), out=weights[1].copy(), cuts=weights[2].copy())
            if (regret := self.judged(now)) < best:
                best, kept = regret, now
        return kept

    def judged(self, net: Net) -> float:
        """The regret in the positions that are not fitted, with hard choices."""
        legal, cost = self.legal[self.fitted :], self.cost[self.fitted :]
        return _hard(net.levels_of(net.scores(self.inputs[self.fitted :][legal])), legal, cost)

    def first_cuts(self, net: Net, levels: int) -> Floats:
        """Thresholds chosen one by one among quantiles of the scores, each where it helps most."""
        legal, cost = self.legal[: self.fitted], self.cost[: self.fitted]
        scores = net.scores(self.inputs[: self.fitted][legal])
        places = np.unique(np.quantile(scores, np.linspace(0.01, 0.99, GRID))).astype(np.float32)
        cuts: list[float] = []
        for _ in range(levels - 1):
            tried = [np.sort(np.array([*cuts, place], dtype=np.float32)) for place in places]
            lost = [_hard(np.searchsorted(each, scores), legal, cost) for each in tried]
            cuts = tried[int(np.argmin(lost))].tolist()
        return np.array(cuts, dtype=np.float32)

    def slopes(self, weights: list[Floats], at: NDArray[np.int64], heat: float) -> list[Floats]:
        """The gradient of the expected loss in some positions, by hidden weights, outer weights and thresholds."""
        hidden, out, cuts = weights
        legal, cost = self.legal[at], self.cost[at]
        inputs = self.inputs[at][legal]
        inner = np.maximum(inputs @ hidden, 0)
        scores = np.zeros(legal.shape, dtype=np.float32)
        scores[legal] = inner @ out
        if len(cuts):
            by_score, by_cut = level_slopes(scores, cuts, cost, legal, heat)[1:]
        else:
            by_score, by_cut = order_slopes(scores, cost, legal, heat), cuts
        slope = by_score[legal]
        back = slope[:, None] * out * (inner > 0)
        return [inputs.T @ back + DECAY * hidden, inner.T @ slope + DECAY * out, by_cut]


def _hard(levels: Levels, legal: NDArray[np.bool_], cost: Floats) -> float:
    return float((shares(legal, levels) * cost).sum(1).mean())


def level_slopes(
    scores: Floats, cuts: Floats, cost: Floats, legal: NDArray[np.bool_], heat: float
) -> tuple[float, Floats, Floats]:
    """The expected loss with levels by chance, and its gradient by scores and by thresholds.

    An agent answers at most level l with the chance c = sigmoid((cut - score) / heat). The most urgent answer is l with
    the chance that nobody is below less the chance that nobody is at most l. Given that, moves are taken to be
    chosen in proportion to their chances of l, which is exact when the heat is gone.
    """
    at_most = legal[:, :, None] / (1 + np.exp(np.clip((scores[:, :, None] - cuts) / heat, -40, 40)))
    ends = np.zeros_like(at_most[:, :, :1]), legal[:, :, None].astype(at_most.dtype)
    answers = np.diff(np.concatenate([ends[0], at_most, ends[1]], axis=2), axis=2)  # [positions, moves, levels]
    total = answers.sum(1) + 1e-9
    loss = (answers * cost[:, :, None]).sum(1) / total  # [positions, levels]: if this level is the most urgent
    nobody = np.prod(1 - at_most, axis=1)
    column = np.ones((len(scores), 1), dtype=nobody.dtype)
    chance = -np.diff(np.hstack([column, nobody, 0 * column]), axis=1)
    by_answer = (chance / total)[:, None, :] * (cost[:, :, None] - loss[:, None, :])
    slope = (by_answer[:, :, :-1] - by_answer[:, :, 1:]) * at_most * (1 - at_most)
    slope -= (np.diff(loss, axis=1) * nobody)[:, None, :] * at_most
    slope /= heat * len(scores)
    return float((chance * loss).sum(1).mean()), -slope.sum(2).astype(np.float32), slope.sum((0, 1)).astype(np.float32)


def order_slopes(scores: Floats, cost: Floats, legal: NDArray[np.bool_], heat: float) -> Floats:
    """The gradient of the expected loss when moves are chosen by a softmax of the scores, and of how well a score says
    whether a move loses anything, which makes scores of different positions comparable."""
    weight = np.where(legal, np.exp(-(scores - np.where(legal, scores, np.inf).min(1, keepdims=True)) / heat), 0)
    share = weight / weight.sum(1, keepdims=True)
    slope = -share * (cost - (share * cost).sum(1, keepdims=True)) / heat
    wrong = 1 / (1 + np.exp(np.clip(-scores, -40, 40))) - (cost > 0)
    slope += np.where(legal, wrong, 0) / legal.sum(1, keepdims=True)
    mean: Floats = (slope / len(scores)).astype(np.float32)
    return mean


def _adam(weight: Floats, slope: Floats, mean: Floats, square: Floats, step: int, rate: float) -> None:
    """One step of gradient descent by Adam, in place."""
    mean += 0.1 * (slope - mean)
    square += 0.001 * (slope * slope - square)
    weight -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
