"""What does a host's process do? It joins a team at a broker, keeps its agents' board, and answers every call."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from teamplay.errors import BadSpec
from teamplay.language.rulebook import Rulebook
from teamplay.live import wire
from teamplay.live.area import Mask, mask_of, stretches
from teamplay.live.host import Host
from teamplay.live.network import Broker, connect, disconnect
from teamplay.live.seating import Question, digest, seating_for

BATCH = 250  # claims in one message: 64 KiB hold as many, whatever they are


def hello(name: str, team: str, book: Rulebook, area: Mask) -> wire.Hello:
    """How a host introduces itself."""
    if not wire.HOST_NAME.fullmatch(name):
        raise BadSpec(f"`{name[:40]}` is not a name for a host; take up to 32 of a-z, 0-9, - and _.")
    if not wire.TEAM_NAME.fullmatch(team):
        raise BadSpec(f"`{team[:80]}` is not a name for a team; take up to 80 of a-z, 0-9, - and _.")
    return wire.Hello(v=1, host=name, team=team, area=stretches(area), table=digest(book))


class HostService:
    """One host on the network."""

    def __init__(self, name: str, book: Rulebook, area: Mask, team: str, batch: int = BATCH) -> None:
        self.name, self.team, self.book = name, team, book
        self.cells = book.game.grid.size
        self._greeting = hello(name, team, book, area)
        self.host = Host(name, seating_for(book, area), batch)
        self.ended = asyncio.Event()
        self._connection: Any = None

    async def run(self, to: Broker, joined: Callable[[], None] = lambda: None) -> None:
        """Serve until the process ends or `ended` is set; `joined` is called when the broker is there."""
        self._connection = await connect(to, f"host {self.name}", self.greet)
        subject = wire.team_subject(self.team, "to", self.name)
        await self._connection.subscribe(subject, cb=self._told)
        await self._connection.subscribe(wire.team_subject(self.team, "all"), cb=self._told)
        await self._connection.subscribe(wire.WHO, cb=self._asked)
        await self.greet()
        joined()
        try:
            await self.ended.wait()
        finally:
            await disconnect(self._connection)

    async def greet(self) -> None:
        """Say who this is."""
        await self._send(self._hello())

    def _hello(self) -> wire.Hello:
        return msgspec.structs.replace(self._greeting, epoch=self.host.epoch)

    async def _send(self, message: Any) -> None:
        await self._connection.publish(wire.team_subject(self.team, "from", self.name), wire.encode(message))

    async def _asked(self, message: Any) -> None:
        if message.reply:
            await self._connection.publish(message.reply, wire.encode(self._hello()))

    async def _told(self, message: Any) -> None:
        """A message of the manager; what can't be read is left unanswered."""
        try:
            await self._follow(wire.decode_to_host(message.data))
        except wire.BadMessage:
            return
        except Exception as error:  # the library would keep it to itself
            print(f"teamplay: {self.name} fails: {type(error).__name__}: {error}", file=sys.stderr)
            raise

    async def _follow(self, told: wire.ToHost) -> None:
        match told:
            case wire.Change():
                if all(cell < self.cells and mark in self.book.game.visible_marks for cell, mark in told.cells):
                    self.host.change(told.epoch, told.fresh, told.cells)
            case wire.CallMessage():
                await self._answer(told)
            case wire.Roll():
                await self.greet()
            case wire.Chosen():
                pass  # the agents' step 6: there is no piece to move here

    async def _answer(self, ask: wire.CallMessage) -> None:
        active = None if ask.active is None else mask_of(self.cells, ask.active)
        if ask.active is not None and active is None:
            return
        question = Question(active, ask.everyone, ask.turn, _number(ask.seed))
        for report in self.host.call(ask.epoch, ask.round, ask.hash, question):
            await self._send(wire.answer_of(report))
        await self._connection.flush()


def _number(seed: str) -> int:
    """The seed of the coins, sixteen hexadecimal digits."""
    try:
        return int(seed, 16)
    except ValueError:
        return 0
