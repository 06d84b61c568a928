"""Did a round keep its promises? An independent account of what was delivered, to hold against what was chosen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from teamplay.errors import TeamplayError
from teamplay.live.host import written
from teamplay.team.claims import GREATEST
from teamplay.team.messages import AgentClaim, AreaReport, Call, Cells, Choice, Message, Sync
from teamplay.team.round import FARTHEST, LEAP, MOST_PARTS, MOST_REPEATS, MOST_SYNCS, STRIKES, Rounds

if TYPE_CHECKING:
    from teamplay.live.simulator import World

COUNTED = (
    "late",
    "older epoch",
    "impossible epoch",
    "duplicate",
    "contradiction",
    "bad entry",
    "other board",
    "missing",
    "lie",
)
Entry = tuple[int | None, str]


class Violation(TeamplayError):
    """The core broke a promise; the seed replays it."""


class RoundOracle:
    """Follows one world. It looks at deliveries, and believes nothing that the manager says about them."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.hows: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()  # as the managers counted them
        self.expected: Counter[str] = Counter()  # as they should have
        self.audits = {
            "the lowest agent": [0.0, 0.0],
            "the last host": [0.0, 0.0],
        }  # looks that were due, and were made
        self.looked: list[int] = []  # agents that the manager has recomputed one by one in this event
        self.choices: list[Choice] = []
        self.wants_sync, self.latest = False, ""
        self.held: dict[Any, tuple[Cells, dict[int, Entry]]] = {}
        self.number = 0
        self._forget(world.rounds.epoch)
        self.here: Mapping[Any, Cells] = {}

    def _forget(self, epoch: int) -> None:
        """What a manager without any memory knows."""
        self.key, self.epoch = (0, 0), epoch
        self.held = {}
        self.strikes: Counter[Any] = Counter()
        self.struck: set[Any] = set()
        self.away: set[Any] = set()  # who missed a deadline and was not heard of since
        self.quarantined: set[Any] = set()  # of the last event
        self.repeats, self.extended, self.over = 0, False, False

    # What is delivered

    def begin(self, here: Mapping[Any, Cells], number: int) -> None:
        self.here, self.choices, self.number = here, [], number
        self.restarted, self.unsure = False, set[Any]()
        self.before = set(self.world.rounds.quarantined)
        self.repeats, self.extended, self.over = -1, False, False
        self.key = (0, 0)

    def changed(self) -> None:
        self.held = {}

    def joined(self, name: Any) -> None:
        """A host has lost its memory; what it said before does not hold in another round."""
        self._refresh()
        self.held.pop(name, None)
        if name in self.quarantined:
            return
        self.away.discard(name)
        if name in self.whole:
            self.unsure.add(name)
        elif self.here[name]:
            self.waits.add(name)
            self.to_call.add(name)

    def manager_lost(self) -> None:
        self._collect(self.world.rounds)
        self._forget(0)
        self.restarted, self.before, self.repeats = True, set(), -1

    def _collect(self, rounds: Rounds[Any]) -> None:
        for (_, kind), count in rounds.faults.items():
            self.faults[kind] += count

    def _refresh(self) -> None:
        """A new round, or the same in a new epoch: nothing was answered yet, but what still holds."""
        rounds = self.world.rounds
        key = (rounds.epoch, rounds.number)
        if key == self.key:
            return
        if rounds.epoch != self.epoch:
            self.held, self.epoch = {}, rounds.epoch
        self.key = key
        self.repeats += 1
        self.said: dict[Any, dict[int, Entry]] = {
            name: dict(entries) for name, (cells, entries) in self.held.items() if cells and cells == self.here[name]
        }
        self.parts: dict[Any, dict[int, Sequence[AgentClaim]]] = {}
        self.whole = set(self.said)
        self.unsure.clear()
        self.syncs: Counter[Any] = Counter()
        asked = {name for name, cells in self.here.items() if cells and name is not None}
        self.to_call = asked - self.whole - rounds.quarantined
        self.waits = self.to_call - self.away if self._fills() else set(self.to_call)

    def _fills(self) -> bool:
        """Whether missing answers are recomputed."""
        return self.world.recomputes and self.world.terms.missing == "recompute"

    def recomputed(self, cells: Any) -> None:
        """The manager works something out by itself: what is missing of a host, or what one agent says."""
        if not any(cells is here for here in self.here.values()):
            self.looked += cells

    def deadline(self) -> None:
        """The deadline passes: who is missing, and may the round go on?"""
        self._refresh()
        self.expected["missing"] += len(self.waits)
        self.away |= self.waits
        if self.world.terms.missing == "extend" and not self.extended and not self._enough():
            self.extended = True
            self.to_call = set(self.waits)
        else:
            self.over = True
            self.waits.clear()

    def hear(self, report: AreaReport) -> None:
        """A report reaches the manager: what should it make of it?"""
        self._refresh()
        rounds, name = self.world.rounds, report.sender
        self.wants_sync = False
        if report.epoch > max(rounds.epoch, FARTHEST) + LEAP:
            self.expected["impossible epoch"] += 1
            return
        if report.epoch != rounds.epoch:
            self.expected["older epoch"] += report.epoch < rounds.epoch
            return
        self.away.discard(name)
        if report.number != rounds.number or rounds.choice is not None:
            self.expected["late"] += 1
        elif name in rounds.quarantined or not self.here[name]:
            return
        elif report.hash != written(self.world.hash):
            self.expected["other board"] += 1
            self.wants_sync = name not in self.whole and self.syncs[name] < MOST_SYNCS
            self.syncs[name] += self.wants_sync
        elif report.part in self.parts.get(name, {}):
            same = list(self.parts[name][report.part]) == list(report.claims)
            self.expected["duplicate" if same else "contradiction"] += 1
            if not same:
                self._strike(name)
        elif not 0 <= report.part < report.parts <= MOST_PARTS:
            self.expected["bad entry"] += 1
        else:
            self._read(report)

    def heard(self, report: AreaReport, out: Sequence[Message]) -> None:
        """What the manager made of it."""
        synced = Sync(report.sender) in out
        if self.wants_sync and not synced:
            raise self._broken(f"{report.sender} speaks of another board and is not brought up to date")
        if synced and not self.wants_sync and report.epoch == self.epoch == self.world.rounds.epoch:
            raise self._broken(f"{report.sender} is brought up to date again and again")

    def after(self, messages: Sequence[Message]) -> None:
        """The manager has dealt with an event: did it ask whom it should, and does it wait for the right ones?"""
        self._refresh()
        rounds = self.world.rounds
        called = [message.to for message in messages if isinstance(message, Call)]
        if (called or self.to_call) and not self.wants_sync and sorted(called) != sorted(self.to_call):
            raise self._broken(f"{called} are called, not {sorted(self.to_call)}")
        self.to_call, self.wants_sync = set(), False
        if rounds.epoch > GREATEST:
            raise self._broken("no message can carry this epoch")
        if self.repeats > MOST_REPEATS:
            raise self._broken("repeated again and again")
        caught, looked = rounds.quarantined - self.quarantined, self.looked
        self._check_caught(caught)
        self.quarantined |= caught
        self.waits -= caught
        self.looked = []
        if caught and rounds.choice:
            return  # the liar's answers counted when the round ended
        self._check_looks(looked)
        may_join = self.world.terms.missing == "extend" and not self.over and self._missing() and not self._enough()
        if bool(self.waits or may_join) != (rounds.choice is None):
            raise self._broken("the manager waits for nobody" if rounds.choice is None else "the manager does not wait")

    def _missing(self) -> bool:
        return any(cells and name not in self._answered() for name, cells in self.here.items())

    def _enough(self) -> bool:
        """Whether those who have answered are a quorum."""
        quorum = self.world.terms.quorum
        return quorum < 1 and self._share() >= quorum

    def _check_caught(self, names: set[Any]) -> None:
        """Somebody was quarantined: it has lied, or has contradicted itself too often."""
        for name in names - self.struck:
            self.expected["lie"] += 1
            if not self._lies(name):
                raise self._broken(f"{name} is quarantined, and has not lied")

    def _lies(self, name: Any) -> bool:
        """Whether some agent of a host says something else than the host reported."""
        return any(not self._true(name, cell) for cell in self.here[name])

    def _true(self, name: Any, cell: int) -> bool:
        """Whether a report leaves room for what one agent says."""
        said = self.said.get(name, {})
        (truth,) = self.world.truths([cell])
        if cell in said:
            return said[cell][0] == truth.priority and set(said[cell][1]) == set(truth.letters)
        return bool(said) and _rank(truth.priority) > min(_rank(entry[0]) for entry in said.values())

    def _check_looks(self, looked: list[int]) -> None:
        """Where nobody was caught: the winner was looked at, and as many others as there are audits; all is true."""
        choice, audits = self.world.rounds.choice, self.world.terms.audits
        if choice is None or choice.said is None or choice.how == "fallback" or not self.world.recomputes:
            if looked:
                raise self._broken("looks at agents for nothing")
            return
        names = {cell: name for name in self._answered() for cell in self.here[name]}
        winner = [choice.said.sender] if choice.said.sender in names else []
        if looked[: len(winner)] != winner or len(looked) != len(winner) + audits * bool(names):
            raise self._broken(f"the manager looks at {looked}, not at the winner and {audits} others")
        for cell in looked[len(winner) :]:
            if not self._true(names[cell], cell):
                raise self._broken(f"an audit of {cell} has seen that {names[cell]} lies, and nothing happens")
            self._note_audit(cell, names)

    def _note_audit(self, cell: int, names: dict[int, Any]) -> None:
        """Audits look everywhere: no agent is too low for them, and no host too slow."""
        low, hosts = min(names), len(set(names.values()))
        due, looked = self.audits["the lowest agent"]
        self.audits["the lowest agent"] = [due + 1 / hosts / len(self.here[names[low]]), looked + (cell == low)]
        if self.latest in names.values():
            due, looked = self.audits["the last host"]
            self.audits["the last host"] = [due + 1 / hosts, looked + (names[cell] == self.latest)]

    def _strike(self, name: Any) -> None:
        self.strikes[name] += 1
        if self.strikes[name] >= STRIKES:
            self.struck.add(name)

    def _read(self, report: AreaReport) -> None:
        """The valid entries; the first about a cell counts."""
        name, valid = report.sender, False
        said = self.said.setdefault(name, {})
        for claim in report.claims:
            cells = self._cells(claim, self.here[name])
            if cells is None:
                self.expected["bad entry"] += 1
            elif any(cell in said for cell in cells):
                self.expected["contradiction"] += 1
                self._strike(name)
            else:
                valid = True
                said.update(dict.fromkeys(cells, (claim.priority, claim.letters)))
        if valid or report.parts > 1:
            parts = self.parts.setdefault(name, {})
            parts[report.part] = report.claims
            if len(parts) == report.parts and said:
                self.whole.add(name)
                self.latest = name
                self.waits.discard(name)

    def _cells(self, claim: AgentClaim, here: Cells) -> range | None:
        """The cells of a claim, or None if something about it is wrong."""
        first, length, priority, letters, _ = claim
        if any(isinstance(part, bool) or not isinstance(part, int) for part in (first, length)):
            return None
        if isinstance(priority, bool) or not isinstance(priority, int | None) or abs(priority or 0) >= 1 << 53:
            return None
        known = self.world.terms.letters
        if bool(letters) != bool(known) or any(letter not in known or letters.count(letter) > 1 for letter in letters):
            return None
        cells = range(first, first + length)
        return cells if length >= 1 and all(cell in here for cell in cells) else None

    def chosen(self, choice: Choice) -> None:
        self.choices.append(choice)

    # What must hold at the end of a round

    def check(self, seconds: float) -> None:
        """Safety: what was chosen is legal, true, and came about as it is said."""
        self._refresh()
        world, rounds = self.world, self.world.rounds
        if len(self.choices) != 1:
            raise self._broken(f"{len(self.choices)} choices in one round")
        choice = self.choices[0]
        self.hows[choice.how] += 1
        if not rounds.quarantined <= set(world.vices):
            raise self._broken("an honest host is quarantined")
        if not self.struck <= rounds.quarantined:
            raise self._broken(f"{STRIKES} contradictions are not held against a host")
        if choice.said is None:
            self._check_aborted(choice, seconds)
        else:
            self._check_said(choice)
        self._check_asked(choice)
        if world.terms.holds:
            for name in self._answered() - self.unsure:
                best = min(_rank(entry[0]) for entry in self.said[name].values())
                urgent = {cell: entry for cell, entry in self.said[name].items() if _rank(entry[0]) == best}
                self.held[name] = self.here[name], urgent

    def _check_asked(self, choice: Choice) -> None:
        """How many agents had to think, where that is simple to say."""
        if choice.how == "complete" and not (self.world.vices or self.repeats or self.restarted):
            thought = sum(len(self.here[name]) for name in self.parts)
            if self.world.rounds.asked != thought:
                raise self._broken(f"{self.world.rounds.asked} agents had to think, not {thought}")

    def _answered(self) -> set[Any]:
        return {name for name in self.whole if name not in self.world.rounds.quarantined}

    def _share(self) -> float:
        answered = sum(len(self.here[name]) for name in self._answered())
        return answered / sum(map(len, self.here.values()))

    def _check_aborted(self, choice: Choice, seconds: float) -> None:
        world = self.world
        if choice.how != "aborted" or (world.recomputes and world.terms.missing == "recompute"):
            raise self._broken("aborted, though the missing answers could be recomputed")
        if self._share() == 1:
            raise self._broken("aborted, though everybody has answered")
        if world.terms.quorum < 1 and self._share() >= world.terms.quorum:
            raise self._broken("aborted, though there is a quorum")
        if world.terms.missing == "extend" and not self.restarted and seconds < 2 * world.terms.deadline - 1e-9:
            raise self._broken("aborted without an extension")

    def _check_said(self, choice: Choice) -> None:
        world, said = self.world, choice.said
        assert said
        active = set().union(*self.here.values())
        if said.sender not in active:
            raise self._broken(f"cell {said.sender} is not playable")
        if choice.how == "fallback":
            lowest = min(active)
            if said.sender != lowest or any(self.said[name] for name in self._answered()):
                raise self._broken("a fallback that is not the lowest cell, or was not needed")
            return
        if world.recomputes:
            (truth,) = world.truths([said.sender])
            if truth.priority != said.priority or said.letter not in (truth.letters or [""]):
                raise self._broken(f"a false claim has won: {said}, but {truth}")
        lied = bool(world.rounds.quarantined - self.before)
        complete = self._share() == 1
        if choice.how == "complete" and not complete:
            raise self._broken("called complete, though somebody is missing")
        if choice.how == "quorum" and not lied and (complete or self._share() < world.terms.quorum):
            raise self._broken("called a quorum, which it is not")
        if choice.how == "recomputed" and complete and not lied:
            raise self._broken("called recomputed, though everybody has answered")
        self._check_choice(choice, lied)

    def _check_choice(self, choice: Choice, lied: bool) -> None:
        """Which answer should have won: with the same generator, by a plain look at all answers that count."""
        world, counted = self.world, dict[int, Entry]()
        for name, cells in self.here.items():
            if name in self._answered():
                counted.update(self.said[name])
            elif choice.how == "recomputed":
                counted.update({c.first: (c.priority, c.letters) for cell in cells for c in world.truths([cell])})
        ranks = {cell: 1 << 60 if entry[0] is None else entry[0] for cell, entry in counted.items()}
        best = min(ranks.values())
        ties = [
            (cell, letter) for cell in sorted(counted) if ranks[cell] == best for letter in counted[cell][1] or [""]
        ]
        assert choice.said
        winner = choice.said.sender, choice.said.letter
        if winner not in ties:
            raise self._broken(f"{choice.said} is none of the most urgent answers {ties}")
        if not lied:
            wanted = ties[0] if world.terms.tie_break == "first" else ties[self.number * 7919 % len(ties)]
            if winner != wanted:
                raise self._broken(f"{winner} was chosen, where one process would choose {wanted}")

    def check_counts(self) -> None:
        """Everything that was ignored is counted."""
        self._collect(self.world.rounds)
        for kind in COUNTED:
            if self.faults[kind] != self.expected[kind]:
                raise self._broken(f"{self.faults[kind]} counted as `{kind}`, not {self.expected[kind]}")

    def _broken(self, what: str) -> Violation:
        return Violation(f"seed {self.world.seed}, round {self.number}: {what}")


def _rank(priority: int | None) -> int:
    return 1 << 60 if priority is None else priority
