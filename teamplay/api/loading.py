"""How are games, players and tables named in Python? By the specs of the command line, by text, or as they are."""

from collections.abc import Sequence

from teamplay import players
from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.players import Player
from teamplay.team import Team
from teamplay.team.options import parse_tie_break


def table(text: str, game: Game | str | None = None, name: str = "table", tie: str = "random") -> Team:
    """The team that plays by the text of a table, for a game or for the one that the text names."""
    if not isinstance(text, str):
        raise BadSpec(f"{repr(text)[:80]} is not the text of a table.")
    return Team(read_rulebook(Source(name, text), as_game(game)), parse_tie_break(tie))


def load_player(spec: str, game: Game | str | None = None) -> Player:
    """The player that a spec names, for a game or for its own: `random`, `minimax(depth=4)`, a table, `module:Name`."""
    if not isinstance(spec, str):
        raise BadSpec(f"{repr(spec)[:80]} is not a spec, which is a text such as `random`.")
    return players.load_player(spec, as_game(game) or players.game_of(spec))


def as_game(game: Game | str | None) -> Game | None:
    """A game as it is, or by its spec."""
    return game if game is None or isinstance(game, Game) else load_game(game)


def game_for(game: Game | str | None, named: Sequence[Player | str]) -> Game:
    """The game that was given, else that of the first player that has one, else the paper's."""
    if given := as_game(game):
        return given
    for player in named:
        own = None if isinstance(player, str) else getattr(player, "game", None)
        if isinstance(own, Game):
            return own
    specs = [player for player in named if isinstance(player, str)]
    if not specs:
        raise BadSpec(f"{_name(named[0])} does not say which game it plays; name one with `game=`.")
    return players.game_of_all(specs)


def as_player(player: Player | str, game: Game) -> Player:
    """A player as it is, or by its spec; an error if it is for another game."""
    if isinstance(player, str):
        return players.load_player(player, game)
    if not hasattr(player, "choose"):
        raise BadSpec(f"{player!r} is not a player; name one by its spec, or give an object with `name` and `choose`.")
    own = getattr(player, "game", game)
    if own != game:
        raise BadSpec(f"{_name(player)} was made for {own}, not for {game}; load it for that game.")
    return player


def check_bound(name: str, value: float | None) -> None:
    """Refuse a bound that leaves no room for any work."""
    if value is not None and value <= 0:
        raise BadSpec(f"`{name}` is {value}; give a number above 0, or leave it out for no limit.")


def _name(player: object) -> str:
    return str(getattr(player, "name", type(player).__name__))
