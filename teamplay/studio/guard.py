"""Who may ask the studio? Only the page that it served itself, with the token that only this run's address holds.

A web page of anybody may send requests to 127.0.0.1, and a hostile name may resolve to it (DNS rebinding). So every
request must name this very address as its host, must not come from another site, and below `/api` must bear the token.
The token travels in the fragment of the address, which no browser sends, and then in a header, which no foreign page
can set without a preflight, and preflights are refused.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

TOKEN_HEADER = "x-teamplay-token"
LARGEST_BODY = 4 << 20  # bytes
SLOWEST_BODY = 10  # seconds
FRIENDLY_SITES = ("same-origin", "none")
ONCE = ("host", "origin", "sec-fetch-site", "content-type", TOKEN_HEADER)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True)
class Refused:
    """The status and the reason of a refusal."""

    status: int
    reason: str


@dataclass(frozen=True)
class Guard:
    """The one door: an ASGI application around the studio's own."""

    app: App
    host: str  # with its port, exactly as a browser names it
    token: str = field(repr=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] != "http":  # a WebSocket: the studio has none
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        elif refused := self.refusal(scope):
            await _refuse(refused, send)
        else:
            await self._bounded(scope, receive, send)

    def refusal(self, scope: Scope) -> Refused | None:
        """Why a request is not answered, or None."""
        named = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        headers = dict(named)
        if len(headers) < len(named) and any(sum(name == each for name, _ in named) > 1 for each in ONCE):
            return Refused(400, "A header is there twice.")
        if headers.get("host") != self.host:
            return Refused(421, f"This is {self.host}; the request names another host.")
        if headers.get("origin", f"http://{self.host}") != f"http://{self.host}":
            return Refused(403, "The request comes from another origin.")
        if headers.get("sec-fetch-site", "none") not in FRIENDLY_SITES:
            return Refused(403, "The request comes from another site.")
        if not scope["path"].startswith("/api"):
            return None if scope["method"] in ("GET", "HEAD") else Refused(405, "The page is only read.")
        if not secrets.compare_digest(headers.get(TOKEN_HEADER, "").encode("latin-1"), self.token.encode()):
            return Refused(403, "The token of this run is missing; open the address that `teamplay studio` printed.")
        if scope["method"] != "POST":
            return Refused(405, "Questions are posted.")
        if headers.get("content-type", "").split(";")[0].strip() != "application/json":
            return Refused(415, "Questions are JSON.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return Refused(413, f"A question has at most {LARGEST_BODY:,} bytes.")
        return None

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on with its whole body, unless that is too large, whatever its header said."""
        try:
            async with asyncio.timeout(SLOWEST_BODY):
                body = await _body(receive)
        except TimeoutError:
            await _refuse(Refused(408, f"A question arrives within {SLOWEST_BODY} seconds."), send)
            return
        if body is None:
            return
        if len(body) > LARGEST_BODY:
            await _refuse(Refused(413, f"A question has at most {LARGEST_BODY:,} bytes."), send)
            return
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def whole() -> Message:
            return waiting.pop() if waiting else await receive()

        await self.app(scope, whole, send)


async def _body(receive: Receive) -> bytes | None:
    """The body of a request as far as it is not too large; None where its sender went away."""
    body, more = bytearray(), True
    while more and len(body) <= LARGEST_BODY:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body)


async def _refuse(refused: Refused, send: Send) -> None:
    body = refused.reason.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    start = {"type": "http.response.start", "status": refused.status}
    await send({**start, "headers": [*headers, (b"x-content-type-options", b"nosniff"), (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": body})
