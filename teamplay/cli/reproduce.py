"""run the tables and worked numbers of the papers again, published beside measured"""

import argparse

from teamplay.cli import _arena, _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.console import Console

    from teamplay.reproduce.finding import Finding
    from teamplay.reproduce.lab import Lab
    from teamplay.reproduce.report import Paper

STYLES = {"reproduced": "green", "not reproduced": "yellow", "impossible": "red", "excluded": "dim"}
INDENT = 4


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paper", nargs="?", metavar="PAPER", help="one paper (default: all five)")
    help = "with as many games as the papers, and more (default: about a minute's worth)"
    parser.add_argument("--all", action="store_true", help=help)
    parser.add_argument("--out", metavar="DIR", help="write a report there: Markdown, and plots as SVG")
    _arena.add_workers(parser)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from teamplay.cli._progress import Progress
    from teamplay.reproduce import report
    from teamplay.reproduce.lab import Lab
    from teamplay.reproduce.papers import names, paper

    chosen = [args.paper] if args.paper else names()
    papers = [report.Paper(name, paper(name).TITLE) for name in chosen]
    if args.out:
        report.room_for(args.out)  # better refused now than after all the work
    crew, patience = _arena.the_crew(args)
    stopped = False
    with Progress() as progress:

        def told(text: str) -> None:
            if progress.due():
                progress.say(text)

        lab = Lab(args.all, args.seed, crew, told, patience)
        try:
            for each in papers:
                _try_again(each, lab)
        except KeyboardInterrupt:
            stopped = True
    if stopped and not any(each.findings for each in papers):
        raise KeyboardInterrupt
    _print_json(papers, args, stopped) if args.json else _print(papers, stopped)
    if args.out:
        files = report.write(args.out, papers, _command(args), "Stopped before it was finished." if stopped else "")
        if not args.json:
            print(f"The report is in {files[-1]}.")
    return 130 if stopped else 0


def _try_again(paper: "Paper", lab: "Lab") -> None:
    from teamplay.reproduce.papers import results

    for result in results(paper.name, lab):
        paper.add(result)
        lab.say(f"{paper.name}: {len(paper.findings)} claims tried")


def _command(args: argparse.Namespace) -> str:
    """The command that finds the same again."""
    parts = ["teamplay reproduce", args.paper or "", "--all" if args.all else ""]
    parts.append(f"--seed {args.seed}" if args.seed else "")
    return " ".join(filter(None, parts))


def _print_json(papers: "list[Paper]", args: argparse.Namespace, stopped: bool) -> None:
    from dataclasses import asdict

    found = [
        {"paper": paper.name, "title": paper.title, "findings": [asdict(each) for each in paper.findings]}
        for paper in papers
    ]
    _arguments.print_json({"command": _command(args), "seed": args.seed, "complete": not stopped, "papers": found})


def _print(papers: "list[Paper]", stopped: bool) -> None:
    from teamplay.reproduce.report import summary
    from teamplay.show.terminal import console, say

    screen = console()
    for paper in papers:
        if paper.findings:
            say(screen, f"{paper.name}: {paper.title}", "bold")
            say(screen)
            for finding in paper.findings:
                _print_finding(screen, finding)
    say(screen, f"{'Stopped by Ctrl-C. ' if stopped else ''}{summary(papers)}.", "bold")


def _print_finding(screen: "Console", finding: "Finding") -> None:
    from rich.padding import Padding
    from rich.text import Text

    from teamplay.show.terminal import say

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
