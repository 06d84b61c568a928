"""A proof as a file that anybody can check: the claim, the table, every position in which the player moves, and a seal.

    teamplay certificate 1
    game: tic-tac-toe
    game-sha256: (of the game's file)
    player: tic-tac-toe/figure-15
    tie: all
    goal: never-loses
    table: 24
    | # Figure 15 … (24 lines, as they stand in the file)
    seat: first
    verdict: proved
    positions: 193
    wins: 122
    draws: 8
    losses: 0
    symmetry: yes
    listed: 41
    ... ... ... (41 positions, one per line, up to symmetry if it says so)
    sha256: (of all lines above)

A refuted seat has `game:` and its moves instead of numbers and positions.
"""

import contextlib
import gzip
import hashlib
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, TypeVar, get_args

from teamplay import library
from teamplay.errors import BadFile, BadSpec
from teamplay.game import BLANK, SEATS, Game, Position
from teamplay.game_file import parse_spec
from teamplay.proof.goals import GOALS, TIES, ClaimTies, ProofGoal

FIRST_LINE = "teamplay certificate 1"
LARGEST = 256 << 20  # bytes of text; a certificate is an untrusted file
LARGEST_BOARD = 1_000  # cells
LONGEST_LINE = 8_192  # characters
SEAL = "sha256"

ClaimVerdict = Literal["proved", "refuted"]

VERDICTS: tuple[ClaimVerdict, ...] = get_args(ClaimVerdict)

Known = TypeVar("Known", bound=str)


@dataclass(frozen=True)
class Header:
    """What the claims are about."""

    game: str  # a spec
    game_hash: str
    player: str  # a spec
    tie: ClaimTies
    goal: ProofGoal
    table: str | None  # the text of the table that the player plays by, if it does


@dataclass(frozen=True)
class Claim:
    """What is claimed of one seat; only the parts that its verdict needs."""

    seat: int
    verdict: ClaimVerdict
    positions: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    symmetry: bool = False
    listed: Sequence[str] = ()
    game: Sequence[str] = ()


@dataclass(frozen=True)
class Certificate:
    """A header and its claims."""

    header: Header
    claims: tuple[Claim, ...]


def game_hash(spec: str) -> str:
    """The SHA-256 of the file behind a game."""
    path = library.find(parse_spec(spec)[0], ".toml")
    return hashlib.sha256(library.read(path).encode()).hexdigest()


def format_position(game: Game, position: Position) -> str:
    """A position in one line: the board, and the points where the game has any."""
    drawn = game.format_board(position.marks)
    return f"{drawn} {position.scores[0]}:{position.scores[1]}" if game.goal.effect == "scores" else drawn


def parse_position(game: Game, text: str, seat: int) -> Position:
    """The position of a line, with this seat to move; BadSpec where it is none."""
    drawn, _, points = text.partition(" ")
    marks = drawn.replace("/", "")
    scores = re.fullmatch(r"(\d{1,4}):(\d{1,4})", points, re.ASCII)
    position = Position(marks, seat, (int(scores[1]), int(scores[2])) if scores else (0, 0))
    known = len(marks) == game.grid.size and set(marks) <= {BLANK, *game.marks}
    if not known or format_position(game, position) != text:
        raise BadSpec(f"`{text[:60]}` is not a position of {game}")
    return position


class Writer:
    """Writes a certificate claim by claim; the file appears only when all is well, never in part or without a claim."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path, self.header = path, header
        self.claims = 0
        self._hash, self._size = hashlib.sha256(), 0

    def __enter__(self) -> "Writer":
        self._target = Path(os.path.realpath(self.path))  # a link stays, and what it leads to is written
        if self._target.is_dir():
            raise BadFile(f"{self.path} is a folder, not a file.")
        if self._target.exists() and not self._target.is_file():  # a device would be replaced by a file
            raise BadFile(f"{self.path} is not an ordinary file.")
        self._draft = self._target.with_name(f".{self._target.name}.{os.getpid()}.part")
        try:
            raw = self._draft.open("xb")
        except OSError as error:
            raise self._unwritable(error) from None
        # No name and no time inside, so that the same claims give the same bytes.
        packed = gzip.GzipFile("", "wb", 6, raw, 0) if self.path.suffix == ".gz" else raw
        self._files: list[IO[bytes] | gzip.GzipFile] = [packed, raw] if packed is not raw else [raw]
        try:
            self._put_header()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        try:
            if kind is None:
                self._put(f"{SEAL}: {self._hash.hexdigest()}")
        except BaseException:
            self._close()
            raise
        self._close(whole=kind is None and self.claims > 0)

    def _close(self, whole: bool = False) -> None:
        try:
            for file in self._files:
                file.close()
            if whole:
                self._draft.replace(self._target)
        except OSError as error:
            raise self._unwritable(error) from None
        finally:
            self._draft.unlink(missing_ok=True)

    def _unwritable(self, error: OSError) -> BadFile:
        return BadFile(f"{self.path} cannot be written: {error.strerror or error}.")

    def add(self, claim: Claim, listed: Iterable[str] = ()) -> None:
        """Add a claim; the positions may come one by one, in place of the claim's own."""
        self.claims += 1
        self._put(f"seat: {SEATS[claim.seat]}")
        self._put(f"verdict: {claim.verdict}")
        if claim.verdict == "refuted":
            self._put(f"game: {' '.join(claim.game)}")
            return
        for key in ("positions", "wins", "draws", "losses"):
            self._put(f"{key}: {getattr(claim, key)}")
        self._put(f"symmetry: {'yes' if claim.symmetry else 'no'}")
        lines = list(listed or claim.listed)
        self._put(f"listed: {len(lines)}")
        for line in lines:
            self._put(line)

    def _put_header(self) -> None:
        header = self.header
        self._put(FIRST_LINE)
        for key, value in (
            ("game", header.game),
            ("game-sha256", header.game_hash),
            ("player", header.player),
            ("tie", header.tie),
            ("goal", header.goal),
        ):
            self._put(f"{key}: {value}")
        lines = [] if header.table is None else header.table.split("\n")
        self._put(f"table: {'none' if header.table is None else len(lines)}")
        for line in lines:
            self._put(f"| {line}")

    def _put(self, line: str) -> None:
        data = f"{line}\n".encode(errors="surrogateescape")
        self._hash.update(data)
        self._size += len(data)
        if self._size > LARGEST:
            raise BadFile(f"The certificate would be larger than {LARGEST >> 20} MB, the most that `recheck` reads.")
        if "\n" in line:
            raise BadFile(f"A name with a line break can't stand in a certificate: {line[:60]!r}.")
        if len(data) > LONGEST_LINE:
            raise BadFile(f"A line of the certificate would be longer than {LONGEST_LINE:,} characters.")
        try:
            self._files[0].write(data)
        except OSError as error:
            raise self._unwritable(error) from None


def read(path: Path) -> Certificate:
    """A certificate whose seal holds; BadFile with the reason for anything else."""
    with _opened(path) as file:
        return _CertificateReading(path, _lines(path, file)).certificate()


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The text of a file, unpacked if need be."""
    try:
        if path.is_dir():
            raise BadFile(f"{path} is a folder, not a file.")
        if path.exists() and not path.is_file():  # a pipe without a writer would never end
            raise BadFile(f"{path} is not an ordinary file.")
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            if packed:
                with gzip.open(raw) as unpacked:
                    yield unpacked  # type: ignore[misc]  # reads like any file
            else:
                yield raw
    except FileNotFoundError:
        raise BadFile(f"There is no file {path}.") from None
    except EOFError:
        raise BadFile(f"{path} is cut off: its packed part has no end.") from None
    except (gzip.BadGzipFile, zlib.error):
        raise BadFile(f"{path} is damaged: it can't be unpacked.") from None
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from None
    except ValueError:  # a NUL or half a character in the name
        raise BadFile(f"{str(path)!r} is not the name of a file.") from None


def _lines(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file, each with its end; bounded, so that a packed giant does no harm."""
    size = 0
    while line := file.readline(LONGEST_LINE + 2):
        size += len(line)
        if size > LARGEST:
            raise BadFile(
                f"{path} holds more than {LARGEST >> 20} MB, which is the most that is read of a certificate."
            )
        if len(line) > LONGEST_LINE + 1:
            raise BadFile(f"{path} is not a certificate: it has a line of more than {LONGEST_LINE:,} characters.")
        yield line


class _CertificateReading:
    """Reads a certificate line by line, hashing on the way."""

    def __init__(self, path: Path, lines: Iterator[bytes]) -> None:
        self.path, self.lines, self.number = path, lines, 0
        self._hash, self._before = hashlib.sha256(), ""

    def certificate(self) -> Certificate:
        self._begin()
        header = self._header()
        claims: list[Claim] = []
        while (key_value := self._pair())[0] != SEAL:
            if key_value[0] != "seat" or key_value[1] not in SEATS:
                raise self._wrong(f"`seat: first` or `seat: second` is wanted here, or the `{SEAL}` at the end")
            seat = SEATS.index(key_value[1])
            if any(claim.seat == seat for claim in claims):
                raise self._wrong(f"the {key_value[1]} seat comes twice")
            claims.append(self._claim(seat))
        if key_value[1] != self._before:
            raise BadFile(f"{self.path} was changed after it was written: its SHA-256 does not match its text.")
        if next(self.lines, None) is not None:
            raise BadFile(f"{self.path} has text after its SHA-256, which nothing vouches for.")
        if not claims:
            raise BadFile(f"{self.path} claims nothing.")
        return Certificate(header, tuple(claims))

    def _begin(self) -> None:
        """Is this a certificate at all?"""
        first = next(self.lines, b"")
        if not first:
            raise BadFile(f"{self.path} is empty.")
        if not first.startswith(FIRST_LINE.rstrip("1").encode()):
            raise BadFile(f"{self.path} is not a certificate: it does not begin with `{FIRST_LINE}`.")
        self.lines = chain([first], self.lines)
        if (found := self._line()) != FIRST_LINE:
            raise BadFile(f"{self.path} is a `{found[:40]}`; this teamplay reads `{FIRST_LINE}`.")

    def _header(self) -> Header:
        game, hash_, player = (self._value(key) for key in ("game", "game-sha256", "player"))
        tie, goal = self._choice("tie", tuple(TIES)), self._choice("goal", GOALS)
        count = self._value("table")
        table = None if count == "none" else "\n".join(self._quoted() for _ in range(self._number(count)))
        return Header(game, hash_, player, tie, goal, table)

    def _claim(self, seat: int) -> Claim:
        verdict = self._choice("verdict", VERDICTS)
        if verdict == "refuted":
            return Claim(seat, verdict, game=tuple(self._value("game").split()))
        numbers = [self._number(self._value(key)) for key in ("positions", "wins", "draws", "losses")]
        symmetry = {"yes": True, "no": False}.get(self._value("symmetry"))
        if symmetry is None:
            raise self._wrong("`symmetry` is yes or no")
        count = self._number(self._value("listed"))
        listed = list(islice(iter(self._line, None), count))
        return Claim(seat, verdict, numbers[0], numbers[1], numbers[2], numbers[3], symmetry, listed)

    def _line(self) -> str:
        """The next line, without its end."""
        data = next(self.lines, b"")
        self._before = self._hash.hexdigest() if data.startswith(f"{SEAL}: ".encode()) else ""
        self._hash.update(data)
        self.number += 1
        if not data.endswith(b"\n"):
            raise BadFile(f"{self.path} is cut off: line {self.number} {'is not whole' if data else 'is missing'}.")
        try:
            text = data[:-1].decode()
        except UnicodeDecodeError:
            raise BadFile(f"{self.path} is not a certificate: line {self.number} is not UTF-8 text.") from None
        if "\0" in text:
            raise BadFile(f"{self.path} is not a certificate: line {self.number} is binary.")
        return text

    def _pair(self) -> tuple[str, str]:
        key, colon, value = self._line().partition(": ")
        if not colon:
            raise self._wrong("`name: value` is wanted here")
        return key, value

    def _value(self, wanted: str) -> str:
        key, value = self._pair()
        if key != wanted:
            raise self._wrong(f"`{wanted}` is wanted here, not `{key[:40]}`")
        return value

    def _choice(self, wanted: str, known: Sequence[Known]) -> Known:
        value = self._value(wanted)
        for choice in known:
            if choice == value:
                return choice
        raise self._wrong(f"`{wanted}` is {' or '.join(known)}, not `{value[:40]}`")

    def _number(self, text: str) -> int:
        if not re.fullmatch(r"\d{1,12}", text, re.ASCII):
            raise self._wrong(f"a number is wanted here, not `{text[:40]}`")
        return int(text)

    def _quoted(self) -> str:
        line = self._line()
        if not line.startswith("| "):
            raise self._wrong("a line of the table, behind `| `, is wanted here")
        return line[2:]

    def _wrong(self, reason: str) -> BadFile:
        return BadFile(f"{self.path} is not a certificate: in line {self.number} {reason}.")
