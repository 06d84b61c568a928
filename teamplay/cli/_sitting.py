"""One person at one board: shows it, asks for moves, explains what was wrong, takes moves back."""

import contextlib
import importlib
import io
import sys
from collections.abc import Callable

from rich.console import Console

from teamplay.errors import TeamplayError
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players import Player
from teamplay.players.human import asked, example, parse_answer
from teamplay.show.picture import think
from teamplay.show.terminal import Signs, game_board, heat_map, plain, put, say
from teamplay.show.words import consequence, ending, move_name, verdict
from teamplay.team import Team


class Sitting:
    """A game between a person and a player; the state is the position and where the person moved before."""

    def __init__(self, screen: Console, game: Game, opponent: Player, seat: int, seed: int) -> None:
        self.screen, self.game, self.opponent, self.seat, self.seed = screen, game, opponent, seat, seed
        self.names = {seat: "you", 1 - seat: opponent.name}
        self.luck = Luck(seed)
        self.position = game.start
        self.before: list[Position] = []  # the positions in which the person has moved
        self.commands: dict[str, Callable[[], None]] = {
            "?": self._think,
            "undo": self._undo,
            "board": self._board,
            "help": self._help,
            "quit": self._quit,
            "exit": self._quit,
        }
        if game.placement != "drop":  # there `q` may be a column
            self.commands["q"] = self._quit

    def play(self) -> None:
        """To the end of the game; leaving early is an EOFError."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        with contextlib.suppress(ImportError):
            importlib.import_module("readline")  # arrow keys, where the system has it
        self._greet()
        while not (over := self.game.outcome(self.position)):
            if self.position.seat == self.seat:
                self._board()
                self._turn()
            else:
                self._place(self.opponent.choose(self.position, self.luck))
        self._board()
        say(self.screen, ending(self.game, self.position, over, self.names), "bold")

    def _greet(self) -> None:
        order = "begin" if self.position.seat == self.seat else "play second"
        mine, theirs = self.game.marks[self.seat], self.game.marks[1 - self.seat]
        both = f"You {order} at {self.game} against {self.opponent.name}"
        say(self.screen, f"{both}." if self.game.shared else f"{both}: you are {mine}, it is {theirs}.", "bold")
        hint = (
            "`?` shows what the team thinks, `help` the rest"
            if isinstance(self.opponent, Team)
            else "`help` tells more"
        )
        say(
            self.screen,
            f"{self.game.about} Write a move, such as {example(self.game, self.position)}; {hint}. (Seed {self.seed}.)",
        )

    def _turn(self) -> None:
        """Ask until the person has moved or taken a move back."""
        while True:
            text = asked(self.game, self.position)
            if command := self.commands.get(text.lower()):
                now = self.position
                command()
                if self.position is not now:
                    return
                continue
            if not text:
                say(self.screen, f"Write a move, such as {example(self.game, self.position)}, or `help`.")
                continue
            try:
                move = parse_answer(self.game, self.position, text)
                self.game.after(self.position, move)
            except TeamplayError as error:
                say(self.screen, str(error))
                continue
            self.before.append(self.position)
            self._place(move)
            return

    def _place(self, move: Move) -> None:
        """Make a move and tell what it did; the board says who moves next."""
        before, self.position = self.position, self.game.after(self.position, move)
        if before.seat != self.seat:
            say(self.screen, f"{self.opponent.name} plays {move_name(self.game, move)}.", "bold")
        if done := consequence(self.game, before, move):
            say(self.screen, done)
        passed = self.position.seat == before.seat and self.position.scores == before.scores
        if passed and not self.game.outcome(self.position):
            name = self.names[1 - before.seat]
            say(self.screen, f"{name.capitalize() if name == 'you' else name} cannot move and must pass.", "bold")

    def _board(self) -> None:
        over = self.game.outcome(self.position)
        say(self.screen)
        put(self.screen, game_board(self.game, self.position, over, self.screen.width, plain(self.screen)))
        say(self.screen)
        if score := self._score():
            say(self.screen, score)

    def _score(self) -> str:
        """Points, or marks where the majority counts."""
        if self.game.goal.effect == "scores":
            tally, thing = self.position.scores, "Points"
        elif self.game.goal.kind == "majority":
            first, second = (self.position.marks.count(mark) for mark in self.game.marks)
            tally, thing = (first, second), "Marks"
        else:
            return ""
        return f"{thing}: you {tally[self.seat]}, {self.opponent.name} {tally[1 - self.seat]}."

    def _think(self) -> None:
        """What each cell of the team would say if it were to move here."""
        if not isinstance(self.opponent, Team):
            say(self.screen, f"{self.opponent.name} is no team: it has no agents to ask.")
            return
        picture = think(self.opponent, self.position, self.seed)
        say(self.screen)
        put(self.screen, heat_map(Signs(picture, self.screen.width, plain(self.screen)), self.position.marks))
        say(self.screen)
        say(self.screen, f"So the team thinks in your place, 1 the most urgent. {verdict(picture)}")

    def _undo(self) -> None:
        if not self.before:
            say(self.screen, "There is no move of yours to take back.")
            return
        self.position = self.before.pop()
        say(self.screen, "Taken back.")

    def _help(self) -> None:
        ways = "5, b2 or 2,2" if len(self.game.grid.shape) == 2 else "5 or 1,2,2"
        if self.game.shared:
            ways = f"{self.game.marks[0]}5 or {self.game.marks[-1]} b2"
        if self.game.placement == "drop":
            ways = "d, or 39, d6"
        lines = [
            (ways, "a move: a letter and a cell" if self.game.shared else "a move: the cell by number or by place"),
            ("?", "what every cell of the team would think in your place"),
            ("undo", "take back your last move and all that followed"),
            ("board", "draw the board again; ( ) is the last move"),
            ("quit", "leave, as Ctrl-C and Ctrl-D do"),
        ]
        for words, meaning in lines:
            say(self.screen, f"  {words:<14} {meaning}")

    def _quit(self) -> None:
        raise EOFError
