"""The rules of every game: what is legal and why not, who moves next, what scores, how it ends and why."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from teamplay import library
from teamplay.errors import BadFile, BadSpec, IllegalMove
from teamplay.game import BLANK, Game, Move, Outcome, Position
from teamplay.game_file import load_game
from tests import naive

SHIPPED = library.names(".toml")

TIC_TAC_TOE_LINES = ["123", "456", "789", "147", "258", "369", "159", "357"]


def play(game: Game, moves: str, position: Position | None = None) -> Position:
    """The position after moves as people write them, parted by spaces."""
    position = position or game.start
    for text in moves.split():
        position = game.after(position, game.parse_move(text, position.seat))
    return position


def marks(drawing: str) -> str:
    """The marks of a drawing as they stand, whoever moves."""
    return drawing.replace("/", "").replace(" ", "")


def open_cells(game: Game, position: Position) -> list[int]:
    """The cells of the legal moves, counted from 1."""
    return sorted({move.cell + 1 for move in game.moves(position)})


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Game]:
    """Loads a game from the text of a game file."""

    def load(text: str) -> Game:
        path = tmp_path / "written.toml"
        path.write_text(text)
        return load_game(str(path))

    return load


# Tic-tac-toe: a line wins


def test_the_first_player_begins_and_the_turn_alternates() -> None:
    game = load_game("tic-tac-toe")
    assert game.start == Position(".........", 0)
    assert [play(game, moves).seat for moves in ("", "5", "5 1", "5 1 9")] == [0, 1, 0, 1]
    assert play(game, "5 1 9") == Position("o...x...x", 1)


def test_a_position_remembers_the_last_move_but_is_not_another_position_for_it() -> None:
    game = load_game("tic-tac-toe")
    one, other = play(game, "1 5 9"), play(game, "9 5 1")
    assert (one.last, other.last) == (Move(8, "x"), Move(0, "x"))
    assert one == other
    assert hash(one) == hash(other)


def test_legal_moves_are_the_blank_cells_in_order_with_ones_own_mark() -> None:
    game = load_game("tic-tac-toe")
    assert game.moves(play(game, "5")) == [Move(cell, "o") for cell in (0, 1, 2, 3, 5, 6, 7, 8)]


def test_successors_are_the_legal_moves_and_what_comes_of_them() -> None:
    game = load_game("tic-tac-toe")
    position = play(game, "5 1")
    assert list(game.successors(position)) == [(move, game.after(position, move)) for move in game.moves(position)]


@pytest.mark.parametrize("cells", TIC_TAC_TOE_LINES)
@pytest.mark.parametrize("seat", [0, 1])
def test_each_of_the_eight_lines_wins_for_each_player(cells: str, seat: int) -> None:
    game = load_game("tic-tac-toe")
    line = tuple(int(cell) - 1 for cell in cells)
    marks = "".join("xo"[seat] if cell in line else BLANK for cell in range(9))
    assert game.outcome(Position(marks, 1 - seat)) == Outcome(seat, "3 in a row", line)


def test_a_full_board_without_a_line_is_a_draw() -> None:
    game = load_game("tic-tac-toe")
    assert game.outcome(play(game, "5 1 3 7 4 6 2 8 9")) == Outcome(None, "no move is left")


def test_a_line_on_the_last_cell_wins_rather_than_draws() -> None:
    game = load_game("tic-tac-toe")
    position = play(game, "1 2 3 4 6 5 8 7")
    assert game.outcome(position) is None
    assert game.outcome(play(game, "9", position)) == Outcome(0, "3 in a row", (2, 5, 8))


def test_no_move_is_legal_once_the_game_is_over() -> None:
    game = load_game("tic-tac-toe")
    assert game.moves(play(game, "1 4 2 5 3")) == []


# Misère: a line loses


@pytest.mark.parametrize("seat", [0, 1])
def test_in_misere_who_makes_the_line_loses(seat: int) -> None:
    game = load_game("misere")
    marks = "xxx......" if seat == 0 else "ooo......"
    assert game.outcome(Position(marks, 1 - seat)) == Outcome(1 - seat, "3 in a row loses", (0, 1, 2))
    assert game.outcome(play(game, "1 4 2 5 3")) == Outcome(1, "3 in a row loses", (0, 1, 2))


def test_in_misere_a_full_board_is_a_draw_too() -> None:
    assert load_game("misere").outcome(Position("oxxxoooxx", 1)) == Outcome(None, "no move is left")


# Three dimensions


def test_a_cube_has_49_lines_and_each_wins() -> None:
    game = load_game("tic-tac-toe-3d")
    lines = {line for cell in game.grid.cells for line in game.lines_through(cell)}
    assert len(lines) == 49
    for line in lines:
        marks = "".join("o" if cell in line else BLANK for cell in range(27))
        assert game.outcome(Position(marks, 0)) == Outcome(1, "3 in a row", line)


@pytest.mark.parametrize("line", ["1,1,1 2,2,2 3,3,3", "1,1,2 2,2,2 3,3,2", "1,2,3 2,2,3 3,2,3", "3,1,1 2,2,2 1,3,3"])
def test_a_line_may_run_through_all_three_layers(line: str) -> None:
    game = load_game("tic-tac-toe-3d")
    first, second, third = line.split()
    position = play(game, f"{first} 7 {second} 8 {third}")
    outcome = game.outcome(position)
    assert outcome is not None
    assert (outcome.winner, set(outcome.line)) == (0, {game.grid.parse_cell(cell) for cell in line.split()})


def test_qubic_is_the_cube_of_four() -> None:
    game = load_game("tic-tac-toe-3d(n=4)")
    assert len({line for cell in game.grid.cells for line in game.lines_through(cell)}) == 76


# m,n,k and gomoku


def test_mnk_has_m_columns_and_n_rows() -> None:
    game = load_game("mnk(m=7,n=2,k=3)")
    assert game.grid.shape == (2, 7)
    assert game.k == 3
    assert str(game) == "mnk(m=7,n=2,k=3)"


def test_only_the_parameters_that_were_given_are_named_and_in_the_order_of_the_file() -> None:
    assert str(load_game("mnk")) == "mnk"
    assert str(load_game("mnk( k = 3 , m=4 )")) == "mnk(m=4,k=3)"


def test_k_beyond_the_board_can_never_be_reached() -> None:
    game = load_game("mnk(m=2,n=2,k=3)")
    assert game.outcome(play(game, "1 2 3 4")) == Outcome(None, "no move is left")


def test_longer_rows_win_in_gomoku() -> None:
    game = load_game("gomoku(n=6)")
    position = game.position("xx.xxx/....../oo.oo./....../....../......", seat=0)
    assert game.outcome(position) is None
    assert game.outcome(play(game, "3", position)) == Outcome(0, "5 in a row", (0, 1, 2, 3, 4))


def test_gomoku_lines_do_not_run_round_the_edge() -> None:
    game = load_game("gomoku(n=6)")
    assert game.outcome(game.position("...xxx/xx..../....../....../....../......", seat=1)) is None


# Connect four: pieces drop


def test_at_first_only_the_bottom_row_is_open() -> None:
    game = load_game("connect-four")
    assert game.grid.shape == (6, 7)
    assert open_cells(game, game.start) == [36, 37, 38, 39, 40, 41, 42]


def test_a_piece_opens_the_cell_above_it_and_a_full_column_is_closed() -> None:
    game = load_game("connect-four(columns=2,rows=3)")
    assert open_cells(game, play(game, "5")) == [3, 6]
    assert open_cells(game, play(game, "5 3 1")) == [6]


@pytest.mark.parametrize(
    ("drawing", "move", "line"),
    [
        ("......./......./......./......./......./xxx.ooo", "39", "36 37 38 39"),
        ("......./......./......./x....../x....../x...ooo", "15", "15 22 29 36"),
        ("......./......./......./..xo.../.xoo.../xoox...", "18", "18 24 30 36"),
        ("......./......./......./...ox../...oox./...xoox", "18", "18 26 34 42"),
    ],
)
def test_connect_four_wins_along_rows_columns_and_both_diagonals(drawing: str, move: str, line: str) -> None:
    game = load_game("connect-four")
    before = game.position(drawing, seat=0)
    assert game.outcome(before) is None
    cells = tuple(sorted(int(cell) - 1 for cell in line.split()))
    outcome = game.outcome(play(game, move, before))
    assert outcome is not None
    assert (outcome.winner, outcome.reason, tuple(sorted(outcome.line))) == (0, "4 in a row", cells)


def test_in_space_pieces_drop_within_their_layer(written: Callable[[str], Game]) -> None:
    game = written('board = [2, 2, 2]\nplacement = "drop"\n[goal]\nline = 2')
    assert open_cells(game, game.start) == [3, 4, 7, 8]


# SOS: letters, points, another turn


def test_both_players_may_place_both_letters() -> None:
    game = load_game("sos(n=2)")
    assert [game.format_move(move) for move in game.moves(game.start)] == [
        "S1",
        "O1",
        "S2",
        "O2",
        "S3",
        "O3",
        "S4",
        "O4",
    ]
    assert play(game, "S1 S2 O3").marks == "SSO."


def test_an_sos_is_a_point_and_another_turn() -> None:
    game = load_game("sos(n=3)")
    position = play(game, "S1 O2 S3")
    assert (position.scores, position.seat) == ((1, 0), 0)
    position = play(game, "S1 S4 O2 S3")
    assert (position.scores, position.seat) == ((0, 1), 1)


def test_without_a_point_the_turn_passes_and_old_words_do_not_count_again() -> None:
    game = load_game("sos(n=3)")
    position = play(game, "S1 O2 S3 S7")
    assert (position.scores, position.seat) == ((1, 0), 1)


@pytest.mark.parametrize(
    ("drawing", "move", "points"),
    [
        ("SOS/.../...", "S4", 0),
        ("SO./.../...", "S3", 1),
        ("S.S/.../...", "O2", 1),
        (".OS/.../...", "S1", 1),
        ("SSS/S.S/SSS", "O5", 4),
        ("SO./.OO/S.S", "S3", 3),
        ("SSS/S.S/SSS", "S5", 0),
        ("OSO/.../...", "O4", 0),
    ],
)
def test_every_sos_through_the_new_letter_counts_once(drawing: str, move: str, points: int) -> None:
    game = load_game("sos(n=3)")
    assert play(game, move, game.position(drawing, seat=1)).scores == (0, points)


def test_eight_sos_can_be_made_at_once() -> None:
    game = load_game("sos")
    position = play(game, "S13", game.position("S.S.S/.OOO./SO.OS/.OOO./S.S.S"))
    assert (position.scores, position.seat) == ((8, 0), 0)


def test_most_points_win_when_the_board_is_full() -> None:
    game = load_game("sos(rows=1,columns=4)")
    assert game.outcome(play(game, "S1 S4 O2 S3")) == Outcome(1, "1 to 0 in points")
    assert game.outcome(play(game, "S1 S4 O2 O3")) == Outcome(None, "0 to 0 in points")


def test_points_do_not_end_a_game_of_sos() -> None:
    game = load_game("sos(n=3)")
    assert game.outcome(play(game, "S1 O2 S3")) is None


def test_sos_corners_begins_with_four_letters_and_never_gives_another_turn() -> None:
    game = load_game("sos-corners")
    assert game.start.marks == "S...S" + "." * 15 + "S...S"
    position = play(game, "S3 O2 O4")
    assert (position.scores, position.seat) == ((1, 1), 1)


def test_sos_line_is_won_by_who_completes_the_first_sos_whoever_placed_its_letters() -> None:
    game = load_game("sos-line(n=5)")
    assert game.outcome(play(game, "S1 O2 S3")) == Outcome(0, "SOS", (0, 1, 2))
    assert game.outcome(play(game, "S1 S5 O2 S3")) == Outcome(1, "SOS", (0, 1, 2))
    assert game.outcome(play(game, "O1 O2 O3 O4 O5")) == Outcome(None, "no move is left")


def test_a_word_counts_in_both_directions_but_not_round_a_corner(written: Callable[[str], Game]) -> None:
    game = written('board = [2, 2]\nmarks = { shared = ["A", "B", "C"] }\n[goal]\nword = "AB"\neffect = "scores"')
    assert play(game, "A1 B2").scores == (0, 1)
    assert play(game, "B1 A2").scores == (0, 1)
    assert play(game, "A1 C2 B3 B4").scores == (1, 1)


# Reversi: flank, turn, pass


def test_reversi_begins_with_four_marks_and_four_moves_for_black() -> None:
    game = load_game("reversi")
    assert game.start == game.position(
        "......../......../......../...ox.../...xo.../......../......../........", seat=0
    )
    assert [game.grid.format_cell(move.cell) for move in game.moves(game.start)] == ["d3", "c4", "f5", "e6"]


def test_a_mark_turns_what_it_flanks_in_all_eight_directions() -> None:
    game = load_game("reversi(n=6)")
    before = game.position("x.x.x. / .ooo.. / xo.ox. / .ooo.. / x.x.x. / ......", seat=0)
    assert play(game, "c3", before).marks == marks("x.x.x. / .xxx.. / xxxxx. / .xxx.. / x.x.x. / ......")


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("xooo.. o.....", "e1", "xxxxx. o....."),  # a run of several
        ("xo.ox. ......", "c1", "xxxxx. ......"),  # on both sides
        ("xooxo. ......", "f1", "xooxxx ......"),  # only up to the next own mark
        ("xo.oo. ......", "c1", "xxxoo. ......"),  # a run into blank cells stays
        (".oooox .o....", "a1", "xxxxxx .o...."),  # a run along a whole edge
    ],
)
def test_runs_turn_only_between_two_own_marks(before: str, move: str, after: str) -> None:
    game = load_game("reversi(n=6)")
    rest = " ......" * 4
    position = game.position((before + rest).replace(" ", "/"), seat=0)
    assert play(game, move, position).marks == marks(after + rest)


def test_marks_that_are_turned_do_not_turn_others() -> None:
    game = load_game("reversi(n=4)")
    before = game.position("xo../.o../.x../....", seat=0)
    assert play(game, "c1", before).marks == marks("xxx./.o../.x../....")


def test_a_player_who_cannot_move_is_passed_over() -> None:
    game = load_game("reversi(n=4)")
    position = play(game, "c1", game.position("xo../..../xoo./....", seat=0))
    assert position.marks == marks("xxx./..../xoo./....")
    assert position.seat == 0
    assert open_cells(game, position) == [12]


def test_the_game_ends_when_neither_can_move_though_cells_are_blank() -> None:
    game = load_game("reversi(n=4)")
    position = play(game, "c1 d3", game.position("xo../..../xoo./....", seat=0))
    assert game.moves(position) == []
    assert game.outcome(position) == Outcome(0, "7 marks to 0")


def test_equal_numbers_of_marks_are_a_draw() -> None:
    game = load_game("reversi(n=4)")
    assert game.outcome(game.position("xxxx/xxxx/oooo/oooo")) == Outcome(None, "8 marks to 8")


def test_a_drawing_in_which_the_seat_to_move_must_pass_is_refused() -> None:
    game = load_game("reversi(n=4)")
    with pytest.raises(BadSpec, match=r"^x must pass in this position of reversi\(n=4\); draw it from the other side"):
        game.position("ooo./..../oxx./....", seat=1)


def test_asking_for_lines_does_not_change_the_moves_of_a_game_without_lines() -> None:
    game = load_game("reversi(n=4)")
    assert [game.lines_through(cell) for cell in game.grid.cells] == [[]] * 16
    assert len(game.moves(game.start)) == 4


# Mechanics that no shipped game combines


def test_wild_tic_tac_toe_is_won_by_who_completes_a_line_of_either_mark(written: Callable[[str], Game]) -> None:
    game = written('board = [3, 3]\nmarks = { shared = ["X", "O"] }\n[goal]\nline = 3')
    assert game.outcome(play(game, "X1 X2 X3")) == Outcome(0, "3 in a row", (0, 1, 2))
    assert game.outcome(play(game, "X1 O4 O5 O6")) == Outcome(1, "3 in a row", (3, 4, 5))


@pytest.mark.parametrize(
    ("board", "exact", "any_length"),
    [
        ("XXXX", 0, 2),
        ("XXX.", 1, 1),
        ("OXXX", 1, 1),
        ("XXOO", 0, 0),
        ("X.../.X../..X./...X", 0, 2),
        ("X.../.X../..X.", 1, 1),
    ],
)
def test_where_the_length_is_exact_a_longer_row_does_not_count(
    board: str, exact: int, any_length: int, written: Callable[[str], Game]
) -> None:
    rows = board.count("/") + 1
    for line, met in (("line = 3\nexact = true", exact), ("line = 3", any_length)):
        game = written(f'board = [{rows}, 4]\nmarks = {{ shared = ["X", "O"] }}\n[goal]\n{line}\n')
        assert len(list(game.met_lines(game.position(board)))) == met


def test_a_word_of_own_marks_belongs_to_who_completes_it(written: Callable[[str], Game]) -> None:
    game = written('board = [1, 4]\n[goal]\nword = "xoo"')
    assert game.outcome(play(game, "1 2 4 3")) == Outcome(1, "xoo", (0, 1, 2))
    game = written('board = [1, 4]\n[goal]\nword = "oox"')
    assert game.outcome(play(game, "4 1 3")) is None
    assert game.outcome(play(game, "4 1 3 2")) == Outcome(1, "oox", (0, 1, 2))


def test_marks_that_turn_can_complete_a_line_far_from_the_move(written: Callable[[str], Game]) -> None:
    game = written('board = [4, 4]\nplacement = "flank"\nstart = { x = [[1, 1]], o = [[1, 2]] }\n[goal]\nline = 4')
    position = play(game, "c1", game.position("xo../.x../.x../.x..", seat=0))
    assert position.marks == marks("xxx./.x../.x../.x..")
    assert game.outcome(position) == Outcome(0, "4 in a row", (1, 5, 9, 13))


def test_lines_can_score_and_give_another_turn(written: Callable[[str], Game]) -> None:
    game = written('board = [2, 3]\nturns = "again"\n[goal]\nline = 2\neffect = "scores"')
    position = play(game, "1 3 2")
    assert (position.scores, position.seat) == ((1, 0), 0)
    assert play(game, "5", position).scores == (3, 0)


# Illegal moves say why


@pytest.mark.parametrize(
    ("spec", "moves", "move", "reason"),
    [
        ("tic-tac-toe", "", Move(9, "x"), "There is no cell 10; the cells are 1 to 9."),
        ("tic-tac-toe", "", Move(-1, "x"), "There is no cell 0; the cells are 1 to 9."),
        ("tic-tac-toe", "5", Move(4, "o"), "Cell 5 is taken by x."),
        ("tic-tac-toe", "5", Move(0, "x"), "`x` can't be placed in cell 1; o can."),
        ("tic-tac-toe", "", Move(0, "."), "`.` can't be placed in cell 1; x can."),
        ("tic-tac-toe", "1 4 2 5 3", Move(8, "o"), "The game is over (3 in a row); cell 9 can no longer be played."),
        ("misere", "1 4 2 5 3", Move(8, "o"), "The game is over (3 in a row loses); cell 9 can no longer be played."),
        ("connect-four", "", Move(34, "x"), "Cell 35 can't be played: the cell below it is empty, and pieces drop."),
        ("connect-four", "36", Move(35, "o"), "Cell 36 is taken by x."),
        ("reversi", "", Move(0, "x"), "Cell 1 can't be played: it would flank no mark of the opponent."),
        ("reversi", "", Move(27, "x"), "Cell 28 is taken by o."),
        ("sos", "", Move(0, "x"), "`x` can't be placed in cell 1; S or O can."),
        ("sos-corners", "", Move(0, "O"), "Cell 1 is taken by S."),
        ("sos-line(n=3)", "S1 O2 S3", Move(0, "S"), "The game is over (SOS); cell 1 can no longer be played."),
    ],
)
def test_an_illegal_move_names_the_cell_and_the_reason(spec: str, moves: str, move: Move, reason: str) -> None:
    game = load_game(spec)
    with pytest.raises(IllegalMove) as caught:
        game.after(play(game, moves), move)
    assert str(caught.value) == reason


# What a seat sees


@pytest.mark.parametrize(("moves", "seen"), [("", "bbbbbbbbb"), ("1 5", "xbbbobbbb"), ("1 5 9", "obbbxbbbo")])
def test_the_seat_to_move_sees_its_own_marks_as_x(moves: str, seen: str) -> None:
    game = load_game("tic-tac-toe")
    assert game.seen(play(game, moves)) == seen


def test_letters_are_seen_as_they_are() -> None:
    game = load_game("sos(n=2)")
    assert game.seen(play(game, "S1 O2 S4")) == "SObS"


def test_an_agent_may_see_the_marks_of_the_game_and_blanks() -> None:
    assert load_game("reversi").visible_marks == ("x", "o", "b")
    assert load_game("sos").visible_marks == ("S", "O", "b")


# Boards and moves as text


@given(st.sampled_from(["tic-tac-toe", "tic-tac-toe-3d", "connect-four", "sos(n=4)", "reversi(n=4)"]), st.data())
def test_what_is_written_of_a_position_reads_back_as_it_was(spec: str, data: st.DataObject) -> None:
    game = load_game(spec)
    position = game.start
    for _ in range(data.draw(st.integers(0, 8))):
        if not (moves := game.moves(position)):
            break
        move = data.draw(st.sampled_from(moves))
        assert game.parse_move(game.format_move(move), position.seat) == move
        position = game.after(position, move)
    assert game.parse_board(game.format_board(position.marks)) == position.marks
    assert BLANK not in game.seen(position) and "b" not in game.drawn(position)
    if game.moves(position):
        again = game.position(game.drawn(position), position.seat)
        assert (again.marks, again.seat) == (position.marks, position.seat)


# Positions from drawings


@pytest.mark.parametrize(
    "drawing",
    [
        "x.o/.x./..o",
        "x.o\n.x.\n..o",
        "x.o.x...o",
        "x . o . x . . . o",
        "x | . | o / . | x | . / . | . | o",
        "XbO/bXb/bbO",
        "x_o/_x_/__o",
        "x-o/-x-/--o",
        "x·o/·x·/··o",
        "\n  x . o\r\n  . x .\r\n  . . o\n\n",
    ],
)
def test_a_drawing_may_be_written_in_many_ways(drawing: str) -> None:
    assert load_game("tic-tac-toe").position(drawing) == Position("x.o.x...o", 0)


@pytest.mark.parametrize(
    "drawing",
    [
        "x./.o//../.x",
        "x.\n.o\n\n..\n.x",
        "x..o...x",
        "x. / .o / .. / .x",
    ],
)
def test_layers_are_separated_by_double_slashes_or_empty_lines(drawing: str) -> None:
    assert load_game("tic-tac-toe-3d(n=2)").position(drawing, seat=0) == Position("x..o...x", 0)


def test_letters_are_drawn_as_they_are_in_either_case() -> None:
    game = load_game("sos(n=2)")
    assert game.position("S./.O") == game.position("s./.o") == game.position("sb/bO") == Position("S..O", 0)


def test_a_shared_mark_b_is_not_a_blank(written: Callable[[str], Game]) -> None:
    game = written('board = [1, 3]\nmarks = { shared = ["B"] }\n[goal]\nline = 3')
    assert game.position("Bb.").marks == "B.."


@pytest.mark.parametrize(
    ("drawing", "seat", "position"),
    [
        ("x../.o./...", None, Position("x...o....", 0)),
        ("o../.../...", None, Position("x........", 1)),
        ("oo./.x./...", None, Position("xx..o....", 1)),
        ("x../.../...", None, Position("x........", 0)),
        ("x../.o./...", 0, Position("x...o....", 0)),
        ("x../.o./...", 1, Position("o...x....", 1)),
    ],
)
def test_x_is_the_seat_to_move_and_that_is_the_second_where_o_has_more_pieces(
    drawing: str, seat: int | None, position: Position
) -> None:
    assert load_game("tic-tac-toe").position(drawing, seat) == position


def test_in_letter_games_the_first_seat_moves_unless_told_otherwise() -> None:
    game = load_game("sos(n=2)")
    assert [game.position("S./..", seat).seat for seat in (None, 0, 1)] == [0, 0, 1]


@pytest.mark.parametrize(
    ("spec", "drawing", "error"),
    [
        ("tic-tac-toe", "", "tic-tac-toe has 3 rows of 3 cells; the drawing is empty."),
        ("tic-tac-toe", "x./o.", "tic-tac-toe has 3 rows of 3 cells; the drawing has rows of 2 2 cells."),
        ("tic-tac-toe", ".../..../...", "tic-tac-toe has 3 rows of 3 cells; the drawing has rows of 3 4 3 cells."),
        ("tic-tac-toe", "........", "tic-tac-toe has 3 rows of 3 cells; the drawing has rows of 8 cells."),
        ("tic-tac-toe", "s../.../...", "`s` is not a mark of tic-tac-toe; draw with x o and `.`."),
        ("sos(n=3)", "x../.../...", "`x` is not a mark of sos; draw with S O and `.`."),
        (
            "mnk(m=3,n=2,k=2)",
            "../../..",
            "mnk(m=3,n=2,k=2) has 2 rows of 3 cells; the drawing has rows of 2 2 2 cells.",
        ),
        ("tic-tac-toe-3d", ".../.../...", "tic-tac-toe-3d has 9 rows of 3 cells; the drawing has rows of 3 3 3 cells."),
    ],
)
def test_what_is_no_drawing_of_the_board_is_refused(spec: str, drawing: str, error: str) -> None:
    with pytest.raises(BadSpec) as caught:
        load_game(spec).position(drawing)
    assert str(caught.value) == error


@pytest.mark.parametrize("spec", SHIPPED)
def test_what_a_seat_sees_is_a_drawing_of_its_position(spec: str) -> None:
    game = load_game(spec)
    generator = random.Random(spec)
    position = game.start
    for _ in range(8):
        assert game.position(game.seen(position), position.seat) == replace(position, scores=(0, 0))
        position = game.after(position, generator.choice(game.moves(position)))
        if game.outcome(position):
            break


# Moves as text


@pytest.mark.parametrize(
    ("spec", "text", "move"),
    [
        ("tic-tac-toe", " 5 ", Move(4, "o")),
        ("tic-tac-toe", "b3", Move(7, "o")),
        ("tic-tac-toe", "3,2", Move(7, "o")),
        ("tic-tac-toe-3d", "3,2,1", Move(21, "o")),
        ("sos", "S13", Move(12, "S")),
        ("sos", "s 13", Move(12, "S")),
        ("sos", "O b3", Move(11, "O")),
        ("sos", "ob3", Move(11, "O")),
        ("sos", "S3,2", Move(11, "S")),
        ("notakto", "X5", Move(4, "X")),
        ("notakto", "5", Move(4, "X")),  # there is no other letter
        ("notakto", "1,2,2", Move(4, "X")),
    ],
)
def test_a_move_may_be_written_in_many_ways(spec: str, text: str, move: Move) -> None:
    assert load_game(spec).parse_move(text, player=1) == move


@pytest.mark.parametrize(
    ("spec", "text", "error"),
    [
        ("sos", "13", "`13` is not a move; write S or O and a cell, as `S5`."),
        ("sos", "S", "`S` is not a move; write S or O and a cell, as `S5`."),
        ("sos", "", "`` is not a move; write S or O and a cell, as `S5`."),
        ("sos", "x5", "`x5` is not a move; write S or O and a cell, as `S5`."),
        ("notakto", "X", "`X` is not a cell; write 1 to 27, or layer,row,column as `1,2,3`."),
        ("sos", "S26", "There is no cell 26; the cells are 1 to 25."),
        ("tic-tac-toe", "ten", "`ten` is not a cell; write 1 to 9, a name like `b3`, or row,column as `2,3`."),
    ],
)
def test_what_is_no_move_is_refused(spec: str, text: str, error: str) -> None:
    with pytest.raises(BadSpec) as caught:
        load_game(spec).parse_move(text, player=0)
    assert str(caught.value) == error


@pytest.mark.parametrize("spec", SHIPPED)
def test_a_move_survives_the_way_through_its_text(spec: str) -> None:
    game = load_game(spec)
    for move in game.moves(game.start):
        assert game.parse_move(game.format_move(move), game.start.seat) == move


# Random play on every shipped game


def standing(game: Game, marks: str) -> int:
    """How many lines or words of the goal stand on a board: a full recount."""
    lines = (line for cell in game.grid.cells for line in game.grid.lines_from(cell, game.goal.length or 0))
    texts = ("".join(marks[cell] for cell in line) for line in lines)
    wanted = [mark * (game.goal.length or 0) for mark in game.marks] if game.goal.kind == "line" else [game.goal.word]
    return sum(text in wanted or text[::-1] in wanted for text in texts)


def check_step(game: Game, before: Position, move: Move, after: Position) -> None:
    """A move changes only what it may: its own blank cell, marks that it flanks, the mover's points."""
    assert before.marks[move.cell] == BLANK
    for cell in game.grid.cells:
        old, new = before.marks[cell], after.marks[cell]
        if cell == move.cell:
            assert new == move.mark
        elif old != new:
            assert game.placement == "flank"
            assert (old, new) == (game.marks[1 - before.seat], game.marks[before.seat])
    assert after.scores[1 - before.seat] == before.scores[1 - before.seat]
    assert after.last == move


def check_position(game: Game, position: Position) -> None:
    """What can be recounted agrees, and the outcome does not depend on knowing the last move."""
    if game.goal.effect == "scores":
        assert sum(position.scores) == standing(game, position.marks) - standing(game, game.beginning)
    else:
        assert position.scores == (0, 0)
    known, scanned = game.outcome(position), game.outcome(replace(position, last=None))
    assert (known is None) == (scanned is None) == bool(game.moves(position))
    if known and scanned:
        assert (known.winner, known.reason) == (scanned.winner, scanned.reason)
        marks = "".join(position.marks[cell] for cell in known.line)
        assert not known.line or standing(game, position.marks)
        assert marks in ("", game.goal.word, game.goal.word[::-1]) or marks == marks[0] * (game.goal.length or 0)


@pytest.mark.parametrize("spec", SHIPPED)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_play_never_leaves_the_rules(spec: str, seed: int) -> None:
    game, generator = load_game(spec), random.Random(seed)
    position = game.start
    while moves := game.moves(position):
        check_position(game, position)
        move = generator.choice(moves)
        after = game.after(position, move)
        check_step(game, position, move, after)
        legal = {move.cell for move in moves}
        cell = generator.choice([*(set(game.grid.cells) - legal), game.grid.size])
        with pytest.raises(IllegalMove):
            game.after(position, Move(cell, move.mark))
        position = after
    check_position(game, position)
    assert game.outcome(position)


# Any combination of mechanics, against the naive rules


@st.composite
def game_files(draw: st.DrawFn) -> str:
    """The text of a small game file, its mechanics combined at random."""
    shape = draw(st.one_of(st.tuples(*[st.integers(1, 4)] * 2), st.tuples(*[st.integers(1, 3)] * 3)))
    placement = draw(st.sampled_from(["anywhere", "drop", "flank"]))
    shared = placement != "flank" and draw(st.booleans())
    marks = draw(st.sampled_from([["S", "O"], ["A"], ["A", "B", "C"]])) if shared else ["x", "o"]
    kinds = (
        ["line", "majority"] if placement == "flank" else ["line", "word"] if shared else ["line", "word", "majority"]
    )
    kind = draw(st.sampled_from(kinds))
    effects = (
        ["wins"] if kind == "majority" else ["wins", "loses"] if placement == "flank" else ["wins", "loses", "scores"]
    )
    effect = draw(st.sampled_from(effects))
    turns = draw(st.sampled_from(["alternate", "again"])) if effect == "scores" else "alternate"
    value = {
        "line": str(draw(st.integers(2, 4))),
        "word": f'"{"".join(draw(st.lists(st.sampled_from(marks), min_size=2, max_size=4)))}"',
        "majority": "true",
    }[kind]
    boards = 0
    if kind == "line" and effect != "scores":
        value += f"\nexact = {str(draw(st.booleans())).lower()}"
        if effect == "wins" and draw(st.booleans()):
            value += f'\nfor = "{draw(st.sampled_from(["first", "second"]))}"'
        if len(shape) == 2 and placement != "flank":
            boards = draw(st.integers(0, 3))
    sides = (boards, *shape) if boards else shape
    lowest = [1] * len(sides)
    if placement == "drop":
        lowest[-2] = shape[-2]  # nothing hangs in the air
    places = st.tuples(*map(st.integers, lowest, sides)).map(list)
    chosen = draw(st.lists(places, max_size=4 if placement == "flank" else 2, unique_by=tuple))
    start = {mark: chosen[number :: len(marks)] for number, mark in enumerate(marks)}
    lines = [
        f"board = {list(shape)}",
        *([f"boards = {boards}"] if boards else []),
        f"marks = {{ {'shared' if shared else 'own'} = {str(marks).replace(chr(39), chr(34))} }}",
        f'placement = "{placement}"',
        f'turns = "{turns}"',
        f"start = {{ {', '.join(f'{mark} = {cells}' for mark, cells in start.items())} }}",
        f'[goal]\n{kind} = {value}\neffect = "{effect}"',
    ]
    return "\n".join(lines)


def check_against_naive(game: Game, generator: random.Random) -> None:
    """Play one game by both sets of rules; they agree on every move, turn, point and end."""
    position, state = game.start, naive.begin(game)
    cell_at = {at: cell for cell, at in enumerate(naive.places(game.grid.shape))}
    while True:
        assert naive.stones_of(game, position.marks) == state.stones
        assert (position.seat, position.scores) == (state.player, state.points)
        moves = game.moves(position)
        assert {(move.cell, move.mark) for move in moves} == {
            (cell_at[at], mark) for at, mark in naive.legal(game, state)
        }
        outcome, result = game.outcome(position), naive.result(game, state)
        assert (outcome and (outcome.winner if outcome.winner is not None else "draw")) == result
        if not moves:
            return
        move = generator.choice(moves)
        position = game.after(position, move)
        state = naive.play(game, state, naive.places(game.grid.shape)[move.cell], move.mark)


@settings(max_examples=150, deadline=None)
@given(text=game_files(), seed=st.integers(0, 2**32))
def test_any_mixture_of_mechanics_plays_by_the_naive_rules(
    text: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "mixture.toml"
    path.write_text(text)
    try:
        game = load_game(str(path))
    except BadFile as error:
        assert "it is over before the first move" in str(error)
        reject()
    check_against_naive(game, random.Random(seed))


@pytest.mark.parametrize("spec", SHIPPED)
def test_shipped_games_play_by_the_naive_rules(spec: str) -> None:
    game = load_game(spec)
    for seed in range(2 if game.grid.size > 30 else 10):
        check_against_naive(game, random.Random(f"{spec} {seed}"))
