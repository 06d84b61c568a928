"""Do two players choose alike? Exactly, in every position of the game, where those can be enumerated."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

from teamplay.game import Game, Move, Position, TooManyPositions
from teamplay.players import OpenPlayer, Player
from teamplay.proof import symmetry
from teamplay.team import Team

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_POSITIONS = 3_000_000  # that are compared one by one, images left out
MOST_SLOWLY = 60_000  # by the reference rules
CHUNK = 1 << 14

Progress = Callable[[int], None]  # positions compared


@dataclass(frozen=True)
class ChoiceComparison:
    """In how many of all positions that go on two players have different sets of moves, and the first of them."""

    positions: int
    different: int
    first: Position | None  # of those with the fewest marks, the first in the order of the alphabet
    choices: tuple[list[Move], list[Move]] | None  # there


def compare(one: Player, other: Player, game: Game, progress: Progress | None = None) -> ChoiceComparison | None:
    """Both players' sets of moves in every position that can be met; None where there are too many to enumerate."""
    if not isinstance(one, OpenPlayer) or not isinstance(other, OpenPlayer):
        return None
    try:
        if _compiles(one) and _compiles(other):
            return _Fast(one, other).comparison(progress)
        return _slowly(one, other, game, progress)
    except TooManyPositions:
        return None


def _compiles(player: OpenPlayer) -> TypeGuard[Team]:
    """Whether the compiled engine knows this player's sets."""
    if not isinstance(player, Team) or player.manager.restless or player.tie_break == "first":
        return False
    from teamplay.engine.layers import fits

    return fits(player.game)


def _slowly(one: OpenPlayer, other: OpenPlayer, game: Game, progress: Progress | None) -> ChoiceComparison:
    """By the reference rules, for any players; first all positions, as they may be too many."""
    positions = different = 0
    first: Position | None = None
    for layer in list(game.layers(MOST_SLOWLY)):
        unlike: list[Position] = []
        for position in layer:
            positions += 1
            if set(one.moves(position)) != set(other.moves(position)):
                unlike.append(position)
            if progress:
                progress(positions)
        different += len(unlike)
        first = first or min(unlike, key=_order, default=None)
    return ChoiceComparison(positions, different, first, _choices(one, other, first))


def differing(one: OpenPlayer, other: OpenPlayer, game: Game) -> Iterator[Position]:
    """The positions in which two players have different sets of moves, those with the fewest marks first."""
    for layer in game.layers(MOST_SLOWLY):
        for position in sorted(layer, key=_order):
            if set(one.moves(position)) != set(other.moves(position)):
                yield position


def _order(position: Position) -> tuple[str, int, tuple[int, int]]:
    return position.marks, position.seat, position.scores


def _choices(one: OpenPlayer, other: OpenPlayer, first: Position | None) -> tuple[list[Move], list[Move]] | None:
    return None if first is None else (one.moves(first), other.moves(first))


class _Fast:
    """Two tables over arrays, up to symmetry where both have it; the positions are those of a team that is silent."""

    def __init__(self, one: Team, other: Team) -> None:
        from teamplay.engine.layers import Layers, symmetric

        self.teams, game = (one, other), one.game
        reduced = symmetric(one.book) and symmetric(other.book)
        self.all, self.one, self.other = (
            Layers(book, 0, reduced) for book in (replace(one.book, sections=()), one.book, other.book)
        )
        self.images = symmetry.Images(tuple(symmetry.of_game(game)) if reduced else (tuple(game.grid.cells),))

    def comparison(self, progress: Progress | None) -> ChoiceComparison:
        """First all positions, as they may be too many; then what the tables say in them."""
        known = 0
        while self.all.open:
            known += self.all.open
            if not self.all.grow(lambda before=known: before + self.all.made <= MOST_POSITIONS):  # type: ignore[misc]
                raise TooManyPositions(f"{self.teams[0].game} has too many positions to compare them all.")
        positions = different = 0
        first: Position | None = None
        for layer in self.all.layers[:-1]:
            weights, unlike = self.all.orbits(layer), self._unlike(layer)
            positions += int(weights.sum())
            different += int(weights[unlike].sum())
            if first is None:
                found = (self.images.least(self.all.position(key)) for key in layer[unlike].tolist())
                first = min(found, key=_order, default=None)
            if progress:
                progress(positions)
        return ChoiceComparison(positions, different, first, _choices(*self.teams, first))

    def _unlike(self, layer: "NDArray[np.int64]") -> "NDArray[np.bool_]":
        """Where the two tables choose differently: [keys]."""
        import numpy as np

        chunks = [layer[start : start + CHUNK] for start in range(0, len(layer), CHUNK)]
        return np.concatenate([(self.one.choices(keys) != self.other.choices(keys)).any(axis=1) for keys in chunks])
