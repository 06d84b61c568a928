"""What a scene file says, before anything is known of its game: the tree that the reader makes."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from teamplay.language.diagnostics import Span
from teamplay.proof.goals import ProofGoal

Mood = Literal["", "todo", "skip"]


@dataclass(frozen=True)
class Mention:
    """A table, game or player by its spec, and where it is named."""

    spec: str
    span: Span


@dataclass(frozen=True)
class DrawnRow:
    """A line of a drawing as it stands, its comment left out."""

    text: str
    line: int


@dataclass(frozen=True)
class ExpectedAnswer:
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

    cell: Mention
    role: Mention | None
    answer: ExpectedAnswer


@dataclass
class Scene:
    """A drawing, what the team should choose there, and what single agents should say."""

    name: str
    symmetric: bool = False  # in all symmetries?
    seat: int | None = None  # None: by the number of pieces
    unreachable: bool = False  # may the drawing show what no game leads to?
    rows: list[DrawnRow] = field(default_factory=list)
    expected: ExpectedAnswer | None = None
    asks: list[Ask] = field(default_factory=list)
    whole: bool = True  # could all its lines be read?


@dataclass(frozen=True)
class GoalClaim:
    """`claim never loses moving first`: a goal of `verify`, the seats, and whether it should hold or fail."""

    goal: ProofGoal
    seats: tuple[int, ...]
    holds: bool


@dataclass(frozen=True)
class Beats:
    """`claim beats random at least 95% of 1000 games`."""

    player: Mention
    percent: Fraction
    games: int


@dataclass(frozen=True)
class SameChoice:
    """`claim same choice as figure-13.team`."""

    player: Mention


@dataclass(frozen=True)
class Note:
    """`todo "…"`: a scene that is not drawn yet."""


Statement = Scene | Ask | GoalClaim | Beats | SameChoice | Note


@dataclass(frozen=True)
class Entry:
    """One statement to be tested: by what name, where it stands, and whether it is `todo` or to `skip`."""

    name: str
    span: Span
    statement: Statement
    mood: Mood = ""


@dataclass
class Script:
    """A whole scene file."""

    table: Mention | None = None
    game: Mention | None = None
    entries: list[Entry] = field(default_factory=list)
