"""A person at the terminal, and how a person's moves are read, wherever a person plays."""

import sys
from dataclasses import dataclass

from teamplay.errors import BadSpec, TeamplayError
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck


@dataclass(frozen=True)
class Human:
    """Asks until the answer is a legal move."""

    game: Game
    name: str

    def choose(self, position: Position, luck: Luck) -> Move:
        if sys.stdin is None or not sys.stdin.isatty():
            raise BadSpec("`human` asks a person, and there is none: it needs a terminal to read from.")
        self._show(position)
        while True:
            try:
                move = parse_answer(self.game, position, asked(prompt(self.game, position)))
                self.game.after(position, move)
            except EOFError:
                raise TeamplayError("The person has left, so the game has no end.") from None
            except TeamplayError as error:
                print(error)
            else:
                return move

    def _show(self, position: Position) -> None:
        # The screen is a later room than the players', so it is opened only when somebody sits down here.
        from teamplay.show.paste import put_options
        from teamplay.show.terminal import console, game_board, plain, put

        screen = console()
        put(screen, game_board(self.game, position, self.game.outcome(position), screen.width, plain(screen)))
        put_options(screen, self.game, position)


def prompt(game: Game, position: Position) -> str:
    """How a person is asked for a move."""
    return f"your move, {' or '.join(game.marks) if game.shared else game.own_mark(position.seat)}> "


def asked(question: str) -> str:
    """What the person writes next; shown as if typed where it comes through a pipe."""
    if sys.stdin is None:
        raise EOFError
    text = "".join(sign for sign in input(question) if sign.isprintable()).strip()
    if not sys.stdin.isatty():
        print(text)
    return text


def parse_answer(game: Game, position: Position, text: str) -> Move:
    """A move as a person writes it, who may also have written nothing."""
    if not text:
        raise BadSpec(f"Write a move, such as {example(game, position)}.")
    return game.parse_answer(text, position)


def example(game: Game, position: Position) -> str:
    """A legal move."""
    moves = game.moves(position)
    return game.format_move(moves[0]) if moves else "1"


def make(name: str, game: Game) -> Human:
    """The player that a spec names."""
    return Human(game, name)
