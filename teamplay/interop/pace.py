"""How long may a served player think? Its own option says, and so does the program that asks it."""

from dataclasses import dataclass, field
from typing import Any

from teamplay.game import BLANK, Position
from teamplay.luck import Luck
from teamplay.players import Player

MARGIN = 0.1  # seconds of what is allowed that the way of an answer may take
LEAST = 0.01  # seconds, where there is no time left, or a player is told to hurry
MOVES_AHEAD = 30  # moves that the time for a whole game must still be enough for


@dataclass
class Pace:
    """Holds a player that searches by time (`seconds=…`) to what is allowed; others take what they take."""

    player: Player
    own: float = field(init=False)  # seconds by its own option; 0 if it does not search by time

    def __post_init__(self) -> None:
        self.own = float(getattr(self.player, "seconds", 0.0))

    def allow(self, seconds: float) -> None:
        """Think so long for the next move at the most."""
        timed: Any = self.player
        if self.own:
            timed.seconds = max(LEAST, min(self.own, seconds - MARGIN))

    def warm_up(self, position: Position) -> None:
        """Load the compiler, or start a program, before any clock runs."""
        if self.own:
            self.allow(0.0)
            self.player.choose(position, Luck(0))
            self.allow(float("inf"))


def share(seconds: float, position: Position) -> float:
    """The part of the time for the rest of a game that one move may take."""
    return seconds / max(1, min(MOVES_AHEAD, position.marks.count(BLANK) // 2))


@dataclass
class GtpClock:
    """Canadian overtime, as GTP has it: a main time, then so many moves in each period."""

    main: float
    period: float
    stones: int
    left: dict[int, tuple[float, int]] = field(default_factory=dict)  # by seat: seconds, and moves of a period or 0

    def allowed(self, position: Position) -> float:
        """Seconds for the next move of the seat to move."""
        if self.period > 0 and self.stones == 0:
            return float("inf")  # so the protocol says that there is no limit
        seconds, stones = self.left.get(position.seat, (self.main, 0))
        if stones:
            return seconds / stones
        return max(share(seconds, position), self.period / self.stones if self.stones else 0.0)

    def spend(self, seat: int, seconds: float) -> None:
        """A move took so long; a controller that says what is left knows better."""
        left, stones = self.left.get(seat, (self.main, 0))
        left, stones = left - seconds, stones - 1 if stones else 0
        overtime = left <= 0 or (seat in self.left and self.left[seat][1] == 1)
        self.left[seat] = (self.period, self.stones) if overtime and self.stones else (max(0.0, left), stones)
