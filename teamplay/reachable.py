"""Can a position be reached in play? What is wrong with one that can't, as far as a quick look shows."""

from teamplay.game import BLANK, SEATS, Game, Position
from teamplay.grid import Line


def flaw(game: Game, position: Position) -> str | None:
    """Why no game leads to a position, in a sentence without its full stop; None if nothing speaks against it.

    Only what is certain is reported: a position without a flaw may still be out of reach. The start is never wrong,
    no matter who moves: people ask what a team would do there.

    >>> from teamplay.game_file import load_game
    >>> game = load_game("tic-tac-toe")
    >>> flaw(game, game.position("xx./.../..."))
    'x has 2 pieces and o has 0, with x to move'
    """
    if position.marks == game.beginning:
        return None
    return _missing(game, position) or _floating(game, position) or _counts(game, position) or _lines(game, position)


def _missing(game: Game, position: Position) -> str | None:
    """Marks of the start stay on the board; only a flanking move may turn them."""
    for cell, mark in enumerate(game.beginning):
        now = position.marks[cell]
        if mark != BLANK and (now == BLANK or (now != mark and game.placement != "flank")):
            return f"cell {game.grid.format_cell(cell)} holds {mark} from the start on"
    return None


def _floating(game: Game, position: Position) -> str | None:
    """Where pieces drop, none lies above an empty cell."""
    if game.placement != "drop":
        return None
    *_, height, width = game.grid.shape
    for cell, mark in enumerate(position.marks):
        below = cell + width
        if mark != BLANK and cell // width % height < height - 1 and position.marks[below] == BLANK:
            return f"the piece in cell {game.grid.format_cell(cell)} has nothing below it, and pieces drop"
    return None


def _counts(game: Game, position: Position) -> str | None:
    """Where the players move in turn, as many moves were made by each, or one more by the first."""
    if game.again or game.placement == "flank":
        return None
    placed = [position.marks.count(mark) - game.beginning.count(mark) for mark in game.marks]
    if game.shared:
        if sum(placed) % 2 == position.seat:
            return None
        made = "1 move was" if sum(placed) == 1 else f"{sum(placed)} moves were"
        return f"{made} made, after which the {SEATS[1 - position.seat]} player is to move"
    if placed[0] - placed[1] == position.seat:
        return None
    mine, theirs = placed[position.seat], placed[1 - position.seat]
    pieces = "1 piece" if mine == 1 else f"{mine} pieces"
    return f"x has {pieces} and o has {theirs}, with x to move"  # x is to move in a drawing, whatever its seat


def _lines(game: Game, position: Position) -> str | None:
    """The first line that meets the goal ends the game (of several boards, closes its own): one move made all."""
    if game.goal.kind == "majority" or game.goal.effect == "scores":
        return None
    size = game.grid.size // game.grid.boards
    by_board: dict[int, list[Line]] = {}
    for line in game.met_lines(position):
        by_board.setdefault(line[0] // size, []).append(line)
    for lines in by_board.values():
        marks = {position.marks[line[0]] for line in lines}
        if len(marks) > 1 and not game.shared:
            return f"both players have {game.made}"
        if not set(lines[0]).intersection(*lines[1:]):
            return f"there is {game.made} in several places, which no last move makes at once"
        if not game.shared and game.grid.boards == 1 and position.marks[lines[0][0]] == game.marks[position.seat]:
            return f"x has {game.made} already, but it was o that moved last"
    return None
