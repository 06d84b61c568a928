"""What all tests share: a screen of eighty columns without colours, whatever the terminal that they run in."""

import gc
import signal
from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.odd import shared

# A shell starts background jobs with Ctrl-C ignored, and children inherit that: tests that interrupt would never end.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes depends on what else the machine does; hypothesis would fail one over 200 ms.
settings.register_profile("teamplay", deadline=None)
settings.load_profile("teamplay")

collect_ignore = ["bench"]  # no tests, and it needs other libraries


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests and what the compiler keeps stay till the end: the garbage collector seldom walks there."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()
    return result


@pytest.fixture(autouse=True)
def plain_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def tracebacks_on_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEAMPLAY_TRACEBACK", "1")


SWITCHING = ("alphabeta", "contest", "fixed_depth", "layers", "live", "playouts", "tree", "vector")


@pytest.fixture
def shared_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mixtures of mechanics that no shipped game has are run by one kernel, with every mechanic switched on.

    A kernel takes some ten seconds to compile, so that one for each mixture would take minutes. The slow tests of the
    same modules compile each for itself.
    """
    for name in SWITCHING:
        monkeypatch.setattr(f"teamplay.engine.{name}.switched_off", shared)
