"""The syntax tree of a table: what was written, before it means anything. Spans do not count in comparisons."""

from dataclasses import dataclass, field
from typing import Literal

from teamplay.grid import ROLES
from teamplay.language.diagnostics import NOWHERE, Span

HEADINGS = ("everyone", "others", *ROLES)  # the words that a heading may hold


@dataclass(frozen=True)
class Node:
    """Anything that stands somewhere in the text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Number(Node):
    """A whole number."""

    value: int


@dataclass(frozen=True)
class Name(Node):
    """A word: `k`, `row`, a mark, a named cell."""

    text: str


@dataclass(frozen=True)
class Place(Node):
    """`cell(2,2)` on the board, or `at(+1,0)` counted from the agent's own cell."""

    kind: str
    numbers: "tuple[Expression, ...]"


@dataclass(frozen=True)
class Piece(Node):
    """One sign of a pattern: a mark, `?`, or `*` for the agent's own cell; repeated or, with `+`, one or more."""

    mark: str
    repeat: "Expression | None" = None
    plus: bool = False


@dataclass(frozen=True)
class Pattern(Node):
    """Alternatives, each a row of pieces; a single name from `let` is kept as it was written."""

    alternatives: tuple[tuple[Piece, ...], ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Count(Node):
    """`n(pattern)`: how many lines match; `size(pattern)`: how many cells their runs hold.

    With `at`, as in `n(pattern) at(-1,0)`, it is counted from the cell there, after the agent's own move.
    """

    kind: str
    pattern: Pattern
    at: Place | None = None


@dataclass(frozen=True)
class MarkTally(Node):
    """`count(mark)`: how many of the cells in sight hold this mark."""

    mark: str


@dataclass(frozen=True)
class Negative(Node):
    """`-` before a number."""

    inner: "Expression"


@dataclass(frozen=True)
class Arithmetic(Node):
    """`+`, `-` or `*`."""

    sign: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True)
class Comparison(Node):
    """`=`, `!=`, `<`, `<=`, `>` or `>=`."""

    sign: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True)
class Logic(Node):
    """`and` or `or`."""

    word: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True)
class Not(Node):
    """`not`."""

    inner: "Expression"


Expression = Number | Name | Place | Count | MarkTally | Negative | Arithmetic | Comparison | Logic | Not


@dataclass(frozen=True)
class Rule(Node):
    """`label: if condition then return priority play letters with chance c%`."""

    priority: Expression
    condition: Expression | None = None
    letters: tuple[Name, ...] = ()
    chance: int | None = None  # percent
    label: str = ""


@dataclass(frozen=True)
class Section(Node):
    """The rules under one heading; no heading at all speaks to everyone."""

    roles: tuple[str, ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Sight(Node):
    """How far agents see: `lines` (straight runs up to `reach` cells), `radius` or `all`."""

    kind: Literal["lines", "radius", "all"]
    reach: int = 0


@dataclass(frozen=True)
class Let(Node):
    """A name for a pattern, or for a number.

    The signs of some patterns, such as `b*x` or `bb`, read as a number as well: as a product, or as another name. The
    marks of the game decide which of the two is meant.
    """

    name: str
    meaning: "Pattern | Expression"
    number: "Expression | None" = field(default=None, compare=False)  # what the signs of a pattern read as, too


@dataclass(frozen=True)
class Table(Node):
    """A whole `.team` file."""

    games: tuple[str, ...] = ()
    sight: Sight | None = None
    lets: tuple[Let, ...] = ()
    sections: tuple[Section, ...] = ()
