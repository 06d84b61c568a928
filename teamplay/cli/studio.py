"""open a page in the browser where a table is written, seen, proved and played"""

import argparse
import contextlib
import os
import webbrowser
from pathlib import Path

from teamplay import library
from teamplay.cli import _arguments
from teamplay.errors import BadFile, BadSpec
from teamplay.game_file import load_game, parse_spec
from teamplay.language import load_source
from teamplay.studio.elsewhere import USUAL, Elsewhere
from teamplay.studio.folder import Folder
from teamplay.studio.server import Studio, serve

HIGHEST_PORT = 65_535


def arguments(parser: argparse.ArgumentParser) -> None:
    help = f"a table to begin with, shipped or your own (default: {_arguments.A_TABLE})"
    parser.add_argument("table", nargs="?", metavar="TABLE", help=help)
    _arguments.add_game(parser)
    help = "the only folder whose files the page may read and write (default: that of TABLE, or the current one)"
    parser.add_argument("--folder", metavar="DIR", help=help)
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="listen on this port (default: a free one)")
    help = "show the live team at this broker: nats://HOST:PORT, or a file FILE.toml of settings "
    help += f"(default: {USUAL}, if one is there)"
    parser.add_argument("--live", metavar="URL", default="", help=help)
    parser.add_argument("--no-browser", action="store_true", help="print the address, and open nothing")


def run(args: argparse.Namespace) -> int:
    spec = args.table or _arguments.A_TABLE
    name, options = parse_spec(spec)
    if options:
        raise BadSpec(f"The studio edits a file; name the table alone: `{name}`.")
    folder = _folder(args.folder, name)
    begin = {
        "game": _game(folder, args.game) if args.game else "",
        "table": _inside(folder, name) if name.endswith(".team") else name,
    }
    elsewhere = Elsewhere(str(library.whole(args.live)) if args.live.endswith(".toml") else args.live)
    if args.live:
        elsewhere.broker()  # as below
    load_source(name)  # what can't be read is an error here, not a page without a table
    os.chdir(folder)  # paths in specs begin here, on the page as in its children
    with contextlib.suppress(KeyboardInterrupt):
        studio = Studio(Folder(folder.resolve()), begin, elsewhere)
        serve(studio, args.port, lambda address: _open(address, not args.no_browser))
    print("The studio is closed.")
    return 0


def _folder(given: str | None, table: str) -> Path:
    path = Path(given) if given else Path(table).parent if table.endswith(".team") else Path()
    folder = library.whole(str(path))
    if not folder.is_dir():
        raise BadFile(f"There is no folder {path}.")
    return folder


def _inside(folder: Path, table: str) -> str:
    """The path of a table from the folder on."""
    file = library.whole(table)
    if not file.is_relative_to(folder):
        raise BadFile(f"{table} lies outside of {folder}; name a folder above it with --folder.")
    return file.relative_to(folder).as_posix()


def _game(folder: Path, spec: str) -> str:
    """A game's spec as it reads from the folder."""
    name, _ = parse_spec(spec)
    load_game(spec)
    return spec.replace(name, _inside(folder, name), 1) if name.endswith(".toml") else spec


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not a port from 0 to {HIGHEST_PORT}")
    return int(text)


def _open(address: str, browser: bool) -> None:
    print(f"The studio is open at {address}\nCtrl-C closes it.", flush=True)
    if browser:
        webbrowser.open(address)
