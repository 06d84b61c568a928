"""One board that is kept up to date: a change touches only the agents that see it, and the best answers stay at hand.

Every cell keeps for each axis the code of what its agent sees there (see `lookup.py`), the sum of the codes' features,
and its answer. A tree over blocks of cells knows the most urgent priority and how many cells share it; blocks with a
changed answer are looked through when somebody asks.

The hot functions take single arrays: a call that hands on whole tuples of them costs more than all the rest.
"""

import numpy as np

from teamplay.engine.kernels.chance import draw, mix
from teamplay.engine.kernels.game import fits
from teamplay.engine.kernels.rule import answer, look, measure, visible
from teamplay.engine.program import ORDERED, SILENT

KERNELS = True
INLINE = ("settle", "join", "reckon")

BLOCK = 64  # cells under one leaf of the tree
TAKEN = SILENT + 1  # less urgent than silence
LEAST, SHARE, STALE = 0, 1, 2  # columns of a node: the most urgent priority below, how many share it, to be renewed?
FEATURES, PRIORITY, LETTERS = 0, 1, 2  # columns of a remembered answer


def settle(said, nodes, stale, cell, priority):
    """Write an answer, and note that its block has changed; `stale[0]` counts the leaves that follow it."""
    if said[cell] == priority:
        return
    said[cell] = priority
    leaf = len(nodes) // 2 + cell // BLOCK
    if nodes[leaf, STALE] == 0:
        nodes[leaf, STALE] = 1
        stale[0] += 1
        stale[stale[0]] = leaf


def refresh(said, nodes, stale):
    """Look through the blocks that have changed, and carry the news up the tree."""
    for i in range(1, stale[0] + 1):
        node = stale[i]
        first = (node - len(nodes) // 2) * BLOCK
        last = min(first + BLOCK, len(said))
        best = said[first]
        count = 0
        for cell in range(first, last):
            if said[cell] < best:
                best = said[cell]
                count = 1
            elif said[cell] == best:
                count += 1
        nodes[node, LEAST], nodes[node, SHARE], nodes[node, STALE] = best, count, 0
        node >>= 1
        while node >= 1:
            join(nodes, node)
            node >>= 1
    stale[0] = 0


def join(nodes, node):
    """What a node knows from the two below it."""
    left, right = nodes[2 * node, LEAST], nodes[2 * node + 1, LEAST]
    nodes[node, LEAST] = min(left, right)
    share = nodes[2 * node, SHARE] if left <= right else 0
    nodes[node, SHARE] = share + (nodes[2 * node + 1, SHARE] if right <= left else 0)


def pick(said, nodes, state):
    """One of the most urgent cells, each with the same chance; the tree must be fresh."""
    which = draw(state, nodes[1, SHARE])
    best = nodes[1, LEAST]
    node = 1
    while node < len(nodes) // 2:
        node *= 2
        mine = nodes[node, SHARE] if nodes[node, LEAST] == best else 0
        if which >= mine:
            which -= mine
            node += 1
    cell = (node - len(nodes) // 2) * BLOCK
    while True:
        if said[cell] == best:
            if which == 0:
                return cell
            which -= 1
        cell += 1


def touch(
    strides, room, looks, run, role_of, seen, codes, packed, table, memo, said, letters, nodes, stale, todo, cell, mark
):
    """A mark has changed: new codes for the agents that see it, and new answers where one is remembered.

    `run` is the least length of a line that agents look along. Cells whose answer is not remembered go to `todo`,
    which counts them in its first place.
    """
    flip = np.int64(seen[cell]) ^ mark
    seen[cell] = mark
    todo[0] = 0
    for axis in range(len(strides)):
        if room[cell, 2 * axis] + room[cell, 2 * axis + 1] + 1 < run:
            continue
        for way in range(2):
            step = strides[axis] if way == 0 else -strides[axis]
            other = cell
            for distance in range(1, min(room[cell, 2 * axis + way], looks) + 1):
                other += step
                # Seen from over there, this cell lies behind when we walk ahead, and the other way round.
                bit = looks - distance if way == 0 else looks + distance - 1
                before = np.int64(codes[other, axis])
                after = before ^ (flip << (2 * bit))
                codes[other, axis] = after
                more = table[after] - table[before]
                if more == 0:
                    continue
                packed[other] += more
                if seen[other] != 0:
                    continue
                mine = (packed[other] << 3) | role_of[other]
                at = mix(mine) & (len(memo) - 1)
                if memo[at, FEATURES] == mine:
                    letters[other] = memo[at, LETTERS]
                    settle(said, nodes, stale, other, memo[at, PRIORITY])
                else:
                    todo[0] += 1
                    todo[todo[0]] = other


def reckon(game, program, live, cell):
    """The answer of an agent, from its packed features where there is a look-up, else measured afresh."""
    if len(live.table) == 0:
        measure(game, program, live.seen, cell, live.line, live.features)
        return answer(program, cell, live.features, live.stack)
    for feature in range(len(program.kinds)):
        if program.kinds[feature] > ORDERED:
            live.features[feature] = look(game, program, live.seen, cell, feature)
        else:
            live.features[feature] = (live.packed[cell] >> (8 * feature)) & 255
    priority, letters = answer(program, cell, live.features, live.stack)
    if live.plain == 1:
        mine = (live.packed[cell] << 3) | program.role_of[cell]
        at = mix(mine) & (len(live.memo) - 1)
        live.memo[at, FEATURES], live.memo[at, PRIORITY], live.memo[at, LETTERS] = mine, priority, letters
    return priority, letters


def think(game, program, live, cell):
    """One agent answers again, if its cell is free."""
    if live.seen[cell] != 0:
        live.letters[cell] = 0
        settle(live.said, live.nodes, live.stale, cell, TAKEN)
        return
    priority, letters = reckon(game, program, live, cell)
    live.letters[cell] = letters
    settle(live.said, live.nodes, live.stale, cell, priority)


def put(game, program, live, cell, mark):
    """A mark has changed: tell the agents that see it, and let those think again whose rules may care."""
    if len(live.table) > 0:
        run = game.length if program.sight == 0 else 1
        touch(
            game.strides, game.room, program.looks, run, program.role_of, live.seen, live.codes, live.packed,
            live.table, live.memo, live.said, live.letters, live.nodes, live.stale, live.todo, cell, mark,
        )  # fmt: skip
    live.seen[cell] = mark
    if live.plain == 1 and len(live.table) > 0:
        for i in range(1, live.todo[0] + 1):
            think(game, program, live, live.todo[i])
    else:
        rethink(game, program, live, cell)
    think(game, program, live, cell)


def rethink(game, program, live, cell):
    """Let every agent think again that has this cell in sight."""
    if program.sight >= 2:
        columns, rows = game.columns, game.rows
        layers = game.cells // (columns * rows)
        layer, row, column = cell // (columns * rows), cell // columns % rows, cell % columns
        near = program.reach if program.sight == 2 else max(columns, rows, layers)
        for a in range(max(0, layer - near), min(layers, layer + near + 1)):
            for b in range(max(0, row - near), min(rows, row + near + 1)):
                for c in range(max(0, column - near), min(columns, column + near + 1)):
                    think(game, program, live, (a * rows + b) * columns + c)
        return
    for axis in range(len(game.strides)):
        ahead, behind = visible(game, program, cell, axis)
        for step in range(1, ahead + 1):
            think(game, program, live, cell + game.strides[axis] * step)
        for step in range(1, behind + 1):
            think(game, program, live, cell - game.strides[axis] * step)


def code_of(game, program, seen, cell, axis):
    """What an agent sees along an axis, as a code."""
    looks = program.looks
    ahead, behind = visible(game, program, cell, axis)
    stride = game.strides[axis]
    code = 0
    for i in range(looks):
        back = looks - i  # the first bits are the cell farthest behind
        here = np.int64(seen[cell - stride * back]) if back <= behind else 3
        there = np.int64(seen[cell + stride * (i + 1)]) if i < ahead else 3
        code |= here << (2 * i) | there << (2 * (looks + i))
    return code


def recompute(game, program, live):
    """Everything afresh from the marks: codes, features, answers and the tree."""
    if len(live.table) > 0:
        for cell in range(game.cells):
            live.packed[cell] = 0
            for axis in range(len(game.strides)):
                code = code_of(game, program, live.seen, cell, axis)
                live.codes[cell, axis] = code
                live.packed[cell] += live.table[code]
    for cell in range(game.cells):
        live.said[cell], live.letters[cell] = TAKEN, 0
        if live.seen[cell] == 0:
            live.said[cell], live.letters[cell] = reckon(game, program, live, cell)
    leaves = len(live.nodes) // 2
    live.stale[0] = 0
    for leaf in range((game.cells + BLOCK - 1) // BLOCK):
        live.stale[leaf + 1] = leaves + leaf
        live.stale[0] += 1
    refresh(live.said, live.nodes, live.stale)


def ties(game, live, player, cells):
    """Write the cells of the most urgent legal answers to `cells`; how many."""
    best = TAKEN
    count = 0
    for cell in range(game.cells):
        if live.said[cell] <= best and live.said[cell] < TAKEN and fits(game, live.seen, cell, player):
            if live.said[cell] < best:
                best = live.said[cell]
                count = 0
            cells[count] = cell
            count += 1
    return count
