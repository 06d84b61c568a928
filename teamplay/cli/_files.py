"""Files named on the command line: those that are read, by name, path or folder, and those that are written."""

import io
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from teamplay import library
from teamplay.errors import BadFile
from teamplay.language import Source, load_source
from teamplay.scenes.binder import scenes_of

STDIN = "standard input"


def writable(name: str, force: bool, suffix: str = "") -> Path:
    """The path of a file that a command will write; refused before any work if it may not be written.

    Every option that names such a file (`-o`, `--svg`, `--record`, `--certificate`, ...) follows this one rule: a file
    that exists is overwritten only with `--force`.
    """
    library.refuse_existing(name, force, suffix)
    return Path(name)


def write(name: str, content: str | bytes, force: bool) -> None:
    """Write a file whole or not at all, by the rule of `writable`."""
    library.save(str(writable(name, force)), content)


def tables(names: Iterable[str]) -> list[str]:
    """The names with folders replaced by the tables in them, each once."""
    found: list[str] = []
    for name in names:
        if name in ("", "-") or "\0" in name or library.found_at(Path(name)) != "folder":
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
        there = library.found_at(path)
        if there == "folder":
            found.update(dict.fromkeys(_below(path, ".scene")))
        elif path.suffix == ".team" or (name in library.names(".team") and not there):
            if not (about := scenes_of(library.find(name, ".team"))):
                raise BadFile(f"There is no scene file beside {name} that is about it.")
            found.update(dict.fromkeys(about))
        elif path.suffix != ".scene" and there:
            raise BadFile(f"{path} is no scene file; name a table, a folder or a file that ends in .scene.")
        elif path.suffix != ".scene":
            hint = library.hint(name, library.names(".team"))
            raise BadFile(f"There is no scene file, table or folder named {name[:80]}.{hint}")
        else:
            found[path] = None
    if not found:
        raise BadFile(f"There is no scene file under {', '.join(names)}; their names end in .scene.")
    return list(found)


def speak_utf8() -> None:
    """Write UTF-8 to standard output, whatever the encoding of the terminal."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def _below(folder: Path, suffix: str) -> Iterator[Path]:
    """The files of a folder and those below it, hidden ones and environments (which hold ours) left out."""
    for here, folders, files in os.walk(folder, onerror=_refuse_unreadable):
        folders[:] = sorted(name for name in folders if name[0] != "." and not _is_environment(Path(here, name)))
        yield from (Path(here, name) for name in sorted(files) if name.endswith(suffix))


def _is_environment(folder: Path) -> bool:
    """Whether a folder is an environment of Python."""
    return library.found_at(folder / "pyvenv.cfg") is not None


def _refuse_unreadable(error: OSError) -> None:
    """A folder that can't be looked into is an error: it may hold what was asked for."""
    raise BadFile(f"The folder {error.filename} cannot be read: {error.strerror or error}.")
