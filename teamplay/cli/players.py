"""list the players with their options and the games they play, or show one"""

import argparse
import importlib
import json
import textwrap

from rich.text import Text

from teamplay import library, players
from teamplay.cli import _arguments
from teamplay.errors import BadSpec, TeamplayError, did_you_mean
from teamplay.game import Game
from teamplay.game_file import load_game
from teamplay.show.terminal import console, put, say

INDENT = " " * 4
QUOTE = '"'


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="show only this player")
    parser.add_argument("--game", metavar="G", help="list only players of this game")
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    wanted = _arguments.the_game(args)
    games = [load_game(name) for name in library.names(".toml")]
    known = [*players.names(), *players.installed()]
    if args.name is not None:
        if args.name not in known:
            raise BadSpec(f"There is no player named `{args.name[:40]}`.{did_you_mean(args.name, known)}")
        known = [args.name]
    found = {
        name: [game.name for game in games if _plays(name, game)]
        for name in known
        if wanted is None or _plays(name, wanted)
    }
    if args.json:
        described = [{"name": name, "options": players.options_of(name), "games": found[name]} for name in found]
        _arguments.print_json(described)
        return 0
    screen = console()
    for name, played in found.items():
        say(screen, _spec(name), "bold")
        those = "all" if len(played) == len(games) else ", ".join(played) or "none of the shipped ones"
        for text in (_about(name), f"Games: {those}."):
            put(screen, map(Text, textwrap.wrap(text, screen.width, initial_indent=INDENT, subsequent_indent=INDENT)))
    if args.name is not None:
        return 0
    say(screen)
    say(screen, f"A table is a player, too: a path, or a shipped one such as {_spec(_arguments.A_TABLE)}.")
    say(screen, "So is Python code: `package.module:Name`. `teamplay match 'minimax(depth=2)' random` lets two play.")
    return 0


def _plays(name: str, game: Game) -> bool:
    """Whether a player can be made for a game."""
    text = players.takes_text(name)
    needs = text and not players.options_of(name)[text]  # a program, which is started only when it has to move
    try:
        players.load_player(f"{name}:PROGRAM" if needs else name, game)
    except TeamplayError:
        return False
    return True


def _spec(name: str) -> str:
    """A player's name with all its options, as a spec writes them."""
    text = players.takes_text(name)
    options = {key: value for key, value in players.options_of(name).items() if key != text}
    shown = ",".join(f"{key}={json.dumps(value).strip(QUOTE)}" for key, value in options.items())
    return f"{name}{f'({shown})' if shown else ''}{f':{text.upper()}' if text else ''}"


def _about(name: str) -> str:
    """The first line of a player's file."""
    if name not in players.names():
        return "Installed by another package."
    module = importlib.import_module(f"teamplay.players.{name.replace('-', '_')}")
    return (module.__doc__ or "").split("\n")[0]
