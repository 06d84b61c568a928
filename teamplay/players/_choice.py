"""What players that name their set of moves share: one of the set, and words for a game that is not theirs."""

from collections.abc import Sequence
from typing import TypeVar

from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import Game, Move
from teamplay.luck import Luck

Reading = TypeVar("Reading", bound=str)


def one_of(moves: Sequence[Move], luck: Luck) -> Move:
    """Any of the moves that a player might make."""
    if not moves:
        raise IllegalMove("The game is over; there is nothing to choose.")
    return luck.choice(moves)


def parse_reading(option: str, chosen: str, readings: Sequence[Reading]) -> Reading:
    """The reading that an option names, or an error that lists those that are known."""
    for reading in readings:
        if reading == chosen:
            return reading
    raise BadSpec(f"`{option}` is {' or '.join(readings)}, not `{chosen[:40]}`.")


def lines_win(game: Game) -> bool:
    """Whether players with marks of their own win by a line, on cells that anybody may fill."""
    return game.goal.kind == "line" and game.goal.effect == "wins" and not game.shared and game.placement != "flank"


def check_square(game: Game, player: str) -> None:
    """Refuse any game but tic-tac-toe, under whatever name."""
    blank = game.placement == "anywhere" and not game.beginning.strip(".")
    if not (lines_win(game) and blank and game.grid.shape == (3, 3) and game.k == 3):
        raise BadSpec(f"`{player}` plays tic-tac-toe only, not {game}; `perfect` or `minimax` play any game.")
