"""What a scene file says, before anything is known of its game: the tree that the reader makes."""

from dataclasses import dataclass, field
from fractions import Fraction

from teamplay.language.diagnostics import Span


@dataclass(frozen=True)
class Named:
    """A table, game or player by its spec, and where it is named."""

    spec: str
    span: Span


@dataclass(frozen=True)
class Row:
    """A line of a drawing as it stands, its comment left out."""

    text: str
    line: int


@dataclass(frozen=True)
class Answer:
    """What an agent should say; what is left out may be anything."""

    span: Span
    priority: int | None = None
    silent: bool = False
    letters: tuple[str, ...] = ()
    label: str = ""  # of the rule that answers
    every: bool = False  # must each cell with a `*` be among the choices?


@dataclass(frozen=True)
class Ask:
    """`ask edge b1 -> 6`."""

    cell: Named
    role: Named | None
    answer: Answer


@dataclass
class Scene:
    """A drawing, what the team should choose there, and what single agents should say."""

    name: str
    symmetric: bool = False  # in all symmetries?
    seat: int | None = None  # None: by the number of pieces
    rows: list[Row] = field(default_factory=list)
    expected: Answer | None = None
    asks: list[Ask] = field(default_factory=list)
    whole: bool = True  # could all its lines be read?


@dataclass(frozen=True)
class Outlook:
    """`claim never loses moving first`: a goal of `verify`, the seats, and whether it should hold or fail."""

    goal: str
    seats: tuple[int, ...]
    holds: bool


@dataclass(frozen=True)
class Beats:
    """`claim beats random at least 95% of 1000 games`."""

    player: Named
    percent: Fraction
    games: int


@dataclass(frozen=True)
class SameChoice:
    """`claim same choice as figure-13.team`."""

    player: Named


@dataclass(frozen=True)
class Note:
    """`todo "…"`: a scene that nobody has drawn yet."""


Statement = Scene | Ask | Outlook | Beats | SameChoice | Note


@dataclass(frozen=True)
class Entry:
    """One statement to be tested: by what name, where it stands, and whether it is `todo` or to `skip`."""

    name: str
    span: Span
    statement: Statement
    mood: str = ""


@dataclass
class Script:
    """A whole scene file."""

    table: Named | None = None
    game: Named | None = None
    entries: list[Entry] = field(default_factory=list)
