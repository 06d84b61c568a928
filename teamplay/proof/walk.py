"""Every position that a player can meet, layer by layer, by the reference rules: slow, for any player with a set."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from teamplay.game import Game, Move, Position
from teamplay.players import OpenPlayer

CHUNK = 16  # positions between two looks at the clock


@dataclass
class Walk:
    """An exploration of all that may happen when a player takes one seat; `engine/layers.py` does the same faster."""

    player: OpenPlayer
    game: Game
    seat: int
    symmetric: bool = False  # never up to symmetry
    layer: list[Position] = field(default_factory=list)
    positions: int = 0  # met with the player to move
    outcomes: list[int] = field(default_factory=lambda: [0, 0, 0])  # finished: seat 0 wins, seat 1 wins, draws
    ends: list[Position] = field(default_factory=list)  # the finished positions of the last layer
    parents: dict[Position, tuple[Position, Move]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.layer = [self.game.start]

    @property
    def open(self) -> int:
        """How many positions of the last layer go on."""
        return len(self.layer)

    @property
    def memory(self) -> int:
        """A rough count of the bytes held."""
        return len(self.parents) * (400 + self.game.grid.size)

    def grow(self, watch: Callable[[], bool]) -> bool:
        """Add one layer; False where `watch`, asked after every chunk, says to stop."""
        following: list[Position] = []
        self.ends = []
        for done, position in enumerate(self.layer, 1):
            for move, after in self._replies(position):
                if after in self.parents:
                    continue
                self.parents[after] = position, move
                if outcome := self.game.outcome(after):
                    self.ends.append(after)
                    self.outcomes[2 if outcome.winner is None else outcome.winner] += 1
                else:
                    following.append(after)
            if done % CHUNK == 0 and not watch():
                return False
        self.layer = following
        return watch()

    def _replies(self, position: Position) -> Iterator[tuple[Move, Position]]:
        if position.seat != self.seat:
            yield from self.game.successors(position)
            return
        self.positions += 1
        for move in self.player.moves(position):
            yield move, self.game.after(position, move)

    def waiting(self) -> Iterator[Position]:
        """The positions of the last layer in which the player is to move."""
        return (position for position in self.layer if position.seat == self.seat)

    def met(self) -> Iterator[Position]:
        """All positions in which the player was to move."""
        for position in (self.game.start, *self.parents):
            if position.seat == self.seat and not self.game.outcome(position):
                yield position

    def game_to(self, bad: set[int | None]) -> list[Move]:
        """The moves to a finished position of the last layer with a bad winner."""
        outcomes = ((end, self.game.outcome(end)) for end in self.ends)
        return self.game_toward(next(end for end, outcome in outcomes if outcome and outcome.winner in bad))

    def game_toward(self, position: Position) -> list[Move]:
        """The moves to a position that was met."""
        moves = []
        while position in self.parents:
            position, move = self.parents[position]
            moves.append(move)
        return moves[::-1]
