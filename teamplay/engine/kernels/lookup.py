"""Patterns by table look-up: what an agent sees along an axis is a small number, and its features are worked out once.

A cell takes two bits: 0 blank, 1 and 2 the marks, 3 out of sight. `looks` cells behind and ahead of an agent make a
code of 4 * looks bits; the table holds for every code its features, packed into one word, eight bits each.
"""

import numpy as np

from teamplay.engine.kernels.rule import measure_axis

KERNELS = True

MOST_FEATURES = 7  # of eight bits, in a word that stays positive and leaves room for the role


def fill(game, program, table):
    """Work out the features of every code: `table` is int64[4 ** (2 * looks)]."""
    looks = program.looks
    features = np.zeros(max(1, len(program.kinds)), dtype=np.int64)
    line = np.zeros(2 * looks + 1, dtype=np.int8)
    for code in range(len(table)):
        line[looks] = 0
        for i in range(2 * looks):
            line[i if i < looks else i + 1] = (code >> (2 * i)) & 3
        behind = 0
        while behind < looks and line[looks - behind - 1] != 3:
            behind += 1
        ahead = 0
        while ahead < looks and line[looks + ahead + 1] != 3:
            ahead += 1
        features[:] = 0
        measure_axis(game, program, line, looks, behind, ahead, features)
        for feature in range(len(program.kinds)):
            table[code] += features[feature] << (8 * feature)
