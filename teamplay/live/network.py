"""How do processes reach the broker? One way to connect, with credentials and TLS, and errors in one sentence."""

import asyncio
import ssl
import tomllib
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teamplay.errors import BadFile, BadSpec, TeamplayError
from teamplay.live.wire import LARGEST

PATIENCE = 3.0  # seconds for a broker to answer
RETRY = 0.1  # seconds between two attempts to reconnect


@dataclass(frozen=True)
class Broker:
    """Where the broker is, and who we are to it."""

    url: str
    user: str = ""
    password: str = ""
    ca: str = ""  # a file with the certificate that the broker's was signed by


def broker(url: str, credentials: str | None = None) -> Broker:
    """A broker by its address, `nats://HOST:PORT` or `tls://HOST:PORT`, and a file of credentials if it needs them."""
    if not url.startswith(("nats://", "tls://")):
        raise BadSpec(f"`{url[:80]}` is not the address of a broker; write nats://HOST:PORT or tls://HOST:PORT.")
    if credentials is None:
        return Broker(url)
    path = Path(credentials).expanduser()
    try:
        known = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadFile(f"{path} can't be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} is not a file of credentials: {error}.") from None
    wrong = sorted(set(known) - {"user", "password", "ca"})
    if wrong or not all(isinstance(value, str) for value in known.values()) or not {"user", "password"} <= set(known):
        raise BadFile(f"{path} is no file of credentials: it has `user`, `password` and possibly `ca`, all texts.")
    ca = str(path.parent / known["ca"]) if known.get("ca") else ""
    return Broker(url, known["user"], known["password"], ca)


Callback = Callable[[], Awaitable[None]]


async def connect(to: Broker, name: str, reconnected: Callback, patience: float = PATIENCE) -> Any:
    """A connection that comes back by itself whenever the broker does."""
    try:
        import nats
    except ImportError:
        raise TeamplayError("Agents in other processes need nats-py: `pip install 'teamplay[live]'`.") from None

    failures: list[Exception] = []

    async def failed(error: Exception) -> None:
        failures.append(error)
        del failures[:-3]

    options: dict[str, Any] = {"user": to.user, "password": to.password} if to.user else {}
    if to.url.startswith("tls://") or to.ca:
        options["tls"] = _tls(to)
    attempt = nats.connect(
        to.url,
        name=name,
        connect_timeout=2,
        reconnect_time_wait=RETRY,
        max_reconnect_attempts=-1,
        max_outstanding_pings=3,
        ping_interval=5,
        pending_size=4 * LARGEST,
        reconnected_cb=reconnected,
        error_cb=failed,
        **options,
    )
    try:
        return await _within(patience, attempt)
    except (TimeoutError, OSError, nats.errors.Error) as error:
        reason = failures[-1] if failures else error
        text = str(reason).strip(" .'") or type(reason).__name__
        raise TeamplayError(f"No broker answers at {to.url[:80]}: {text}.") from None


async def disconnect(connection: Any) -> None:
    """Leave the broker; if it is gone, there is nothing to leave."""
    import nats

    with suppress(OSError, nats.errors.Error):
        await connection.close()


async def _within(seconds: float, work: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine returns in time. One that lets a cancellation pass unnoticed is cancelled again.

    Before Python 3.12 a cancellation is lost where `asyncio.wait_for` inside the library ends at the same moment, and
    the library would go on trying for ever.
    """
    task = asyncio.create_task(work)
    await asyncio.wait({task}, timeout=seconds)
    late = not task.done()
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=0.1)
    if late:
        raise TimeoutError
    return task.result()


def _tls(to: Broker) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=to.ca or None)
    except OSError as error:
        raise BadFile(f"{to.ca} is not a certificate: {error.strerror or error}.") from None
