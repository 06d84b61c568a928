"""Geometry: cells and coordinates, rays and lines, roles, symmetries, and the names of cells."""

from itertools import pairwise, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamplay.errors import BadSpec
from teamplay.grid import LARGEST_BOARD, ROLES, Grid, column_name

SMALL = [Grid(shape) for dimensions in (2, 3) for shape in product(range(1, 4), repeat=dimensions)]
SMALL += [Grid((1, 6)), Grid((4, 4)), Grid((5, 4)), Grid((5, 5)), Grid((2, 3, 4))]

shapes = st.one_of(
    st.tuples(st.integers(1, 400), st.integers(1, 400)),
    st.tuples(st.integers(1, 20), st.integers(1, 20), st.integers(1, 20)),
    st.tuples(st.just(1), st.integers(1, LARGEST_BOARD)),
)


@st.composite
def cells_on_grids(draw: st.DrawFn) -> tuple[Grid, int]:
    grid = Grid(draw(shapes))
    return grid, draw(st.integers(0, grid.size - 1))


def lines_by_brute_force(grid: Grid, length: int) -> set[frozenset[int]]:
    """Every set of cells whose coordinates are equally spaced king's steps apart, in some order of two ends."""
    found = set()
    for begin, way in product(grid.cells, product((-1, 0, 1), repeat=len(grid.shape))):
        walk = [tuple(at + i * by for at, by in zip(grid.coordinates(begin), way, strict=True)) for i in range(length)]
        if any(way) and all(map(grid.contains, walk)):
            found.add(frozenset(map(grid.cell, walk)))
    return found


# Cells and coordinates


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_cells_are_numbered_row_by_row(grid: Grid) -> None:
    in_reading_order = list(product(*map(range, grid.shape)))
    assert [grid.coordinates(cell) for cell in grid.cells] == in_reading_order
    assert [grid.cell(at) for at in in_reading_order] == list(grid.cells)
    assert grid.size == len(grid.cells) == prod(grid.shape)


@given(cells_on_grids())
def test_a_cell_survives_the_way_through_its_coordinates(where: tuple[Grid, int]) -> None:
    grid, cell = where
    assert grid.contains(grid.coordinates(cell))
    assert grid.cell(grid.coordinates(cell)) == cell


@pytest.mark.parametrize("outside", [(-1, 0), (0, -1), (3, 0), (0, 4)])
def test_coordinates_past_a_side_are_off_the_board(outside: tuple[int, int]) -> None:
    assert not Grid((3, 4)).contains(outside)


@pytest.mark.parametrize(
    ("shape", "error"),
    [
        ((9,), "A board has two or three dimensions, not 1."),
        ((2, 2, 2, 2), "A board has two or three dimensions, not 4."),
        ((0, 3), "A board of 0x3 cells is empty; every side must be at least 1."),
        ((3, -1, 3), "A board of 3x-1x3 cells is empty; every side must be at least 1."),
        ((1001, 1000), "A board of 1001x1000 cells is too large; 1,000,000 cells are the most."),
        ((10**9, 10**9, 10**9), "too large"),
    ],
)
def test_an_impossible_board_is_refused_with_the_reason(shape: tuple[int, ...], error: str) -> None:
    with pytest.raises(BadSpec) as caught:
        Grid(shape)
    assert error in str(caught.value)


def test_the_largest_board_is_a_board() -> None:
    assert Grid((1000, 1000)).size == LARGEST_BOARD


# Rays and lines


def test_lines_run_four_ways_on_a_flat_board_and_thirteen_in_space() -> None:
    assert [len(Grid(shape).axes) for shape in ((3, 3), (3, 3, 3))] == [4, 13]
    assert [len(set(Grid(shape).directions)) for shape in ((3, 3), (3, 3, 3))] == [8, 26]


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_a_ray_walks_until_the_border_and_no_further_than_asked(grid: Grid) -> None:
    for cell, direction in product(grid.cells, grid.directions):
        walked = []
        at = grid.coordinates(cell)
        while grid.contains(at := tuple(here + step for here, step in zip(at, direction, strict=True))):
            walked.append(grid.cell(at))
        assert grid.ray(cell, direction) == tuple(walked)
        assert [grid.ray(cell, direction, reach) for reach in range(6)] == [tuple(walked[:reach]) for reach in range(6)]


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_lines_through_a_cell_are_those_found_by_brute_force(grid: Grid) -> None:
    for length in (2, 3, 4):
        everywhere = lines_by_brute_force(grid, length)
        for cell in grid.cells:
            lines = grid.lines_through(cell, length)
            assert len(lines) == len(set(map(frozenset, lines)))
            assert set(map(frozenset, lines)) == {line for line in everywhere if cell in line}


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_lines_from_all_cells_are_all_lines_each_once(grid: Grid) -> None:
    for length in (2, 3, 4):
        lines = [line for cell in grid.cells for line in grid.lines_from(cell, length)]
        assert len(lines) == len(set(lines))
        assert set(map(frozenset, lines)) == lines_by_brute_force(grid, length)


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_the_cells_of_a_line_are_one_stride_apart(grid: Grid) -> None:
    for cell in grid.cells:
        for line in grid.lines_through(cell, 3):
            assert len({after - before for before, after in pairwise(line)}) == 1


@pytest.mark.parametrize(
    ("shape", "length", "count"),
    [
        ((3, 3), 3, 8),
        ((4, 4), 4, 10),
        ((6, 7), 4, 69),  # connect four
        ((15, 15), 5, 572),  # gomoku
        ((3, 3, 3), 3, 49),
        ((4, 4, 4), 4, 76),  # Qubic
        ((1, 16), 3, 14),
        ((2, 2), 3, 0),
    ],
)
def test_well_known_boards_have_their_well_known_number_of_lines(
    shape: tuple[int, ...], length: int, count: int
) -> None:
    grid = Grid(shape)
    assert sum(1 for cell in grid.cells for _ in grid.lines_from(cell, length)) == count


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_within_a_radius_are_the_cells_so_many_kings_steps_away(grid: Grid) -> None:
    def steps(one: int, other: int) -> int:
        return max(abs(a - b) for a, b in zip(grid.coordinates(one), grid.coordinates(other), strict=True))

    for radius, cell in product((0, 1, 2, 9), grid.cells):
        near = [other for other in grid.cells if 0 < steps(cell, other) <= radius]
        assert list(grid.within(cell, radius)) == near


# Roles

LETTERS = {"center": "C", "corner": "c", "edge": "e", "face": "f", "inner": "i"}


@pytest.mark.parametrize(
    ("shape", "drawing"),
    [
        ((3, 3), "cec eCe cec"),
        ((4, 4), "ceec eiie eiie ceec"),
        ((5, 5), "ceeec eiiie eiCie eiiie ceeec"),
        ((3, 4), "ceec eiie ceec"),
        ((2, 2), "cc cc"),
        ((1, 1), "C"),
        ((1, 2), "cc"),
        ((1, 5), "ciCic"),
        ((5, 1), "c i C i c"),
        ((3, 3, 3), "cec efe cec  efe fCf efe  cec efe cec"),
        ((1, 3, 3), "cec eCe cec"),
        ((2, 3, 3), "cec efe cec  cec efe cec"),
        ((4, 4, 4), "ceec effe effe ceec  effe fiif fiif effe  effe fiif fiif effe  ceec effe effe ceec"),
    ],
)
def test_roles_as_drawn(shape: tuple[int, ...], drawing: str) -> None:
    grid = Grid(shape)
    assert "".join(LETTERS[grid.role(cell)] for cell in grid.cells) == drawing.replace(" ", "")


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_the_center_is_the_one_cell_with_that_role_where_every_side_is_odd(grid: Grid) -> None:
    centers = [cell for cell in grid.cells if grid.role(cell) == "center"]
    assert centers == ([] if grid.center is None else [grid.center])
    assert (grid.center is not None) == all(side % 2 for side in grid.shape)


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_a_role_has_one_of_the_known_names_and_only_space_has_faces(grid: Grid) -> None:
    roles = {grid.role(cell) for cell in grid.cells}
    assert roles <= set(ROLES)
    assert "face" not in roles or (min(grid.shape) > 1 and len(grid.shape) == 3)


# Symmetries


@pytest.mark.parametrize(
    ("shape", "count"),
    [((3, 3), 8), ((3, 4), 4), ((1, 5), 2), ((1, 1), 1), ((3, 3, 3), 48), ((2, 3, 3), 16), ((2, 3, 4), 8)],
)
def test_a_board_has_as_many_symmetries_as_its_shape_allows(shape: tuple[int, ...], count: int) -> None:
    assert len(Grid(shape).symmetries) == count


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_symmetries_form_a_group(grid: Grid) -> None:
    group = set(grid.symmetries)
    assert tuple(grid.cells) in group
    assert len(group) == len(grid.symmetries)
    for one, other in product(group, repeat=2):
        assert tuple(one[other[cell]] for cell in grid.cells) in group
    for one in group:
        back = sorted(grid.cells, key=one.__getitem__)
        assert tuple(back) in group


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_symmetries_map_lines_to_lines_and_keep_roles(grid: Grid) -> None:
    lines = lines_by_brute_force(grid, 3)
    for symmetry in grid.symmetries:
        assert {frozenset(symmetry[cell] for cell in line) for line in lines} == lines
        assert [grid.role(symmetry[cell]) for cell in grid.cells] == [grid.role(cell) for cell in grid.cells]


# Names of cells


@given(cells_on_grids())
def test_every_way_to_write_a_cell_means_that_cell(where: tuple[Grid, int]) -> None:
    grid, cell = where
    numbers = [str(at + 1) for at in grid.coordinates(cell)]
    for text in (grid.format_cell(cell), str(cell + 1), ",".join(numbers), " , ".join(numbers)):
        assert grid.parse_cell(text) == grid.parse_cell(f"  {text.upper()}\n") == cell


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_names_of_cells_differ(grid: Grid) -> None:
    assert len({grid.format_cell(cell) for cell in grid.cells}) == grid.size


def test_cells_are_named_as_in_a_spreadsheet() -> None:
    assert [Grid((2, 3)).format_cell(cell) for cell in range(6)] == ["a1", "b1", "c1", "a2", "b2", "c2"]
    assert [column_name(column) for column in (25, 26, 51, 52, 701, 702)] == ["z", "aa", "az", "ba", "zz", "aaa"]
    assert Grid((2, 2, 2)).format_cell(5) == "2,1,2"


def test_the_last_column_of_the_longest_board_can_be_named() -> None:
    longest = Grid((1, LARGEST_BOARD))
    assert longest.format_cell(LARGEST_BOARD - 1) == "bdwgn1"
    assert longest.parse_cell("bdwgn1") == LARGEST_BOARD - 1


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("0", "There is no cell 0; the cells are 1 to 12."),
        ("13", "There is no cell 13; the cells are 1 to 12."),
        ("e1", "There is no cell `e1` on a board of 3x4; write 1 to 12, a name like `b3`, or row,column as `2,3`."),
        ("a4", "There is no cell `a4` on a board of 3x4"),
        ("a0", "There is no cell `a0` on a board of 3x4"),
        ("4,1", "There is no cell `4,1` on a board of 3x4"),
        ("1,5", "There is no cell `1,5` on a board of 3x4"),
        ("0,1", "There is no cell `0,1` on a board of 3x4"),
        ("1,1,1", "There is no cell `1,1,1` on a board of 3x4"),
        ("zzzzz1", "There is no cell `zzzzz1` on a board of 3x4"),
        ("", "`` is not a cell; write 1 to 12, a name like `b3`, or row,column as `2,3`."),
        ("b", "`b` is not a cell"),
        ("3b", "`3b` is not a cell"),
        ("-1", "`-1` is not a cell"),
        ("1.5", "`1.5` is not a cell"),
        ("1,", "`1,` is not a cell"),
        ("1 2", "`1 2` is not a cell"),
        ("é1", "`é1` is not a cell"),
        ("٣", "`٣` is not a cell"),
        ("9" * 5000, f"`{'9' * 40}` is not a cell"),
    ],
)
def test_what_is_not_a_cell_is_refused_with_what_would_be_right(text: str, error: str) -> None:
    with pytest.raises(BadSpec) as caught:
        Grid((3, 4)).parse_cell(text)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("b2", "`b2` is not a cell; write 1 to 27, or layer,row,column as `1,2,3`."),
        ("2,2", "There is no cell `2,2` on a board of 3x3x3; write 1 to 27, or layer,row,column as `1,2,3`."),
        ("1,1,4", "There is no cell `1,1,4` on a board of 3x3x3"),
        ("28", "There is no cell 28; the cells are 1 to 27."),
    ],
)
def test_in_space_a_cell_has_three_numbers(text: str, error: str) -> None:
    with pytest.raises(BadSpec) as caught:
        Grid((3, 3, 3)).parse_cell(text)
    assert str(caught.value).startswith(error)


@given(st.text(max_size=20))
def test_any_text_is_a_cell_or_an_error_of_the_domain(text: str) -> None:
    grid = Grid((3, 4))
    try:
        cell = grid.parse_cell(text)
    except BadSpec as error:
        assert str(error).endswith(".")
    else:
        assert cell in grid.cells
