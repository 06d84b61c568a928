"""Hosts for tests: real ones over a real broker on the loopback address, some of which lie.

Nothing here depends on how fast the machine is: deadlines are long, and pass when a test says so.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from teamplay.language import Rulebook
from teamplay.live import wire
from teamplay.live.area import parse_area
from teamplay.live.network import Broker
from teamplay.live.private import LOOPBACK, end_process, free_port, start_plain_server
from teamplay.live.serve import HostService
from teamplay.live.settings import USUAL, Settings
from teamplay.live.team import LiveTeam, Loop
from teamplay.team.messages import AreaReport
from teamplay.team.round import Terms

PATIENT = USUAL._replace(deadline=600.0)
PATIENCE = 120.0  # seconds for anything that a loaded machine does in one

Twist = Callable[[AreaReport], list[AreaReport]]  # what a host sends in place of a report


class TwistedHost(HostService):
    """A host that does not send what its agents say; it may also miss what it is told."""

    twist: Twist | None = None
    misses = 0  # changes that it will not hear
    holds_back: Callable[[], bool] | None = None  # no report is sent while this is true

    async def _told(self, message: Any) -> None:
        if self.misses and isinstance(wire.decode_to_host(message.data), wire.Change):
            self.misses -= 1
            return
        await super()._told(message)

    async def _send(self, message: Any) -> None:
        if not isinstance(message, wire.ReportMessage) or not message.answers:
            await super()._send(message)
            return
        while self.holds_back and self.holds_back():
            await asyncio.sleep(0.002)
        report = wire.report_of(self.name, message)
        for sent in self.twist(report) if self.twist else [report]:
            await super()._send(wire.answer_of(sent))

    async def say(self, data: bytes, subject: str = "") -> None:
        """Publish any bytes, as itself or on any subject."""
        await self._connection.publish(subject or wire.team_subject(self.team, "from", self.name), data)
        await self._connection.flush()


class Crew:
    """Hosts in a thread of this process; each has a connection of its own."""

    def __init__(self, book: Rulebook, to: Broker, hosts: int, batch: int = 250) -> None:
        self.book, self.to, self.batch = book, to, batch
        self.loop = Loop()
        self.hosts: dict[str, TwistedHost] = {}
        self._running: dict[str, Future[None]] = {}
        for number in range(hosts):
            self.start("abcdefgh"[number], f"{number + 1}/{hosts}")

    def start(self, name: str, area: str, to: Broker | None = None) -> TwistedHost:
        team = wire.team_name(self.book.name, str(self.book.game))
        mask = parse_area(self.book.game.grid, area)
        host = self.loop.call(lambda: TwistedHost(name, self.book, mask, team, self.batch))
        self._running[name] = asyncio.run_coroutine_threadsafe(host.run(to or self.to), self.loop.loop)
        self.hosts[name] = host
        return host

    def stop(self, name: str) -> None:
        """A host leaves without a word."""
        self.loop.call(self.hosts.pop(name).ended.set)
        self._running.pop(name).result(PATIENCE)

    def close(self) -> None:
        for name in list(self.hosts):
            self.stop(name)
        self.loop.stop()


@contextmanager
def broker() -> Iterator[Broker]:
    """A broker on a free loopback port."""
    port = free_port()
    server = start_plain_server(port)
    try:
        yield Broker(f"nats://{LOOPBACK}:{port}")
    finally:
        end_process(server)


@contextmanager
def crew(book: Rulebook, to: Broker, hosts: int, batch: int = 250) -> Iterator[Crew]:
    made = Crew(book, to, hosts, batch)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def live(book: Rulebook, to: Broker, terms: Terms = PATIENT, join: float = PATIENCE) -> Iterator[LiveTeam]:
    team = LiveTeam(book, Settings(to, terms=terms, join=join))
    try:
        yield team
    finally:
        team.close()


@contextmanager
def deadline(team: LiveTeam, *late: str, times: int = 1 << 30) -> Iterator[None]:
    """The deadline of a round passes as soon as nobody but these hosts is waited for; only so many times."""

    async def watch() -> None:
        passed = 0
        while passed < times:
            waiting = team.manager.rounds.waiting
            if waiting and waiting <= set(late):
                team.manager._tick()
                passed += 1
            await asyncio.sleep(0.002)

    watching = asyncio.run_coroutine_threadsafe(watch(), team._loop.loop)
    try:
        yield
    finally:
        watching.cancel()


def wait_for(ready: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for a state, however long it takes."""
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)


def faults(team: LiveTeam, kind: str) -> int:
    """How often a fault was counted; a copy is looked at, because the team's own thread goes on counting."""
    return sum(count for (_, named), count in list(team.manager.rounds.faults.items()) if named == kind)


def kinds(team: LiveTeam) -> set[str]:
    """The faults that were counted."""
    return {kind for _, kind in list(team.manager.rounds.faults)}
