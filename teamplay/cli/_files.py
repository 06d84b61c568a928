"""Files named on the command line: tables by name or path, scene files, whole folders, standard input."""

import io
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from teamplay import library
from teamplay.errors import BadFile, TeamplayError
from teamplay.language import Source, load_source

STDIN = "standard input"


def tables(names: Iterable[str]) -> list[str]:
    """The names with folders replaced by the tables in them, each once."""
    found: list[str] = []
    for name in names:
        if name in ("", "-") or "\0" in name or not Path(name).is_dir():
            found.append(name)
            continue
        inside = [str(path) for path in _below(Path(name), ".team")]
        if not inside:
            raise BadFile(f"There is no table (*.team) in the folder {name}.")
        found += inside
    return list(dict.fromkeys(found))


def source(name: str) -> Source:
    """The text of a table, or of standard input."""
    if name != "-":
        return load_source(name)
    if sys.stdin is None:
        raise BadFile("There is no standard input.")
    return Source(STDIN, library.decoded(sys.stdin.buffer.read(library.LARGEST_FILE + 1), STDIN))


def scenes(names: Iterable[str]) -> list[Path]:
    """The scene files that are named, those of the tables that are, and all below the folders that are."""
    found: dict[Path, None] = {}
    for name in names:
        path = Path(name)
        if not name or "\0" in name:
            raise BadFile(f"{name!r} is not the name of a file.")
        if path.is_dir():
            found.update(dict.fromkeys(_below(path, ".scene")))
        elif path.suffix == ".team" or (name in library.names(".team") and not path.exists()):
            if not (about := scenes_of(library.find(name, ".team"))):
                raise BadFile(f"There is no scene file beside {name} that is about it.")
            found.update(dict.fromkeys(about))
        elif path.suffix != ".scene" and path.exists():
            raise BadFile(f"{path} is no scene file; name a table, a folder or a file that ends in .scene.")
        elif path.suffix != ".scene":
            hint = library.hint(name, library.names(".team"))
            raise BadFile(f"There is no scene file, table or folder named {name[:80]}.{hint}")
        else:
            found[path] = None
    if not found:
        raise BadFile(f"There is no scene file under {', '.join(names)}; their names end in .scene.")
    return list(found)


def scenes_of(table: Path) -> list[Path]:
    """The scene files beside a table that are about it; one that can't tell is about the table of its name."""
    from teamplay.scenes.binder import table_of

    found = []
    for path in sorted(table.parent.glob("*.scene")):
        try:
            about = table_of(path)
        except TeamplayError:  # half saved, or no text at all
            about = None
        if (about or path.with_suffix(".team")).resolve() == table.resolve():
            found.append(path)
    return found


def speak_utf8() -> None:
    """What is written as a file would be is UTF-8, whatever the terminal speaks."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def _below(folder: Path, suffix: str) -> Iterator[Path]:
    """The files of a folder and those below it, hidden ones and environments (which hold ours) left out."""
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != "." and not Path(here, name, "pyvenv.cfg").exists())
        yield from (Path(here, name) for name in sorted(files) if name.endswith(suffix))
