"""What all tests share: a screen of eighty columns without colours, whatever the terminal that they run in."""

import signal

import pytest
from hypothesis import settings

# A shell starts background jobs with Ctrl-C ignored, and children inherit that: tests that interrupt would never end.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes depends on what else the machine does; hypothesis would fail one over 200 ms.
settings.register_profile("teamplay", deadline=None)
settings.load_profile("teamplay")

collect_ignore = ["bench"]  # no tests, and it needs other libraries


@pytest.fixture(autouse=True)
def plain_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def tracebacks_on_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEAMPLAY_TRACEBACK", "1")
