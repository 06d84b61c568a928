"""play against a table or another player"""

import argparse
from random import SystemRandom

from teamplay.cli import _arguments
from teamplay.cli._elsewhere import choices_told
from teamplay.cli._sitting import Sitting, thinking
from teamplay.cli.games import tables_for
from teamplay.game import SEATS, Game
from teamplay.players import load_player
from teamplay.players.perfect import PerfectPlayer
from teamplay.protocols.program import programs_ended
from teamplay.show.terminal import console, say


def arguments(parser: argparse.ArgumentParser) -> None:
    help = f"a table or player (default: {_arguments.A_TABLE}, or the first table for the game)"
    parser.add_argument("player", nargs="?", metavar="PLAYER", help=help)
    _arguments.add_game(parser)
    parser.add_argument("--seat", choices=["first", "second"], default="first", help="your own seat (default: first)")
    _arguments.add_live(parser, "PLAYER")
    parser.add_argument(
        "--seed", type=_arguments.seed, metavar="N", help="seed of all random choices (default: a new one)"
    )


@choices_told()
@programs_ended()
def run(args: argparse.Namespace) -> int:
    spec = _arguments.live_spec(args, args.player or _opponent(_arguments.the_game(args)))
    game = _arguments.the_game_of(args, spec)
    opponent = load_player(spec, game)
    if isinstance(opponent, PerfectPlayer):
        with thinking(opponent):
            opponent.moves(game.start)  # a game that is too large is refused before the person has moved
    seed = SystemRandom().randrange(10_000) if args.seed is None else args.seed
    screen = console()
    try:
        Sitting(screen, opponent, spec, game, SEATS.index(args.seat), seed).play()
    except (KeyboardInterrupt, EOFError):
        say(screen)
        say(screen, "Goodbye.")
    return 0


def _opponent(game: Game | None) -> str:
    """Whom to play when nobody is named: the first table that is written for the game."""
    if game is None:
        return _arguments.A_TABLE
    return next(iter(tables_for(game)), "random")
