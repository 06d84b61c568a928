"""Positions in words: cells and moves by name, what follows from the answers, how a game ended."""

from collections.abc import Mapping, Sequence

from teamplay.game import BLANK, Game, Move, Outcome, Position
from teamplay.grid import Cell, Grid
from teamplay.show.picture import Picture

MOST_NAMES = 12


def cell_name(grid: Grid, cell: Cell) -> str:
    """A cell both ways that people write it.

    >>> cell_name(Grid((3, 3)), 8)
    '9 (c3)'
    """
    return f"{cell + 1} ({grid.format_cell(cell)})"


def move_name(game: Game, move: Move) -> str:
    """A move by its cell's name, in letter games with the letter before it."""
    return f"{move.mark if game.shared else ''}{cell_name(game.grid, move.cell)}"


def role_name(grid: Grid, cell: Cell) -> str:
    """What kind of cell it is, in a sentence.

    >>> role_name(Grid((3, 3)), 4), role_name(Grid((3, 3)), 1)
    ('the center', 'an edge')
    """
    role = grid.role(cell)
    return {"center": "the center", "inner": "inside the board", "edge": "an edge"}.get(role, f"a {role}")


def listed(names: Sequence[str], most: int = MOST_NAMES, joint: str = "and") -> str:
    """Names in a sentence.

    >>> listed(["2", "3", "8"]), listed("abcde", 3)
    ('2, 3 and 8', 'a, b, c and 2 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} {joint} {len(names) - most:,} more"
    return f" {joint} ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else "none"


def counted(number: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "cell"), counted(1200, "cell")
    ('1 cell', '1,200 cells')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def signed(number: float) -> str:
    """A difference to the nearest whole number.

    >>> signed(-12.6), signed(-0.3)
    ('-13', '+0')
    """
    return f"{round(number):+}"


def heading(picture: Picture) -> str:
    """Which table plays which game, and where the team sits."""
    seat = ("first", "second")[picture.position.seat]
    return f"{picture.team.name} plays {picture.game} in the {seat} seat"


def sight(picture: Picture) -> str:
    """How far the agents see and how many of them were asked."""
    size = picture.game.grid.size
    every = "No agent was asked" if not picture.answers else f"{len(picture.answers):,} of {size:,} agents were asked"
    return f"An agent sees {picture.team.book.reach}. {every}."


def surroundings(picture: Picture, cell: Cell) -> str:
    """Where a cell lies and what its agent sees."""
    grid = picture.game.grid
    seen = sorted(picture.team.book.sight(cell))
    marks = [f"{picture.marks[other]} at {grid.format_cell(other)}" for other in seen if picture.marks[other] != BLANK]
    where = f"Cell {cell_name(grid, cell)}, {role_name(grid, cell)}"
    return f"{where}, sees {counted(len(seen), 'cell')}: {listed(marks) if marks else 'all blank'}."


def verdict(picture: Picture) -> str:
    """The tie, and what follows."""
    game, me = picture.game, picture.position.seat
    if picture.outcome:
        who = {me: "the team", 1 - me: "the opponent"}
        return ending(game, picture.position, picture.outcome, who, {me: "x", 1 - me: "o"})
    assert picture.chosen
    names = [move_name(game, move) for move in picture.best]
    priority = picture.answers[picture.best[0].cell].priority
    if len(names) == 1 and priority is not None:
        return f"The most urgent answer is {priority}: the manager takes {names[0]}."
    how = "the first" if picture.team.tie_break == "first" else f"with seed {picture.seed}"
    taken = f"the manager takes {move_name(game, picture.chosen)}, {how}"
    if priority is None:
        return f"Every agent is silent, so all {counted(len(names), 'move')} tie; {taken}."
    thing = "move" if game.shared else "cell"
    return f"{counted(len(names), thing)} tie at {priority}, the most urgent: {listed(names)}; {taken}."


def ending(
    game: Game,
    position: Position,
    outcome: Outcome,
    who: Mapping[int, str],
    marks: Mapping[int, str] | None = None,
) -> str:
    """Who won and why: the seats by name, their marks as they are drawn (default: the game's own)."""
    if game.goal.effect == "scores" and position.last is None:
        return "The game is over: no move is left. A drawing does not tell the scores."
    winner = outcome.winner
    if winner is None:
        return f"The game is over: a draw, {outcome.reason}."
    mark = "" if game.shared else f" ({marks[winner] if marks else game.marks[winner]})"
    return f"The game is over: {who[winner]}{mark} {'win' if who[winner] == 'you' else 'wins'}, {outcome.reason}."


def consequence(game: Game, position: Position, move: Move) -> str:
    """What a move does at once, if it does anything: it ends the game, scores, or turns marks."""
    after = game.after(position, move)
    name = move_name(game, move)
    me = position.seat
    over = game.outcome(after)
    if over and over.line:
        return f"{name} makes {over.reason.removesuffix(' loses')} and {'wins' if over.winner == me else 'loses'}."
    points = after.scores[me] - position.scores[me]
    if points:
        again = " and moves again" if after.seat == me and not over else ""
        return f"{name} scores {counted(points, 'point')}{again}."
    if game.placement == "flank":
        mine = game.marks[me]
        turned = after.marks.count(mine) - position.marks.count(mine) - 1
        return f"{name} turns {counted(turned, 'mark')}."
    return ""
