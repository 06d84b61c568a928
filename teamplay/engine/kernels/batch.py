"""What every agent says on many boards, and which moves are the most urgent."""

from teamplay.engine.kernels.game import CELLS, LETTERS, fits
from teamplay.engine.kernels.live import NOBODY_SAYS, recode, think
from teamplay.engine.program import LETTER_BITS, LETTER_MASK, NEXT, SILENT, TAKEN

KERNELS = VIEWS = True


def answers(
    game, places, program, table, memo, board, codes, packed, said, nodes, work, near, boards, seats, priorities,
    letters,
):  # fmt: skip
    """Write what the agents of the seat to move say: priorities int64 and letters as bits int64, both [boards, cells].

    `boards` is int8[boards, cells] in the game's order of marks, `seats` int64[boards] who is to move. TAKEN and no
    letters stand where a cell can't be played, SILENT and all letters where an agent stays silent.
    """
    for i in range(len(boards)):
        for cell in range(game[CELLS]):
            board[cell] = boards[i, cell]
        seat = seats[i]
        head = program[0, NEXT] if seat == 1 else 0
        for cell in range(game[CELLS]):
            word = NOBODY_SAYS + 0
            if fits(game, places, board, cell, seat + 1):
                if len(codes) > 0:
                    recode(game, places, program, table, board, codes, packed, cell)
                word = think(game, places, program, head, memo, board, packed, work, seat, cell)
            priorities[i, cell] = word >> LETTER_BITS
            letters[i, cell] = word & LETTER_MASK
            if priorities[i, cell] == SILENT:
                letters[i, cell] = (1 << game[LETTERS]) - 1


def keep_urgent(priorities, letters):
    """Leave only the letters of the most urgent answers of each board."""
    for i in range(priorities.shape[0]):
        best = TAKEN + 0
        for cell in range(priorities.shape[1]):
            best = min(best, priorities[i, cell])
        for cell in range(priorities.shape[1]):
            if priorities[i, cell] > best:
                letters[i, cell] = 0
