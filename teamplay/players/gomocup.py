"""A program that speaks the Gomocup protocol: `gomocup:COMMAND`; `gomocup(style=old):COMMAND` for those that use files.

With the new style the program runs from game to game and is told of moves over pipes. With the old one it is started
for every move, reads the board from files in its working folder and leaves its move in one of them.
"""

import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from teamplay.errors import BadSpec, Forfeit, IllegalMove
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.protocols import gomocup
from teamplay.protocols.history import moves_between
from teamplay.protocols.program import LAST_WORDS, EngineProgram, command_words, open_log

GAME = "gomoku"
TEXT = "command"  # what stands behind the colon of a spec
START_SECONDS = 10.0
SLACK = 1.0  # seconds beyond its own time that a program may need to answer
CHATTER = ("MESSAGE", "DEBUG", "UNKNOWN")  # lines that are no answers
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
        except Forfeit:
            self._program = self._at = None
            raise

    def _choose(self, position: Position) -> Move:
        program = self._running()
        for line in self._question(program, position):
            program.say(line)
        answer = self._answer(program, self.seconds + SLACK)
        try:
            move = Move(gomocup.parse_cell(self.game, answer), self.game.marks[position.seat])
            self._at = self.game.after(position, move)
        except (BadSpec, IllegalMove) as error:
            raise program.lost(f"answered `{answer[:40]}`: {str(error).rstrip('.')}") from None
        return move

    def close(self) -> None:
        """End the program."""
        if self._program:
            self._program.close("END")
        self._program = self._at = None

    def _running(self) -> EngineProgram:
        """The program, started and told of the board if it is not running."""
        if self._program is None:
            self._program = EngineProgram(self.command, self.log)
            self._begin(self._program, START_SECONDS)
        return self._program

    def _begin(self, program: EngineProgram, seconds: float) -> None:
        """A new game on an empty board."""
        program.say(gomocup.start_line(self.game))
        answer = self._answer(program, seconds)
        if not answer.upper().startswith("OK"):
            raise program.lost(f"refused a board of {self.game.grid} with `{answer[:80]}`")
        for line in gomocup.info_lines(self.game, self.seconds):
            program.say(line)
        self._at = self.game.start

    def _question(self, program: EngineProgram, position: Position) -> list[str]:
        """What asks for a move in this position."""
        if position == self.game.start:
            if self._at != self.game.start:
                self._begin(program, self.seconds + SLACK)
            return ["BEGIN"]
        moves = moves_between(self.game, self._at, position) if self._at else None
        if moves and len(moves) == 1:
            return [f"TURN {gomocup.format_cell(self.game, moves[0].cell)}"]
        self._begin(program, self.seconds + SLACK)
        return gomocup.board_lines(self.game, position)

    def _answer(self, program: EngineProgram, seconds: float) -> str:
        """The next line that is an answer."""
        deadline = time.monotonic() + seconds
        while (line := program.hear(deadline).strip()).upper().startswith(CHATTER):
            pass
        if line.upper().startswith("ERROR"):
            raise program.lost(f"reported `{line[:80]}`")
        return line


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
            said = self._run(place)
            answer = _text(place / "TAH.DAT")
            if log := open_log(self.log):
                with log:
                    log.write(f"< {answer.strip()} {_text(place / 'MSG.DAT').strip()}\n")
        try:
            move = Move(gomocup.parse_cell(self.game, answer), self.game.marks[position.seat])
            self.game.after(position, move)
        except (BadSpec, IllegalMove) as error:
            raise self._lost(f"left `{answer.strip()[:40]}` as its move: {str(error).rstrip('.')}", said) from None
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

    def _run(self, folder: Path) -> str:
        """Run the program once; what it printed."""
        first, *rest = command_words(self.command)
        local = Path(first).resolve()
        try:
            done = subprocess.run(
                [str(local) if local.exists() else first, *rest],
                cwd=folder,
                capture_output=True,
                timeout=self.seconds + SLACK,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        except OSError as error:
            raise BadSpec(f"`{self.command[:80]}` can't be started: {error.strerror or error}.") from None
        except subprocess.TimeoutExpired:
            raise self._lost("did not answer in time", "") from None
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        if done.returncode < 0:
            raise self._lost(f"was ended by signal {-done.returncode}", said)
        return said

    def _lost(self, why: str, said: str) -> Forfeit:
        words = " / ".join(said.strip().splitlines()[-LAST_WORDS:])[:600]
        quoted = f" Its last words were: {words}" if words else " It said nothing."
        return Forfeit(f"The program `{self.command[:80]}` {why}.{quoted}")


def _text(path: Path) -> str:
    """What a program left in a file, or nothing."""
    try:
        return path.read_text("utf-8", "replace")[:4096]
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
