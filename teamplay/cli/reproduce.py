"""run the tables and worked numbers of the papers again, published beside measured"""

import argparse
from dataclasses import asdict

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from teamplay.cli import _arena, _arguments
from teamplay.cli._progress import Progress
from teamplay.reproduce import papers, report
from teamplay.reproduce.lab import Lab
from teamplay.reproduce.replication import Replication
from teamplay.reproduce.report import Paper, summary
from teamplay.show.terminal import console, say

STYLES = {"reproduced": "green", "not reproduced": "yellow", "impossible": "red", "excluded": "dim"}
INDENT = 4


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paper", nargs="?", metavar="PAPER", help="one paper (default: all five)")
    help = "play as many games as the papers did, or more (default: about one minute of games)"
    parser.add_argument("--all", action="store_true", help=help)
    parser.add_argument("--out", metavar="DIR", help="write a report there: Markdown, and plots as SVG")
    _arena.add_workers(parser)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    chosen = [args.paper] if args.paper else papers.names()
    found = [report.Paper(name, papers.paper(name).TITLE) for name in chosen]
    if args.out:
        report.room_for(args.out)  # refused before the work rather than after it
    crew, patience = _arena.the_crew(args)
    stopped = False
    with Progress() as progress:

        def report_step(text: str) -> None:
            if progress.due():
                progress.say(text)

        lab = Lab(args.all, args.seed, crew, report_step, patience)
        try:
            for each in found:
                _try_again(each, lab)
        except KeyboardInterrupt:
            stopped = True
    if stopped and not any(each.findings for each in found):
        raise KeyboardInterrupt
    _print_json(found, args, stopped) if args.json else _print(found, stopped)
    if args.out:
        files = report.write(args.out, found, _command(args), "Stopped before it was finished." if stopped else "")
        if not args.json:
            print(f"The report is in {files[-1]}.")
    return 130 if stopped else 0


def _try_again(each: Paper, lab: Lab) -> None:
    for result in papers.results(each.name, lab):
        each.add(result)
        lab.say(f"{each.name}: {len(each.findings)} claims tried")


def _command(args: argparse.Namespace) -> str:
    """The command that gives the same results again."""
    parts = ["teamplay reproduce", args.paper or "", "--all" if args.all else ""]
    parts.append(f"--seed {args.seed}" if args.seed else "")
    return " ".join(filter(None, parts))


def _print_json(tried: list[Paper], args: argparse.Namespace, stopped: bool) -> None:
    found = [
        {"paper": each.name, "title": each.title, "findings": [asdict(finding) for finding in each.findings]}
        for each in tried
    ]
    _arguments.print_json({"command": _command(args), "seed": args.seed, "complete": not stopped, "papers": found})


def _print(tried: list[Paper], stopped: bool) -> None:
    screen = console()
    for each in tried:
        if each.findings:
            say(screen, f"{each.name}: {each.title}", "bold")
            say(screen)
            for finding in each.findings:
                _print_finding(screen, finding)
    say(screen, f"{'Stopped by Ctrl-C. ' if stopped else ''}{summary(tried)}.", "bold")


def _print_finding(screen: Console, finding: Replication) -> None:
    title = Text.assemble(f"{finding.where}: ", (finding.verdict, STYLES[finding.verdict]))
    screen.print(title)
    named = [
        ("claim", finding.claim),
        ("published", finding.published),
        ("measured", finding.measured),
        ("reading", finding.reading),
        ("note", finding.note),
    ]
    for name, text in named:
        if text:
            screen.print(Padding(Text(f"{name}: {text}"), (0, 0, 0, INDENT), expand=False))
    say(screen)
