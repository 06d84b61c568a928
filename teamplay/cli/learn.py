"""write a table that never loses, prove that it is the shortest, or prove that there is none"""

import argparse
from typing import Any

from teamplay import library
from teamplay.cli import _arguments
from teamplay.cli._progress import Progress
from teamplay.errors import BadSpec
from teamplay.game import SEATS
from teamplay.game_file import load_game
from teamplay.language import load_source
from teamplay.learn.formula import Budget
from teamplay.learn.learning import learn
from teamplay.learn.task import Learned, Task
from teamplay.learn.vocabulary import DEFAULT, NAMES, parse_vocabulary
from teamplay.proof.goals import GOALS
from teamplay.show.terminal import console, say
from teamplay.show.words import counted

DEFAULT_GAME = "tic-tac-toe"


def arguments(parser: argparse.ArgumentParser) -> None:
    help = f"a game such as mnk(m=4,n=4,k=4); again for one table for several (default: {DEFAULT_GAME})"
    parser.add_argument("--game", metavar="G", action="append", help=help)
    parser.add_argument("--seat", choices=[*SEATS, "both"], default="both", help="the team's seat (default: both)")
    parser.add_argument("--goal", choices=GOALS, default=GOALS[0], help=f"what the table must do (default: {GOALS[0]})")
    help = f"what agents may measure: {', '.join(NAMES)} joined by +, or expressions such as n(xx) (default: {DEFAULT})"
    parser.add_argument("--vocabulary", metavar="V", default=DEFAULT, help=help)
    help = "what agents see: 4 (cells along lines), `radius 2` or `all` (default: the game's lines)"
    parser.add_argument("--sight", metavar="S", default="", help=help)
    help = "allow at most N distinct answers, silence being one (default: no limit)"
    parser.add_argument("--levels", type=_arguments.whole_number, metavar="N", help=help)
    help = "allow at most N rules (default: no limit)"
    parser.add_argument("--rules", type=_arguments.whole_number, metavar="N", help=help)
    help = "what to have as few of as possible (default: rules)"
    parser.add_argument("--fewest", choices=["rules", "levels"], default="rules", help=help)
    help = "look only for tables with fewer rules than this one, which must do it already"
    parser.add_argument("--shorter-than", metavar="TABLE", help=help)
    parser.add_argument("--slopes", action="store_true", help="allow priorities such as `9 - n(bo)`")
    help = "stop after S seconds with the best table so far (default: no limit)"
    parser.add_argument("--max-seconds", type=_arguments.seconds, metavar="S", help=help)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the table to a .team file")
    help = "write why there is no table, for `teamplay recheck`"
    parser.add_argument("--certificate", metavar="FILE", help=help)
    _arguments.add_force(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    for name, suffix in ((args.output, ".team"), (args.certificate, "")):
        if name is not None:
            library.refuse_existing(name, args.force, suffix)
    if args.output and args.output == args.certificate:
        raise BadSpec(f"The table and the certificate can't both be written to {args.output}; name two files.")
    games = tuple(dict.fromkeys(load_game(spec) for spec in args.game or [DEFAULT_GAME]))
    seats = tuple(i for i, seat in enumerate(SEATS) if args.seat in (seat, "both"))
    vocabulary = parse_vocabulary(args.vocabulary, games, args.sight)
    known = load_source(args.shorter_than) if args.shorter_than else None
    task = Task(games, seats, args.goal, vocabulary, args.rules, args.levels, args.slopes, args.fewest, known)
    with Progress() as progress:

        def report(text: str) -> None:
            if progress.due():
                progress.say(text)

        found = learn(task, Budget(args.max_seconds or float("inf"), report))
    if args.output and found.table:
        library.save(args.output, found.table)
    if args.certificate and found.impossibility:
        library.save(args.certificate, found.impossibility.text())
    if args.json:
        _arguments.print_json(_json(args, found))
    else:
        _print(args, found)
    return 0 if found.verdict == "found" else 1


def _json(args: argparse.Namespace, found: Learned) -> dict[str, Any]:
    seats = [proof.to_dict()["seats"] for proof in found.verifications]
    return {
        "verdict": found.verdict,
        "table": found.table,
        "rules": found.rules,
        "levels": found.levels,
        "minimal": found.minimal,
        "template": found.task.template,
        "why": found.why or None,
        "explanation": found.explanation,
        "known": found.known,
        "bound": found.bound or None,
        "seats": seats[0] if seats else {},
        "games": {str(proof.game): each for proof, each in zip(found.verifications, seats, strict=True)},
        "classes": found.classes,
        "positions": found.positions,
        "seconds": round(found.seconds, 3),
        "output": args.output if found.table else None,
        "certificate": args.certificate if found.impossibility else None,
    }


def _print(args: argparse.Namespace, found: Learned) -> None:
    screen = console()
    say(screen, _sentence(found), "bold")
    for line in found.explanation[:20]:
        say(screen, f"  {line}")
    if found.table:
        say(screen)
        print(found.table, end="")
    if args.output and found.table:
        say(screen, f"Written to {args.output}.")
    if args.certificate:
        certificate = f"Written to {args.certificate}; `teamplay recheck {args.certificate}` checks it."
        say(screen, certificate if found.impossibility else "There is no impossibility to certify.")


def _sentence(found: Learned) -> str:
    """The verdict in words."""
    task = found.task
    if found.verdict == "found":
        least = f", and none has fewer {found.minimal}" if found.minimal else ""
        levels = counted(found.levels, "level") if found.levels else ""
        size = " and ".join(filter(None, [counted(found.rules, "rule") if found.rules else "", levels]))
        said = f"Found: a table that {task.claim}{f', with {size}' if size else ''}{least}. {found.why}".rstrip()
        return f"{said} Shorter tables were not ruled out: the bound was {found.bound}." if found.bound else said
    if found.verdict == "impossible":
        words = "what they see" if task.vocabulary.cells else ", ".join(task.vocabulary.texts) or "their role alone"
        return f"Impossible: no table of agents that measure {words} {task.claim}. {found.why}"
    known = f" Known: {'; '.join(found.known)}." if found.known else ""
    return f"Undecided whether a table {task.claim}: the bound was {found.bound}. {found.why}{known}".replace("  ", " ")
