"""How is a position named on a command line? The options that stand below a board that was printed, ready to paste."""

from rich.console import Console
from rich.text import Text

from teamplay.game import SEATS, Game, Position
from teamplay.show.terminal import put

LONGEST = 1000  # cells of a board whose drawing is printed


def board_options(game: Game, position: Position) -> str:
    """`--board "xo./.../..."`, with the seat where the number of pieces does not tell it.

    >>> from teamplay.game_file import load_game
    >>> game = load_game("tic-tac-toe")
    >>> board_options(game, game.position("o../.../..."))
    '--board "o../.../..."'
    """
    board = game.drawn(position)
    seat = "" if game.guessed_seat(board) == position.seat else f" --seat {SEATS[position.seat]}"
    return f'--board "{board}"{seat}'


def put_options(screen: Console, game: Game, position: Position) -> None:
    """The options that name a position, on one line however wide; none for a huge board."""
    if game.grid.size <= LONGEST:
        put(screen, [Text(board_options(game, position), "dim")])
