"""Every game that can happen against a player: all replies of the opponent, all ties of its own; nothing clever."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from teamplay.game import Game, Move, Position
from teamplay.players import OpenPlayer


@dataclass(frozen=True)
class Verdict:
    """What was met: positions with the player to move, outcomes, and the moves of a shortest game that it lost."""

    positions: int
    wins: int
    draws: int
    losses: int
    lost: tuple[Move, ...] | None

    @property
    def never_loses(self) -> bool:
        return self.lost is None


def exhausted(game: Game, player: OpenPlayer, seat: int, same: Callable[[str], str] = str) -> Verdict:
    """Breadth first from the start; `same` names the marks of positions that need to be looked at only once."""
    before: dict[Position, tuple[Position, Move] | None] = {game.start: None}
    met, queue = set(), deque([game.start])
    asked, counts = 0, {"win": 0, "draw": 0, "loss": 0}
    lost: tuple[Move, ...] | None = None
    while queue:
        position = queue.popleft()
        if outcome := game.outcome(position):
            kind = "draw" if outcome.winner is None else "win" if outcome.winner == seat else "loss"
            counts[kind] += 1
            if kind == "loss" and lost is None:
                lost = _moves(before, position)
            continue
        asked += position.seat == seat
        for move in player.moves(position) if position.seat == seat else game.moves(position):
            after = game.after(position, move)
            if (key := (same(after.marks), after.seat, after.scores)) not in met:
                met.add(key)
                before[after] = position, move
                queue.append(after)
    return Verdict(asked, counts["win"], counts["draw"], counts["loss"], lost)


def _moves(before: dict[Position, tuple[Position, Move] | None], position: Position) -> tuple[Move, ...]:
    found = []
    while step := before[position]:
        position, move = step
        found.append(move)
    return tuple(reversed(found))


def value(game: Game, position: Position, known: dict[Position, int]) -> int:
    """What perfect play brings the seat to move: 1, 0 or -1; for games in which the turn always passes."""
    if position not in known:
        if outcome := game.outcome(position):
            known[position] = 0 if outcome.winner is None else 1 if outcome.winner == position.seat else -1
        else:
            known[position] = max(-value(game, after, known) for _, after in game.successors(position))
    return known[position]
