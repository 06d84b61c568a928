"""Which turns and reflections change nothing: derived from the rules alone, independent of the compiled engine."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from teamplay.game import Game, Position
from teamplay.language import features
from teamplay.language.features import Symmetry
from teamplay.language.rulebook import Rulebook


def of_game(game: Game) -> list[Symmetry]:
    """The symmetries of the board that keep the marks at the start and, where pieces fall, what lies below what."""
    return [symmetry for symmetry in game.grid.symmetries if _keeps_start(game, symmetry) and _falls(game, symmetry)]


def _keeps_start(game: Game, symmetry: Symmetry) -> bool:
    return all(game.beginning[symmetry[cell]] == mark for cell, mark in enumerate(game.beginning))


def _falls(game: Game, symmetry: Symmetry) -> bool:
    if game.placement != "drop":
        return True
    down = (0,) * (len(game.grid.shape) - 2) + (1, 0)
    below = {cell: game.grid.ray(cell, down, 1) for cell in game.grid.cells}
    return all(tuple(symmetry[under] for under in below[cell]) == below[symmetry[cell]] for cell in game.grid.cells)


def keeps(book: Rulebook) -> bool:
    """Whether a table answers a board and its symmetric images alike; False where that is not certain."""
    symmetries = of_game(book.game)
    return all(
        features.keeps(feature, book.game.grid, symmetry) for feature in book.asked_features for symmetry in symmetries
    )


@dataclass(frozen=True)
class Images:
    """The images of positions under a group of symmetries."""

    symmetries: tuple[Symmetry, ...]

    def of(self, position: Position) -> set[str]:
        """The marks of all images, the position's own among them."""
        if len(self.symmetries) == 1:
            return {position.marks}
        return {"".join(pick(position.marks)) for pick in self._picks}

    def least(self, position: Position) -> Position:
        """The image that stands for all: the first in the order of the alphabet."""
        return Position(min(self.of(position)), position.seat, position.scores)

    @cached_property
    def _picks(self) -> list[Callable[[str], tuple[str, ...]]]:
        """Picking marks the other way round is the opposite symmetry, which is in the group too."""
        return [itemgetter(*symmetry) for symmetry in self.symmetries]
