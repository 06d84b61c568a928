"""show a position with the priority of every cell, as a heat map"""

import argparse
from typing import Any

from teamplay.cli import _arguments
from teamplay.cli._drawing import add_svg, check_svg, write_svg
from teamplay.cli._progress import Progress
from teamplay.errors import BadSpec
from teamplay.luck import Luck
from teamplay.players import load_player
from teamplay.show.chart import BYS
from teamplay.show.picture import pictured, think
from teamplay.show.report import show_picture
from teamplay.show.svg import drawn
from teamplay.show.terminal import console, say


def arguments(parser: argparse.ArgumentParser) -> None:
    _arguments.add_table(parser, stdin=True)
    _arguments.add_board(parser)
    _arguments.add_game(parser)
    by = "priorities, their ranks, the rule that answered, or what one agent sees (default: priority, or rank if long)"
    parser.add_argument("--by", choices=BYS, help=by)
    parser.add_argument("--cell", metavar="CELL", help="whose sight is shown by --by sight: 5, b2 or 2,2")
    add_svg(parser)
    _arguments.add_force(parser)
    _arguments.add_live(parser, "TABLE")
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_svg(args)
    if args.by == "sight" and args.cell is None:
        raise BadSpec("--by sight shows what one agent sees; name its cell, as in --cell b2.")
    if args.cell is not None and args.by != "sight":
        raise BadSpec("--cell names the agent whose sight is shown; it needs --by sight.")
    team = _arguments.the_team(args)
    agent = None if args.cell is None else team.game.grid.parse_cell(args.cell)
    position = _arguments.the_position(args, team.game)
    with Progress("asking the agents"):
        if args.hosts or args.live:
            elsewhere: Any = load_player(_arguments.live_spec(args, args.table), team.game)
            picture = pictured(team, position, elsewhere.answers(position, Luck(args.seed)), args.seed)
        else:
            picture = think(team, position, args.seed)
    if args.svg and write_svg(args, drawn(picture, args.by, agent)):
        return 0
    if args.json:
        _arguments.print_json(picture.chart(args.by, agent).to_dict() if args.by else picture.to_dict())
        return 0

    screen = console()
    show_picture(screen, picture, args.by, agent)
    if args.svg:
        say(screen, f"Wrote {args.svg}.")
    return 0
