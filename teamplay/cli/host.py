"""seat the agents of an area in this process, and answer for them to a manager elsewhere"""

import argparse
import asyncio
import signal

from teamplay.cli import _arguments
from teamplay.errors import TeamplayError
from teamplay.language import load_rulebook
from teamplay.show.terminal import console, say

NAME = "host-1"
JOIN = "nats://127.0.0.1:4222"


def arguments(parser: argparse.ArgumentParser) -> None:
    _arguments.add_table(parser)
    _arguments.add_game(parser)
    help = "its cells: a1:o5 between two corners, b3, or 2/3 for one of three even parts; joined by + (default: all)"
    parser.add_argument("--area", metavar="A", default="1/1", help=help)
    help = f"the broker: nats://HOST:PORT or tls://HOST:PORT (default: {JOIN})"
    parser.add_argument("--join", metavar="URL", default=JOIN, help=help)
    help = f"what it is called, once in every team (default: {NAME})"
    parser.add_argument("--name", metavar="NAME", default=NAME, help=help)
    parser.add_argument("--team", metavar="NAME", help="the team to join (default: named after the table and the game)")
    help = "a TOML file with `user`, `password` and possibly `ca`, as `teamplay live config` writes it"
    parser.add_argument("--credentials", metavar="FILE", help=help)
    help = "print the message with which it would join and exit, for a host in another language"
    parser.add_argument("--describe", action="store_true", help=help)


def run(args: argparse.Namespace) -> int:
    try:
        from teamplay.live.area import parse_area
        from teamplay.live.network import broker
        from teamplay.live.serve import HostService, hello
        from teamplay.live.wire import encode, team_name
    except ImportError as error:
        raise TeamplayError(f"A host needs {error.name}: `pip install 'teamplay[live]'`.") from None
    book = load_rulebook(args.table, _arguments.the_game(args))
    area = parse_area(book.game.grid, args.area)
    team = args.team or team_name(book.name, str(book.game))
    if args.describe:
        print(encode(hello(args.name, team, book, area)).decode())
        return 0
    to = broker(args.join, args.credentials)

    async def serve() -> None:
        service = HostService(args.name, book, area, team)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, service.ended.set)
        cells = f"{int(area.sum()):,} of {book.game.grid.size:,} cells"
        told = f"{args.name} seats {cells} of team {team} at {to.url}; Ctrl-C ends it."
        await service.run(to, lambda: say(console(), told))

    asyncio.run(serve())
    return 0
