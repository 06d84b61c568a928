"""Where do results live? In one SQLite file with one writer: what is in it survives a crash at any moment.

A row is a chunk of games of one pairing; a chunk that was played twice counts once. Games in which nothing was left
to chance are counted by what they are, since each of them is one observation however often it is played. Games that
were forfeited are counted by the reason. The file
says what its games depend on (the game, the seed, the opening, what each table says), so a larger tournament can go on
from it, and one that would mix different games is refused. While a run writes, others can read.
"""

import importlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import quote

from teamplay import library
from teamplay.arena.match import Tally
from teamplay.errors import BadFile, TeamplayError

APPLICATION = 0x7465616D  # "team": how a file says whose it is
VERSION = 4
TABLES = f"""
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE players (spec TEXT PRIMARY KEY, meaning TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE chunks (
    a TEXT NOT NULL, b TEXT NOT NULL, engine TEXT NOT NULL, start INTEGER NOT NULL, games INTEGER NOT NULL,
    {", ".join(f"{name} INTEGER NOT NULL" for name in Tally._fields)},
    PRIMARY KEY (a, b, engine, start, games)
) WITHOUT ROWID;
CREATE TABLE fixed (
    a TEXT NOT NULL, b TEXT NOT NULL, engine TEXT NOT NULL, start INTEGER NOT NULL, games INTEGER NOT NULL,
    game INTEGER NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (a, b, engine, start, games, game)
) WITHOUT ROWID;
CREATE TABLE forfeits (
    a TEXT NOT NULL, b TEXT NOT NULL, engine TEXT NOT NULL, start INTEGER NOT NULL, games INTEGER NOT NULL,
    reason TEXT NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (a, b, engine, start, games, reason)
) WITHOUT ROWID;
"""
AS_NEEDED = "as needed"  # an opening only where neither player has luck
WORDS = {"game": "game", "seed": "seed", "opening": "number of random plies"}

Counted = TypeVar("Counted", int, str)


@dataclass(frozen=True)
class Basis:
    """What the games of a tournament depend on; `plan` is its latest plan, for readers."""

    game: str  # its rules, not its name
    seed: int
    opening: int | str  # a number, or AS_NEEDED
    players: Mapping[str, str]  # spec -> what its table says, empty for other players
    plan: str = ""


class Key(NamedTuple):
    """Which games a row holds: those of `a` against `b` from number `start` on, played by one of the engines."""

    a: str
    b: str
    engine: str
    start: int
    games: int


Fixed = tuple[tuple[int, int], ...]  # games without chance, and how often each was played
Forfeits = tuple[tuple[str, int], ...]  # reasons, and how many games were forfeited for each


class Stored(NamedTuple):
    """What a results file holds: the latest plan, the tally of each chunk, its games without chance and forfeits."""

    plan: str
    chunks: Mapping[Key, Tally]
    fixed: Mapping[Key, Fixed]
    forfeits: Mapping[Key, Forfeits]


class ResultsFile:
    """The results of one basis, open for writing; nobody else may write meanwhile."""

    def __init__(self, path: Path, basis: Basis) -> None:
        self.path = path
        with _explained(path):
            self._open(_ordinary(path), basis)

    def _open(self, path: Path, basis: Basis) -> None:
        self._lock = _locked(path)
        self._file = sqlite3.connect(path, timeout=1, isolation_level=None)
        try:
            if self._is_new():
                self._create()
            _check(self.path, self._file)
            _stored(self.path, self._file)  # damage is found before anything is written
            self._agree(basis)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=FULL")
            self._keep(basis)
        except BaseException:
            self.close()
            raise

    def _is_new(self) -> bool:
        (tables,) = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return not tables

    def _create(self) -> None:
        """All or nothing: a crash leaves an empty file, which is a new one."""
        script = f"BEGIN; PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; {TABLES} COMMIT;"
        self._file.executescript(script)

    def _agree(self, basis: Basis) -> None:
        """Refuse a tournament whose games would be others than those in the file, and name what differs."""
        known = dict(self._file.execute("SELECT name, value FROM settings"))
        for name, word in WORDS.items():
            wanted = str(getattr(basis, name))
            if name in known and known[name] != wanted:
                shown = "" if name == "game" else f" ({known[name]}, not {wanted})"
                raise self._other(f"was played with another {word}{shown}")
        meanings = dict(self._file.execute("SELECT spec, meaning FROM players"))
        for spec, meaning in basis.players.items():
            if meanings.get(spec, meaning) != meaning:
                raise self._other(f"was played when the table {spec} had other rules")

    def _other(self, what: str) -> BadFile:
        return BadFile(f"{self.path} {what}; name another file with --results, or remove this one.")

    def _keep(self, basis: Basis) -> None:
        settings = {**{name: str(getattr(basis, name)) for name in WORDS}, "plan": basis.plan}
        with self._whole():
            self._file.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?)", settings.items())
            self._file.executemany("INSERT OR IGNORE INTO players VALUES (?, ?)", basis.players.items())

    def stored(self) -> Stored:
        """What is known."""
        with _explained(self.path):
            return _stored(self.path, self._file)

    def add(self, key: Key, tally: Tally, fixed: Fixed = (), forfeits: Forfeits = ()) -> None:
        """Keep what came of a chunk; when this returns, it is on the disk."""
        places = ", ".join("?" * (len(key) + len(tally)))
        with _explained(self.path), self._whole():
            self._file.execute(f"INSERT OR IGNORE INTO chunks VALUES ({places})", [*key, *tally])
            for table, counts in (("fixed", fixed), ("forfeits", forfeits)):
                rows = [(*key, what, times) for what, times in counts]
                self._file.executemany(f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """All that is written meanwhile, or nothing of it."""
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._file.in_transaction:
                self._file.execute("ROLLBACK")
            raise
        self._file.execute("COMMIT")

    def close(self) -> None:
        try:
            with _explained(self.path):
                self._file.close()
        finally:
            os.close(self._lock)

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_results(path: Path) -> Stored:
    """What a results file holds, also while another process writes it."""
    with _explained(path):
        if not path.is_file():
            raise BadFile(f"There is no file of results {path}.")
        if not path.stat().st_size:
            raise BadFile(f"{path} is empty; a tournament that has just begun writes to it in a moment.")
        file = sqlite3.connect(f"file:{quote(str(library.whole(str(path))))}?mode=ro", timeout=5, uri=True)
        try:
            _check(path, file)
            file.execute("BEGIN")  # the plan and the chunks of one moment
            return _stored(path, file)
        finally:
            file.close()


def _check(path: Path, file: sqlite3.Connection) -> None:
    """Refuse a file that is not ours, from another version, or damaged."""
    (application,) = file.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise BadFile(f"{path} is a database of something else; name another file.")
    (version,) = file.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        raise BadFile(f"{path} has results of version {version}; this teamplay writes version {VERSION}.")
    (sound,) = file.execute("PRAGMA quick_check(1)").fetchone()
    if sound != "ok":
        raise BadFile(f"{path} is damaged: {' '.join(sound.split())}.")


def _stored(path: Path, file: sqlite3.Connection) -> Stored:
    (plan,) = file.execute("SELECT value FROM settings WHERE name = 'plan'").fetchone() or ("",)
    fixed, forfeits = _counts(path, file, "fixed", int), _counts(path, file, "forfeits", str)
    return Stored(str(plan), _rows(path, file), fixed, forfeits)


def _counts(
    path: Path, file: sqlite3.Connection, table: str, kind: type[Counted]
) -> dict[Key, tuple[tuple[Counted, int], ...]]:
    """How often each thing of some kind happened in each chunk."""
    found: dict[Key, list[tuple[Counted, int]]] = {}
    for *key, what, times in file.execute(f"SELECT * FROM {table}"):
        if type(what) is not kind or type(times) is not int or times < 1:
            raise BadFile(f"{path} is damaged: not all of its results are numbers.")
        found.setdefault(Key(*key), []).append((what, times))
    return {key: tuple(counts) for key, counts in found.items()}


def _rows(path: Path, file: sqlite3.Connection) -> dict[Key, Tally]:
    found = {}
    for row in file.execute("SELECT * FROM chunks"):
        key, tally = Key(*row[: len(Key._fields)]), Tally(*row[len(Key._fields) :])
        if not all(type(number) is int and number >= 0 for number in (key.start, key.games, *tally)):
            raise BadFile(f"{path} is damaged: not all of its results are numbers.")
        if tally.games != key.games:
            raise BadFile(f"{path} is damaged: the results of games {key.start + 1:,} and on do not add up.")
        found[key] = tally
    return found


def _locked(path: Path) -> int:
    """A lock against a second writer, released by the system however this process ends; where it has such locks."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        locks = importlib.import_module("fcntl")
    except ImportError:
        return lock
    try:
        locks.flock(lock, locks.LOCK_EX | locks.LOCK_NB)
    except OSError:
        os.close(lock)
        raise BadFile(
            f"{path.name} is in use by another run; wait for it, or name another file with --results."
        ) from None
    return lock


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Whatever the system or SQLite complains about, as one sentence."""
    try:
        yield
    except OSError as error:
        raise BadFile(f"{path} cannot be opened: {error.strerror or error}.") from None
    except (sqlite3.Error, ValueError) as error:
        raise _sentence(path, error) from None


def _ordinary(path: Path) -> Path:
    """The full path of a file: SQLite takes `:memory:` for no file at all, and would write to a device."""
    file = library.whole(str(path))
    if file.exists() and not file.is_file():
        raise BadFile(f"{path} is not an ordinary file, which results need; name another with --results.")
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
        return BadFile(f"{path} is not a file of results; name another. `teamplay replay` shows recorded games.")
    return BadFile(f"{path} is not a file of results, or is damaged: {text}.")
