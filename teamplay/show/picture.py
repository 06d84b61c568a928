"""What a shown position holds: every cell's answer, the tie, the choice; one model for screen, paper and scripts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from teamplay.game import BLANK, SEATS, Game, Move, Outcome, Position
from teamplay.grid import Cell, Grid, column_name
from teamplay.luck import Luck
from teamplay.show.tiers import tiers
from teamplay.team import Team
from teamplay.team.manager import most_urgent
from teamplay.team.messages import Response

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from teamplay.show.chart import By, Chart

ANY_LETTER = "?"
State = Literal["taken", "closed", "silent", "answers"]


@dataclass(frozen=True)
class Answer:
    """What one agent says: how urgent (None is silence), the letters it would place, by which rule."""

    priority: int | None
    letters: tuple[str, ...]  # empty where the marks are each player's own
    rule: str


@dataclass(frozen=True, repr=False)
class Picture:
    """A position through the eyes of a team that is to move."""

    team: Team
    position: Position
    answers: Mapping[Cell, Answer]  # of the agents that were asked
    best: tuple[Move, ...]
    chosen: Move | None  # what the manager takes with this seed
    seed: int
    outcome: Outcome | None

    def __repr__(self) -> str:
        from teamplay.show.words import heading, verdict

        return f"{heading(self)}. {verdict(self)}"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """How a notebook shows it: the heat map as a vector drawing, and as `teamplay show` prints it."""
        return self.chart()._repr_mimebundle_()

    def chart(self, by: "By | None" = None, cell: Cell | None = None) -> "Chart":
        """How it is painted: by `priority`, `rank`, `rule` or by the `sight` of a cell (default: as it reads best)."""
        from teamplay.show.chart import Chart, usual

        return Chart(self, by or usual(self), cell)

    def to_dict(self) -> dict[str, Any]:
        """What `teamplay show --json` prints: the shape that scripts rely on."""
        answers = [self.answers.get(cell) for cell in self.game.grid.cells]
        shown = {
            **heading_json(self),
            "priorities": [answer.priority if answer else None for answer in answers],
            "rules": list(self.rules),
            "states": list(self.states),
        }
        letters = {"letters": list(self.letters)} if self.game.shared else {}
        return shown | letters | choice_json(self)

    @property
    def game(self) -> Game:
        return self.team.game

    @cached_property
    def priorities(self) -> "NDArray[np.float64]":
        """The priority of every cell, NaN where none was given: [rows, columns], in 3-D [layers, rows, columns]."""
        import numpy as np

        given = np.full(self.game.grid.size, np.nan)
        for cell, answer in self.answers.items():
            if answer.priority is not None:
                given[cell] = answer.priority
        return given.reshape(self.game.grid.shape)

    @cached_property
    def rules(self) -> tuple[str | None, ...]:
        """The label of the rule that answered, one per cell; None where none did."""
        answers = (self.answers.get(cell) for cell in self.game.grid.cells)
        return tuple(answer.rule or None if answer else None for answer in answers)

    @cached_property
    def letters(self) -> tuple[str | None, ...]:
        """The letters that an agent would place, separated by `|`, one entry per cell; None where it says nothing."""
        answers = (self.answers.get(cell) for cell in self.game.grid.cells)
        spoken = (answer if answer and answer.priority is not None else None for answer in answers)
        return tuple("|".join(answer.letters) or None if answer else None for answer in spoken)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """One per cell: `taken`, `closed` (blank, but not playable now), `silent` or `answers`."""
        return tuple(map(self._state, self.game.grid.cells))

    def _state(self, cell: Cell) -> State:
        if cell in self.answers:
            return "silent" if self.answers[cell].priority is None else "answers"
        return "closed" if self.marks[cell] == BLANK else "taken"

    @cached_property
    def marks(self) -> str:
        """The board as the team sees it: `x` its own, `o` the opponent's, `.` blank; letters as they are."""
        return self.game.mover_marks(self.position)

    @cached_property
    def tied(self) -> tuple[Cell, ...]:
        """The cells of the most urgent moves."""
        return tuple(dict.fromkeys(move.cell for move in self.best))

    @cached_property
    def counts(self) -> dict[int, int]:
        """How many cells gave each priority, the most urgent first."""
        said = Counter(answer.priority for answer in self.answers.values() if answer.priority is not None)
        return dict(sorted(said.items()))

    @property
    def silent(self) -> int:
        """How many of the agents that were asked have no rule for this."""
        return len(self.answers) - sum(self.counts.values())

    @cached_property
    def tiers(self) -> tuple[int | None, ...]:
        """How urgent every cell is: 0 for the most urgent priority alone, 5 for the least; None without an answer."""
        return self._by_priority(tiers(self.counts))

    @cached_property
    def ranks(self) -> tuple[int | None, ...]:
        """The rank of every cell's priority: 1 for the most urgent, ties share one; None without an answer."""
        return self._by_priority({priority: rank for rank, priority in enumerate(self.counts, start=1)})

    def _by_priority(self, values: Mapping[int, int]) -> tuple[int | None, ...]:
        answers = (self.answers.get(cell) for cell in self.game.grid.cells)
        return tuple(None if said is None or said.priority is None else values[said.priority] for said in answers)

    def number(self, cell: Cell) -> str:
        """The priority that a cell answers, or nothing."""
        answer = self.answers.get(cell)
        return "" if answer is None or answer.priority is None else str(answer.priority)

    def letter(self, cell: Cell) -> str:
        """The letter that a cell would place, `?` if any would do; nothing if it is silent or there is no choice."""
        letters = self.answers[cell].letters if self.number(cell) and len(self.game.marks) > 1 else ()
        indifferent = len(letters) > 1 and set(letters) == set(self.game.marks)
        return ANY_LETTER if indifferent else "".join(letters)


def think(team: Team, position: Position, seed: int = 0) -> Picture:
    """Ask every agent of the team that may play, and let the manager choose."""
    return pictured(team, position, team.answers(position, Luck(seed)), seed)


def pictured(team: Team, position: Position, responses: Sequence[Response], seed: int) -> Picture:
    """The picture of what the agents have answered, wherever they are."""
    answers: dict[Cell, Answer] = {}
    for said in responses:
        before = answers[said.sender].letters if said.sender in answers else ()
        letters = (*before, said.letter) if team.game.shared else ()
        answers[said.sender] = Answer(said.priority, letters, said.rule)
    own = team.game.own_mark(position.seat)
    best = [Move(said.sender, said.letter or own) for said in most_urgent(responses)]
    # The manager's choice without asking everybody twice.
    chosen = None if not best else best[0] if team.tie_break == "first" else Luck(seed).choice(best)
    return Picture(team, position, answers, tuple(best), chosen, seed, team.game.outcome(position))


def heading_json(picture: Picture) -> dict[str, Any]:
    """Which table, game, seat and board."""
    return {
        "table": picture.team.name,
        "game": str(picture.game),
        "seat": SEATS[picture.position.seat],
        "board": picture.game.format_board(picture.marks),
        "sight": str(picture.team.book.reach),
        "asked": len(picture.answers),
    }


def choice_json(picture: Picture) -> dict[str, Any]:
    """What follows from the answers."""
    over = picture.outcome
    if over and picture.game.goal.effect == "scores" and picture.position.last is None:
        over = Outcome(None, "no move is left; a drawing does not tell the scores")
    winner = None if over is None or over.winner is None else SEATS[over.winner]
    return {
        "best": [move_json(picture.game, move) for move in picture.best],
        "chosen": move_json(picture.game, picture.chosen) if picture.chosen else None,
        "outcome": {"winner": winner, "reason": over.reason} if over else None,
    }


def move_json(game: Game, move: Move) -> int | str:
    """A cell from 1, or a letter and its cell."""
    return game.format_move(move) if game.shared else move.cell + 1


def window(grid: Grid, around: Sequence[Cell], most: Sequence[int]) -> tuple[range, ...]:
    """For every axis the stretch to show, at most so long, about the middle one of some cells.

    >>> window(Grid((100, 5)), [950 // 2], (10, 10))
    (range(90, 100), range(0, 5))
    """
    middle = _middle(grid, around)
    starts = [
        max(0, min(at - limit // 2, side - limit)) for at, side, limit in zip(middle, grid.shape, most, strict=True)
    ]
    return tuple(
        range(start, min(side, start + limit)) for start, side, limit in zip(starts, grid.shape, most, strict=True)
    )


def _middle(grid: Grid, cells: Sequence[Cell]) -> tuple[int, ...]:
    """The coordinates of the cell nearest to the mean of all; of the board's own middle where there are none."""
    if not cells:
        return tuple(side // 2 for side in grid.shape)
    places = [grid.coordinates(cell) for cell in cells]
    mean = [sum(along) / len(places) for along in zip(*places, strict=True)]
    return min(places, key=lambda place: sum((at - to) ** 2 for at, to in zip(place, mean, strict=True)))


def part(grid: Grid, spans: Sequence[range]) -> str:
    """What a window leaves out, in a sentence; nothing where it holds the whole board.

    >>> part(Grid((100, 5)), (range(90, 100), range(0, 5)))
    'The board has 100x5 cells; rows 91 to 100 are shown.'
    """
    words = (f"{grid.layer_name}s", "rows", "columns")[-len(grid.shape) :]
    cut = [
        f"{word} {_bound(word, span.start)} to {_bound(word, span.stop - 1)}"
        for word, span, side in zip(words, spans, grid.shape, strict=True)
        if len(span) < side
    ]
    return f"The board has {grid} cells; {' and '.join(cut)} are shown." if cut else ""


def _bound(word: str, at: int) -> str:
    return column_name(at) if word == "columns" else str(at + 1)
