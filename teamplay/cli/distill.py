"""write a table that chooses as a player does, as nearly as a few rules can"""

import argparse

from teamplay import library
from teamplay.cli import _arguments
from teamplay.cli._progress import Progress
from teamplay.learn.distill import Distilled, distill
from teamplay.learn.formula import Budget
from teamplay.learn.vocabulary import DEFAULT, parse_vocabulary
from teamplay.players import load_player
from teamplay.show.terminal import console, say
from teamplay.show.words import counted

RULES = 6


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "player", metavar="PLAYER", help="a player such as perfect, minimax(depth=4) or mcts, or a table"
    )
    _arguments.add_game(parser)
    help = f"what agents may measure, as for `learn` (default: {DEFAULT})"
    parser.add_argument("--vocabulary", metavar="V", default=DEFAULT, help=help)
    parser.add_argument("--sight", metavar="S", default="", help="what agents see (default: the game's lines)")
    help = f"at most N rules (default: {RULES})"
    parser.add_argument("--rules", type=_arguments.whole_number, metavar="N", default=RULES, help=help)
    help = "sample N positions where the game has too many (default: 1500)"
    parser.add_argument("--positions", type=_arguments.whole_number, metavar="N", default=1_500, help=help)
    help = "stop after S seconds with the best table so far (default: no limit)"
    parser.add_argument("--max-seconds", type=_arguments.seconds, metavar="S", help=help)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the table to a .team file")
    _arguments.add_force(parser)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.output is not None:
        library.refuse_existing(args.output, args.force, ".team")
    game = _arguments.the_game_of(args, args.player)
    player = load_player(args.player, game)
    vocabulary = parse_vocabulary(args.vocabulary, [game], args.sight)
    with Progress() as progress:

        def report(text: str) -> None:
            if progress.due():
                progress.say(text)

        budget = Budget(args.max_seconds or float("inf"), report)
        found = distill(player, game, vocabulary, args.rules, budget, args.seed, args.positions)
    if args.output:
        library.save(args.output, found.table)
    if args.json:
        _arguments.print_json(vars(found))
    else:
        _print(args, player.name, found)
    return 0


def _print(args: argparse.Namespace, name: str, found: Distilled) -> None:
    screen = console()
    which = f"all {found.positions:,} positions" if found.exhaustive else f"{found.positions:,} positions not fitted to"
    rules = counted(found.rules, "rule")
    say(screen, f"A table of {rules} chooses as {name} in {found.agreement:.1%} of {which}.", "bold")
    if found.regret is not None and found.player_regret is not None:
        regret = f"It loses {found.regret:.3f} of a game's value in a position on average"
        say(screen, f"{regret}, {name} {found.player_regret:.3f} (1 is a win instead of a draw).")
    else:
        say(screen, "What its choices cost is not known: perfect play is out of reach here.")
    if found.bound:
        say(screen, f"The search was stopped: the bound was {found.bound}.")
    say(screen)
    print(found.table, end="")
    if args.output:
        say(screen, f"Written to {args.output}.")
