"""The syntax tree of a table, as written and as bound to a board; spans do not count in comparisons."""

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import eq, ge, gt, le, lt, ne

from teamplay.grid import ROLES, Cell
from teamplay.language.diagnostics import NOWHERE, Span

HEADINGS = ("everyone", "others", *ROLES)  # the words that a heading may hold
COMPARE: dict[str, Callable[[int, int], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


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
    """`n(pattern)`: how many lines match; `size(pattern)`: how many cells their runs hold."""

    kind: str
    pattern: Pattern


@dataclass(frozen=True)
class Tally(Node):
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


# What binding to a game puts in the place of counts and of tests of a cell.


@dataclass(frozen=True)
class Step:
    """One cell, or with `plus` the whole run of cells, that an ordered pattern meets on its way outwards."""

    mark: str
    plus: bool = False


@dataclass(frozen=True)
class Arms:
    """An ordered pattern seen from the agent's cell: what it meets walking one way, and the other."""

    ahead: tuple[Step, ...]
    behind: tuple[Step, ...]

    @property
    def palindrome(self) -> bool:
        """Reads the same both ways, and so counts once a line."""
        return self.ahead == self.behind


@dataclass(frozen=True)
class Ordered:
    """A pattern with `*`: any of these, along every line, read both ways."""

    alternatives: tuple[Arms, ...]

    @property
    def mirrors(self) -> bool:
        """Whether a line and its mirror image surely count the same.

        A palindrome is read one way only. Another alternative that may match the very cells of one counts with it once
        or twice, as the line happens to run; arms of another length never do.
        """
        halves = {len(arms.ahead) for arms in self.alternatives if arms.palindrome}
        others = [arms for arms in self.alternatives if not arms.palindrome]
        if halves and others and any(step.plus for arms in self.alternatives for step in arms.ahead + arms.behind):
            return False
        return not any(len(arms.ahead) == len(arms.behind) and len(arms.ahead) in halves for arms in others)


@dataclass(frozen=True)
class Unordered:
    """A pattern without `*`: any of these, each the least number of every mark on a line; `?` fills the rest."""

    alternatives: tuple[tuple[tuple[str, int], ...], ...]

    def matched_by(self, marks: str) -> bool:
        """Whether the other marks of a line meet one of the alternatives; counts once even if several do."""
        return any(all(marks.count(mark) >= least for mark, least in needs) for needs in self.alternatives)


@dataclass(frozen=True)
class Counted(Node):
    """`n(…)` or `size(…)` bound to a board; `text` is what the writer wrote."""

    kind: str
    shape: Ordered | Unordered
    text: str = field(compare=False)


@dataclass(frozen=True)
class CellTest(Node):
    """`center != x` bound to a board: a cell, or a step away from the agent, against a mark."""

    place: Cell | tuple[int, ...]
    equal: bool
    mark: str
    text: str = field(compare=False)


Expression = (
    Number | Name | Place | Count | Tally | Negative | Arithmetic | Comparison | Logic | Not | Counted | CellTest
)


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

    kind: str
    reach: int = 0


@dataclass(frozen=True)
class Let(Node):
    """A name for a pattern."""

    name: str
    pattern: Pattern


@dataclass(frozen=True)
class Table(Node):
    """A whole `.team` file."""

    games: tuple[str, ...] = ()
    sight: Sight | None = None
    lets: tuple[Let, ...] = ()
    sections: tuple[Section, ...] = ()
