"""How are the games of a tuning played? Against tables and `minimax` in compiled batches, else move by move.

Few games are played by plain kernels, for the compiler would take longer to load than they do.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from teamplay.arena.playing import Chooser, after_all, opening, played_out, seed_of
from teamplay.engine.contest import Contest, SearchingSeat
from teamplay.engine.live import LiveBoard
from teamplay.game import Game, Move
from teamplay.language.rulebook import Rulebook
from teamplay.luck import Luck
from teamplay.players import Player
from teamplay.players.minimax import CompiledMinimax, DeepeningMinimax
from teamplay.players.random import RandomPlayer
from teamplay.team import Team

LONGEST_OPENING = 6  # plies
FROM_EMPTY = 3  # every third game begins with the empty board


class Setup(NamedTuple):
    """Where a game begins, who sits where, and what its chance comes from."""

    opening: tuple[Move, ...]
    seat: int  # of the table
    seed: int


def setup(game: Game, seat: int, *number: int | str) -> Setup:
    """The setup of a game; the last part of its number says whether it begins with the empty board."""
    seed = seed_of(*number)
    if int(number[-1]) % FROM_EMPTY == 0:
        return Setup((), seat, seed)
    longest = min(LONGEST_OPENING, game.grid.size // 3)
    return Setup(tuple(opening(game, Luck(seed), min(1, longest), longest)), seat, seed)


class Trial:
    """A table and one opponent at a game; `large` says whether many games are played, so that compiling pays."""

    def __init__(self, book: Rulebook, rival: Player, large: bool) -> None:
        self.game, self.book, self.rival, self.large = book.game, book, rival, large
        self._team = Team(book)
        self._without_coins = not self._team.manager.restless
        self._batched = _batched(rival, book) if self._without_coins else None
        self._contests: dict[int, Contest] = {}

    def scores(self, setups: Sequence[Setup]) -> list[int]:
        """The table's half points, 0 to 2, in each of these games."""
        if self._batched is None:
            return [self._played(each) for each in setups]
        found = [0] * len(setups)
        for seat in (0, 1):
            places = [place for place, each in enumerate(setups) if each.seat == seat]
            if places:
                winners = self._contest(seat).winners([setups[i].opening for i in places], setups[places[0]].seed)
                for place, winner in zip(places, winners, strict=True):
                    found[place] = half_points(winner, seat)
        return found

    def _contest(self, seat: int) -> Contest:
        """The batch with the table in this seat."""
        assert self._batched
        if seat not in self._contests:
            first, second = (self.book, self._batched) if seat == 0 else (self._batched, self.book)
            self._contests[seat] = Contest(first, second, self.large)
        return self._contests[seat]

    def _played(self, each: Setup) -> int:
        """One game, move by move."""
        sitting = (self._choose, self.rival.choose) if each.seat == 0 else (self.rival.choose, self._choose)
        start = after_all(self.game, each.opening)
        return half_points(played_out(self.game, start, sitting, Luck(seed_of(each.seed, 1))).winner, each.seat)

    @cached_property
    def _choose(self) -> Chooser:
        """How the table chooses: by the engine where that can be, which makes the same choices as the team."""
        if not self._without_coins:
            return self._team.choose
        board = LiveBoard(self.book, self.large)
        return lambda position, luck: luck.choice(board.moves(position))


def half_points(winner: int | None, seat: int) -> int:
    """What a seat gets: 2 for a win, 1 for a draw."""
    return 1 if winner is None else 2 if winner == seat else 0


def _batched(rival: Player, book: Rulebook) -> Rulebook | SearchingSeat | None:
    """What sits in a compiled batch in place of an opponent, if something can; a random player's agents are silent."""
    if isinstance(rival, RandomPlayer):
        return replace(book, sections=())
    if isinstance(rival, DeepeningMinimax) and not rival.seconds:
        return SearchingSeat(nodes=rival.nodes)
    if isinstance(rival, CompiledMinimax):
        return SearchingSeat(depth=rival.depth)
    if isinstance(rival, Team) and rival.tie_break == "random" and not rival.manager.restless:
        return rival.book
    return None
