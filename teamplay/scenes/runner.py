"""Runs the tests of scene files."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from teamplay.errors import BadFile, TeamplayError
from teamplay.proof.verify import Bounds
from teamplay.scenes.binder import Contest, Staged, Suite, Test, load_suite
from teamplay.scenes.claims import alike, play, prove
from teamplay.scenes.coverage import Coverage
from teamplay.scenes.findings import Failure, Finding
from teamplay.scenes.script import Beats, Note, Outlook
from teamplay.scenes.stage import act

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
        """One test. What is still to do may fail, and is told."""
        if self.coverage is not None:
            self.coverage.setdefault(suite.table, Coverage(suite.table, suite.team.name)).add(suite.team)
        if test.mood == "skip":
            return Result(test, "skipped")
        if isinstance(test.subject, Note):
            return Result(test, "todo", "nobody has written it yet")
        try:
            found = self._finding(suite, test)
        except TeamplayError as error:
            found = Finding("", Failure((str(error),)))
        if found.failure is None:
            note = "it holds: take `todo` out" if test.mood else found.note
            return Result(test, "passed", note)
        return Result(test, "todo" if test.mood else "failed", found.note, found.failure)

    def _finding(self, suite: Suite, test: Test) -> Finding:
        team, seen = suite.team, None
        if self.coverage is not None:
            seen = partial(self.coverage[suite.table].look, team)
        match test.subject:
            case Staged() as staged:
                return act(staged, team, self.seed, seen)
            case Outlook() as claim:
                return prove(claim, team, self.bounds, seen)
            case Contest(Beats() as claim, rival):
                return play(claim, team, rival, self.seed, seen)
            case Contest(_, other):
                return alike(team, other, seen)
        raise TypeError(f"{test.subject} is no test")


@dataclass
class FileReport:
    """One scene file: why it could not be read, or what came of its tests."""

    path: Path
    suite: Suite | None = None
    error: str = ""
    results: list[Result] = field(default_factory=list)


def find(paths: list[Path]) -> list[Path]:
    """The scene files that are named, and all below the folders that are."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            found.update(dict.fromkeys(_below(path)))
        elif path.suffix != ".scene" and path.exists():
            raise BadFile(f"{path} is not a scene file; name a folder or a file that ends in .scene.")
        else:
            found[path] = None
    if not found:
        raise BadFile(f"There is no scene file under {', '.join(map(str, paths))}; their names end in .scene.")
    return list(found)


def _below(folder: Path) -> Iterator[Path]:
    """The scene files of a folder and those below it, hidden ones and environments (which hold ours) left out."""
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != "." and not Path(here, name, "pyvenv.cfg").exists())
        yield from (Path(here, name) for name in sorted(files) if name.endswith(".scene"))


def run_file(path: Path, runner: Runner, word: str = "", begin: Callable[[Test], None] | None = None) -> FileReport:
    """Run the tests with this word in their names or the file's; `begin` is told each before it runs."""
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
