"""A recorded game with its variations: what every file format is read into and written from."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from teamplay.errors import BadFile, IllegalMove
from teamplay.game import Game, Move, Position

Properties = tuple[tuple[str, tuple[str, ...]], ...]  # names and values, as SGF has them


@dataclass(eq=False)
class TurnNode:
    """A move (None at the root, for a pass, or where a file only comments), and what may follow it, main line first."""

    move: Move | None = None
    properties: Properties = ()  # all that a file says beyond the move
    children: "list[TurnNode]" = field(default_factory=list)

    def values(self, name: str) -> tuple[str, ...]:
        """The values of a property."""
        return next((values for known, values in self.properties if known == name), ())

    def text(self, name: str) -> str:
        """The first value of a property, or nothing."""
        return next(iter(self.values(name)), "")


@dataclass(eq=False)
class GameTree:
    """One recorded game: its rules, the position that it starts from, and the tree of its moves."""

    game: Game
    start: Position
    root: TurnNode

    def main_line(self) -> Iterator[TurnNode]:
        """The nodes of the game as it was played, the root left out."""
        node = self.root
        while node.children:
            node = node.children[0]
            yield node

    @property
    def moves(self) -> list[Move]:
        """The moves as they were played."""
        return [node.move for node in self.main_line() if node.move]

    def variations(self) -> int:
        """How many branches leave the main line, or other branches."""
        count, waiting = 0, [self.root]
        while waiting:
            node = waiting.pop()
            count += max(0, len(node.children) - 1)
            waiting += node.children
        return count

    def position(self, plies: int) -> Position:
        """The position after some moves of the main line."""
        moves = self.moves
        if not 0 <= plies <= len(moves):
            raise BadFile(f"The game has {len(moves)} moves; there is no position after {plies}.")
        position = self.start
        for move in moves[:plies]:
            position = self.game.after(position, move)
        return position


def check_moves(tree: GameTree, name: str) -> None:
    """Refuse a file with an illegal move in any of its lines."""
    waiting = [(tree.root, tree.start, 0)]
    while waiting:
        node, position, plies = waiting.pop()
        if node.move:
            try:
                position = tree.game.after(position, node.move)
            except IllegalMove as error:
                move = tree.game.format_move(node.move)
                raise BadFile(f"{name}: move {plies + 1}, {move}, is illegal. {error}") from None
            plies += 1
        waiting += [(child, position, plies) for child in node.children]
