"""`show`: every answer is on the screen, on paper and in the JSON, and reads without colour, in any width."""

import io
import json
import random
import re
import shlex
from pathlib import Path

import pytest
from rich.console import Console

from teamplay import library
from teamplay.cli import main
from teamplay.game import Position
from teamplay.game_file import load_game
from teamplay.grid import Grid
from teamplay.luck import Luck
from teamplay.players import team
from teamplay.show.board import Face, draw
from teamplay.show.picture import think, window
from teamplay.show.report import show_picture
from teamplay.team import Team
from tests.golden import HERE, Figure, figures, golden, printed

FIGURES = figures()
TABLES = library.names(".team")


def table(folder: Path, text: str, name: str = "mine") -> str:
    """A table of one's own."""
    path = folder / f"{name}.team"
    path.write_text(text, encoding="utf-8")
    return str(path)


def after_random_moves(playing: Team, seed: int, most: int = 12) -> Position:
    """Some position of the team's game that is not over."""
    game, luck = playing.game, random.Random(seed)
    position = game.start
    for _ in range(luck.randrange(most)):
        following = game.after(position, luck.choice(game.moves(position)))
        if game.outcome(following):
            break
        position = following
    return position


def cells_of(text: str) -> list[str]:
    """What stands in the cells of a board in boxes, row by row."""
    rows = [line.split("│")[1:-1] for line in text.splitlines() if "│" in line]
    return [cell.strip() for row in rows for cell in row]


# The paper's figures


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_a_figure_shows_what_the_paper_says(figure: Figure) -> None:
    shown = figure.picture().to_dict()
    assert shown["priorities"] == figure.priorities, figure.says
    assert shown["best"] == figure.best, figure.says


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_a_figure_is_drawn_as_before(figure: Figure) -> None:
    for name, text in golden(figure).items():
        assert text == (HERE / name).read_text(encoding="utf-8"), f"{name}: see `python -m tests.golden`"


def test_every_golden_drawing_belongs_to_a_figure() -> None:
    drawings = {path.name for path in HERE.iterdir() if path.suffix in (".txt", ".svg")}
    assert drawings == {f"{figure.name}{suffix}" for figure in FIGURES for suffix in (".txt", ".svg")}


# What is shown is what the team thinks


@pytest.mark.parametrize("name", TABLES)
def test_the_choice_shown_is_the_choice_made(name: str) -> None:
    playing = team(name, None)
    for seed in range(5):
        position = after_random_moves(playing, seed)
        picture = think(playing, position, seed)
        assert picture.chosen == playing.choose(position, Luck(seed))
        assert list(picture.best) == playing.best(position, Luck(seed))
        assert len(picture.answers) == playing.asked


def test_the_first_of_a_tie_is_shown_where_the_tie_break_says_so() -> None:
    game = load_game("tic-tac-toe")
    picture = think(team("tic-tac-toe/figure-6", game, tie="first"), game.start, seed=5)
    assert picture.chosen == picture.best[0]


@pytest.mark.parametrize("seed", range(20))
def test_every_cell_of_a_small_board_shows_its_mark_or_its_answer(seed: int) -> None:
    playing = team("tic-tac-toe/figure-13", None)
    picture = think(playing, after_random_moves(playing, seed, most=8), seed)
    shown = cells_of(printed(picture))
    assert {cell for cell, text in enumerate(shown) if text[0] in "[{"} == set(picture.tied)
    assert picture.chosen
    assert [cell for cell, text in enumerate(shown) if text[0] == "{"] == [picture.chosen.cell][: len(picture.tied) - 1]
    for cell, text in enumerate(shown):
        assert text.strip("[]{}()") == (picture.number(cell) or picture.marks[cell])


def test_letters_stand_behind_their_numbers_and_a_tie_of_letters_is_told(tmp_path: Path) -> None:
    name = table(tmp_path, "game sos\neveryone:\n    if n(S*S) >= 1 then return 10 play O\n    return 90 play S or O\n")
    playing = team(name, load_game("sos(n=3)"))
    picture = think(playing, playing.game.position("S.S/.../..."), seed=0)
    assert cells_of(printed(picture)) == ["S", "[10 O]", "S", *["90 ?"] * 6]
    assert "? any letter" in printed(picture)
    shown = picture.to_dict()
    assert shown["letters"] == [None, "O", None, *["S|O"] * 6]
    assert shown["best"] == ["O2"]


def test_silent_taken_and_closed_cells_differ(tmp_path: Path) -> None:
    name = table(tmp_path, "game connect-four\neveryone:\n    if n(xbb) >= 1 then return 3\n")
    playing = team(name, load_game("connect-four(columns=4,rows=4)"))
    picture = think(playing, playing.game.position("..../..../..../x..."), seed=0)
    assert cells_of(printed(picture)) == [*[""] * 8, "[3]", *[""] * 3, "x", "[3]", "[3]", "{3}"]
    assert "an empty cell is closed now" in " ".join(printed(picture).split())
    silent = think(playing, playing.game.start, seed=0)
    assert cells_of(printed(silent))[-4:] == [*["[·]"] * 3, "{·}"]
    assert "Every agent is silent, so all 4 moves tie" in printed(silent)
    assert silent.to_dict()["priorities"] == [None] * 16
    assert silent.to_dict()["best"] == [13, 14, 15, 16]


def test_a_finished_game_is_said_to_be_over() -> None:
    playing = team("tic-tac-toe/figure-15", None)
    picture = think(playing, playing.game.position("ooo/xx./x.."), seed=0)
    assert "The game is over: the opponent (o) wins, 3 in a row." in printed(picture)
    assert cells_of(printed(picture))[:3] == ["[o]"] * 3
    shown = picture.to_dict()
    assert shown["priorities"] == [None] * 9
    assert shown["best"] == []
    assert shown["outcome"] == {"winner": "second", "reason": "3 in a row"}


def test_coins_are_mentioned(tmp_path: Path) -> None:
    playing = team(table(tmp_path, "everyone:\n    return 1 with chance 50%\n    return 2\n"), None)
    pictures = [think(playing, playing.game.start, seed) for seed in range(3)]
    assert len({tuple(picture.answers.items()) for picture in pictures}) > 1
    assert all("coins of seed" in printed(picture) for picture in pictures)


# Any screen


@pytest.mark.parametrize("width", [40, 60, 80, 132])
@pytest.mark.parametrize("name", TABLES)
def test_no_line_is_wider_than_the_screen(name: str, width: int) -> None:
    playing = team(name, None)
    text = printed(think(playing, after_random_moves(playing, width), seed=0), width)
    lines = [line for line in text.splitlines() if not line.startswith("--board ")]  # which is one line to be pasted
    assert max(map(len, lines)) <= width
    assert text == "".join(f"{line.rstrip()}\n" for line in text.splitlines()), "blanks at the end of a line"


@pytest.mark.parametrize("spec", ["gomoku", "gomoku(n=19)"])
def test_large_boards_fit_eighty_columns_whole(spec: str) -> None:
    playing = team("mnk/generic", load_game(spec))
    text = printed(think(playing, after_random_moves(playing, seed=3), seed=0))
    rows = text.split("\n\n")[1].splitlines()[1:]
    assert len(rows) == playing.game.grid.shape[0]
    assert "are shown" not in text


def test_layers_lie_side_by_side_or_below_each_other() -> None:
    faces = {cell: Face(str(cell)) for cell in range(27)}

    def titles(width: int) -> list[int]:
        return [line.plain.count("layer") for line in draw(Grid((3, 3, 3)), faces, [], width) if "layer" in line.plain]

    assert titles(80) == [3]
    assert titles(60) == [3]
    assert titles(24) == [1, 1, 1]


def test_a_very_large_board_is_cut_to_a_window_about_the_most_urgent_cells() -> None:
    faces = {cell: Face("7") for cell in range(100 * 100)}
    best = 63 * 100 + 70
    faces[best] = Face("1", "", "[]")
    lines = [line.plain for line in draw(Grid((100, 100)), faces, [best], 80)]
    assert any("[1]" in line for line in lines)
    assert "The board has 100x100 cells; rows " in lines[-1]
    assert max(map(len, lines)) <= 80
    assert len(lines) < 40


def test_a_window_lies_on_the_board_and_holds_a_cell_that_it_is_about() -> None:
    grid = Grid((50, 30))
    generator = random.Random(4)
    for _ in range(200):
        around = [generator.randrange(grid.size) for _ in range(generator.randrange(1, 5))]
        most = (generator.randrange(1, 60), generator.randrange(1, 60))
        spans = window(grid, around, most)
        places = [grid.coordinates(cell) for cell in around]
        assert any(all(at in span for at, span in zip(place, spans, strict=True)) for place in places)
        for span, limit, side in zip(spans, most, grid.shape, strict=True):
            assert 0 <= span.start <= span.stop <= side
            assert len(span) == min(limit, side)


def test_many_long_numbers_become_ranks_that_the_legend_translates() -> None:
    playing = team("mnk/generic", load_game("gomoku"))
    picture = think(playing, playing.game.start, seed=0)
    text = printed(picture)
    assert f"1 for {min(picture.counts)}: 49 cells" in text
    assert "--by priority shows them" in text
    board = text.split("\n\n")[1]
    assert "8980" not in board
    assert "8980" in printed(picture, by="priority").split("\n\n")[1]
    assert "--by priority shows them" not in printed(picture, by="rank")


def test_numbers_too_long_for_the_width_become_ranks(tmp_path: Path) -> None:
    name = table(tmp_path, "game mnk\neveryone:\n    return 1000 * row + col\n")
    playing = team(name, load_game("mnk(m=20,n=3,k=3)"))
    picture = think(playing, playing.game.start, seed=0)
    few = team(table(tmp_path, "game mnk\neveryone:\n    return 1000000 * row\n", "few"), playing.game)
    wide = think(few, few.game.start, seed=0)
    assert picture.chart().by == "rank", "many long numbers"
    assert wide.chart().by == "priority", "three numbers are read as they are"
    assert "1 for 1000000: 20 cells" in printed(wide, 80), "but not where they don't fit"
    assert "1000000: 20 cells" in printed(wide, 200) and "1 for" not in printed(wide, 200)


def test_colour_adds_nothing_to_the_words() -> None:
    picture = FIGURES[-1].picture()

    def shown(**options: object) -> str:
        paper = io.StringIO()
        console = Console(file=paper, width=80, force_terminal=True, color_system="truecolor", **options)  # type: ignore[arg-type]
        show_picture(console, picture)
        return paper.getvalue()

    escapes = re.compile(r"\x1b\[[0-9;]*m")
    assert escapes.sub("", shown()) == printed(picture)
    # rich remembers the codes of a style from the first console that used it, which may have had fewer colours.
    ground = re.compile(r"\x1b\[(?:[0-9]+;)*(?:48|4[0-7]|10[0-7])[;m]")
    assert ground.search(shown()) and not ground.search(shown(no_color=True))


def test_an_old_terminal_gets_ascii() -> None:
    picture = FIGURES[0].picture()
    paper = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    show_picture(Console(file=paper, width=80), picture)
    paper.seek(0)
    assert "+-----+" in paper.read()


# The command


def test_the_command_prints_json_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "tic-tac-toe/figure-11", "--board", "o.x/o.x/.o.", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == {
        "table": "tic-tac-toe/figure-11",
        "game": "tic-tac-toe",
        "seat": "second",
        "board": "o.x/o.x/.o.",
        "sight": "the lines of 3 cells through its own",
        "asked": 4,
        "priorities": [None, 4, None, None, 3, None, 2, None, 1],
        "rules": [None, "everyone 4", None, None, "preempt", None, "block", None, "win"],
        "states": ["taken", "answers", "taken", "taken", "answers", "taken", "answers", "taken", "answers"],
        "best": [9],
        "chosen": 9,
        "outcome": None,
    }


def test_the_seat_changes_the_name_of_the_marks_but_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for seat in ("first", "second"):
        main(["show", "tic-tac-toe/figure-15", "--board", "o../.x./...", "--seat", seat, "--json"])
        shown.append(json.loads(capsys.readouterr().out))
    assert [each.pop("seat") for each in shown] == ["first", "second"]
    assert shown[0] == shown[1]


def test_a_board_may_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("board.txt", "board"):
        path = tmp_path / name
        path.write_text("o . .\n. x .\n. . .\n")
        assert main(["show", "tic-tac-toe/figure-15", "--board", str(path), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["board"] == "o../.x./..."


@pytest.mark.parametrize(
    ("board", "seat", "line"),
    [
        ("o../.x./...", "first", '--board "o../.x./..."'),
        ("o../.x./...", "second", '--board "o../.x./..." --seat second'),
        ("o../.../...", "second", '--board "o../.../..."'),
    ],
)
@pytest.mark.parametrize("command", ["show", "explain"])
def test_a_position_is_printed_as_options_that_name_it_again(
    command: str, board: str, seat: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "tic-tac-toe/figure-15", "--board", board, "--seat", seat]) == 0
    assert line in capsys.readouterr().out.splitlines()
    shown = []
    for options in (["--board", board, "--seat", seat], shlex.split(line)):
        main([command, "tic-tac-toe/figure-15", "--json", *options])
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]


@pytest.mark.parametrize("command", ["show", "explain"])
def test_a_table_may_come_from_standard_input(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = b"game mnk\neveryone:\n    mine: return 7\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main([command, "-", "--game", "mnk(m=4,n=4,k=3)", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["table"], shown["game"]) == ("standard input", "mnk(m=4,n=4,k=3)")
    assert len(shown["best"]) == 16


def test_a_mistake_in_standard_input_is_reported_as_in_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"everyone:\n    retrun 1\n")))
    assert main(["show", "-"]) == 2
    assert "standard input:2" in capsys.readouterr().err
