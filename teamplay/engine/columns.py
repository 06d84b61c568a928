"""One layer of a proof by numpy: a column for each thing that is known of all positions, no compiler to wait for.

It says what `kernels/layer.py` says, for plain games: a move adds a mark, and a line belongs to who makes it. A
position takes ten times as long as in compiled kernels, so numpy is done before those are compiled where positions are
some ten thousands. It also takes what kernels don't know: tables with chance, and players that are no tables.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import game_arrays
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import lookup
from teamplay.engine.kernels.canonical import EVEN
from teamplay.engine.kernels.game import ANYWHERE, DRAW, LOSES, NOBODY, SCORES, is_plain
from teamplay.engine.kernels.layer import Setting, Side, Space
from teamplay.engine.program import CODED, LETTER_BITS, LETTER_MASK, MEMO, NEXT
from teamplay.game import Game

Keys = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Children(NamedTuple):
    """The moves in many positions. [moves]"""

    parents: Keys  # the number of the position
    cells: Keys
    marks: Keys
    keys: Keys  # the canonical form of the position after it
    winners: Keys
    images: Keys  # how many positions the one after it stands for


class BatchChoice(Protocol):
    """Who names moves in many positions at once; see `players`."""

    def chosen(self, mine: Flags, theirs: Flags, legal: Flags) -> Flags: ...


class Voice(NamedTuple):
    """A table without chance, and room for its work. A table with chance has several (see `coins.py`)."""

    setting: Setting
    space: Space
    kernels: Any  # those of a layer, for answers that are not looked up

    def looks_up(self, seat: int) -> bool:
        """Whether all answers of a seat depend on looked up patterns alone."""
        return bool(self.setting.program[_head(self.setting, seat), MEMO] > 0)


Options = tuple[Keys, Keys, Keys]  # moves: the number of the position, the cell, the mark
Chooser = Callable[[Keys, Keys], Options]  # the moves of a player in those of some positions that have these numbers


def knows(game: Game) -> bool:
    """Whether these columns know the rules of a game."""
    return is_plain(game_arrays(game))


def children(setting: Setting, choose: Chooser, seat: int, keys: Keys) -> Children:
    """All that may follow positions with equally many marks: what a player may choose, or all moves of the other."""
    cells = setting.game.cells
    mine = (keys >> 2 * cells) & 1 == seat
    options = [choose(keys, np.flatnonzero(mine)), _all_moves(setting, keys, np.flatnonzero(~mine))]
    parents, where, marks = (np.concatenate(column) for column in zip(*options, strict=True))
    after, winners = after_moves(setting, keys[parents], where, marks)
    turned = setting.turned[where >> 2, marks << 2 * (where & 3)]  # [moves, symmetries]
    turned |= images(setting, keys)[parents]
    canonical = (after >> 2 * cells << 2 * cells) | turned.min(axis=1)
    return Children(parents, where, marks, canonical, winners, orbits(turned))


def players_moves(setting: Setting, player: BatchChoice, seat: int, keys: Keys, rows: Keys) -> Options:
    """The moves that a player names itself, in games in which each player has a mark of its own."""
    if not len(rows):
        return rows, rows, rows
    marks = marks_of(setting, keys[rows])
    found, cells = np.nonzero(player.chosen(marks == seat + 1, marks == 2 - seat, _free(setting, keys[rows])))
    return rows[found], cells, np.full(len(cells), seat + 1)


def images(setting: Setting, keys: Keys) -> Keys:
    """The board of each position under every symmetry. [keys, symmetries]"""
    return _rearranged(setting.turned, keys)


def orbits(turned: Keys) -> Keys:
    """How many different images each row has."""
    same: Keys = (turned == turned[:, :1]).sum(axis=1)
    different: Keys = turned.shape[1] // same
    return different


def _rearranged(moved: Keys, keys: Keys) -> Keys:
    """The marks of each position where they stand in every word. [keys, words]"""
    found: Keys = moved[0, keys & 255]
    for byte in range(1, len(moved)):
        found |= moved[byte, (keys >> 8 * byte) & 255]
    return found


def marks_of(setting: Setting, keys: Keys) -> Keys:
    """What stands in every cell, 0 where it is blank. [keys, cells]"""
    marks: Keys = (keys[:, np.newaxis] >> 2 * np.arange(setting.game.cells)) & 3
    return marks


def _free(setting: Setting, keys: Keys) -> Flags:
    """Which cells may be used. [keys, cells]"""
    game = setting.game
    blank: Flags = marks_of(setting, keys) == 0
    if game.placement == ANYWHERE:
        return blank
    floor: Flags = np.arange(game.cells) // game.columns % game.rows == game.rows - 1
    return blank & (floor | ~np.roll(blank, -game.columns, axis=1))


def _with_letters(setting: Setting, mover: Keys, cells: Keys, letters: Keys) -> tuple[Keys, Keys]:
    """The moves in some cells, as numbers of the cells and marks; one for each letter where players choose letters."""
    if not setting.game.shared:
        return np.arange(len(cells)), mover + 1
    chosen, letter = np.nonzero((letters[:, np.newaxis] >> np.arange(setting.game.letters)) & 1)
    return chosen, letter + 1


def _all_moves(setting: Setting, keys: Keys, rows: Keys) -> Options:
    """Every legal move in the positions of some rows: the row, the cell, the mark."""
    found, cells = np.nonzero(_free(setting, keys[rows]))
    mover = (keys[rows[found]] >> 2 * setting.game.cells) & 1
    chosen, marks = _with_letters(setting, mover, cells, np.full(len(cells), LETTER_MASK))
    return rows[found][chosen], cells[chosen], marks


def team_moves(voices: Sequence[Voice], side: Side, keys: Keys, rows: Keys) -> Options:
    """The moves that the team may make in the positions of some rows: the row, the cell, the mark.

    Coins are independent, so all agents may be as calm as they can at once. An answer can be chosen if nobody's calmest
    is more urgent. Without coins an agent has one answer, and these are the tied most urgent.
    """
    setting = voices[0].setting
    found, cells = np.nonzero(_free(setting, keys[rows]))
    if not len(found):
        return found, cells, cells
    words = np.array([_answers(voice, side.seat, keys[rows], found, cells) for voice in voices])  # [voices, agents]
    priorities = words >> LETTER_BITS
    begins = np.flatnonzero(np.diff(found, prepend=-1))
    least = np.minimum.reduceat(priorities.max(axis=0), begins)
    chosen = priorities <= np.repeat(least, np.diff(begins, append=len(found)))
    letters = np.bitwise_or.reduce(np.where(chosen, words & LETTER_MASK, 0), axis=0)
    tied = np.flatnonzero(chosen.any(axis=0))
    if side.first:
        tied = tied[np.diff(found[tied], prepend=-1) != 0]
    which, marks = _with_letters(setting, np.full(len(tied), side.seat), cells[tied], letters[tied])
    return rows[found[tied]][which], cells[tied][which], marks


def _head(setting: Setting, seat: int) -> int:
    """The row at which the program of a seat begins."""
    return int(setting.program[0, NEXT]) if seat else 0


def _packed(setting: Setting, seat: int, keys: Keys, found: Keys, cells: Keys) -> Keys:
    """The packed features of agents: in which position each is, and in which cell."""
    head = _head(setting, seat)
    coded = int(setting.program[head, CODED])
    ones = (1 << 2 * coded) - 1
    lines = _rearranged(setting.laid, keys)
    packed = np.zeros(len(found), dtype=np.int64)
    for axis in range(setting.line_of.shape[1]):
        words = lines[found, setting.line_of[cells, axis]] >> setting.place_of[cells, axis]
        packed += setting.table[(words & ones) | ((words >> 2 * coded + 2) & ones) << 2 * coded, seat]
    return packed


def _answers(voice: Voice, seat: int, keys: Keys, found: Keys, cells: Keys) -> Keys:
    """What agents answer to their packed features; many measure the same, so each sum is worked out once."""
    setting, space = voice.setting, voice.space
    if not voice.looks_up(seat):
        words = np.zeros(len(cells), dtype=np.int64)
        voice.kernels.answers(setting, space, keys, found, cells, words)
        return words
    packed = _packed(setting, seat, keys, found, cells)
    head = _head(setting, seat)
    asked = (packed << lookup.SEATED_BITS) | (setting.game.roles[cells].astype(np.int64) << 1)
    different, which = np.unique(asked, return_inverse=True)
    said = np.zeros_like(different)
    kernels(lookup, large=False).recall_all(setting.program, head, space.memo, different, said, space.work)
    answers: Keys = said[which]
    return answers


def _completed(setting: Setting, keys: Keys, cells: Keys, marks: Keys) -> Keys:
    """How many lines each mark completes, whether it stands in its cell or not. [keys]"""
    found = np.zeros(len(keys), dtype=np.int64)
    for line in range(setting.through.shape[1]):
        others = setting.through[cells, line]
        stands = keys & others
        complete = (stands == setting.needed[cells, line, 2 * marks - 2]) | (
            stands == setting.needed[cells, line, 2 * marks - 1]
        )
        found += (others != 0) & complete
    return found


def completed(setting: Setting, keys: Keys) -> Keys:
    """How many lines of each board meet the goal: every line is found from each of its cells. [keys]"""
    rows, cells = np.nonzero(marks_of(setting, keys))
    found = _completed(setting, keys[rows], cells, (keys[rows] >> 2 * cells) & 3)
    return np.bincount(rows, found, len(keys)).astype(np.int64) // setting.game.length


def after_moves(setting: Setting, keys: Keys, cells: Keys, marks: Keys) -> tuple[Keys, Keys]:
    """The key after each move, not yet the canonical one, and who has won; `add_mark` of the kernels in columns.

    All positions have equally many marks.
    """
    game = setting.game
    mover = (keys >> 2 * game.cells) & 1
    found = _completed(setting, keys, cells, marks)
    after = keys | (marks << 2 * cells)
    full = len(keys) > 0 and bool(((after[0] >> 2 * np.arange(game.cells)) & 3).all())  # the same for all
    won = np.full(len(keys), NOBODY, dtype=np.int64)
    if game.effect == SCORES:
        after += np.where(mover == 0, found, -found) << 2 * game.cells + 1
        if full:
            difference = (after >> 2 * game.cells + 1) - EVEN
            won = np.where(difference == 0, DRAW, (difference < 0).astype(np.int64))
    else:
        won = np.where(found > 0, 1 - mover if game.effect == LOSES else mover, DRAW if full else NOBODY)
    turn = ~((found > 0) & game.again)
    return after ^ (turn.astype(np.int64) << 2 * game.cells), won
