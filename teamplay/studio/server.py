"""The server behind the page: files of the page, questions, and jobs whose answers stream; on this machine only."""

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from teamplay.errors import TeamplayError
from teamplay.studio.bundle import BUNDLE, WEB, is_built
from teamplay.studio.elsewhere import Elsewhere
from teamplay.studio.folder import Changed, Folder
from teamplay.studio.guard import Guard
from teamplay.studio.jobs import Jobs
from teamplay.studio.questions import QUESTIONS
from teamplay.studio.sources import reading

HOST = "127.0.0.1"
KINDS = {"app.js": "text/javascript", "app.css": "text/css"}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
POLICY = (
    "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
NOT_BUILT = (
    "The studio's page was not built when teamplay was installed, most likely without a network; "
    "`python -m teamplay.studio.bundle` builds it."
)


@dataclass
class Studio:
    """What the routes share: the folder, the jobs, and a lock, as a team answers one question at a time."""

    folder: Folder
    begin: dict[str, Any]  # what the page opens with: a table and a game
    elsewhere: Elsewhere = field(default_factory=Elsewhere)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        self.jobs = Jobs(self.folder.root)

    def app(self) -> Starlette:
        """The application without its guard."""
        routes = [
            Route("/", self.page),
            Route("/favicon.ico", _icon),
            Route("/{name:str}", self.static),
            Route("/api/job/{kind:str}", self.job, methods=["POST"]),
            Route("/api/stop", self.stop, methods=["POST"]),
            Route("/api/live", self.live, methods=["POST"]),
            Route("/api/{question:str}", self.question, methods=["POST"]),
        ]
        return Starlette(routes=routes, lifespan=self._life)

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        await self.jobs.warm()
        try:
            yield
        finally:
            await self.jobs.close()

    async def page(self, request: Request) -> Response:
        nonce = secrets.token_urlsafe(16)
        text = (WEB / "index.html").read_text("utf-8").replace("NONCE", nonce)
        return Response(
            text, media_type="text/html", headers={**HEADERS, "Content-Security-Policy": POLICY.format(nonce)}
        )

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in KINDS:
            return PlainTextResponse("There is no such file.", 404, HEADERS)
        return Response((BUNDLE / name).read_bytes(), media_type=KINDS[name], headers=HEADERS)

    async def question(self, request: Request) -> Response:
        name = request.path_params["question"]
        if name not in QUESTIONS:
            return _said({"error": f"There is no question `{name[:40]}`."}, 404)
        asked = await _asked(request)
        if asked is None:
            return _said({"error": "A question is a JSON object."}, 400)
        return await run_in_threadpool(self._answer, name, asked)

    def _answer(self, name: str, asked: dict[str, Any]) -> Response:
        try:
            with self.lock, reading(asked, self.folder.root):
                found = QUESTIONS[name](asked, self.folder)
        except Changed as error:
            return _said({"error": str(error), "changed": True})
        except TeamplayError as error:
            return _said({"error": str(error)})
        except OSError as error:
            return _said({"error": f"A file can't be used: {error.strerror or error}."})
        except MemoryError:
            return _said({"error": "There is not enough memory for this; take a smaller board."})
        return _said(found | (self.begin if name == "start" else {}))

    async def job(self, request: Request) -> Response:
        asked = await _asked(request)
        if asked is None:
            return _said({"error": "A question is a JSON object."}, 400)
        lines = self.jobs.run(request.path_params["kind"], asked)
        try:
            first = await anext(lines)
        except TeamplayError as error:
            return _said({"error": str(error)})

        async def stream() -> AsyncIterator[bytes]:
            try:
                yield _line(first)
                async for said in lines:
                    yield _line(said)
            finally:
                await lines.aclose()  # type: ignore[attr-defined]

        return StreamingResponse(stream(), media_type="application/x-ndjson", headers=HEADERS)

    async def stop(self, request: Request) -> Response:
        asked = await _asked(request)
        number = (asked or {}).get("job")
        return _said({"stopped": isinstance(number, int) and self.jobs.stop(number)})

    async def live(self, request: Request) -> Response:
        return _said(await self.elsewhere.status())


async def _asked(request: Request) -> dict[str, Any] | None:
    try:
        asked = json.loads(await request.body())
    except (ValueError, RecursionError):
        return None
    return asked if isinstance(asked, dict) else None


def _said(shown: dict[str, Any], status: int = 200) -> Response:
    return JSONResponse(shown, status, HEADERS)


def _line(said: dict[str, Any]) -> bytes:
    return json.dumps(said).encode() + b"\n"


async def _icon(request: Request) -> Response:
    return Response((WEB / "icon.svg").read_bytes(), media_type="image/svg+xml", headers=HEADERS)


def serve(studio: Studio, port: int, opened: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `opened` is told the address when the server listens."""
    if not is_built() and not (BUNDLE / "app.js").is_file():
        raise TeamplayError(NOT_BUILT)
    listening = _socket(port)
    host = f"{HOST}:{listening.getsockname()[1]}"
    guarded = Guard(studio.app(), host, studio.token)
    config = uvicorn.Config(guarded, log_level="error", access_log=False, server_header=False, lifespan="on")
    server = _Server(config, lambda: opened(f"http://{host}/#token={quote(studio.token)}"))
    asyncio.run(server.serve(sockets=[listening]))


class _Server(uvicorn.Server):
    """A server that tells when it listens, and that Ctrl-C ends at once, open streams or not."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[], None]) -> None:
        config.timeout_graceful_shutdown = 1
        super().__init__(config)
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._listening()


def _socket(port: int) -> socket.socket:
    """A socket of this machine alone; port 0 takes a free one."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise TeamplayError(f"Port {port} of {HOST} can't be used: {error.strerror or error}.") from None
    return listening
