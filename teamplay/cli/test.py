"""run scene files: drawings with what the team should do, questions and claims"""

import argparse
from dataclasses import replace
from pathlib import Path

from teamplay.cli import _arguments
from teamplay.cli._files import scenes
from teamplay.cli._progress import Progress
from teamplay.errors import BadSpec
from teamplay.scenes.binder import Test
from teamplay.scenes.coverage import Coverage, coverage_json, percent
from teamplay.scenes.report import report_json, show_coverage, show_file, summary, tally
from teamplay.scenes.runner import BOUNDS, FileReport, Runner, run_file
from teamplay.show.terminal import console, say


def arguments(parser: argparse.ArgumentParser) -> None:
    help = "scene files, tables that have some, or folders (default: this folder and all below)"
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help=help)
    parser.add_argument("-k", metavar="WORD", default="", help="only tests with this in their own or the file's name")
    help = "also report which rules the tests try, and why the others never answered"
    parser.add_argument("--cov", action="store_true", help=help)
    help = "exit 1 if less than P percent of the rules answer"
    parser.add_argument("--fail-under", type=_percent, metavar="P", help=help)
    help = "stop a proof after N positions (default: 10 million)"
    parser.add_argument("--max-positions", type=_arguments.whole_number, metavar="N", help=help)
    help = "stop a proof after S seconds (default: 60)"
    parser.add_argument("--max-seconds", type=_arguments.seconds, metavar="S", help=help)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    runner = _runner(args)
    reports = []
    for path in scenes(args.paths):
        reports.append(_report(path, runner, args.k))
        if not args.json:
            _show(reports[-1], not args.k)
    if args.k and not any(report.results or report.error for report in reports):
        raise BadSpec(f"No test has `{args.k[:80]}` in its name.")
    empty = 0 if args.k else sum(not report.results and not report.error for report in reports)
    found = list((runner.coverage or {}).values())
    enough = args.fail_under is None or _reaches(found, args.fail_under)
    if args.json:
        _print_json(reports, found, empty)
    else:
        _print_end(args, reports, found, empty, enough)
    if any(report.error for report in reports):
        return 2
    failed = any(result.status == "failed" for report in reports for result in report.results)
    return int(bool(failed or empty or not enough))


def _percent(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= 100:
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a whole number from 0 to 100")
    return int(text)


def _runner(args: argparse.Namespace) -> Runner:
    given = {"positions": args.max_positions, "seconds": args.max_seconds}
    bounds = replace(BOUNDS, **{key: value for key, value in given.items() if value is not None})
    wanted = args.cov or args.fail_under is not None
    return Runner(args.seed, bounds, {} if wanted else None)


def _report(path: Path, runner: Runner, word: str) -> FileReport:
    """Run a file, and show which test runs where that takes long."""
    with Progress() as progress:

        def begin(test: Test) -> None:
            if progress.watched:
                progress.say(f"{path}: {test.name} …")

        return run_file(path, runner, word, begin)


def _reaches(found: list[Coverage], least: int) -> bool:
    """Whether at least this percentage of all rules answered; exactly, so that 99.9 is less than 100."""
    return 100 * sum(table.fired for table in found) >= least * sum(len(table.counts) for table in found)


def _show(report: FileReport, all_tests: bool) -> None:
    if report.results or report.error or all_tests:
        show_file(console(), report, all_tests)


def _print_json(reports: list[FileReport], found: list[Coverage], empty: int) -> None:
    shown: dict[str, object] = {"files": [report_json(report) for report in reports], **tally(reports), "empty": empty}
    if found:
        shown["coverage"] = [coverage_json(table) for table in found]
    _arguments.print_json(shown)


def _print_end(
    args: argparse.Namespace, reports: list[FileReport], found: list[Coverage], empty: int, enough: bool
) -> None:
    """The coverage, if it was wanted, and the totals."""
    screen = console()
    show_coverage(screen, found)
    say(screen)
    if not enough:
        share = percent(sum(table.fired for table in found), sum(len(table.counts) for table in found))
        say(screen, f"The coverage is {share}%, less than the {args.fail_under}% that were asked for.", "bold red")
    say(screen, summary(reports, empty), "bold")
