"""What a shown position holds: every cell's answer, the tie, the choice; one model for screen, paper and scripts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from teamplay.game import BLANK, SEATS, Game, Move, Outcome, Position
from teamplay.grid import Cell, Grid
from teamplay.luck import Luck
from teamplay.team import Team
from teamplay.team.manager import most_urgent

ANY_LETTER = "?"
SHADES = 6  # steps of urgency that a colour can tell apart


@dataclass(frozen=True)
class Answer:
    """What one agent says: how urgent (None is silence), the letters it would place, by which rule."""

    priority: int | None
    letters: tuple[str, ...]  # empty where the marks are each player's own
    rule: str


@dataclass(frozen=True)
class Picture:
    """A position through the eyes of a team that is to move."""

    team: Team
    position: Position
    answers: Mapping[Cell, Answer]  # of the agents that were asked
    best: tuple[Move, ...]
    chosen: Move | None  # what the manager takes with this seed
    seed: int
    outcome: Outcome | None

    @property
    def game(self) -> Game:
        return self.team.game

    @cached_property
    def marks(self) -> str:
        """The board as the team sees it: `x` its own, `o` the opponent's, `.` blank; letters as they are."""
        return self.game.seen(self.position).replace("b", BLANK)

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
    def shades(self) -> dict[int, int]:
        """A step of urgency for every priority: 0 for the most urgent alone, `SHADES` - 1 for the least."""
        last = max(len(self.counts) - 1, 1)
        return {priority: -(-rank * (SHADES - 1) // last) for rank, priority in enumerate(self.counts)}

    def number(self, cell: Cell) -> str:
        """The priority that a cell answers, or nothing."""
        answer = self.answers.get(cell)
        return "" if answer is None or answer.priority is None else str(answer.priority)

    def letter(self, cell: Cell) -> str:
        """The letter that a cell would place, `?` if any would do; nothing if it is silent or the game has none."""
        letters = self.answers[cell].letters if self.number(cell) else ()
        indifferent = len(letters) > 1 and set(letters) == set(self.game.marks)
        return ANY_LETTER if indifferent else "".join(letters)


def think(team: Team, position: Position, seed: int) -> Picture:
    """Ask every agent of the team that may play, and let the manager choose."""
    luck = Luck(seed)
    responses = team.answers(position, luck)
    answers: dict[Cell, Answer] = {}
    for said in responses:
        before = answers[said.sender].letters if said.sender in answers else ()
        letters = (*before, said.letter) if team.game.shared else ()
        answers[said.sender] = Answer(said.priority, letters, said.rule)
    own = team.game.marks[position.seat]
    best = [Move(said.sender, said.letter or own) for said in most_urgent(responses)]
    # The manager's choice without asking everybody twice.
    chosen = None if not best else best[0] if team.tie_break == "first" else luck.choice(best)
    return Picture(team, position, answers, tuple(best), chosen, seed, team.game.outcome(position))


def as_json(picture: Picture) -> dict[str, Any]:
    """The shape that scripts rely on."""
    game, cells = picture.game, picture.game.grid.cells
    answers = [picture.answers.get(cell) for cell in cells]
    shown: dict[str, Any] = {
        **heading_json(picture),
        "priorities": [answer.priority if answer else None for answer in answers],
    }
    if game.shared:
        spoken = [answer if answer and answer.priority is not None else None for answer in answers]
        shown["letters"] = ["|".join(answer.letters) if answer else None for answer in spoken]
    return shown | choice_json(picture)


def heading_json(picture: Picture) -> dict[str, Any]:
    """Which table, game, seat and board."""
    return {
        "table": picture.team.name,
        "game": str(picture.game),
        "seat": SEATS[picture.position.seat],
        "board": drawing(picture.marks, picture.game.grid),
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


def drawing(marks: str, grid: Grid) -> str:
    """The marks as `--board` takes them: rows parted by `/`, layers by `//`.

    >>> drawing("xo..x...o", Grid((3, 3)))
    'xo./.x./..o'
    """
    *_, height, width = grid.shape
    rows = [marks[i : i + width] for i in range(0, len(marks), width)]
    return "//".join("/".join(rows[i : i + height]) for i in range(0, len(rows), height))


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
