"""Where a named file lies: name -> a shipped game or table, or your own path; and how a file is read and written."""

import os
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

from teamplay.errors import BadFile, BadSpec, closest, did_you_mean

LARGEST_FILE = 1 << 20  # bytes; a table or game file is data from a stranger
NAME = re.compile(r"[a-z0-9_-]{1,64}(/[a-z0-9_-]{1,64})*")

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE / "shipped" if (_PACKAGE / "shipped").is_dir() else _PACKAGE.parent

FOLDERS = {".toml": _ROOT / "games", ".team": _ROOT / "rules"}
KINDS = {".toml": "game", ".team": "table"}


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
    raise BadSpec(
        f"There is no {kind} named `{name[:80]}`.{hint(name, known)} Name a shipped one or a path ending in {suffix}."
    )


def hint(name: str, known: list[str]) -> str:
    """What was most likely meant, to append to an error; `figur-15` is most likely `tic-tac-toe/figure-15`."""
    last = closest(name, (other.rpartition("/")[2] for other in known))
    meant = [other for other in known if other.rpartition("/")[2] == last]
    return f" Did you mean {' or '.join(f'`{other}`' for other in meant)}?" if meant else did_you_mean(name, known)


def read(path: Path, limit: int = LARGEST_FILE) -> str:
    """The text of a file from a stranger: bounded, UTF-8, without a byte-order mark, lines ended by \\n."""
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
    """The text that some bytes from a stranger are; `name` is theirs in an error."""
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
    """What a TOML file from a stranger says; a dotted key takes time quadratic in its length, so lines are bounded."""
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


def save(name: str, content: str | bytes) -> None:
    """Write a file whole or not at all; a link stays a link, and a pipe or a device is written to, never replaced."""
    data = content.encode() if isinstance(content, str) else content
    target = whole(name)
    try:
        if target.is_dir():
            raise BadFile(f"{name} is a folder; name a file in it.")
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
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
