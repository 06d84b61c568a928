"""The rules of every game over arrays; see `game.py` for the same in words. A board is int8[cells], 0 is blank."""

KERNELS = True

NOBODY = -1  # the game goes on
DRAW = 2  # else the winning seat, 0 or 1


def turned(game, board, cell, mine, out):
    """Write the marks that a piece placed here would flank and turn to `out`; how many."""
    count = 0
    for axis in range(len(game.strides)):
        for way in range(2):
            stride = game.strides[axis] if way == 0 else -game.strides[axis]
            room = game.room[cell, 2 * axis + way]
            steps = 0
            at = cell + stride
            while steps < room and board[at] != 0 and board[at] != mine:
                steps += 1
                at += stride
            if 0 < steps < room and board[at] == mine:
                for step in range(1, steps + 1):
                    out[count] = cell + stride * step
                    count += 1
    return count


def flanks(game, board, cell, mine):
    """Whether a piece placed here would turn anything."""
    for axis in range(len(game.strides)):
        for way in range(2):
            stride = game.strides[axis] if way == 0 else -game.strides[axis]
            room = game.room[cell, 2 * axis + way]
            steps = 0
            at = cell + stride
            while steps < room and board[at] != 0 and board[at] != mine:
                steps += 1
                at += stride
            if 0 < steps < room and board[at] == mine:
                return True
    return False


def fits(game, board, cell, player):
    """Whether the placement rule lets this seat use this cell."""
    if board[cell] != 0:
        return False
    if game.placement == 0:
        return True
    if game.placement == 1:
        return cell // game.columns % game.rows == game.rows - 1 or board[cell + game.columns] != 0
    return flanks(game, board, cell, player + 1)


def can_move(game, board, player):
    """Whether this seat has any cell to play."""
    for cell in range(game.cells):
        if fits(game, board, cell, player):
            return True
    return False


def completed(game, board, cell):
    """How many lines or words through this cell meet the goal."""
    found = 0
    length = game.length
    for axis in range(len(game.strides)):
        stride = game.strides[axis]
        ahead = min(game.room[cell, 2 * axis], length - 1)
        behind = min(game.room[cell, 2 * axis + 1], length - 1)
        if ahead + behind + 1 < length:
            continue
        if game.goal == 0:
            run = 1
            at = cell + stride
            for _ in range(ahead):
                if board[at] != board[cell]:
                    break
                run += 1
                at += stride
            at = cell - stride
            for _ in range(behind):
                if board[at] != board[cell]:
                    break
                run += 1
                at -= stride
            found += max(0, run - length + 1)
        else:
            for start in range(-behind, ahead - length + 2):
                forwards = True
                backwards = True
                for i in range(length):
                    mark = board[cell + (start + i) * stride]
                    forwards = forwards and mark == game.word[i]
                    backwards = backwards and mark == game.word[length - 1 - i]
                found += forwards or backwards
    return found


def place(game, board, cell, mark, player, out):
    """Put a mark on the board and turn what it flanks; the points it scores and how many it turned (in `out`)."""
    count = 0
    if game.placement == 2:
        count = turned(game, board, cell, mark, out)
        for i in range(count):
            board[out[i]] = mark
    board[cell] = mark
    points = completed(game, board, cell) if game.goal != 2 else 0
    return points, count


def unplace(board, cell, mark, out, count):
    """Take back what `place` did; only flanked marks of the opponent (1 and 2 are the seats') were turned."""
    for i in range(count):
        board[out[i]] = 3 - mark
    board[cell] = 0


def following(game, board, player, points):
    """Who moves next: the same seat after scoring or where the other has no move."""
    if game.again == 1 and points > 0:
        return player
    if game.placement == 2 and not can_move(game, board, 1 - player) and can_move(game, board, player):
        return player
    return 1 - player


def winner(game, board, player, points, difference, blanks):
    """Who has won after a move of this seat that scored these points: a seat, DRAW, or NOBODY while it goes on.

    `difference` is the first seat's points less the second's, this move's included.
    """
    if game.goal != 2 and game.effect != 2 and points > 0:
        return player if game.effect == 0 else 1 - player
    if blanks > 0 and (game.placement != 2 or can_move(game, board, 0) or can_move(game, board, 1)):
        return NOBODY
    if game.goal == 2:
        difference = 0
        for cell in range(game.cells):
            difference += int(board[cell] == 1) - int(board[cell] == 2)
    elif game.effect != 2:
        return DRAW
    return DRAW if difference == 0 else (0 if difference > 0 else 1)
