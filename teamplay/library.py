"""Where a named file lies: name -> a shipped game or table, or your own path; and how a file is read and written."""

import os
import re
import shutil
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from teamplay.errors import BadFile, BadSpec, closest, did_you_mean

LARGEST_FILE = 1 << 20  # bytes; a table or game file is untrusted input
NAME = re.compile(r"[a-z0-9_-]{1,64}(/[a-z0-9_-]{1,64})*")

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE / "shipped" if (_PACKAGE / "shipped").is_dir() else _PACKAGE.parent

FOLDERS = {".toml": _ROOT / "games", ".team": _ROOT / "rules"}
KINDS = {".toml": "game", ".team": "table"}

Stamp = tuple[int, int, int]  # the time, size and number of a file


def names(suffix: str) -> list[str]:
    """All shipped names of one kind of file (`.toml` games, `.team` tables)."""
    folder = FOLDERS[suffix]
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob(f"*{suffix}"))


def find(name: str, suffix: str) -> Path:
    """The file behind a shipped name or a path of your own."""
    if name.endswith(suffix):
        try:
            return Path(name).expanduser()
        except RuntimeError:  # `~nobody/...`
            raise BadFile(f"There is no home folder for {name[:80]}.") from None
    if NAME.fullmatch(name):
        path = FOLDERS[suffix] / f"{name}{suffix}"
        if path.is_file():
            return path
    kind, known = KINDS[suffix], names(suffix)
    meant = hint(name, known, suffix)
    raise BadSpec(f"There is no {kind} named `{name[:80]}`.{meant} Name a shipped one or a path ending in {suffix}.")


def is_shipped(path: Path) -> bool:
    """Whether a file came with teamplay."""
    return path.is_relative_to(_ROOT / "games") or path.is_relative_to(_ROOT / "rules")


def hint(name: str, known: list[str], suffix: str = ".team") -> str:
    """What was most likely meant, to append to an error; `figur-15` is most likely `tic-tac-toe/figure-15`.

    A file of that name in the current folder comes first: only its ending was left out. Then comes a game of that
    name, which people give for a table.
    """
    if found_at(Path(f"{name}{suffix}")) == "file":
        return f" Did you mean `{name}{suffix}`, which is a file here?"
    if suffix == ".team" and name.endswith(".toml"):
        return " Its name is that of a game file, which --game names."
    if suffix == ".team" and name in names(".toml"):
        return f" It is a game, which --game names; `teamplay rules --game {name}` lists the tables for it."
    last = closest(name, (other.rpartition("/")[2] for other in known))
    meant = [other for other in known if other.rpartition("/")[2] == last]
    return f" Did you mean {' or '.join(f'`{other}`' for other in meant)}?" if meant else did_you_mean(name, known)


def found_at(path: Path) -> str | None:
    """What lies at a path: a `folder`, a `file`, something `else`; None where nothing is, or may not be seen."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):  # no permission, too long, or a NUL in the name
        return None
    return "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else "else"


# Work that is sent to another machine carries the text of its files. `noting` collects what is read while the work is
# planned, and `given` lets those texts be read where the work is done, whatever files are there.
_noted: ContextVar[dict[str, str] | None] = ContextVar("noted", default=None)
_given: ContextVar[Mapping[str, str] | None] = ContextVar("given", default=None)
_kept: ContextVar[dict[Path, tuple[Stamp, str]] | None] = ContextVar("kept", default=None)
_within: ContextVar[Path | None] = ContextVar("within", default=None)
_SHIPPED = "shipped:"  # how a noted name says that a file belongs to teamplay, which may be installed elsewhere


@contextmanager
def noting() -> Iterator[dict[str, str]]:
    """Collect the text of every file that is read meanwhile, by a name that means the same on every machine."""
    texts: dict[str, str] = {}
    token = _noted.set(texts)
    try:
        yield texts
    finally:
        _noted.reset(token)


@contextmanager
def given(texts: Mapping[str, str]) -> Iterator[None]:
    """Read these texts in place of the files of the same names."""
    token = _given.set(texts)
    try:
        yield
    finally:
        _given.reset(token)


@contextmanager
def within(folder: Path) -> Iterator[None]:
    """Read no file meanwhile but those below a folder and those that came with teamplay, links followed."""
    token = _within.set(folder.resolve())
    try:
        yield
    finally:
        _within.reset(token)


def _refuse_outside(path: Path) -> None:
    folder = _within.get()
    if folder is not None:
        file = whole(str(path))
        if not file.is_relative_to(folder) and not is_shipped(file):
            raise BadFile(f"{path} lies outside of the folder {folder}, and is not read.")


def unchanged(texts: Mapping[str, str]) -> bool:
    """Whether the files of noted texts still say the same."""
    try:
        return all(read(_located(name)) == text for name, text in texts.items())
    except BadFile:
        return False


def portable(path: Path) -> str:
    """The name of a file in `noting` and `given`."""
    return _SHIPPED + path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else str(path)


def _located(name: str) -> Path:
    return _ROOT / name.removeprefix(_SHIPPED) if name.startswith(_SHIPPED) else Path(name)


@contextmanager
def reading_once() -> Iterator[None]:
    """Read every file once meanwhile, unless it is saved again: a server or a watcher must see that."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def read(path: Path, limit: int = LARGEST_FILE) -> str:
    """The text of an untrusted file: bounded, UTF-8, without a byte-order mark, lines ended by \\n."""
    name, kept = portable(path), _kept.get()
    text = (_given.get() or {}).get(name)
    if text is None:
        text = _read(path, limit) if kept is None else _read_once(path, limit, kept)
    noted = _noted.get()
    if noted is not None:
        noted[name] = text
    return text


def _read_once(path: Path, limit: int, kept: dict[Path, tuple[Stamp, str]]) -> str:
    try:
        state = path.stat()
    except (OSError, ValueError):
        return _read(path, limit)  # which says what is wrong
    stamp = state.st_mtime_ns, state.st_size, state.st_ino
    if path not in kept or kept[path][0] != stamp:
        kept[path] = stamp, _read(path, limit)
    return kept[path][1]


def _read(path: Path, limit: int) -> str:
    _refuse_outside(path)
    try:
        if path.is_dir():
            raise BadFile(f"{path} is a folder, not a file.")
        if path.exists() and not path.is_file():  # a pipe without a writer would never end
            raise BadFile(f"{path} is not an ordinary file.")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise BadFile(f"There is no file {path}.") from None
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from None
    except ValueError:  # a NUL or half a character in the name
        raise BadFile(f"{str(path)!r} is not the name of a file.") from None
    return decoded(data, str(path), limit)


def decoded(data: bytes, name: str, limit: int = LARGEST_FILE) -> str:
    """The text that some untrusted bytes are; `name` is theirs in an error."""
    if len(data) > limit:
        raise BadFile(f"{name} is larger than {limit:,} bytes, which is the most that is read of such a file.")
    if b"\0" in data:
        raise BadFile(f"{name} is a binary file; a text file in UTF-8 is wanted.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFile(f"{name} is not UTF-8 text (line {line}, byte {error.start + 1}).") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_toml(path: Path, what: str, limit: int, widest: int) -> dict[str, Any]:
    """What an untrusted TOML file says; a dotted key takes time quadratic in its length, so lines are bounded."""
    text = read(path, limit)
    if max(map(len, text.split("\n"))) > widest:
        raise BadFile(f"{path} has a line of more than {widest:,} characters, which no {what} needs.")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadFile(f"{path} is nested too deeply to be a {what}.") from None
    except ValueError as error:  # TOMLDecodeError is one
        raise BadFile(f"{path} is not valid TOML: {error}.") from None


def whole(name: str) -> Path:
    """A path in full, links followed."""
    try:
        return Path(name).expanduser().resolve()
    except RuntimeError:  # `~nobody/...`, or links in a circle
        raise BadFile(f"There is no such place as {name[:80]}.") from None
    except (OSError, ValueError):  # a NUL in the name, or a name that is too long
        raise BadFile(f"{name[:80]!r} is not the name of a file.") from None


def refuse_existing(name: str, force: bool, suffix: str = "") -> None:
    """Refuse a file that can't or may not be written, before any work is done: one rule for every command.

    An ordinary file that exists is written over only if `force` says so, and one without write permission never. A
    name must have the `suffix` by which such a file is known.
    """
    if name in ("", "-"):
        raise BadFile(f"`{name}` is not the name of a file.")
    if not name.endswith(suffix):
        raise BadFile(f"`{name[:80]}` must end in {suffix}, as the names of such files do.")
    target, folder = whole(name), Path(name).parent
    there = found_at(target)
    if there == "folder":
        raise BadFile(f"{name} is a folder; name a file in it.")
    if there == "file":
        if not force:
            raise BadFile(f"{name} exists already; --force overwrites it.")
        _refuse_read_only(name, target)
    elif found_at(target.parent) != "folder":
        raise BadFile(f"{name} cannot be written: there is no folder {folder}.")
    elif there is None and not os.access(target.parent, os.W_OK | os.X_OK):
        raise BadFile(f"{name} cannot be written: there is no permission to write in the folder {folder}.")


def _refuse_read_only(name: str, target: Path) -> None:
    """Refuse a file that is marked as read-only: another file could still take its place, and must not."""
    if not target.stat().st_mode & 0o222:
        raise BadFile(f"{name} is read-only; allow writing first, as with `chmod u+w`.")


def save(name: str, content: str | bytes) -> None:
    """Write a file whole or not at all; a link stays a link, and a pipe or a device is written to, never replaced."""
    data = content.encode() if isinstance(content, str) else content
    target = whole(name)
    try:
        if target.is_dir():
            raise BadFile(f"{name} is a folder; name a file in it.")
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        if target.exists():
            _refuse_read_only(name, target)
        _replace(target, data)
    except OSError as error:
        raise BadFile(f"{name} cannot be written: {error.strerror or error}.") from None


def _replace(target: Path, data: bytes) -> None:
    """Put another file in the place of one, with the rights that it had."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
