"""What the SOS minimax players share: the board as arrays, and the paper's minimax as it is printed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import perm
from typing import Any

import numpy as np

from teamplay.engine.jit import kernels
from teamplay.errors import BadSpec
from teamplay.game import BLANK, Game, Move, Position
from teamplay.luck import Luck
from teamplay.players import _sos, _sos_search
from teamplay.players._choice import one_of
from teamplay.players._sos_search import ENDLESS, LETTER_O, LETTER_S, OFF, Board, Cells

DEPTH = 4  # the paper's: how many moves are looked at after its own
FEW_ORDERS = 120  # up to which plain kernels finish before the compiler has loaded
MOST_ORDERS = 4_000_000_000  # 9x9 with the paper's depth: some seconds a move
CODES = {BLANK: 0, "S": LETTER_S, "O": LETTER_O}


@lru_cache(maxsize=16)
def surroundings(game: Game) -> tuple[Cells, Cells]:
    """The next cell and the one after, in every direction; one past the last cell where the board ends."""
    rays = [[game.grid.ray(cell, way, 2) for way in game.grid.directions] for cell in game.grid.cells]
    padded = np.array([[(*ray, *[game.grid.size] * 2)[:2] for ray in ways] for ways in rays], dtype=np.int64)
    return padded[..., 0].copy(), padded[..., 1].copy()


def board_of(position: Position) -> Board:
    """The marks as numbers, with one more for all that is off the board."""
    return np.array([*(CODES[mark] for mark in position.marks), OFF], dtype=np.int8)


def search_for(position: Position, depth: int) -> Any:
    """The kernels: plain where there is little to look at, else compiled."""
    return kernels(_sos_search, _orders(position.marks, depth) > FEW_ORDERS)


def check(name: str, game: Game, depth: int) -> None:
    """Refuse a game without points, and a search that would take minutes a move."""
    _sos.check_game(name, game, scores=True)
    if depth < 0:
        raise BadSpec(f"`depth` is how many moves to look at after the own, 0 or more, not {depth}.")
    if _orders(game.beginning, depth) > MOST_ORDERS:
        raise BadSpec(f"`{name}` can't look {depth} moves beyond its own on {game}; take a smaller board or depth.")


def _orders(marks: str, depth: int) -> int:
    """In how many orders cells can be filled until the search ends."""
    blanks = marks.count(BLANK)
    return perm(blanks, min(blanks, depth + 1))


@dataclass(frozen=True)
class PrintedMinimax:
    """Counts the SOS on the board, whoever made them, less a penalty for each O; each side has one letter."""

    name: str
    game: Game
    depth: int
    penalty: int

    def moves(self, position: Position) -> list[Move]:
        """One letter for each cell, the better one or else O; of these all with the best value."""
        if self.game.outcome(position):
            return []
        best, found = -ENDLESS, list[Move]()
        worth = self._worth(position)
        for cell in (cell for cell, mark in enumerate(position.marks) if mark == BLANK):
            values = {letter: worth(cell, CODES[letter], best) for letter in _sos.LETTERS}
            letter = "S" if values["S"] > values["O"] else "O"
            if values[letter] > best:
                best, found = values[letter], []
            if values[letter] == best:
                found.append(Move(cell, letter))
        return found

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)

    def _worth(self, position: Position) -> Callable[[int, int, int], int]:
        """The value of a root move: exact where it is at least `best`, else anything below that."""
        board, (near, far) = board_of(position), surroundings(self.game)
        search = search_for(position, self.depth)

        def worth(cell: int, letter: int, best: int) -> int:
            total = search.gain(board, near, far, cell, letter) - (self.penalty if letter == LETTER_O else 0)
            board[cell] = letter
            window = best - 1, ENDLESS
            value = search.printed(board, near, far, self.depth, *window, 0, letter, self.penalty, total)
            board[cell] = 0
            return int(value)

        return worth
