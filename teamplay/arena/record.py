"""Where do recorded games go? To a file with a line of JSON a game, in the order of the games."""

from pathlib import Path
from types import TracebackType
from typing import TextIO

from teamplay.arena.match import Chunk
from teamplay.errors import BadFile


class Record:
    """A file that grows game by game; chunks that come too early wait for those before them."""

    def __init__(self, path: Path) -> None:
        self.path, self.games = path, 0
        self._early: dict[int, tuple[str, ...]] = {}
        try:
            if path.is_file():
                raise BadFile(f"{path} is there already; name another file, or remove it.")
            self._file: TextIO = path.open("w", encoding="utf-8")
        except OSError as error:
            raise self._failed(error) from None
        except ValueError:  # a NUL in the name
            raise BadFile(f"{str(path)!r} is not the name of a file.") from None

    def add(self, chunk: Chunk, lines: tuple[str, ...]) -> None:
        """Write what is next in order; at every moment the file holds whole games."""
        self._early[chunk.start] = lines
        try:
            while self.games in self._early:
                ready = self._early.pop(self.games)
                self._file.write("".join(f"{line}\n" for line in ready))
                self._file.flush()
                self.games += len(ready)
        except OSError as error:
            raise self._failed(error) from None

    def __enter__(self) -> "Record":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        try:
            self._file.close()
        except OSError as error:  # what could not be written is tried once more
            if kind is None:
                raise self._failed(error) from None

    def _failed(self, error: OSError) -> BadFile:
        return BadFile(f"{self.path} cannot be written: {error.strerror or error}.")
