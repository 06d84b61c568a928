"""format tables in the one standard layout"""

import argparse
import difflib
from pathlib import Path

from teamplay import library
from teamplay.cli._files import source, speak_utf8, tables
from teamplay.errors import BadSpec, TeamplayError
from teamplay.language import Source
from teamplay.language.layout import laid_out
from teamplay.library import save
from teamplay.show.terminal import clean

NO_END = "\n\\ No newline at end of file"  # as `diff` says it


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tables", nargs="+", metavar="FILE", help="paths of tables, folders, or - for standard input")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if some table would change")
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change, and exit 1 if so")


def run(args: argparse.Namespace) -> int:
    speak_utf8()
    looks = args.check or args.diff
    jobs = _laid_out(tables(args.tables), looks)  # all of them, before the first is written
    changed = 0
    for name, before, text in jobs:
        path = _path(name)
        same = before.text == text if path is None else path.read_bytes() == text.encode()
        changed += not same
        if args.diff:
            _print_diff(before, text, same)
        elif path is None and not args.check:
            print(text, end="")
        elif not same:
            if path is not None and not args.check:
                save(str(path), text)
            print(f"{before.path}: {'would change' if args.check else 'formatted'}.")
    return 1 if looks and changed else 0


def _laid_out(names: list[str], looks: bool) -> list[tuple[str, Source, str]]:
    """Every table with its text as it should look, or one error for all that can't be formatted."""
    found, wrong = [], []
    for name in names:
        try:
            if name != "-" and not name.endswith(".team") and not looks:
                message = f"`{name[:80]}` is not the path of a table; shipped ones can only be checked"
                raise BadSpec(f"{message}, with --check or --diff.")
            read = source(name)
            found.append((name, read, laid_out(read)))
        except TeamplayError as error:
            wrong.append(str(error))
    if wrong:
        raise TeamplayError("\n\n".join(wrong))
    return found


def _path(name: str) -> Path | None:
    """The file behind a name; standard input has none."""
    return None if name == "-" else library.find(name, ".team")


def _print_diff(source: Source, text: str, same: bool) -> None:
    if source.text == text and not same:
        print(f"{source.path}: only its line ends or its byte-order mark would change.")
        return
    before, after = (made.removesuffix("\n").split("\n") for made in (source.text, text))
    if not source.text.endswith("\n"):
        before[-1] += NO_END
    for line in difflib.unified_diff(before, after, source.path, f"{source.path}, formatted", lineterm=""):
        print(clean(line))
