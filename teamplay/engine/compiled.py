"""A rule book made ready for the kernels."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import GameArrays, game_arrays
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import lookup
from teamplay.engine.program import Program, program
from teamplay.language.rulebook import Rulebook

LONGEST_LOOK_UP = 4  # cells each way: 65,536 codes


class Compiled(NamedTuple):
    """A game and a table, ready for the kernels."""

    game: GameArrays
    program: Program
    table: NDArray[np.int64]  # [codes], empty where a look-up can't hold the table's patterns


def compile_book(book: Rulebook, large: bool) -> Compiled:
    """Everything that the kernels need to play by a rule book; a large job gets a look-up table for its patterns."""
    game, made = game_arrays(book.game), program(book)
    fits = made.marks <= 2 and 0 < made.looks <= LONGEST_LOOK_UP and len(made.kinds) <= lookup.MOST_FEATURES
    table = np.zeros(4 ** (2 * made.looks) if large and fits else 0, dtype=np.int64)
    if len(table):
        kernels(lookup, large).fill(game, made, table)
    return Compiled(game, made, table)
