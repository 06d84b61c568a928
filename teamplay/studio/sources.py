"""How does the page name tables, games, players and positions? By specs and by text that is not saved yet."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from teamplay import library, players
from teamplay.errors import BadSpec
from teamplay.game import SEATS, Game, Move, Position
from teamplay.game_file import load_game, parse_spec
from teamplay.language import Source, read_rulebook
from teamplay.players import Player
from teamplay.team import Team

Question = Mapping[str, Any]

LARGEST_BOARD = 10_000  # cells that are drawn
KEPT = 8  # teams that stay seated from one key press to the next


def text_of(question: Question, key: str) -> str:
    """A text in a question."""
    value = question.get(key)
    if not isinstance(value, str):
        raise BadSpec(f"`{key}` must be a text.")
    return value


def number_of(question: Question, key: str, usual: int = 0) -> int:
    """A whole number in a question."""
    value = question.get(key, usual)
    if type(value) is not int or abs(value) > 2**53:
        raise BadSpec(f"`{key}` must be a whole number.")
    return value


@contextmanager
def reading(question: Question, folder: Path) -> Iterator[None]:
    """Read files below a folder only, and the table of a question as it is typed, saved or not."""
    table = question.get("table")
    texts = {}
    if isinstance(table, dict):
        texts[library.portable(library.find(text_of(table, "name"), ".team"))] = text_of(table, "text")
    with library.within(folder), library.given(texts):
        yield


def source_of(question: Question) -> Source:
    """The table of a question."""
    table = question.get("table")
    if not isinstance(table, dict):
        raise BadSpec("`table` must have a name and a text.")
    name = text_of(table, "name")
    return Source(name if name.endswith(".team") else f"{name}.team", text_of(table, "text"))


def wanted_game(question: Question) -> Game | None:
    """The game that was chosen; None where the table says it."""
    spec = question.get("game") or ""
    if not isinstance(spec, str):
        raise BadSpec("`game` must be a text.")
    return drawable(load_game(spec)) if spec else None


def drawable(game: Game) -> Game:
    """A game whose board can be drawn."""
    if game.grid.size > LARGEST_BOARD:
        raise BadSpec(f"A board of {game.grid.size:,} cells is too large to draw; {LARGEST_BOARD:,} are the most.")
    return game


@lru_cache(maxsize=KEPT)
def _team(source: Source, game: Game | None) -> Team:
    """A team stays seated from one question to the next: on a large board that costs as much as asking it."""
    book = read_rulebook(source, game)
    drawable(book.game)
    return Team(book)


def team_of(question: Question) -> Team:
    """The team that plays by the table of a question; a TableError says what is wrong with its text."""
    return _team(source_of(question), wanted_game(question))


def player_of(spec: object, game: Game) -> Player:
    """A player by its spec; never code of anybody's own."""
    if not isinstance(spec, str):
        raise BadSpec("A player is named by a text.")
    players.refuse_code(spec, "the page")
    if parse_spec(spec)[0] == "human":
        raise BadSpec("A person plays on the board, not as `human`, who sits at a terminal.")
    return players.load_player(spec, game)


def game_of(question: Question) -> Game:
    """The game of a question: the one chosen, else the table's own."""
    wanted = wanted_game(question)
    if wanted or question.get("table") is None:
        return wanted or load_game("tic-tac-toe")
    return _team(source_of(question), None).game


def position_of(question: Question, game: Game) -> Position:
    """The position that `board` draws (x is the side to move), with `seat` to move; without a board, the start."""
    seat, board = question.get("seat"), question.get("board")
    if seat is not None and seat not in SEATS:
        raise BadSpec("`seat` is first or second.")
    number = None if seat is None else SEATS.index(seat)
    if not board:
        return game.position(game.drawn(Position(game.beginning, 1)), number) if number else game.start
    if not isinstance(board, str):
        raise BadSpec("`board` must be a drawing.")
    return game.position(board, number)


def moves_of(game: Game, listed: object) -> tuple[list[Move], list[Position]]:
    """Moves as JSON has them (cells from 1, letters before them), and the positions of the game, the start first."""
    if not isinstance(listed, list) or len(listed) > LARGEST_BOARD:
        raise BadSpec("`moves` must be a list.")
    positions, moves = [game.start], []
    for each in listed:
        move = game.parse_move(str(each), positions[-1].seat)
        positions.append(game.after(positions[-1], move))
        moves.append(move)
    return moves, positions
