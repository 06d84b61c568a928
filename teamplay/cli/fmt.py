"""lay tables out in the one way that tables have"""

import argparse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from teamplay.language import Source


NO_END = "\n\\ No newline at end of file"  # as `diff` says it


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tables", nargs="+", metavar="FILE", help="paths of tables, folders, or - for standard input")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if some table would change")
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change, and exit 1 if so")


def run(args: argparse.Namespace) -> int:
    from teamplay.cli._files import speak_utf8, tables
    from teamplay.library import save

    speak_utf8()
    looks = args.check or args.diff
    jobs = _laid_out(tables(args.tables), looks)  # all of them, before the first is written
    changed = 0
    for name, source, text in jobs:
        path = _path(name)
        same = source.text == text if path is None else path.read_bytes() == text.encode()
        changed += not same
        if args.diff:
            _print_diff(source, text, same)
        elif path is None and not args.check:
            print(text, end="")
        elif not same:
            if path is not None and not args.check:
                save(str(path), text)
            print(f"{source.path}: {'would change' if args.check else 'laid out'}.")
    return 1 if looks and changed else 0


def _laid_out(names: list[str], looks: bool) -> "list[tuple[str, Source, str]]":
    """Every table with its text as it should look, or an error that tells all that can't be laid out."""
    from teamplay.cli._files import source
    from teamplay.errors import BadSpec, TeamplayError
    from teamplay.language.layout import laid_out

    found, wrong = [], []
    for name in names:
        try:
            if name != "-" and not name.endswith(".team") and not looks:
                message = f"`{name[:80]}` is not the path of a table; shipped ones can only be looked at"
                raise BadSpec(f"{message}, with --check or --diff.")
            read = source(name)
            found.append((name, read, laid_out(read)))
        except TeamplayError as error:
            wrong.append(str(error))
    if wrong:
        raise TeamplayError("\n\n".join(wrong))
    return found


def _path(name: str) -> "Path | None":
    """The file behind a name; standard input has none."""
    from teamplay import library

    return None if name == "-" else library.find(name, ".team")


def _print_diff(source: "Source", text: str, same: bool) -> None:
    import difflib

    from teamplay.show.terminal import clean

    if source.text == text and not same:
        print(f"{source.path}: only its line ends or its byte-order mark would change.")
        return
    before, after = (made.removesuffix("\n").split("\n") for made in (source.text, text))
    if not source.text.endswith("\n"):
        before[-1] += NO_END
    for line in difflib.unified_diff(before, after, source.path, f"{source.path}, laid out", lineterm=""):
        print(clean(line))
