"""A program that speaks the Gomocup protocol: `gomocup:COMMAND`; `gomocup(style=old):COMMAND` for those that use files.

With the new style the program runs from game to game and is told of moves over pipes. With the old one it is started
for every move, reads the board from files in its working folder and leaves its move in one of them.
"""

import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.protocols import gomocup
from teamplay.protocols.history import moves_between
from teamplay.protocols.program import LONGEST_LINE, EngineProgram, command_words

GAME = "gomoku"
TEXT = "command"  # what stands behind the colon of a spec
START_SECONDS = 10.0
SLACK = 1.0  # seconds beyond its own time that a program may need to answer
CHATTER = ("MESSAGE", "DEBUG")  # lines that are no answers
STYLES = ("new", "old")


@dataclass
class GomocupEngine:
    """Plays with a program over pipes."""

    game: Game
    command: str
    seconds: float
    log: str
    name: str
    _program: EngineProgram | None = field(default=None, repr=False)
    _at: Position | None = field(default=None, repr=False)  # the position that the program knows

    def choose(self, position: Position, luck: Luck) -> Move:
        """The program's move, or a Forfeit that says what it did instead."""
        try:
            return self._choose(position)
        except BaseException:  # also Ctrl-C: its answer would be taken for that of the next question
            if self._program:
                self._program.close()
            self._program = self._at = None
            raise

    def _choose(self, position: Position) -> Move:
        program = self._asked(self._running(), position)
        answer = self._answered(program)
        try:
            move = Move(gomocup.parse_cell(self.game, answer), self.game.marks[position.seat])
            self._at = self.game.after(position, move)
        except (BadSpec, IllegalMove) as error:
            raise program.lost(f"answered `{answer[:40]}`: {str(error).rstrip('.')}") from None
        return move

    def close(self) -> None:
        """End the program; it is started again for the next move."""
        if self._program:
            self._program.close("END")
        self._program = self._at = None

    def _running(self) -> EngineProgram:
        """The program, started and told of the board if it is not running."""
        if self._program is None or not self._program.is_open:
            self._program = EngineProgram(self.command, self.log)
            self._begin(self._program, gomocup.start_line(self.game), START_SECONDS)
        return self._program

    def _begin(self, program: EngineProgram, line: str, seconds: float) -> None:
        """A new game on an empty board."""
        program.say(line)
        answer = self._answer(program, time.monotonic() + seconds)
        if not answer.upper().startswith("OK"):
            raise program.lost(f"refused a board of {self.game.grid} with `{answer[:80]}`")
        for told in gomocup.info_lines(self.game, self.seconds):
            program.say(told)
        self._at = self.game.start

    def _restarted(self, program: EngineProgram) -> EngineProgram:
        """A new game with the same program if it knows how, else with the same command, started again."""
        program.say("RESTART")
        if self._line(program, time.monotonic() + self.seconds + SLACK).upper().startswith("OK"):
            self._at = self.game.start
            return program
        self.close()
        return self._running()

    def _asked(self, program: EngineProgram, position: Position) -> EngineProgram:
        """Ask for a move in this position; the program that was asked."""
        moves = moves_between(self.game, self._at, position) if self._at else None
        if moves and len(moves) == 1:
            program.say(f"TURN {gomocup.format_cell(self.game, moves[0].cell)}")
            return program
        if self._at != self.game.start:
            program = self._restarted(program)
        for line in ["BEGIN"] if position == self.game.start else gomocup.board_lines(self.game, position):
            program.say(line)
        return program

    def _line(self, program: EngineProgram, deadline: float, chatter: tuple[str, ...] = CHATTER) -> str:
        """The next line that is no chatter."""
        while (line := program.hear(deadline).strip()).upper().startswith(chatter):
            pass
        return line

    def _answer(self, program: EngineProgram, deadline: float, chatter: tuple[str, ...] = CHATTER) -> str:
        """The next line that is an answer."""
        line = self._line(program, deadline, chatter)
        if line.upper().startswith("ERROR"):
            raise program.lost(f"reported `{line[:80]}`")
        return line

    def _answered(self, program: EngineProgram) -> str:
        """The move that it answers with; it may suggest one. OK and UNKNOWN were for INFO, which has no answer."""
        deadline = time.monotonic() + self.seconds + SLACK
        answer = self._answer(program, deadline, (*CHATTER, "UNKNOWN", "OK"))
        if answer.upper().startswith("SUGGEST"):
            program.say(f"PLAY {answer[len('SUGGEST') :].strip()}")
            answer = self._answer(program, deadline)
        return answer


@dataclass(frozen=True)
class OldGomocupEngine:
    """Plays with a program that is started for every move and talks through files."""

    game: Game
    command: str
    seconds: float
    log: str
    name: str

    def choose(self, position: Position, luck: Luck) -> Move:
        """The move that the program leaves in TAH.DAT."""
        with tempfile.TemporaryDirectory(prefix="teamplay-") as folder:
            place = Path(folder)
            for name, text in self._files(position).items():
                (place / name).write_text(text, "utf-8")
            with closing(EngineProgram(self.command, self.log, place)) as program:
                program.finish(time.monotonic() + self.seconds + SLACK)
                answer, message = _text(place / "TAH.DAT"), _text(place / "MSG.DAT")
                program.note(f"{answer.strip()} {message.strip()}".strip())
                try:
                    move = Move(gomocup.parse_cell(self.game, answer), self.game.marks[position.seat])
                    self.game.after(position, move)
                except (BadSpec, IllegalMove) as error:
                    left = f"left `{answer.strip()[:40]}` as its move: {str(error).rstrip('.')}"
                    raise program.lost(left) from None
        return move

    def _files(self, position: Position) -> dict[str, str]:
        """The files that a program reads; the one with the side to move is where its answer goes."""
        info = "".join(f"{line.removeprefix('INFO ')}\n" for line in gomocup.info_lines(self.game, self.seconds))
        return {
            "PLOCHA.DAT": gomocup.drawing(self.game, position),
            "TAH.DAT": f"{self.game.marks[position.seat]}\n",
            "TIMEOUTS.DAT": f"{int(self.seconds)}\n{gomocup.UNLIMITED}\n",
            "INFO.DAT": info,
            "MSG.DAT": "",
        }


def _text(path: Path) -> str:
    """What a program left in a file, or nothing."""
    try:
        with path.open("rb") as file:
            return file.read(LONGEST_LINE).decode("utf-8", "replace")
    except OSError:
        return ""


def make(
    name: str, game: Game, command: str = "", seconds: float = 5.0, style: str = "new", log: str = ""
) -> GomocupEngine | OldGomocupEngine:
    """The player that a spec names: `gomocup:COMMAND`, `gomocup(seconds=1,log=x.txt):COMMAND`."""
    gomocup.check_board(game)
    command_words(command)
    if not 0 < seconds < float("inf"):
        raise BadSpec(f"`seconds` is a number above 0, not {seconds}.")
    if style not in STYLES:
        raise BadSpec(f"`style` is {' or '.join(STYLES)}, not `{style[:20]}`.")
    kind = GomocupEngine if style == "new" else OldGomocupEngine
    return kind(game, command, seconds, log, name)
