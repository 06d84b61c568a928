"""list the tables, or show one"""

import argparse
import re
from itertools import product

from rich.text import Text

from teamplay import library
from teamplay.cli import _arguments
from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.grid import ROLES
from teamplay.language import Rulebook, Source, TableError, load_source, load_table, parse_table, read_rulebook
from teamplay.show.terminal import clean, console, put, put_table, say


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", nargs="?", metavar="TABLE", help=f"a table such as {_arguments.A_TABLE}, or a path")
    parser.add_argument("--game", metavar="G", help="list only tables for this game; with TABLE, read it for this game")
    parser.add_argument("--raw", action="store_true", help="print the text of TABLE and nothing else")
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.raw and args.table is None:
        raise BadSpec("--raw prints the text of one table; name it.")
    if args.raw:
        print(load_source(args.table).text, end="")
    elif args.table is not None:
        _one(args)
    else:
        _all(_arguments.the_game(args), args.json)
    return 0


def _all(game: Game | None, json: bool) -> None:
    """Every shipped table, or those for one game, a line each."""
    tables = []
    for name in sorted(library.names(".team"), key=_natural):
        table, source = load_table(name)
        if game and not _serves(source, game):
            continue
        rules = sum(len(section.rules) for section in table.sections)
        about = comment(source.text)
        tables.append({"table": name, "games": list(table.games), "rules": rules, "about": about})
    if json:
        _arguments.print_json({"tables": tables})
        return

    screen = console()
    if game and not tables:
        say(screen, f"No shipped table is for {game}; `teamplay new mine.team --game '{game.spec}'` starts one.")
        return
    rows = [(str(table["table"]), str(table["rules"]), _first_sentence(str(table["about"]))) for table in tables]
    put_table(screen, ("table", "rules", "about"), rows)
    say(screen)
    example = _arguments.A_TABLE if game is None else tables[0]["table"]
    say(screen, f"`teamplay rules {example}` shows one, `teamplay show {example}` its answers.")


def _serves(source: Source, game: Game) -> bool:
    """Whether a table can be read for a game."""
    try:
        read_rulebook(source, game)
    except TableError:
        return False
    return True


def _one(args: argparse.Namespace) -> None:
    """One table: what it is for, how far its agents see, how many rules each role has, and its text."""
    source = load_source(args.table)
    book = read_rulebook(source, _arguments.the_game(args))
    about = comment(source.text)
    if args.json:
        _arguments.print_json(_described(book, about, source.text))
        return

    screen = console()
    say(screen, book.name, "bold")
    say(screen)
    roles = ", ".join(f"{role} {count}" for role, count in roles_of(book).items())
    games = ", ".join(parse_table(source).games) or f"none named, so {book.game}"
    facts = [("games", games), ("sight", f"{book.reach} (on {book.game})"), ("rules", roles)]
    put_table(screen, (), facts)
    say(screen)
    for line in source.text.rstrip().split("\n"):
        put(screen, [Text(clean(line), "dim" if line.lstrip().startswith("#") else "")])


def _described(book: Rulebook, about: str, text: str) -> dict[str, object]:
    """A table for scripts."""
    rules = [
        {"role": rule.role, "name": rule.name, "line": rule.span.line, "text": rule.text, "chance": rule.chance}
        for _, rules in book.sections
        for rule in rules
    ]
    return {
        "table": book.name,
        "game": str(book.game),
        "about": about,
        "sight": str(book.reach),
        "roles": roles_of(book),
        "rules": rules,
        "text": text,
    }


def roles_of(book: Rulebook) -> dict[str, int]:
    """How many rules an agent of each role reads, for the roles that the board has."""
    grid = book.game.grid
    # Ends, the cells beside them and the middle of every side: between them they have every role of the board.
    places = product(*({0, min(1, side - 1), side // 2, side - 1} for side in grid.shape))
    found = {grid.role(grid.cell(place)) for place in places}
    counts = {role: sum(len(rules) for spoken, rules in book.sections if role in spoken) for role in ROLES}
    return {role: counts[role] for role in ROLES if role in found}


def comment(text: str) -> str:
    """What a table's file says of itself: the comment at its top."""
    lines = []
    for line in text.split("\n"):
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("#").strip())
    return "\n".join(lines)


def _first_sentence(about: str) -> str:
    """The first sentence, which may go on in the next line.

    >>> _first_sentence("Connect four with\\nmore sight. It looks up.")
    'Connect four with more sight.'
    """
    return re.split(r"(?<=\.) ", about.replace("\n", " "), maxsplit=1)[0]


def _natural(name: str) -> list[tuple[str, int]]:
    """Figure 6 before figure 11."""
    return [(words, int(number or 0)) for words, number in re.findall(r"(\D+)(\d*)", name)]
