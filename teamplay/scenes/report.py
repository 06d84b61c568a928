"""The results of tests, for the screen and for scripts."""

import io
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from teamplay.scenes.coverage import Coverage, RuleCount, percent
from teamplay.scenes.findings import Failure
from teamplay.scenes.runner import STATUSES, FileReport, Result
from teamplay.show.paste import put_options
from teamplay.show.picture import choice_json, heading_json
from teamplay.show.reasons import reason, reason_json
from teamplay.show.terminal import put_heat_map, put_table, put_tried, say
from teamplay.show.words import cell_name, counted, role_name

WORDS = {"passed": "ok", "failed": "FAILED", "todo": "todo", "skipped": "skipped"}
STYLES = {"passed": "green", "failed": "bold red", "todo": "yellow", "skipped": "dim"}
NOTHING = "It tests nothing; draw a scene, ask a cell or make a claim."


def show_file(screen: Console, report: FileReport, all_tests: bool) -> None:
    """One line per test, and below it everything about a failure."""
    say(screen, str(report.path), "bold")
    if report.error:
        for line in report.error.split("\n"):
            screen.print(line, style="red", no_wrap=True, overflow="ignore", crop=False)
        return
    if not report.results and all_tests:
        say(screen, f"{WORDS['failed']}  {NOTHING}", STYLES["failed"])
    for place, result in enumerate(report.results):
        if place and report.results[place - 1].status == "failed":
            say(screen)
        note = f" ({result.note})" if result.note else ""
        say(screen, f"{WORDS[result.status]:<7} {result.test.name}{note}", STYLES[result.status])
        if result.status == "failed" and result.failure:
            say(screen)
            show_failure(screen, result.failure)


def show_failure(screen: Console, failure: Failure) -> None:
    """What is wrong, the board, what was chosen, by which rule, the counts measured, and what was expected."""
    picture = failure.picture
    for problem in failure.problems:
        say(screen, problem, "bold")
    if picture:
        say(screen)
        put_heat_map(screen, picture)
        put_options(screen, picture.game, picture.position)
    if failure.chosen:
        say(screen, f"chosen:   {failure.chosen}")
    if failure.expected:
        say(screen, f"expected: {failure.expected}")
    for cell in failure.explained if picture else ():
        assert picture
        grid = picture.game.grid
        say(screen)
        say(screen, f"{cell_name(grid, cell)}, {role_name(grid, cell)}:")
        put_tried(screen, reason(picture, cell))


def failure_text(failure: Failure) -> str:
    """A failure as plain text."""
    page = io.StringIO()
    screen = Console(file=page, width=100, highlight=False, markup=False, emoji=False, color_system=None)
    show_failure(screen, failure)
    return page.getvalue().rstrip()


def tally(reports: Sequence[FileReport]) -> dict[str, int]:
    """How many tests came out how; a file without a test is a failure."""
    found = Counter(result.status for report in reports for result in report.results)
    return {status: found[status] for status in STATUSES}


def summary(reports: Sequence[FileReport], empty: int) -> str:
    """`12 passed, 1 failed, 2 to do`."""
    counts = tally(reports)
    words = {"passed": "passed", "failed": "failed", "todo": "to do", "skipped": "skipped"}
    parts = [f"{counts[status]:,} {word}" for status, word in words.items() if counts[status] or status == "passed"]
    if empty:
        parts.append(f"{counted(empty, 'empty file')}")
    if broken := sum(bool(report.error) for report in reports):
        parts.append(f"{counted(broken, 'file')} can't be used")
    return f"{', '.join(parts)}."


def show_coverage(screen: Console, found: Sequence[Coverage]) -> None:
    """Every rule with its counts, and why the cold ones are cold."""
    for table in found:
        share = f"{table.fired} of {counted(len(table.counts), 'rule')} answered"
        where = counted(table.positions, "position")
        say(screen)
        say(screen, f"{table.name}: {share} in {where}, {percent(table.fired, len(table.counts))}%", "bold")
        rows = [(count.name, str(count.rule.span.line), *(f"{n:,}" for n in _numbers(count))) for count in table.rules]
        put_table(screen, ("rule", "line", "asked", "true", "fired", "chosen"), rows)
        for count in table.rules:
            if count.cold:
                say(screen, f"`{count.name}` is cold: {count.why()}.")


def _numbers(count: RuleCount) -> tuple[int, int, int, int]:
    return count.asked, count.true, count.fired, count.chosen


def report_json(report: FileReport) -> dict[str, Any]:
    """One file for scripts."""
    suite = report.suite
    return {
        "file": str(report.path),
        "table": str(suite.table) if suite else None,
        "game": str(suite.team.game) if suite else None,
        "error": report.error or None,
        "tests": [_result_json(result) for result in report.results],
    }


def _result_json(result: Result) -> dict[str, Any]:
    test = result.test
    shown = {"name": test.name, "kind": test.kind, "line": test.line, "status": result.status, "note": result.note}
    if result.failure:
        shown["failure"] = failure_json(result.failure)
    return shown


def failure_json(failure: Failure) -> dict[str, Any]:
    """A failure for scripts."""
    shown: dict[str, Any] = {
        "problems": list(failure.problems),
        "chosen": failure.chosen or None,
        "expected": failure.expected or None,
    }
    if failure.picture:
        shown |= heading_json(failure.picture) | choice_json(failure.picture) | {"chosen": failure.chosen or None}
        shown["reasons"] = [reason_json(failure.picture, reason(failure.picture, cell)) for cell in failure.explained]
    return shown
