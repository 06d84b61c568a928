"""show a position with the priority of every cell, as a heat map"""

import argparse

from teamplay.cli import _arguments


def arguments(parser: argparse.ArgumentParser) -> None:
    _arguments.add_table(parser)
    _arguments.add_board(parser)
    _arguments.add_game(parser)
    parser.add_argument("--svg", metavar="FILE", help="also write the picture as a vector drawing")
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from teamplay.show.picture import as_json, think

    team = _arguments.the_team(args)
    picture = think(team, _arguments.the_position(args, team.game), args.seed)
    if args.svg:
        from teamplay.library import save
        from teamplay.show.svg import drawn

        save(args.svg, drawn(picture))
    if args.json:
        _arguments.print_json(as_json(picture))
        return 0
    from teamplay.show.terminal import console, show_picture

    show_picture(console(), picture)
    return 0
