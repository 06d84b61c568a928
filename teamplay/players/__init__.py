"""Players: anything that chooses moves. A new one is a file here with a function `make`, or a table in `rules/`.

`make(name, game, depth=4)` makes the player that a spec names: what it is to be called, its game, and its options with
their usual values. A file may also say `GAME = "sos"`: the game it plays where none is named. A file whose name begins
with `_` is no player but what several of them share. A file that says `TEXT = "command"` takes what stands behind a
colon of its spec as that option: `gtp:./engine -level 3`. Players of your own lie elsewhere: see `_elsewhere.py`.
"""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from teamplay import library
from teamplay.errors import BadSpec, TeamplayError, did_you_mean
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game, parse_spec
from teamplay.luck import Luck
from teamplay.players import _elsewhere

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from teamplay.live.team import LiveTeam
    from teamplay.team import Team

    Flags = NDArray[np.bool_]  # [positions, cells]


WITH_TEXT = re.compile(r"\s*([a-z][a-z0-9-]*)\s*(\([^()]*\))?:(.{0,4000})", re.DOTALL)


class Player(Protocol):
    """Chooses a move in any position of its game that is not over."""

    name: str

    def choose(self, position: Position, luck: Luck) -> Move: ...


@runtime_checkable
class OpenPlayer(Player, Protocol):
    """A player that can also name every move it might make: a proof covers it, and no tie is hidden."""

    def moves(self, position: Position) -> list[Move]: ...


@runtime_checkable
class BatchPlayer(OpenPlayer, Protocol):
    """A player that names its moves in many positions at once, which makes a proof hundreds of times as fast.

    Only for games in which each player has a mark of its own and no points count.
    """

    def chosen(
        self, mine: "NDArray[np.bool_]", theirs: "NDArray[np.bool_]", legal: "NDArray[np.bool_]"
    ) -> "NDArray[np.bool_]":
        """The cells it might play, by who has a mark where and which cells may be used."""
        ...


def names() -> list[str]:
    """The players that are not tables."""
    files = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.replace("_", "-") for name in files if not name.startswith("_"))


def parse_player(spec: str) -> tuple[str, dict[str, str]]:
    """A player's name and its options; text behind a colon is one of them where the player takes it so.

    >>> parse_player("gtp(seconds=2):./engine -level 3")
    ('gtp', {'seconds': '2', 'command': './engine -level 3'})
    """
    if (match := WITH_TEXT.fullmatch(spec)) and (takes := takes_text(match[1])):
        name, options = parse_spec(f"{match[1]}{match[2] or ''}")
        return name, {**options, takes: match[3].strip()}
    return parse_spec(spec)


def load_player(spec: str, game: Game) -> Player:
    """The player that a spec names: `random`, `minimax(depth=4)`, a table, shipped or your own, or `module:Name`."""
    name, options = parse_player(spec)
    make = _maker(name, spec)
    usual = _options(make)
    try:
        values = _values(usual, options)
    except BadSpec as error:
        raise BadSpec(f"`{spec}`: {error}") from None
    text = values.get(takes_text(name) or "")
    named = full_name(name, usual, values) if text is None else spec.strip()
    made: Player = make(named, game, **values)
    return made


def takes_text(name: str) -> str | None:
    """The option that text behind a colon gives, if a player has one."""
    return getattr(_module(name), "TEXT", None) if name in names() else None


def options_of(spec: str) -> dict[str, object]:
    """The options of a player with their default values."""
    return _options(_maker(parse_player(spec)[0], spec))


def _options(make: Callable[..., Any]) -> dict[str, object]:
    """What a maker takes behind the name and the game."""
    return {key: option.default for key, option in list(inspect.signature(make).parameters.items())[2:]}


def installed() -> list[str]:
    """The players that other packages bring."""
    return _elsewhere.installed()


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
    name, _ = parse_player(spec)
    if name in names() or _elsewhere.is_code(name):
        return None
    if not name.endswith(".team") and name not in library.names(".team"):
        if name in (others := _elsewhere.installed()):
            return None
        hint = library.hint(name, [*names(), *others, *library.names(".team")])
        some = "Players are random, minimax, mcts and others (`teamplay players` lists them), and tables."
        raise BadSpec(f"There is no player named `{spec[:80]}`.{hint} {some}")
    return library.find(name, ".team")


def refuse_code(spec: str, where: str) -> None:
    """Refuse a spec that would run Python code or a program, where it comes from a file or from somebody else."""
    name, _ = parse_player(spec)
    if _elsewhere.is_code(name) or takes_text(name):
        kind = "Python code" if _elsewhere.is_code(name) else "a program"
        raise BadSpec(f"`{spec[:80]}` would run {kind}, which {where} must not; name a table or a player.")


def game_of(spec: str) -> Game:
    """The game of a player that was named without one: its own, else the paper's."""
    from teamplay.language import load_rulebook

    name, _ = parse_player(spec)
    return load_rulebook(name).game if file_of(spec) else load_game(getattr(_home(name), "GAME", "tic-tac-toe"))


def game_of_all(specs: Sequence[str]) -> Game:
    """The game of the first table, else of the first player that has one, else the paper's."""
    tables = (spec for spec in specs if file_of(spec))
    settled = (spec for spec in specs if has_game(spec))
    return game_of(next(tables, None) or next(settled, specs[0]))


def has_game(spec: str) -> bool:
    """Whether a player is for one game, which need not be named."""
    return file_of(spec) is not None or hasattr(_home(parse_player(spec)[0]), "GAME")


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


def _home(name: str) -> Any:
    """What may say `GAME = ...`: the file of a player, or your own class or function."""
    return _module(name) if name in names() else _elsewhere.thing(name)


def _maker(name: str, spec: str) -> Callable[..., Any]:
    if not file_of(spec):
        return _module(name).make if name in names() else _elsewhere.maker(name)

    def make(
        named: str, game: Game, tie: str = "random", wake: str = "all", areas: int = 0, hosts: int = 0, live: str = ""
    ) -> Player:
        made: Team | LiveTeam
        if hosts or live:
            if areas or wake != "all":
                raise BadSpec(f"`{spec}`: hosts are areas, asked when they saw a change; leave out areas and wake.")
            made = _elsewhere_team(name, game, tie, hosts, live)
        else:
            made = team(name, game, tie, wake, areas)
        made.name = made.book.name + named.removeprefix(name)  # it goes by its file, without the suffix
        return made

    return make


def team(name: str, game: Game | None, tie: str = "random", wake: str = "all", areas: int = 0) -> "Team":
    """The team that plays by a table: `wake=affected` asks only who saw a change, `areas=3` adds local managers."""
    from teamplay.language import load_rulebook
    from teamplay.team import Team
    from teamplay.team.options import parse_tie_break, parse_wake

    book = load_rulebook(name, game)
    tree = None
    if areas:
        from teamplay.team.areas import blocks

        tree = blocks(book.game.grid, areas)
    return Team(book, parse_tie_break(tie), parse_wake(wake) == "affected", tree)


def _elsewhere_team(name: str, game: Game, tie: str, hosts: int, live: str) -> "LiveTeam":
    """The team whose agents are elsewhere: `hosts=3` starts processes here, `live=nats://...` asks who has joined."""
    from teamplay.language import load_rulebook
    from teamplay.team.options import parse_tie_break

    try:
        from teamplay.live.opening import live_team
    except ImportError as error:
        raise TeamplayError(f"Agents elsewhere need {error.name}: `pip install 'teamplay[live]'`.") from None
    return live_team(load_rulebook(name, game), name, parse_tie_break(tie), hosts, live)


def _values(known: Mapping[str, object], options: Mapping[str, str]) -> dict[str, Any]:
    """Options from a spec, each turned into the type of its usual value."""
    values: dict[str, Any] = {}
    for key, text in options.items():
        if key not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise BadSpec(f"there is no option `{key}`; {has}.{did_you_mean(key, known)}")
        kind: Any = type(known[key]) if isinstance(known[key], bool | int | float) else str
        try:
            values[key] = {"true": True, "false": False}[text] if kind is bool else kind(text)
        except (KeyError, ValueError):
            wanted = {"bool": "true or false", "int": "a whole number", "float": "a number"}[kind.__name__]
            raise BadSpec(f"`{key}` is {wanted}, not `{text[:40]}`.") from None
    return values
