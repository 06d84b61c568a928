"""What may be asked of `learn`, and what an answer holds."""

from dataclasses import dataclass, field
from typing import Literal

from teamplay.api.verifying import Verification
from teamplay.game import SEATS, Game
from teamplay.language import Source
from teamplay.learn.impossible import Impossibility
from teamplay.learn.vocabulary import Vocabulary
from teamplay.proof.goals import PROVED, ProofGoal

LearnVerdict = Literal["found", "impossible", "undecided"]
Fewest = Literal["rules", "levels"]


@dataclass(frozen=True)
class Task:
    """What is asked for."""

    games: tuple[Game, ...]
    seats: tuple[int, ...]
    goal: ProofGoal
    vocabulary: Vocabulary
    rules: int | None = None  # at most; 0: only the levels are of interest
    levels: int | None = None  # at most, silence being one
    slopes: bool = False  # may a priority be `c - n(…)`?
    fewest: Fewest = "rules"
    shorter_than: Source | None = None  # a table that does it already

    @property
    def template(self) -> str:
        """What the rules of a table may look like, in words."""
        words = "all that it sees" if self.vocabulary.cells else ", ".join(self.vocabulary.texts) or "nothing"
        priority = "a constant or `c - n(…)`" if self.slopes else "a constant"
        sight = f", {self.vocabulary.sight}" if self.vocabulary.sight else ""
        return f"headings by role, tests of {words} joined by `and`, {priority} as priority{sight}"

    @property
    def claim(self) -> str:
        """`never loses moving first or second at tic-tac-toe`."""
        seats = " or ".join(SEATS[seat] for seat in self.seats)
        return f"{PROVED[self.goal]} moving {seats} at {' and '.join(map(str, self.games))}"


@dataclass
class Learned:
    """The answer: exactly one of found, impossible and undecided, and what is known."""

    task: Task
    verdict: LearnVerdict
    table: str | None = None
    rules: int | None = None
    levels: int | None = None
    minimal: Fewest | None = None
    why: str = ""
    bound: str = ""
    impossibility: Impossibility | None = None
    verifications: list[Verification] = field(default_factory=list)
    classes: int = 0
    positions: int = 0
    seconds: float = 0.0
    explanation: list[str] = field(default_factory=list)  # of an impossibility, position by position
    known: list[str] = field(default_factory=list)  # what was proved on the way
