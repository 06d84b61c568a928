"""Any player as a program that speaks the Gomocup protocol, so that a table can enter its tournaments."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from teamplay import __version__
from teamplay.errors import BadSpec, IllegalMove, TeamplayError
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import Player, load_player
from teamplay.protocols import gomocup

SMALLEST, LARGEST = 5, 40


class Complaint(Exception):
    """A command that gets ERROR for an answer."""


@dataclass
class GomocupServer:
    """One board, one player, and what a manager may ask of it."""

    spec: str
    seed: int = 0
    info: dict[str, str] = field(default_factory=dict)  # what the manager said of time, memory and rules
    over: bool = False  # was END sent?
    _position: Position | None = None  # None until START
    _stones: list[Move] | None = None  # a board that is being sent, until DONE

    def __post_init__(self) -> None:
        self._use(load_game("mnk(m=20,n=20,k=5)"))

    def _use(self, game: Game) -> None:
        self.game = game
        self.player: Player = load_player(self.spec, game)
        self.luck = Luck(self.seed)

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """What the program says to these lines, until END; a line may have no answer."""
        for line in lines:
            words = line.strip()
            if not words:
                continue
            try:
                said = self._stone(words) if self._stones is not None else self._command(words)
            except Complaint as complaint:
                said = f"ERROR {complaint}"
            except TeamplayError as error:
                said = f"ERROR {str(error).splitlines()[0]}"
            if said:
                yield f"{said}\n"
            if self.over:
                return

    def _command(self, line: str) -> str:
        command, _, rest = line.partition(" ")
        match command.upper():
            case "START":
                return self._start(rest, rest)
            case "RECTSTART":
                width, _, height = rest.partition(",")
                return self._start(width, height)
            case "RESTART":
                if self._position is None:
                    raise Complaint("RESTART comes after START")
                self._position, self.luck = self.game.start, Luck(self.seed)
                return "OK"
            case "BEGIN":
                if self._board() != self.game.start:
                    raise Complaint("BEGIN is for an empty board; send BOARD for others")
                return self._move()
            case "TURN":
                self._place(rest, self._board().seat)
                return self._move()
            case "PLAY":
                self._place(rest, self._board().seat)
                return rest.strip()
            case "TAKEBACK":
                return self._take_back(rest)
            case "BOARD":
                self._board()
                self._stones = []
                return ""
            case "INFO":
                key, _, value = rest.partition(" ")
                self.info[key.lower()] = value.strip()
                return ""
            case "ABOUT":
                return f'name="teamplay {self.player.name}", version="{__version__}", author="teamplay", country="-"'
            case "END":
                self.over = True
                return ""
        return f"UNKNOWN command {command[:40]}"

    def _board(self) -> Position:
        if self._position is None:
            raise Complaint("no game has begun; send START first")
        return self._position

    def _start(self, width: str, height: str) -> str:
        """A new game; a size that can't be played is refused."""
        if not all(side.strip().isdecimal() and SMALLEST <= int(side) <= LARGEST for side in (width, height)):
            raise Complaint(f"unsupported size; sides are {SMALLEST} to {LARGEST}")
        self._use(load_game(f"mnk(m={int(width)},n={int(height)},k=5)"))
        self._position, self._stones = self.game.start, None
        return "OK"

    def _place(self, text: str, seat: int) -> None:
        position = self._board()
        try:
            move = Move(gomocup.parse_cell(self.game, text), self.game.marks[seat])
            self._position = self.game.after(position, move)
        except (BadSpec, IllegalMove) as error:
            raise Complaint(str(error).rstrip(".")) from None

    def _move(self) -> str:
        """Choose a move, make it, and say it."""
        position = self._board()
        if self.game.outcome(position):
            raise Complaint("the game is over")
        move = self.player.choose(position, self.luck)
        self._position = self.game.after(position, move)
        return gomocup.format_cell(self.game, move.cell)

    def _take_back(self, text: str) -> str:
        """Take a stone from the board; whose turn it is goes with it."""
        position, cell = self._board(), gomocup.parse_cell(self.game, text)
        mark = position.marks[cell]
        if mark not in self.game.marks:
            raise Complaint(f"no stone is on {text.strip()}")
        marks = f"{position.marks[:cell]}.{position.marks[cell + 1 :]}"
        self._position = Position(marks, self.game.marks.index(mark), game=self.game)
        return "OK"

    def _stone(self, line: str) -> str:
        """A line of a BOARD: a cell and its owner (1 mine, 2 the opponent's); DONE ends it and asks for a move."""
        assert self._stones is not None
        if line.upper() != "DONE":
            where, _, owner = line.rpartition(",")
            if owner.strip() not in ("1", "2"):
                self._stones = None
                raise Complaint(f"`{line[:40]}` is no stone; write X,Y,1 or X,Y,2")
            self._stones.append(Move(gomocup.parse_cell(self.game, where), owner.strip()))
            return ""
        stones, self._stones = self._stones, None
        mine, theirs = ([move.cell for move in stones if move.mark == owner] for owner in "12")
        seat = int(len(theirs) > len(mine))  # the side with fewer stones is to move, the first one if both have as many
        marks = list("." * self.game.grid.size)
        for cells, mark in ((mine, self.game.marks[seat]), (theirs, self.game.marks[1 - seat])):
            for cell in cells:
                marks[cell] = mark
        self._position = Position("".join(marks), seat, game=self.game)
        return self._move()
