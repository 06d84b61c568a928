"""Can this player ever lose? Every reply of the opponent and every tie of the player, or a bound that is named."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, Protocol

from teamplay.errors import BadSpec
from teamplay.game import Game, Move, Position
from teamplay.players import BatchPlayer, OpenPlayer, Player
from teamplay.proof.goals import GOALS, ProofGoal, bad_winners, forbids_slips
from teamplay.proof.oracle import Oracle, oracle_for, value_for
from teamplay.proof.walk import Walk
from teamplay.team import Team

Decision = Literal["proved", "refuted", "undecided"]
Method = Literal["reference", "arrays", "compiled", "compiled, up to symmetry"]

INTERRUPTED = "Ctrl-C"
SMALL_BOARD = 9  # cells; here all numbers are whole in a moment, so there is no reason to stop at the first bad end


class Explorer(Protocol):
    """Layers of positions, one mark more each; one position may stand for all its images."""

    positions: int
    outcomes: list[int]

    @property
    def symmetric(self) -> bool: ...

    @property
    def open(self) -> int: ...

    @property
    def memory(self) -> int: ...

    def grow(self, watch: Callable[[], bool]) -> bool: ...

    def waiting(self) -> Iterator[Position]: ...

    def met(self) -> Iterator[Position]: ...

    def game_to(self, bad: set[int | None]) -> list[Move]: ...

    def game_toward(self, position: Position) -> list[Move]: ...


def half_of_memory() -> int:
    """Half of the machine's memory, in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):  # not a Unix
        return 2 << 30


@dataclass(frozen=True)
class Bounds:
    """How much may be spent; what is not decided by then is reported as undecided."""

    positions: float = float("inf")
    seconds: float = float("inf")
    memory: int = field(default_factory=half_of_memory)  # bytes


@dataclass(frozen=True)
class Verdict:
    """What is known of one seat: `proved`, `refuted` (with a shortest game) or `undecided` (with the bound)."""

    seat: int
    goal: ProofGoal
    verdict: Decision
    positions: int  # met with the player to move
    wins: int  # finished positions met
    draws: int
    losses: int
    game: tuple[Move, ...] | None  # a shortest game that breaks the goal
    bound: str  # which bound was reached before everything was seen, if any
    plies: int  # every game up to this length was seen
    whole: bool  # was everything seen, so that the numbers are those of all games?
    method: Method
    seconds: float
    explorer: Explorer = field(repr=False, compare=False)


Progress = Callable[[int, int, float], None]  # plies done, positions met, seconds


@dataclass
class _Watch:
    """Says when to stop, and why."""

    explorer: Explorer
    bounds: Bounds
    progress: Progress | None
    started: float = field(default_factory=time.perf_counter)
    plies: int = 0
    reached: str = ""

    def __call__(self) -> bool:
        spent = time.perf_counter() - self.started
        if self.progress:
            self.progress(self.plies, self.explorer.positions, spent)
        if self.explorer.positions > self.bounds.positions:
            self.reached = f"{self.bounds.positions:,} position{'s' * (self.bounds.positions != 1)}"
        elif spent > self.bounds.seconds:
            self.reached = f"{self.bounds.seconds:g} second{'s' * (self.bounds.seconds != 1)}"
        elif self.explorer.memory > self.bounds.memory:
            self.reached = f"{self.bounds.memory >> 20:,} MB of memory"
        return not self.reached


@dataclass
class _Search:
    """The search for a game that breaks the goal, shortest games first."""

    player: OpenPlayer
    game: Game
    seat: int
    explorer: Explorer
    watch: _Watch
    bad: set[int | None]  # winners that break the goal
    oracle: Oracle | None  # for the goal that looks at every choice
    found: list[Move] | None = None

    def run(self, exhaust: bool) -> None:
        """Layer after layer, to the end, to a bound, or to the first game that breaks the goal."""
        try:
            while self.explorer.open and (exhaust or self.found is None) and not self.watch.reached:
                self._slips()
                if not self.watch.reached and self.explorer.grow(self.watch):
                    self.watch.plies += 1
                self._bad_ends()
        except KeyboardInterrupt:
            self.watch.reached = INTERRUPTED
            self._bad_ends()

    def _bad_ends(self) -> None:
        if self.found is None and any(self.explorer.outcomes[2 if who is None else who] for who in self.bad):
            self.found = self.explorer.game_to(self.bad)

    def _slips(self) -> None:
        """Look for a choice that lets a theoretical win go."""
        if self.oracle is None or self.found is not None:
            return
        for position in self.explorer.waiting():
            if not self.watch():
                return
            slip = self._slip(self.oracle, position)
            if slip:
                self.found = [*self.explorer.game_toward(position), slip]
                # Up to symmetry the game may lead to an image of the position, where another choice is the slip.
                self.found[-1] = self._last(self.oracle, self.found[:-1])
                return

    def _last(self, oracle: Oracle, moves: list[Move]) -> Move:
        position = self.game.start
        for move in moves:
            position = self.game.after(position, move)
        slip = self._slip(oracle, position)
        assert slip, "an image of a position has the image of its slip"
        return slip

    def _slip(self, oracle: Oracle, position: Position) -> Move | None:
        if oracle.value(position) < 1:
            return None
        after = ((move, self.game.after(position, move)) for move in self.player.moves(position))
        return next((move for move, left in after if value_for(oracle, left, self.seat) < 1), None)


def verify(
    player: Player,
    game: Game,
    seat: int,
    goal: ProofGoal = "never-loses",
    bounds: Bounds | None = None,
    progress: Progress | None = None,
    exhaust: bool = False,
    oracle: Oracle | None = None,
) -> Verdict:
    """Explore all that may happen; with `exhaust` go on after the first bad end, so that all numbers are whole."""
    if not isinstance(player, OpenPlayer):
        raise BadSpec(f"{player.name} can't name the set of moves it might make, so nothing can be proved of it.")
    if game.outcome(game.start):
        raise BadSpec(f"{game} is over before it begins, so there is nothing to prove.")
    if goal not in GOALS:
        raise BadSpec(f"`{goal}` is not a goal; choose {', '.join(GOALS)}.")
    try:
        explorer, method = explorer_for(player, game, seat)
    except KeyboardInterrupt:  # getting ready may take long, too
        return not_begun(player, game, seat, goal)
    watch = _Watch(explorer, bounds or Bounds(), progress)
    search = _Search(player, game, seat, explorer, watch, bad_winners(goal, seat), None)
    if forbids_slips(goal):
        search.oracle = oracle or oracle_for(game)
    search.run(exhaust or game.grid.size <= SMALL_BOARD)
    verdict: Decision = "refuted" if search.found is not None else "undecided" if explorer.open else "proved"
    return Verdict(
        seat=seat,
        goal=goal,
        verdict=verdict,
        positions=explorer.positions,
        wins=explorer.outcomes[seat],
        draws=explorer.outcomes[2],
        losses=explorer.outcomes[1 - seat],
        game=tuple(search.found) if search.found is not None else None,
        bound=watch.reached if explorer.open else "",
        plies=watch.plies,
        whole=not explorer.open,
        method=method,
        seconds=time.perf_counter() - watch.started,
        explorer=explorer,
    )


def not_begun(player: OpenPlayer, game: Game, seat: int, goal: ProofGoal) -> Verdict:
    """The verdict on a seat that was not examined because of Ctrl-C."""
    nothing = Walk(player, game, seat)
    return Verdict(seat, goal, "undecided", 0, 0, 0, 0, None, INTERRUPTED, 0, False, "reference", 0.0, nothing)


def explorer_for(player: OpenPlayer, game: Game, seat: int) -> tuple[Explorer, Method]:
    """The fast explorer for a team where it can serve, else the one that serves any player."""
    first = isinstance(player, Team) and player.tie_break == "first"
    if isinstance(player, Team) and not (first and (game.shared or player.manager.restless)):
        from teamplay.engine.layers import Layers, serves, symmetric

        if serves(player.book):
            reduced = not first and symmetric(player.book)
            return Layers(player.book, seat, reduced, first), "compiled, up to symmetry" if reduced else "compiled"
    from teamplay.engine.layers import PlayerLayers, fits, knows

    if fits(game) and knows(game):
        by_marks = not game.shared and game.goal.effect != "scores"
        batch = player if isinstance(player, BatchPlayer) and by_marks else None
        return PlayerLayers(player, game, seat, batch), "arrays"
    return Walk(player, game, seat), "reference"
