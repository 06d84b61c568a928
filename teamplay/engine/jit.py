"""Kernels: modules of plain Python functions over numpy arrays, which numba compiles when a job is large.

A kernel module holds nothing but functions and constants and sets `KERNELS = True`. Called as it is, it runs at once,
without the compiler's second; `compiled(module)` is the same module with every function compiled. Small jobs take the
first, large ones the second, and comparing the two is a test.

Kernels take a few named tuples of arrays. Handing a tuple to a function that is not inlined copies it, so functions
that are called for every cell are small, and `INLINE` names those that are copied into their callers. `ENTRIES` names
the functions that Python calls; the others are called by kernels alone, and are compiled without the code that turns
Python's arguments into the machine's, a tenth of the compiler's work.
"""

import importlib.util
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, wraps
from hashlib import blake2b
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

IMPORTED = re.compile(r"^from teamplay\.engine\.([\w.]+) import", re.MULTILINE)


def kernels(module: ModuleType, large: bool, without: Iterable[str] = ()) -> Any:
    """The kernels for a job: plain for a small one, compiled for a large one, `without` what the job does not need.

    A name in capitals that a module sets to True is a switch; what is switched off needs not be compiled.
    """
    return compiled(module, without) if large else plain(module)


@cache
def plain(module: ModuleType) -> Any:
    """A kernel module as it is; where it sets `VIEWS = True`, its functions take arrays as memory views.

    A view gives plain Python numbers, which Python handles three times as fast as numpy's.
    """
    if not getattr(module, "VIEWS", False):
        return module
    functions = {key: value for key, value in vars(module).items() if isinstance(value, FunctionType)}
    return SimpleNamespace(**{key: _viewing(function) for key, function in functions.items()})


def _viewing(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def called(*arguments: Any) -> Any:
        return function(*map(_viewed, arguments))

    return called


def _viewed(argument: Any) -> Any:
    if isinstance(argument, tuple):
        values = map(_viewed, argument)
        return type(argument)._make(values) if hasattr(argument, "_make") else tuple(values)
    return argument.data if isinstance(argument, np.ndarray) else argument


def compiled(module: ModuleType, without: Iterable[str] = ()) -> ModuleType:
    """A copy of a kernel module in which every function is compiled on its first call, and kept on disk."""
    return _copy(module, tuple(sorted(_switches(module).intersection(without))))


def is_loaded(module: ModuleType, without: Iterable[str] = ()) -> bool:
    """Whether the compiled copy of a kernel module is at hand in this process."""
    return _name(module, tuple(sorted(_switches(module).intersection(without)))) in sys.modules


def _name(module: ModuleType, without: tuple[str, ...]) -> str:
    """What the compiled copy of a module is called."""
    return "__".join([module.__name__, "compiled", *without])


@cache
def _switches(module: ModuleType) -> frozenset[str]:
    """What can be switched off in a kernel module and in those that it calls."""
    own = {key for key, value in vars(module).items() if value is True and key not in ("KERNELS", "VIEWS")}
    return frozenset(own).union(*map(_switches, _homes(module).values()))


def _homes(module: ModuleType) -> dict[str, ModuleType]:
    """The functions that a kernel module has from others, and where they are from."""
    functions = {key: value for key, value in vars(module).items() if isinstance(value, FunctionType)}
    homes = {key: sys.modules[value.__module__] for key, value in functions.items()}
    return {key: home for key, home in homes.items() if home is not module and getattr(home, "KERNELS", False)}


@cache
def _copy(module: ModuleType, without: tuple[str, ...]) -> ModuleType:
    """The copy of a module with some switches off."""
    assert module.__file__ and module.__spec__
    name = _name(module, without)
    spec = importlib.util.spec_from_file_location(name, module.__file__)
    assert spec and spec.loader
    copy = importlib.util.module_from_spec(spec)
    sys.modules[name] = copy
    spec.loader.exec_module(copy)
    for key in without:
        setattr(copy, key, False)
    for key, home in _homes(module).items():
        setattr(copy, key, getattr(compiled(home, without), key))
    for key, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            setattr(copy, key, _compiled(getattr(copy, key), _options(module, key), without))
    return copy


def _options(module: ModuleType, key: str) -> dict[str, Any]:
    """How a function is compiled: those that take views make no arrays, so that none has to be counted."""
    return {
        "nogil": True,
        "error_model": "numpy",
        "no_cfunc_wrapper": True,
        "no_cpython_wrapper": key not in getattr(module, "ENTRIES", (key,)),
        "forceinline": key in getattr(module, "INLINE", ()),
        "_nrt": not getattr(module, "VIEWS", False),
    }


def _compiled(function: FunctionType, options: dict[str, Any], without: tuple[str, ...]) -> Any:
    import numba

    _announce()
    # numba looks whether the function's own file has changed, not whether those have that it calls.
    function.__qualname__ = "_".join([function.__name__, *without, _fingerprint(function.__code__.co_filename)])
    try:
        made: Any = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # there is no place to keep it: a read-only system without a home
        return numba.njit(**options)(function)
    made._cache.save_overload = _if_there_is_room(made._cache.save_overload)
    return made


def _if_there_is_room(save: Callable[..., None]) -> Callable[..., None]:
    """Keep what was compiled if that is possible: a full disk costs the time to compile it again, not the result."""

    def kept(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    return kept


@cache
def _announce() -> None:
    """Print once why it takes a while, and only where something has to be compiled and a person sees it."""
    event: Any = importlib.import_module("numba.core.event")

    class Announcer(event.Listener):  # type: ignore[misc]
        said = not sys.stderr.isatty()

        def on_start(self, _: object) -> None:
            if not self.said:
                print("\rCompiling the engine, which takes some ten seconds and is done only once ...", file=sys.stderr)
            self.said = True

        def on_end(self, _: object) -> None: ...

    event.register("numba:compile", Announcer())


@cache
def _fingerprint(path: str) -> str:
    """A name for the state of a kernel's file and of all in this room that it imports from."""
    room, files, fresh = Path(__file__).parent, set[Path](), {Path(path), Path(__file__)}
    while fresh:
        files |= fresh
        named = (name for file in fresh for name in IMPORTED.findall(file.read_text("utf-8")))
        fresh = {room / f"{name.replace('.', '/')}.py" for name in named} - files
    return blake2b(b"".join(file.read_bytes() for file in sorted(files)), digest_size=6).hexdigest()
