"""Where is the no option condition? Every board of SOS, as kernels that numba compiles when the board is large.

`marks`, int8[cells]: 0 blank, 1 S, 2 O. `lines`, int64[lines, 3], are all lines, their cells in order and those that
begin late first; `through`, int64[cells, most], the lines through each cell, filled up with -1.
"""

import numpy as np
from numpy.typing import NDArray

KERNELS = VIEWS = True

BLANK, LETTER_S, LETTER_O = 0, 1, 2
STATES = 3

Marks = NDArray[np.int8]
Lines = NDArray[np.int64]
Counts = NDArray[np.int64]


def one_short(marks: Marks, lines: Lines, line: int) -> bool:
    """Whether a line needs just one letter to read SOS."""
    one, middle, other = marks[lines[line, 0]], marks[lines[line, 1]], marks[lines[line, 2]]
    if middle == LETTER_O:
        return bool(one + other == LETTER_S)  # one is blank, and the other S
    return bool(middle == BLANK and one == LETTER_S and other == LETTER_S)


def earliest(marks: Marks, lines: Lines) -> int:
    """The first cell of a line in which somebody can score, as late a one as there is; -1 if nobody can."""
    for line in range(lines.shape[0]):
        if one_short(marks, lines, line):
            return int(lines[line, 0])
    return -1


def gives(marks: Marks, lines: Lines, through: Lines, cell: int, letter: int) -> bool:
    """Whether a letter in a blank cell of a calm board lets the opponent score."""
    marks[cell] = letter
    found = False
    for way in range(through.shape[1]):
        if through[cell, way] >= 0 and one_short(marks, lines, through[cell, way]):
            found = True
    marks[cell] = BLANK
    return found


def area(marks: Marks, lines: Lines, through: Lines) -> int:
    """The blank cells as bits if every move gives something away, else 0."""
    bits = 0
    for cell in range(marks.shape[0]):
        if marks[cell] == BLANK:
            for letter in range(LETTER_S, LETTER_O + 1):
                if not gives(marks, lines, through, cell, letter):
                    return 0
            bits |= 1 << cell
    return bits


def count_areas(marks: Marks, lines: Lines, through: Lines, counts: Counts) -> None:
    """Go through all boards, from the blank one on; `counts`, int64[2 ** cells], are the boards of each area.

    Where somebody can score, all boards that differ only in cells before that line are passed over.
    """
    cells = marks.shape[0]
    cell = 0
    while cell < cells:
        first = earliest(marks, lines)
        if first < 0:
            bits = area(marks, lines, through)
            if bits != 0:
                counts[bits] += 1
        cell = 0
        while cell < cells and (cell < first or marks[cell] == STATES - 1):
            marks[cell] = BLANK
            cell += 1
        if cell < cells:
            marks[cell] += 1
