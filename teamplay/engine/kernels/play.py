"""Whole games of table against table, many of them, on every game; see `live.py` for what a board consists of."""

from typing import NamedTuple

from teamplay.engine.kernels.alphabeta import Bench, BoundTable, deepen
from teamplay.engine.kernels.alphabeta_drops import DropSearcher, choose_drop
from teamplay.engine.kernels.chance import Random, draw
from teamplay.engine.kernels.fixed_depth import FixedDepthRoom, best_actions
from teamplay.engine.kernels.game import (
    NOBODY,
    GameArrays,
    Marks,
    Numbers,
    all_completed,
    fits,
    following,
    is_restricted,
    list_changed,
    winner,
)
from teamplay.engine.kernels.live import LiveState, Teams, Witnesses, pick, place, refresh
from teamplay.engine.kernels.playout import MOVES, RECORDED, GameLog
from teamplay.engine.program import LETTER_BITS, TAKEN

KERNELS = VIEWS = True
ENTRIES = ("play_many",)
INLINE = ("choose",)

RESTRICTED = True  # are there blank cells that may not be used?
DEEPENS = True  # does a search by nodes have one of the seats?
DROPS = True  # does one by nodes and by columns?
FIXED_DEPTH = True  # does one to a fixed depth?


class Bout(NamedTuple):
    """Two teams at a board, and the same board as it is when a game begins."""

    game: GameArrays
    opener: int  # the seat that moves first
    teams: Teams
    state: LiveState
    start: LiveState
    near: Witnesses
    changed: Numbers  # [cells]: room for the cells that a move changes
    bench: Bench  # of the search by nodes that has one of the seats, if one has
    bounds: BoundTable  # its transposition table
    drops: DropSearcher  # what it searches with by columns; without rules in games of other kinds
    room: FixedDepthRoom  # of the search to a fixed depth that has one of the seats, if one has
    depth: int  # how deep it goes, or 0


def choose(game: GameArrays, state: LiveState, seat: int, random: Random) -> tuple[int, int]:
    """One of a seat's most urgent legal answers, each with the same chance: its cell and its letter from 0.

    Where not every blank cell may be used, the tree of a board does not help. Then all cells are looked through, and
    each answer as urgent as the best so far takes its place with a chance of 1 in the number met (reservoir sampling).
    """
    if not RESTRICTED or not is_restricted(game):
        refresh(state, seat)
        return pick(state, seat, random)
    best = TAKEN + 0
    count = 0
    chosen, letter = -1, 0
    for cell in range(game.cells):
        priority = int(state.said[seat, cell])
        if priority <= best and priority < TAKEN and fits(game, state.board, cell, seat + 1):
            if priority < best:
                best = priority
                count = 0
            letters = int(state.letters[seat, cell]) if state.letters.shape[1] > 0 else 1
            for i in range(LETTER_BITS):
                if (letters >> i) & 1:
                    count += 1
                    if draw(random, count) == 0:
                        chosen, letter = cell, i
    return chosen, letter


def restore(state: LiveState, start: LiveState) -> None:
    """Put a board back to what it was; no leaf of its trees was stale then."""
    for cell in range(len(state.board)):
        state.board[cell] = start.board[cell]
    for cell in range(len(state.codes)):
        for axis in range(state.codes.shape[1]):
            state.codes[cell, axis] = start.codes[cell, axis]
    for seat in range(len(state.waiting)):
        for cell in range(len(state.packed)):
            state.packed[cell, seat] = start.packed[cell, seat]
        for cell in range(state.said.shape[1]):
            state.said[seat, cell] = start.said[seat, cell]
        for cell in range(state.letters.shape[1]):
            state.letters[seat, cell] = start.letters[seat, cell]
        for node in range(state.least.shape[1]):
            state.least[seat, node] = start.least[seat, node]
            state.share[seat, node] = start.share[seat, node]
        for leaf in range(state.stale.shape[1]):
            state.stale[seat, leaf] = 0
        state.waiting[seat] = 0


def look_ahead(bout: Bout, mover: int, points: int, random: Random) -> tuple[int, int]:
    """What the search of a board plays there: the cell and the letter from 0."""
    action = int(0)
    if FIXED_DEPTH and bout.depth > 0:
        for cell in range(bout.game.cells):
            bout.room.board[cell] = bout.state.board[cell]
        count = best_actions(bout.game, bout.room, mover, points, bout.depth)
        action = int(bout.room.best[draw(random, count)])
    elif DROPS and bout.drops.rules.board != 0:
        action = int(choose_drop(bout.drops, bout.state.board, mover, random)[0])
    elif DEEPENS:
        for cell in range(bout.game.cells):
            bout.bench.board[cell] = bout.state.board[cell]
        action = int(deepen(bout.game, bout.bounds, bout.bench, mover, points, random))
    return action // bout.game.letters, action % bout.game.letters


def play_many(bout: Bout, searcher: int, openings: Numbers, random: Random, log: GameLog, winners: Marks) -> None:
    """Many games between the two programs of a board, each after an opening of its own.

    `openings`, [games, plies], holds moves as the log records them, -1 after the last; `winners`, [games], is written.
    In place of the program of the seat `searcher`, unless it is NOBODY, a search chooses.
    """
    game, state, changed = bout.game, bout.state, bout.changed
    made = int(0)
    for number in range(len(winners)):
        restore(state, bout.start)
        blanks = int(0)
        for cell in range(game.cells):
            blanks += 1 if state.board[cell] == 0 else 0
        mover, difference, won, ply = bout.opener, int(0), int(NOBODY), int(0)
        while won == NOBODY:
            if ply < openings.shape[1] and openings[number, ply] >= 0:
                cell, mark = int(openings[number, ply]) // RECORDED, int(openings[number, ply]) % RECORDED
            else:
                if (DEEPENS or DROPS or FIXED_DEPTH) and mover == searcher:
                    cell, letter = look_ahead(bout, mover, difference, random)
                else:
                    cell, letter = choose(game, state, mover, random)
                mark = letter + 1 if game.shared else mover + 1
            ply += 1
            count = list_changed(game, state.board, cell, mark, changed)
            for i in range(count):
                place(game, bout.teams, state, bout.near, changed[i], mark)
            found = all_completed(game, state.board, changed, count)
            if made < len(log.record):
                log.record[made] = cell * RECORDED + mark
            made += 1
            blanks -= 1
            difference += found if mover == 0 else -found
            won = winner(game, state.board, mover, found, difference, blanks)
            mover = following(game, state.board, mover, found)
        log.outcomes[won] += 1
        winners[number] = won
    log.outcomes[MOVES] += made
