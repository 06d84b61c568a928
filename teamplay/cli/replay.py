"""step through recorded games with what every cell thought, or write them as a page"""

import argparse
import contextlib
import importlib
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from teamplay.arena.recorded import RecordedGames
from teamplay.cli import _arguments
from teamplay.cli._replay import GameReplay
from teamplay.errors import BadSpec, TeamplayError
from teamplay.library import refuse_existing, save
from teamplay.players.human import asked
from teamplay.show.move_list import put_moves
from teamplay.show.terminal import console, put_table, say
from teamplay.show.words import counted
from teamplay.studio.boards import board_json, picture_json
from teamplay.studio.export import Film, Frame, film_page, short_name

MOST_FRAMES = 2000  # positions on a page
HELP = (
    ("next, Enter", "the next move"),
    ("back", "the move before"),
    ("first, last", "the start, the end"),
    ("12", "after 12 moves"),
    ("why, why CELL", "why the team plays as it does next, or what a cell answers"),
    ("moves", "all moves of the game"),
    ("game 3", "another game of the file"),
    ("quit", "leave, as Ctrl-C and Ctrl-D do"),
    ("{4} [4] (x)", "on the board: the choice, what ties with it, the last move"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    help = "games that `match --record` wrote, or that were saved in `play`"
    parser.add_argument("file", metavar="FILE", help=help)
    help = "only this game of the file (default: begin with the first)"
    parser.add_argument("--game", type=_arguments.whole_number, metavar="N", help=help)
    help = "write the games as one page that needs nothing else, to be opened in a browser"
    parser.add_argument("--html", metavar="OUT", help=help)
    _arguments.add_force(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    games = RecordedGames(Path(args.file))
    numbers = range(1, len(games) + 1) if args.game is None else [args.game]
    if args.html is not None:
        _write(args, games, numbers)
    elif args.json:
        for number in numbers:
            _arguments.print_json({"number": number, **GameReplay(*games.game(number)).to_dict()})
    elif sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        Stepping(console(), games, numbers[0]).run()
    else:
        _print_all(games, numbers)
    return 0


def _print_all(games: RecordedGames, numbers: "range | list[int]") -> None:
    """Every ply of the games, where nobody sits at a terminal."""
    screen = console()
    for number in numbers:
        replay = GameReplay(*games.game(number))
        for problem in replay.problems:
            say(screen, problem)
        for ply in range(replay.last + 1):
            replay.show(screen, ply, _name(games, number))
            say(screen)


def _name(games: RecordedGames, number: int) -> str:
    return f"Game {number:,} of {len(games):,}"


class Stepping:
    """A person who steps through games; the state is the game and the ply."""

    def __init__(self, screen: Console, games: RecordedGames, number: int) -> None:
        self.screen, self.games, self.number, self.ply = screen, games, number, 0
        self.replay = GameReplay(*games.game(number))
        self.commands: dict[str, Callable[[str], None]] = {
            "": lambda _: self._to(self.ply + 1),
            "next": lambda _: self._to(self.ply + 1),
            "back": lambda _: self._to(self.ply - 1),
            "first": lambda _: self._to(0),
            "last": lambda _: self._to(self.replay.last),
            "why": self._why,
            "moves": self._moves,
            "game": self._game,
            "help": self._help,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Show the first position, then do what the person writes."""
        with contextlib.suppress(ImportError):
            importlib.import_module("readline")  # arrow keys, where the system has it
        self._begin()
        try:
            while True:
                self._obey(asked(f"{self.ply} of {self.replay.last}, next or help> "))
        except (KeyboardInterrupt, EOFError):
            say(self.screen)

    def _obey(self, text: str) -> None:
        word, _, rest = text.lower().partition(" ")
        try:
            if word.isdecimal():
                self._to(int(word[:9]))
            elif command := self._command(word):
                command(rest.strip())
            else:
                raise BadSpec(f"`{text[:40]}` is not known; write next, back, first, last, why, moves, game or quit.")
        except TeamplayError as error:
            say(self.screen, str(error))

    def _command(self, word: str) -> Callable[[str], None] | None:
        """A command by its name, or by letters that begin no other's."""
        meant = [name for name in self.commands if name and name.startswith(word)] if word else [""]
        exact = word if word in self.commands else meant[0] if len(meant) == 1 else None
        return None if exact is None else self.commands[exact]

    def _begin(self) -> None:
        for problem in self.replay.problems:
            say(self.screen, problem)
        self.ply = 0
        self._show()

    def _show(self) -> None:
        say(self.screen)
        self.replay.show(self.screen, self.ply, _name(self.games, self.number))

    def _to(self, ply: int) -> None:
        if not 0 <= ply <= self.replay.last:
            end = "There is no move before the first." if ply < 0 else "The game ends here."
            more = ply > 0 and self.number < len(self.games)
            say(self.screen, f"{end} `game {self.number + 1}` shows the next." if more else end)
            return
        self.ply = ply
        self._show()

    def _why(self, cell: str) -> None:
        self.replay.explain(self.screen, self.ply, self.replay.game.grid.parse_cell(cell) if cell else None)

    def _moves(self, _: str) -> None:
        put_moves(self.screen, self.replay.game, self.replay.record.moves)

    def _game(self, number: str) -> None:
        if not number.isdecimal():
            raise BadSpec(f"Name a game by its number, 1 to {len(self.games):,}, as in `game 1`.")
        self.replay = GameReplay(*self.games.game(int(number[:9])))
        self.number = int(number[:9])
        self._begin()

    def _help(self, _: str) -> None:
        put_table(self.screen, (), HELP)

    def _quit(self, _: str) -> None:
        raise EOFError


def _write(args: argparse.Namespace, games: RecordedGames, numbers: "range | list[int]") -> None:
    """The games as one page, as many of them as it can hold."""
    refuse_existing(args.html, args.force, ".html")
    pages: list[Film] = []
    frames = 0
    for number in numbers:
        replay = GameReplay(*games.game(number))
        frames += replay.last + 1
        if not pages and frames > MOST_FRAMES:
            raise BadSpec(f"Game {number:,} has {frames:,} positions, and a page holds {MOST_FRAMES:,} at most.")
        if frames > MOST_FRAMES:
            break
        pages.append(_film(replay, _name(games, number)))
    save(args.html, film_page(f"Games of {Path(args.file).name}", pages))
    screen = console()
    held = counted(len(pages), "game")
    more = "" if len(pages) == len(numbers) else f" of {len(numbers):,}, as many as a page holds; --game N takes one"
    say(screen, f"Wrote {held}{more} to {args.html}.")


def _film(replay: GameReplay, name: str) -> Film:
    """A game for the page: before each move what its team thought, with x for the first player."""
    frames = []
    for ply, position in enumerate(replay.positions):
        picture = replay.picture(ply)
        board = picture_json(picture, absolute=True) if picture else board_json(replay.game, position)
        board["next"] = replay.record.moves[ply].cell if ply < replay.last else None
        said = f"{replay.made(ply)} {replay.following(ply, picture)}"
        if picture and picture.chart().by == "rank":
            board["view"] = "rank"
            said += f" The board shows ranks: #1 is {picture.number(picture.tied[0])}."
        frames.append(Frame(board, said))
    moves = [short_name(replay.game, move) for move in replay.record.moves]
    return Film(f"{name}: {replay.title}", frames, moves)
