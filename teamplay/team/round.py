"""The manager's rounds as a state machine without input or output: events in, messages out, time and chance passed in.

One round is: begin (who is asked), hear (what was answered), tick (the deadline), and a choice. Whoever drives it
delivers the messages: a manager in this process by calls, `live/` over a network, a simulator over a bad one. The
machine knows no game, no board and no rule. What it is told from elsewhere is untrusted, and every fault is counted.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from teamplay.team.claims import SILENCE, Heard, agrees, rank
from teamplay.team.messages import (
    AgentClaim,
    AgentName,
    AreaReport,
    Call,
    Cells,
    Choice,
    Draws,
    Here,
    How,
    Message,
    Response,
    Sync,
    TiedAnswers,
)

TieBreak = Literal["random", "first"]
Missing = Literal["recompute", "extend", "abort"]
Recompute = Callable[[Here], Sequence[AgentClaim]]  # the most urgent answers of these agents, from somebody trusted

Name = TypeVar("Name")

FARTHEST = 1 << 43  # epochs are clock times in milliseconds; this one is in the year 2248
LEAP = 1 << 20  # by which an epoch from elsewhere may still be ahead: nobody can use up all of them
MOST_PARTS = 1 << 12  # of one report
MOST_SYNCS = 3  # of one member in one round
MOST_REPEATS = 3  # of one round, with a new epoch each
STRIKES = 3  # contradictions after which a member is quarantined; a lie is enough by itself


class Terms(NamedTuple):
    """What a manager does when members are late, gone or lying."""

    deadline: float = 2.0  # seconds
    quorum: float = 1.0  # the share of active agents whose answers are enough at the deadline
    missing: Missing = "recompute"  # what to do at the deadline without a quorum
    audits: int = 1  # agents, chosen at random, whose answers are recomputed in every round
    tie_break: TieBreak = "random"
    holds: bool = False  # is an answer good until its member sees a change?
    letters: str = ""  # what agents may place, where the game has letters


class Rounds(Generic[Name]):
    """One round after another; the state is the epoch, who is trusted, which answers still hold, and the open round."""

    def __init__(self, terms: Terms | None = None, recompute: Recompute | None = None, epoch: int = 1) -> None:
        self.terms = terms or Terms()
        self.recompute = recompute
        self.epoch, self.number = epoch, 0
        self.faults: Counter[tuple[Any, str]] = Counter()  # by member and kind
        self.quarantined: set[Name] = set()
        self.away: set[Name] = set()  # who missed a deadline, and was not heard of since
        self.waiting: set[Name] = set()  # whose answers this round still waits for
        self.asked = 0  # agents that had to think in this round
        self.choice: Choice | None = None
        self.due = SILENCE  # when `tick` is to be called
        self._held: dict[Name, tuple[Collection[AgentName], Any]] = {}  # answers that still hold
        self._here: Mapping[Name, Collection[AgentName]] = {}
        self._hashes: Mapping[Name, str] = {}
        self._answers: dict[Name, Any] = {}
        self._heard: dict[Name, Heard] = {}
        self._open = False

    # Who takes part

    def affected(self, name: Name) -> None:
        """This member has seen a change, so what it answered before no longer holds."""
        self._held.pop(name, None)

    def begin(
        self,
        here: Mapping[Name, Collection[AgentName]],
        hashes: Mapping[Name, str] | None = None,
        generator: Draws | None = None,
        chance: Random | None = None,
        now: float = 0.0,
    ) -> list[Message]:
        """Open a round: who has active agents, and what each should know. `None` as a name: nobody seats these.

        The generator breaks ties, and `chance` chooses whom to audit, so that audits change no tie. Without a
        generator nothing is chosen: a local manager only collects.
        """
        self.number += 1
        self.asked, self.choice, self._open = 0, None, True
        self._here, self._hashes = here, hashes or {}
        self._generator, self._chance = generator, chance
        self._repeats = 0
        # Left for the whole round: one that is repeated may not be extended again, else it might last too long.
        self._extensions = 1 if self.terms.missing == "extend" else 0
        return self._call_all(now) + self._progress(now)

    def _call_all(self, now: float) -> list[Message]:
        """Ask everybody whose answer does not hold any more."""
        self._answers, self._heard = {}, {}
        self._syncs: dict[Name, int] = {}
        self.waiting = set()
        self._filled: set[Name] = set()  # whose answers were recomputed here
        self.due = now + self.terms.deadline
        calls: list[Message] = []
        for name, cells in self._here.items():
            if not cells:
                continue
            held = self._held.get(name)
            if held is not None and held[0] == cells:
                self._answers[name] = held[1]
            elif name is not None and name not in self.quarantined:
                if name not in self.away or not self._can_fill:
                    self.waiting.add(name)
                calls.append(self._call(name))
        return calls

    def _call(self, name: Name) -> Call:
        here, hash = self._here[name], self._hashes.get(name, "")
        return Call(name, self.epoch, self.number, hash, here, self.terms.deadline)

    def answered(self, name: Name, answers: Sequence[Response], asked: int, holds: bool) -> list[Message]:
        """A trusted member has answered, in this process; its answer `holds` until it sees a change."""
        self._settle(name, answers, asked, holds)
        return self._progress(0.0)

    def _settle(self, name: Name, answers: Sequence[Response], asked: int, holds: bool) -> None:
        """Take over a member's whole answer: equally urgent responses."""
        self._answers[name] = answers
        self.waiting.discard(name)
        self.asked += asked
        if holds:
            self._held[name] = self._here[name], answers

    @property
    def ties(self) -> Sequence[Response]:
        """The most urgent of all answers so far, in the order of the agents; where everybody is silent, everybody."""
        said = [(rank(answers[0].priority), answers) for answers in self._answers.values() if len(answers)]
        best = min((urgency for urgency, _ in said), default=SILENCE)
        winners: list[Sequence[Response]] = [answers for urgency, answers in said if urgency == best]
        if len(winners) == 1:
            return winners[0]
        elsewhere = [answers for answers in winners if isinstance(answers, TiedAnswers)]
        if len(elsewhere) == len(winners):
            return TiedAnswers(claim for answers in elsewhere for claim in answers.claims)
        return sorted(chain.from_iterable(winners), key=lambda said: said.sender)

    @property
    def claims(self) -> list[AgentClaim]:
        """Every valid claim of this round, the less urgent too, of members that are trusted."""
        return [claim for name, heard in self._heard.items() if name not in self.quarantined for claim in heard.claims]

    # What is heard from elsewhere

    def hear(self, report: AreaReport, now: float = 0.0) -> list[Message]:
        """A report has come in, from anybody, about anything, at any time."""
        name = report.sender
        if report.epoch > max(self.epoch, FARTHEST) + LEAP:
            return self.fault(name, "impossible epoch")
        if report.epoch > self.epoch and name in self._here:
            return self._overtaken(name, report.epoch, now)
        if report.epoch != self.epoch:
            return self.fault(name, "older epoch")
        self.away.discard(name)
        if report.number != self.number or not self._open:
            return self.fault(name, "late")
        if name in self.quarantined or not self._here.get(name):
            return self.fault(name, "not asked")
        if report.hash != self._hashes.get(name, ""):
            return self._other_board(name)
        heard = self._heard.get(name)
        if heard is None:
            heard = Heard()
        before = heard.parts.get(report.part)
        if before is not None:
            return self._again(name, before, report.claims, now)
        if not (0 <= report.part < report.parts <= MOST_PARTS):
            return self.fault(name, "bad entry")
        self._note(name, heard, report)
        return self._progress(now)

    def _note(self, name: Name, heard: Heard, report: AreaReport) -> None:
        """Keep what is valid of a report; a report without anything valid is as good as none."""
        faults = [heard.take(claim, self._here[name], self.terms.letters) for claim in report.claims]
        for kind in filter(None, faults):
            self._strike(name) if kind == "contradiction" else self.fault(name, kind)
        if all(faults) and report.parts == 1:
            return
        self._heard[name] = heard
        heard.parts[report.part] = report.claims
        heard.asked += report.asked
        if len(heard.parts) == report.parts and heard.claims and name not in self.quarantined:
            self._settle(name, heard.best, heard.asked, self.terms.holds)

    def _again(
        self, name: Name, before: Sequence[AgentClaim], now_said: Sequence[AgentClaim], now: float
    ) -> list[Message]:
        """A second report of the same part: the first counts."""
        if list(before) == list(now_said):
            return self.fault(name, "duplicate")
        self._strike(name)
        return self._progress(now)

    def _strike(self, name: Name) -> None:
        """Two different answers from one agent are held against its host."""
        self.fault(name, "contradiction")
        if self.faults[name, "contradiction"] >= STRIKES:
            self._quarantine(name)

    def _other_board(self, name: Name) -> list[Message]:
        """An answer about another board: bring the host up to date and ask again."""
        self.fault(name, "other board")
        if name in self._answers or self._syncs.get(name, 0) >= MOST_SYNCS:
            return []
        self._syncs[name] = self._syncs.get(name, 0) + 1
        return [Sync(name), self._call(name)]

    def joined(self, name: Name, now: float = 0.0) -> list[Message]:
        """A host has come, or come back with nothing in its memory."""
        if name in self.quarantined:
            return []
        self.away.discard(name)
        self.affected(name)
        if not self._open or name in self._answers or not self._here.get(name):
            return [Sync(name)]
        self.waiting.add(name)
        return [Sync(name), self._call(name)]

    def renew(self, now: float, newest: int = 0) -> list[Message]:
        """The broker was gone, or another manager was here: a new epoch, in which the open round is repeated."""
        if self._open and self._repeats >= MOST_REPEATS:
            return []  # the deadline comes
        self.epoch = max(self.epoch, newest) + 1
        self._held.clear()
        if not self._open:
            return []
        self._repeats += 1
        calls = self._call_all(now)
        return [Sync(call.to) for call in calls if isinstance(call, Call)] + calls + self._progress(now)

    def _overtaken(self, name: Name, epoch: int, now: float) -> list[Message]:
        """A host has heard of a newer manager, or says so."""
        self.fault(name, "newer epoch")
        return [] if name in self.quarantined or not self._open else self.renew(now, epoch)

    # How a round ends

    def tick(self, now: float) -> list[Message]:
        """Time has passed."""
        if not self._open or now < self.due:
            return []
        for name in self.waiting:
            self.fault(name, "missing")
            self.away.add(name)
        if self._extensions and not self._enough():
            self._extensions -= 1
            self.due = now + self.terms.deadline
            return [self._call(name) for name in self._here if name in self.waiting]
        self.waiting.clear()
        self.due = SILENCE
        return self._progress(now)

    def _progress(self, now: float) -> list[Message]:
        """Decide if nobody is left to wait for."""
        if not self._open or self.waiting or self._generator is None:
            return []
        absent = [name for name, cells in self._here.items() if cells and name not in self._answers]
        how: How = "recomputed" if self._filled else "complete"
        if absent and self._enough():
            how = "quorum"
        elif absent and self._can_fill:
            self._fill(absent)
            how = "recomputed"
        elif absent and self.terms.missing == "extend" and self.due < SILENCE:
            return []  # somebody may still join
        elif absent:
            return self._end(None, "aborted")
        return self._decide(how)

    @property
    def _can_fill(self) -> bool:
        """Whether missing answers are worked out here."""
        return self.recompute is not None and self.terms.missing == "recompute"

    def _enough(self) -> bool:
        """Whether a quorum of the active agents has answered."""
        answered = sum(len(cells) for name, cells in self._here.items() if name in self._answers)
        return answered >= self.terms.quorum * sum(map(len, self._here.values())) and self.terms.quorum < 1

    def _fill(self, absent: Sequence[Name]) -> None:
        """Work out what the missing agents would have answered."""
        assert self.recompute
        for name in absent:
            here: Any = self._here[name]
            self._answers[name] = TiedAnswers(self.recompute(here))
            self._filled.add(name)

    def _decide(self, how: How) -> list[Message]:
        """Choose among the most urgent answers, but believe nobody who lies."""
        while True:
            ties = self.ties
            if not ties:
                lowest = min(min(cells) for cells in self._here.values() if cells)
                return self._end(Response(lowest, None, self.terms.letters[:1]), "fallback")
            said = self._pick(ties)
            # The winner's claim and an audit may name the same member: that is one lie, not two.
            liars = list(dict.fromkeys([*self._lied(said), *self._audited()]))
            if not liars:
                return self._end(said, how)
            for name in liars:
                self.fault(name, "lie")
                self._quarantine(name)
            if self._can_fill:
                self._fill([name for name, cells in self._here.items() if cells and name not in self._answers])
                how = "recomputed"
            else:
                how = "quorum"

    def _pick(self, ties: Sequence[Response]) -> Response:
        """One of equally urgent answers."""
        if self.terms.tie_break == "first":
            return ties[0]
        assert self._generator
        chosen: Response = self._generator.choice(ties)
        return chosen

    def _lied(self, said: Response) -> list[Name]:
        """The member behind the winner, if what it claims is not so."""
        if self.recompute is None:
            return []
        name = next((name for name in self._claiming() if said.sender in self._here[name]), None)
        if name is None:
            return []
        (truth,) = self.recompute(Cells([said.sender]))
        true = truth.priority == said.priority and said.letter in (truth.letters or [""])
        return [] if true else [name]

    def _audited(self) -> list[Name]:
        """Recompute agents chosen at random: members that keep quiet about urgent ones are found in time."""
        names = self._claiming()
        if self.recompute is None or self._chance is None or not names:
            return []
        found = []
        for _ in range(self.terms.audits):
            name = self._chance.choice(names)
            here: Any = self._here[name]
            (truth,) = self.recompute(Cells([here.pick(self._chance)]))
            # In this round everything that it has said is held against it, and not only what is urgent.
            said = self._heard[name] if name in self._heard else self._answers[name]
            if not agrees(said.claims, truth):
                found.append(name)
        return list(dict.fromkeys(found))

    def _claiming(self) -> list[Name]:
        """The members whose answers count and were not worked out here."""
        return [name for name in self._answers if name not in self._filled]

    def _quarantine(self, name: Name) -> None:
        """Ask this member no more, and believe nothing that it has said."""
        self.quarantined.add(name)
        self._answers.pop(name, None)
        self._held.pop(name, None)
        self.waiting.discard(name)

    def fault(self, name: Any, kind: str) -> list[Message]:
        self.faults[name, kind] += 1
        return []

    def _end(self, said: Response | None, how: How) -> list[Message]:
        self._open, self.due = False, SILENCE
        self.waiting.clear()
        self.choice = Choice(said, how, self.number)
        return [self.choice]
