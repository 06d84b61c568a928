"""solve a position: its value by perfect play, the best moves, how far the end is"""

import argparse

from teamplay.api.progress import Advance
from teamplay.api.solving import Solved, solve
from teamplay.cli import _arguments
from teamplay.cli._progress import Progress
from teamplay.engine.solver import MEMORY
from teamplay.game_file import load_game
from teamplay.show.terminal import console, say


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game such as mnk(m=4,n=4,k=4)")
    _arguments.add_board(parser, "the side to move")
    help = "stop after N positions (default: no limit)"
    parser.add_argument("--max-positions", type=_arguments.whole_number, metavar="N", help=help)
    help = "stop after S seconds (default: no limit); compiling, once on every machine, comes on top"
    parser.add_argument("--max-seconds", type=_arguments.seconds, metavar="S", help=help)
    help = f"use at most MB megabytes (default: {MEMORY})"
    parser.add_argument("--memory", type=_arguments.whole_number, metavar="MB", help=help)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    position = _arguments.the_position(args, load_game(args.game))
    with Progress() as progress:
        early = _Early(progress, quiet=args.json)
        memory = args.memory or MEMORY
        solved = solve(position, args.max_positions, args.max_seconds, memory, early.report, early.keep)
        early.solved = None
    if args.json:
        _arguments.print_json(solved.to_dict())
        return 0 if solved.complete else 1
    if not early.shown:
        solved.show_board(console())
    solved.show_answer(console())
    return 0 if solved.complete else 1


class _Early:
    """Prints the value with one best move where it takes long to find the others."""

    def __init__(self, progress: Progress, quiet: bool) -> None:
        self.progress, self.quiet = progress, quiet
        self.solved: Solved | None = None
        self.shown = False

    def keep(self, solved: Solved) -> None:
        """Hear of a value and a move; they are printed with the next report, if there is one."""
        self.solved = solved

    def report(self, step: Advance) -> None:
        if self.solved and not self.shown and not self.quiet:
            self.progress.wipe()
            self.solved.show_board(console())
            say(console(), f"{self.solved.sentence()} Looking for other best moves ...")
            say(console())
            self.shown = True
        self.progress.report(step)
