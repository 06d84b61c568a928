"""What the SOS players share: which games are SOS, what a move scores, and what it gives away."""

from collections.abc import Iterable
from typing import Literal, get_args

from teamplay.errors import BadSpec
from teamplay.game import BLANK, Game, Move
from teamplay.players._choice import parse_reading

LETTERS = ("S", "O")  # in the order in which the paper tries them
WORD = "SOS"
ONE_SHORT = frozenset((".OS", "S.S", "SO."))
Take = Literal["first", "any", "most"]  # which of several scoring moves

TAKES: tuple[Take, ...] = get_args(Take)


def check_game(player: str, game: Game, scores: bool = False) -> None:
    """Refuse any game but SOS; with `scores` also those in which the first SOS ends the game."""
    effects = ("scores",) if scores else ("scores", "wins")
    letters = game.shared and set(game.marks) == set(LETTERS) and game.placement == "anywhere"
    if game.goal.word != WORD or game.goal.effect not in effects or not letters:
        names = "sos, sos-corners" if scores else "sos, sos-corners, sos-line"
        raise BadSpec(f"`{player}` can't play {game}; it plays SOS ({names}, or a game file of your own).")


def points(game: Game, marks: str, move: Move) -> int:
    """How many SOS a move completes."""
    return sum(text == WORD for text in _texts(game, marks, move))


def gifts(game: Game, marks: str, move: Move) -> int:
    """How many SOS a move leaves one letter short, in the lines through its cell."""
    return sum(text in ONE_SHORT for text in _texts(game, marks, move))


def _texts(game: Game, marks: str, move: Move) -> Iterable[str]:
    """The lines through a move's cell as they read after it; SOS reads the same both ways."""
    cell = move.cell
    placed = f"{marks[:cell]}{move.mark}{marks[cell + 1 :]}"
    return [placed[a] + placed[b] + placed[c] for a, b, c in game.lines_through(cell)]


def blank_moves(marks: str, letters: Iterable[str] = LETTERS) -> list[Move]:
    """Every move, cell by cell, each with the letters in the order given."""
    wanted = tuple(letters)
    return [Move(cell, letter) for cell, mark in enumerate(marks) if mark == BLANK for letter in wanted]


def scoring(game: Game, marks: str) -> dict[Move, int]:
    """The moves that score, in the order in which the paper looks at them, with their points."""
    found = {move: points(game, marks, move) for move in blank_moves(marks)}
    return {move: score for move, score in found.items() if score}


def taken(scored: dict[Move, int], take: Take) -> list[Move]:
    """The scoring moves that a player might make: the `first` it meets, `any`, or those with the `most` points."""
    if take == "first":
        return list(scored)[:1]
    most = max(scored.values(), default=0) if take == "most" else 1
    return [move for move, score in scored.items() if score >= most]


def drawn_letters(letter: str) -> tuple[str, ...]:
    """The letters that a random move may have: either, or always the one that the printed loop leaves behind."""
    return LETTERS if parse_reading("letter", letter, ("either", "last")) == "either" else LETTERS[-1:]
