"""One layer of a proof: from positions with N marks to those with one mark more.

Positions are keys in their canonical form (see `canonical.py`). This module decides who has won where a position is a
key.
"""

from typing import NamedTuple

from teamplay.engine.kernels.canonical import EVEN, encode, orbit, rearrange, slot, smallest
from teamplay.engine.kernels.chance import mix
from teamplay.engine.kernels.game import (
    DRAW,
    LOSES,
    NOBODY,
    POSITIVE,
    SCORES,
    GameArrays,
    Marks,
    Numbers,
    fits,
    following,
    is_plain,
    is_restricted,
    place,
    winner,
)
from teamplay.engine.kernels.lookup import recall
from teamplay.engine.kernels.rule import Program, Work, respond
from teamplay.engine.program import CODED, LETTER_BITS, MEMO, NEXT, SILENT

KERNELS = VIEWS = True
ENTRIES = ("expand", "lead", "choices", "answers", "branch")
INLINE = ("finish", "add_mark", "add_move", "look_up", "list_blanks", "all_moves", "team_moves", "replies")

BY_RULES = True  # may moves do more than add a mark, and lines count otherwise than by whoever makes them?
MEASURES = True  # are there agents whose answer is not looked up?

# What is counted of a layer: keys in its set, keys that go on, positions met with the team to move, and the finished
# positions by winner (seat 0, seat 1, draw), images counted.
IN_SET, GOING_ON, MET, FINISHED = range(4)


class Setting(NamedTuple):
    """Everything about a game and a table that stays the same from position to position."""

    game: GameArrays
    program: Program
    table: Numbers  # [codes of two bits a cell, seats]: the packed features of what is seen along an axis
    line_of: Numbers  # [cells, axes]: along which line an agent looks
    place_of: Numbers  # [cells, axes]: by how many bits its sight begins there
    turned: Numbers  # [bytes, 256, symmetries]: where the marks in each byte of a key go
    laid: Numbers  # [bytes, 256, lines]: the same for the lines along which agents look, 3 off the board
    through: Numbers  # [cells, lines]: the bits of the other cells of each line through a cell, 0 after the last
    needed: Numbers  # [cells, lines, 2 * marks]: what stands there if a mark completes the line, either way


class Moves(NamedTuple):
    """Room for the moves in a position. [moves]"""

    cells: Numbers
    marks: Numbers
    keys: Numbers  # the canonical form of the position after it
    winners: Numbers
    images: Numbers  # of a finished position, how many it stands for
    found: Numbers  # what stands at its place in the set of the next layer


class Space(NamedTuple):
    """Room for the work on one position, made once for many."""

    board: Marks  # [cells]
    work: Work
    memo: Numbers  # [remembered, 2]
    images: Numbers  # [symmetries]: of the position
    lines: Numbers  # [lines]: its marks along each
    moves: Moves
    blanks: Numbers  # [cells]: those that are blank
    changed: Numbers  # [cells]: those that a move changes
    turns: Numbers  # [symmetries]: the images after a move


class Side(NamedTuple):
    """How the team plays."""

    seat: int
    first: bool  # the first of ties only, which serves where a cell's letters are not a choice


class NextLayer(NamedTuple):
    """A layer that is being made."""

    known: Numbers  # a set with open addressing, -1 is empty
    onward: Numbers  # its positions that go on
    counts: Numbers  # [6]: see above


def look_up(setting: Setting, lines: Numbers, seat: int, coded: int, cell: int) -> int:
    """The packed features of an agent, their sum over the axes.

    The marks along a line are a word of two bits a cell. Shifted to where the agent's sight begins, it holds `coded`
    cells behind the agent, its own, and as many ahead; without its own cell these are a code, the row of the table.
    """
    ones = (1 << (2 * coded)) - 1
    total = int(0)
    for axis in range(setting.line_of.shape[1]):
        word = lines[setting.line_of[cell, axis] & POSITIVE] >> setting.place_of[cell, axis]
        code = (word & ones) | (((word >> (2 * coded + 2)) & ones) << (2 * coded))
        total += setting.table[code & POSITIVE, seat]
    return total


def list_blanks(cells: int, key: int, blanks: Numbers) -> int:
    """Write the blank cells of a position to `blanks`; says how many.

    Each cell is written to the end of the list, but the list grows only if it is blank. Whether a cell is blank looks
    random to the processor, so a branch would often be predicted wrong; an addition never is.
    """
    count = 0
    for cell in range(cells):
        blanks[count] = cell
        count += 1 if (key >> (2 * cell)) & 3 == 0 else 0
    return count


def team_moves(setting: Setting, space: Space, side: Side, key: int) -> int:
    """List the tied most urgent moves of a team, or all moves where every agent is silent; says how many."""
    game, program = setting.game, setting.program
    seat = side.seat
    head = int(program[0, NEXT]) if seat == 1 else 0
    looks_up = program[head, MEMO] > 0
    coded = int(program[head, CODED])
    if looks_up:
        rearrange(setting.laid, key, space.lines)
    word = int(0)
    best = SILENT + 1
    count = 0
    for i in range(list_blanks(game.cells, key, space.blanks)):
        cell = int(space.blanks[i])
        if is_restricted(game) and not fits(game, space.board, cell, seat + 1):
            continue
        if looks_up:
            packed = look_up(setting, space.lines, seat, coded, cell)
            word = recall(program, head, space.memo, packed, game.roles[cell], space.work)
        elif MEASURES:
            word = respond(game, program, head, space.board, cell, space.work)
        priority = word >> LETTER_BITS
        if priority < best:
            best = priority
            count = 0
        if priority == best and not (side.first and count > 0):
            count = add_move(game, space.moves, count, cell, seat, word)
    return count


def all_moves(game: GameArrays, space: Space, mover: int, key: int) -> int:
    """List every legal move; says how many."""
    count = 0
    for i in range(list_blanks(game.cells, key, space.blanks)):
        cell = int(space.blanks[i])
        if not is_restricted(game) or fits(game, space.board, cell, mover + 1):
            count = add_move(game, space.moves, count, cell, mover, int(-1))
    return count


def add_move(game: GameArrays, moves: Moves, count: int, cell: int, mover: int, letters: int) -> int:
    """List the moves in a cell: one, or in games with letters one for each bit that is set; says how many there are."""
    if not game.shared:
        moves.cells[count] = cell
        moves.marks[count] = mover + 1
        return count + 1
    for letter in range(game.letters):
        if (letters >> letter) & 1:
            moves.cells[count] = cell
            moves.marks[count] = letter + 1
            count += 1
    return count


def by_rules(game: GameArrays, space: Space, i: int, mover: int, blanks: int) -> int:
    """The key after a move by the rules of any game without points; also notes who has won.

    The board is left as it was.
    """
    board, changed, moves = space.board, space.changed, space.moves
    cell, mark = int(moves.cells[i]), int(moves.marks[i])
    count, found = place(game, board, cell, mark, changed)
    moves.winners[i] = winner(game, board, mover, found, int(0), blanks - 1)
    key = encode(game.cells, False, board, following(game, board, mover, found), int(0))
    board[cell] = 0
    for j in range(1, count):
        board[changed[j]] = 3 - mark
    return key


def add_mark(setting: Setting, moves: Moves, i: int, key: int, mover: int, blanks: int) -> int:
    """The key after a move of a plain game (see `is_plain`); also notes who has won.

    A line is complete if the bits of its other cells are what the mark needs, so each line takes one mask and two
    comparisons.
    """
    game, through, needed = setting.game, setting.through, setting.needed
    cell, mark = int(moves.cells[i]), int(moves.marks[i])
    turn, point = 1 << (2 * game.cells), 2 << (2 * game.cells)
    found = 0
    for line in range(through.shape[1]):
        if through[cell, line] == 0:
            break
        stands = key & through[cell, line]
        if stands == needed[cell, line, 2 * mark - 2] or stands == needed[cell, line, 2 * mark - 1]:
            found += 1
    key |= mark << (2 * cell)
    won = NOBODY
    if game.effect == SCORES:
        key += found * point if mover == 0 else -found * point
        if blanks == 1:
            difference = (key >> (2 * game.cells + 1)) - EVEN
            won = DRAW if difference == 0 else (0 if difference > 0 else 1)
    elif found > 0:
        won = 1 - mover if game.effect == LOSES else mover
    elif blanks == 1:
        won = DRAW
    moves.winners[i] = won
    return key if game.again and found > 0 else key ^ turn


def finish(setting: Setting, space: Space, i: int, key: int, mover: int, blanks: int) -> None:
    """Work out a move: the canonical form after it, who has won, and if the game is over, how many images it has."""
    game, moves, turns = setting.game, space.moves, space.turns
    if BY_RULES and not is_plain(game):
        after = by_rules(game, space, i, mover, blanks)
        rearrange(setting.turned, after, turns)
    else:
        # One mark more adds its bits to every image of the position before, so the images need not be worked out.
        after = add_mark(setting, moves, i, key, mover, blanks)
        cell, mark = moves.cells[i] & POSITIVE, moves.marks[i] & POSITIVE
        for j in range(len(turns)):
            turns[j] = space.images[j] | setting.turned[cell >> 2, mark << (2 * (cell & 3)), j]
    moves.keys[i] = smallest(game.cells, turns, after)
    if moves.winners[i] != NOBODY:
        moves.images[i] = orbit(turns)


def replies(setting: Setting, space: Space, side: Side, blanks: int, key: int) -> int:
    """All that may follow a position: the team's tied moves, or every move of the opponent; says how many."""
    game = setting.game
    if MEASURES or is_restricted(game) or not is_plain(game):
        for cell in range(game.cells):
            space.board[cell] = (key >> (2 * cell)) & 3
    rearrange(setting.turned, key, space.images)
    mover = (key >> (2 * game.cells)) & 1
    if mover == side.seat:
        count = team_moves(setting, space, side, key)
    else:
        count = all_moves(game, space, mover, key)
    for i in range(count):
        finish(setting, space, i, key, mover, blanks)
    return count


def expand(
    setting: Setting, space: Space, side: Side, layer: Numbers, start: int, stop: int, following_layer: NextLayer
) -> int:
    """Add the children of positions `start` to `stop` of a layer to the next one; the first position not done.

    It stops short when the set of the next layer is half full.
    """
    known, onward, counts = following_layer.known, following_layer.onward, following_layer.counts
    moves = space.moves
    blanks = list_blanks(setting.game.cells, int(layer[start]), space.blanks)  # the same in the whole layer
    for i in range(start, stop):
        if 2 * (counts[IN_SET] + len(moves.keys)) > len(known):
            return i
        count = replies(setting, space, side, blanks, int(layer[i]))
        if (layer[i] >> (2 * setting.game.cells)) & 1 == side.seat:
            counts[MET] += orbit(space.images)
        # The set is larger than the processor's cache, so a key that is looked for has to be fetched from memory. The
        # first loop fetches for all moves: nothing in it depends on what was read, so the processor waits for all of
        # them together. The second loop looks at what came.
        for j in range(count):
            moves.found[j] = known[mix(int(moves.keys[j])) & (len(known) - 1)]
        for j in range(count):
            key = int(moves.keys[j])
            if moves.found[j] == key:
                continue
            where = slot(known, key)
            if known[where] == -1:
                known[where] = key
                counts[IN_SET] += 1
                if moves.winners[j] == NOBODY:
                    onward[counts[GOING_ON]] = key
                    counts[GOING_ON] += 1
                else:
                    counts[FINISHED + moves.winners[j]] += moves.images[j]
    return stop


def lead(
    setting: Setting, space: Space, side: Side, layer: Numbers, bad: Numbers, targets: Numbers, leading: Marks
) -> None:
    """Mark the positions of a layer that lead to a target of the next layer, or at once to a bad end.

    `bad` is int64[3], 1 for a winner (seat 0, seat 1, draw) that counts as bad; `targets` a set as in `expand`.
    """
    moves = space.moves
    blanks = list_blanks(setting.game.cells, int(layer[0]), space.blanks) if len(layer) > 0 else 0
    for i in range(len(layer)):
        count = replies(setting, space, side, blanks, int(layer[i]))
        for j in range(count):
            if moves.winners[j] != NOBODY:
                leading[i] |= bad[moves.winners[j]]
            elif targets[slot(targets, int(moves.keys[j]))] == moves.keys[j]:
                leading[i] = 1


def choices(setting: Setting, space: Space, keys: Numbers, chosen: Marks) -> None:
    """Write the letters, as bits, of a team's tied most urgent moves: `chosen` is int8[keys, cells], all 0 before."""
    cells = setting.game.cells
    moves = space.moves
    for i in range(len(keys)):
        key = int(keys[i])
        if MEASURES or is_restricted(setting.game):
            for cell in range(cells):
                space.board[cell] = (key >> (2 * cell)) & 3
        count = team_moves(setting, space, Side((key >> (2 * cells)) & 1, False), key)
        for j in range(count):
            chosen[i, moves.cells[j]] |= 1 << moves.marks[j]


def answers(setting: Setting, space: Space, keys: Numbers, where: Numbers, cells: Numbers, words: Numbers) -> None:
    """Write the answers of the agents on some blank cells; `where` is the position of each. All are [cells].

    A word is a priority, and in its last bits the letters.
    """
    game, program = setting.game, setting.program
    word = int(0)
    before = int(-1)
    for i in range(len(cells)):
        key, cell = int(keys[where[i]]), int(cells[i])
        seat = (key >> (2 * game.cells)) & 1
        head = int(program[0, NEXT]) if seat == 1 else 0
        if where[i] != before:
            before = int(where[i])
            for other in range(game.cells):
                space.board[other] = (key >> (2 * other)) & 3
            rearrange(setting.laid, key, space.lines)
        if program[head, MEMO] > 0:
            packed = look_up(setting, space.lines, seat, int(program[head, CODED]), cell)
            word = recall(program, head, space.memo, packed, game.roles[cell], space.work)
        elif MEASURES:
            word = respond(game, program, head, space.board, cell, space.work)
        words[i] = word


def branch(setting: Setting, space: Space, keys: Numbers, found: Numbers) -> int:
    """Write every legal move of many positions, of the seat to move; says how many.

    `found` is int64[5, moves of all positions]: the position by its place in `keys`, then what is placed where, the
    canonical form after it, and who has won.
    """
    game, moves = setting.game, space.moves
    total = int(0)
    for i in range(len(keys)):
        key = int(keys[i])
        for cell in range(game.cells):
            space.board[cell] = (key >> (2 * cell)) & 3
        rearrange(setting.turned, key, space.images)
        mover = (key >> (2 * game.cells)) & 1
        blanks = list_blanks(game.cells, key, space.blanks)
        count = all_moves(game, space, mover, key)
        for j in range(count):
            finish(setting, space, j, key, mover, blanks)
            found[0, total] = i
            found[1, total] = moves.cells[j]
            found[2, total] = moves.marks[j]
            found[3, total] = moves.keys[j]
            found[4, total] = moves.winners[j]
            total += 1
    return total
