"""What a game is: positions, legal moves, outcomes; no game has code of its own."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple, assert_never, get_args

from teamplay.errors import BadSpec, IllegalMove, TeamplayError
from teamplay.grid import Cell, Grid, Line, column_name

BLANK = "."  # in positions and drawings; tables write `b`

Placement = Literal["anywhere", "drop", "flank"]
GoalKind = Literal["line", "word", "majority"]
Effect = Literal["wins", "loses", "scores"]
SeatName = Literal["first", "second"]

PLACEMENTS: tuple[Placement, ...] = get_args(Placement)
EFFECTS: tuple[Effect, ...] = get_args(Effect)
SEATS: tuple[SeatName, ...] = get_args(SeatName)


class Move(NamedTuple):
    """A mark in a cell."""

    cell: Cell
    mark: str


@dataclass(frozen=True, slots=True)
class Position:
    """The marks (one character per cell, `.` blank), the seat to move (0 or 1), the scores, the last move.

    A position that a game made knows its game, so that it can be solved and drawn without naming the game again.
    """

    marks: str
    seat: int = 0
    scores: tuple[int, int] = (0, 0)
    last: Move | None = field(default=None, compare=False)
    game: "Game | None" = field(default=None, compare=False, repr=False)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """How a notebook shows a position: by the package's front door, as the room that draws rests on this one."""
        from teamplay import draw

        return draw(self)._repr_mimebundle_() if self.game else {"text/plain": repr(self)}


Layer = list[Position]
Alike = Callable[[Position], Hashable]


class TooManyPositions(TeamplayError):
    """More positions than were allowed."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winning seat (None for a draw), why, and the line that decided it, if one did."""

    winner: int | None
    reason: str
    line: Line = ()


@dataclass(frozen=True)
class Goal:
    """What the game is about: a `line` of equal marks, a `word`, or a `majority` of the marks."""

    kind: GoalKind
    length: int | None = None  # of a line or word
    word: str = ""
    effect: Effect = "wins"
    exact: bool = False  # do longer lines not count?
    owner: int | None = None  # the seat that a line wins for, whoever completes it; a full board wins for the other


@dataclass(frozen=True)
class Game:
    """The rules of one game on one board."""

    name: str
    parameters: tuple[tuple[str, int], ...]
    grid: Grid
    marks: tuple[str, ...]
    shared: bool  # may both players place every mark?
    placement: Placement
    goal: Goal
    again: bool  # another turn after scoring?
    beginning: str  # the marks at the start
    about: str = ""
    file: str = field(default="", compare=False)  # where its file lies, if it is not a shipped one

    def __str__(self) -> str:
        return f"{self.name}{self._options}"

    @property
    def spec(self) -> str:
        """What finds the game again: its name, or the path of its file, with its parameters."""
        return f"{self.file or self.name}{self._options}"

    @property
    def _options(self) -> str:
        given = ",".join(f"{name}={value}" for name, value in self.parameters)
        return f"({given})" if given else ""

    @property
    def k(self) -> int | None:
        """The length of the lines that matter, where the game has one."""
        return self.goal.length

    @cached_property
    def start(self) -> Position:
        """The position before the first move."""
        return self._moved_on(Position(self.beginning, 1), scored=False, last=None)

    def moves(self, position: Position) -> list[Move]:
        """Every legal move, in the order of the cells; none when the game is over."""
        if self.outcome(position):
            return []
        marks = self.marks if self.shared else (self.marks[position.seat],)
        return [Move(cell, mark) for cell in self._open(position) for mark in marks]

    def after(self, position: Position, move: Move) -> Position:
        """The position after a legal move; an illegal one is an error that says why."""
        self._check(position, move)
        return self._placed(position, move)

    def successors(self, position: Position) -> Iterator[tuple[Move, Position]]:
        """Every legal move with the position after it."""
        for move in self.moves(position):
            yield move, self._placed(position, move)

    def layers(self, most: int | None = None, alike: Alike | None = None, ends: bool = False) -> Iterator[Layer]:
        """All positions with a side to move that can be met, breadth-first: a list for each number of moves.

        Every position comes once. `alike` says what counts as one position, such as the marks alone; the first that is
        met stands for the others. With `ends` those in which the game is over come too. With more than `most` positions
        it ends with TooManyPositions.
        """
        layer, met = [self.start], 1
        while layer:
            yield layer
            following: dict[Hashable, Position] = {}  # a move adds a mark, so no position is met in two layers
            for position in layer:
                for _, after in self.successors(position):
                    key = alike(after) if alike else after
                    if key not in following and (ends or not self.outcome(after)):
                        following[key] = after
                if most is not None and met + len(following) > most:
                    raise TooManyPositions(f"{self} has more than {most:,} positions, which are too many to list.")
            layer, met = list(following.values()), met + len(following)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if self.goal.kind != "majority" and self.goal.effect != "scores":
            line = self._decided(position)
            if line and self.goal.owner is not None:
                return Outcome(self.goal.owner, self.made, line)
            if line:
                mixed = self.shared or self.goal.kind == "word"  # then the marks don't say who completed the line
                maker = 1 - position.seat if mixed else self.marks.index(position.marks[line[0]])
                if self.goal.effect == "wins":
                    return Outcome(maker, self.made, line)
                return Outcome(1 - maker, f"{self.made} loses", line)
        if next(self._open(position), None) is not None:
            return None
        if self.goal.owner is not None:
            return Outcome(1 - self.goal.owner, f"no {self.made}")
        first, second = self._tally(position)
        reason = "no move is left"
        if self.goal.kind == "majority":
            reason = f"{max(first, second)} marks to {min(first, second)}"
        elif self.goal.effect == "scores":
            reason = f"{max(first, second)} to {min(first, second)} in points"
        return Outcome(None if first == second else int(second > first), reason)

    def seen(self, position: Position) -> str:
        """The marks as tables write them: `x` of the seat to move, `o` of the other, `b` blank; letters as they are."""
        return self.mover_marks(position).replace(BLANK, "b")

    def mover_marks(self, position: Position) -> str:
        """The marks from the side of the seat to move: `x` its own, `o` the opponent's; letters as they are."""
        if self.shared or position.seat == 0:
            return position.marks
        return position.marks.translate(str.maketrans("xo", "ox"))

    def own_mark(self, seat: int) -> str:
        """The mark of a player; none where both players place the same letters, of which there may be one or many."""
        return "" if self.shared else self.marks[seat]

    @cached_property
    def visible_marks(self) -> tuple[str, ...]:
        """The marks that an agent may see in a cell."""
        return (*(self.marks if self.shared else ("x", "o")), "b")

    def drawn(self, position: Position) -> str:
        """A position in one line, from the side of the seat to move: what `position` reads back."""
        return self.format_board(self.mover_marks(position))

    def position(self, drawing: str, seat: int | None = None) -> Position:
        """The position that a drawing shows, from the side of the seat to move: `x` is its own mark.

        Without a seat it is the second player's turn where the opponent has more pieces on the board.
        """
        marks = self.parse_board(drawing)
        if seat is None:
            seat = self.guessed_seat(marks)
        if not self.shared:
            mine, theirs = self.marks[seat], self.marks[1 - seat]
            marks = marks.translate(str.maketrans("xo", f"{mine}{theirs}"))
        position = Position(marks, seat, game=self)
        if self._moved_on(replace(position, seat=1 - seat), scored=False, last=None).seat != seat:
            raise BadSpec(f"x must pass in this position of {self}; draw it from the other side, with o to move as x.")
        return position

    def guessed_seat(self, drawing: str) -> int:
        """The seat to move, by the number of pieces: the second where the opponent (`o`) has more.

        Where both players place the same letters, one each in turn, an odd number of moves says so.
        """
        if not self.shared:
            return int(drawing.count("o") > drawing.count("x"))
        placed = sum(map(drawing.count, self.marks)) - sum(map(self.beginning.count, self.marks))
        return 0 if self.again else placed % 2

    def played(self, moves: str, begin: Position | None = None) -> Position:
        """The position after some moves, separated by spaces, from the start or from another position.

        >>> from teamplay.game_file import load_game
        >>> load_game("tic-tac-toe").played("5 1 c3").marks
        'o...x...x'
        """
        position = begin or self.start
        for number, word in enumerate(moves.split(), 1):
            try:
                position = self.after(position, self.parse_answer(word, position))
            except TeamplayError as error:
                raise BadSpec(f"Move {number} (`{word[:40]}`) is not possible: {error}") from None
        return position

    def parse_board(self, drawing: str) -> str:
        """The marks of a drawing: rows separated by `/` or line ends, layers by `//` or empty lines."""
        blanks = dict.fromkeys("._-b·", BLANK)
        known = {mark: mark for mark in self.visible_marks if mark != "b"}
        folded = {mark.swapcase(): mark for mark in known if mark.swapcase() not in {**known, **blanks}}
        meaning = {**blanks, **folded, **known}
        rows = [re.sub(r"[\s|]", "", row) for row in re.split(r"[/\n]", drawing)]
        rows = [row for row in rows if row]
        *layers, height, width = self.grid.shape
        for row in rows:
            for mark in row:
                if mark not in meaning:
                    raise BadSpec(f"`{mark}` is not a mark of {self.name}; draw with {' '.join(known)} and `.`.")
        if len(rows) == 1 and len(rows[0]) == self.grid.size:
            return "".join(meaning[mark] for mark in rows[0])
        wanted = (layers[0] if layers else 1) * height
        if len(rows) != wanted or any(len(row) != width for row in rows):
            got = f"has rows of {' '.join(str(len(row)) for row in rows[:12])} cells" if rows else "is empty"
            raise BadSpec(f"{self} has {wanted} rows of {width} cells; the drawing {got}.")
        return "".join(meaning[mark] for row in rows for mark in row)

    def format_board(self, marks: str) -> str:
        """The marks in one line, as `--board` takes them: rows separated by `/`, layers by `//`."""
        *_, height, width = self.grid.shape
        rows = [marks[i : i + width] for i in range(0, len(marks), width)]
        return "//".join("/".join(rows[i : i + height]) for i in range(0, len(rows), height))

    def parse_answer(self, text: str, position: Position) -> Move:
        """A move as a person writes it in a position; where pieces drop, a column is enough.

        >>> from teamplay.game_file import load_game
        >>> game = load_game("connect-four")
        >>> game.format_move(game.parse_answer("d", game.played("d c")))
        '32'
        """
        *layers, _, width = self.grid.shape
        column = text.strip().lower()
        if self.placement != "drop" or layers or self.shared or column not in map(column_name, range(width)):
            return self.parse_move(text, position.seat)
        cells = [cell for cell in self.grid.cells if column_name(cell % width) == column]
        blank = [cell for cell in cells if position.marks[cell] == BLANK]
        return Move(blank[-1] if blank else cells[0], self.own_mark(position.seat))

    def parse_move(self, text: str, player: int) -> Move:
        """A move as people write it: a cell, in letter games with the letter before it (`S13`, `S b3`).

        Where there is one letter for both players, it may be left out.
        """
        words = text.strip()
        if not self.shared:
            return Move(self.grid.parse_cell(words), self.marks[player])
        letter, rest = words[:1].upper(), words[1:].strip()
        if len(self.marks) == 1 and (letter != self.marks[0] or not rest):
            return Move(self.grid.parse_cell(words), self.marks[0])
        if letter not in self.marks or not rest:
            letters = " or ".join(self.marks)
            raise BadSpec(f"`{words[:40]}` is not a move; write {letters} and a cell, as `{self.marks[0]}5`.")
        return Move(self.grid.parse_cell(rest), letter)

    def format_move(self, move: Move) -> str:
        """A move as JSON and screens show it: the cell from 1, a letter before it where the game has letters."""
        return f"{move.mark if self.shared else ''}{move.cell + 1}"

    def lines_through(self, cell: Cell) -> list[Line]:
        """The lines of the game's length through a cell (remembered: the hot path of every outcome)."""
        if cell not in self._remembered_lines:
            self._remembered_lines[cell] = self.grid.lines_through(cell, self.goal.length) if self.goal.length else []
        return self._remembered_lines[cell]

    @cached_property
    def _remembered_lines(self) -> dict[Cell, list[Line]]:
        """By cell, the lines that were asked for: a large board is never listed whole."""
        return {}

    @cached_property
    def _remembered_starts(self) -> dict[Cell, list[Line]]:
        """By cell, the lines that begin there, as far as they were asked for."""
        return {}

    @cached_property
    def _remembered_rays(self) -> dict[Cell, list[Line]]:
        """By cell, the rays that were asked for."""
        return {}

    @property
    def made(self) -> str:
        """What meets the goal, in words: `3 in a row`, `SOS`."""
        return self.goal.word if self.goal.kind == "word" else f"{self.goal.length} in a row"

    def _open(self, position: Position) -> Iterator[Cell]:
        """The cells where the seat to move may place a mark, the outcome left aside."""
        closed = self.closed_boards(position) if self.grid.boards > 1 else ()
        size = self.grid.size // self.grid.boards
        cell = position.marks.find(BLANK)
        while cell >= 0:
            if self._fits(position, cell) and not (closed and cell // size in closed):
                yield cell
            cell = position.marks.find(BLANK, cell + 1)

    def closed_boards(self, position: Position) -> set[int]:
        """Of several boards, those on which the goal is met and no more moves are made."""
        size = self.grid.size // self.grid.boards
        return {line[0] // size for line in self.met_lines(position)}

    def _fits(self, position: Position, cell: Cell) -> bool:
        """Whether the placement rule lets the seat to move use this blank cell."""
        match self.placement:
            case "anywhere":
                return True
            case "drop":
                *_, height, width = self.grid.shape
                return cell // width % height == height - 1 or position.marks[cell + width] != BLANK
            case "flank":
                return next(self._turned(position, cell), None) is not None
            case unknown:
                assert_never(unknown)

    def _turned(self, position: Position, cell: Cell) -> Iterator[Cell]:
        """The opponent's marks that a mark placed in this cell would flank and turn."""
        marks, mine, theirs = position.marks, self.marks[position.seat], self.marks[1 - position.seat]
        for ray in self._rays(cell):
            for steps, met in enumerate(ray):
                if marks[met] != theirs:
                    if marks[met] == mine:
                        yield from ray[:steps]
                    break

    def _rays(self, cell: Cell) -> list[Line]:
        if cell not in self._remembered_rays:
            rays = [self.grid.ray(cell, direction) for direction in self.grid.directions]
            self._remembered_rays[cell] = [ray for ray in rays if len(ray) > 1]
        return self._remembered_rays[cell]

    def _check(self, position: Position, move: Move) -> None:
        """Refuse a move that the rules forbid, with the cell and the reason."""
        where = f"cell {move.cell + 1}"
        if not 0 <= move.cell < self.grid.size:
            raise IllegalMove(f"There is no {where}; the cells are 1 to {self.grid.size}.")
        if over := self.outcome(position):
            raise IllegalMove(f"The game is over ({over.reason}); {where} can no longer be played.")
        if position.marks[move.cell] != BLANK:
            raise IllegalMove(f"{where.capitalize()} is taken by {position.marks[move.cell]}.")
        allowed = self.marks if self.shared else (self.marks[position.seat],)
        if move.mark not in allowed:
            raise IllegalMove(f"`{move.mark}` can't be placed in {where}; {' or '.join(allowed)} can.")
        if self.grid.boards > 1 and move.cell // (self.grid.size // self.grid.boards) in self.closed_boards(position):
            raise IllegalMove(f"{where.capitalize()} can't be played: its board is closed, with {self.made}.")
        if not self._fits(position, move.cell):
            reason = {
                "drop": "the cell below it is empty, and pieces drop",
                "flank": "it would flank no mark of the opponent",
            }[self.placement]
            raise IllegalMove(f"{where.capitalize()} can't be played: {reason}.")

    def _placed(self, position: Position, move: Move) -> Position:
        """The position after a move that is known to be legal."""
        cell, marks = move.cell, position.marks
        marks = f"{marks[:cell]}{move.mark}{marks[cell + 1 :]}"
        if self.placement == "flank":
            flipped = list(marks)
            for turned in self._turned(position, cell):
                flipped[turned] = move.mark
            marks = "".join(flipped)
        points = 0
        scores = position.scores
        if self.goal.effect == "scores":
            points = sum(map(self._complete, self._texts(marks, self.lines_through(cell))))
            mine = position.seat
            scores = (scores[0] + points * (mine == 0), scores[1] + points * (mine == 1))
        placed = Position(marks, position.seat, scores)
        return self._moved_on(placed, scored=points > 0, last=move)

    def _moved_on(self, position: Position, scored: bool, last: Move | None) -> Position:
        """Hand the turn on: to the same seat after scoring or where the other has no move, else to the other."""
        following = Position(position.marks, 1 - position.seat, position.scores, last, self)
        if self.again and scored:
            return replace(following, seat=position.seat)
        if self.placement == "flank" and next(self._open(following), None) is None:
            back = replace(following, seat=position.seat)
            return back if next(self._open(back), None) is not None else following
        return following

    def _texts(self, marks: str, lines: list[Line]) -> Iterator[str]:
        return ("".join([marks[cell] for cell in line]) for line in lines)

    def _complete(self, text: str) -> bool:
        """Whether the marks along a line meet the goal; a word may be read both ways and counts once."""
        if self.goal.kind == "word":
            return text == self.goal.word or text[::-1] == self.goal.word
        return text[0] != BLANK and text.count(text[0]) == len(text)

    def _decided(self, position: Position) -> Line | None:
        """The line that decides the game: of several boards, the one that closes the last."""
        if self.grid.boards > 1 and len(self.closed_boards(position)) < self.grid.boards:
            return None
        if position.last and self.placement != "flank":
            return next(self._met(self.lines_through(position.last.cell), position.marks), None)
        return next(self.met_lines(position), None)  # marks turned, or somebody drew the board

    def met_lines(self, position: Position) -> Iterator[Line]:
        """Every line on the board that meets the goal."""
        taken = (cell for cell, mark in enumerate(position.marks) if mark != BLANK)
        return self._met((line for cell in taken for line in self._lines_from(cell)), position.marks)

    def _met(self, lines: Iterable[Line], marks: str) -> Iterator[Line]:
        """The lines that meet the goal; where its length is exact, the cells beyond both ends must differ."""
        met = (line for line in lines if self._complete("".join([marks[cell] for cell in line])))
        if not self.goal.exact:
            return met
        return (line for line in met if all(marks[cell] != marks[line[0]] for cell in self._beyond(line)))

    def _beyond(self, line: Line) -> list[Cell]:
        """The cells that a line would reach next, at either end."""
        ends = (self.grid.coordinates(line[0]), self.grid.coordinates(line[1]))
        step = [there - here for here, there in zip(*ends, strict=True)]
        before = self.grid.ray(line[0], tuple(-by for by in step), 1)
        return [*before, *self.grid.ray(line[-1], tuple(step), 1)]

    def _lines_from(self, cell: Cell) -> list[Line]:
        if cell not in self._remembered_starts:
            assert self.goal.length
            self._remembered_starts[cell] = list(self.grid.lines_from(cell, self.goal.length))
        return self._remembered_starts[cell]

    def _tally(self, position: Position) -> tuple[int, int]:
        """What a game is counted by when no move is left."""
        if self.goal.kind == "majority":
            return position.marks.count(self.marks[0]), position.marks.count(self.marks[1])
        return position.scores
