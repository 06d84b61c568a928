"""Players: anything that chooses moves. A new one is a file here with a function `make`, or a table in `rules/`.

`make(name, game, depth=4)` makes the player that a spec names: what it is to be called, its game, and its options with
their usual values. A file may also say `GAME = "sos"`: the game it plays where none is named. A file whose name begins
with `_` is no player but what several of them share.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from pathlib import Path
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
    usual = {key: option.default for key, option in list(inspect.signature(make).parameters.items())[2:]}
    try:
        values = _values(usual, options)
    except BadSpec as error:
        raise BadSpec(f"`{spec}`: {error}") from None
    made: Player = make(full_name(name, usual, values), game, **values)
    return made


def full_name(name: str, usual: Mapping[str, object], values: Mapping[str, object]) -> str:
    """A player's name with those of its options that are not as usual.

    >>> full_name("minimax", {"depth": 4, "hurry": False}, {"hurry": True, "depth": 4})
    'minimax(hurry=true)'
    """
    given = [(key, values[key]) for key in usual if key in values and values[key] != usual[key]]
    shown = (f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in given)
    return f"{name}({','.join(shown)})" if given else name


def file_of(spec: str) -> Path | None:
    """The file of a player that is a table; None for the other players."""
    name, _ = parse_spec(spec)
    if name in names():
        return None
    if not name.endswith(".team") and name not in library.names(".team"):
        hint = library.hint(name, [*names(), *library.names(".team")])
        raise BadSpec(f"There is no player named `{spec[:80]}`; it is neither a player nor a table.{hint}")
    return library.find(name, ".team")


def game_of(spec: str) -> Game:
    """The game of a player that was named without one: its own, else the paper's."""
    from teamplay.language import load_rulebook

    name, _ = parse_spec(spec)
    return load_rulebook(name).game if file_of(spec) else load_game(getattr(_module(name), "GAME", "tic-tac-toe"))


def has_game(spec: str) -> bool:
    """Whether a player is for one game, which need not be named."""
    return file_of(spec) is not None or hasattr(_module(parse_spec(spec)[0]), "GAME")


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


def _maker(name: str, spec: str) -> Callable[..., Any]:
    if not file_of(spec):
        return _module(name).make  # type: ignore[no-any-return]

    def make(named: str, game: Game, tie: str = "random", wake: str = "all", areas: int = 0) -> Player:
        made = team(name, game, tie, wake, areas)
        made.name += named.removeprefix(name)  # it goes by its file, without the suffix
        return made

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


def _values(known: Mapping[str, object], options: Mapping[str, str]) -> dict[str, Any]:
    """Options from a spec, each turned into the type of its usual value."""
    values: dict[str, Any] = {}
    for key, text in options.items():
        if key not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise BadSpec(f"there is no option `{key}`; {has}.{did_you_mean(key, known)}")
        kind: Any = type(known[key])
        try:
            values[key] = {"true": True, "false": False}[text] if kind is bool else kind(text)
        except (KeyError, ValueError):
            wanted = {"bool": "true or false", "int": "a whole number", "float": "a number"}[kind.__name__]
            raise BadSpec(f"`{key}` is {wanted}, not `{text[:40]}`.") from None
    return values
