"""The players of the lecture on tic-tac-toe and of the helpfulness paper: what they show, and what holds of it."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamplay.errors import TeamplayError
from teamplay.game import BLANK, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, Player, load_player
from teamplay.players import magic_cube as cube
from teamplay.players import magic_square as square
from teamplay.players.helpfulness import Helpfulness
from teamplay.players.magic_square import MagicSquare
from teamplay.players.move_table import PRINTED, filled, index
from teamplay.players.posswin import PossWin
from teamplay.proof.verify import verify
from tests.everywhere import positions

GAME = load_game("tic-tac-toe")
FOUR = load_game("mnk(m=4,n=4,k=4)")
LECTURE = ("posswin", "posswin(make2=line)", "posswin(make2=first)", "magic-square", "magic-square(zero=stops)")

# Where the player and its table must agree: every k up to 5, gravity, three dimensions.
UP_TO_FIVE = (
    "tic-tac-toe",
    "tic-tac-toe-3d",
    "tic-tac-toe-3d(n=4)",
    "mnk(m=3,n=2,k=2)",
    "mnk(m=4,n=4,k=4)",
    "mnk(m=6,n=4,k=3)",
    "mnk(m=7,n=6,k=5)",
    "gomoku(n=8)",
    "connect-four",
    "connect-four(columns=6,rows=6,k=5)",
)


def set_of(player: Player, position: Position) -> set[Move]:
    assert isinstance(player, OpenPlayer)
    return set(player.moves(position))


def helpfulness(spec: str, game: Game) -> Helpfulness:
    player = load_player(spec, game)
    assert isinstance(player, Helpfulness)
    return player


# Helpfulness: the paper's figures.


def shown(player: Helpfulness, marks: str, seat: int = 1) -> dict[int, int]:
    """The values of the open cells, numbered from 1."""
    values = player.values(Position(marks.replace("/", "").replace(" ", ""), seat))
    return {cell: value for cell, value in enumerate(values, 1) if value is not None}


FIGURE_5 = ".oox / xxoo / xoxo / .x.."


def test_version_1_sees_nothing_in_figure_5() -> None:
    assert shown(helpfulness("helpfulness(version=1)", FOUR), FIGURE_5) == {1: 0, 13: 0, 15: 0, 16: 0}


def test_version_2_gives_the_values_of_figure_8() -> None:
    assert shown(helpfulness("helpfulness", FOUR), FIGURE_5) == {1: 6, 13: 5, 15: 2, 16: 5}
    assert [move.cell for move in helpfulness("helpfulness", FOUR).moves(FOUR.position(flipped(FIGURE_5), 1))] == [0]


def flipped(drawing: str) -> str:
    """A drawing of the marks as the second player sees them."""
    return drawing.translate(str.maketrans("xo", "ox"))


def test_the_green_cell_of_figure_2_is_worth_4_and_the_blue_one_2() -> None:
    """The pictures are lost; this board fits all that is said of them: o moves, x blocks the positive diagonal."""
    values = shown(helpfulness("helpfulness(version=1)", GAME), "..x/..o/...")
    assert (values[5], values[1]) == (4, 2)


def test_figure_8_refutes_the_pseudocode_as_it_is_worded_and_indented() -> None:
    """Indented with the rising diagonal as the positive one; with the falling one, figure 8 would come out."""
    assert shown(helpfulness("helpfulness(blanks=blocking)", FOUR), FIGURE_5) == {1: 0, 13: 0, 15: 0, 16: 0}
    assert shown(helpfulness("helpfulness(diagonals=nested)", FOUR), FIGURE_5) == {1: 3, 13: 5, 15: 2, 16: 2}


def test_one_small_integer_a_cell_is_all_that_helpfulness_needs() -> None:
    """Figure 10: below a tenth of a gigabyte for 1000x1000."""
    game = load_game("gomoku(n=300)")
    player = helpfulness("helpfulness", game)
    wins, blocks, values = player.look(game.start)
    assert wins.nbytes + blocks.nbytes + values.nbytes == 6 * game.grid.size
    assert values.max() == 2 * 4 * 5 and values[0, 0] == 2 * 3


# Helpfulness: an implementation in the words of the paper.


def naive_values(game: Game, position: Position, version: int, lines: str, blanks: str) -> dict[int, int]:
    def count(line: tuple[int, ...], mark: str, placed: int) -> int:
        marks = [mark if cell == placed else position.marks[cell] for cell in line]
        other = [m for m in marks if m not in ((mark, BLANK) if blanks == "ignored" else (mark,))]
        return 0 if other else marks.count(mark)

    def areas(cell: int) -> Iterator[tuple[int, ...]]:
        if lines == "windows":
            yield from game.lines_through(cell)
            return
        for axis in game.grid.axes:
            behind = game.grid.ray(cell, tuple(-step for step in axis))
            run = (*behind, cell, *game.grid.ray(cell, axis))
            if len(run) >= (game.k or 0):
                yield run

    sides = [game.marks[position.seat], game.marks[1 - position.seat]][:version]
    return {
        move.cell: sum(count(line, mark, move.cell) for mark in sides for line in areas(move.cell))
        for move in game.moves(position)
    }


@pytest.mark.parametrize("spec", ["mnk(m=6,n=4,k=3)", "connect-four", "tic-tac-toe-3d", "gomoku(n=7)"])
@pytest.mark.parametrize("lines", ["windows", "whole"])
@pytest.mark.parametrize("blanks", ["ignored", "blocking"])
def test_helpfulness_is_what_the_paper_says(spec: str, lines: str, blanks: str) -> None:
    game = load_game(spec)
    for version in (1, 2):
        player = helpfulness(f"helpfulness(version={version},lines={lines},blanks={blanks})", game)
        for position in positions(game, seed=version):
            values = dict(enumerate(player.values(position)))
            assert {cell: value for cell, value in values.items() if value is not None} == naive_values(
                game, position, version, lines, blanks
            )


def winning(game: Game, position: Position, seat: int) -> set[int]:
    """The cells where this seat would win at once."""
    moves = [move.cell for move in game.moves(position)]
    there = Position(position.marks, seat)
    ends = {cell: game.outcome(game.after(there, Move(cell, game.marks[seat]))) for cell in moves}
    return {cell for cell, outcome in ends.items() if outcome and outcome.winner == seat}


@pytest.mark.parametrize("spec", ["tic-tac-toe", "mnk(m=5,n=5,k=4)", "connect-four"])
def test_helpfulness_wins_else_blocks_else_helps(spec: str) -> None:
    game = load_game(spec)
    player = helpfulness("helpfulness", game)
    met = set()
    for position in positions(game, seed=4, games=6):
        chosen = {move.cell for move in player.moves(position)}
        if wins := winning(game, position, position.seat):
            met.add("win")
            assert chosen == wins
        elif blocks := winning(game, position, 1 - position.seat):
            met.add("block")
            assert chosen == blocks
        else:
            met.add("help")
            values = naive_values(game, position, 2, "windows", "ignored")
            assert chosen == {cell for cell, value in values.items() if value == max(values.values())}
    assert met == {"win", "block", "help"}


def test_a_tie_break_takes_one_of_the_set() -> None:
    players = [helpfulness(f"helpfulness(tie={tie})", FOUR) for tie in ("random", "first", "last")]
    for position in positions(FOUR, seed=3, games=3):
        every, first, last = (player.moves(position) for player in players)
        assert first == every[:1]
        assert last in (every[-1:], every[:1])  # the first where it wins


@cache
def both(spec: str) -> tuple[Player, Player]:
    """The table's team and the player."""
    game = load_game(spec)
    return load_player("mnk/helpfulness", game), load_player("helpfulness", game)


@given(st.sampled_from(UP_TO_FIVE), st.integers(0, 10**6), st.floats(0, 1))
@settings(max_examples=80, deadline=None)
def test_the_table_chooses_from_the_same_set_as_helpfulness(spec: str, seed: int, part: float) -> None:
    game = load_game(spec)
    met = list(positions(game, seed))
    position = met[int(part * (len(met) - 1))]
    table, player = both(spec)
    assert set_of(table, position) == set_of(player, position)


def test_from_six_in_a_row_on_the_table_is_only_near_to_helpfulness() -> None:
    game = load_game("mnk(m=9,n=7,k=6)")
    table, player = both("mnk(m=9,n=7,k=6)")
    met = list(positions(game, seed=0, games=2))
    same = sum(set_of(table, position) == set_of(player, position) for position in met)
    assert 0.8 * len(met) < same < len(met)


# The lecture: what the approaches show.


def played(spec: str, moves: list[int]) -> Position:
    """The position after these cells, the player's own moves checked against its set."""
    position = GAME.start
    player = load_player(spec, GAME)
    for number, cell in enumerate(moves):
        move = Move(cell - 1, GAME.marks[position.seat])
        if number % 2:
            assert set_of(player, position) == {move}
        position = GAME.after(position, move)
    return position


@pytest.mark.parametrize("spec", ["magic-square", "magic-square(zero=stops)", "posswin"])
def test_the_worked_example_of_the_lecture(spec: str) -> None:
    blocks = [8, 5, 3, 4, 6, 1, 2, 9]
    position = played(spec, [square.NUMBERS.index(block) + 1 for block in blocks])
    outcome = GAME.outcome(position)
    assert outcome and outcome.winner == 1


def test_every_line_of_the_magic_square_sums_to_15_and_nothing_else_does() -> None:
    lines = {line for cell in GAME.grid.cells for line in GAME.grid.lines_from(cell, 3)}
    sums = {cells for cells in combinations(range(9), 3) if sum(square.NUMBERS[c] for c in cells) == square.TOTAL}
    assert {tuple(sorted(line)) for line in lines} == sums


def test_the_magic_cube_has_the_sum_in_37_of_49_lines_and_in_many_triples_that_are_none() -> None:
    game = load_game("tic-tac-toe-3d")
    lines = {tuple(sorted(line)) for cell in game.grid.cells for line in game.grid.lines_from(cell, 3)}
    sums = {cells for cells in combinations(range(27), 3) if sum(cube.NUMBERS[c] for c in cells) == cube.TOTAL}
    assert sorted(cube.NUMBERS) == list(range(1, 28))
    assert (len(lines), len(lines & sums), len(sums - lines)) == (49, 37, 48)
    assert all(game.grid.role(line[1]) == "face" for line in lines - sums)  # diagonals of the outer faces


def met_by_chance(games: int) -> set[Position]:
    return set(positions(GAME, seed=5, games=games))


@pytest.mark.parametrize("spec", ["posswin", "magic-square"])
def test_posswin_names_a_winning_square_where_there_is_one(spec: str) -> None:
    player = load_player(spec, GAME)
    assert isinstance(player, PossWin | MagicSquare)
    for position in met_by_chance(300):
        for seat in (0, 1):
            wins = {cell + 1 for cell in winning(GAME, position, seat)} or {0}
            assert player.possible_win(position.marks, GAME.marks[seat]) in wins


def test_a_zero_hides_a_win_from_the_magic_square_as_printed() -> None:
    printed, mended = (load_player(spec, GAME) for spec in ("magic-square(zero=stops)", "magic-square"))
    assert isinstance(printed, MagicSquare) and isinstance(mended, MagicSquare)
    marks = "x.x....x."  # blocks 8 and 4 lack 3, but 8 and 7 lack 0
    assert (printed.possible_win(marks, "x"), mended.possible_win(marks, "x")) == (0, 2)


@pytest.mark.parametrize("spec", LECTURE)
def test_the_lecture_plays_on_after_any_opening(spec: str) -> None:
    """Where others moved before it, a planned square may be taken: then it must still name a legal move."""
    player = load_player(spec, GAME)
    for position in met_by_chance(200):
        assert set_of(player, position) and set_of(player, position) <= set(GAME.moves(position))
        assert player.choose(position, Luck(1)) in set_of(player, position)


def test_make_2_takes_the_center_then_a_square_that_is_no_corner() -> None:
    position = GAME.position("o.. / .x. / ..o", 1)
    assert {move.cell + 1 for move in set_of(load_player("posswin", GAME), position)} == {2, 4, 6, 8}
    assert {move.cell + 1 for move in set_of(load_player("posswin(make2=first)", GAME), position)} == {2}
    beside = GAME.position("oo. / .x. / ...", 1)
    assert {move.cell + 1 for move in set_of(load_player("posswin", GAME), beside)} == {3}  # it blocks first
    corner = GAME.position("x.. / .o. / ..o", 1)
    assert {move.cell + 1 for move in set_of(load_player("posswin(make2=line)", GAME), corner)} == {2, 4}


def test_the_move_table_is_a_vector_of_all_boards() -> None:
    vector = filled("perfect")
    assert vector.shape == (3**9, 9)
    assert index([2] * 9) == 3**9 - 1
    changed = (vector != np.indices((3,) * 9).reshape(9, -1).T).sum(axis=1)
    assert set(changed) == {0, 1} and (changed == 1).sum() == 4520  # the positions of tic-tac-toe that go on
    assert "".join(map(str, vector[0])) == PRINTED[0]
    assert ["".join(map(str, filled("lecture")[i])) for i in PRINTED] == list(PRINTED.values())


def test_the_computed_move_table_plays_perfectly() -> None:
    table, perfect = load_player("move-table", GAME), load_player("minimax(depth=9)", GAME)
    for position in met_by_chance(60):
        assert len(set_of(table, position)) == 1 and set_of(table, position) <= set_of(perfect, position)


# What `verify` says: never-loses, first and second.

VERDICTS = {
    "helpfulness": ("proved", "refuted"),
    "helpfulness(version=1)": ("proved", "refuted"),
    "helpfulness(tie=first)": ("proved", "refuted"),
    "posswin": ("proved", "refuted"),
    "posswin(make2=line)": ("proved", "refuted"),
    "posswin(make2=first)": ("proved", "refuted"),
    "magic-square": ("proved", "refuted"),
    "magic-square(zero=stops)": ("refuted", "refuted"),
    "move-table": ("proved", "proved"),
    "move-table(fill=lecture)": ("proved", "refuted"),
}


@pytest.mark.parametrize("spec", VERDICTS)
def test_what_is_proved_of_them_at_tic_tac_toe(spec: str) -> None:
    player = load_player(spec, GAME)
    for seat, wanted in enumerate(VERDICTS[spec]):
        found = verify(player, GAME, seat)
        assert found.verdict == wanted
        position = GAME.start
        for move in found.game or ():
            assert position.seat != seat or move in set_of(player, position)
            position = GAME.after(position, move)
        outcome = GAME.outcome(position)
        assert (outcome is not None and outcome.winner == 1 - seat) == (wanted == "refuted")


def test_the_magic_cube_can_lose_even_moving_first_for_it_overlooks_lines() -> None:
    game = load_game("tic-tac-toe-3d")
    printed, mended = load_player("magic-cube", game), load_player("magic-cube(wins=lines)", game)
    position = game.start
    for cell in (14, 1, 3, 25, 24):  # 24 completes a sum that is no line, and 1, 13, 25 is a line without the sum
        move = Move(cell - 1, game.marks[position.seat])
        assert position.seat == 1 or move in set_of(printed, position)
        if cell == 24:
            assert move not in set_of(mended, position)
        position = game.after(position, move)
    outcome = game.outcome(game.after(position, Move(13 - 1, "o")))
    assert outcome and outcome.winner == 1


def test_the_mended_magic_cube_wins_from_the_center() -> None:
    game = load_game("tic-tac-toe-3d")
    players = load_player("magic-cube(wins=lines)", game), load_player("random", game)
    for seed in range(10):
        luck, position = Luck(seed), game.start
        while not (outcome := game.outcome(position)):
            position = game.after(position, players[position.seat].choose(position, luck))
        assert outcome.winner == 0


# Games and options that are not theirs.


@pytest.mark.parametrize(
    ("spec", "game", "reason"),
    [
        ("posswin", "mnk(m=4,n=4,k=4)", "tic-tac-toe only"),
        ("magic-square", "misere", "tic-tac-toe only"),
        ("move-table", "connect-four", "tic-tac-toe only"),
        ("magic-cube", "tic-tac-toe-3d(n=4)", "3x3x3"),
        ("magic-cube", "tic-tac-toe", "3x3x3"),
        ("helpfulness", "sos", "in a row"),
        ("helpfulness", "misere", "in a row"),
        ("helpfulness", "reversi", "in a row"),
        ("helpfulness(version=3)", "tic-tac-toe", "1 or 2, not `3`"),
        ("helpfulness(tie=best)", "tic-tac-toe", "random or first or last"),
        ("helpfulness(diagonals=nested)", "tic-tac-toe-3d", "two diagonals"),
        ("posswin(make2=all)", "tic-tac-toe", "any or line or first"),
        ("magic-square(zero=one)", "tic-tac-toe", "skipped or stops"),
        ("move-table(fill=mine)", "tic-tac-toe", "perfect or lecture"),
    ],
)
def test_a_player_refuses_what_it_does_not_know(spec: str, game: str, reason: str) -> None:
    with pytest.raises(TeamplayError, match=reason):
        load_player(spec, load_game(game))


def test_tic_tac_toe_under_another_name_is_tic_tac_toe() -> None:
    game = load_game("mnk(m=3,n=3,k=3)")
    assert all(load_player(spec, game).name for spec in ("posswin", "magic-square", "move-table"))
