"""start a table, a scene file, a game file, or a folder with all that a project needs"""

import argparse
import re
from pathlib import Path

from teamplay import library
from teamplay.cli import _arguments, games
from teamplay.cli._files import writable
from teamplay.errors import BadFile, BadSpec
from teamplay.game import Game
from teamplay.game_file import load_game
from teamplay.language import Source, load_source, read_rulebook
from teamplay.scenes.binder import MAY
from teamplay.scenes.writing import rows
from teamplay.show.words import listed
from teamplay.team import Team

LINES = """\
# NAME: what this table does, in one sentence.
game GAME

everyone:
    win:   if n(x{k-1}) >= 1 then return 1
    block: if n(o{k-1}) >= 1 then return 2
    build: return 9 - n(x b{k-2})
"""
ANYTHING = """\
# NAME: what this table does, in one sentence.
# An agent sees the marks MARKS. See TABLES for what a table can measure.
game GAME

everyone:
    return 1
"""
GAME_FILE = """\
about = "Four in a row wins on a board of m columns and n rows."
board = ["n", "m"]
goal = { line = "k" }

[parameters]
m = 5
n = 5
k = 4
"""
PROJECT = """\
[project]
name = "NAME"
version = "0.1.0"
dependencies = ["teamplay"]

# Plain `pytest` runs the scene files of this folder.
[tool.pytest.ini_options]
testpaths = ["."]
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    help = "what to write: a name that ends in .team, .scene or .toml, or else a folder with a table, scenes and pytest"
    parser.add_argument("name", metavar="NAME", help=help)
    help = "copy this table (for a scene file: test it), or this game for a .toml file"
    parser.add_argument("--from", dest="origin", metavar="SOURCE", help=help)
    parser.add_argument("--game", metavar="G", help="the game of a new table (default: tic-tac-toe)")
    _arguments.add_force(parser)


def run(args: argparse.Namespace) -> int:
    target = Path(args.name)
    makers = {".team": _table_file, ".scene": _scene_file, ".toml": _game_file}
    make = makers.get(target.suffix, _folder)
    files = make(target, args.origin, args.game)
    if make is _folder:
        target.mkdir(parents=True, exist_ok=True)
    for path in files:
        writable(str(path), args.force)
    for path, text in files.items():
        library.save(str(path), text)
    print(f"Wrote {listed(list(map(str, files)))}.")
    table = next((path for path in files if path.suffix == ".team"), None)
    if table:
        print(f"Try: teamplay show {table}")
    return 0


def _table_file(target: Path, origin: str | None, game: str | None) -> dict[Path, str]:
    """A table: a copy of another, or a short one to begin with."""
    return {target: _table(target.stem, origin, game)}


def _scene_file(target: Path, origin: str | None, game: str | None) -> dict[Path, str]:
    """A scene file that holds for the table of its name, or for the one given."""
    about = origin or str(target.with_suffix(".team"))
    source = load_source(about)
    named = about if origin else Path(about).name
    return {target: _scenes(source, named, load_game(game) if game else None)}


def _game_file(target: Path, origin: str | None, game: str | None) -> dict[Path, str]:
    if game:
        raise BadSpec("A game file is copied with --from GAME; --game is for tables.")
    return {target: library.read(library.find(origin, ".toml")) if origin else GAME_FILE}


def _folder(target: Path, origin: str | None, game: str | None) -> dict[Path, str]:
    """A table, its scenes and the set-up for pytest."""
    name = target.name
    if not re.fullmatch(r"[A-Za-z][\w-]*", name):
        raise BadSpec(f"`{name[:40]}` names no folder; use letters, digits and `-`, or a name that ends in .team.")
    if target.exists() and not target.is_dir():
        raise BadFile(f"{target} is a file, not a folder.")
    text = _table(name, origin, game)
    table = target / f"{name}.team"
    scenes = _scenes(Source(str(table), text), table.name, load_game(game) if game else None)
    return {table: text, target / f"{name}.scene": scenes, target / "pyproject.toml": PROJECT.replace("NAME", name)}


def _table(name: str, origin: str | None, spec: str | None) -> str:
    """The text of a new table, which is read once to be sure that it works for the game."""
    game = load_game(spec) if spec else None
    if origin:
        text = load_source(origin).text
    else:
        game = game or load_game("tic-tac-toe")
        own = not game.shared and game.goal.kind == "line" and game.goal.effect == "wins"
        see = ", ".join(games.tables_for(game)) or "docs/language.md"
        text = LINES if own else ANYTHING.replace("MARKS", " ".join(game.visible_marks)).replace("TABLES", see)
        text = text.replace("NAME", name).replace("GAME", spec or game.name)
    read_rulebook(Source(name, text), game)
    return text


def _scenes(source: Source, named: str, game: Game | None) -> str:
    """One scene that holds today: what the table chooses at the start of its game."""
    book = read_rulebook(source, game)
    chosen = {move.cell for move in Team(book).moves(book.game.start)}
    drawing = rows(book.game, book.game.start, dict.fromkeys(chosen, MAY))
    lines = [f"table {named}", *([f"game {game}"] if game else []), ""]
    lines += ['scene "the first move"', drawing, "", 'todo "what should it do next?"', ""]
    return "\n".join(lines)
