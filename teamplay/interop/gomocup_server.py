"""Any player as a program that speaks the Gomocup protocol, so that a table can enter its tournaments."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from teamplay import __version__
from teamplay.errors import BadSpec, IllegalMove, TeamplayError
from teamplay.game import BLANK, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.grid import Cell
from teamplay.interop.pace import Pace, share
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
    _stones: dict[Cell, str] | None = None  # a board that is being sent, until DONE: whose stone is where
    _wrong: str = ""  # what was wrong with it

    def __post_init__(self) -> None:
        self._use(load_game("mnk(m=20,n=20,k=5)"))

    def _use(self, game: Game) -> None:
        """Seat the player at a board, ready to answer in time."""
        self.game = game
        self.player: Player = load_player(self.spec, game)
        self.pace = Pace(self.player)
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
                self._stones, self._wrong = {}, ""
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
        game = load_game(f"mnk(m={int(width)},n={int(height)},k=5)")
        if self._rule() & gomocup.EXACT_RULE:
            game = replace(game, goal=replace(game.goal, exact=True))
        self._use(game)
        self.pace.warm_up(game.start)
        self._position, self._stones = game.start, None
        return "OK"

    def _rule(self) -> int:
        """The bits of `INFO rule`."""
        text = self.info.get("rule", "0")
        return int(text) if text.isdecimal() else 0

    def _place(self, text: str, seat: int) -> None:
        position = self._board()
        try:
            move = Move(gomocup.parse_cell(self.game, text), self.game.marks[seat])
            self._position = self.game.after(position, move)
        except (BadSpec, IllegalMove) as error:
            raise Complaint(str(error).rstrip(".")) from None

    def _move(self) -> str:
        """Choose a move, make it, and say it."""
        if unknown := self._rule() & ~gomocup.EXACT_RULE:
            raise Complaint(f"rule {unknown} is not known; 0 is five or more in a row, 1 exactly five")
        self._follow_rule()
        position = self._board()
        if self.game.outcome(position):
            raise Complaint("the game is over")
        self.pace.allow(self._allowed(position))
        move = self.player.choose(position, self.luck)
        self._position = self.game.after(position, move)
        return gomocup.format_cell(self.game, move.cell)

    def _follow_rule(self) -> None:
        """A manager may say after START whether rows of six count."""
        exact = bool(self._rule() & gomocup.EXACT_RULE)
        if exact != self.game.goal.exact:
            position = self._board()
            self._use(replace(self.game, goal=replace(self.game.goal, exact=exact)))
            self._position = Position(position.marks, position.seat, game=self.game)

    def _allowed(self, position: Position) -> float:
        """Seconds for the next move, by what the manager said of a turn and of the rest of the match."""
        seconds = {key: int(text) / 1000 for key, text in self.info.items() if re.fullmatch(r"-?\d{1,10}", text)}
        turn = seconds.get("timeout_turn", float("inf"))
        match = seconds.get("time_left", seconds.get("timeout_match") or float("inf"))
        unlimited = match >= gomocup.UNLIMITED // 1000
        return turn if unlimited else min(turn, share(match, position))

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
        """A line of a BOARD: a cell and its owner (1 mine, 2 the opponent's); DONE ends it and asks for a move.

        What is wrong is said once, after DONE, for a manager reads no answer before.
        """
        assert self._stones is not None
        if line.upper() != "DONE":
            where, _, owner = line.rpartition(",")
            try:
                cell = gomocup.parse_cell(self.game, where)
                if owner.strip() not in ("1", "2"):
                    raise BadSpec(f"`{line[:40]}` is no stone; write X,Y,1 or X,Y,2")
                if cell in self._stones:
                    raise BadSpec(f"two stones are on {where.strip()}")
                self._stones[cell] = owner.strip()
            except BadSpec as error:
                self._wrong = self._wrong or str(error).rstrip(".")
            return ""
        stones, self._stones = self._stones, None
        if self._wrong:
            raise Complaint(self._wrong)
        mine, theirs = ([cell for cell, whose in stones.items() if whose == owner] for owner in "12")
        seat = int(len(theirs) > len(mine))  # the side with fewer stones is to move, the first one if both have as many
        marks = list(BLANK * self.game.grid.size)
        for cells, mark in ((mine, self.game.marks[seat]), (theirs, self.game.marks[1 - seat])):
            for cell in cells:
                marks[cell] = mark
        self._position = Position("".join(marks), seat, game=self.game)
        return self._move()
