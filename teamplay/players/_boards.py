"""Boards on which a search makes moves and takes them back, and what a position is worth where the search ends.

`LineBoard` knows of each window what stands in it, so that a move touches only the windows through its cell; it serves
lines and words. `PlainBoard` asks the game itself and serves every other game. Values are the first seat's.
"""

from functools import lru_cache
from itertools import product
from typing import Protocol

from teamplay.errors import BadSpec
from teamplay.game import BLANK, Game, Move, Position
from teamplay.grid import Cell

WON = 1_000_000_000  # a decided game; less the moves that it takes, so that a search hurries
GROWTH = 4  # a window with one more mark is worth this many times as much
MOST_CODES = 100_000  # of what may stand in a window
MOST_CELLS = 20_000  # every window is listed


class Board(Protocol):
    """A position that can be played on and back."""

    @property
    def seat(self) -> int: ...

    def moves(self) -> list[Move]: ...

    def make(self, move: Move) -> None: ...

    def undo(self) -> None: ...

    @property
    def over(self) -> bool: ...

    @property
    def value(self) -> int: ...


def board_for(game: Game, position: Position) -> Board:
    """The fastest board that knows the rules."""
    return LineBoard(game, position) if by_windows(game) else PlainBoard(game, position)


def check_size(game: Game, player: str) -> None:
    """Refuse a board that a search can't hold."""
    if game.grid.size > MOST_CELLS:
        raise BadSpec(f"`{player}` plays boards of up to {MOST_CELLS:,} cells; {game} has {game.grid.size:,}.")


def by_windows(game: Game) -> bool:
    """Whether windows say all about a game, and few enough things can stand in them."""
    goal = game.goal
    if goal.exact or goal.owner is not None or game.grid.boards > 1:
        return False  # more than the window decides
    if goal.kind == "majority" or game.placement == "flank":
        return False
    return _by_count(game) or (len(game.marks) + 1) ** (game.k or 0) <= MOST_CODES


def _by_count(game: Game) -> bool:
    """Whether it is enough to know how many marks of each player stand in a window, wherever."""
    return game.goal.kind == "line" and not game.shared


def decided(winner: int | None, moves: int = 0) -> int:
    """What an end is worth to the first seat, the sooner the more."""
    return 0 if winner is None else (WON - moves) * (1 if winner == 0 else -1)


def _ahead(points: int) -> int | None:
    """The seat that has more."""
    return None if not points else int(points < 0)


class Windows:
    """What never changes: which windows run through a cell, and what is to be known of what stands in them.

    What stands in a window is a number: a mark adds its `step`, times a weight where its place in the window matters.
    """

    def __init__(self, game: Game) -> None:
        length = game.k or 0
        counted = _by_count(game)
        base = length + 1 if counted else len(game.marks) + 1
        lines = [line for cell in game.grid.cells for line in game.grid.lines_from(cell, length)]
        self.lines = len(lines)
        self.through: list[list[tuple[int, int]]] = [[] for _ in game.grid.cells]  # window and weight
        for number, line in enumerate(lines):
            for i, cell in enumerate(line):
                self.through[cell].append((number, 1 if counted else base**i))
        if counted:
            self.steps = {game.marks[0]: 1, game.marks[1]: base}
            self.complete = [code in (length, length * base) for code in range(base * base)]
            self.worth = [_open_worth(game, *divmod(code, base)) for code in range(base * base)]
        else:
            self.steps = {mark: i for i, mark in enumerate(game.marks, 1)}
            texts = ("".join(reversed(marks)) for marks in product((BLANK, *game.marks), repeat=length))
            self.complete = [_meets(game, text) for text in texts]
            self.worth = [0] * len(self.complete)


def _open_worth(game: Game, theirs: int, mine: int) -> int:
    """What a window is worth to the first seat, by the number of marks of each seat in it."""
    if bool(mine) == bool(theirs) or game.goal.effect == "scores":
        return 0
    worth: int = GROWTH ** (mine + theirs - 1) * (1 if mine else -1)
    return worth if game.goal.effect == "wins" else -worth


def _meets(game: Game, text: str) -> bool:
    """Whether the marks along a window meet the goal."""
    if game.goal.kind == "word":
        return game.goal.word in (text, text[::-1])
    return BLANK not in text and len(set(text)) == 1


@lru_cache(maxsize=16)
def _windows(game: Game) -> Windows:
    return Windows(game)


class LineBoard:
    """Lines and words, on cells that anybody may fill or into which pieces drop."""

    def __init__(self, game: Game, position: Position) -> None:
        known = _windows(game)
        self.game, self.seat = game, position.seat
        self.through, self.steps, self.complete, self.worth = known.through, known.steps, known.complete, known.worth
        self.codes = [0] * known.lines
        self.marks = list(position.marks)
        self.blanks = position.marks.count(BLANK)
        self.points = position.scores[0] - position.scores[1]
        self.open = 0  # what the windows are worth
        self.won: int | None = None
        self.done: list[tuple[Move, int, int, int]] = []  # moves, and the seat, the points and the worth before
        self.scores, self.again = game.goal.effect == "scores", game.again
        self.wins = game.goal.effect == "wins"
        for cell, mark in enumerate(position.marks):
            if mark != BLANK:
                for window, weight in self.through[cell]:
                    self.codes[window] += weight * self.steps[mark]
        self.open = sum(self.worth[code] for code in self.codes)

    def moves(self) -> list[Move]:
        marks = self.game.marks if self.game.shared else (self.game.marks[self.seat],)
        return [Move(cell, mark) for cell in self._free() for mark in marks]

    def _free(self) -> list[Cell]:
        blank = [cell for cell, mark in enumerate(self.marks) if mark == BLANK]
        if self.game.placement == "anywhere":
            return blank
        *_, height, width = self.game.grid.shape
        bottom = height - 1
        return [cell for cell in blank if cell // width % height == bottom or self.marks[cell + width] != BLANK]

    def make(self, move: Move) -> None:
        cell, mark = move
        codes, worth, complete, step = self.codes, self.worth, self.complete, self.steps[mark]
        self.done.append((move, self.seat, self.points, self.open))
        self.marks[cell] = mark
        self.blanks -= 1
        made, value = 0, self.open
        for window, weight in self.through[cell]:
            before = codes[window]
            codes[window] = after = before + weight * step
            value += worth[after] - worth[before]
            made += complete[after]
        self.open = value
        if self.scores:
            self.points += made if self.seat == 0 else -made
        elif made:
            self.won = self.seat if self.wins else 1 - self.seat
        if not (made and self.again):
            self.seat = 1 - self.seat

    def undo(self) -> None:
        (cell, mark), self.seat, self.points, self.open = self.done.pop()
        codes, step = self.codes, self.steps[mark]
        self.marks[cell] = BLANK
        self.blanks += 1
        self.won = None
        for window, weight in self.through[cell]:
            codes[window] -= weight * step

    @property
    def over(self) -> bool:
        return self.won is not None or not self.blanks

    @property
    def value(self) -> int:
        """How the game has ended; before, points where they count, else open windows."""
        if self.scores:
            return self.points + decided(_ahead(self.points)) if self.over else self.points
        return decided(self.won, len(self.done)) if self.over else self.open


def _one_letter_worth(game: Game, marks: str) -> int:
    """What the windows are worth to the one player whose goal a line is: those that one letter can still fill."""
    total = 0
    for line in _all_windows(game):
        letters = {marks[cell] for cell in line} - {BLANK}
        if len(letters) == 1:
            total += GROWTH ** (sum(marks[cell] != BLANK for cell in line) - 1)
    return total


@lru_cache(maxsize=8)
def _all_windows(game: Game) -> list[tuple[Cell, ...]]:
    """Every window of a game's length."""
    return [tuple(line) for cell in game.grid.cells for line in game.grid.lines_from(cell, game.k or 0)]


class PlainBoard:
    """Any game: the positions from the root to here."""

    def __init__(self, game: Game, position: Position) -> None:
        self.game = game
        self.path = [(position, game.outcome(position))]

    @property
    def seat(self) -> int:
        return self.path[-1][0].seat

    def moves(self) -> list[Move]:
        return self.game.moves(self.path[-1][0])

    def make(self, move: Move) -> None:
        position = self.game.after(self.path[-1][0], move)
        self.path.append((position, self.game.outcome(position)))

    def undo(self) -> None:
        self.path.pop()

    @property
    def over(self) -> bool:
        return self.path[-1][1] is not None

    @property
    def value(self) -> int:
        """How the game has ended; before, what counts in the end: marks, points, open windows."""
        position, outcome = self.path[-1]
        goal = self.game.goal
        if goal.kind == "majority" or goal.effect == "scores":
            first, second = self._tally(position)
            return first - second + (decided(outcome.winner) if outcome else 0)
        if outcome:
            return decided(outcome.winner, len(self.path) - 1)
        if goal.owner is not None and goal.kind == "line" and self.game.shared:
            return _one_letter_worth(self.game, position.marks) * (1 if goal.owner == 0 else -1)
        return LineBoard(self.game, position).open if _by_count(self.game) else 0

    def _tally(self, position: Position) -> tuple[int, int]:
        if self.game.goal.kind == "majority":
            return position.marks.count(self.game.marks[0]), position.marks.count(self.game.marks[1])
        return position.scores
