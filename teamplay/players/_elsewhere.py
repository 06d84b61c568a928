"""Players of your own: `package.module:Name` in a spec, or an entry point of the group `teamplay.players`.

Only a person names such a player. Specs that come from files, a certificate's or a scene's, never run code.
"""

import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from teamplay.errors import BadSpec, TeamplayError, did_you_mean
from teamplay.game import Game

GROUP = "teamplay.players"
CODE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
GIVEN = ("name", "game")  # what a maker is handed, if it takes them; the rest are options


def is_code(name: str) -> bool:
    """Whether a name is `package.module:Name`.

    >>> is_code("my.players:Greedy"), is_code("tic-tac-toe/figure-15")
    (True, False)
    """
    return CODE.fullmatch(name) is not None


def installed() -> list[str]:
    """The players that other packages bring, by the names of their entry points."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def thing(name: str) -> Any:
    """What a name stands for: a class, a factory, or a function of the view."""
    if not is_code(name):
        (point, *_) = entry_points(group=GROUP, name=name)
        with _sentence(name, f"the package that brings `{name}`"):
            return point.load()
    module, _, path = name.partition(":")
    with _sentence(name, f"`{module}`"), _folder_of_today():
        found: Any = importlib.import_module(module)
    for part in path.split("."):
        if not hasattr(found, part):
            known = [other for other in vars(found) if not other.startswith("_")]
            raise BadSpec(f"There is no `{part}` in {module}, so `{name}` is no player.{did_you_mean(part, known)}")
        found = getattr(found, part)
    if not callable(found):
        raise BadSpec(f"`{name}` is {_article(found)}; a player is made by a class or by a function of name and game.")
    return found


def maker(name: str) -> Callable[..., Any]:
    """How a player is made: `make(name, game, **options)`, where the options all have default values."""
    make = thing(name)
    parameters = list(inspect.signature(make).parameters.values())
    options = [each for each in parameters if each.name not in GIVEN]
    for option in options:
        if option.default is inspect.Parameter.empty:
            raise BadSpec(
                f"`{name}` needs `{option.name}`, which has no default value; a player is made from `name`, `game` "
                f"and options with default values."
            )
    takes = [each.name for each in parameters if each.name in GIVEN]

    def made(named: str, game: Game, **values: Any) -> Any:
        given = {"name": named, "game": game}
        try:
            player = make(**{key: given[key] for key in takes}, **values)
        except TeamplayError:
            raise
        except Exception as error:
            raise BadSpec(f"`{name}` could not be made: {type(error).__name__}: {error}.") from error
        return checked(name, player)

    made.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(key, inspect.Parameter.POSITIONAL_ONLY) for key in ("named", "game")]
        + [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in options]
    )
    return made


def checked(name: str, player: Any) -> Any:
    """A player that can play, or a sentence that says what it lacks."""
    if not callable(getattr(player, "choose", None)):
        raise BadSpec(f"`{name}` made {_article(player)} without `choose(position, luck)`, so it can't play.")
    if not isinstance(getattr(player, "name", None), str):
        raise BadSpec(f"`{name}` made {_article(player)} without a `name`, which every player has, a text.")
    return player


@contextmanager
def _sentence(name: str, module: str) -> Iterator[None]:
    """Whatever goes wrong with somebody else's import, as one sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise BadSpec(f"There is no player `{name}`: no module named `{error.name}` can be found.") from error
    except Exception as error:
        raise BadSpec(f"{module} can't be imported: {type(error).__name__}: {error}.") from error


@contextmanager
def _folder_of_today() -> Iterator[None]:
    """Look for modules in the current folder too, wherever the command itself is installed."""
    here = str(Path.cwd())
    if here in sys.path or "" in sys.path:
        yield
        return
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)


def _article(thing: object) -> str:
    kind = type(thing).__name__
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"
