"""What does every cell of a team think of a position?"""

from teamplay.api.loading import as_player
from teamplay.errors import BadSpec
from teamplay.game import Position
from teamplay.players import Player
from teamplay.show import picture
from teamplay.show.notebook import game_of_position
from teamplay.show.picture import Picture
from teamplay.team import Team


def think(team: Player | str, position: Position, seed: int = 0) -> Picture:
    """Ask every agent of a team that may play, and let the manager choose; the seed breaks ties and tosses coins."""
    player = as_player(team, game_of_position(position))
    if not isinstance(player, Team):
        raise BadSpec(f"`{player.name}` is a player without agents; think needs a team, which plays by a table.")
    return picture.think(player, position, seed)
