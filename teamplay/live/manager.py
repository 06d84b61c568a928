"""How does a manager reach hosts over a network? It runs the rounds of `team/round.py` and delivers their messages."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from teamplay.live import wire
from teamplay.live.area import Mask, Open, mask_of, stretches
from teamplay.live.host import changed_hash, written
from teamplay.live.network import Broker, connect, disconnect
from teamplay.live.seating import Question
from teamplay.team.messages import Call, Choice, Draws, Message, Sync
from teamplay.team.round import Recompute, Rounds, Terms

CHUNK = 3000  # changes in one message
MOST_NAMES = 1000  # of hosts: whoever floods an open broker with names fills no memory
Watchers = Callable[[int], Sequence[int]]  # the agents that are told when a cell changes


@dataclass
class Joined:
    """A host that has joined, and what it should know."""

    name: str
    area: Mask
    hash: int = 0
    called: float = 0.0  # when it was asked last
    latency: float | None = None  # seconds, of its last answer
    sees: dict[int, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class TeamBasis:
    """What a manager knows of its team: no rule, only who it is for and who sees what."""

    team: str
    game: str
    cells: int
    table: str  # the digest that hosts must name
    watchers: Watchers


class LiveManager:
    """Hosts by name, their boards, and the rounds; all in one event loop."""

    def __init__(self, basis: TeamBasis, terms: Terms, recompute: Recompute | None) -> None:
        self.basis = basis
        self.rounds: Rounds[str] = Rounds(terms, recompute, epoch=int(time.time() * 1000))
        self.hosts: dict[str, Joined] = {}
        self.covered: Mask = np.zeros(basis.cells, dtype=np.bool_)  # the cells that somebody seats
        self.marks: dict[int, str] = {}  # what is not blank
        self.choices: Counter[str] = Counter()
        self.messages: Counter[str] = Counter()
        self._names: set[str] = set()  # everybody who ever said something
        self._question = Question()
        self._chance = Random()
        self._done: asyncio.Future[Choice] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._arrivals = asyncio.Event()
        self._publishing: set[asyncio.Task[None]] = set()
        self._connection: Any = None

    # Coming and going

    async def open(self, to: Broker) -> None:
        """Connect, and ask who is there."""
        self._loop = asyncio.get_running_loop()
        self._connection = await connect(to, f"manager of {self.basis.team}", self._reconnected)
        await self._connection.subscribe(wire.team_subject(self.basis.team, "from", "*"), cb=self._told)
        await self._connection.subscribe(wire.WHO, cb=self._asked)
        self._post("all", wire.Roll(v=1))

    async def close(self) -> None:
        if self._timer:
            self._timer.cancel()
        await disconnect(self._connection)

    async def _reconnected(self) -> None:
        """The broker is back; what was on its way is lost."""
        self._post("all", wire.Roll(v=1))
        self._send(self.rounds.renew(self._loop.time()))

    async def assembled(self, seconds: float) -> bool:
        """Wait until hosts seat every cell; False if that takes too long."""
        end = self._loop.time() + seconds
        while not self.covered.all():
            self._arrivals.clear()
            left = end - self._loop.time()
            if left <= 0:
                return False
            try:
                await asyncio.wait_for(self._arrivals.wait(), left)
            except TimeoutError:
                return False
        return True

    def _joined(self, name: str, hello: wire.Hello) -> None:
        """A host has come, or come back."""
        area = mask_of(self.basis.cells, hello.area)
        if area is None or not area.any() or hello.table != self.basis.table:
            self.rounds.fault(name, "other table")
            return
        if any((host.area & area).any() for host in self.hosts.values() if host.name != name):
            self.rounds.fault(name, "cells of another")
            return
        known = self.hosts.get(name)
        if known and hello.epoch == self.rounds.epoch and np.array_equal(known.area, area):
            return  # it has lost nothing
        self.hosts[name] = Joined(name, area)
        self.covered = np.logical_or.reduce([host.area for host in self.hosts.values()])
        self._arrivals.set()
        self._send(self.rounds.joined(name, self._loop.time()))

    # One round

    def broadcast(self, changes: Iterable[tuple[int, str]]) -> None:
        """Tell every change to the hosts whose agents have it in sight."""
        changes = list(changes)
        for host in self.hosts.values():
            seen = [(cell, mark) for cell, mark in changes if self._sees(host, cell)]
            for cell, mark in seen:
                host.hash = changed_hash(host.hash, cell, self.marks.get(cell, "b"), mark)
            if seen:
                self.rounds.affected(host.name)
                self._post_changes(host, seen, fresh=False)
        for cell, mark in changes:
            if mark == "b":
                self.marks.pop(cell, None)
            else:
                self.marks[cell] = mark

    def _sees(self, host: Joined, cell: int) -> bool:
        known = host.sees.get(cell)
        if known is None:
            known = host.sees[cell] = bool(host.area[list(self.basis.watchers(cell))].any())
        return known

    def _post_changes(self, host: Joined, cells: Sequence[tuple[int, str]], fresh: bool) -> None:
        for start in range(0, max(len(cells), 1), CHUNK):
            part = list(cells[start : start + CHUNK])
            change = wire.Change(v=1, epoch=self.rounds.epoch, fresh=fresh and start == 0, cells=part)
            self._post("to", change, host.name)

    def _sync(self, name: str) -> None:
        host = self.hosts[name]
        seen = [(cell, mark) for cell, mark in self.marks.items() if self._sees(host, cell)]
        host.hash = 0
        for cell, mark in seen:
            host.hash = changed_hash(host.hash, cell, "b", mark)
        self._post_changes(host, seen, fresh=True)

    async def ask(self, active: Mask, question: Question, generator: Draws) -> Choice:
        """One round: who may play, what is asked, and the choice."""
        self._question = question
        here: dict[Any, Any] = {name: Open(host.area & active) for name, host in self.hosts.items()}
        alone = active & ~self.covered
        if alone.any():
            here[None] = Open(alone)
        if question.everyone:
            for name in self.hosts:
                self.rounds.affected(name)
        hashes = {name: written(host.hash) for name, host in self.hosts.items()}
        self._done = self._loop.create_future()
        self._send(self.rounds.begin(here, hashes, generator, self._chance, self._loop.time()))
        choice = await self._done
        self.choices[choice.how] += 1
        return choice

    def _send(self, messages: Sequence[Message]) -> None:
        """Deliver what the rounds say."""
        for message in messages:
            match message:
                case Sync(name):
                    self._sync(name)
                case Call():
                    self._call(message)
                case Choice():
                    self._announce(message)
        self._schedule()

    def _schedule(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self.rounds.due < float("inf"):
            self._timer = self._loop.call_at(self.rounds.due, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._send(self.rounds.tick(max(self._loop.time(), self.rounds.due)))

    def _call(self, call: Call) -> None:
        host, question = self.hosts[call.to], self._question
        host.called = self._loop.time()
        active = None if question.active is None else stretches(question.active & host.area)
        ask = wire.CallMessage(
            v=1,
            epoch=call.epoch,
            round=call.number,
            hash=written(host.hash),
            active=active,
            everyone=question.everyone,
            turn=question.turn,
            seed=f"{question.seed:016x}",
            deadline_ms=round(1000 * call.deadline),
        )
        self._post("to", ask, host.name)

    def _announce(self, choice: Choice) -> None:
        said = choice.said
        self._post(
            "all",
            wire.Chosen(
                v=1,
                epoch=self.rounds.epoch,
                round=choice.number,
                cell=said.sender if said else None,
                letter=said.letter if said else "",
                how=choice.how,
            ),
        )
        if self._done and not self._done.done():
            self._done.set_result(choice)

    # The wire

    def _post(self, way: str, message: Any, *to: str) -> None:
        data = wire.encode(message)
        self.messages["sent"] += 1
        self.messages["bytes sent"] += len(data)
        subject = wire.team_subject(self.basis.team, way, *to)
        publishing = self._loop.create_task(self._publish(subject, data))
        self._publishing.add(publishing)  # a task that nobody keeps may vanish
        publishing.add_done_callback(self._publishing.discard)

    async def _publish(self, subject: str, data: bytes) -> None:
        try:
            await self._connection.publish(subject, data)
        except Exception:  # the connection is closed or lost: the deadline comes, or a new epoch
            self.messages["unsent"] += 1

    async def _told(self, message: Any) -> None:
        """Somebody sends a message; the broker says who."""
        name = message.subject.rpartition(".")[2]
        self._names.add(name)
        if len(self._names) > MOST_NAMES or not wire.HOST_NAME.fullmatch(name):
            self._names.discard(name)
            self.messages["ignored"] += 1
            return
        self.messages["received"] += 1
        self.messages["bytes received"] += len(message.data)
        try:
            told = wire.decode_from_host(message.data)
        except wire.BadMessage:
            self.rounds.fault(name, "bad message")
            return
        if isinstance(told, wire.Hello):
            self._joined(name, told)
            return
        try:
            self._reported(name, told)
        except Exception as error:  # the library would keep it to itself, and the round would wait
            if self._done and not self._done.done():
                self._done.set_exception(error)
            raise

    def _reported(self, name: str, told: wire.ReportMessage) -> None:
        host = self.hosts.get(name)
        if host and told.round == self.rounds.number and told.answers:
            host.latency = self._loop.time() - host.called
        self._send(self.rounds.hear(wire.report_of(name, told), self._loop.time()))

    async def _asked(self, message: Any) -> None:
        if message.reply:
            await self._connection.publish(message.reply, wire.encode(self.state()))

    def state(self) -> wire.State:
        """Who has joined, and what went wrong so far."""
        rounds = self.rounds
        hosts = [
            wire.HostState(
                name=name,
                agents=int(np.count_nonzero(self.hosts[name].area)) if name in self.hosts else 0,
                state=self._standing(name),
                latency_ms=None if name not in self.hosts else _milliseconds(self.hosts[name].latency),
                faults={kind: count for (who, kind), count in rounds.faults.items() if who == name},
            )
            for name in sorted({*self.hosts, *(who for who, _ in rounds.faults if who is not None)})[:100]
        ]
        return wire.State(
            v=1,
            team=self.basis.team,
            game=self.basis.game,
            epoch=rounds.epoch,
            rounds=rounds.number,
            cells=self.basis.cells,
            covered=int(np.count_nonzero(self.covered)),
            hosts=hosts,
            choices=dict(self.choices),
            messages=dict(self.messages),
        )

    def _standing(self, name: str) -> str:
        if name in self.rounds.quarantined:
            return "quarantined"
        if name not in self.hosts:
            return "refused"
        return "away" if name in self.rounds.away else "here"


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(1000 * seconds, 3)
