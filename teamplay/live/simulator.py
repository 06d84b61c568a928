"""What if the network is bad and hosts lie? The same core over a seeded network, with an oracle that knows better.

A world has a toy board, some hosts and some faults, all from one seed; a seed that fails replays. The hosts are the
real `Host`; only their agents are toys, whose answers are a small table of cell and board. The oracle in `oracle.py`
follows what is delivered by itself, and checks every round that ends.
"""

from collections import Counter
from collections.abc import Sequence
from heapq import heappop, heappush
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from teamplay.live.host import Host, changed_hash, written
from teamplay.live.oracle import RoundOracle, Violation
from teamplay.team.messages import AgentClaim, AreaReport, Call, Cells, Choice, Message, Sync
from teamplay.team.round import MOST_REPEATS, Rounds, Terms

ROUNDS = 25  # in one world
MANY, FAR_OFF = 60, 6  # audits that are enough to judge chance by, and standard deviations that are none
DEADLINE = 1.0
LONGEST = (3 + MOST_REPEATS) * DEADLINE  # a round takes less than this
VICES = ("urgent", "quiet", "forge", "contradict", "garbage", "epoch", "letter", "stale", "parts")
FAULTS = ("drop", "reorder", "slow", "duplicate", "partition", "crash", "broker", "manager")
PRIORITIES = (1, 3, 2, None, 4, 2, 3, 1, 4, 4, 2, None, 3, 3, 2, 1, 4, 3, None, 2, 2, 4, 3)
LETTERS = ("S", "SO", "O", "OS")


class Faults(NamedTuple):
    """How often each thing goes wrong: a message, or a part in a round."""

    drop: float = 0.0
    reorder: float = 0.0
    slow: float = 0.0
    duplicate: float = 0.0
    partition: float = 0.0
    crash: float = 0.0
    broker: float = 0.0
    manager: float = 0.0


class Draw(Random):
    """What breaks ties in one round: as good as a seeded generator here, and made in no time."""

    def __new__(cls, number: int) -> "Draw":
        return Random.__new__(cls)

    def __init__(self, number: int) -> None:
        self.number = number

    def choice(self, seq: Any) -> Any:
        return seq[self.number * 7919 % len(seq)]


class _Toys:
    """The agents of a host, which answer by a small table."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.host: Host

    def clear(self) -> None: ...

    def put(self, cell: int, mark: str) -> None: ...

    def answers(self, call: Any) -> tuple[Sequence[AgentClaim], int]:
        return best_of(self.host.hash, call, self.world.terms.letters), len(call)


def truth(hash: int, cell: int, letters: str) -> AgentClaim:
    """What the agent on a cell answers on a board, in the simulated game."""
    turned = (hash + cell * 11) & 0xFFFF
    return AgentClaim(cell, 1, PRIORITIES[turned % len(PRIORITIES)], LETTERS[turned & 3] if letters else "")


def best_of(hash: int, cells: Any, letters: str) -> list[AgentClaim]:
    """The most urgent of some agents, all ties included."""
    best, found = 99, []
    for cell in cells:
        claim = truth(hash, cell, letters)
        rank = 98 if claim.priority is None else claim.priority
        if rank < best:
            best, found = rank, [claim]
        elif rank == best:
            found.append(claim)
    return sorted(found)


class World:
    """A board, hosts, a manager and a network in which things go wrong."""

    def __init__(self, seed: int, machine: type[Rounds[Any]] = Rounds, faulty: bool = True) -> None:
        self.seed, self.machine = seed, machine
        self.chance = chance = Random(seed)
        self.cells = 6 + int(chance.random() * 7)
        names = "abcd"[: 2 + int(chance.random() * 3)]
        owners: list[str | None] = [*names]
        if faulty and chance.random() < 0.15:
            owners.append(None)
        self.areas: dict[Any, frozenset[int]] = {
            name: frozenset(range(i, self.cells, len(owners))) for i, name in enumerate(owners)
        }
        self.terms = Terms(
            DEADLINE,
            chance.choice((1.0, 1.0, 0.5, 0.0)),
            chance.choice(("recompute", "recompute", "extend", "abort")),
            chance.choice((0, 1, 3)),
            chance.choice(("random", "first")),
            chance.random() < 0.5,
            chance.choice(("", "SO")),
        )
        self.recomputes = chance.random() < 0.75
        self.picky = chance.random() < 0.2  # not every blank cell may be played, and other ones in each round
        self.faults = self._faults() if faulty else Faults()
        self.vices = {name: chance.choice(VICES) for name in names if faulty and chance.random() < 0.25}
        if faulty and not any(self.faults) and not self.vices:
            self.faults = Faults(drop=0.2)
        self.hosts = {name: self._host(name) for name in names}
        self.cut: dict[str, float] = {}  # until when a host can't be reached
        self.queue: list[tuple[float, int, str, Any]] = []
        self.posted, self.now = 0, 0.0
        self.hash, self.marks = 0, ["b"] * self.cells
        self.rounds = self._manager(100)
        self.oracle = RoundOracle(self)

    def _faults(self) -> Faults:
        chance = self.chance
        often = {"drop": 0.15, "reorder": 0.3, "slow": 0.15, "duplicate": 0.2, "partition": 0.1, "crash": 0.1}
        often |= {"broker": 0.05, "manager": 0.05}
        return Faults(**{fault: often[fault] for fault in FAULTS if chance.random() < 0.35})

    def _host(self, name: str) -> Host:
        toys = _Toys(self)
        toys.host = Host(name, toys, batch=(1, 2, 99)[self.cells % 3])
        return toys.host

    def _manager(self, epoch: int) -> Rounds[Any]:
        return self.machine(self.terms, self._recompute if self.recomputes else None, epoch)

    def _recompute(self, cells: Any) -> list[AgentClaim]:
        self.oracle.recomputed(cells)
        return self.truths(cells)

    def truths(self, cells: Any) -> list[AgentClaim]:
        """The most urgent of what these agents really say."""
        return best_of(self.hash, cells, self.terms.letters)

    # One round after another

    def run(self, rounds: int = ROUNDS) -> None:
        """Play rounds; a broken promise is a Violation."""
        for number in range(rounds):
            self._upset()
            try:
                self._round(number)
            except (TypeError, ValueError, KeyError, IndexError, AssertionError) as error:
                what = f"{type(error).__name__}: {error}"
                raise Violation(f"seed {self.seed}, round {number}: the core fails with {what}") from error
            self._move()
        self.oracle.check_counts()

    def _round(self, number: int) -> None:
        begun, here = self.now, self._here()
        self.oracle.begin(here, number)
        self._open(here, number)
        restarts = self.faults.manager and self.chance.random() < self.faults.manager
        while self.rounds.choice is None:
            if self.now > begun + LONGEST:
                raise Violation(f"seed {self.seed}, round {number}: the round does not end")
            if restarts and self.chance.random() < 0.3:
                restarts = False
                self._restart_manager(here, number)
            elif self.queue and self.queue[0][0] < self.rounds.due:
                self._deliver()
            else:
                self._pass_time(number)
        self.oracle.check(self.now - begun)

    def _pass_time(self, number: int) -> None:
        """Nothing comes before the deadline."""
        self.now = due = self.rounds.due
        self.oracle.deadline()
        self._send(self.rounds.tick(self.now))
        if self.rounds.choice is None and self.rounds.due <= due:
            raise Violation(f"seed {self.seed}, round {number}: the deadline passes, and the round does not end")

    def _open(self, here: dict[Any, Cells], number: int) -> None:
        hashes = dict.fromkeys(here, written(self.hash))
        self._send(self.rounds.begin(here, hashes, Draw(number), self.chance, self.now))

    def _here(self) -> dict[Any, Cells]:
        blank = {cell for cell, mark in enumerate(self.marks) if mark == "b"}
        if self.picky:
            blank = {cell for cell in blank if self.chance.random() < 0.8} or blank
        return {name: Cells(area & blank) for name, area in self.areas.items()}

    def _move(self) -> None:
        """The board changes, or a few times not at all; sometimes a new game begins."""
        draw = self.chance.random()
        choice = self.rounds.choice
        if draw < 0.15 or choice is None:
            return
        blank = [cell for cell, mark in enumerate(self.marks) if mark == "b"]
        if len(blank) < 4:
            self.marks, self.hash = ["b"] * self.cells, 0
            self._tell([], fresh=True)
            return
        cell = choice.said.sender if choice.said else blank[0]
        self._put(cell, "x")
        changes = [(cell, "x")]
        other = blank[int(draw * len(blank))]
        if other != cell:
            self._put(other, "o")
            changes.append((other, "o"))
        self._tell(changes, fresh=False)

    def _put(self, cell: int, mark: str) -> None:
        self.hash = changed_hash(self.hash, cell, self.marks[cell], mark)
        self.marks[cell] = mark

    def _tell(self, changes: list[tuple[int, str]], fresh: bool) -> None:
        for name in self.hosts:
            self.rounds.affected(name)
            self._post(name, (self.rounds.epoch, fresh, changes))
        self.oracle.changed()

    # Faults

    def _upset(self) -> None:
        """What goes wrong between two rounds."""
        chance, faults = self.chance, self.faults
        for name in self.hosts:
            if faults.crash and chance.random() < faults.crash:
                self.hosts[name] = self._host(name)
                heappush(self.queue, (self.now + chance.random(), self._ticket(), "hello", name))
            if faults.partition and chance.random() < faults.partition:
                self.cut[name] = self.now + 3 * chance.random()

    def _restart_manager(self, here: dict[Any, Cells], number: int) -> None:
        """A new manager without any memory; its clock may be behind."""
        self.oracle.manager_lost()
        later = self.rounds.epoch + (100 if self.chance.random() < 0.8 else -50)
        self.rounds = self._manager(later)
        self._open(here, number)

    def _restart_broker(self) -> None:
        """All that was on its way is lost, and both sides learn of it."""
        self.queue = [event for event in self.queue if event[2] == "hello"]
        self._send(self.rounds.renew(self.now))

    # The network

    def _ticket(self) -> int:
        self.posted += 1
        return self.posted

    def _post(self, to: str, message: Any) -> None:
        """Put a message on its way, perhaps twice, perhaps for long, perhaps in vain."""
        chance, faults = self.chance, self.faults
        end = message.sender if to == "manager" else to
        if self.cut and self.cut.get(end, 0.0) > self.now:
            return
        if faults.drop and chance.random() < faults.drop:
            return
        at = self.now + 0.02 + 0.001 * self.cells  # in order, unless a fault says otherwise
        if faults.reorder and chance.random() < faults.reorder:
            at += 0.2 * chance.random()
        if faults.slow and chance.random() < faults.slow:
            at += 3 * chance.random()
        heappush(self.queue, (at, self._ticket(), to, message))
        if faults.duplicate and chance.random() < faults.duplicate:
            heappush(self.queue, (at + chance.random(), self._ticket(), to, message))

    def _deliver(self) -> None:
        at, _, to, message = heappop(self.queue)
        if at > self.now:
            self.now = at
        if self.faults.broker and self.chance.random() < self.faults.broker / 20:
            self._restart_broker()
            return
        if to == "manager":
            self.oracle.hear(message)
            out = self.rounds.hear(message, self.now)
            self.oracle.heard(message, out)
            self._send(out)
        elif to == "hello":
            self.oracle.joined(message)
            self._send(self.rounds.joined(message, self.now))
        elif isinstance(message, Call):
            host = self.hosts[to]
            for report in host.call(message.epoch, message.number, message.hash, message.here):
                self._reply(to, report)
        else:
            self.hosts[to].change(*message)

    def _reply(self, name: str, report: AreaReport) -> None:
        vice = self.vices.get(name)
        if vice is None or not report.claims:
            self._post("manager", report)
            return
        for forged in twisted(vice, report, self):
            self._post("manager", forged)

    def _send(self, messages: Sequence[Message]) -> None:
        for message in messages:
            if isinstance(message, Call):
                self._post(message.to, message)
            elif isinstance(message, Sync):
                changes = [(cell, mark) for cell, mark in enumerate(self.marks) if mark != "b"]
                self._post(message.to, (self.rounds.epoch, True, changes))
            else:
                assert isinstance(message, Choice)
                self.oracle.chosen(message)
        self.oracle.after(messages)


def twisted(vice: str, report: AreaReport, world: World) -> list[AreaReport]:
    """What a dishonest host sends in place of its report."""
    chance, letters, claims = world.chance, world.terms.letters[:1], list(report.claims)
    mine = sorted(world.areas[report.sender])
    cell = mine[int(chance.random() * len(mine))]
    if vice == "urgent":
        return [report._replace(claims=[AgentClaim(cell, 1, 0, letters)])]
    if vice == "letter":
        wrong = {"S": "O", "O": "S", "SO": "S", "OS": "O", "": ""}
        return [report._replace(claims=[claim._replace(letters=wrong[claim.letters]) for claim in claims])]
    if vice == "quiet":
        last = claims[-1]
        return [report._replace(claims=[last._replace(priority=last.priority + 1 if last.priority else 9)])]
    if vice == "forge":
        theirs = int(chance.random() * world.cells)
        return [report._replace(claims=[AgentClaim(theirs, 1 if chance.random() < 0.7 else 2, 0, letters), *claims])]
    if vice == "contradict":
        other = report._replace(claims=[AgentClaim(cell, 1, 1 + int(chance.random() * 4), letters)])
        return [report, other] if chance.random() < 0.5 else [other, report]
    if vice == "garbage":
        rubbish: Any = chance.choice(
            [
                AgentClaim(cell, 1, "0", letters),  # type: ignore[arg-type]
                AgentClaim(cell, 1, True, letters),
                AgentClaim(cell, 1, 0.5, letters),  # type: ignore[arg-type]
                AgentClaim(cell, 1, -(1 << 60), letters),
                AgentClaim(cell, 0, 0, letters),
                AgentClaim(cell, 1, 0, "Z"),
                AgentClaim(cell, 1, 0, letters * 2 + "S"),
                AgentClaim(-1, 1, 0, letters),
                AgentClaim("1", 1, 0, letters),  # type: ignore[arg-type]
            ]
        )
        return [report._replace(claims=[rubbish, *claims])]
    if vice == "stale":
        return [report._replace(hash="0123456789abcdef")]
    if vice == "parts":
        part, parts = chance.choice([(-1, 1), (report.parts, report.parts), (1, 1 << 40)])
        return [report._replace(part=part, parts=parts), report]
    leap = chance.choice((7, 7, 1 << 52, 0))
    return [report._replace(epoch=report.epoch + leap)]


class Simulated(NamedTuple):
    """What many worlds came to."""

    rounds: int
    hows: Counter[str]  # how choices came about
    faults: Counter[str]  # by kind


def simulate(first: int, worlds: int, machine: type[Rounds[Any]] = Rounds) -> Simulated:
    """Run many worlds, each from a seed of its own; the first broken promise is a Violation that names its seed."""
    hows: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    audits: dict[str, list[float]] = {}
    for seed in range(first, first + worlds):
        world = World(seed, machine)
        world.run()
        hows.update(world.oracle.hows)
        faults.update(world.oracle.faults)
        for where, counts in world.oracle.audits.items():
            audits[where] = [a + b for a, b in zip(audits.get(where, (0.0, 0.0)), counts, strict=True)]
        if seed % 50 == 49 or seed == first + worlds - 1:
            _check_audits(audits, f"seeds {first} to {seed}")
    return Simulated(worlds * ROUNDS, hows, faults)


def _check_audits(audits: dict[str, list[float]], seeds: str) -> None:
    """Whether audits have looked everywhere as often as chance would."""
    for where, (due, looked) in audits.items():
        if due > MANY and abs(looked - due) > FAR_OFF * sqrt(due):
            raise Violation(f"{seeds}: audits have looked at {where} {looked:.0f} times, not some {due:.0f}")
