"""Players: anything that chooses moves. A new one is a file here with a function `make`, or a table in `rules/`.

A file may also say `GAME = "sos"`: the game it plays where none is named. A file whose name begins with `_` is no
player but what several of them share.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from teamplay import library
from teamplay.errors import BadSpec, did_you_mean
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game, parse_spec
from teamplay.luck import Luck

if TYPE_CHECKING:
    from teamplay.team import Team


class Player(Protocol):
    """Chooses a move in any position of its game that is not over."""

    name: str

    def choose(self, position: Position, luck: Luck) -> Move: ...


@runtime_checkable
class OpenPlayer(Player, Protocol):
    """A player that can also name every move it might make: a proof covers it, and no tie is hidden."""

    def moves(self, position: Position) -> list[Move]: ...


def names() -> list[str]:
    """The players that are not tables."""
    files = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.replace("_", "-") for name in files if not name.startswith("_"))


def load_player(spec: str, game: Game) -> Player:
    """The player that a spec names: `random`, `minimax(depth=4)`, or a table, shipped or your own."""
    name, options = parse_spec(spec)
    make = _maker(name, spec)
    try:
        values = _values(make, options)
    except BadSpec as error:
        raise BadSpec(f"`{spec}`: {error}") from None
    made: Player = make(game, **values)
    return made


def game_of(spec: str) -> Game:
    """The game of a player that was named without one: its own, else the paper's."""
    from teamplay.language import load_rulebook

    name, _ = parse_spec(spec)
    _maker(name, spec)  # refuses what is no player
    return load_game(getattr(_module(name), "GAME", "tic-tac-toe")) if name in names() else load_rulebook(name).game


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


def _maker(name: str, spec: str) -> Callable[..., Any]:
    if name in names():
        return _module(name).make  # type: ignore[no-any-return]
    if not name.endswith(".team") and name not in library.names(".team"):
        hint = library.hint(name, [*names(), *library.names(".team")])
        raise BadSpec(f"There is no player named `{spec[:80]}`; it is neither a player nor a table.{hint}")

    def make(game: Game, tie: str = "random", wake: str = "all", areas: int = 0) -> Player:
        return team(name, game, tie, wake, areas)

    return make


def team(name: str, game: Game | None, tie: str = "random", wake: str = "all", areas: int = 0) -> "Team":
    """The team that plays by a table: `wake=affected` asks only who saw a change, `areas=3` adds local managers."""
    from teamplay.language import load_rulebook
    from teamplay.team import Team

    if wake not in ("all", "affected"):
        raise BadSpec(f"A manager wakes `all` or only the `affected` agents, not `{wake}`.")
    book = load_rulebook(name, game)
    tree = None
    if areas:
        from teamplay.team.areas import blocks

        tree = blocks(book.game.grid, areas)
    return Team(book, tie, wake == "affected", tree)


def _values(make: Callable[..., Any], options: dict[str, str]) -> dict[str, Any]:
    """Options from a spec, each turned into the type that the player's `make` declares."""
    known = dict(list(inspect.signature(make).parameters.items())[1:])
    values: dict[str, Any] = {}
    for key, text in options.items():
        if key not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise BadSpec(f"there is no option `{key}`; {has}.{did_you_mean(key, known)}")
        kind = type(known[key].default)
        try:
            values[key] = {"true": True, "false": False}[text] if kind is bool else kind(text)
        except (KeyError, ValueError):
            wanted = {"bool": "true or false", "int": "a whole number", "float": "a number"}[kind.__name__]
            raise BadSpec(f"`{key}` is {wanted}, not `{text[:40]}`.") from None
    return values
