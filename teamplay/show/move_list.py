"""How is a game written down? Its moves by name, and as the option that plays them again, ready to paste."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from teamplay.game import Game, Move
from teamplay.show.terminal import put, say
from teamplay.show.words import move_name


def put_moves(screen: Console, game: Game, moves: Sequence[Move]) -> None:
    """The moves of a game; the option stands on one line however wide."""
    say(screen, f"Moves: {', '.join(move_name(game, move) for move in moves)}.")
    put(screen, [Text(f'--moves "{" ".join(map(game.format_move, moves))}"', "dim")])
