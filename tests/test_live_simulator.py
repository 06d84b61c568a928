"""The rounds on a bad network: faulty rounds keep every promise, and every mutant of the core breaks one."""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import teamplay.team.claims
import teamplay.team.messages
import teamplay.team.round
from teamplay.live.oracle import Violation
from teamplay.live.simulator import ROUNDS, World, simulate
from teamplay.team.round import Rounds

ROUND, CLAIMS, MESSAGES = (
    Path(str(module.__file__)).read_text(encoding="utf-8")
    for module in (teamplay.team.round, teamplay.team.claims, teamplay.team.messages)
)
PAGE = (Path(__file__).parents[1] / "docs" / "live.md").read_text(encoding="utf-8")

# What is changed in the core, by the name under which docs/live.md lists it.
MUTANTS = {
    "waits for ever": ("if not self._open or now < self.due:\n            return []", "return []"),
    "ignores the quorum": ("return answered >= self.terms.quorum * sum", "return answered >= 0.0 * sum"),
    "needs everybody": ("if absent and self._enough():\n            how", "if False:\n            how"),
    "aborts though it could recompute": ("elif absent and self._can_fill:", "elif False:"),
    "does not count the missing": ('self.fault(name, "missing")\n', "pass\n"),
    "waits again for who missed a deadline": ("if name not in self.away or not self._can_fill:", "if True:"),
    "never asks again who missed a deadline": (
        "calls.append(self._call(name))",
        "calls += [] if name in self.away else [self._call(name)]",
    ),
    "never waits again for who missed a deadline": (
        "self.away.discard(name)\n        if report.number",
        "pass\n        if report.number",
    ),
    "does not ask who has come back": (
        "self.waiting.add(name)\n        return [Sync(name), self._call(name)]",
        "return [Sync(name)]",
    ),
    "never extends": ("if self._extensions and not self._enough():", "if False:"),
    "extends again and again": ("self._extensions -= 1", "pass"),
    "extends though there is a quorum": ("if self._extensions and not self._enough():", "if self._extensions:"),
    "extends without asking again": (
        "return [self._call(name) for name in self._here if name in self.waiting]",
        "return []",
    ),
    "goes on without the missing": ('return self._end(None, "aborted")', 'return self._decide("complete")'),
    "accepts late answers": ("if report.number != self.number or not self._open:", "if not self._open:"),
    "forgets the epoch": ("if report.epoch != self.epoch:", "if report.epoch > self.epoch:"),
    "believes any epoch": ("if report.epoch > max(self.epoch, FARTHEST) + LEAP:", "if False:"),
    "accepts duplicates": ("if before is not None:", "if False:"),
    "does not count what is late": ('return self.fault(name, "late")', "return []"),
    "lets the last answer count": (
        'return "contradiction"\n        self.spans',
        "self.claims.clear()\n        self.spans",
    ),
    "forgives contradictions": ('if self.faults[name, "contradiction"] >= STRIKES:', "if False:"),
    "quarantines at the first contradiction": (">= STRIKES", ">= 1"),
    "accepts any part": ("if not (0 <= report.part < report.parts <= MOST_PARTS):", "if False:"),
    "is content with a part": ("len(heard.parts) == report.parts", "len(heard.parts) >= 1"),
    "accepts any cell": ("and bool(here.covers(first, length))", ""),
    "accepts any type": ("type(priority) is not int or ", ""),
    "accepts any number": ("not -GREATEST <= priority <= GREATEST", "False"),
    "accepts any letter": ("return set(letters) <= set(known) and", "return"),
    "drops the rest with a bad entry": ("if all(faults) and report.parts == 1:", "if any(faults):"),
    "skips the hash": ('if report.hash != self._hashes.get(name, ""):', "if False:"),
    "brings nobody up to date": (
        "return [Sync(name), self._call(name)]\n\n    def joined",
        "return []\n\n    def joined",
    ),
    "brings up to date without end": (" or self._syncs.get(name, 0) >= MOST_SYNCS", ""),
    "skips the check of the winner": (
        "dict.fromkeys([*self._lied(said), *self._audited()])",
        "self._audited()",
    ),
    "checks the priority alone": (' and said.letter in (truth.letters or [""])', ""),
    "keeps asking a liar": ("self.quarantined.add(name)\n", "pass\n"),
    "listens to a liar": (
        "if name in self.quarantined or not self._here.get(name):",
        "if not self._here.get(name):",
    ),
    "waits for a liar": (
        "self._held.pop(name, None)\n        self.waiting.discard(name)",
        "self._held.pop(name, None)",
    ),
    "counts a lie twice": (
        "list(dict.fromkeys([*self._lied(said), *self._audited()]))",
        "[*self._lied(said), *self._audited()]",
    ),
    "audits the priority alone": (" and set(claim.letters) == set(truth.letters)", ""),
    "audits the lowest agents": ("here.pick(self._chance)", "min(here)"),
    "audits the first to answer": ("self._chance.choice(names)", "names[0]"),
    "audits nobody": ("for _ in range(self.terms.audits):", "for _ in range(0):"),
    "falls back on any cell": (
        "lowest = min(min(cells) for cells",
        "lowest = max(max(cells) for cells",
    ),
    "hides a fallback": ('self.terms.letters[:1]), "fallback")', "self.terms.letters[:1]), how)"),
    "calls everything complete": (
        "self.choice = Choice(said, how, self.number)",
        'self.choice = Choice(said, "complete", self.number)',
    ),
    "repeats in the same epoch": ("self.epoch = max(self.epoch, newest) + 1", "pass"),
    "repeats again and again": ("if self._open and self._repeats >= MOST_REPEATS:", "if False:"),
    "keeps answers over another question": ("held is not None and held[0] == cells", "held is not None"),
    "keeps answers over a change": ("self._held.pop(name, None)\n\n    def begin", "pass\n\n    def begin"),
    "keeps answers over an epoch": ("self._held.clear()\n", "pass\n"),
    "breaks ties by arrival": ("self.claims = sorted(claims)", "self.claims = list(claims)"),
    "does not count who thinks": ("self.asked += asked", "pass"),
    "chooses twice": ("return [self.choice]\n", "return [self.choice, self.choice]\n"),
}
WORLDS = 600  # in which a mutant must be found
FIRST = 50_000


def mutant(name: str) -> type[Rounds[str]]:
    """The core with one change."""
    old, new = MUTANTS[name]
    count = (ROUND + CLAIMS + MESSAGES).count(old)
    assert count == 1, f"{name}: the text to change stands {count} times in the core"
    module: Any = loaded(ROUND.replace(old, new))
    if old in CLAIMS:
        claims: Any = loaded(CLAIMS.replace(old, new))
        module.Heard, module.agrees = claims.Heard, claims.agrees
    if old in MESSAGES:
        messages: Any = loaded(MESSAGES.replace(old, new))
        module.TiedAnswers = messages.TiedAnswers
        claims = loaded(CLAIMS)
        claims.TiedAnswers, module.Heard = messages.TiedAnswers, claims.Heard
    return module.Rounds  # type: ignore[no-any-return]


def loaded(source: str) -> ModuleType:
    module = ModuleType("mutant")
    sys.modules["mutant"] = module  # dataclasses look there
    exec(compile(source, "mutant", "exec"), vars(module))
    return module


@pytest.mark.parametrize("rounds", [20_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_thousands_of_faulty_rounds_keep_every_promise(rounds: int) -> None:
    tally = simulate(0, rounds // ROUNDS)
    assert tally.rounds == rounds
    assert min(tally.hows[how] for how in ("complete", "quorum", "recomputed", "fallback", "aborted")) > rounds // 100
    kinds = {"late", "older epoch", "newer epoch", "duplicate", "contradiction", "bad entry", "other board", "lie"}
    assert all(tally.faults[kind] > rounds // 1000 for kind in kinds)


@pytest.mark.parametrize("seed", range(20))
def test_without_faults_every_choice_is_complete(seed: int) -> None:
    world = World(seed, faulty=False)
    world.run()
    assert set(world.oracle.hows) == {"complete"}
    assert not +world.rounds.faults


@pytest.mark.parametrize("name", MUTANTS)
def test_the_simulator_finds_every_mutant(name: str) -> None:
    with pytest.raises(Violation, match=r"seeds? \d+"):
        simulate(FIRST, WORLDS, mutant(name))


def test_a_failing_seed_replays() -> None:
    with pytest.raises(Violation) as first:
        simulate(FIRST, WORLDS, mutant("accepts any cell"))
    found = re.match(r"seed (\d+)", str(first.value))
    assert found
    with pytest.raises(Violation) as again:
        World(int(found[1]), mutant("accepts any cell")).run()
    assert str(again.value) == str(first.value)


def test_the_page_lists_every_mutant() -> None:
    section = PAGE.partition("## Mutants")[2].partition("\n## ")[0]
    assert set(re.findall(r"^- ([^\n]+)", section, re.MULTILINE)) >= set(MUTANTS)


@pytest.mark.parametrize("seed", [16661, 206651])
def test_a_lie_about_an_agent_that_is_not_urgent_is_seen_by_an_audit(seed: int) -> None:
    """Found by a long simulation: audits looked only at the most urgent of what a host had said."""
    World(seed).run()
