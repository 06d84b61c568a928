"""A game too large to list: positions are opened where a candidate leads, and a solver says which choice was bad.

A candidate is followed layer by layer, all its ties and every reply; first with a sample of each layer, which finds
most mistakes at a fraction of the cost, and in full only where the samples show none. Where it loses, the game is
traced back to the last position from which perfect play would still have reached the goal; what comes after the choice
made there is lost.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.game import NOBODY
from teamplay.engine.keys import Keys
from teamplay.engine.layers import Layers, fits
from teamplay.engine.solver import Solver
from teamplay.engine.solver.search import Limits
from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.language import Source, read_rulebook
from teamplay.learn.classes import ClassBook, Classifier
from teamplay.learn.formula import OutOfTime
from teamplay.learn.graph import OPPONENT, Way
from teamplay.learn.template import Candidate
from teamplay.proof.goals import ProofGoal, bad_winners

MOST_FOLLOWED = 6_000_000  # positions of one candidate
MOST_SOLVED = 3_000_000  # positions that one value may cost
SAMPLES, SAMPLED = 3, 4_000  # tries, and positions of a layer, before a candidate is followed in full
SAMPLE_GAMES = 60  # random games from which the numbers in tests are taken

Watch = Callable[[str], None]


class Far:
    """One game and seat, opened as far as candidates led; nodes are numbered as they are met."""

    def __init__(self, book: ClassBook, game: Game, seat: int, goal: ProofGoal) -> None:
        if not fits(game):
            raise BadSpec(f"{game} is too large to learn exactly: a position must fit into a number of 62 bits.")
        if goal not in ("never-loses", "always-wins"):
            raise BadSpec(f"{game} has too many positions for the goal {goal}; ask for never-loses or always-wins.")
        self.book, self.game, self.seat, self.goal = book, game, seat, goal
        self.letters = len(game.marks) if game.shared else 1
        self.classifier = Classifier(book, game, large=True)
        silent = read_rulebook(Source("silent", "everyone: return 1"), game)
        self.layers = Layers(silent, 0, self.classifier.symmetric, compiles=True)
        self.keys: list[int] = []
        self.mine: list[bool] = []
        self._numbers: dict[int, int] = {}
        self._options: dict[int, list[tuple[int, bool, list[int]]]] = {}
        self._values: dict[int, int | None] = {}  # by key, for the team; None where the solver gave up
        self._solver = Solver(game, memory=64)
        self._random = np.random.default_rng(0)
        self._bad = [2 if winner is None else winner for winner in bad_winners(goal, seat)]
        self.number(int(self.layers.layers[0][0]))
        self._meet_classes()

    @property
    def nodes(self) -> int:
        return len(self.keys)

    def number(self, key: int) -> int:
        """The node of a position."""
        if key not in self._numbers:
            self._numbers[key] = len(self.keys)
            self.keys.append(key)
            self.mine.append((key >> 2 * self.game.grid.size) & 1 == self.seat)
        return self._numbers[key]

    def _meet_classes(self) -> None:
        """Classes of random games, so that tests have numbers to compare with."""
        random = np.random.default_rng(0)
        for _ in range(SAMPLE_GAMES):
            key = self.keys[0]
            while True:
                found = self.layers.branches(np.array([key], dtype=np.int64))
                if (key >> 2 * self.game.grid.size) & 1 == self.seat:
                    self._codes(np.array([key], dtype=np.int64), found)
                onward = found[3][found[4] == NOBODY]
                if not len(onward):
                    break
                key = int(onward[random.integers(len(onward))])

    def _codes(self, keys: Keys, found: Keys) -> NDArray[np.int64]:
        """The code of each move of the team. [moves]"""
        codes = self.classifier.classes(keys, found[0], found[1]) * self.letters
        return codes + found[2] - 1 if self.game.shared else codes

    def choices(self, node: int) -> list[tuple[int, bool, list[int]]]:
        """The options of a node; one is good unless a move of it ends the game badly."""
        if node not in self._options:
            keys = np.array([self.keys[node]], dtype=np.int64)
            found = self.layers.branches(keys)
            codes = self._codes(keys, found) if self.mine[node] else np.full(found.shape[1], OPPONENT)
            options = []
            for code in np.unique(codes).tolist():
                after, won = found[3][codes == code], found[4][codes == code]
                children = [self.number(key) for key in np.unique(after[won == NOBODY]).tolist()]
                options.append((code, not np.isin(won, self._bad).any(), children))
            self._options[node] = options
        return self._options[node]

    def refutations(self, candidate: Candidate, most: int, watch: Watch) -> list[Way]:
        """Ways to bad ends of a candidate, each to the choice that is to blame."""
        for width in (*[SAMPLED] * SAMPLES, MOST_FOLLOWED):
            layers, parents, failures = self._follow(candidate, most, width, watch)
            if failures:
                break
        ways = []
        for depth, at in failures:
            path = []
            while depth >= 0:
                path.append(int(layers[depth][at]))
                at = int(parents[depth][at])
                depth -= 1
            ways.append(self._blamed(path[::-1]))
        return ways

    def _follow(
        self, candidate: Candidate, most: int, width: int, watch: Watch
    ) -> tuple[list[Keys], list[NDArray[np.int64]], list[tuple[int, int]]]:
        """Positions that a candidate meets, where each came from, and positions after which it loses at once.

        At most `width` of a layer are followed, chosen by chance.
        """
        layers, parents = [np.array([self.keys[0]], dtype=np.int64)], [np.zeros(1, dtype=np.int64)]
        total = 1
        while len(layers[-1]):
            keys = layers[-1]
            found = self.layers.branches(keys)
            kept = self._chosen(keys, found, candidate)
            found = found[:, kept]
            bad = np.isin(found[4], self._bad)
            if bad.any():
                failing = np.unique(found[0][bad])
                step = max(1, len(failing) // most)
                return layers, parents, [(len(layers) - 1, int(at)) for at in failing[::step][:most]]
            onward = found[4] == NOBODY
            following, first = np.unique(found[3][onward], return_index=True)
            origin = found[0][onward][first]
            if len(following) > width:
                picked = np.sort(self._random.choice(len(following), width, replace=False))
                following, origin = following[picked], origin[picked]
            layers.append(following)
            parents.append(origin)
            total += len(following)
            watch(f"following a candidate: {total:,} positions of {self.game}")
            if total > MOST_FOLLOWED:
                raise OutOfTime(f"{MOST_FOLLOWED:,} positions that one candidate meets")
        return layers, parents, []

    def _chosen(self, keys: Keys, found: Keys, candidate: Candidate) -> NDArray[np.bool_]:
        """The moves that may be made: the team's most urgent ones, and every reply. [moves]"""
        own = ((keys >> 2 * self.game.grid.size) & 1 == self.seat)[found[0]]
        kept: NDArray[np.bool_] = ~own
        if own.any():
            mine = found[:, own]
            codes = self._codes(keys, mine)
            level = candidate.levels()[codes]
            first = np.flatnonzero(np.diff(mine[0], prepend=-1))
            best = np.minimum.reduceat(level, first)
            kept[own] = level == np.repeat(best, np.diff(np.append(first, len(level))))
        return kept

    def _blamed(self, keys: list[int]) -> Way:
        """The way to the last choice of the team from which the goal was still in reach, and what is lost after it."""
        needs = 1 if self.goal == "always-wins" else 0
        mine = [i for i, key in enumerate(keys) if (key >> 2 * self.game.grid.size) & 1 == self.seat]
        for i in reversed(mine):
            value = self.value(keys[i])
            if value is None:
                break
            if value >= needs:
                node = self.number(keys[i])
                after = [child for _, _, children in self.choices(node) for child in children]
                lost = [child for child in after if (self.value(self.keys[child]) or 0) < needs and self._known(child)]
                return Way([self.number(key) for key in keys[: i + 1]], lost)
        return Way([self.number(key) for key in keys], [])

    def _known(self, node: int) -> bool:
        return self._values[self.keys[node]] is not None

    def value(self, key: int) -> int | None:
        """What perfect play brings the team, or None where that costs too much."""
        if key not in self._values:
            position = self.layers.position(key)
            found = self._solver.value(position, Limits(positions=MOST_SOLVED))
            if found is not None:
                if self.game.goal.effect == "scores":
                    found += position.scores[position.seat] - position.scores[1 - position.seat]
                found = (found > 0) - (found < 0)
                found = found if position.seat == self.seat else -found
            self._values[key] = found
        return self._values[key]
