"""Which files may the page read and write? Those of a few kinds below one folder, and no others."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from hashlib import blake2b
from pathlib import Path
from typing import Any

from teamplay import library
from teamplay.errors import BadFile

WRITTEN = (".team", ".scene", ".toml")  # tables, scenes, games
READ = (*WRITTEN, ".results", ".jsonl")  # and what matches and tournaments leave behind
MOST_FILES = 500
LONGEST_NAME = 255  # bytes, as most file systems have it
LARGEST_RECORD = 1 << 24  # bytes of recorded games
BOM = b"\xef\xbb\xbf"


class Changed(BadFile):
    """A file that is not on the disk as it was when it was opened."""


@dataclass(frozen=True)
class Folder:
    """The folder that the studio was started for."""

    root: Path  # links followed

    def files(self) -> dict[str, list[str]]:
        """The files by kind, as paths from here, hidden folders and environments left out."""
        found: dict[str, list[str]] = {suffix.lstrip("."): [] for suffix in READ}
        for path in self._walk():
            found[path.suffix.lstrip(".")].append(path.relative_to(self.root).as_posix())
        return found

    def _walk(self) -> Iterator[Path]:
        count = 0
        for here, folders, files in os.walk(self.root):
            folders[:] = sorted(
                name
                for name in folders
                if name[0] != "." and name != "node_modules" and not Path(here, name, "pyvenv.cfg").exists()
            )
            for name in sorted(files):
                if name.endswith(READ) and name[0] != ".":
                    yield Path(here, name)
                    count += 1
                    if count == MOST_FILES:
                        return

    def path(self, name: str, kinds: tuple[str, ...] = READ) -> Path:
        """The file of a name, or an error where it would lie outside or be of another kind; links are followed."""
        if not name.endswith(kinds):
            raise BadFile(f"`{name[:80]}` is not a file for the studio; its name ends in {' or '.join(kinds)}.")
        if "\0" in name or Path(name).is_absolute():
            raise BadFile(f"`{name[:80]!r}` is not a path below {self.root}.")
        if len(os.fsencode(Path(name).name)) > LONGEST_NAME:
            raise BadFile(f"`{name[:40]}…` is too long for the name of a file.")
        file = library.whole(str(self.root / name))
        if not file.is_relative_to(self.root) or not file.name.endswith(kinds):
            raise BadFile(f"`{name[:80]}` lies outside of {self.root}.")
        if any(part.startswith(".") for part in file.relative_to(self.root).parts):
            raise BadFile(f"`{name[:80]}` is hidden, and not for the studio.")
        return file

    def open(self, name: str) -> dict[str, Any]:
        """The text of a file, with what tells whether it is still the same."""
        data = _data(self.path(name, WRITTEN))
        return {"name": name, "text": library.decoded(data, name), "stamp": stamp(data)}

    def save(self, name: str, text: str, known: str | None) -> dict[str, Any]:
        """Write a text; a file that changed since it was opened is a `Changed`. `known` None: there is no file yet."""
        file = self.path(name, WRITTEN)
        before = _data(file) if file.exists() else None
        now = None if before is None else stamp(before)
        if now != known:
            what = "is gone from the disk" if now is None else "has changed on the disk"
            raise Changed(f"{name} {what if known else 'exists already'}; saving would overwrite what is there.")
        if len(text.encode()) > library.LARGEST_FILE:
            raise BadFile(f"A file has at most {library.LARGEST_FILE:,} bytes.")
        if not file.parent.is_dir():
            raise BadFile(f"There is no folder for {name[:80]}.")
        data = with_endings(text, before or b"")
        if data != before:
            library.save(str(file), data)
        return {"name": name, "stamp": stamp(data)}

    def stamp_of(self, name: str) -> str | None:
        """What a file is known by now; None where there is none."""
        file = self.path(name, WRITTEN)
        return stamp(_data(file)) if file.exists() else None

    def record(self, name: str) -> list[str]:
        """The recorded games of a file, one line each; a line that is still being written is left out."""
        text = library.read(self.path(name, (".jsonl",)), LARGEST_RECORD)
        return text[: text.rfind("\n") + 1].splitlines()


def _data(file: Path) -> bytes:
    """The bytes of an ordinary file."""
    library.read(file)  # which says what is wrong with it
    return file.read_bytes()


def stamp(data: bytes) -> str:
    """What a file's bytes are known by."""
    return blake2b(data, digest_size=16).hexdigest()


def with_endings(text: str, before: bytes) -> bytes:
    """A text as bytes, its line ends and byte-order mark as in the file before: lines that stay keep theirs.

    >>> with_endings("a\\nb\\nc\\n", b"a\\r\\nc\\n")
    b'a\\r\\nb\\r\\nc\\n'
    """
    parts = re.split(r"(\r\n|\r|\n)", before.removeprefix(BOM).decode("utf-8"))
    old, ends = parts[::2], parts[1::2]
    usual = ends[0] if ends else "\n"
    lines = text.split("\n")
    made = [usual] * (len(lines) - 1)
    for at, to, size in SequenceMatcher(None, old, lines, autojunk=False).get_matching_blocks():
        for step in range(size):
            if at + step < len(ends) and to + step < len(made):
                made[to + step] = ends[at + step]
    joined = "".join(line + end for line, end in zip(lines, [*made, ""], strict=True)).encode()
    return BOM + joined if before.startswith(BOM) else joined
