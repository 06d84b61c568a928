"""Reads the inside of `n(…)`: marks, `?`, `*`, `{repeats}`, `+` and `|`, with the exact column of every sign."""

import re
from dataclasses import dataclass

from teamplay.language.complaints import SIGNS
from teamplay.language.diagnostics import Fault, Span
from teamplay.language.tree import Arithmetic, Expression, Name, Number, Pattern, Piece

MOST_PIECES = 64  # in one alternative
MOST_ALTERNATIVES = 16
REPEAT = re.compile(r"\s*(k|[0-9]{1,4})\s*(?:([-−+*×])\s*(k|[0-9]{1,4})\s*)?")


def read_pattern(text: str, line: int, column: int) -> Pattern:
    """The pattern in `text`, whose first character stands at this line and column.

    >>> pattern = read_pattern("x{k-1} | ?o", 1, 1)
    >>> [[piece.mark for piece in alternative] for alternative in pattern.alternatives]
    [['x'], ['?', 'o']]
    """
    parts = text.split("|")
    whole = Span(line, column, column + max(1, len(text)))
    if len(parts) > MOST_ALTERNATIVES:
        message = f"a pattern of {len(parts)} alternatives; {MOST_ALTERNATIVES} are the most"
        raise Fault("T003", whole, message, help="split it into several rules")
    alternatives = []
    for part in parts:
        alternatives.append(_Alternative(part, line, column).pieces())
        column += len(part) + 1
    # Whether a bare word is a name from `let` or a row of marks is known only with the whole table.
    word = "".join(text.split())
    name = word if re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", word) else ""
    return Pattern(tuple(alternatives), name, span=whole)


@dataclass(frozen=True)
class _Alternative:
    """One row of pieces, and where it stands."""

    text: str
    line: int
    column: int

    def wrong(self, start: int, end: int, message: str, help: str, code: str = "T001") -> Fault:
        span = Span(self.line, self.column + start, self.column + max(end, start + 1))
        return Fault(code, span, message, help=help)

    def pieces(self) -> tuple[Piece, ...]:
        text = self.text
        pieces: list[Piece] = []
        at = 0
        while at < len(text):
            sign = text[at]
            if sign == "{" or sign == "+":
                at = self._repeated(pieces, at)
                continue
            if sign.isascii() and (sign.isalnum() or sign in "?*_"):
                pieces.append(Piece(sign, span=Span(self.line, self.column + at, self.column + at + 1)))
            elif not sign.isspace():
                signs = "a pattern holds marks, `?`, `*`, `{repeats}`, `+` and `|`"
                raise self.wrong(at, at + 1, f"`{sign}` has no place in a pattern", signs)
            at += 1
        if not pieces:
            raise self.wrong(0, len(text), "an empty pattern", "write the other marks of a line, as in n(xx)")
        if len(pieces) > MOST_PIECES:
            message = f"a pattern of {len(pieces)} signs is too long; {MOST_PIECES} are the most"
            raise self.wrong(0, len(text), message, "repeat a mark with {…}, as in x{k-1}", "T003")
        return tuple(pieces)

    def _repeated(self, pieces: list[Piece], at: int) -> int:
        """`{…}` or `+` behind a mark; the place in the text after it."""
        if not pieces:
            raise self.wrong(at, at + 1, "nothing stands before this to repeat", "write a mark first: x{k-1}, o+")
        last = pieces[-1]
        if last.mark == "*":
            raise self.wrong(at, at + 1, "`*` is the agent's own cell and can't be repeated", "repeat a mark: o+")
        if last.plus or last.repeat is not None:
            raise self.wrong(at, at + 1, "a mark is repeated in one way only", "write x{3} or x+, not both")
        if self.text[at] == "+":
            pieces[-1] = Piece(last.mark, plus=True, span=last.span)
            return at + 1
        close = self.text.find("}", at)
        if close < 0:
            raise self.wrong(at, len(self.text), "`{` is not closed", "close it with `}`, as in x{k-1}")
        pieces[-1] = Piece(last.mark, self._times(at + 1, close), span=last.span)
        return close + 1

    def _times(self, start: int, end: int) -> Expression:
        """How often: `3`, `k`, `k-1`, `2*k`."""
        match = REPEAT.fullmatch(self.text[start:end])
        if not match:
            message = f"`{self.text[start:end][:40]}` is not a number of times"
            raise self.wrong(start, end, message, "write {3}, {k} or {k-1}")
        span = Span(self.line, self.column + start, self.column + end)
        left, *rest = (Name(w, span=span) if w == "k" else Number(int(w), span=span) for w in (match[1], match[3]) if w)
        return Arithmetic(SIGNS.get(match[2], match[2]), left, rest[0], span=span) if rest else left
