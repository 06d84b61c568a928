"""teamplay: one agent on each cell, a priority table, and a manager that knows no game.

`import teamplay as tp` is the library; docs/python.md shows it. The names below are loaded when they are first used, so
that the import itself costs nothing.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # as typing's, whose import would cost a third of the start-up
if TYPE_CHECKING:
    from teamplay.api.comparing import compare
    from teamplay.api.loading import load_player, table
    from teamplay.api.matches import match
    from teamplay.api.solving import solve
    from teamplay.api.thinking import think
    from teamplay.api.verifying import verify
    from teamplay.errors import TeamplayError
    from teamplay.game import Game, Move, Position
    from teamplay.game_file import load_game
    from teamplay.luck import Luck
    from teamplay.players import Player
    from teamplay.show.notebook import draw
    from teamplay.studio.widget import board

__all__ = [
    "Game",
    "Luck",
    "Move",
    "Player",
    "Position",
    "TeamplayError",
    "board",
    "compare",
    "draw",
    "load_game",
    "load_player",
    "match",
    "solve",
    "table",
    "think",
    "verify",
]

_HOMES = {
    "Game": "game",
    "Luck": "luck",
    "Move": "game",
    "Player": "players",
    "Position": "game",
    "TeamplayError": "errors",
    "board": "studio.widget",
    "compare": "api.comparing",
    "draw": "show.notebook",
    "load_game": "game_file",
    "load_player": "api.loading",
    "match": "api.matches",
    "solve": "api.solving",
    "table": "api.loading",
    "think": "api.thinking",
    "verify": "api.verifying",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and complains of names that are not there

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"teamplay has no `{name}`; it has {', '.join(__all__)}.")
        import importlib

        found = getattr(importlib.import_module(f"teamplay.{_HOMES[name]}"), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted([*globals(), *__all__])
