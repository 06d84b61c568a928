"""improve the numbers of a table by play, with a sequential test as the gate and fresh opponents as the judge"""

import argparse

from teamplay import library
from teamplay.cli import _arguments
from teamplay.cli._progress import Progress
from teamplay.game import SEATS
from teamplay.language import load_source
from teamplay.learn.formula import Budget
from teamplay.learn.tune import Tuned, TuningPlan, tune
from teamplay.show.terminal import console, say
from teamplay.show.words import counted

FRESH = 10  # pairs against the first table for each game with a held-out opponent: batches are quick


def arguments(parser: argparse.ArgumentParser) -> None:
    _arguments.add_table(parser)
    _arguments.add_game(parser)
    help = "an opponent in the pool; again for more (the table itself and its earlier versions are always in)"
    parser.add_argument("--against", metavar="P", action="append", required=True, help=help)
    help = "an opponent that is not in the pool and judges the outcome; again for more"
    parser.add_argument("--held-out", metavar="P", action="append", required=True, help=help)
    help = "try this table as the only change; its numbers are not turned"
    parser.add_argument("--proposal", metavar="FILE", help=help)
    parser.add_argument("--order", action="store_true", help="also swap rules and leave out tests (default: numbers)")
    help = "at most N pairs of games per change (default: 400)"
    parser.add_argument("--gate", type=_arguments.whole_number, metavar="N", default=400, help=help)
    help = "fresh games against each held-out opponent in each seat, and 20 N against the first table (default: 200)"
    parser.add_argument("--games", type=_arguments.whole_number, metavar="N", default=200, help=help)
    help = "stop looking for changes after S seconds; the judging comes on top (default: no limit)"
    parser.add_argument("--max-seconds", type=_arguments.seconds, metavar="S", help=help)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the tuned table to a .team file")
    _arguments.add_force(parser)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.output is not None:
        library.refuse_existing(args.output, args.force, ".team")
    source, game = load_source(args.table), _arguments.the_game_of(args, args.table)
    proposal = load_source(args.proposal) if args.proposal else None
    plan = TuningPlan(args.gate, FRESH * args.games, args.games, args.order, args.seed)
    with Progress() as progress:

        def report(text: str) -> None:
            if progress.due():
                progress.say(text)

        budget = Budget(args.max_seconds or float("inf"), report)
        found = tune(source, game, args.against, args.held_out, plan, budget, proposal)
    if args.output and found.accepted:
        library.save(args.output, found.table)
    if args.json:
        _arguments.print_json(_json(found))
    else:
        _print(args, found)
    return 0 if found.verdict == "better" else 1


def _json(found: Tuned) -> dict[str, object]:
    return {
        "verdict": found.verdict,
        "table": found.table,
        "accepted": found.accepted,
        "tried": found.tried,
        "games": found.games,
        "elo": vars(found.elo) if sum(found.duel) else None,
        "held_out": [
            {
                "opponent": row.opponent,
                "seat": SEATS[row.seat],
                "games": row.games,
                "before": row.before.value,
                "after": row.after.value,
                "worse": row.worse,
            }
            for row in found.held_out
        ],
        "bound": found.bound or None,
    }


def _print(args: argparse.Namespace, found: Tuned) -> None:
    screen = console()
    tried = f"{counted(found.tried, 'change')} tried in {counted(found.games, 'game')}"
    if not found.accepted:
        say(screen, f"Not better: {tried}, and none passed the gate. {args.table} stays as it is.", "bold")
        return
    elo = found.elo
    claim = {"better": "Better", "not better": "Not better", "undecided": "Undecided"}[found.verdict]
    interval = f"{elo.value:+.0f} Elo ({elo.low:+.0f} to {elo.high:+.0f}) over {args.table} in fresh games"
    say(screen, f"{claim}: {interval}; {tried}, {len(found.accepted)} accepted.", "bold")
    for change in found.accepted:
        say(screen, f"- {change}")
    for row in found.held_out:
        shares = f"{row.before.value:.0%} before, {row.after.value:.0%} after"
        remark = ", worse" if row.worse else ""
        say(screen, f"Held out, {row.opponent}, moving {SEATS[row.seat]}: {shares}{remark}.")
    if args.output:
        say(screen, f"Written to {args.output}.")
