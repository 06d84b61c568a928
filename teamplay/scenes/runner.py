"""Runs the tests of scene files."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from teamplay.errors import TeamplayError
from teamplay.proof.verify import Bounds
from teamplay.scenes.binder import Rivalry, Staged, Suite, Test, load_suite
from teamplay.scenes.claims import alike, play, prove
from teamplay.scenes.coverage import Coverage
from teamplay.scenes.findings import Failure, Seen, TestResult
from teamplay.scenes.script import Beats, GoalClaim, Note
from teamplay.scenes.stage import act
from teamplay.team import Team

BOUNDS = Bounds(positions=10_000_000, seconds=60)  # for one claim in one seat
STATUSES = ("passed", "failed", "todo", "skipped")


@dataclass(frozen=True)
class Result:
    """What came of one test."""

    test: Test
    status: str
    note: str = ""
    failure: Failure | None = None


@dataclass
class Runner:
    """Runs tests with one seed and the same bounds; where coverage is wanted, by table, it is counted along."""

    seed: int = 0
    bounds: Bounds = BOUNDS
    coverage: dict[Path, Coverage] | None = None

    def run(self, suite: Suite, test: Test) -> Result:
        """Run one test. A `todo` may fail, and is reported as such."""
        seen = self._counting(suite)
        if test.mood == "skip":
            return Result(test, "skipped")
        if isinstance(test.subject, Note):
            return Result(test, "todo", "nobody has written it yet")
        try:
            found = self._finding(suite.team, test, seen)
        except TeamplayError as error:
            found = TestResult("", Failure((str(error),)))
        if found.failure is None:
            note = "it holds: take `todo` out" if test.mood else found.note
            return Result(test, "passed", note)
        return Result(test, "todo" if test.mood else "failed", found.note, found.failure)

    def _counting(self, suite: Suite) -> Seen:
        """What counts positions, if coverage is wanted: one for each table, by whatever path it is named."""
        if self.coverage is None:
            return None
        found = self.coverage.setdefault(suite.table.resolve(), Coverage(suite.table, suite.team.name))
        found.add(suite.team)
        return partial(found.look, suite.team)

    def _finding(self, team: Team, test: Test, seen: Seen) -> TestResult:
        match test.subject:
            case Staged() as staged:
                return act(staged, team, self.seed, seen)
            case GoalClaim() as claim:
                return prove(claim, team, self.bounds, seen)
            case Rivalry(Beats() as claim, rival):
                return play(claim, team, rival, self.seed, seen)
            case Rivalry(_, other):
                return alike(team, other, seen)
        raise TypeError(f"{test.subject} is no test")


@dataclass
class FileReport:
    """One scene file: why it could not be read, or what came of its tests."""

    path: Path
    suite: Suite | None = None
    error: str = ""
    results: list[Result] = field(default_factory=list)


def run_file(path: Path, runner: Runner, word: str = "", begin: Callable[[Test], None] | None = None) -> FileReport:
    """Run the tests with this word in their names or the file's; `begin` is called with each before it runs."""
    report = FileReport(path)
    try:
        report.suite = load_suite(path)
    except TeamplayError as error:
        report.error = str(error)
        return report
    for test in report.suite.tests:
        if word.casefold() in f"{path}::{test.name}".casefold():
            if begin:
                begin(test)
            report.results.append(runner.run(report.suite, test))
    return report
