"""Expressions of the language measured on many boards at once, by the reference: a column for each expression."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from teamplay.grid import Cell
from teamplay.language.measures import Measures
from teamplay.team.view import View


def columns(measures: Measures, cell: Cell, boards: Sequence[str]) -> NDArray[np.int64]:
    """What the agent on a cell measures on each board, given as one mark a cell as it sees them. [boards, expressions]

    >>> from teamplay.game_file import load_game
    >>> from teamplay.language.measures import bind_measures
    >>> measures = bind_measures(["n(oo)", "center", "center != x"], load_game("tic-tac-toe"))
    >>> columns(measures, 2, ["oobbbbbbb", "bbbbxbbbb"])
    array([[1, 0, 1],
           [0, 1, 0]])
    """
    view = View(measures.book, cell)
    read = np.zeros((len(measures.book.features), len(boards)), dtype=np.int64)  # [features, boards]
    for number, board in enumerate(boards):
        for other in view.marks:
            view.notice(other, board[other])
        read[:, number] = [view[feature] for feature in range(len(read))]
    found = np.zeros((len(boards), len(measures.expressions)), dtype=np.int64)
    for number, values in enumerate(measures.values(read)):
        found[:, number] = values
    return found
