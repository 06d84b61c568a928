"""try a table's scenes: drawings with what the team should do, questions and claims"""

import argparse

from teamplay.cli import _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from teamplay.scenes.binder import Test
    from teamplay.scenes.coverage import Coverage
    from teamplay.scenes.runner import FileReport, Runner


def arguments(parser: argparse.ArgumentParser) -> None:
    help = "scene files, tables that have some, or folders (default: this folder and all below)"
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help=help)
    parser.add_argument("-k", metavar="WORD", default="", help="only tests with this in their own or the file's name")
    parser.add_argument("--cov", action="store_true", help="also tell which rules the tests try, and why not the rest")
    parser.add_argument("--fail-under", type=_percent, metavar="P", help="with less coverage than P percent, exit 1")
    parser.add_argument(
        "--max-positions", type=_arguments.whole_number, metavar="N", help="bound for a claim (default: 10 million)"
    )
    parser.add_argument(
        "--max-seconds", type=_arguments.seconds, metavar="S", help="bound for a claim (default: 60 seconds)"
    )
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from teamplay.cli._files import scenes
    from teamplay.errors import BadSpec

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


def _runner(args: argparse.Namespace) -> "Runner":
    from dataclasses import replace

    from teamplay.scenes.runner import BOUNDS, Runner

    given = {"positions": args.max_positions, "seconds": args.max_seconds}
    bounds = replace(BOUNDS, **{key: value for key, value in given.items() if value is not None})
    wanted = args.cov or args.fail_under is not None
    return Runner(args.seed, bounds, {} if wanted else None)


def _report(path: "Path", runner: "Runner", word: str) -> "FileReport":
    """Run a file, and say what is at work where that takes long."""
    from teamplay.cli._progress import Progress
    from teamplay.scenes.runner import run_file

    with Progress() as progress:

        def begin(test: "Test") -> None:
            if progress.watched:
                progress.say(f"{path}: {test.name} …")

        return run_file(path, runner, word, begin)


def _reaches(found: "list[Coverage]", least: int) -> bool:
    """Whether so many percent of all rules answered; exactly, so that 99.9 is less than 100."""
    return 100 * sum(table.fired for table in found) >= least * sum(len(table.counts) for table in found)


def _show(report: "FileReport", all_tests: bool) -> None:
    from teamplay.scenes.report import show_file
    from teamplay.show.terminal import console

    if report.results or report.error or all_tests:
        show_file(console(), report, all_tests)


def _print_json(reports: "list[FileReport]", found: "list[Coverage]", empty: int) -> None:
    from teamplay.scenes.coverage import coverage_json
    from teamplay.scenes.report import report_json, tally

    shown: dict[str, object] = {"files": [report_json(report) for report in reports], **tally(reports), "empty": empty}
    if found:
        shown["coverage"] = [coverage_json(table) for table in found]
    _arguments.print_json(shown)


def _print_end(
    args: argparse.Namespace, reports: "list[FileReport]", found: "list[Coverage]", empty: int, enough: bool
) -> None:
    """The coverage, if it was wanted, and the sum of all."""
    from teamplay.scenes.coverage import percent
    from teamplay.scenes.report import show_coverage, summary
    from teamplay.show.terminal import console, say

    screen = console()
    show_coverage(screen, found)
    say(screen)
    if not enough:
        share = percent(sum(table.fired for table in found), sum(len(table.counts) for table in found))
        say(screen, f"The coverage is {share}%, less than the {args.fail_under}% that were asked for.", "bold red")
    say(screen, summary(reports, empty), "bold")
