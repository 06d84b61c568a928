"""Rule books made ready for the kernels: one, or one for each seat of a board."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import game_arrays, roles_of
from teamplay.engine.kernels import lookup
from teamplay.engine.kernels.game import FLANK, NOBODY, GameArrays, is_plain, is_restricted
from teamplay.engine.kernels.rule import Work
from teamplay.engine.patterns import packed_features
from teamplay.engine.program import CODED, DEEPEST, LINES, MEMO, NEXT, SIGHT, Program, program
from teamplay.grid import ROLES
from teamplay.language.rulebook import Rulebook


class Compiled(NamedTuple):
    """A game and the programs that play it."""

    game: GameArrays
    programs: tuple[Program, ...]
    rows: NDArray[np.int64]  # of all programs
    table: NDArray[np.int64]  # [codes, programs], no codes at all where no program can use them
    work: Work

    @property
    def remembers(self) -> bool:
        """Whether some program's answers depend on the codes of a board alone."""
        return bool(self.rows[self.heads, MEMO].any())

    @property
    def heads(self) -> list[int]:
        """Where each program starts."""
        return [0, int(self.rows[0, NEXT])][: len(self.programs)]


def switched_off(game: GameArrays, rows: NDArray[np.int64] | None = None) -> list[str]:
    """The switches of the kernels that are off for a game and its programs; see `jit.py`."""
    off = [] if game.placement == FLANK else ["FLANKS"]
    if game.area == game.cells:
        off.append("BOARDS")
    if not game.exact:
        off.append("EXACT")
    if game.owner == NOBODY:
        off.append("OWNED")
    if is_plain(game):
        off.append("BY_RULES")
    if not is_restricted(game):
        off.append("RESTRICTED")
    if rows is not None:
        heads = (0, rows[0, NEXT])
        if all(rows[head, MEMO] for head in heads):
            off.append("MEASURES")
        if all(rows[head, CODED] for head in heads):
            off.append("AFRESH")
    return off


def compile_book(book: Rulebook, looks_up: bool) -> Compiled:
    """A rule book for the first seat; a look-up table for its patterns, if there can be one, is for large jobs."""
    return _compiled([book], [program(book)], looks_up)


def compile_books(first: Rulebook, second: Rulebook, looks_up: bool) -> Compiled:
    """The rule books of both seats of one game."""
    one = program(first, seat=0)
    other = program(second, seat=1, begin=len(one.rows))
    one.rows[0, NEXT] = len(one.rows)
    return _compiled([first, second], [one, other], looks_up)


def _compiled(books: list[Rulebook], programs: list[Program], looks_up: bool) -> Compiled:
    rows = np.concatenate([made.rows for made in programs])
    work = _work(programs)
    game = _alike(game_arrays(books[0].game), books)
    made = Compiled(game, tuple(programs), rows, np.zeros((0, len(programs)), dtype=np.int64), work)
    coded = [looks_up and each.can_be_looked_up for each in programs]
    if not programs[0].features:  # who measures nothing has no use for sight, so the codes may follow the other's
        rows[0, SIGHT] = rows[made.heads[-1], SIGHT]
    elif not programs[-1].features:
        rows[made.heads[-1], SIGHT] = rows[0, SIGHT]
    # Agents with the paper's sight don't look along lines that are too short; a board has only one kind of codes.
    if all(coded) and len({bool(rows[head, SIGHT] == LINES) for head in made.heads}) > 1:
        coded[-1] = False
    looks = max((max(1, each.looks) for each, is_coded in zip(programs, coded, strict=True) if is_coded), default=0)
    codes = lookup.sides(looks) ** 2 if looks else 0
    table = np.zeros((codes, len(programs)), dtype=np.int64)
    for seat, (each, head) in enumerate(zip(programs, made.heads, strict=True)):
        if coded[seat]:
            rows[head, CODED] = looks
            rows[head, MEMO] = (1 + books.index(books[seat])) if each.patterns_only else 0
            table[:, seat] = packed_features(game, rows, head)
    return made._replace(table=table)


def _alike(game: GameArrays, books: list[Rulebook]) -> GameArrays:
    """The game with one role for all cells whose agents are asked the same rules, so that more answers are the same."""
    there = roles_of(books[0].game)  # a role that the board lacks has no code, so no other may stand for it
    asked = [[list(book.asked(role)) for book in books] if role in there else role for role in ROLES]
    first = np.array([asked.index(rules) for rules in asked], dtype=np.int8)
    return game._replace(roles=first[game.roles])


def _work(programs: list[Program]) -> Work:
    """Room for the work on an agent of any of these programs."""
    sizes = (
        max(len(each.features) for each in programs),
        DEEPEST,
        max(each.marks for each in programs) + 1,
        2 * max(max(each.looks, each.width) for each in programs) + 1,
    )
    return Work(*(np.zeros(size, dtype=np.int64) for size in sizes))
