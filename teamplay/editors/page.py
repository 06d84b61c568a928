"""A document as an editor has it: columns in its units, lines from 0; and as the language has it: characters from 1."""

from dataclasses import dataclass
from functools import cached_property

UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}  # encoding, bytes in a unit


@dataclass(frozen=True)
class Page:
    """A text, and the units that its editor counts columns in."""

    raw: str
    units: str = "utf-16"

    @cached_property
    def text(self) -> str:
        """The text as a file would be read, but that a byte-order mark becomes a space, so that columns stay."""
        raw = f" {self.raw[1:]}" if self.raw.startswith("\ufeff") else self.raw
        return raw.replace("\r\n", "\n").replace("\r", "\n")

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def ending(self) -> str:
        """How the document ends its lines."""
        return "\r\n" if "\r\n" in self.raw else "\n"

    def position(self, line: int, column: int) -> tuple[int, int]:
        """The editor's line and column; what lies behind the end of the text is the end.

        >>> Page("# 🎲 dice").position(1, 4)
        (0, 4)
        """
        if line > len(self.lines):
            line, column = len(self.lines), len(self.lines[-1]) + 1
        return line - 1, self._width(self.lines[line - 1][: column - 1])

    def place(self, line: int, character: int) -> tuple[int, int]:
        """The language's line and column; within a character, that character's.

        >>> Page("# 🎲 dice").place(0, 5)
        (1, 5)
        """
        if line >= len(self.lines):
            return len(self.lines), len(self.lines[-1]) + 1
        width, column = 0, 1
        for char in self.lines[line]:
            width += self._width(char)
            if width > character:
                break
            column += 1
        return line + 1, column

    def _width(self, text: str) -> int:
        encoding, unit = UNITS[self.units]
        return len(text.encode(encoding, "surrogatepass")) // unit
