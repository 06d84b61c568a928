"""The arithmetic of the lecture's boards: products of marks, the magic square, the magic cube."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import prod

from teamplay.game import Game
from teamplay.grid import Line
from teamplay.players import magic_cube, magic_square
from teamplay.players.posswin import BLANK_VALUE, FIRST_VALUE, SECOND_VALUE
from teamplay.reproduce.replication import Replication, proved

Cells = frozenset[int]


def every_line(game: Game) -> list[Line]:
    """Each line of a game once."""
    return [line for cell in game.grid.cells for line in game.grid.lines_from(cell, game.k or 0)]


def total(line: Iterable[int], numbers: Sequence[int]) -> int:
    """What the numbers on some cells add up to."""
    return sum(numbers[cell] for cell in line)


def products() -> Replication:
    """Which fillings of a line have the products that say who can win."""
    marks = (BLANK_VALUE, FIRST_VALUE, SECOND_VALUE)
    told = {wanted: [line for line in product(marks, repeat=3) if prod(line) == wanted] for wanted in (18, 50)}
    right = all(
        sorted(line) == sorted((BLANK_VALUE, mark, mark))
        for wanted, mark in ((18, FIRST_VALUE), (50, SECOND_VALUE))
        for line in told[wanted]
    )
    sizes = {wanted: len(lines) for wanted, lines in told.items()}
    claim = "products of a line with two X, with two O and a blank, and of no other"
    measured = f"{', '.join(map(str, sizes))}: {sum(sizes.values())} of the 27 fillings, those with a pair and a blank"
    return Replication("Approach 2", claim, "18, 50", measured, proved(right and set(sizes.values()) == {3}))


def square(game: Game) -> Iterator[Replication]:
    """Sums of the lines, and the test of pairs."""
    numbers, wanted = magic_square.NUMBERS, magic_square.TOTAL
    lines = every_line(game)
    sums = [total(line, numbers) for line in lines]
    others = [cells for cells in combinations(game.grid.cells, 3) if total(cells, numbers) == wanted]
    yield Replication(
        "Approach 3, board",
        "rows, columns and diagonals add to",
        "15",
        f"{sums.count(wanted)} of {len(lines)} lines, and {len(others) - len(lines)} other triples",
        proved(set(sums) == {wanted} and len(others) == len(lines)),
    )
    yield _pairs(game)


def _pairs(game: Game) -> Replication:
    """Whether the difference tells for every pair of blocks if they are on a line."""
    numbers, wanted = magic_square.NUMBERS, magic_square.TOTAL
    on_lines = {frozenset(pair) for line in every_line(game) for pair in combinations(line, 2)}
    lacking = {pair: wanted - total(pair, numbers) for pair in combinations(game.grid.cells, 2)}
    ignored = [pair for pair, number in lacking.items() if not 0 <= number <= 9]
    wrong = [pair for pair, number in lacking.items() if number == 0]
    own = [pair for pair, number in lacking.items() if number in (numbers[pair[0]], numbers[pair[1]])]
    missed = [pair for pair in ignored if frozenset(pair) in on_lines]
    told = ", ".join(sorted(f"{min(a, b)}-{max(a, b)}" for a, b in ((numbers[x], numbers[y]) for x, y in wrong)))
    return Replication(
        "Approach 3, strategy",
        "two blocks with D < 0 or D > 9 are on no line; else a blank block D wins",
        "D < 0 or D > 9",
        f"{len(ignored)} of {len(lacking)} pairs are ignored, {len(missed)} of them wrongly; {len(wrong)} pairs lack 0 "
        f"({told}), a block that does not exist and is in nobody's list; {len(own)} lack one of their own blocks",
        proved(not missed and not wrong),
        "a block is blank if it is in neither list, as the lecture has it",
        "D < 1 is right. Where D is one of the pair's own blocks the list of taken blocks saves the test; where D is 0 "
        "nothing does, and PossWin returns 0, which means that nobody can win",
    )


def cube(game: Game) -> Iterator[Replication]:
    """Sums of the lines of the cube, and its plane sections."""
    numbers, wanted = magic_cube.NUMBERS, magic_cube.TOTAL
    side = game.grid.shape[0]
    formula = side * (side**3 + 1) // 2
    yield Replication("Magic cube", "the sum m(m³ + 1)/2", "42", str(formula), proved(formula == wanted))
    lines = every_line(game)
    kinds = {
        "lines parallel to an edge": [line for line in lines if _bends(game, line) == 1],
        "diagonals of the whole cube": [line for line in lines if _bends(game, line) == 3],
    }
    for name, kind in kinds.items():
        right = sum(total(line, numbers) == wanted for line in kind)
        yield Replication(
            "Magic cube", f"{name} with the sum 42", "all", f"{right} of {len(kind)}", proved(right == len(kind))
        )
    outer = [line for line in lines if _bends(game, line) == 2 and not _through_center(game, line)]
    right = sum(total(line, numbers) == wanted for line in outer)
    claim = "diagonals of outer surfaces with the sum 42"
    yield Replication("Magic cube", claim, "none", f"{right} of {len(outer)}", proved(not right))
    yield from _sections(game)
    yield _sum_decides(game, lines)


def _bends(game: Game, line: Line) -> int:
    """Along how many axes a line moves: 1 parallel to an edge, 2 within a plane, 3 across the cube."""
    ends = zip(*(_place(game, cell) for cell in (line[0], line[-1])), strict=True)
    return sum(a != b for a, b in ends)


def _place(game: Game, cell: int) -> tuple[int, int, int]:
    side = game.grid.shape[0]
    return cell // side**2, cell // side % side, cell % side


def _through_center(game: Game, line: Iterable[int]) -> bool:
    return game.grid.size // 2 in line


def _sections(game: Game) -> Iterator[Replication]:
    """Planes of nine cells: on the outside, through the middle, and along two diagonals."""
    places = {cell: _place(game, cell) for cell in game.grid.cells}
    level = [frozenset(c for c, place in places.items() if place[axis] == i) for axis in range(3) for i in range(3)]
    pairs = list(combinations(range(3), 2))
    slanted = [frozenset(c for c, place in places.items() if place[a] == place[b]) for a, b in pairs]
    slanted += [frozenset(c for c, place in places.items() if place[a] + place[b] == 2) for a, b in pairs]
    outer = [plane for plane in level if not _through_center(game, plane)]
    inner = [plane for plane in level if _through_center(game, plane)]
    kinds = {"outer": outer, "inner": inner, "slanted": slanted}
    found = {name: sum(_is_magic(game, plane) for plane in planes) for name, planes in kinds.items()}
    claim = "outer surfaces that are magic squares"
    yield Replication("Magic cube", claim, "0 of 6", f"{found['outer']} of {len(outer)}", proved(not found["outer"]))
    yield Replication(
        "Magic cube",
        "inner surfaces, 3 level and 2 diagonal, that are magic squares",
        "5 of 5",
        f"{found['inner']} of {len(inner)} level ones, {found['slanted']} of {len(slanted)} diagonal ones",
        proved(found["inner"] == 3 and found["slanted"] == 2 == len(slanted)),
        "a magic square has the sum in all rows, columns and both diagonals",
        "a diagonal plane holds two diagonals of outer surfaces, none of which has the sum; and a cube has six such "
        "planes. That there are probably no magic squares in the cube, as is said before, is not so either",
    )


def _is_magic(game: Game, plane: Cells) -> bool:
    """Whether all lines within a plane, its rows, columns and diagonals, have the sum."""
    within = [line for line in every_line(game) if plane.issuperset(line)]
    assert len(within) == 8, "three rows, three columns, two diagonals"
    return all(total(line, magic_cube.NUMBERS) == magic_cube.TOTAL for line in within)


def _sum_decides(game: Game, lines: Sequence[Line]) -> Replication:
    numbers, wanted = magic_cube.NUMBERS, magic_cube.TOTAL
    without = [line for line in lines if total(line, numbers) != wanted]
    known = {frozenset(line) for line in lines}
    triples = (cells for cells in combinations(game.grid.cells, 3) if total(cells, numbers) == wanted)
    others = [cells for cells in triples if frozenset(cells) not in known]
    return Replication(
        "Approach 3, comments",
        "the approach extends to three dimensions: the sum tells a line",
        "extensible",
        f"{len(without)} of {len(lines)} lines have another sum, and {len(others)} triples with the sum are no line",
        proved(not without and not others),
        "three in a row along any line of the cube wins",
    )
