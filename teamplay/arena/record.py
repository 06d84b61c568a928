"""Where do recorded games go? To a file with a line of JSON a game, in the order of the games."""

from pathlib import Path

from teamplay.arena.match import Chunk
from teamplay.errors import BadFile


class Record:
    """A file that grows game by game; chunks that come too early wait for those before them."""

    def __init__(self, path: Path) -> None:
        self.path, self.games = path, 0
        self._early: dict[int, tuple[str, ...]] = {}
        self._size = 0  # bytes, of whole games
        try:
            if path.is_file():
                raise BadFile(f"{path} is there already; name another file, or remove it.")
            self._own = not path.exists()  # else it is a pipe or a device
            self._file = path.open("xb" if self._own else "wb", buffering=0)
        except OSError as error:
            raise self._failed(error) from None
        except ValueError:  # a NUL in the name
            raise BadFile(f"{str(path)!r} is not the name of a file.") from None

    def add(self, chunk: Chunk, lines: tuple[str, ...]) -> None:
        """Write what is next in order; when this returns or fails, the file holds whole games."""
        self._early[chunk.start] = lines
        while self.games in self._early:
            ready = self._early.pop(self.games)
            try:
                self._write("".join(f"{line}\n" for line in ready).encode())
            except OSError as error:
                raise self._failed(error) from None
            self.games += len(ready)

    def _write(self, data: bytes) -> None:
        try:
            left = memoryview(data)
            while left:
                left = left[self._file.write(left) :]
            self._size += len(data)
        except BaseException:  # Ctrl-C may come in the middle as well
            if self._own:
                self._file.truncate(self._size)
            raise

    def __enter__(self) -> "Record":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self._own and not self.games:
            self.path.unlink(missing_ok=True)  # else the same command would find a file in its way

    def _failed(self, error: OSError) -> BadFile:
        return BadFile(f"{self.path} cannot be written: {error.strerror or error}.")
