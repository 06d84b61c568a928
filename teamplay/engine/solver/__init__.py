"""What a position is worth: its value, the best moves, how far the end is, and what is known where a bound was met."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from teamplay.engine.solver.plain import PlainSearch
from teamplay.engine.solver.rules import method_of
from teamplay.engine.solver.score import (
    carried_back,
    carried_on,
    counts_marks,
    distance_of,
    ended,
    first_question,
    hurries,
    is_stolen,
    most_after,
    value_of,
    widest,
)
from teamplay.engine.solver.search import ROW_BYTES, Clock, Limits, Search, Stopped
from teamplay.game import Game, Move, Position

INTERRUPTED = "Ctrl-C"
MEMORY = 1024  # megabytes that the largest search may take
CURIOSITY = 2_000_000  # positions that it may cost to learn how far the end is
CURIOSITY_FOR_MARKS = 20_000_000  # and by how many marks somebody wins, where positions are cheap
FIRST_LOOK = 1 << 10  # positions for each move, when one that keeps the value is looked for
WIDER = 8  # how much further every next look goes

Watch = Callable[[int, float], None]  # told positions and seconds from time to time


@dataclass(frozen=True)
class Worth:
    """What a position or a move is worth to the seat to move: a value between two bounds, and how the game ends."""

    lower: int
    upper: int
    distance: int | None = None  # plies to the end where somebody wins: the winner hurries, the loser delays
    margin: int | None = None  # my marks less theirs at the end, where who has most marks wins

    @property
    def value(self) -> int | None:
        """1 a win, 0 a draw, -1 a loss; in games of points those still to come, mine less theirs; None if unknown."""
        return self.lower if self.lower == self.upper else None


@dataclass(frozen=True)
class Solution:
    """The answer to a position."""

    worth: Worth
    moves: Mapping[Move, Worth]  # every legal move
    method: str
    positions: int
    seconds: float
    stopped: str = ""  # the bound that was reached before all was known, or nothing

    @property
    def value(self) -> int | None:
        return self.worth.value

    @property
    def distance(self) -> int | None:
        return self.worth.distance

    @property
    def margin(self) -> int | None:
        return self.worth.margin

    @cached_property
    def best(self) -> tuple[Move, ...]:
        """The moves that are known to keep the value."""
        value = self.value
        return () if value is None else tuple(move for move, worth in self.moves.items() if worth.lower >= value)

    @property
    def complete(self) -> bool:
        """Whether the value is known, and `best` holds every move that keeps it."""
        value = self.value
        return value is not None and all(each.upper < value or each.lower >= value for each in self.moves.values())


@dataclass
class _Case:
    """A position under examination: the bounds of its score so far."""

    position: Position
    lower: int
    upper: int
    guess: int = 0
    distance: int | None = None


class Solver:
    """Solves positions of one game, and remembers what it learnt from one to the next."""

    def __init__(self, game: Game, symmetry: bool = True, large: bool | None = None, memory: int = MEMORY) -> None:
        """`large` forces or forbids the compiler, which is used otherwise where it pays; `memory` is in megabytes."""
        self.game = game
        rows = 1 << max(12, (memory * 1_000_000 // ROW_BYTES).bit_length() - 1)
        method = method_of(game, symmetry)
        if method and method.signed and large is False:
            method = None
        self.method = method.name if method else "plain"
        self._search: Search | PlainSearch = PlainSearch(game)
        self._exact: Search | PlainSearch = self._search  # its scores tell how far the end is
        if method:
            self._search = self._exact = Search(game, method, method.rules, large, rows)
            if method.exact is not None and method.exact is not method.rules:
                self._exact = Search(game, method, method.exact, large, rows)

    def value(self, position: Position, limits: Limits | None = None) -> int | None:
        """The value of a position for the seat to move; None if a bound was reached."""
        case = self._case(position)
        try:
            self._decide(case, Clock(limits or Limits()))
        except Stopped:
            return None
        return value_of(self.game, case.lower)

    def solve(
        self,
        position: Position,
        limits: Limits | None = None,
        watch: Watch | None = None,
        distances: bool = True,
        early: Callable[[Solution], None] | None = None,
    ) -> Solution:
        """The value of a position and of every move; at a bound, and at Ctrl-C, what is known up to there.

        `early` is called as soon as the value and one move that keeps it are known.
        """
        clock = Clock(limits or Limits(), watch)
        root = self._case(position)
        if isinstance(self._search, PlainSearch) and root.lower < root.upper:
            self._search.admit(position)  # before all moves are listed, which takes long on a huge board
        after = {move: self._case(following) for move, following in self.game.successors(position)}

        def known(stopped: str = "") -> Solution:
            worth = self._worth(root.lower, root.upper, root.distance)
            moves = {move: self._carried_back(position, case) for move, case in after.items()}
            return Solution(worth, moves, self.method, clock.positions, clock.seconds, stopped)

        stopped = ""
        try:
            self._decide(root, clock)
            for case in after.values():
                self._carry_on(position, root, case)
            if after:
                self._find_best(position, root, list(after.values()), clock)
                if early:
                    early(known())
            for case in after.values():
                self._decide(case, clock)
            if distances:
                self._measure([root, *after.values()], clock)
        except Stopped as reason:
            stopped = str(reason)
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        return known(stopped)

    def _case(self, position: Position) -> _Case:
        """What is known of a position before anything is searched."""
        over = ended(self.game, position)
        if over is not None:
            return _Case(position, over, over)
        lower = 0 if is_stolen(self.game, position) else -widest(self.game)
        return _Case(position, lower, widest(self.game), first_question(self.game, position))

    def _carried_back(self, position: Position, after: _Case) -> Worth:
        """What a move is worth by what is known of the position after it."""
        ends = (carried_back(self.game, position, after.position, end) for end in (after.lower, after.upper))
        lower, upper = sorted(ends)
        return self._worth(lower, upper, None if after.distance is None else after.distance + 1)

    def _worth(self, lower: int, upper: int, distance: int | None) -> Worth:
        """What two bounds of a score say."""
        margin = lower if lower == upper and counts_marks(self.game) else None
        return Worth(value_of(self.game, lower), value_of(self.game, upper), distance, margin)

    def _carry_on(self, position: Position, root: _Case, after: _Case) -> None:
        """What follows for the position after a move from the score of the position before, which is decided.

        No move is worth more than the position. So after a lost position nothing has to be searched to know that every
        move loses, and after a drawn one only which moves do.
        """
        after.guess = carried_on(self.game, position, after.position, root.lower)
        if after.lower == after.upper:
            return
        most = most_after(self.game, position, after.position, root.upper)
        if after.position.seat == position.seat:
            after.upper = min(after.upper, most)
        else:
            after.lower = max(after.lower, -most)

    def _decide(self, case: _Case, clock: Clock) -> None:
        """Search until the value is known."""
        while value_of(self.game, case.lower) != value_of(self.game, case.upper):
            _narrow(self._search, case, clock)

    def _find_best(self, position: Position, root: _Case, cases: list[_Case], clock: Clock) -> None:
        """Search until one move is known to keep the value of the position, which is decided.

        The search that decided it went through such a move, whose proof is still in the transposition table, most
        likely. So all moves are looked at for a short while first, then for longer: the others may be far harder.
        """
        value, most = value_of(self.game, root.lower), FIRST_LOOK
        while all(self._carried_back(position, case).lower < value for case in cases):
            for case in cases:
                clock.check()
                with _budget(clock, most) as part:
                    self._decide(case, part)
                if self._carried_back(position, case).lower >= value:
                    return
            most *= WIDER

    def _measure(self, cases: list[_Case], clock: Clock) -> None:
        """Search until it is known how far the end is or how many marks decide, as long as that is cheap.

        Marks may also cost as much again as it took to know who wins.
        """
        if counts_marks(self.game):
            with _budget(clock, max(CURIOSITY_FOR_MARKS, clock.positions)) as part:
                for case in cases:
                    while case.lower < case.upper:
                        _narrow(self._search, case, part)
        elif hurries(self.game):
            with _budget(clock, CURIOSITY) as part:
                for case in cases:
                    if not case.lower <= 0 <= case.upper:
                        case.distance = self._distance(case, part)

    def _distance(self, case: _Case, clock: Clock) -> int | None:
        """The plies to the end of a position whose value is a win or a loss."""
        if self._exact is not self._search and case.lower < case.upper:
            case = _Case(case.position, *((1, case.upper) if case.lower > 0 else (case.lower, -1)))
        while case.lower < case.upper:
            _narrow(self._exact, case, clock)
        return distance_of(self.game, case.lower)


@contextmanager
def _budget(clock: Clock, most: int) -> Iterator[Clock]:
    """A clock for a part of the work, which may end early: where it stops, nothing is raised."""
    part = clock.part(most)
    try:
        yield part
    except Stopped:
        pass
    finally:
        clock.positions += part.positions


def _narrow(search: Search | PlainSearch, case: _Case, clock: Clock) -> None:
    """Ask one question about the score of a position, a search with a null window: is it at least N?

    The answer moves one bound. The question is about the score that the last answer suggests, 0 to begin with, so the
    bounds soon meet.
    """
    guess = max(case.lower + 1, min(case.guess, case.upper))
    score = search.score(case.position, guess - 1, guess, clock)
    if score < guess:
        case.upper = score
    else:
        case.lower = score
    case.guess = score


def solve(game: Game, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Solution:
    """The value of a position, of every move, and how far the end is."""
    return Solver(game).solve(position, limits, watch)
