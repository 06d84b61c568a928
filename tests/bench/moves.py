"""A kernel that makes many moves on one board, whether or not the game is over: what a single move costs."""

from teamplay.engine.kernels.live import pick, put, refresh

KERNELS = VIEWS = True


def make_moves(game, places, live, recent, moves, state):
    """The two teams of a board move in turn, so often; `recent` stones stay, then the oldest is taken back."""
    program, table, memo, board, codes, packed, said, nodes, work, near = live
    for move in range(moves):
        seat = move & 1
        refresh(said, nodes, seat)
        cell = pick(said, nodes, seat, state)
        put(game, places, program, table, memo, board, codes, packed, said, nodes, work, near, cell, seat + 1)
        oldest = move % len(recent)
        if recent[oldest] >= 0:
            put(game, places, program, table, memo, board, codes, packed, said, nodes, work, near, recent[oldest], 0)
        recent[oldest] = cell
