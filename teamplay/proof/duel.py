"""Who plays better? Pairs of games from random openings with seats swapped, until a sequential test is sure."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from teamplay.arena.chance import NotedLuck, identity
from teamplay.arena.playing import Chooser, after_all, chooser, opening, played_out, seed_of
from teamplay.game import Game, Position
from teamplay.luck import Luck
from teamplay.players import Player
from teamplay.statistics import BOUND, llr

MARGIN = 20.0  # normalized Elo: the smallest difference that is looked for
OFTEN = 8  # pairs between two looks at the test
MOST_REPEATS = 200  # pairs in a row that were all played before: then there is nothing new to learn
LONGEST_OPENING = 8  # plies

Better = Literal["first", "second", "equal", "undecided"]
Progress = Callable[["Duel"], None]


@dataclass
class Duel:
    """A match of two players, as far as it was played."""

    one: Player
    other: Player
    game: Game
    seed: int
    counts: list[int] = field(default_factory=lambda: [0] * 5)  # pairs by the first player's half points, 0 to 4
    results: list[int] = field(default_factory=lambda: [0] * 3)  # games lost, drawn, won by the first player
    repeated: int = 0  # pairs that were played before, without any chance in them, and don't count
    stopped: str = ""  # why it ended before the last game

    @property
    def pairs(self) -> int:
        """Pairs that count."""
        return sum(self.counts)

    @property
    def llrs(self) -> tuple[float, float]:
        """Log-likelihood ratios: of `one is better by the margin` and of `the other is`, against `they are equal`."""
        return llr(self.counts, 0, MARGIN), llr(self.counts[::-1], 0, MARGIN)

    @property
    def verdict(self) -> Better:
        """`first`, `second` is better; `equal`: neither by the margin; `undecided`."""
        first, second = self.llrs
        if max(first, second) >= BOUND:
            return "first" if first > second else "second"
        return "equal" if max(first, second) <= -BOUND else "undecided"

    def play(self, games: int, progress: Progress | None = None) -> None:
        """Play pairs until the test is sure, the games are used up, or nothing new is met."""
        known: set[int] = set()
        fresh = pair = 0
        choosers = chooser(self.one), chooser(self.other)
        try:
            while self.pairs < games // 2:
                fresh = 0 if self._pair(pair, choosers, known) else fresh + 1
                pair += 1
                if fresh >= MOST_REPEATS:
                    self.stopped = f"the last {MOST_REPEATS} pairs were all played before"
                    return
                if progress:
                    progress(self)
                if pair % OFTEN == 0 and self.verdict != "undecided":
                    return
        except KeyboardInterrupt:
            self.stopped = "Ctrl-C"

    def _pair(self, pair: int, choosers: tuple[Chooser, Chooser], known: set[int]) -> bool:
        """Play one opening twice with seats swapped; False if both games had to go as they went before."""
        start = self._opening(pair)
        scores, chance = [], False
        for seat in (0, 1):
            sitting, luck = choosers[::-1] if seat else choosers, NotedLuck(seed_of(self.seed, pair, seat + 1))
            _, winner, _ = played_out(self.game, start, sitting, luck)
            scores.append(1 if winner is None else 2 if winner == seat else 0)
            chance = chance or luck.used
        opened = identity(start, 0)
        if not chance and opened in known:
            self.repeated += 1
            return False
        known.add(opened)
        self.counts[sum(scores)] += 1
        for score in scores:
            self.results[score] += 1
        return True

    def _opening(self, pair: int) -> Position:
        """Some random moves after the start, the game not over."""
        longest = max(1, min(LONGEST_OPENING, self.game.grid.size // 3))
        return after_all(self.game, opening(self.game, Luck(seed_of(self.seed, pair, 0)), 1, longest))
