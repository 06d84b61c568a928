"""One person at one board: shows it, asks for moves, explains, takes moves back, saves games that are over."""

import contextlib
import importlib
import io
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rich.console import Console

from teamplay.arena.playing import MoveReason, reason
from teamplay.arena.recorded import GameRecord, game_line
from teamplay.cli._progress import Progress
from teamplay.cli.explain import print_reason
from teamplay.errors import BadSpec, TeamplayError
from teamplay.game import Game, Move, Outcome, Position
from teamplay.library import refuse_existing, save
from teamplay.luck import Luck
from teamplay.players import Player
from teamplay.players.human import Human, asked, example, parse_answer, prompt
from teamplay.show import reasons
from teamplay.show.move_list import put_moves
from teamplay.show.paste import put_options
from teamplay.show.picture import Picture, pictured, think
from teamplay.show.terminal import game_board, plain, put, put_heat_map, put_table, say
from teamplay.show.words import consequence, ending, move_name, verdict
from teamplay.team import Team

PERSON = "human"  # in a recorded game


def thinking(player: Player) -> Progress:
    """A sign of life on a terminal while a player takes its time."""
    return Progress(f"{player.name} is thinking")


def team_of(player: Player) -> Team | None:
    """The team that a player is, or that it is elsewhere: this process knows its table too; None if it has none."""
    if isinstance(player, Team):
        return player
    book: Any = getattr(player, "book", None)
    return None if book is None else Team(book)


class Sitting:
    """Games between a person and a player; the state is the turns of this game and the lines of those before it."""

    def __init__(self, screen: Console, opponent: Player, spec: str, game: Game, seat: int, seed: int) -> None:
        self.screen, self.game, self.opponent, self.spec, self.seat = screen, game, opponent, spec, seat
        self.team = team_of(opponent)
        self.names = {seat: "you", 1 - seat: opponent.name}
        self.seed, self.luck = seed, Luck(seed)
        self.turns: list[tuple[Position, Move]] = []  # of this game: each move, and where it was made
        self.over: list[str] = []  # the games before it, as they are recorded
        self.saved = ""  # the file that holds them
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self._think,
            "why": self._why,
            "moves": self._moves,
            "undo": self._undo,
            "board": self._board,
            "again": self._again,
            "save": self._save,
            "help": self._help,
            "quit": self._quit,
            "exit": self._quit,
        }
        if game.placement != "drop":  # there `q` may be a column
            self.commands["q"] = self._quit

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.game.after(*self.turns[-1]) if self.turns else self.game.start

    def play(self) -> None:
        """Game after game, until the person leaves; leaving a game that is not over is an EOFError."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        with contextlib.suppress(ImportError):
            importlib.import_module("readline")  # arrow keys, where the system has it
        self._greet()
        while True:
            position = self.position
            if over := self.game.outcome(position):
                self._end(position, over)
                try:
                    self._asked("again, undo, save FILE, why or quit> ", self._no_move)
                except EOFError:
                    say(self.screen)
                    return
            elif position.seat == self.seat:
                self._board()
                self._asked(prompt(self.game, position), self._move)
            else:
                self._place(self._answer(position))

    def _answer(self, position: Position) -> Move:
        """What the opponent chooses, with a sign of life where that takes long; a second person needs none."""
        with contextlib.nullcontext() if isinstance(self.opponent, Human) else thinking(self.opponent):
            return self.opponent.choose(position, self.luck)

    def _greet(self) -> None:
        order = "begin" if self.position.seat == self.seat else "play second"
        mine, theirs = self.game.own_mark(self.seat), self.game.own_mark(1 - self.seat)
        both = f"You {order} at {self.game} against {self.opponent.name}"
        say(self.screen, f"{both}." if self.game.shared else f"{both}: you are {mine}, it is {theirs}.", "bold")
        hint = (
            "`?` shows what the team thinks, `why` explains its move, `help` the rest"
            if self.team
            else "`help` lists the words"
        )
        say(
            self.screen,
            f"{self.game.about} Write a move, such as {example(self.game, self.position)}; {hint}. (Seed {self.seed}.)",
        )

    def _asked(self, question: str, otherwise: Callable[[str], None]) -> None:
        """Ask until a command or a move has changed the position."""
        before = list(self.turns)
        while self.turns == before:
            text = asked(question)
            word, _, rest = text.partition(" ")
            if command := self.commands.get(word.lower()):
                command(rest.strip())
            else:
                otherwise(text)

    def _move(self, text: str) -> None:
        """A move of the person."""
        if not text:
            say(self.screen, f"Write a move, such as {example(self.game, self.position)}, or `help`.")
            return
        try:
            move = parse_answer(self.game, self.position, text)
            self.game.after(self.position, move)
        except TeamplayError as error:
            say(self.screen, str(error))
        else:
            self._place(move)

    def _no_move(self, text: str) -> None:
        said = f"The game is over, so `{text[:40]}` can't be played. " if text else ""
        say(self.screen, f"{said}Write again, undo, moves, save FILE, why or quit.")

    def _place(self, move: Move) -> None:
        """Make a move and say what it did; the board says who moves next."""
        before = self.position
        self.turns.append((before, move))
        after = self.position
        if before.seat != self.seat:
            say(self.screen, f"{self.opponent.name} plays {move_name(self.game, move)}.", "bold")
        if done := consequence(self.game, before, move):
            say(self.screen, done)
        passed = after.seat == before.seat and after.scores == before.scores
        if passed and not self.game.outcome(after):
            name = self.names[1 - before.seat]
            say(self.screen, f"{name.capitalize() if name == 'you' else name} cannot move and must pass.", "bold")

    def _end(self, position: Position, over: Outcome) -> None:
        self._board()
        say(self.screen, ending(self.game, position, over, self.names), "bold")
        self._moves()

    def _board(self, _: str = "") -> None:
        position = self.position
        over = self.game.outcome(position)
        say(self.screen)
        put(self.screen, game_board(self.game, position, over, self.screen.width, plain(self.screen)))
        say(self.screen)
        put_options(self.screen, self.game, position)
        if score := self._score(position):
            say(self.screen, score)

    def _score(self, position: Position) -> str:
        """Points, or marks where the majority counts."""
        if self.game.goal.effect == "scores":
            tally, thing = position.scores, "Points"
        elif self.game.goal.kind == "majority":
            first, second = (position.marks.count(mark) for mark in self.game.marks)
            tally, thing = (first, second), "Marks"
        else:
            return ""
        return f"{thing}: you {tally[self.seat]}, {self.opponent.name} {tally[1 - self.seat]}."

    def _think(self, _: str) -> None:
        """What each cell of the team would say if it were to move here."""
        position = self.position
        picture = self._picture(position)
        if picture is None:
            say(self.screen, f"{self.opponent.name} is no team: it has no agents to ask.")
            return
        say(self.screen)
        put_heat_map(self.screen, picture, position.marks)
        say(self.screen)
        say(self.screen, f"So the team thinks in your place, 1 the most urgent. {verdict(picture)}")

    def _picture(self, position: Position) -> Picture | None:
        """What the agents of the opponent say, here or elsewhere; None if it has none."""
        if isinstance(self.opponent, Team):
            return think(self.opponent, position, self.seed)
        answers: Any = getattr(self.opponent, "answers", None)
        if self.team is None or answers is None:
            return None
        return pictured(self.team, position, answers(position, Luck(self.seed)), self.seed)

    def _why(self, cell: str) -> None:
        """Why the team made its last move: what every cell answered, and the rules that the chosen one tried."""
        if self.team is None:
            say(self.screen, f"{self.opponent.name} is no team: no rule says why it made a move.")
            return
        made = [(position, move) for position, move in self.turns if position.seat != self.seat]
        if not made:
            say(self.screen, "The team has not moved yet.")
            return
        position, move = made[-1]
        try:
            about = self.game.grid.parse_cell(cell) if cell else move.cell
        except TeamplayError as error:
            say(self.screen, str(error))
            return
        picture = replace(think(self.team, position, self.seed), chosen=move)
        say(self.screen)
        put_heat_map(self.screen, picture, pointers=True)
        say(self.screen)
        put_options(self.screen, self.game, position)
        swapped = "" if self.game.shared or position.seat == 0 else " (In its own view the team is x, and you are o.)"
        say(self.screen, f"So the team thought before it played {move_name(self.game, move)}.{swapped}", "bold")
        print_reason(self.screen, picture, reasons.reason(picture, about))

    def _moves(self, _: str = "") -> None:
        """The moves so far, in words and ready to paste."""
        if not self.turns:
            say(self.screen, "Nobody has moved yet.")
            return
        put_moves(self.screen, self.game, [move for _, move in self.turns])

    def _undo(self, _: str) -> None:
        mine = [place for place, (position, _) in enumerate(self.turns) if position.seat == self.seat]
        if not mine:
            say(self.screen, "There is no move of yours to take back.")
            return
        del self.turns[mine[-1] :]
        say(self.screen, "Taken back.")

    def _again(self, _: str) -> None:
        """Another game, by the next seed."""
        if not self.turns:
            say(self.screen, "The game has just begun.")
            return
        if self.game.outcome(self.position):
            self.over.append(self._line())
        self.seed += 1
        self.luck = Luck(self.seed)
        self.turns.clear()
        say(self.screen)
        self._greet()

    def _line(self) -> str:
        """This game as it is recorded."""
        why = [MoveReason(None, None)] * len(self.turns)
        for place, (position, move) in enumerate(self.turns):
            if position.seat != self.seat:
                why[place] = reason(self.opponent, position, move, Luck(self.seed))
        players = (PERSON, self.spec) if self.seat == 0 else (self.spec, PERSON)
        moves = tuple(move for _, move in self.turns)
        return game_line(GameRecord(len(self.over) + 1, self.game.spec, players, 0, moves, tuple(why)), self.game)

    def _save(self, rest: str) -> None:
        """Write the games of this sitting that are over, as `match --record` would."""
        name = rest.removesuffix("--force").strip()
        lines = [*self.over, *([self._line()] if self.game.outcome(self.position) else [])]
        try:
            if not name:
                raise BadSpec("Name a file, as in `save games.jsonl`.")
            if not lines:
                raise BadSpec("No game is over yet; there is nothing to save.")
            refuse_existing(name, force=name == self.saved or rest.endswith("--force"))
            save(name, "".join(f"{line}\n" for line in lines))
        except TeamplayError as error:
            say(self.screen, str(error).replace("--force overwrites it", f"`save {name} --force` overwrites it"))
            return
        self.saved = name
        games = "the game" if len(lines) == 1 else f"{len(lines)} games"
        say(self.screen, f"Saved {games} in {name}; `teamplay replay {name}` shows it.")

    def _help(self, _: str) -> None:
        ways = "5, b2 or 2,2" if len(self.game.grid.shape) == 2 else "5 or 1,2,2"
        if self.game.shared:
            ways = f"{self.game.marks[0]}5 or {self.game.marks[-1]} b2"
        if self.game.placement == "drop":
            ways = "d, or 39, d6"
        lines = [
            (ways, "a move: a letter and a cell" if self.game.shared else "a move: the cell by number or by place"),
            ("?", "what every cell of the team would think in your place"),
            ("why, why CELL", "why the team made its last move, or what a cell answered then"),
            ("moves", "all moves so far"),
            ("undo", "take back your last move and all that followed"),
            ("board", "draw the board again; ( ) is the last move"),
            ("again", "begin another game"),
            ("save FILE", "write the games that are over, for `teamplay replay`"),
            ("quit", "leave, as Ctrl-C and Ctrl-D do"),
        ]
        put_table(self.screen, (), lines)

    def _quit(self, _: str) -> None:
        raise EOFError
