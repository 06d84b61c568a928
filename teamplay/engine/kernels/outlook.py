"""How good a move or a position looks before anything is searched: one measure per kind of goal.

Lines count windows that one side alone can still fill, words the moves that complete one or give one away, a majority
corners, mobility and frontier. Tree search takes priors from here, alpha-beta its order of moves and its evaluation.
"""

from teamplay.engine.kernels.game import (
    FLANK,
    LINE,
    LOSES,
    MAJORITY,
    NOBODY,
    SCORES,
    WINS,
    GameArrays,
    Marks,
    fits,
    is_overlong,
)

KERNELS = VIEWS = True
ENTRIES = ("all_windows",)
INLINE = ("worth",)

EXACT = True  # may longer lines not count?
OWNED = True  # may a line win for one seat, whoever makes it?
BOARDS = True  # may there be several boards, which a line closes?

WON = 1_000_000  # a decided game, less the plies that it takes
STEEPEST = 20  # the logarithm of what a window is worth at most
POINT = 100  # what one point, or one mark at the end, is worth
MOBILITY, CORNER, BESIDE, EDGE, FRONTIER, LAST = 8, 80, 20, 2, 4, 10  # a majority's weights, in hundredths of a mark
FINISHES, STOPS = 1, 2  # what `prospect` says of a move: it completes a line, or keeps the opponent from completing one


def worth(marks: int) -> int:
    """What a window with N marks of one side, and none of the other, is worth: four times as much for each more."""
    return 1 << min(2 * marks - 2, STEEPEST) if marks > 0 else 0


def prospect(game: GameArrays, board: Marks, cell: int, mark: int) -> tuple[int, int, int]:
    """A move in a game of lines: by how much it changes the windows in its favour, how urgent it looks, what it does.

    A window of the line's length slides along each axis through the cell and counts the marks of both sides.
    """
    change, urgency, does = 0, 0, 0
    length = game.length
    for axis in range(game.axes):
        stride = game.strides[axis]
        ahead = min(game.places[cell, 2 * axis], length - 1)
        behind = min(game.places[cell, 2 * axis + 1], length - 1)
        mine, theirs = 0, 0
        for step in range(-behind, ahead + 1):
            here = board[cell + step * stride]
            if here == mark:
                mine += 1
            elif here != 0:
                theirs += 1
            if step + behind >= length:
                here = board[cell + (step - length) * stride]
                if here == mark:
                    mine -= 1
                elif here != 0:
                    theirs -= 1
            if step + behind >= length - 1:
                first = cell + (step - length + 1) * stride
                if theirs == 0:
                    gain = worth(mine + 1) - worth(mine)
                    change += gain
                    urgency += gain
                    if mine == length - 1 and not (
                        EXACT and game.exact and is_overlong(game, board, first, axis, mark)
                    ):
                        does |= FINISHES
                elif mine == 0:
                    change += worth(theirs)
                if mine == 0:
                    urgency += worth(theirs + 1) - worth(theirs)
                    if theirs == length - 1 and not (
                        EXACT and game.exact and is_overlong(game, board, first, axis, 3 - mark)
                    ):
                        does |= STOPS
    return change, urgency, does


def all_windows(game: GameArrays, board: Marks) -> int:
    """The worth of all windows of a board, the first seat's less the second's."""
    total = 0
    for cell in range(game.cells):
        for axis in range(game.axes):
            if game.places[cell, 2 * axis] >= game.length - 1:
                one, two = 0, 0
                for i in range(game.length):
                    here = board[cell + i * game.strides[axis]]
                    one += 1 if here == 1 else 0
                    two += 1 if here == 2 else 0
                if one == 0 or two == 0:
                    total += worth(one) - worth(two)
    return total


def finishing(game: GameArrays, board: Marks, last: int, mark: int) -> int:
    """A blank cell that completes a line of this mark with the marks around `last`, or -1.

    A threat that a move makes lies on a line through that move, so it is enough to look there.
    """
    length = game.length
    for axis in range(game.axes):
        stride = game.strides[axis]
        ahead = min(game.places[last, 2 * axis], length - 1)
        behind = min(game.places[last, 2 * axis + 1], length - 1)
        mine, others, gap = 0, 0, 0
        # A window of the line's length slides over the axis; it counts marks and remembers the last gap.
        for step in range(-behind, ahead + 1):
            at = last + step * stride
            here = board[at]
            if here == mark:
                mine += 1
            elif here == 0:
                gap = at
            else:
                others += 1
            if step + behind >= length:
                here = board[at - length * stride]
                if here == mark:
                    mine -= 1
                elif here != 0:
                    others -= 1
            if step + behind >= length - 1 and mine == length - 1 and others == 0 and fits(game, board, gap, mark):
                first = at - (length - 1) * stride
                if not (EXACT and game.exact and is_overlong(game, board, first, axis, mark)):
                    return gap
    return -1


def is_wide(game: GameArrays) -> bool:
    """Whether a search looks only at some moves: on a large board of lines most are far from everything."""
    return game.cells > 64 and game.goal == LINE and game.placement != FLANK and not game.shared


def near(game: GameArrays, board: Marks, cell: int) -> bool:
    """Whether a mark lies at most two steps away along a line."""
    for axis in range(game.axes):
        stride = game.strides[axis]
        for side in range(2):
            room = game.places[cell, 2 * axis + side]
            step = stride if side == 0 else -stride
            if (room > 0 and board[cell + step] != 0) or (room > 1 and board[cell + 2 * step] != 0):
                return True
    return False


def spelling(game: GameArrays, board: Marks, cell: int, letter: int) -> tuple[int, int]:
    """A move with a letter that both may place: how many words it completes, how many it leaves one letter short."""
    completes, gives = 0, 0
    length = game.length
    for axis in range(game.axes):
        stride = game.strides[axis]
        ahead = min(game.places[cell, 2 * axis], length - 1)
        behind = min(game.places[cell, 2 * axis + 1], length - 1)
        for start in range(-behind, ahead - length + 2):
            forwards, backwards = True, True
            blanks = 0
            for i in range(length):
                at = cell + (start + i) * stride
                here = letter if at == cell else board[at]
                if here == 0:
                    blanks += 1
                    continue
                # A line is a word of one letter only.
                forwards = forwards and here == (letter if game.goal == LINE else game.spelt[i])
                backwards = backwards and here == (letter if game.goal == LINE else game.spelt[length - 1 - i])
            if EXACT and game.exact and is_overlong(game, board, cell + start * stride, axis, letter):
                continue
            if forwards or backwards:
                completes += 1 if blanks == 0 else 0
                gives += 1 if blanks == 1 else 0
    return completes, gives


def letters_value(game: GameArrays, board: Marks, ahead: int, ply: int) -> int:
    """Shared letters: points ahead, what the seat to move can complete at once, and who will run out of safe moves.

    A move is safe that completes nothing and leaves no word one letter short. Who has the last one wins the race.
    """
    chances, safe = 0, 0
    for cell in range(game.cells):
        if board[cell] == 0 and fits(game, board, cell, 1):
            most, quiet = 0, False
            for letter in range(1, game.letters + 1):
                completes, gives = spelling(game, board, cell, letter)
                most = max(most, completes)
                quiet = quiet or (completes == 0 and gives == 0)
            chances += most
            safe += 1 if quiet else 0
    race = POINT // 4 if safe % 2 == 1 else -POINT // 4
    if game.effect == WINS:
        return WON - ply if chances > 0 else race
    if game.effect == LOSES:
        return 0
    return POINT * ahead + POINT // 2 * chances + race


def corner_value(game: GameArrays, cell: int) -> int:
    """How good a cell is where marks turn, up to 10: corners never turn back, cells beside them give them away."""
    row, column = cell // game.columns, cell % game.columns
    down, across = min(row, game.rows - 1 - row), min(column, game.columns - 1 - column)
    if down == 0 and across == 0:
        return 10
    if down <= 1 and across <= 1:
        return 0
    return 5 if down == 0 or across == 0 else 3


def open_corner(game: GameArrays, board: Marks, cell: int) -> bool:
    """Whether the corner beside a cell is still free."""
    row = 0 if cell // game.columns < 2 else game.rows - 1
    column = 0 if cell % game.columns < 2 else game.columns - 1
    return bool(board[row * game.columns + column] == 0)


def majority_value(game: GameArrays, board: Marks, mover: int) -> int:
    """Corners, mobility, frontier and parity: moves for me and few for them, few marks beside blanks, the last move."""
    mine = mover + 1
    total, blanks = 0, 0
    for cell in range(game.cells):
        here = board[cell]
        if here == 0:
            blanks += 1
            if game.placement == FLANK:
                total += MOBILITY if fits(game, board, cell, mine) else 0
                total -= MOBILITY if fits(game, board, cell, 3 - mine) else 0
            continue
        sign = 1 if here == mine else -1
        if game.placement != FLANK:
            total += sign * POINT
            continue
        kind = corner_value(game, cell)
        if kind == 10:
            total += sign * CORNER
        elif kind == 0:
            total -= sign * BESIDE if open_corner(game, board, cell) else 0
        elif kind == 5:
            total += sign * EDGE
        for way in range(2 * game.axes):
            stride = game.strides[way // 2] * (1 - 2 * (way & 1))
            if game.places[cell, way] > 0 and board[cell + stride] == 0:
                total -= sign * FRONTIER
                break
    return total + (LAST if blanks % 2 == 1 else -LAST)


def owner_value(game: GameArrays, board: Marks, mover: int) -> int:
    """A line that wins for one seat, whoever makes it: the windows that one mark can still fill, for that seat.

    Of marks of their own only the owner's count, as the other seat does not fill a window for it.
    """
    total = 0
    for cell in range(game.cells):
        for axis in range(game.axes):
            if game.places[cell, 2 * axis] >= game.length - 1:
                mark, marks, mixed = 0, 0, False
                for i in range(game.length):
                    here = board[cell + i * game.strides[axis]]
                    if here != 0:
                        mixed = mixed or (mark != 0 and here != mark)
                        mark = here
                        marks += 1
                if not mixed and (game.shared or mark == game.owner + 1):
                    total += worth(marks)
    total = min(total, WON // 8)
    return total if mover == game.owner else -total


def evaluation(game: GameArrays, board: Marks, mover: int, points: int, windows: int, ply: int) -> int:
    """What a position is worth to the seat to move where the search ends.

    `points` and `windows` are the first seat's less the second's.
    """
    if game.goal == MAJORITY:
        return majority_value(game, board, mover)
    if OWNED and game.owner != NOBODY:
        return owner_value(game, board, mover)
    if BOARDS and game.area < game.cells:
        return 0  # who closes the last of several boards is not seen from their windows
    ahead = points if mover == 0 else -points
    if game.shared:
        return letters_value(game, board, ahead, ply)
    value = max(-WON // 8, min(windows if mover == 0 else -windows, WON // 8))
    if game.effect == SCORES:
        return POINT * ahead + value
    return -value if game.effect == LOSES else value
