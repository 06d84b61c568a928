"""A player of ours, a table for one, as a bot of OpenSpiel."""

from typing import Any

from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.luck import Luck
from teamplay.players import Player
from teamplay.protocols.openspiel import OTHELLO_PASS, action_of, library, position_of


def as_bot(player: Player, game: Game, seed: int = 0) -> Any:
    """A bot that chooses as the player does, for `pyspiel.evaluate_bots` and the like."""
    pyspiel, luck = library(), Luck(seed)

    class TeamBot(pyspiel.Bot):  # type: ignore[name-defined,misc]
        """Follows OpenSpiel's state by the moves in it, and asks the player."""

        def __init__(self) -> None:
            pyspiel.Bot.__init__(self)

        def step(self, state: Any) -> int:
            position = position_of(game, state)
            if state.is_terminal():
                raise BadSpec("The game is over; a bot can't move.")
            legal = state.legal_actions()
            if game.placement == "flank" and legal == [OTHELLO_PASS]:
                return OTHELLO_PASS
            return action_of(game, player.choose(position, luck))

        def restart(self) -> None:
            """A player keeps nothing from game to game."""

        def inform_action(self, state: Any, player_id: int, action: int) -> None:
            """What others do is in the state that the bot is shown."""

    return TeamBot()
