"""lay tables out in the one way that tables have"""

import argparse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from teamplay.language import Source


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tables", nargs="+", metavar="FILE", help="paths of tables, folders, or - for standard input")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if some table would change")
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change, and exit 1 if so")


def run(args: argparse.Namespace) -> int:
    import sys

    from teamplay import library
    from teamplay.cli._tables import named
    from teamplay.language.layout import laid_out

    looks = args.check or args.diff
    names = named(args.tables)
    sources = [_source(name, looks) for name in names]
    texts = [laid_out(source) for source in sources]  # all of them, before the first is written
    changed = 0
    for name, source, text in zip(names, sources, texts, strict=True):
        path = None if name == "-" else library.find(name, ".team")
        same = source.text == text if path is None else path.read_bytes() == text.encode()
        changed += not same
        if args.diff:
            _print_diff(source, text)
        elif path is None and not args.check:
            sys.stdout.write(text)
        elif not same:
            if path is not None and not args.check:
                _write(path, text)
            print(f"{source.path}: {'would change' if args.check else 'laid out'}.")
    return 1 if looks and changed else 0


def _source(name: str, looks: bool) -> "Source":
    """The text of a file, or of standard input."""
    import sys

    from teamplay import library
    from teamplay.errors import BadFile, BadSpec
    from teamplay.language import Source, load_source

    if name != "-":
        if not name.endswith(".team") and not looks:
            message = f"`{name[:80]}` is not the path of a table; shipped ones can only be looked at"
            raise BadSpec(f"{message}, with --check or --diff.")
        return load_source(name)
    try:
        text = sys.stdin.read(library.LARGEST_FILE + 1)
    except UnicodeDecodeError:
        raise BadFile("Standard input is not UTF-8 text.") from None
    if len(text) > library.LARGEST_FILE:
        raise BadFile(f"Standard input is larger than {library.LARGEST_FILE:,} characters, which is the most.")
    return Source("standard input", text.removeprefix("\ufeff").replace("\r\n", "\n"))


def _print_diff(source: "Source", text: str) -> None:
    import difflib

    from teamplay.show.terminal import clean

    before, after = source.text.splitlines(), text.splitlines()
    for line in difflib.unified_diff(before, after, source.path, f"{source.path}, laid out", lineterm=""):
        print(clean(line))


def _write(path: "Path", text: str) -> None:
    """Write a file whole or not at all; a link stays a link, and the rights stay as they are."""
    import os
    import shutil

    from teamplay.errors import BadFile

    path = path.resolve()
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            with beside.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            shutil.copymode(path, beside)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise BadFile(f"{path} cannot be written: {error.strerror or error}.") from None
