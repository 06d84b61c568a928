"""Which turns and reflections change nothing: worked out from the rules alone, for those who trust no fast path."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from teamplay.game import Game, Position
from teamplay.grid import ROLES, Cell
from teamplay.language.rulebook import Rulebook
from teamplay.language.tree import (
    Arithmetic,
    CellTest,
    Comparison,
    Counted,
    Expression,
    Logic,
    Negative,
    Not,
    Number,
    Ordered,
    Tally,
)

Symmetry = tuple[Cell, ...]  # where every cell goes


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
    """Whether a table can't tell a board from its images under the game's symmetries; False where that is not sure.

    Roles, sight and patterns look the same from every side. What does not: coordinates, steps in a direction, a cell
    that some symmetry moves, and an ordered pattern that mixes palindromes, read one way only, with others as long.
    """
    symmetries = of_game(book.game)
    return all(_keeps(node, symmetries) for node in _nodes(book))


def _keeps(node: Expression, symmetries: list[Symmetry]) -> bool:
    match node:
        case Number() | Tally() | Negative() | Arithmetic() | Comparison() | Logic() | Not():
            return True
        case Counted(_, shape):
            return not isinstance(shape, Ordered) or shape.mirrors
        case CellTest(place=int(cell)):
            return all(symmetry[cell] == cell for symmetry in symmetries)
    return False


def _nodes(book: Rulebook) -> Iterator[Expression]:
    """Every expression, small or large, in the rules that can come to be asked."""
    rules = [rule for role in ROLES for rule in book.asked(role)]
    open_ = [rule.priority for rule in rules] + [rule.condition for rule in rules if rule.condition]
    while open_:
        node = open_.pop()
        yield node
        match node:
            case Negative(inner) | Not(inner):
                open_.append(inner)
            case Arithmetic(_, left, right) | Comparison(_, left, right) | Logic(_, left, right):
                open_ += [left, right]


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
