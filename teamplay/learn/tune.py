"""Does a table get better if its numbers change? Play decides: a sequential test is the gate, fresh opponents judge.

A change is judged by pairs: the same opponent, opening, seat and coins, played once by the table as it is and once by
the changed one. The difference of the two results goes into the sequential test (GSPRT) of `compare`. The opponents are
a pool: those that were named, the table as it was at first, and every table that was accepted since. In the end the
tuned table and the first one meet opponents that were not in the pool, from either seat; nothing is claimed without.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from teamplay.arena.playing import Chooser, after_all, chooser, opening, played_out, seed_of
from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.language import Source, TableError, read_rulebook
from teamplay.language.formatter import format_table
from teamplay.language.parser import parse_table
from teamplay.language.tree import Table
from teamplay.learn.formula import Budget, OutOfTime
from teamplay.learn.knobs import numbers, rearranged, turned
from teamplay.luck import Luck
from teamplay.players import Player, load_player
from teamplay.statistics import BOUND, Estimate, llr, pair_elo, wilson
from teamplay.team import Team

MARGIN = 20.0  # normalized Elo: the smallest improvement that is looked for
OFTEN = 8  # pairs between two looks at the test
LONGEST_OPENING = 6  # plies
FROM_EMPTY = 3  # every third pair begins with the empty board

TuneVerdict = Literal["better", "not better", "undecided"]


@dataclass(frozen=True)
class HeldOut:
    """What the first and the tuned table scored against one opponent that was not in the pool, in one seat."""

    opponent: str
    seat: int
    games: int
    before: Estimate
    after: Estimate

    @property
    def worse(self) -> bool:
        """Whether the tuned table is surely worse here."""
        return self.after.high < self.before.low


@dataclass
class Tuned:
    """The outcome of a tuning."""

    table: str
    tried: int = 0
    accepted: list[str] = field(default_factory=list)
    games: int = 0  # played for the gate
    duel: list[int] = field(default_factory=lambda: [0] * 5)  # tuned against first, fresh pairs by half points
    held_out: list[HeldOut] = field(default_factory=list)
    bound: str = ""

    @property
    def elo(self) -> Estimate:
        """The tuned table over the first, from fresh games."""
        return pair_elo(self.duel)

    @property
    def verdict(self) -> TuneVerdict:
        """`better` only if fresh games say so and no held-out opponent, in either seat, says otherwise."""
        if not self.accepted:
            return "not better"
        if not sum(self.duel) or not self.held_out:
            return "undecided"
        if self.elo.high < 0 or any(row.worse for row in self.held_out):
            return "not better"
        return "better" if self.elo.low > 0 else "undecided"


@dataclass(frozen=True)
class TuningPlan:
    """How much is played."""

    gate: int = 400  # pairs for one change at the most
    fresh: int = 200  # pairs of the tuned table against the first
    judged: int = 100  # games against each held-out opponent in each seat
    order: bool = False  # are the order of rules and their tests turned, too?
    seed: int = 0


def tune(
    source: Source, game: Game, pool: Sequence[str], held_out: Sequence[str], plan: TuningPlan, budget: Budget
) -> Tuned:
    """Change numbers as long as play says that it helps, then judge what came out."""
    if shared := set(pool) & set(held_out):
        raise BadSpec(f"{', '.join(sorted(shared))} is in the pool, so it can't judge; name another with --held-out.")
    first = parse_table(source)
    work = _Tuning(source, game, plan, budget, [load_player(spec, game) for spec in pool])
    answer = Tuned(source.text)
    best = first
    try:
        best = work.climb(first, answer)
    except OutOfTime as stopped:
        best, answer.bound = work.best, str(stopped)
    except KeyboardInterrupt:
        best, answer.bound = work.best, "Ctrl-C"
    if answer.accepted:
        answer.table = format_table(best)
        _judge(work, first, best, [load_player(spec, game) for spec in held_out], answer)
    return answer


class _Tuning:
    """The search for changes that help."""

    def __init__(self, source: Source, game: Game, plan: TuningPlan, budget: Budget, pool: list[Player]) -> None:
        self.source, self.game, self.plan, self.budget = source, game, plan, budget
        self.pool = [chooser(player) for player in pool]
        self.best = parse_table(source)

    def team(self, table: Table) -> Team:
        """The team that plays by a table; a TableError where a change left the language."""
        return Team(read_rulebook(Source(self.source.path, format_table(table), self.source.folder), self.game))

    def climb(self, first: Table, answer: Tuned) -> Table:
        """Try one change after the other, as long as some change helps."""
        self.pool.append(chooser(self.team(first)))
        improved = True
        while improved:
            improved = False
            for change in self._changes():
                try:
                    other = self.team(change)
                except TableError:
                    continue
                answer.tried += 1
                if self._gate(chooser(self.team(self.best)), chooser(other), answer):
                    answer.accepted.append(_described(self.best, change))
                    self.best, improved = change, True
                    self.pool.append(chooser(other))
                    break
        return self.best

    def _changes(self) -> list[Table]:
        found = [table for path in numbers(self.best) for table in turned(self.best, path)]
        found += rearranged(self.best) if self.plan.order else []
        Luck(seed_of(self.plan.seed, "order", len(self.pool))).shuffle(found)
        return found

    def _gate(self, now: Chooser, other: Chooser, answer: Tuned) -> bool:
        """Whether a change surely helps against the pool."""
        counts = [0] * 5
        for pair in range(self.plan.gate):
            rival = self.pool[pair % len(self.pool)]
            seat = pair // len(self.pool) % 2
            scores = [self.score(player, rival, seat, (answer.tried, pair)) for player in (now, other)]
            answer.games += 2
            counts[2 + scores[1] - scores[0]] += 1
            self.budget(f"{len(answer.accepted)} changes accepted, {answer.tried} tried, {answer.games:,} games")
            if (pair + 1) % OFTEN == 0:
                if llr(counts, 0, MARGIN) >= BOUND:
                    return True
                if llr(counts, 0, MARGIN) <= -BOUND:
                    return False
                if pair >= 4 * OFTEN and not sum(counts[:2]) + sum(counts[3:]):
                    return False  # nothing that is played shows a difference
        return False

    def score(self, player: Chooser, rival: Chooser, seat: int, number: tuple[int, ...]) -> int:
        """The player's half points, 0 to 2, in one game; the number says which opening and coins."""
        seed = seed_of(self.plan.seed, *number)
        longest = 0 if number[-1] % FROM_EMPTY == 0 else min(LONGEST_OPENING, self.game.grid.size // 3)
        start = after_all(self.game, opening(self.game, Luck(seed), min(1, longest), longest))
        sitting = (player, rival) if seat == 0 else (rival, player)
        _, winner, _ = played_out(self.game, start, sitting, Luck(seed_of(seed, 1)))
        return 1 if winner is None else 2 if winner == seat else 0


def _judge(work: _Tuning, first: Table, best: Table, held_out: list[Player], answer: Tuned) -> None:
    """Fresh games against the first table, and against opponents that nobody trained on."""
    before, after = chooser(work.team(first)), chooser(work.team(best))
    for pair in range(work.plan.fresh):
        number = (1_000_000, pair)
        answer.duel[sum(work.score(after, before, seat, number) for seat in (0, 1))] += 1
    for rival in held_out:
        against = chooser(rival)
        for seat in (0, 1):
            points = [0, 0]
            for game in range(work.plan.judged):
                for i, player in enumerate((before, after)):
                    points[i] += work.score(player, against, seat, (2_000_000, game))
            shares = [wilson(round(each / 2), work.plan.judged) for each in points]
            answer.held_out.append(HeldOut(rival.name, seat, work.plan.judged, *shares))


def _described(before: Table, after: Table) -> str:
    """What changed, in a few words."""
    old, new = format_table(before).splitlines(), format_table(after).splitlines()
    pairs = [(one.strip(), other.strip()) for one, other in zip(old, new, strict=False) if one != other]
    return "; ".join(f"{one} -> {other}" for one, other in pairs)
