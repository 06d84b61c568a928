"""A program that speaks the Go Text Protocol, as Othello engines do: `gtp:COMMAND`, `gtp(seconds=5):COMMAND`.

Such programs differ in small things, so this player forgives what can be understood: answers without an id, blank
lines, `pass` in several spellings, rows counted from the bottom, columns without the letter i. What can't be
understood, an illegal move, a crash or silence loses the game at hand.
"""

import time
from dataclasses import dataclass, field

from teamplay.errors import BadSpec, Forfeit, IllegalMove
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.protocols import gtp
from teamplay.protocols.history import moves_between, moves_to
from teamplay.protocols.program import EngineProgram, command_words

GAME = "reversi"
TEXT = "command"  # what stands behind the colon of a spec
START_SECONDS = 10.0  # for the first answer of a program
SLACK = 1.0  # seconds beyond its own time that a program may need to answer
ROWS = ("auto", "top", "bottom")


class Misunderstood(Forfeit):
    """A move that one of both sides finds illegal: they may not mean the same cell."""


@dataclass
class GtpEngine:
    """Plays with a program; the program is started at the first move and kept from game to game."""

    game: Game
    command: str
    seconds: float
    log: str
    name: str
    vertices: gtp.Vertices
    certain: bool  # is it known how the program counts rows?
    _program: EngineProgram | None = field(default=None, repr=False)
    _at: Position | None = field(default=None, repr=False)  # the position that the program knows

    def choose(self, position: Position, luck: Luck) -> Move:
        """The program's move, or a Forfeit that says what it did instead."""
        try:
            return self._choose(position)
        except BaseException as error:  # also Ctrl-C: its answer would be taken for that of the next question
            if self._program:
                self._program.close()
            self._program = self._at = None
            if self.certain or not isinstance(error, Misunderstood):
                raise
        # Perhaps its rows are counted from the other end.
        self.certain = True
        self.vertices = gtp.Vertices(self.game, "bottom", self.vertices.skips_i)
        return self.choose(position, luck)

    def close(self) -> None:
        """End the program; it is started again for the next move."""
        if self._program:
            self._program.close("quit")
        self._program = self._at = None

    def _choose(self, position: Position) -> Move:
        program = self._running()
        self._tell(program, position)
        answer = self._ask(program, f"genmove {gtp.COLORS[position.seat]}").strip()
        if gtp.is_resignation(answer):
            raise program.lost("resigned")
        try:
            cell = self.vertices.parse(answer)
            move = Move(cell, self.game.marks[position.seat])
            self._at = self.game.after(position, move)
        except (BadSpec, IllegalMove) as error:
            said = "passed, though it has a move" if gtp.is_pass(answer) else f"answered `{answer[:40]}`: {error}"
            raise Misunderstood(program.lost(said.rstrip("."))) from None
        self.certain = True
        self._tell_pass(program, position, self._at)
        return move

    def _running(self) -> EngineProgram:
        """The program, started and told of the board if it is not running."""
        if self._program is None or not self._program.is_open:
            self._program = program = EngineProgram(self.command, self.log)
            self._ask(program, "name", START_SECONDS, optional=True)
            kind = "Othello" if self.game.placement == "flank" else "Gomoku"
            self._ask(program, f"set_game {kind}", optional=True)
            # One move takes this long at the most: no main time, a period of N seconds for one stone.
            self._ask(program, f"time_settings 0 {max(1, int(self.seconds))} 1", optional=True)
            self._at = None
        return self._program

    def _tell(self, program: EngineProgram, position: Position) -> None:
        """Bring the program from the position that it knows to this one."""
        moves = moves_between(self.game, self._at, position) if self._at else None
        at = self._at
        if moves is None or at is None:
            self._ask(program, f"boardsize {self.game.grid.shape[0]}")
            self._ask(program, "clear_board")
            moves, at = moves_to(self.game, position), self.game.start
        for move in moves:
            self._ask(program, f"play {gtp.COLORS[at.seat]} {self.vertices.format(move.cell)}")
            self._tell_pass(program, at, after := self.game.after(at, move))
            at = after
        self._at = position

    def _tell_pass(self, program: EngineProgram, before: Position, after: Position) -> None:
        """If a move leaves the other side without one, say so: some programs want to be told, others refuse it."""
        if after.seat == before.seat and not self.game.outcome(after):
            self._ask(program, f"play {gtp.COLORS[1 - after.seat]} pass", optional=True)

    def _ask(self, program: EngineProgram, command: str, seconds: float | None = None, optional: bool = False) -> str:
        """The answer to a command; `optional` ones may be refused."""
        deadline = time.monotonic() + (self.seconds + SLACK if seconds is None else seconds)
        program.say(command)
        while (first := program.hear(deadline).strip())[0] not in "=?":
            pass  # chatter before the answer
        while program.hear_line(deadline).strip():
            pass  # more lines, which no answer here needs; it ends with an empty one
        text = first[1:].lstrip("0123456789").strip()
        if first[0] == "?" and not optional:
            raise Misunderstood(program.lost(f"refused `{command}` with `{text[:80]}`"))
        return text


def make(
    name: str,
    game: Game,
    command: str = "",
    seconds: float = 10.0,
    rows: str = "auto",
    skip_i: bool = False,
    log: str = "",
) -> GtpEngine:
    """The player that a spec names: `gtp:COMMAND`, `gtp(seconds=2,rows=bottom):COMMAND`."""
    gtp.check_board(game, "GTP")
    command_words(command)
    if not 0 < seconds < float("inf"):
        raise BadSpec(f"`seconds` is a number above 0, not {seconds}.")
    if rows not in ROWS:
        raise BadSpec(f"`rows` is {', '.join(ROWS[:-1])} or {ROWS[-1]}, not `{rows[:20]}`.")
    vertices = gtp.Vertices(game, "bottom" if rows == "bottom" else "top", skip_i)
    return GtpEngine(game, command, seconds, log, name, vertices, certain=rows != "auto")
