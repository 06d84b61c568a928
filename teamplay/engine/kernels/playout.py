"""Random games, many of them: on a bitboard, on lines as words, or by the rules of any game.

The generator's state stays in four local variables while games are played, where the compiler keeps it in registers.
"""

from typing import NamedTuple

from teamplay.engine.kernels.chance import Random, draw, scramble
from teamplay.engine.kernels.game import (
    ANYWHERE,
    DRAW,
    NOBODY,
    POSITIVE,
    GameArrays,
    Marks,
    Numbers,
    fits,
    following,
    is_restricted,
    place,
    winner,
)

KERNELS = VIEWS = True
ENTRIES = ("play_bits", "play_lines", "play_any")
INLINE = ("take", "give_back", "in_a_row")

RECORDED = 16
MOVES = 3  # where the outcomes count moves


class GameLog(NamedTuple):
    """What is noted of games."""

    outcomes: Numbers  # [4]: games that the first seat won, the second, nobody; and all moves
    record: Numbers  # [moves]: as long as there is room, each move's cell times RECORDED plus its mark


class Stacks(NamedTuple):
    """The free cells of a board as stacks: columns where marks drop, stacks of one cell where they go anywhere."""

    cells: Numbers  # [stacks, height]: from the bottom up
    used: Numbers  # [stacks]: how many cells are taken; all 0 between games
    room: Numbers  # [stacks]: how many there are
    free: Numbers  # [stacks with any room]


class Bitboard(NamedTuple):
    """A board in one word, with a spare cell at the end of every line."""

    bits: Numbers  # [cells]: the bit of each
    start: Numbers  # [2]: each seat's marks at the start
    shifts: Numbers  # [steps, axes]: by how much to shift a board over itself; the axes a multiple of four


class LineWords(NamedTuple):
    """A board as one word for each line and seat."""

    line_of: Numbers  # [cells, axes]: on which line a cell lies; 0 where the line is too short
    bit_of: Numbers  # [cells, axes]: its bit there; none where the line is too short
    words: Numbers  # [2, lines]: the marks of each seat
    start: Numbers  # [2, lines]: those at the start
    steps: Numbers  # [steps]: by how much to shift a word over itself


def take(stacks: Stacks, i: int, left: int) -> tuple[int, int]:
    """The next free cell of the i-th of the stacks with room; how many stacks have room then.

    A full stack changes places with the last that has room and is emptied at once, for the next game. So setting up a
    game costs nothing.
    """
    stack = stacks.free[i & POSITIVE] & POSITIVE
    level = stacks.used[stack] & POSITIVE
    cell = stacks.cells[stack, level] & POSITIVE
    stacks.used[stack] = level + 1
    if level + 1 == stacks.room[stack]:
        stacks.used[stack] = 0
        left -= 1
        stacks.free[i & POSITIVE] = stacks.free[left & POSITIVE]
        stacks.free[left & POSITIVE] = stack
    return int(cell), left


def give_back(stacks: Stacks, left: int) -> None:
    """Empty the stacks that still have room; the full ones are emptied already."""
    for i in range(left):
        stacks.used[stacks.free[i]] = 0


def in_a_row(mine: int, shifts: Numbers) -> bool:
    """Whether a seat's bitboard has a line: this decides who has won on a bitboard.

    Shifted over itself along an axis and masked, a board keeps the marks that have a neighbour there; shifted again by
    two, those at the start of four in a row, and so on. Four axes at a time, so that the processor does them beside
    each other. The spare cells keep lines from going on around the border.
    """
    rows = 0
    for axis in range(0, shifts.shape[1], 4):
        a, b, c, d = mine, mine, mine, mine
        for step in range(len(shifts)):
            a &= a >> shifts[step, axis]
            b &= b >> shifts[step, axis + 1]
            c &= c >> shifts[step, axis + 2]
            d &= d >> shifts[step, axis + 3]
        rows |= a | b | c | d
    return rows != 0


def play_bits(
    stacks: Stacks, bitboard: Bitboard, opener: int, loses: bool, games: int, random: Random, log: GameLog
) -> None:
    """Games of lines on a board that fits into a word."""
    bits, record, free = bitboard.bits, log.record, stacks.free
    made = 0
    one, two, three, four = random[0], random[1], random[2], random[3]
    for _ in range(games):
        mine, theirs, mover, left = bitboard.start[opener], bitboard.start[1 - opener], opener, len(free)
        won = DRAW
        while left > 0:
            one, two, three, four = two, three, four, scramble(one, four)
            cell, left = take(stacks, (four * left) >> 32, left)
            mine |= bits[cell]
            if made < len(record):
                record[made] = cell * RECORDED + mover + 1
            made += 1
            if in_a_row(mine, bitboard.shifts):
                won = 1 - mover if loses else mover
                break
            mine, theirs = theirs, mine
            mover = 1 - mover
        give_back(stacks, left)
        log.outcomes[won] += 1
    log.outcomes[MOVES] += made
    random[0], random[1], random[2], random[3] = one, two, three, four


def play_lines(
    stacks: Stacks, lines: LineWords, opener: int, loses: bool, games: int, random: Random, log: GameLog
) -> None:
    """Games of lines on a larger board: a mark is set in the words of its lines, which are then searched for a row."""
    line_of, bit_of, words, steps, record = lines.line_of, lines.bit_of, lines.words, lines.steps, log.record
    made = 0
    one, two, three, four = random[0], random[1], random[2], random[3]
    for _ in range(games):
        for line in range(words.shape[1]):
            words[0, line] = lines.start[0, line]
            words[1, line] = lines.start[1, line]
        mover, left = opener, len(stacks.free)
        won = DRAW
        while left > 0:
            one, two, three, four = two, three, four, scramble(one, four)
            cell, left = take(stacks, (four * left) >> 32, left)
            if made < len(record):
                record[made] = cell * RECORDED + mover + 1
            made += 1
            rows = 0
            for axis in range(line_of.shape[1]):
                word = words[mover, line_of[cell, axis]] | bit_of[cell, axis]
                words[mover, line_of[cell, axis]] = word
                for step in range(len(steps)):
                    word &= word >> steps[step]
                rows |= word
            if rows != 0:
                won = 1 - mover if loses else mover
                break
            mover = 1 - mover
        give_back(stacks, left)
        log.outcomes[won] += 1
    log.outcomes[MOVES] += made
    random[0], random[1], random[2], random[3] = one, two, three, four


def list_legal(game: GameArrays, board: Marks, free: Numbers, mark: int) -> int:
    """Write the cells that this mark may go to to `free`; says how many."""
    count = 0
    for cell in range(game.cells):
        if fits(game, board, cell, mark):
            free[count] = cell
            count += 1
    return count


class AnyGame(NamedTuple):
    """A game of any kind, and room for a board."""

    game: GameArrays
    start: Marks  # [cells]
    board: Marks  # [cells]
    free: Numbers  # [cells]: those that may be used
    changed: Numbers  # [cells]: those that a move changes


def play_any(made_ready: AnyGame, opener: int, games: int, random: Random, log: GameLog) -> None:
    """Games by the rules of any game.

    Every cell takes every letter, so a cell and then a letter by chance is any answer by chance.
    """
    game, board, free = made_ready.game, made_ready.board, made_ready.free
    made = 0
    for _ in range(games):
        for cell in range(game.cells):
            board[cell] = made_ready.start[cell]
        mover, difference, won = opener, int(0), int(NOBODY)
        left = list_legal(game, board, free, mover + 1)
        blanks = int(0)
        for cell in range(game.cells):
            blanks += 1 if board[cell] == 0 else 0
        while won == NOBODY:
            i = draw(random, left)
            cell = int(free[i])
            mark = draw(random, game.letters) + 1 if game.shared else mover + 1
            if made < len(log.record):
                log.record[made] = cell * RECORDED + mark
            made += 1
            _, found = place(game, board, cell, mark, made_ready.changed)
            difference += found if mover == 0 else -found
            blanks -= 1
            won = winner(game, board, mover, found, difference, blanks)
            mover = following(game, board, mover, found)
            if game.placement == ANYWHERE and (found == 0 or not is_restricted(game)):
                left -= 1
                free[i] = free[left]
            else:
                left = list_legal(game, board, free, mover + 1)
        log.outcomes[won] += 1
    log.outcomes[MOVES] += made
