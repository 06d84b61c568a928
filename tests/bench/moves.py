"""A kernel that makes many moves on one board, whether or not the game is over: what a single move costs."""

from teamplay.engine.kernels.live import pick, put, refresh

KERNELS = VIEWS = True


def make_moves(game, live, recent, moves, random):
    """The two teams of a board move in turn, so often; `recent` stones stay, then the oldest is taken back."""
    teams, state, near = live
    for move in range(moves):
        seat = move & 1
        refresh(state, seat)
        cell, _ = pick(state, seat, random)
        put(game, teams, state, near, cell, seat + 1)
        oldest = move % len(recent)
        if recent[oldest] >= 0:
            put(game, teams, state, near, recent[oldest], 0)
        recent[oldest] = cell
