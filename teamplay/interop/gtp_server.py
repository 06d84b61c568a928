"""Any player as a program that speaks the Go Text Protocol, for Othello and gomoku boards."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from teamplay import __version__
from teamplay.errors import BadSpec, IllegalMove, TeamplayError
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game, parse_spec
from teamplay.interop.pace import GtpClock, Pace
from teamplay.luck import Luck
from teamplay.players import Player, load_player
from teamplay.protocols import gtp

LONGEST_COMMAND = 1000
SIDES = (("n",), ("m", "n"), ("rows", "columns"))  # how game files call the sides of their boards


class RefusedCommand(Exception):
    """A command that gets `?` for an answer."""


@dataclass
class GtpServer:
    """One board, one player, and the commands that a controller may send."""

    spec: str
    game: Game
    seed: int = 0
    rows: gtp.Rows = "top"
    skips_i: bool = False
    history: list[Position] = field(default_factory=list)  # the positions so far, the first one being the start
    over: bool = False  # was `quit` sent?

    def __post_init__(self) -> None:
        gtp.check_board(self.game, "GTP")
        self.clock: GtpClock | None = None  # None while nobody has said anything of time
        self._seat_player()
        self.luck = Luck(self.seed)
        self.vertices = gtp.Vertices(self.game, self.rows, self.skips_i)
        self.history = [self.game.start]
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "final_score": self._final_score,
            "genmove": self._genmove,
            "known_command": lambda words: str(_only(words) in self.commands).lower(),
            "komi": lambda words: "",
            "list_commands": lambda words: "\n".join(sorted(self.commands)),
            "list_games": lambda words: self._game_name,
            "name": lambda words: f"teamplay {self.player.name}",
            "play": self._play,
            "protocol_version": lambda words: "2",
            "quit": self._quit,
            "reg_genmove": self._reg_genmove,
            "set_game": self._set_game,
            "showboard": self._showboard,
            "time_left": self._time_left,
            "time_settings": self._time_settings,
            "undo": self._undo,
            "version": lambda words: __version__,
        }

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """An answer to each line that holds a command, until `quit`."""
        for line in lines:
            # As the protocol says: no control characters, tabs are spaces, comments end the line.
            clean = "".join(c for c in line[:LONGEST_COMMAND].replace("\t", " ") if c >= " ").partition("#")[0].split()
            if not clean:
                continue
            number = clean.pop(0) if clean[0].isdecimal() else ""
            if clean:
                yield f"{self._answer(number, clean[0].lower(), clean[1:])}\n\n"
            if self.over:
                return

    def _answer(self, number: str, command: str, words: list[str]) -> str:
        try:
            if command not in self.commands:
                raise RefusedCommand("unknown command")
            said = self.commands[command](words)
        except RefusedCommand as refused:
            return f"?{number} {refused}"
        except TeamplayError as error:
            return f"?{number} {str(error).splitlines()[0]}"
        return f"={number} {said}".rstrip()

    @property
    def position(self) -> Position:
        return self.history[-1]

    @property
    def _game_name(self) -> str:
        return "Othello" if self.game.placement == "flank" else "Gomoku"

    def _seat_player(self) -> None:
        """The player for this board, ready to answer in time."""
        self.player: Player = load_player(self.spec, self.game)
        self.pace = Pace(self.player)
        self.pace.warm_up(self.game.start)

    def _boardsize(self, words: list[str]) -> str:
        """Another size is another game with the same rules, if its file has that size as a parameter."""
        text = _only(words)
        if not text.isdecimal() or not 2 <= int(text) <= gtp.LARGEST_SIDE:
            raise RefusedCommand("unacceptable size")
        size = int(text)
        if self.game.grid.shape != (size, size):
            self.game = self._resized(size)
            self._seat_player()
            self.vertices = gtp.Vertices(self.game, self.rows, self.skips_i)
        return self._clear_board([])

    def _resized(self, size: int) -> Game:
        """The same game on a board of another size, if its file has parameters for that."""
        name, options = parse_spec(self.game.spec)
        for sides in SIDES:
            given = {**options, **dict.fromkeys(sides, str(size))}
            with suppress(TeamplayError):
                game = load_game(f"{name}({','.join(f'{key}={value}' for key, value in given.items())})")
                if game.grid.shape == (size, size):
                    return game
        raise RefusedCommand("unacceptable size")

    def _clear_board(self, words: list[str]) -> str:
        self.history = [self.game.start]
        self.luck = Luck(self.seed)
        if self.clock:
            self.clock.left.clear()
        return ""

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise RefusedCommand("syntax error")
        seat = gtp.parse_color(words[0])
        if gtp.is_pass(words[1]):
            if self.position.seat == seat and not self.game.outcome(self.position):
                raise RefusedCommand("illegal move")
            return ""  # a pass is no move here: the position has handed the turn on already
        self._turn(seat)
        try:
            cell = self.vertices.parse(words[1])
            self.history.append(self.game.after(self.position, Move(cell, self.game.marks[seat])))
        except (BadSpec, IllegalMove):
            raise RefusedCommand("illegal move") from None
        return ""

    def _turn(self, seat: int) -> None:
        """Only the side to move may move; nothing here turns the board for the other."""
        if self.position.seat != seat:
            raise RefusedCommand("illegal move")

    def _genmove(self, words: list[str]) -> str:
        said = self._reg_genmove(words)
        if not gtp.is_pass(said):
            self._play([words[0], said])
        return said

    def _reg_genmove(self, words: list[str]) -> str:
        seat = gtp.parse_color(_only(words))
        if self.game.outcome(self.position) or self.position.seat != seat:
            return "PASS"
        if self.clock:
            self.pace.allow(self.clock.allowed(self.position))
        begun = time.monotonic()
        cell = self.player.choose(self.position, self.luck).cell
        if self.clock:
            self.clock.spend(seat, time.monotonic() - begun)
        return self.vertices.format(cell)

    def _time_settings(self, words: list[str]) -> str:
        """Main time, the length of a period, and the moves in each."""
        main, period, stones = _numbers(words, 3)
        self.clock = GtpClock(main, period, stones)
        return ""

    def _time_left(self, words: list[str]) -> str:
        """What a colour has left: seconds, and the moves of a period, 0 while it is main time."""
        seconds, stones = _numbers(words[1:], 2)
        seat = gtp.parse_color(words[0])
        self.clock = self.clock or GtpClock(seconds, 0, 0)
        self.clock.left[seat] = float(seconds), stones
        return ""

    def _undo(self, words: list[str]) -> str:
        if len(self.history) == 1:
            raise RefusedCommand("cannot undo")
        self.history.pop()
        return ""

    def _set_game(self, words: list[str]) -> str:
        if _only(words).lower() not in (self._game_name.lower(), "reversi" if self.game.placement == "flank" else ""):
            raise RefusedCommand("unsupported game")
        return ""

    def _showboard(self, words: list[str]) -> str:
        height, width = self.game.grid.shape
        head = "   " + " ".join(self.vertices.letters[:width].upper())
        numbers = [row + 1 if self.rows == "top" else height - row for row in range(height)]
        marks = self.position.marks
        rows = [f"{number:2} {' '.join(marks[row * width :][:width])}" for row, number in enumerate(numbers)]
        turn = f"{gtp.COLORS[self.position.seat]} to move" if not self.game.outcome(self.position) else "game over"
        return "\n" + "\n".join([head, *rows, turn])

    def _final_score(self, words: list[str]) -> str:
        over = self.game.outcome(self.position)
        if over is None:
            raise RefusedCommand("cannot score")
        if over.winner is None:
            return "0"
        marks = [self.position.marks.count(mark) for mark in self.game.marks]
        margin = abs(marks[0] - marks[1]) if self.game.goal.kind == "majority" else "R"
        return f"{'BW'[over.winner]}+{margin}"

    def _quit(self, words: list[str]) -> str:
        self.over = True
        return ""


def _numbers(words: list[str], count: int) -> list[int]:
    """Whole numbers from 0 on, as many as a command takes."""
    if len(words) != count or not all(word.isdecimal() for word in words):
        raise RefusedCommand("syntax error")
    return [int(word) for word in words]


def _only(words: list[str]) -> str:
    """The one word that a command takes."""
    if len(words) != 1:
        raise RefusedCommand("syntax error")
    return words[0]
