"""look for rules that do nothing, cells without rules, ties that matter, and mistakes in game files"""

import argparse
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from teamplay.check import formats
from teamplay.check.findings import Finding
from teamplay.check.game import check_game
from teamplay.check.report import Report, check
from teamplay.cli import _arguments, complain
from teamplay.cli._files import source, speak_utf8, tables
from teamplay.cli._progress import Progress
from teamplay.errors import BadSpec, TeamplayError
from teamplay.game import Game
from teamplay.game_file import parse_spec
from teamplay.language import Source
from teamplay.language.diagnostics import Diagnostic, render
from teamplay.show.terminal import clean, console, put, say
from teamplay.show.words import counted, listed

FORMATS = ("text", "json", "github", "sarif")
STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "tables", nargs="+", metavar="TABLE", help=f"tables such as {_arguments.A_TABLE}, game files, folders, or -"
    )
    _arguments.add_game(parser)
    help = "text for people; json, github (annotations) or sarif for programs (default: text)"
    parser.add_argument("--format", choices=FORMATS, help=help)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.json and args.format not in (None, "json"):
        raise BadSpec(f"--json and --format {args.format} contradict each other; give one of them.")
    game = _arguments.the_game(args)
    names = tables(args.tables)
    reports = []
    with Progress() as progress:
        for done, name in enumerate(names):
            if progress.due():
                progress.say(f"{done} of {len(names)} tables: {name}")
            reports.append(_report(name, game))
    _show(reports, "json" if args.json else args.format or "text")
    _print_errors(reports)
    if not all(report.readable for report in reports):
        return 2
    return 0 if all(report.clean for report in reports) else 1


def _report(name: str, game: Game | None) -> Report:
    """What there is to say about one table or game file, if only that it can't be read at all."""
    try:
        if parse_spec(name)[0].endswith(".toml"):
            return check_game(name)
        return check(source(name), game)
    except TeamplayError as error:
        return Report(Source(name, ""), (), error=str(error))


def _print_errors(reports: list[Report]) -> None:
    """What can't be read at all, on standard error."""
    for report in reports:
        if report.error:
            complain(f"teamplay: {clean(report.error)}")


def _show(reports: list[Report], format: str) -> None:
    if format == "text":
        _print_text(reports)
        return
    if format == "github":
        speak_utf8()
        for line in formats.as_github(reports):
            print(line)
        return
    _arguments.print_json(formats.as_json(reports) if format == "json" else formats.as_sarif(reports))


def _print_text(reports: list[Report]) -> None:
    screen = console()
    for place, report in enumerate(one for one in reports if not one.error):
        if place:
            say(screen)
        lines = report.source.text.split("\n")
        for one in report.findings:
            _print_finding(screen, report.source.path, lines, one)
            say(screen)
        for sentence in report.scope:
            say(screen, f"Looked at {sentence}.", "dim")
        say(screen, _summary(report), "bold")


def _print_finding(screen: Console, path: str, lines: list[str], one: Diagnostic) -> None:
    """A finding as the compiler of Rust would show it, and whether everything was looked at."""
    if isinstance(one, Finding) and one.basis:
        basis = f"{'exact' if one.exact else 'bounded'}: looked at {one.basis}"
        one = replace(one, notes=(*one.notes, basis))
    head, *rest = clean(render(path, lines, one)).split("\n")
    level, _, message = head.partition(": ")
    put(screen, [Text.assemble((level, STYLES[one.severity]), (f": {message}", "bold")), *map(Text, rest)])


def _summary(report: Report) -> str:
    levels = [one.severity for one in report.findings]
    found = [counted(levels.count(level), level) for level in STYLES if level in levels]
    allowed = f", {len(report.allowed)} allowed" if report.allowed else ""
    return f"{report.source.path}: {listed(found) if found else 'nothing found'}{allowed}."
