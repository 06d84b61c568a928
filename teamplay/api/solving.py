"""What is a position worth? The solver's answer as a value: to read, to draw, to send to a script."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from teamplay.api.loading import check_bound
from teamplay.api.progress import Report, Reporter, rate
from teamplay.engine.solver import INTERRUPTED, MEMORY, Solution, Solver, Worth
from teamplay.engine.solver.search import Limits
from teamplay.game import SEATS, Game, Move, Position
from teamplay.show.notebook import game_of_position, text_of
from teamplay.show.paste import put_options
from teamplay.show.picture import move_json
from teamplay.show.svg import board
from teamplay.show.terminal import game_board, plain, put, say
from teamplay.show.words import counted, ending, listed, move_name


@dataclass(frozen=True, repr=False)
class Solved:
    """A position with its value, its best moves, and how far the end is."""

    game: Game
    position: Position
    solution: Solution

    @property
    def value(self) -> int | None:
        """For the player to move: 1 a win, 0 a draw, -1 a loss, in games of points those to come; None if unknown."""
        return self.solution.value

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that are known to keep the value."""
        return self.solution.best

    @property
    def distance(self) -> int | None:
        """The plies to the end, where somebody wins and it is known."""
        return self.solution.distance

    @property
    def margin(self) -> int | None:
        """Where who has most marks wins: those of the player to move less the other's at the end; None if unknown."""
        return self.solution.margin

    @property
    def moves(self) -> Mapping[Move, Worth]:
        """What every legal move is worth."""
        return self.solution.moves

    @property
    def decided(self) -> bool:
        """Whether the value is known."""
        return self.solution.value is not None

    @property
    def complete(self) -> bool:
        """Whether the value is known, and `best` holds every move that keeps it."""
        return self.solution.complete

    def __repr__(self) -> str:
        best = f" Best: {listed([move_name(self.game, move) for move in self.best])}." if self.best else ""
        return f"{self.sentence()}{best}"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        svg = board(self.game, self.position, framed=[move.cell for move in self.best])
        return {"image/svg+xml": svg, "text/plain": text_of(self.show)}

    def to_dict(self) -> dict[str, Any]:
        """What `teamplay solve --json` prints."""
        game, solution = self.game, self.solution
        return {
            "game": str(game),
            "seat": SEATS[self.position.seat],
            "board": game.drawn(self.position),
            "value": solution.value,
            "best": [move_json(game, move) for move in solution.best],
            "distance": solution.distance,
            "margin": solution.margin,
            "bounds": [solution.worth.lower, solution.worth.upper],
            "moves": [
                {
                    "move": move_json(game, move),
                    "value": worth.value,
                    "distance": worth.distance,
                    "margin": worth.margin,
                }
                for move, worth in solution.moves.items()
            ],
            "decided": self.decided,
            "complete": self.complete,
            "bound": solution.stopped or None,
            "method": solution.method,
            "positions": solution.positions,
            "seconds": round(solution.seconds, 3),
        }

    def show(self, screen: Console) -> None:
        """What `teamplay solve` prints."""
        self.show_board(screen)
        self.show_answer(screen)

    def show_board(self, screen: Console) -> None:
        """The position, drawn from the side of the player to move."""
        game, seen = self.game, self.position
        if not game.shared:  # as `--board` takes it: x is to move
            seen = Position(game.mover_marks(seen), 0)
        over = game.outcome(self.position)
        mover = f"The {SEATS[self.position.seat]} player{'' if game.shared else ' (x)'} is to move."
        say(screen, f"{game}. {'' if over else mover}".strip(), "bold")
        say(screen)
        put(screen, game_board(game, seen, game.outcome(seen), screen.width, plain(screen)))
        put_options(screen, game, self.position)
        say(screen)

    def show_answer(self, screen: Console) -> None:
        """The value, the best moves, what the others are worth, and what it took."""
        solution = self.solution
        say(screen, self.sentence(), "bold")
        if self.game.outcome(self.position):
            return
        if solution.value is not None:
            self._list_moves(screen)
        cost = f"{counted(solution.positions, 'position')} searched in {solution.seconds:.2f} s"
        say(screen, f"({cost}, by the search of {solution.method}.)" if solution.method != "plain" else f"({cost}.)")

    def _list_moves(self, screen: Console) -> None:
        """All moves, those of the same worth together, the best first."""
        groups: dict[str, list[str]] = {}
        for move, worth in sorted(self.moves.items(), key=lambda one: _goodness(one[1]), reverse=True):
            groups.setdefault(_short(self.game, worth), []).append(move_name(self.game, move))
        for short, names in groups.items():
            say(screen, f"{short}: {listed(names, len(names))}.")

    def sentence(self) -> str:
        """The value of the position in words."""
        if over := self.game.outcome(self.position):
            return ending(self.game, self.position, over, {0: "the first player", 1: "the second player"})
        mover, other = (f"the {SEATS[seat]} player" for seat in (self.position.seat, 1 - self.position.seat))
        value, stopped = self.value, self.solution.stopped
        why = "stopped by Ctrl-C" if stopped == INTERRUPTED else f"the bound was {stopped}"
        if value is None:
            return f"Not decided: {why}. {self._known(mover, other)}"
        if self.game.goal.effect == "scores":
            ahead, behind = (mover, other) if value > 0 else (other, mover)
            points = f"{counted(abs(value), 'point')} more than {behind} from here on"
            said = f"{ahead} makes {points}" if value else "both players make as many points from here on"
        elif value == 0:
            said = "the game is a draw"
        else:
            plies, marks = self.distance, self.margin
            how = "" if plies is None else " in 1 ply" if plies == 1 else f" in {plies} plies"
            how = f" by {counted(abs(marks), 'mark')}" if marks else how
            said = f"{mover if value > 0 else other} wins{how}"
        said = f"With best play {said}."
        if self.complete:
            return said
        if not stopped:  # the search is still at work
            return f"{said} {listed([move_name(self.game, move) for move in self.best])} keeps this."
        return f"{said} Whether there are more best moves is not known: {why}."

    def _known(self, mover: str, other: str) -> str:
        """What is known of a value that is not decided."""
        lower, upper = self.solution.worth.lower, self.solution.worth.upper
        if self.game.goal.effect == "scores":
            points = f"The points that {mover} makes from here on, less those of {other}"
            return f"{points}, lie between {lower} and {upper}."
        if lower == 0:
            return f"But {mover} does not lose."
        if upper == 0:
            return f"But {mover} does not win."
        return "Nothing is known yet."


def solve(
    position: Position,
    max_positions: int | None = None,
    max_seconds: float | None = None,
    memory: int = MEMORY,
    progress: Report | None = None,
    early: Callable[[Solved], None] | None = None,
) -> Solved:
    """The value of a position by perfect play; at a bound (memory in megabytes) or Ctrl-C, what is known by then.

    `early` is called as soon as the value and one best move are known.
    """
    check_bound("max_positions", max_positions)
    check_bound("max_seconds", max_seconds)
    game, reporter = game_of_position(position), Reporter(progress, "positions")

    def watched(positions: int, seconds: float) -> None:
        if reporter.due():
            reporter.say(positions, f"{positions:,} positions, {rate(positions, seconds)}", max_positions)

    def found(solution: Solution) -> None:
        if early:
            early(Solved(game, position, solution))

    limits = Limits(max_seconds, max_positions)
    return Solved(game, position, Solver(game, memory=memory).solve(position, limits, watched, early=found))


def _goodness(worth: Worth) -> tuple[bool, int, int, int]:
    """Sorts by value, then by marks; among wins the soonest, among losses the latest is best. Undecided comes last."""
    if worth.value is None:
        return False, 0, 0, 0
    plies = worth.distance or 0
    return True, worth.value, worth.margin or 0, -plies if worth.value > 0 else plies


def _short(game: Game, worth: Worth) -> str:
    """What a move comes to, in a few words."""
    value = worth.value
    if value is None:
        return "Not decided"
    if game.goal.effect == "scores":
        return f"{value:+d}" if value else "0"
    how = f" in {worth.distance}" if worth.distance is not None else f" by {abs(worth.margin)}" if worth.margin else ""
    return f"{ {1: 'Wins', 0: 'Draws', -1: 'Loses'}[value] }{how}"
