"""find the smallest edit that makes a refuted table proved"""

import argparse

from teamplay import library
from teamplay.cli import _arguments
from teamplay.cli._progress import Progress
from teamplay.game import SEATS
from teamplay.language import load_source
from teamplay.learn.formula import Budget
from teamplay.learn.repair import Repaired, repair
from teamplay.proof.goals import GOALS, PROVED
from teamplay.show.terminal import console, say
from teamplay.show.words import counted


def arguments(parser: argparse.ArgumentParser) -> None:
    _arguments.add_table(parser)
    _arguments.add_game(parser)
    parser.add_argument("--seat", choices=[*SEATS, "both"], default="both", help="the team's seat (default: both)")
    parser.add_argument("--goal", choices=GOALS, default=GOALS[0], help=f"what it must do (default: {GOALS[0]})")
    help = "stop after S seconds (default: no limit)"
    parser.add_argument("--max-seconds", type=_arguments.seconds, metavar="S", help=help)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the repaired table to a .team file")
    _arguments.add_force(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.output is not None:
        library.refuse_existing(args.output, args.force, ".team")
    source, game = load_source(args.table), _arguments.the_game_of(args, args.table)
    seats = [i for i, seat in enumerate(SEATS) if args.seat in (seat, "both")]
    with Progress() as progress:

        def report(text: str) -> None:
            if progress.due():
                progress.say(text)

        found = repair(source, game, seats, args.goal, Budget(args.max_seconds or float("inf"), report))
    if args.output and found.verdict == "repaired":
        library.save(args.output, found.table or "")
    if args.json:
        proof = found.verification.to_dict()["seats"] if found.verification else {}
        shown = {"verdict": found.verdict, "table": found.table, "edits": found.edits, "minimal": found.minimal}
        _arguments.print_json(shown | {"bound": found.bound or None, "known": found.known or None, "seats": proof})
    else:
        _print(args, found, source.text)
    return 0 if found.verdict in ("repaired", "proved already") else 1


def _print(args: argparse.Namespace, found: Repaired, before: str) -> None:
    screen = console()
    claim = f"{args.table} {PROVED[args.goal]}"
    if found.verdict == "proved already":
        say(screen, f"Nothing to repair: {claim} already.", "bold")
    elif found.verdict == "impossible":
        say(screen, f"Impossible: {found.known}.", "bold")
    elif found.verdict == "undecided":
        known = f" Known: {found.known}." if found.known else ""
        say(screen, f"Undecided: the bound was {found.bound}.{known}", "bold")
    else:
        edits = counted(len(found.edits), "edit")
        say(screen, f"Repaired: with {edits} {claim}, and no fewer edits are enough.", "bold")
        for edit in found.edits:
            say(screen, f"- {edit}")
        say(screen)
        print("\n".join(found.diff(before, args.table)))
        if args.output:
            say(screen, f"Written to {args.output}.")
