"""A table that chooses as a player does, as nearly as a few rules can: the share of agreement, and what it costs.

Positions are all of a small game, else those of random games; then the table is fitted to two thirds of them and
judged by the rest. Rules are found by local search: the rule, test or priority that adds most agreement, again and
again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from teamplay.arena.playing import after_all, opening, seed_of
from teamplay.engine.layers import SMALL_JOB, Layers, fits
from teamplay.errors import BadSpec
from teamplay.game import Game, Position, TooManyPositions
from teamplay.language import Source, read_rulebook
from teamplay.learn.classes import ClassBook, Classifier
from teamplay.learn.formula import Budget, OutOfTime
from teamplay.learn.template import EVERYONE, NEVER, LearnedRule, Template
from teamplay.learn.vocabulary import Vocabulary
from teamplay.learn.writing import table_text
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, Player
from teamplay.proof.oracle import TooLarge, oracle_for, value_for

FEW_POSITIONS = 6_000
MOST_VALUED = 300  # positions in which the regret is measured
FITTED = 2 / 3  # of sampled positions
ASKING = 0.5  # of the time, for showing positions to the player
FEWEST = 6  # positions that are shown to it in any case


@dataclass
class Distilled:
    """A table, and how near it comes to the player."""

    table: str
    rules: int
    agreement: float  # the share of positions in which all that the table might choose the player might choose
    positions: int  # in which that was judged
    exhaustive: bool  # are these all positions of the game?
    regret: float | None  # the mean loss of value by perfect play, a tie counting as its mean
    player_regret: float | None
    bound: str = ""


@dataclass(frozen=True)
class _Sample:
    """Positions with the moves of their agents, and which of them the player might make."""

    positions: list[Position]
    node: NDArray[np.int64]  # [moves]: the position of each
    cell: NDArray[np.int64]
    mark: NDArray[np.int64]
    code: NDArray[np.int64]
    wanted: NDArray[np.bool_]
    whole: bool  # was the player asked in all of the positions that it was to be?

    def agreement(self, levels: NDArray[np.int32], among: NDArray[np.bool_]) -> float:
        """The share of some positions in which every choice by these levels is one of the player's."""
        chosen = self.chosen(levels)
        wrong = np.zeros(len(self.positions), dtype=np.bool_)
        wrong[self.node[chosen & ~self.wanted]] = True
        return float(1 - wrong[among].mean())

    def chosen(self, levels: NDArray[np.int32]) -> NDArray[np.bool_]:
        """The moves that a table might make. [moves]"""
        level = levels[self.code]
        first = np.flatnonzero(np.diff(self.node, prepend=-1))
        best = np.minimum.reduceat(level, first)
        found: NDArray[np.bool_] = (level == best[self.node]) & (level < NEVER)
        return found


def distill(
    player: Player, game: Game, vocabulary: Vocabulary, rules: int, budget: Budget, seed: int = 0, sampled: int = 1_500
) -> Distilled:
    """The table of at most N rules that agrees best with a player."""
    if not fits(game):
        raise BadSpec(f"{game} is too large: a position must fit into a number of 62 bits.")
    if vocabulary.cells:
        raise BadSpec(
            "A table over `cells` lists views one by one, which are no rules to distill; name counts or n(…)."
        )
    book = ClassBook(vocabulary)
    positions, exhaustive = _positions(game, seed, sampled)
    sample = _sample(book, game, player, positions, budget, seed)
    exhaustive = exhaustive and sample.whole
    template = Template(book, len(game.marks) if game.shared else 1)
    random = np.random.default_rng(seed)
    fitted = np.ones(len(sample.positions), dtype=np.bool_)
    if not exhaustive:
        fitted = random.random(len(sample.positions)) < FITTED
        fitted[0] = False  # something must be left to judge by
    climb = _Climb(sample, template, fitted, rules, budget)
    bound = ""
    try:
        climb.run()
    except OutOfTime as stopped:
        bound = str(stopped)
    except KeyboardInterrupt:
        bound = "Ctrl-C"
    judged = fitted if exhaustive else ~fitted
    levels = template.levels(climb.best)
    agreement = sample.agreement(levels, judged)
    text = table_text(climb.best, template, [game], _comment(player, agreement, int(judged.sum()), exhaustive))
    regret = _regret(sample, sample.chosen(levels), game, judged)
    own = _regret(sample, sample.wanted, game, judged)
    return Distilled(text, len(climb.best), agreement, int(judged.sum()), exhaustive, regret, own, bound)


def _comment(player: Player, agreement: float, positions: int, exhaustive: bool) -> str:
    which = f"all {positions:,} positions" if exhaustive else f"{positions:,} positions of random games not fitted to"
    return (
        f"Written by `teamplay distill` after {player.name}: it chooses as that player in {agreement:.1%} of {which}."
    )


def _positions(game: Game, seed: int, sampled: int) -> tuple[list[Position], bool]:
    """All positions of a small game up to symmetry, else some of random games."""
    try:
        return [position for layer in game.layers(most=FEW_POSITIONS) for position in layer], True
    except TooManyPositions:
        found: dict[Position, None] = {}
        for number in range(20 * sampled):
            moves = opening(game, Luck(seed_of(seed, "distill", number)), 0, game.grid.size - 2)
            position = after_all(game, moves)
            if not game.outcome(position):
                found[position] = None
            if len(found) >= sampled:
                break
        return list(found), False


def _sample(
    book: ClassBook, game: Game, player: Player, positions: Sequence[Position], budget: Budget, seed: int
) -> _Sample:
    """The moves of all positions, with their classes and with what the player would do."""
    large = game.grid.size > SMALL_JOB
    classifier = Classifier(book, game, large)
    silent = read_rulebook(Source("silent", "everyone: return 1"), game)
    layers = Layers(silent, 0, classifier.symmetric, compiles=large)
    keys = np.unique(np.array([layers.key(position) for position in positions], dtype=np.int64))
    found = layers.branches(keys)
    node, cell, mark = found[0], found[1], found[2]
    letters = len(game.marks) if game.shared else 1
    code = classifier.classes(keys, node, cell) * letters + (mark - 1 if game.shared else 0)
    decoded = [layers.position(int(key)) for key in keys]
    wanted, asked = np.zeros(len(node), dtype=np.bool_), np.zeros(len(keys), dtype=np.bool_)
    starts = np.searchsorted(node, np.arange(len(keys) + 1))
    half = budget.part(ASKING)
    for i in np.random.default_rng(seed).permutation(len(keys)).tolist():
        try:
            half(f"{asked.sum():,} of {len(keys):,} positions shown to {player.name}")
        except OutOfTime:
            if asked.sum() >= FEWEST:
                break
        asked[i] = True
        chosen = {(move.cell, game.marks.index(move.mark) + 1) for move in _choices(player, decoded[i], seed)}
        for at in range(int(starts[i]), int(starts[i + 1])):
            wanted[at] = (int(cell[at]), int(mark[at])) in chosen
    kept = asked[node]
    renumbered = (np.cumsum(asked) - 1)[node[kept]]
    positions = [position for position, was in zip(decoded, asked, strict=True) if was]
    return _Sample(positions, renumbered, cell[kept], mark[kept], code[kept], wanted[kept], bool(asked.all()))


def _choices(player: Player, position: Position, seed: int) -> list:  # type: ignore[type-arg]
    """What a player might do; one that can't say is asked once."""
    if isinstance(player, OpenPlayer):
        return list(player.moves(position))
    return [player.choose(position, Luck(seed_of(seed, position.marks)))]


@dataclass
class _Climb:
    """Local search over tables."""

    sample: _Sample
    template: Template
    fitted: NDArray[np.bool_]
    most: int
    budget: Budget

    def __post_init__(self) -> None:
        self.best: tuple[LearnedRule, ...] = (LearnedRule(EVERYONE, (), 1, None, self._every()),)
        self.score = self._scored(self.best)

    def _every(self) -> tuple[int, ...]:
        return tuple(range(self.template.letters)) if self.template.letters > 1 else ()

    def _scored(self, rules: tuple[LearnedRule, ...]) -> float:
        return self.sample.agreement(self.template.levels(rules), self.fitted)

    def run(self) -> None:
        """Take the best change until none helps; a change that adds a rule must help more than nothing."""
        while True:
            before = self.score
            chosen = self.best
            for other in self._changes():
                self.budget(f"{len(self.best)} rules agree in {self.score:.1%}")
                score = self._scored(other)
                if score > self.score + 1e-9:
                    chosen, self.score = other, score
            if self.score <= before + 1e-9:
                return
            self.best = chosen

    def _changes(self) -> Iterator[tuple[LearnedRule, ...]]:
        """Every table one step away: a test more, a test less, another priority, a rule more or less."""
        rules = self.best
        levels = sorted({rule.priority for rule in rules})
        for i, rule in enumerate(rules):
            for test in self.template.tests:
                yield (*rules[:i], replace(rule, tests=(*rule.tests, test)), *rules[i + 1 :])
            for test in rule.tests:
                less = tuple(other for other in rule.tests if other != test)
                yield (*rules[:i], replace(rule, tests=less), *rules[i + 1 :])
            for priority in levels:
                yield (*rules[:i], replace(rule, priority=priority), *rules[i + 1 :])
            if len(rules) > 1:
                yield rules[:i] + rules[i + 1 :]
        if len(rules) < self.most:
            yield from self._longer(rules, levels)

    def _longer(self, rules: tuple[LearnedRule, ...], levels: list[int]) -> Iterator[tuple[LearnedRule, ...]]:
        """Every table with a rule more; everyone's section comes first, and a new level may lie between two."""
        spread = tuple(replace(rule, priority=2 * rule.priority) for rule in rules)
        places = [level for old in levels for level in (2 * old - 1, 2 * old)] + [2 * levels[-1] + 1]
        headings = [EVERYONE, *self.template.roles] if len(self.template.roles) > 1 else [EVERYONE]
        plays = [self._every()] if self.template.letters == 1 else [(each,) for each in self._every()]
        for heading in headings:
            conditions = [(), *((test,) for test in self.template.tests)]
            for tests in conditions:
                for priority in places:
                    for letters in plays:
                        made = _sorted((LearnedRule(heading, tests, priority, None, letters), *spread))
                        yield _dense(made)


def _sorted(rules: Sequence[LearnedRule]) -> tuple[LearnedRule, ...]:
    """Sections for roles before everyone's, which holds the last word; the order within a section stays."""
    order = {heading: i for i, heading in enumerate(dict.fromkeys(rule.heading for rule in rules))}
    return tuple(sorted(rules, key=lambda rule: (rule.heading == EVERYONE, order[rule.heading])))


def _dense(rules: tuple[LearnedRule, ...]) -> tuple[LearnedRule, ...]:
    ranks = {priority: i + 1 for i, priority in enumerate(sorted({rule.priority for rule in rules}))}
    return tuple(replace(rule, priority=ranks[rule.priority]) for rule in rules)


def _regret(sample: _Sample, chosen: NDArray[np.bool_], game: Game, judged: NDArray[np.bool_]) -> float | None:
    """The mean loss of value in some of the positions; None where values cost too much."""
    oracle = oracle_for(game)
    picked = np.flatnonzero(judged)
    picked = picked[:: max(1, len(picked) // MOST_VALUED)]
    losses = []
    try:
        for i in picked.tolist():
            position = sample.positions[i]
            value = oracle.value(position)
            after = dict(game.successors(position))
            mine = np.flatnonzero((sample.node == i) & chosen)
            moves = {(int(sample.cell[at]), game.marks[int(sample.mark[at]) - 1]) for at in mine.tolist()}
            left = [value_for(oracle, after[move], position.seat) for move in after if tuple(move) in moves]
            losses.append(value - sum(left) / len(left))
    except TooLarge:
        return None
    return float(np.mean(losses)) if losses else 0.0
