"""Tables named on the command line: shipped names, paths, and whole folders."""

from pathlib import Path

from teamplay.errors import BadFile


def named(names: list[str]) -> list[str]:
    """The names with folders replaced by the tables in them, each once."""
    found: list[str] = []
    for name in names:
        folder = Path(name)
        if name == "-" or "\0" in name or not folder.is_dir():
            found.append(name)
            continue
        inside = sorted(str(path) for path in folder.rglob("*.team"))
        if not inside:
            raise BadFile(f"There is no table (*.team) in the folder {name}.")
        found += inside
    return list(dict.fromkeys(found))
