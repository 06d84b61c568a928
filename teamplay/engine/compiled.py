"""Rule books made ready for the kernels: one, or one for each seat of a board."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import GameArrays, game_arrays
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import lookup
from teamplay.engine.kernels.game import FLANK, PLACEMENT
from teamplay.engine.program import CODED, LINES, NEXT, REMEMBERS, SIGHT, Program, program
from teamplay.language.rulebook import Rulebook

FEW_CODES = 500  # whose features plain kernels work out before the compiler has loaded


class Compiled(NamedTuple):
    """A game and the programs that play it."""

    game: GameArrays
    programs: tuple[Program, ...]
    rows: NDArray[np.int64]  # of all programs
    table: NDArray[np.int64]  # [programs, codes], no codes at all where no program can use them
    work: NDArray[np.int64]

    @property
    def remembers(self) -> bool:
        """Whether some program's answers depend on the codes of a board alone."""
        return bool(self.rows[self.heads, REMEMBERS].any())

    @property
    def heads(self) -> list[int]:
        """Where each program starts."""
        return [0, int(self.rows[0, NEXT])][: len(self.programs)]


def switched_off(game: NDArray[np.int64], rows: NDArray[np.int64] | None = None) -> list[str]:
    """The switches of the kernels that are off for a game and its programs; see `jit.py`."""
    off = [] if game[PLACEMENT] == FLANK else ["FLANKS"]
    if rows is not None and all(rows[head, REMEMBERS] for head in (0, rows[0, NEXT])):
        off.append("MEASURES")
    return off


def compile_book(book: Rulebook, looks_up: bool) -> Compiled:
    """A rule book for the first seat; a look-up table for its patterns, if there can be one, is for large jobs."""
    return _compiled(game_arrays(book.game), [program(book)], book.game.k or 0, looks_up)


def compile_books(first: Rulebook, second: Rulebook, looks_up: bool) -> Compiled:
    """The rule books of both seats of one game."""
    one = program(first, seat=0)
    other = program(second, seat=1, begin=len(one.rows))
    one.rows[0, NEXT] = len(one.rows)
    return _compiled(game_arrays(first.game), [one, other], first.game.k or 0, looks_up)


def _compiled(game: GameArrays, programs: list[Program], length: int, looks_up: bool) -> Compiled:
    rows = np.concatenate([made.rows for made in programs])
    work = max((made.work for made in programs), key=len)
    made = Compiled(game, tuple(programs), rows, np.zeros((len(programs), 0), dtype=np.int64), work)
    coded = [looks_up and each.can_be_looked_up for each in programs]
    # Agents with the paper's sight don't look along lines that are too short; a board has only one kind of codes.
    if all(coded) and len({bool(rows[head, SIGHT] == LINES) for head in made.heads}) > 1:
        coded[-1] = False
    looks = max((each.looks for each, is_coded in zip(programs, coded, strict=True) if is_coded), default=0)
    codes = lookup.sides(looks) ** 2 if looks else 0
    table = np.zeros((len(programs), codes), dtype=np.int64)
    for seat, (each, head) in enumerate(zip(programs, made.heads, strict=True)):
        if coded[seat]:
            rows[head, CODED] = looks
            rows[head, REMEMBERS] = each.patterns_only
            kernels(lookup, codes > FEW_CODES).fill(length, rows, head, table, seat, work)
    return made._replace(table=table)
