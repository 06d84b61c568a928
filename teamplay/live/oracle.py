"""Did a round keep its promises? An independent account of what was delivered, to hold against what was chosen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from teamplay.errors import TeamplayError
from teamplay.live.host import written
from teamplay.team.messages import AgentClaim, AreaReport, Cells, Choice, Message, Sync
from teamplay.team.round import MOST_SYNCS, STRIKES, Rounds

if TYPE_CHECKING:
    from teamplay.live.simulator import World

COUNTED = ("late", "older epoch", "duplicate", "contradiction", "bad entry", "other board")
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
        self.quiet_expected, self.quiet_found = 0.0, 0
        self.choices: list[Choice] = []
        self.held: dict[Any, dict[int, Entry]] = {}
        self.strikes: Counter[Any] = Counter()
        self.struck: set[Any] = set()
        self.key, self.epoch = (0, 0), world.rounds.epoch
        self.here: Mapping[Any, Cells] = {}

    # What is delivered

    def begin(self, here: Mapping[Any, Cells]) -> None:
        self.here, self.choices, self.lies = here, [], 0
        self.restarted, self.unsure = False, set[Any]()
        self.before = set(self.world.rounds.quarantined)
        self.key = (0, 0)

    def changed(self) -> None:
        self.held = {}

    def joined(self, name: Any) -> None:
        """A host has lost its memory; what it said before does not hold in another round."""
        self._refresh()
        self.held.pop(name, None)
        if name in self.whole:
            self.unsure.add(name)

    def manager_lost(self) -> None:
        self._collect(self.world.rounds)
        self.held, self.restarted = {}, True
        self.strikes, self.struck, self.before = Counter(), set(), set()

    def _collect(self, rounds: Rounds[Any]) -> None:
        for (_, kind), count in rounds.faults.items():
            self.faults[kind] += count

    def _refresh(self) -> None:
        """A new round, or the same in a new epoch: nothing was answered yet, but what still holds."""
        rounds = self.world.rounds
        key = (rounds.epoch, rounds.number)
        if key != self.key:
            if rounds.epoch != self.epoch:
                self.held, self.epoch = {}, rounds.epoch
            self.key = key
            self.said: dict[Any, dict[int, Entry]] = {
                name: dict(entries) for name, entries in self.held.items() if self.here[name]
            }
            self.parts: dict[Any, dict[int, Sequence[AgentClaim]]] = {}
            self.whole = set(self.said)
            self.unsure.clear()
            self.syncs: Counter[Any] = Counter()

    def hear(self, report: AreaReport) -> None:
        """A report reaches the manager: what should it make of it?"""
        self._refresh()
        rounds, name = self.world.rounds, report.sender
        self.wants_sync = False
        if report.epoch != rounds.epoch:
            self.expected["older epoch"] += report.epoch < rounds.epoch
        elif report.number != rounds.number or rounds.choice is not None:
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
        else:
            self._read(report)

    def heard(self, report: AreaReport, out: Sequence[Message]) -> None:
        """What the manager made of it."""
        if self.wants_sync and Sync(report.sender) not in out:
            raise self._broken(f"{report.sender} speaks of another board and is not brought up to date")

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

    def check(self, number: int, seconds: float) -> None:
        """Safety: what was chosen is legal, true, and came about as it is said."""
        self._refresh()
        self.number = number
        world, rounds = self.world, self.world.rounds
        if len(self.choices) != 1:
            raise self._broken(f"{len(self.choices)} choices in one round")
        choice = self.choices[0]
        self.hows[choice.how] += 1
        if not rounds.quarantined <= set(world.vices):
            raise self._broken("an honest host is quarantined")
        if not self.struck <= rounds.quarantined:
            raise self._broken(f"{STRIKES} contradictions are not held against a host")
        if choice.said and choice.how != "fallback":
            self._check_quiet()
        if choice.said is None:
            self._check_aborted(choice, seconds)
        else:
            self._check_said(choice)
        if world.terms.holds:
            self.held = {name: self.said[name] for name in self._answered() - self.unsure}

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
        if world.marks[said.sender] != "b":
            raise self._broken(f"cell {said.sender} is not playable")
        if choice.how == "fallback":
            lowest = min(cell for cell, mark in enumerate(world.marks) if mark == "b")
            if said.sender != lowest or any(self.said[name] for name in self._answered()):
                raise self._broken("a fallback that is not the lowest cell, or was not needed")
            return
        if world.recomputes:
            (truth,) = world._recompute([said.sender])
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
                counted.update({c.first: (c.priority, c.letters) for cell in cells for c in world._recompute([cell])})
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

    def _check_quiet(self) -> None:
        """How likely were audits to find a quiet liar, and did they?"""
        world = self.world
        if not world.recomputes or not world.terms.audits:
            return
        for name, vice in world.vices.items():
            if vice != "quiet" or name in self.before or name not in self.whole:
                continue
            best = min(_rank(entry[0]) for entry in self.said[name].values())
            hidden = 0
            for cell in self.here[name]:
                (truth,) = world._recompute([cell])
                entry = self.said[name].get(cell)
                lies = _rank(truth.priority) <= best if entry is None else entry[0] != truth.priority
                hidden += lies
            share = hidden / len(self.here[name]) / len(self.whole)
            self.quiet_expected += 1 - (1 - share) ** world.terms.audits
            self.quiet_found += name in world.rounds.quarantined

    def check_counts(self) -> None:
        """Everything that was ignored is counted."""
        self._collect(self.world.rounds)
        for kind in COUNTED:
            if self.faults[kind] != self.expected[kind]:
                raise self._broken(f"{self.faults[kind]} counted as `{kind}`, not {self.expected[kind]}")

    def _broken(self, what: str) -> Violation:
        return Violation(f"seed {self.world.seed}, round {getattr(self, 'number', 0)}: {what}")


def _rank(priority: int | None) -> int:
    return 1 << 60 if priority is None else priority
