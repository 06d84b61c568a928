"""Where do results live? In one SQLite file with one writer: what is in it survives a crash at any moment.

A row is a chunk of games; a chunk that was played twice counts once. The file belongs to one plan, whose text it holds.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from teamplay import library
from teamplay.arena.match import Tally
from teamplay.errors import BadFile, TeamplayError

APPLICATION = 0x7465616D  # "team": how a file says whose it is
VERSION = 1
TABLES = f"""
CREATE TABLE plan (text TEXT NOT NULL);
CREATE TABLE chunks (
    match INTEGER NOT NULL, start INTEGER NOT NULL,
    {", ".join(f"{name} INTEGER NOT NULL" for name in Tally._fields)},
    PRIMARY KEY (match, start)
) WITHOUT ROWID;
"""


class Results:
    """The results of one plan, open for writing; nobody else may open them meanwhile."""

    def __init__(self, path: Path, plan: str) -> None:
        self.path = path
        with self._explained():
            self._open(_ordinary(path), plan)

    def _open(self, path: Path, plan: str) -> None:
        self._file = sqlite3.connect(path, timeout=1, isolation_level=None)
        try:
            self._file.execute("PRAGMA locking_mode=EXCLUSIVE")
            if self._is_new():
                self._create(plan)
            self._check(plan)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=FULL")
            self._file.execute("BEGIN IMMEDIATE")  # from here on nobody else can write
            self._file.execute("COMMIT")
        except BaseException:
            self._file.close()
            raise

    def _is_new(self) -> bool:
        (tables,) = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (application,) = self._file.execute("PRAGMA application_id").fetchone()
        if tables and application != APPLICATION:
            raise BadFile(f"{self.path} is a database of something else; name another file with --results.")
        return not tables

    def _create(self, plan: str) -> None:
        """All or nothing: a crash leaves an empty file, which is a new one."""
        script = f"BEGIN; PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; {TABLES}"
        self._file.executescript(script)
        self._file.execute("INSERT INTO plan VALUES (?)", [plan])
        self._file.execute("COMMIT")

    def _check(self, plan: str) -> None:
        (version,) = self._file.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            raise BadFile(f"{self.path} has results of version {version}; this teamplay writes version {VERSION}.")
        (sound,) = self._file.execute("PRAGMA quick_check(1)").fetchone()
        if sound != "ok":
            raise BadFile(f"{self.path} is damaged: {' '.join(sound.split())}.")
        plans = [text for (text,) in self._file.execute("SELECT text FROM plan")]
        if plans != [plan]:
            raise BadFile(
                f"{self.path} has the results of another tournament, or its tables have changed since; name another "
                f"file with --results, or remove this one."
            )

    def played(self) -> dict[tuple[int, int], Tally]:
        """What is known: the tally of each chunk, by the number of the match and of the chunk's first game."""
        with self._explained():
            rows = self._file.execute("SELECT * FROM chunks").fetchall()
            if not all(type(number) is int for row in rows for number in row):
                raise BadFile(f"{self.path} is damaged: not all of its results are numbers.")
            return {(match, start): Tally(*tally) for match, start, *tally in rows}

    def add(self, match: int, start: int, tally: Tally) -> None:
        """Keep what came of a chunk; when this returns, it is on the disk."""
        places = ", ".join("?" * (2 + len(tally)))
        with self._explained():
            self._file.execute(f"INSERT OR IGNORE INTO chunks VALUES ({places})", [match, start, *tally])

    def close(self) -> None:
        with self._explained():
            self._file.close()

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Whatever SQLite complains about, as one sentence."""
        try:
            yield
        except (sqlite3.Error, ValueError) as error:
            raise _sentence(self.path, error) from None


def _ordinary(path: Path) -> Path:
    """Where a file lies, in full: SQLite takes `:memory:` for no file at all, and would write to a device."""
    file = library.whole(str(path))
    try:
        if file.exists() and not file.is_file():
            raise BadFile(f"{path} is not an ordinary file, which results need; name another with --results.")
    except OSError as error:
        raise BadFile(f"{path} cannot be opened: {error.strerror or error}.") from None
    return file


def _sentence(path: Path, error: Exception) -> TeamplayError:
    text = str(error)
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return BadFile(f"{path} is in use by another program; wait for it, or name another file with --results.")
    if code.startswith(("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY")):
        return BadFile(
            f"{path} cannot be written: {text}. What it holds is kept, and the same command goes on from there."
        )
    if code.startswith("SQLITE_CANTOPEN"):
        return BadFile(f"{path} cannot be opened: {text}.")
    if code.startswith("SQLITE_NOTADB"):
        return BadFile(f"{path} is not a file of results; name another with --results.")
    return BadFile(f"{path} is not a file of results, or is damaged: {text}.")
