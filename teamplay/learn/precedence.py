"""Which class must come before which, and where does that go round in a circle?

Sets of codes are bits of one number, so that what a position says (one code before all others there) is a single `or`,
and a breadth-first search looks at each code once.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from teamplay.learn.template import Levels


@dataclass
class Precedence:
    """What comes after each code."""

    after: dict[int, int] = field(default_factory=dict)  # by code the codes that come after it, as bits

    def add(self, first: int, others: int) -> None:
        """One code comes before others."""
        self.after[first] = self.after.get(first, 0) | others

    def has_cycle(self) -> bool:
        """Whether something comes before itself, by depth-first search."""
        new = sum(1 << code for code in self.after)
        for start in self.after:
            path, open_ = [start], 1 << start
            while path and new >> start & 1:
                others = self.after.get(path[-1], 0)
                if others & open_:
                    return True
                deeper = others & new
                if deeper:
                    path.append((deeper & -deeper).bit_length() - 1)
                    open_ |= 1 << path[-1]
                else:
                    last = 1 << path.pop()
                    open_ ^= last
                    new &= ~last
        return False

    def order(self, rank: Levels) -> Levels:
        """All codes in an order that fits, as near to a rank as it goes; there must be no cycle."""
        waiting = np.zeros(len(rank), dtype=np.int64)
        following = {first: list(bits(others)) for first, others in self.after.items()}
        for others in following.values():
            waiting[others] += 1
        ready = [(int(rank[code]), code) for code in np.flatnonzero(waiting == 0).tolist()]
        heapq.heapify(ready)
        levels = np.zeros(len(rank), dtype=np.int32)
        place = 0
        while ready:
            _, code = heapq.heappop(ready)
            levels[code] = place
            place += 1
            for other in following.get(code, ()):
                waiting[other] -= 1
                if not waiting[other]:
                    heapq.heappush(ready, (int(rank[other]), other))
        assert place == len(rank), "something comes before itself"
        return levels

    def cycles(self, most: int) -> Iterator[list[int]]:
        """A shortest cycle through each code that lies on one, each cycle once, at most so many."""
        inside = self._trimmed()
        seen: set[frozenset[int]] = set()
        for start in sorted(inside):
            if len(seen) >= most:
                return
            cycle = _shortest_cycle(inside, start)
            if cycle and frozenset(cycle) not in seen:
                seen.add(frozenset(cycle))
                yield cycle

    def _trimmed(self) -> dict[int, int]:
        """Without codes that nothing comes before, or that come before nothing."""
        left = dict(self.after)
        while True:
            present = sum(1 << code for code in left)
            behind = 0
            for others in left.values():
                behind |= others
            kept = {code: others & present & behind for code, others in left.items() if behind >> code & 1}
            kept = {code: others for code, others in kept.items() if others}
            if kept == left:
                return left
            left = kept


def _shortest_cycle(after: dict[int, int], start: int) -> list[int] | None:
    """A shortest cycle through a code, breadth-first."""
    layers = [1 << start]
    seen, goal = 0, 1 << start
    while layers[-1]:
        found = 0
        for code in bits(layers[-1]):
            found |= after.get(code, 0)
        if found & goal:
            return _traced(after, layers, start)
        seen |= layers[-1]
        layers.append(found & ~seen)
    return None


def _traced(after: dict[int, int], layers: list[int], start: int) -> list[int]:
    """One code of each layer, each before the next, the last before the start."""
    path = [start]
    for layer in reversed(layers[1:]):
        path.append(next(code for code in bits(layer) if after.get(code, 0) >> path[-1] & 1))
    return [start, *reversed(path[1:])]


def bits(number: int) -> Iterator[int]:
    """The places of the ones of a number.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
