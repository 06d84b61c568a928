"""The strategy of the second and third approach of the lecture on tic-tac-toe, whatever finds where a player can win.

Squares are numbered 1 to 9 as there. `possible_win(marks, mark)` is the lecture's PossWin: the square where this player
wins at once, or 0.
"""

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from teamplay.game import BLANK, Game, Move, Position
from teamplay.players._choice import check_square, parse_reading

Square = int  # 1 to 9; 0 is none
PossibleWin = Callable[[str, str], Square]

Make2 = Literal["any", "line", "first"]
Anywhere = Literal["any", "first"]

MAKE_2: tuple[Make2, ...] = get_args(Make2)
ANYWHERE: tuple[Anywhere, ...] = get_args(Anywhere)
CENTER: Square = 5
EDGES: tuple[Square, ...] = (2, 4, 6, 8)
OPENING = {1: (CENTER,), 2: (CENTER, 1), 3: (9, 3)}  # the first moves look at single squares only

# In the lecture's order: rows, columns, diagonals.
LINES: tuple[tuple[Square, ...], ...] = (
    *((row, row + 1, row + 2) for row in (1, 4, 7)),
    *((column, column + 3, column + 6) for column in (1, 2, 3)),
    (1, 5, 9),
    (3, 5, 7),
)


def moves(game: Game, position: Position, possible_win: PossibleWin, make_2: Make2, anywhere: Anywhere) -> list[Move]:
    """Every move that the algorithm might make; none where the game is over."""
    if game.outcome(position):
        return []
    chosen = squares(game, position, possible_win, make_2, anywhere)
    return [Move(square - 1, game.marks[position.seat]) for square in chosen]


def squares(
    game: Game, position: Position, possible_win: PossibleWin, make_2: Make2, anywhere: Anywhere
) -> list[Square]:
    """What the lecture's algorithm may play: its list of moves 1 to 9, for either seat."""
    marks, mine, theirs = position.marks, game.marks[position.seat], game.marks[1 - position.seat]
    blank = [square for square in range(1, 10) if marks[square - 1] == BLANK]
    move = 2 * marks.count(mine) + 1 + position.seat
    if planned := _first_blank(OPENING.get(move, ()), blank):
        return [planned]
    if move >= 5 and (square := possible_win(marks, mine)):
        return [square]
    if square := possible_win(marks, theirs):
        return [square]
    if move == 5 and (planned := _first_blank((7, 3), blank)):
        return [planned]
    if move in (4, 6) and (found := _make_2(marks, mine, blank, make_2)):
        return found
    return blank if anywhere == "any" else blank[:1]


def _first_blank(plan: Sequence[Square], blank: Sequence[Square]) -> Square:
    """Of planned squares the first that is free; 0 where others played before and these are taken."""
    return next((square for square in plan if square in blank), 0)


def _make_2(marks: str, mine: str, blank: Sequence[Square], reading: Make2) -> list[Square]:
    """The center, else squares that are no corners: any, the first, or those that make two in a line that is open."""
    if CENTER in blank:
        return [CENTER]
    edges = [square for square in EDGES if square in blank]
    if reading == "first":
        return edges[:1]
    if reading == "line":
        return [square for square in edges if any(_open_pair(marks, mine, square, line) for line in LINES)] or edges
    return edges


def _open_pair(marks: str, mine: str, square: Square, line: Sequence[Square]) -> bool:
    """Whether a mark here would be the second of mine in this line, and the third cell is blank."""
    others = sorted(marks[other - 1] for other in line if other != square)
    return square in line and others == sorted((BLANK, mine))


def readings(player: str, game: Game, make_2: str, anywhere: str) -> tuple[Make2, Anywhere]:
    """What the options of a player say; another game is refused."""
    check_square(game, player)
    return parse_reading("make2", make_2, MAKE_2), parse_reading("anywhere", anywhere, ANYWHERE)
