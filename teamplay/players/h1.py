"""h1, the easy minimax of the 5x5 SOS project, as printed: it wants many SOS on the board, whoever makes them."""

from teamplay.game import Game
from teamplay.players._sos_minimax import DEPTH, PrintedMinimax, check

GAME = "sos-corners"


def make(name: str, game: Game, depth: int = DEPTH) -> PrintedMinimax:
    """The player that a spec names: `h1`, `h1(depth=2)`."""
    check("h1", game, depth)
    return PrintedMinimax(name, game, depth, penalty=0)
