"""h2, the hard minimax of the 5x5 SOS project, as printed: like h1, but every O on the board counts against it."""

from teamplay.game import Game
from teamplay.players._sos_minimax import DEPTH, PrintedMinimax, check

GAME = "sos-corners"


def make(name: str, game: Game, depth: int = DEPTH) -> PrintedMinimax:
    """The player that a spec names: `h2`, `h2(depth=2)`."""
    check("h2", game, depth)
    return PrintedMinimax(name, game, depth, penalty=1)
