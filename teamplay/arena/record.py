"""Where do recorded games go? To a file with one line of JSON per game, in the order of the games."""

from pathlib import Path

from teamplay.arena.match import Chunk
from teamplay.errors import BadFile
from teamplay.library import refuse_existing


class Record:
    """A file that grows game by game; chunks that come too early wait for those before them.

    A disk that fills up ends the record, not the match: the file keeps whole games, and `failure` says what happened.
    """

    def __init__(self, path: Path, force: bool = False) -> None:
        self.path, self.games = path, 0
        self.failure: BadFile | None = None
        self._early: dict[int, tuple[str, ...]] = {}
        self._size = 0  # bytes, of whole games
        refuse_existing(str(path), force)
        try:
            self._own = path.is_file() or not path.exists()  # else it is a pipe or a device
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise self._failed(error) from None
        except ValueError:  # a NUL in the name
            raise BadFile(f"{str(path)!r} is not the name of a file.") from None

    @property
    def wanted(self) -> bool:
        """Whether games are still written; once the disk is full nobody needs to work out their lines."""
        return self.failure is None

    def add(self, chunk: Chunk, lines: tuple[str, ...]) -> None:
        """Write what is next in order, as long as it can be written; the file always holds whole games."""
        if not self.wanted:
            return
        self._early[chunk.start] = lines
        while self.wanted and self.games in self._early:
            ready = self._early.pop(self.games)
            try:
                self._write("".join(f"{line}\n" for line in ready).encode())
            except OSError as error:
                self.failure = self._failed(error)
                self._early.clear()

    def _write(self, data: bytes) -> None:
        """Write lines; if that fails half-way, or Ctrl-C comes, cut the file after the last whole line."""
        done = 0
        try:
            while done < len(data):
                done += self._file.write(data[done:]) or 0
        finally:
            whole = data.rfind(b"\n", 0, done) + 1
            if self._own and whole < done:
                self._file.truncate(self._size + whole)
            self._size += whole
            self.games += data.count(b"\n", 0, whole)

    def __enter__(self) -> "Record":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self._own and not self.games:
            self.path.unlink(missing_ok=True)  # an empty file would only be in the way of the next run

    def _failed(self, error: OSError) -> BadFile:
        games = "game" if self.games == 1 else f"{self.games:,} games"
        kept = f" It holds the first {games}." if self.games else ""
        return BadFile(f"{self.path} cannot be written: {error.strerror or error}.{kept}")
