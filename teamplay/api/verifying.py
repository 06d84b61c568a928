"""Can a player lose? The verdict on each seat as a value, with the game that refutes it and the choice to blame."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from rich.console import Console

from teamplay.api.loading import as_player, check_bound, game_for
from teamplay.api.progress import Report, Reporter, rate
from teamplay.api.refutation import Replay
from teamplay.errors import BadSpec
from teamplay.game import SEATS, Game
from teamplay.players import OpenPlayer, Player
from teamplay.proof.blame import blame
from teamplay.proof.goals import PROVED, REFUTED, TIES, ClaimTies, ProofGoal
from teamplay.proof.oracle import oracle_for
from teamplay.proof.verify import INTERRUPTED, Bounds, Verdict, not_begun
from teamplay.proof.verify import verify as verdict_on
from teamplay.show.film import film
from teamplay.show.notebook import text_of
from teamplay.show.picture import move_json
from teamplay.show.terminal import say
from teamplay.show.words import counted
from teamplay.team import Team

MOST_FOR_BLAME = 2_000_000  # positions that it may cost to learn where a game was lost

Seat = Literal["first", "second", "both"]


@dataclass(frozen=True, repr=False)
class Verification:
    """What is known of a player, seat by seat."""

    player: Player
    game: Game
    goal: ProofGoal
    verdicts: tuple[Verdict, ...]

    @property
    def proved(self) -> bool:
        """Whether the goal is proved for every seat that was asked for."""
        return all(verdict.verdict == "proved" for verdict in self.verdicts)

    @cached_property
    def seats(self) -> dict[str, Verdict]:
        """The verdicts by the names of the seats."""
        return {SEATS[verdict.seat]: verdict for verdict in self.verdicts}

    @cached_property
    def replays(self) -> tuple[Replay | None, ...]:
        """For each verdict the game that refutes the goal, with the choice to blame."""
        return tuple(map(self._replay, self.verdicts))

    def _replay(self, verdict: Verdict) -> Replay | None:
        if verdict.game is None:
            return None
        found = blame(self.game, verdict.game, verdict.seat, verdict.goal, oracle_for(self.game, MOST_FOR_BLAME))
        return Replay(self.player, self.game, verdict.seat, verdict.goal, verdict.game, found)

    @property
    def tie(self) -> ClaimTies:
        """Whether the claim is about `all` ties or about the `first` answer among ties."""
        return "first" if isinstance(self.player, Team) and self.player.tie_break == "first" else "all"

    def __repr__(self) -> str:
        return "\n".join(map(self.sentence, self.verdicts))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        shown = {"text/plain": text_of(self.show)}
        refuted = next((replay for replay in self.replays if replay), None)
        return shown if refuted is None else {"image/svg+xml": _film(refuted), **shown}

    def to_dict(self) -> dict[str, Any]:
        """What `teamplay verify --json` prints; `certificate` and `scene` are files that the command wrote."""
        seats = {
            SEATS[verdict.seat]: self._verdict_dict(verdict, replay)
            for verdict, replay in zip(self.verdicts, self.replays, strict=True)
        }
        shown = {"player": self.player.name, "game": str(self.game), "goal": self.goal, "tie": self.tie}
        return {**shown, "seats": seats, "certificate": None, "scene": None}

    def _verdict_dict(self, verdict: Verdict, replay: Replay | None) -> dict[str, Any]:
        return {
            "seat": SEATS[verdict.seat],
            "goal": verdict.goal,
            "verdict": verdict.verdict,
            "positions": verdict.positions,
            "wins": verdict.wins,
            "draws": verdict.draws,
            "losses": verdict.losses,
            "game": None if verdict.game is None else [move_json(self.game, move) for move in verdict.game],
            "blame": replay.blame_json() if replay else None,
            "bound": verdict.bound or None,
            "plies": verdict.plies,
            "whole": verdict.whole,
            "method": verdict.method,
            "seconds": round(verdict.seconds, 3),
        }

    def show(self, screen: Console) -> None:
        """What `teamplay verify` prints."""
        for verdict, replay in zip(self.verdicts, self.replays, strict=True):
            if verdict is not self.verdicts[0]:
                say(screen)
            say(screen, self.sentence(verdict), "bold")
            if replay:
                say(screen)
                replay.show(screen)

    def sentence(self, verdict: Verdict) -> str:
        """The verdict on one seat."""
        claim = f"moving {SEATS[verdict.seat]} at {self.game}, {self.player.name}{TIES[self.tie]}"
        met = counted(verdict.positions, "position")
        ends = f"{verdict.wins:,} won, {verdict.draws:,} drawn and {verdict.losses:,} lost ends"
        games = "All its games" if verdict.whole else "The games seen so far"
        seen = f"{games} meet {met} with its turn to move, and {ends}"
        if verdict.verdict == "proved":
            return f"Proved: {claim} {PROVED[verdict.goal]}. {seen}."
        if verdict.verdict == "undecided":
            why = "stopped by Ctrl-C" if verdict.bound == INTERRUPTED else f"the bound was {verdict.bound}"
            undecided = f"Not decided whether, {claim} {PROVED[verdict.goal]}: {why}."
            if not verdict.plies:
                return f"{undecided} Nothing is known yet."
            known = f"Every game of up to {counted(verdict.plies, 'move')} was seen, and none of them breaks the claim"
            return f"{undecided} {known}. {seen}."
        length = counted(len(verdict.game or ()), "move")
        return f"Refuted: {claim} {REFUTED[verdict.goal]}; a shortest game to show it has {length}. {seen}."


def verify(
    player: Player | str,
    game: Game | str | None = None,
    seat: Seat = "both",
    goal: ProofGoal = "never-loses",
    max_positions: int | None = None,
    max_seconds: float | None = None,
    exhaust: bool = False,
    progress: Report | None = None,
) -> Verification:
    """Prove that a player reaches a goal, or find a shortest game in which it does not; bounds are per seat.

    At a bound, and at Ctrl-C, the verdict is `undecided`, with what was seen by then.
    """
    if seat not in (*SEATS, "both"):
        raise BadSpec(f"`{seat}` is not a seat; choose first, second or both.")
    check_bound("max_positions", max_positions)
    check_bound("max_seconds", max_seconds)
    rules = game_for(game, [player])
    given = {"positions": max_positions, "seconds": max_seconds}
    bounds = Bounds(**{key: value for key, value in given.items() if value is not None})  # type: ignore[arg-type]
    seats = [number for number, name in enumerate(SEATS) if seat in (name, "both")]
    return verification(as_player(player, rules), rules, seats, goal, bounds, exhaust, progress)


def verification(
    player: Player,
    game: Game,
    seats: Sequence[int],
    goal: ProofGoal,
    bounds: Bounds,
    exhaust: bool = False,
    progress: Report | None = None,
) -> Verification:
    """The verdict on each of some seats; after Ctrl-C the seats that are left are not begun."""
    verdicts: list[Verdict] = []
    for seat in seats:
        if verdicts and verdicts[-1].bound == INTERRUPTED and isinstance(player, OpenPlayer):
            verdicts.append(not_begun(player, game, seat, goal))
        else:
            verdicts.append(verdict_on(player, game, seat, goal, bounds, _SeatProgress(seat, progress), exhaust))
    return Verification(player, game, goal, tuple(verdicts))


class _SeatProgress:
    """Reports how far the verdict on one seat is."""

    def __init__(self, seat: int, progress: Report | None) -> None:
        self.seat, self.reporter = SEATS[seat], Reporter(progress, "positions")

    def __call__(self, plies: int, positions: int, seconds: float) -> None:
        if self.reporter.due():
            speed = rate(positions, seconds)
            self.reporter.say(positions, f"{self.seat} seat: {plies} plies, {positions:,} positions, {speed}")


def _film(replay: Replay) -> str:
    """The refuting game, the choice to blame marked."""
    remarks = {} if replay.blame.ply is None or not replay.blame.certain else {replay.blame.ply: "to blame"}
    return film(replay.game, replay.moves, replay.verdict(), remarks)
