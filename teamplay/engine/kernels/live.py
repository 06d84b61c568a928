"""One board that is kept up to date: a change touches only the agents that see it, and the best answers stay at hand.

A board may have one program or two, one for each seat. Every cell keeps for each axis the code of what its agent sees
there (`codes`, [cells, axes], see `lookup.py`), and for each seat the sum of the codes' features (`packed`, [seats,
cells]) and its answer (`said`, [seats, blocks * BLOCK]). Trees over blocks of cells (`nodes`, [seats, 2 * leaves, 4])
know the most urgent priority and how many cells share it; blocks with a changed answer are looked through when somebody
asks.
"""

from teamplay.engine.kernels.chance import draw
from teamplay.engine.kernels.game import AXES, CELLS, LENGTH, POSITIVE, STRIDES, fits
from teamplay.engine.kernels.lookup import recall, sides, unpack
from teamplay.engine.kernels.rule import answer, in_sight, look_around, respond, sights
from teamplay.engine.program import CODED, LETTER_BITS, LINES, NEXT, REMEMBERS, SIGHT, TAKEN

KERNELS = VIEWS = True
INLINE = ("settle",)

MEASURES = True  # are there agents whose answer does not depend on codes and roles alone?

BLOCK_BITS = 6
BLOCK = 1 << BLOCK_BITS  # cells under one leaf of the tree
# The columns of a node: the most urgent priority below, how many share it, whether a leaf is stale. The last column has
# nothing to do with the node: from its second place on it lists the stale leaves, and the first says how many they are.
LEAST, SHARE, STALE, LISTED = range(4)
NOBODY_SAYS = TAKEN << LETTER_BITS


def settle(said, nodes, seat, cell, word):
    """Write an answer, and note that its block has changed."""
    said[seat, cell] = word
    leaf = (nodes.shape[1] >> 1) + (cell >> BLOCK_BITS)
    if nodes[seat, leaf, STALE] == 0:
        nodes[seat, leaf, STALE] = 1
        nodes[seat, 0, LISTED] += 1
        nodes[seat, nodes[seat, 0, LISTED], LISTED] = leaf


def refresh(said, nodes, seat):
    """Look through the blocks that have changed, and carry the news up the tree."""
    leaves = nodes.shape[1] >> 1
    for i in range(1, nodes[seat, 0, LISTED] + 1):
        node = nodes[seat, i, LISTED]
        nodes[seat, node, STALE] = 0
        first = ((node - leaves) << BLOCK_BITS) & POSITIVE
        best = TAKEN + 0
        for cell in range(BLOCK):
            best = min(best, said[seat, first + cell] >> LETTER_BITS)
        count = 0
        for cell in range(BLOCK):
            count += 1 if said[seat, first + cell] >> LETTER_BITS == best else 0
        while nodes[seat, node, LEAST] != best or nodes[seat, node, SHARE] != count:
            nodes[seat, node, LEAST] = best
            nodes[seat, node, SHARE] = count
            if node == 1:
                break
            if nodes[seat, node ^ 1, LEAST] == best:
                count += nodes[seat, node ^ 1, SHARE]
            elif nodes[seat, node ^ 1, LEAST] < best:
                best = nodes[seat, node ^ 1, LEAST]
                count = nodes[seat, node ^ 1, SHARE]
            node >>= 1
    nodes[seat, 0, LISTED] = 0


def pick(said, nodes, seat, state):
    """One of the most urgent cells, each with the same chance; the tree must be fresh."""
    which = draw(state, nodes[seat, 1, SHARE])
    best = nodes[seat, 1, LEAST]
    leaves = nodes.shape[1] >> 1
    node = 1
    while node < leaves:
        node *= 2
        mine = nodes[seat, node, SHARE] if nodes[seat, node, LEAST] == best else 0
        if which >= mine:
            which -= mine
            node += 1
    cell = ((node - leaves) << BLOCK_BITS) & POSITIVE
    while True:
        if said[seat, cell] >> LETTER_BITS == best:
            if which == 0:
                return cell
            which -= 1
        cell += 1


def touch(game, places, program, table, memo, board, codes, packed, said, nodes, work, near, cell, change):
    """A mark has changed: new codes for the free agents that see it, and new answers where codes tell all."""
    count = spread(game, places, program, board, codes, near, cell, change)
    axes = game[AXES]
    for seat in range(nodes.shape[0]):
        head = program[0, NEXT] if seat else 0
        remembers = program[head, REMEMBERS] == 1
        for i in range(count):
            other = near[0, i] & POSITIVE
            more = table[seat, near[2, i] & POSITIVE] - table[seat, near[1, i] & POSITIVE]
            sum_ = packed[seat, other] + more
            packed[seat, other] = sum_
            if remembers:
                word = recall(program, head, memo, sum_, seat, places[other, 2 * axes], work)
                settle(said, nodes, seat, other, word)


def spread(game, places, program, board, codes, near, cell, change_of_mark):
    """Note the free agents that see a change in `near`, with their codes before and after; says how many."""
    coding = 0 if program[0, CODED] > 0 else program[0, NEXT]
    coded = program[coding, CODED]
    shortest = game[LENGTH] if program[coding, SIGHT] == LINES else 1
    every = sides(coded)
    count = 0
    for way in range(2 * game[AXES]):
        if places[cell, way] + places[cell, way ^ 1] + 1 < shortest:
            continue
        step = game[STRIDES + (way >> 1)] * (1 - 2 * (way & 1))
        # Seen from over there, this cell lies behind when we walk ahead, and the other way round.
        change = change_of_mark * (1 if way & 1 else every)
        for distance in range(1, min(places[cell, way], coded) + 1):
            other = (cell + step * distance) & POSITIVE
            before = codes[other, way >> 1]
            codes[other, way >> 1] = before + change
            near[0, count] = other
            near[1, count] = before
            near[2, count] = before + change
            change *= 3
            count += 1 if board[other] == 0 else 0
    return count


def think(game, places, program, head, memo, board, packed, work, seat, cell):
    """What an agent says: by its packed features where there are any, else measured afresh; nothing if it is taken."""
    if board[cell] != 0:
        return NOBODY_SAYS
    role = places[cell, 2 * game[AXES]]
    if MEASURES and program[head, REMEMBERS] == 0:
        if program[head, CODED] == 0:
            return respond(game, places, program, head, board, cell, work)
        unpack(program, head, packed[seat, cell], work)
        look_around(game, places, program, head, board, cell, work)
        return answer(program, head, role, work)
    return recall(program, head, memo, packed[seat, cell], seat, role, work)


def put(game, places, program, table, memo, board, codes, packed, said, nodes, work, near, cell, mark):
    """A mark has changed: tell the agents that see it, and let those think again whose rules may care."""
    change = mark - board[cell]
    board[cell] = mark
    if len(codes) > 0:
        if mark == 0:  # while its cell was taken, an agent was told nothing
            recode(game, places, program, table, board, codes, packed, cell)
        touch(game, places, program, table, memo, board, codes, packed, said, nodes, work, near, cell, change)
    for seat in range(nodes.shape[0]):
        head = program[0, NEXT] if seat else 0
        word = think(game, places, program, head, memo, board, packed, work, seat, cell)
        settle(said, nodes, seat, cell, word)
        if MEASURES and program[head, REMEMBERS] == 0:
            for i in range(sights(game, program, head)):
                other = in_sight(game, places, program, head, cell, i)
                if other >= 0:
                    word = think(game, places, program, head, memo, board, packed, work, seat, other)
                    settle(said, nodes, seat, other, word)


def recode(game, places, program, table, board, codes, packed, cell):
    """The codes of an agent and the sums of their features, afresh from the marks."""
    head = 0 if program[0, CODED] > 0 else program[0, NEXT]
    coded = program[head, CODED]
    shortest = game[LENGTH] if program[head, SIGHT] == LINES else 1
    every = sides(coded)
    for seat in range(packed.shape[0]):
        packed[seat, cell] = 0
    for axis in range(game[AXES]):
        code = 0
        if places[cell, 2 * axis] + places[cell, 2 * axis + 1] + 1 >= shortest:
            for way in (2 * axis + 1, 2 * axis):
                step = game[STRIDES + axis] * (1 - 2 * (way & 1))
                side = 0
                for i in range(min(coded, places[cell, way]), 0, -1):
                    side = 3 * side + 1 + board[cell + step * i]
                code = code * every + side
        codes[cell, axis] = code
        for seat in range(packed.shape[0]):
            packed[seat, cell] += table[seat, code]


def recompute(game, places, program, table, memo, board, codes, packed, said, nodes, work, near):
    """Everything afresh from the marks: codes, features, answers and the trees."""
    for cell in range(game[CELLS]):
        if len(codes) > 0:
            recode(game, places, program, table, board, codes, packed, cell)
        for seat in range(nodes.shape[0]):
            head = program[0, NEXT] if seat else 0
            word = think(game, places, program, head, memo, board, packed, work, seat, cell)
            settle(said, nodes, seat, cell, word)
    for seat in range(nodes.shape[0]):
        refresh(said, nodes, seat)


def ties(game, places, board, said, mark, cells):
    """Write the cells of the first seat's most urgent legal answers to `cells`; says how many."""
    best = TAKEN + 0
    count = 0
    for cell in range(game[CELLS]):
        priority = said[0, cell] >> LETTER_BITS
        if priority <= best and priority < TAKEN and fits(game, places, board, cell, mark):
            if priority < best:
                best = priority
                count = 0
            cells[count] = cell
            count += 1
    return count
