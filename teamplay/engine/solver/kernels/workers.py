"""Several workers at one question: threads that search the same position and share the transposition table.

Every worker goes through the whole tree. The first move of a position is tried first by all, because it often decides
alone; of the others each worker begins at another end. What one has decided the other finds in the table, so they share
the work wherever several moves have to be refuted. A worker that is below a position which the other has decided in the
meantime goes back to it at once.
"""

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.solver.kernels.memory import SearchRoom, lower_bound, recall, upper_bound

KERNELS = True
WORKER, BACK, ANSWER = 3, 4, 5  # what `control` holds: which worker this is, to which ply it goes back, and the score
ALONE, UPWARDS, DOWNWARDS = 0, 1, 2  # the workers
STAY = 1 << 30  # as `BACK`: go on


def overtaken(room: SearchRoom, ply: int, first: int, second: int, alpha: int, beta: int) -> bool:
    """Whether another worker has decided a position on the way to this one; if not, note this one with its window."""
    path, control = room.path, room.control
    for at in range(ply):
        entry = recall(room.memory, int(path[at, 0]), int(path[at, 1]))
        if entry != 0:
            lower, upper = lower_bound(entry), upper_bound(entry)
            if lower >= path[at, 3] or upper <= path[at, 2] or lower == upper:
                control[BACK] = at
                control[ANSWER] = lower if lower >= path[at, 3] else upper
                return True
    path[ply, 0], path[ply, 1], path[ply, 2], path[ply, 3] = first, second, alpha, beta
    return False


def place(control: NDArray[np.int64], index: int, count: int) -> int:
    """Which of the moves in order a worker tries as its next."""
    return index if index == 0 or control[WORKER] < DOWNWARDS else count - index
