"""Does a table get better if its numbers change? Play decides: a sequential test is the gate, fresh opponents judge.

A change is judged by pairs: the same opponent, opening and seat, played once by the table as it is and once by the
changed one. The difference of the two results goes into the sequential test (GSPRT) of `compare`. The opponents are a
pool: those that were named, the table as it was at first, and every table that was accepted since. In the end the tuned
table and the first one meet opponents that were not in the pool, from either seat; nothing is claimed without. A
proposal, a whole table of another author, goes through the same gate as one change and is judged in the same way.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from teamplay.arena.playing import seed_of
from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.language import Source, TableError, read_rulebook
from teamplay.language.formatter import format_table
from teamplay.language.parser import parse_table
from teamplay.language.rulebook import Rulebook
from teamplay.language.tree import Table
from teamplay.learn.formula import Budget, OutOfTime
from teamplay.learn.knobs import numbers, rearranged, turned
from teamplay.learn.trial import Setup, Trial, setup
from teamplay.luck import Luck
from teamplay.players import Player, load_player
from teamplay.statistics import BOUND, Estimate, llr, pair_elo, surely_less, wilson
from teamplay.team import Team

MARGIN = 20.0  # normalized Elo: the smallest improvement that is looked for
OFTEN = 8  # pairs with each opponent between two looks at the test
REPORTED = 100  # games of a judgement between two reports
FEW = 10_000  # cells of all games for one change that are filled without the compiler

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
        return surely_less(self.after, self.before)


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
    source: Source,
    game: Game,
    pool: Sequence[str],
    held_out: Sequence[str],
    plan: TuningPlan,
    budget: Budget,
    proposal: Source | None = None,
) -> Tuned:
    """Change numbers as long as play says that it helps, or try a proposal alone; then judge what came out."""
    if shared := set(pool) & set(held_out):
        raise BadSpec(f"{', '.join(sorted(shared))} is in the pool, so it can't judge; name another with --held-out.")
    judges = [load_player(spec, game) for spec in held_out]
    for judge in judges:
        judge.choose(game.start, Luck(plan.seed))  # one that can't play this game is an error before any work
    work = _Tuning(source, game, plan, budget, [load_player(spec, game) for spec in pool])
    answer = Tuned(source.text)
    try:
        if proposal:
            work.consider(proposal, answer)
        else:
            work.climb(answer)
    except OutOfTime as stopped:
        answer.bound = str(stopped)
    except KeyboardInterrupt:
        answer.bound = "Ctrl-C"
    if answer.accepted:
        _judge(work, judges, answer)
    return answer


class _Tuning:
    """The search for changes that help."""

    def __init__(self, source: Source, game: Game, plan: TuningPlan, budget: Budget, pool: list[Player]) -> None:
        self.source, self.game, self.plan, self.budget = source, game, plan, budget
        self.large = plan.gate * game.grid.size > FEW
        self.table = parse_table(source)
        self.first = self.best = self.book(self.table)
        self.pool = [*pool, Team(self.first)]
        self._now = self._trials(self.best)

    def book(self, table: Table) -> Rulebook:
        """The rules of a table; a TableError where a change left the language."""
        return read_rulebook(Source(self.source.path, format_table(table), self.source.folder), self.game)

    def _trials(self, book: Rulebook) -> list[Trial]:
        return [Trial(book, rival, self.large) for rival in self.pool]

    def consider(self, proposal: Source, answer: Tuned) -> None:
        """Try one table that somebody wrote."""
        book = read_rulebook(proposal, self.game)
        answer.tried += 1
        if self._gate(book, answer):
            answer.accepted.append(f"the whole of {proposal.path}")
            self.best, answer.table = book, proposal.text

    def climb(self, answer: Tuned) -> None:
        """Try one change after the other, as long as some change helps."""
        improved = True
        while improved:
            improved = False
            for change in self._changes():
                try:
                    book = self.book(change)
                except TableError:
                    continue
                answer.tried += 1
                if self._gate(book, answer):
                    answer.accepted.append(_described(self.table, change))
                    self.table, self.best, improved = change, book, True
                    answer.table = format_table(change)
                    self.pool.append(Team(book))
                    self._now = self._trials(book)
                    break

    def _changes(self) -> list[Table]:
        found = [table for path in numbers(self.table) for table in turned(self.table, path)]
        found += rearranged(self.table) if self.plan.order else []
        Luck(seed_of(self.plan.seed, "order", len(self.pool))).shuffle(found)
        return found

    def _gate(self, book: Rulebook, answer: Tuned) -> bool:
        """Whether a change surely helps against the pool."""
        counts, pairs = [0] * 5, 0
        other = self._trials(book)
        while pairs < self.plan.gate:
            look = range(pairs // len(self.pool), pairs // len(self.pool) + OFTEN)
            for place, (before, after) in enumerate(zip(self._now, other, strict=True)):
                setups = [setup(self.game, n % 2, self.plan.seed, answer.tried, place, n) for n in look]
                for one, two in zip(before.scores(setups), after.scores(setups), strict=True):
                    counts[2 + two - one] += 1
                answer.games += 2 * OFTEN
                self.budget(f"{len(answer.accepted)} changes accepted, {answer.tried} tried, {answer.games:,} games")
            pairs += OFTEN * len(self.pool)
            if abs(llr(counts, 0, MARGIN)) >= BOUND:
                break
            if pairs > 4 * OFTEN and pairs == counts[2]:
                return False  # nothing that is played shows a difference
        return llr(counts, 0, MARGIN) >= BOUND


def _judge(work: _Tuning, held_out: list[Player], answer: Tuned) -> None:
    """Fresh games against the first table, and against opponents that nobody trained on; no bound stops them."""
    seed, games, report = work.plan.seed, work.plan.judged, Budget(report=work.budget.report)

    def scores(trial: Trial, setups: list[Setup]) -> list[int]:
        found: list[int] = []
        for begin in range(0, len(setups), REPORTED):
            report(f"judging: {begin:,} of {len(setups):,} games against {trial.rival.name}")
            found += trial.scores(setups[begin : begin + REPORTED])
        return found

    duel = Trial(work.best, Team(work.first), work.large)
    pairs = [[setup(work.game, seat, seed, "fresh", n) for n in range(work.plan.fresh)] for seat in (0, 1)]
    for points in zip(*(scores(duel, half) for half in pairs), strict=True):
        answer.duel[sum(points)] += 1
    for rival in held_out:
        for seat in (0, 1):
            setups = [setup(work.game, seat, seed, "held out", n) for n in range(games)]
            trials = (Trial(book, rival, work.large) for book in (work.first, work.best))
            shares = [wilson(sum(scores(trial, setups)) / 2, games) for trial in trials]
            answer.held_out.append(HeldOut(rival.name, seat, games, *shares))


def _described(before: Table, after: Table) -> str:
    """What changed, in a few words."""
    old, new = format_table(before).splitlines(), format_table(after).splitlines()
    pairs = [(one.strip(), other.strip()) for one, other in zip(old, new, strict=False) if one != other]
    return "; ".join(f"{one} -> {other}" for one, other in pairs)
