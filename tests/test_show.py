"""`show`: every answer is on the screen, on paper and in the JSON, and reads without colour, in any width."""

import io
import json
import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from rich.console import Console

from teamplay import library
from teamplay.cli import main
from teamplay.errors import BadFile
from teamplay.game import Position
from teamplay.game_file import load_game
from teamplay.grid import Grid
from teamplay.library import save
from teamplay.luck import Luck
from teamplay.players import team
from teamplay.show.board import Face, draw
from teamplay.show.picture import SHADES, Picture, as_json, think, window
from teamplay.show.svg import drawn
from teamplay.show.terminal import show_picture
from teamplay.team import Team
from tests.golden import HERE, Figure, figures, golden, printed

FIGURES = figures()
TABLES = library.names(".team")
SVG = "{http://www.w3.org/2000/svg}"


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
    shown = as_json(figure.picture())
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
    fenced = {cell for cell, text in enumerate(cells_of(printed(picture))) if text.startswith("[")}
    assert fenced == set(picture.tied)
    for cell, text in enumerate(cells_of(printed(picture))):
        assert text.strip("[]") == (picture.number(cell) or picture.marks[cell])


def test_letters_stand_behind_their_numbers_and_a_tie_of_letters_is_told(tmp_path: Path) -> None:
    name = table(tmp_path, "game sos\neveryone:\n    if n(S*S) >= 1 then return 10 play O\n    return 90 play S or O\n")
    playing = team(name, load_game("sos(n=3)"))
    picture = think(playing, playing.game.position("S.S/.../..."), seed=0)
    assert cells_of(printed(picture)) == ["S", "[10 O]", "S", *["90 ?"] * 6]
    assert "? any letter" in printed(picture)
    shown = as_json(picture)
    assert shown["letters"] == [None, "O", None, *["S|O"] * 6]
    assert shown["best"] == ["O2"]


def test_silent_taken_and_closed_cells_differ(tmp_path: Path) -> None:
    name = table(tmp_path, "game connect-four\neveryone:\n    if n(xbb) >= 1 then return 3\n")
    playing = team(name, load_game("connect-four(columns=4,rows=4)"))
    picture = think(playing, playing.game.position("..../..../..../x..."), seed=0)
    assert cells_of(printed(picture)) == [*[""] * 8, "[3]", *[""] * 3, "x", "[3]", "[3]", "[3]"]
    assert "an empty cell is closed now" in printed(picture)
    silent = think(playing, playing.game.start, seed=0)
    assert cells_of(printed(silent))[-4:] == ["[·]"] * 4
    assert "Every agent is silent, so all 4 moves tie" in printed(silent)
    assert as_json(silent)["priorities"] == [None] * 16
    assert as_json(silent)["best"] == [13, 14, 15, 16]


def test_a_finished_game_is_said_to_be_over() -> None:
    playing = team("tic-tac-toe/figure-15", None)
    picture = think(playing, playing.game.position("ooo/xx./x.."), seed=0)
    assert "The game is over: the opponent (o) wins, 3 in a row." in printed(picture)
    assert cells_of(printed(picture))[:3] == ["[o]"] * 3
    shown = as_json(picture)
    assert shown["priorities"] == [None] * 9
    assert shown["best"] == []
    assert shown["outcome"] == {"winner": "second", "reason": "3 in a row"}


def test_coins_are_mentioned(tmp_path: Path) -> None:
    playing = team(table(tmp_path, "everyone:\n    return 1 with chance 50%\n    return 2\n"), None)
    pictures = [think(playing, playing.game.start, seed) for seed in range(3)]
    assert len({tuple(picture.answers.items()) for picture in pictures}) > 1
    assert all("coins of seed" in printed(picture) for picture in pictures)


def test_the_most_urgent_alone_have_the_hottest_colour() -> None:
    for name in TABLES:
        playing = team(name, None)
        shades = list(think(playing, after_random_moves(playing, seed=1), seed=0).shades.values())
        assert shades == sorted(shades)
        assert shades.count(0) <= 1
        assert all(0 <= shade < SHADES for shade in shades)


# Any screen


@pytest.mark.parametrize("width", [40, 60, 80, 132])
@pytest.mark.parametrize("name", TABLES)
def test_no_line_is_wider_than_the_screen(name: str, width: int) -> None:
    playing = team(name, None)
    text = printed(think(playing, after_random_moves(playing, width), seed=0), width)
    assert max(map(len, text.splitlines())) <= width
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


def test_numbers_too_long_for_the_width_become_places_that_the_legend_translates() -> None:
    playing = team("mnk/generic", load_game("gomoku(n=19)"))
    picture = think(playing, playing.game.start, seed=0)
    text = printed(picture)
    assert f"1 for {min(picture.counts)}" in text
    assert "too long for this width" in text
    assert "too long for this width" not in printed(picture, 120)


def test_colour_adds_nothing_to_the_words() -> None:
    picture = FIGURES[-1].picture()

    def shown(**options: object) -> str:
        paper = io.StringIO()
        console = Console(file=paper, width=80, force_terminal=True, color_system="truecolor", **options)  # type: ignore[arg-type]
        show_picture(console, picture)
        return paper.getvalue()

    escapes = re.compile(r"\x1b\[[0-9;]*m")
    assert escapes.sub("", shown()) == printed(picture)
    assert "48;2" in shown()
    assert "48;2" not in shown(no_color=True)


def test_an_old_terminal_gets_ascii() -> None:
    picture = FIGURES[0].picture()
    paper = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    show_picture(Console(file=paper, width=80), picture)
    paper.seek(0)
    assert "+-----+" in paper.read()


# Paper


def parsed(picture: Picture) -> ET.Element:
    return ET.fromstring(drawn(picture))


@pytest.mark.parametrize("name", TABLES)
def test_a_drawing_is_plain_small_and_always_the_same(name: str) -> None:
    playing = team(name, None)
    picture = think(playing, after_random_moves(playing, seed=2), seed=0)
    text = drawn(picture)
    root = ET.fromstring(text)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {"svg", "title", "desc", "g", "path", "text"}
    assert "href" not in text and "url(" not in text and "style" not in text
    assert len(text) < 2_000 + 150 * playing.game.grid.size
    assert text == drawn(think(team(name, None), picture.position, seed=0))


def test_a_drawing_holds_every_answer_and_frames_the_tie() -> None:
    for figure in FIGURES:
        picture = figure.picture()
        root = parsed(picture)
        texts = [element.text for element in root.iter(f"{SVG}text")]
        names = ["a", "b", "c", "1", "2", "3"]
        assert sorted(texts) == sorted([*names, *(picture.number(cell) for cell in picture.answers)])
        frames = [path for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "3"][-1]
        assert frames.get("d", "").count("M") == len(figure.best)


def test_a_table_with_a_strange_name_is_written_as_text(tmp_path: Path) -> None:
    name = table(tmp_path, "everyone:\n    return 1\n", name='<a&b> "\x07c')
    playing = team(name, None)
    title = parsed(think(playing, playing.game.start, seed=0)).find(f"{SVG}title")
    assert title is not None and title.text is not None
    assert '<a&b> " c' in title.text


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "board.svg"
    save(str(target), "first")
    save(str(target), "second")
    assert target.read_text() == "second"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BadFile, match="cannot be written: No space left"):
        save(str(target), "third")
    assert target.read_text() == "second"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "is a folder"),
        ("missing/board.svg", "No such file"),
        ("file/board.svg", "cannot be written: Not a directory"),
        ("a" * 300, "File name too long"),
        ("nul\0", "is not the name of a file"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match=reason):
        save(f"{tmp_path}/{name}", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_is_one_sentence() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with pytest.raises(BadFile, match="No space left"):
        save("/dev/full", "text" * 10_000)


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


def test_the_command_writes_the_drawing_beside_its_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.svg"
    assert main(["show", "tic-tac-toe/figure-6", "--svg", str(path)]) == 0
    assert "9 of 9 agents were asked" in capsys.readouterr().out
    assert ET.parse(path).getroot().tag == f"{SVG}svg"
