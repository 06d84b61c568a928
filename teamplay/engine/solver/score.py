"""What a score says: the search's one number for who wins, how soon, and by how many points."""

from teamplay.engine.solver.kernels.lines import WIN, later, sooner
from teamplay.engine.solver.rules import MOST_CELLS
from teamplay.game import BLANK, Game, Position


def hurries(game: Game) -> bool:
    """Whether the end comes by a move that wins or loses, so that it makes sense to ask how soon."""
    return game.goal.kind != "majority" and game.goal.effect != "scores"


def counts_marks(game: Game) -> bool:
    """Whether who has most marks wins, so that it makes sense to ask by how many."""
    return game.goal.kind == "majority"


def widest(game: Game) -> int:
    """The largest score of a game."""
    if hurries(game):
        return WIN
    if counts_marks(game):
        return game.grid.size
    return len(game.grid.axes) * game.grid.size  # as many lines begin somewhere at most


def ended(game: Game, position: Position) -> int | None:
    """The score of a position that is over, for the seat to move; None while the game goes on."""
    outcome = game.outcome(position)
    if outcome is None:
        return None
    if counts_marks(game):
        mine, theirs = (position.marks.count(game.marks[seat]) for seat in (position.seat, 1 - position.seat))
        return mine - theirs
    if game.goal.effect == "scores" or outcome.winner is None:
        return 0
    return (1 if outcome.winner == position.seat else -1) * widest(game)


def is_stolen(game: Game, position: Position) -> bool:
    """Whether strategy stealing shows that the seat to move can't lose.

    It applies where a mark of one's own never hurts (lines that win, pieces that go anywhere), to a position that some
    symmetry of the board turns into the same with both players' marks swapped; the empty board is one. Proof: suppose
    the other, who moves second, could force a win. By the symmetry the mover could force one too if it were second. So
    it makes any move, forgets that mark, and plays as if it were second. Where that play asks for the forgotten cell,
    it has the mark already, makes any other move and forgets that one instead; where no cell is left for it, the board
    is full, and the play has come to its end. The forgotten mark can only complete a line of its own or stop one of the
    other, so the mover wins. But then the other can't. Where pieces drop, a mark makes the cell above playable and can
    hurt; and with an exact length a mark can spoil a line.
    """
    mine = game.goal.kind == "line" and game.goal.effect == "wins" and not game.shared and game.goal.owner is None
    if not mine or game.placement != "anywhere" or game.goal.exact or game.grid.boards > 1:
        return False
    marks = position.marks
    if not marks.strip(BLANK):
        return True  # and on a huge board its symmetries need not be listed
    if marks.count(game.marks[0]) != marks.count(game.marks[1]) or game.grid.size > MOST_CELLS:
        return False
    swapped = marks.translate(str.maketrans("".join(game.marks), "".join(reversed(game.marks))))
    return any(all(swapped[cell] == marks[turn[cell]] for cell in game.grid.cells) for turn in game.grid.symmetries)


def first_question(game: Game, position: Position) -> int:
    """The score to ask about first: in a game of lines whether the first seat wins, which is likelier."""
    lines = game.goal.kind == "line" and game.goal.effect == "wins" and not game.shared
    return 1 if lines and position.seat == 0 else 0


def carried_back(game: Game, position: Position, after: Position, score: int) -> int:
    """What the score of the position after a move makes the move worth to who made it."""
    me = position.seat
    gain = after.scores[me] - position.scores[me]
    score = gain + (score if after.seat == me else -score)
    return later(score) if hurries(game) else score


def carried_on(game: Game, position: Position, after: Position, score: int) -> int:
    """A first guess at the position after a move: its score if the move is a best one of a position with this score."""
    if hurries(game):
        return first_question(game, after)  # who wins is asked before how soon
    me = position.seat
    rest = score - after.scores[me] + position.scores[me]
    rest = rest if after.seat == me else -rest
    return int(rest >= 0) if counts_marks(game) else rest  # who wins is asked before by how many


def most_after(game: Game, position: Position, after: Position, most: int) -> int:
    """What the position after a move is worth at most to who made it, by what the one before is worth at most."""
    me = position.seat
    return (sooner(most) if hurries(game) else most) - after.scores[me] + position.scores[me]


def value_of(game: Game, score: int) -> int:
    """The value of a score: who wins (1, 0, -1), or the points still to come, mine less theirs."""
    return (score > 0) - (score < 0) if hurries(game) or counts_marks(game) else score


def distance_of(game: Game, score: int) -> int | None:
    """The plies to the end, if somebody wins and can hurry."""
    return WIN - abs(score) if hurries(game) and score else None
