"""One board that is kept up to date: a change touches only the agents that see it, and the best answers stay known.

A board may have one program or two, one for each seat. Three things make a change cheap. Every agent keeps a code of
what it sees along each axis and the sum of its features (see `lookup.py`), so a change costs it two look-ups. An agent
whose sum stays the same does not think again. And a tree over blocks of cells knows the most urgent priority and how
many answers share it; blocks with a changed answer are searched when the best one is asked for.

Two habits of all kernels need a word. `index & POSITIVE` tells the compiler that an index is not negative; without it,
every access tests for Python's indices from the end. `NOBODY_SAYS + 0` and `int(0)` turn a constant into a variable, so
that a function is compiled once for all numbers and not once more for this constant.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.kernels.chance import Random, draw
from teamplay.engine.kernels.game import POSITIVE, GameArrays, Marks, Numbers, fits
from teamplay.engine.kernels.lookup import recall, sides, unpack
from teamplay.engine.kernels.rule import Program, Work, answer, in_sight, look_around, respond, sights
from teamplay.engine.program import (
    CODED,
    LETTER_BITS,
    LETTER_MASK,
    LINES,
    MEMO,
    NEXT,
    SIGHT,
    TAKEN,
)

KERNELS = VIEWS = True
ENTRIES = ("recompute", "put", "refresh", "pick", "ties")
INLINE = ("settle", "letters_in", "refresh", "pick", "touch", "spread", "place")

MEASURES = True  # are there agents whose answer does not depend on codes and roles alone?
AFRESH = True  # are there agents whose patterns are not looked up?

BLOCK_BITS = 6
BLOCK = 1 << BLOCK_BITS  # cells under one leaf of the tree
NOBODY_SAYS = TAKEN << LETTER_BITS


class Teams(NamedTuple):
    """The programs of a board, one or one for each seat, and what they have worked out before."""

    program: Program  # [rows, columns]
    table: Numbers  # [codes, seats]: the features of what is seen along an axis, packed; may be empty
    memo: Numbers  # [remembered, 2]: packed features, and the answer to them
    work: Work


class LiveState(NamedTuple):
    """A board, and what its agents know and say. Node 1 of a tree is its root, the children of n are 2n and 2n + 1."""

    board: Marks  # [cells]
    codes: NDArray[np.int32]  # [cells, axes]: what each agent sees; empty without a look-up table
    packed: Numbers  # [cells, seats]: the sum of its features; empty without a look-up table
    said: NDArray[np.int32]  # [seats, blocks * BLOCK]: the priority it answers, TAKEN where its cell is not free
    letters: NDArray[np.uint8]  # [seats, blocks * BLOCK]: the letters it would place, as bits; empty in other games
    least: NDArray[np.int32]  # [seats, 2 * leaves]: the most urgent priority below a node
    share: NDArray[np.int32]  # [seats, 2 * leaves]: how many answers have it
    stale: Marks  # [seats, leaves]: 1 where a block has changed since its leaf was worked out
    listed: NDArray[np.int32]  # [seats, leaves]: the stale leaves
    waiting: Numbers  # [seats]: how many they are


class Witnesses(NamedTuple):
    """Room for lists of the free agents that see a change. [agents]"""

    cells: Numbers
    before: Numbers  # the code along the axis of the change
    after: Numbers
    moved: Numbers  # the cells of those whose features changed


def letters_in(bits: int) -> int:
    """How many of up to eight bits are set (popcount): bits are added in pairs, then pairs, then fours."""
    bits -= (bits >> 1) & 0x55
    bits = (bits & 0x33) + ((bits >> 2) & 0x33)
    return (bits + (bits >> 4)) & 15


def settle(state: LiveState, seat: int, cell: int, word: int) -> None:
    """Write an answer, and if it is a new one, note that its block has changed."""
    priority = word >> LETTER_BITS
    same = state.said[seat, cell] == priority
    if state.letters.shape[1] > 0:
        same = same and state.letters[seat, cell] == word & LETTER_MASK
        state.letters[seat, cell] = word & LETTER_MASK
    if not same:
        state.said[seat, cell] = priority
        # A block is searched only when its seat is to move, however many of its answers have changed until then.
        leaf = cell >> BLOCK_BITS
        if state.stale[seat, leaf] == 0:
            state.stale[seat, leaf] = 1
            state.listed[seat, state.waiting[seat]] = leaf
            state.waiting[seat] += 1


def refresh(state: LiveState, seat: int) -> None:
    """Search the blocks that have changed, and carry the changes up the tree.

    The tree is a heap in an array (node 1 is the root). A walk towards the root ends at the first node that stays as it
    was: nothing above it depends on anything else that has changed here.
    """
    said, letters, least, share = state.said, state.letters, state.least, state.share
    leaves = least.shape[1] >> 1
    for i in range(state.waiting[seat]):
        leaf = int(state.listed[seat, i])
        state.stale[seat, leaf] = 0
        first = (leaf << BLOCK_BITS) & POSITIVE
        # Two loops without a branch, which the compiler turns into vector code: the minimum, then how often it occurs.
        # One loop that resets the count at every new minimum would need the branch.
        best = said[seat, first]
        for cell in range(1, BLOCK):
            best = min(best, said[seat, first + cell])
        count = 0
        if letters.shape[1] > 0:
            for cell in range(BLOCK):
                if said[seat, first + cell] == best:
                    count += letters_in(int(letters[seat, first + cell]))
        else:
            for cell in range(BLOCK):
                count += 1 if said[seat, first + cell] == best else 0
        node = leaves + leaf
        while least[seat, node] != best or share[seat, node] != count:
            least[seat, node] = best
            share[seat, node] = count
            if node == 1:
                break
            if least[seat, node ^ 1] == best:
                count += share[seat, node ^ 1]
            elif least[seat, node ^ 1] < best:
                best = least[seat, node ^ 1]
                count = int(share[seat, node ^ 1])
            node >>= 1
    state.waiting[seat] = 0


def pick(state: LiveState, seat: int, random: Random) -> tuple[int, int]:
    """One of the most urgent answers, each with the same chance: its cell and its letter from 0; the tree is fresh."""
    which = draw(random, int(state.share[seat, 1]))
    best = state.least[seat, 1]
    leaves = state.least.shape[1] >> 1
    node = 1
    while node < leaves:
        node *= 2
        mine = int(state.share[seat, node]) if state.least[seat, node] == best else 0
        if which >= mine:
            which -= mine
            node += 1
    cell = ((node - leaves) << BLOCK_BITS) & POSITIVE
    while True:
        if state.said[seat, cell] == best:
            letters = int(state.letters[seat, cell]) if state.letters.shape[1] > 0 else 1
            count = letters_in(letters)
            if which < count:
                return cell, nth_letter(letters, which)
            which -= count
        cell += 1


def nth_letter(letters: int, which: int) -> int:
    """The place of a bit that is set, counted from 0."""
    for _ in range(which):
        letters &= letters - 1
    letter = 0
    while (letters >> letter) & 1 == 0:
        letter += 1
    return letter


def touch(game: GameArrays, teams: Teams, state: LiveState, near: Witnesses, cell: int, change: int) -> None:
    """A mark has changed: new codes for the free agents that see it, and new answers where codes say all."""
    program, table = teams.program, teams.table
    count = spread(game, program, state, near, cell, change)
    for seat in range(len(state.waiting)):
        head = int(program[0, NEXT]) if seat else 0
        # Agents whose features are what they were need not think. They are dropped without a branch, which would often
        # be predicted wrong: each is written to the end of the list, but the list grows only if something changed.
        kept = 0
        for i in range(count):
            other = near.cells[i] & POSITIVE
            more = table[near.after[i] & POSITIVE, seat] - table[near.before[i] & POSITIVE, seat]
            state.packed[other, seat] += more
            near.moved[kept] = other
            kept += 1 if more != 0 else 0
        if program[head, MEMO] > 0:
            for i in range(kept):
                other = near.moved[i] & POSITIVE
                word = recall(program, head, teams.memo, state.packed[other, seat], game.roles[other], teams.work)
                settle(state, seat, other, word)


def spread(game: GameArrays, program: Program, state: LiveState, near: Witnesses, cell: int, change: int) -> int:
    """List the free agents that see a change in `near`, with their codes before and after; says how many.

    A code has one digit a cell, so a mark that changes by `change` adds `change` times the value of its digit: three
    times as much for every step further away, and `every` times as much where it lies behind the agent.
    """
    board, codes = state.board, state.codes
    coding = 0 if program[0, CODED] > 0 else int(program[0, NEXT])
    coded = int(program[coding, CODED])
    shortest = game.length if program[coding, SIGHT] == LINES else 1
    every = sides(coded)
    count = 0
    for way in range(2 * game.axes):
        if game.places[cell, way] + game.places[cell, way ^ 1] + 1 < shortest:
            continue
        step = game.strides[way >> 1] * (1 - 2 * (way & 1))
        # Seen from over there, this cell lies behind when we walk ahead, and the other way round.
        more = change * (1 if way & 1 else every)
        for distance in range(1, min(game.places[cell, way], coded) + 1):
            other = (cell + step * distance) & POSITIVE
            before = codes[other, way >> 1]
            codes[other, way >> 1] = before + more
            # Written always, but the list grows only if the agent's cell is free: no branch here either.
            near.cells[count] = other
            near.before[count] = before
            near.after[count] = before + more
            more *= 3
            count += 1 if board[other] == 0 else 0
    return count


def think(game: GameArrays, teams: Teams, state: LiveState, seat: int, cell: int) -> int:
    """What an agent says: by its packed features where there are any, else measured afresh; nothing if it is taken."""
    program = teams.program
    head = int(program[0, NEXT]) if seat else 0
    if state.board[cell] != 0:
        return NOBODY_SAYS + 0
    role = int(game.roles[cell])
    if MEASURES and program[head, MEMO] == 0:
        if AFRESH and program[head, CODED] == 0:
            return respond(game, program, head, state.board, cell, teams.work)
        unpack(program, head, state.packed[cell, seat], teams.work)
        look_around(game, program, head, state.board, cell, teams.work)
        return answer(program, head, role, teams.work)
    return recall(program, head, teams.memo, state.packed[cell, seat], role, teams.work)


def put(game: GameArrays, teams: Teams, state: LiveState, near: Witnesses, cell: int, mark: int) -> None:
    """Change a mark: the agents that see it are told, and those think again whose answer may depend on it."""
    if mark == 0:
        take_back(game, teams, state, near, cell)
    else:
        place(game, teams, state, near, cell, mark)


def place(game: GameArrays, teams: Teams, state: LiveState, near: Witnesses, cell: int, mark: int) -> None:
    """A mark comes to a cell, or turns into another one there."""
    change = mark - int(state.board[cell])
    state.board[cell] = mark
    if len(state.codes) > 0:
        touch(game, teams, state, near, cell, change)
    for seat in range(len(state.waiting)):
        settle(state, seat, cell, NOBODY_SAYS + 0)
    if MEASURES:
        ask_around(game, teams, state, cell)


def take_back(game: GameArrays, teams: Teams, state: LiveState, near: Witnesses, cell: int) -> None:
    """A mark goes. While its cell was taken, the agent there was told nothing, so it works out its codes afresh."""
    change = -int(state.board[cell])
    state.board[cell] = 0
    if len(state.codes) > 0:
        recode(game, teams, state, cell)
        touch(game, teams, state, near, cell, change)
    for seat in range(len(state.waiting)):
        settle(state, seat, cell, think(game, teams, state, seat, cell))
    if MEASURES:
        ask_around(game, teams, state, cell)


def ask_around(game: GameArrays, teams: Teams, state: LiveState, cell: int) -> None:
    """Let all agents that see a cell think again where codes don't say all."""
    program = teams.program
    for seat in range(len(state.waiting)):
        head = int(program[0, NEXT]) if seat else 0
        if program[head, MEMO] == 0:
            for i in range(sights(game, program, head)):
                other = in_sight(game, program, head, cell, i)
                if other >= 0:
                    settle(state, seat, other, think(game, teams, state, seat, other))


def recode(game: GameArrays, teams: Teams, state: LiveState, cell: int) -> None:
    """The codes of an agent and the sums of their features, afresh from the marks."""
    program = teams.program
    head = 0 if program[0, CODED] > 0 else int(program[0, NEXT])
    coded = int(program[head, CODED])
    shortest = game.length if program[head, SIGHT] == LINES else 1
    every = sides(coded)
    for seat in range(state.packed.shape[1]):
        state.packed[cell, seat] = 0
    for axis in range(game.axes):
        code = 0
        if game.places[cell, 2 * axis] + game.places[cell, 2 * axis + 1] + 1 >= shortest:
            for way in (2 * axis + 1, 2 * axis):
                step = game.strides[axis] * (1 - 2 * (way & 1))
                side = 0
                for i in range(min(coded, game.places[cell, way]), 0, -1):
                    side = 3 * side + 1 + int(state.board[cell + step * i])
                code = code * every + side
        state.codes[cell, axis] = code
        for seat in range(state.packed.shape[1]):
            state.packed[cell, seat] += teams.table[code, seat]


def recompute(game: GameArrays, teams: Teams, state: LiveState) -> None:
    """Everything afresh from the marks: codes, features, answers and the trees."""
    for cell in range(game.cells):
        if len(state.codes) > 0:
            recode(game, teams, state, cell)
        for seat in range(len(state.waiting)):
            settle(state, seat, cell, think(game, teams, state, seat, cell))
    for seat in range(len(state.waiting)):
        refresh(state, seat)


def ties(game: GameArrays, state: LiveState, mark: int, cells: Numbers) -> int:
    """Write the cells of the first seat's most urgent legal answers to `cells`, [cells]; says how many."""
    best = TAKEN + 0
    count = 0
    for cell in range(game.cells):
        priority = int(state.said[0, cell])
        if priority <= best and priority < TAKEN and fits(game, state.board, cell, mark):
            if priority < best:
                best = priority
                count = 0
            cells[count] = cell
            count += 1
    return count
