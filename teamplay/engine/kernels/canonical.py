"""A position as one number, its key: images under symmetries, the canonical form, and sets of keys.

A key has two bits a cell, then the seat to move, then the difference of points. Of the images of a position under the
symmetries in use, the one with the smallest key stands for all: its canonical form.
"""

from teamplay.engine.kernels.chance import mix
from teamplay.engine.kernels.game import Marks, Numbers

KERNELS = VIEWS = True
ENTRIES = ("encode", "rearrange", "smallest", "gather")
INLINE = ("slot", "smallest", "rearrange", "orbit")

EVEN = 128  # the difference of points is stored from here


def encode(cells: int, scores: bool, board: Marks, mover: int, difference: int) -> int:
    """A position as one number."""
    key = int(0)
    for cell in range(cells):
        key |= int(board[cell]) << (2 * cell)
    key |= mover << (2 * cells)
    if scores:
        key |= (difference + EVEN) << (2 * cells + 1)
    return key


def rearrange(moved: Numbers, key: int, words: Numbers) -> None:
    """Write the marks of a position where they stand in every word; `moved`, [bytes, 256, words], says where.

    Four cells of a key are a byte, and a table says where the marks of each byte go. So all images of a board take a
    few look-ups in place of a loop over its cells, and the innermost loop is vector code.
    """
    for i in range(len(words)):
        words[i] = moved[0, key & 255, i]
    for byte in range(1, moved.shape[0]):
        marks = (key >> (8 * byte)) & 255
        for i in range(len(words)):
            words[i] |= moved[byte, marks, i]


def orbit(images: Numbers) -> int:
    """How many of the images of a board are different.

    The symmetries are a group, so every image occurs equally often, as often as the first (orbit-stabilizer theorem).
    """
    same = 0
    for i in range(len(images)):
        same += 1 if images[i] == images[0] else 0
    return len(images) // same


def smallest(cells: int, images: Numbers, key: int) -> int:
    """The canonical form of a key: it has the smallest image of the board."""
    best = int(images[0])
    for i in range(1, len(images)):
        best = min(best, int(images[i]))
    return (key >> (2 * cells) << (2 * cells)) | best


def slot(known: Numbers, key: int) -> int:
    """Where a key is, or would go, in a set; -1 is empty.

    The set is a hash table with open addressing and linear probing. Its size is a power of two, so a mask takes the
    place of a remainder, and half of it stays empty, so a search is short.
    """
    mask = len(known) - 1
    at = mix(key) & mask
    while known[at] != -1 and known[at] != key:
        at = (at + 1) & mask
    return at


def gather(known: Numbers, keys: Numbers) -> None:
    """Put keys into a set; half of it must stay empty."""
    for i in range(len(keys)):
        known[slot(known, keys[i])] = keys[i]
