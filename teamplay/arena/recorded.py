"""What is a recorded game? A line of JSON with the players and the moves; who reads it plays it again.

A file of recorded games is untrusted: lines are bounded, every move is checked by the rules, and a player that would
run Python code is never made from it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teamplay.arena.playing import MoveReason, after_all
from teamplay.errors import BadFile, TeamplayError
from teamplay.game import SEATS, Game, Move, Outcome, Position
from teamplay.game_file import load_game

LONGEST_LINE = 1 << 20  # bytes
MOST_GAMES = 1_000_000  # in one file
MOST_MARKS = 200_000_000  # on all boards of a game together


@dataclass(frozen=True)
class GameRecord:
    """One game: its number from 1, its game's spec, the players by seat, the moves, and why teams made theirs."""

    number: int
    spec: str
    players: tuple[str, str]
    opening: int  # how many of the moves were random plies
    moves: tuple[Move, ...]
    reasons: tuple[MoveReason, ...]  # one for each move
    forfeit: str = ""  # why the player to move lost without being beaten


def game_line(record: GameRecord, game: Game) -> str:
    """A game as one line of JSON."""
    position = after_all(game, record.moves)
    over = Outcome(1 - position.seat, record.forfeit) if record.forfeit else game.outcome(position)
    assert over, "only games that are over are recorded"
    shown = {
        "number": record.number,
        "game": record.spec,
        "first": record.players[0],
        "second": record.players[1],
        "opening": record.opening,
        "moves": [game.format_move(move) if game.shared else move.cell + 1 for move in record.moves],
        "priorities": [priority for priority, _ in record.reasons],
        "rules": [rule for _, rule in record.reasons],
        "winner": None if over.winner is None else SEATS[over.winner],
        "reason": over.reason,
    }
    return json.dumps(shown, ensure_ascii=False)


class RecordedGames:
    """The games of a file; only where its lines begin is kept, and a game is read when it is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._starts: list[int] = []
        try:
            if path.exists() and not path.is_file():
                raise BadFile(f"{path} is not an ordinary file of recorded games.")
            with path.open("rb") as file:
                self._find_lines(file)
        except OSError as error:
            raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from None
        except ValueError:  # a NUL in the name
            raise BadFile(f"{str(path)!r} is not the name of a file.") from None
        if not self._starts:
            raise BadFile(f"{path} holds no game; `teamplay match --record` writes such files.")

    def _find_lines(self, file: Any) -> None:
        start = 0
        while line := file.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise BadFile(f"{self.path} has a line of more than {LONGEST_LINE:,} bytes, which no game needs.")
            if line.strip():
                self._starts.append(start)
            if len(self._starts) > MOST_GAMES:
                raise BadFile(f"{self.path} holds more than {MOST_GAMES:,} games; split it.")
            start += len(line)

    def __len__(self) -> int:
        return len(self._starts)

    def game(self, number: int) -> tuple[GameRecord, Game]:
        """The game on one of the lines, from 1, with its rules."""
        if not 1 <= number <= len(self):
            games = "1 game" if len(self) == 1 else f"{len(self):,} games"
            raise BadFile(f"{self.path} holds {games}; there is no game {number:,}.")
        line = b""
        try:
            with self.path.open("rb") as file:
                file.seek(self._starts[number - 1])
                line = file.readline(LONGEST_LINE)
            return _parsed(json.loads(line.decode("utf-8")))
        except OSError as error:
            raise BadFile(f"{self.path} cannot be read: {error.strerror or error}.") from None
        except (ValueError, RecursionError):  # not UTF-8, or not JSON
            hint = " `teamplay results` shows the results of a tournament." if line.startswith(b"SQLite") else ""
            raise BadFile(f"{self.path}: game {number:,} is not a line of JSON.{hint}") from None
        except TeamplayError as error:
            raise BadFile(f"{self.path}: game {number:,} can't be replayed: {error}") from None


def _parsed(told: Any) -> tuple[GameRecord, Game]:
    """A recorded game that can be replayed; what is missing or odd is an error that names it."""
    if not isinstance(told, dict):
        raise BadFile("it is not an object with `game` and `moves`.")
    spec, written = told.get("game"), told.get("moves")
    players = tuple(told.get(seat) for seat in SEATS)
    if not isinstance(spec, str) or not all(isinstance(player, str) for player in players):
        raise BadFile("`game`, `first` and `second` must be texts.")
    if not isinstance(written, list) or not all(isinstance(move, str) or type(move) is int for move in written):
        raise BadFile("`moves` must be a list of cells.")
    number, opening = told.get("number", 1), told.get("opening", 0)
    if type(number) is not int or type(opening) is not int:
        raise BadFile("`number` and `opening` must be whole numbers.")
    game = load_game(spec)
    moves = _moves(game, [str(move) for move in written])
    reasons = _reasons(told, len(moves))
    return GameRecord(number, spec, (str(players[0]), str(players[1])), opening, moves, reasons), game


def _moves(game: Game, written: Sequence[str]) -> tuple[Move, ...]:
    """The moves as they are written, each legal where it is made."""
    if len(written) * game.grid.size > MOST_MARKS:
        raise BadFile(f"{len(written):,} moves on {game.grid.size:,} cells are too many to be kept.")
    position, moves = game.start, []
    for text in written:
        moves.append(game.parse_move(text, position.seat))
        position = game.after(position, moves[-1])
    return tuple(moves)


def _reasons(told: dict[str, Any], count: int) -> tuple[MoveReason, ...]:
    """The priorities and rules behind the moves; what is left out is not known."""
    priorities, rules = (told.get(name, [None] * count) for name in ("priorities", "rules"))
    for given in (priorities, rules):
        if not isinstance(given, list) or len(given) != count:
            raise BadFile("`priorities` and `rules` must have an entry for each move.")
    if not all(each is None or type(each) is int for each in priorities):
        raise BadFile("`priorities` must be whole numbers or null.")
    if not all(each is None or isinstance(each, str) for each in rules):
        raise BadFile("`rules` must be names or null.")
    return tuple(MoveReason(*each) for each in zip(priorities, rules, strict=True))


def positions(game: Game, moves: Sequence[Move]) -> list[Position]:
    """The start, and the position after each move."""
    found = [game.start]
    for move in moves:
        found.append(game.after(found[-1], move))
    return found
