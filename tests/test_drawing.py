"""Drawings: SVG that is plain, small, light or dark, with title and legend; PNG; and the files they are written to."""

import struct
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from teamplay import library
from teamplay.cli import main
from teamplay.errors import BadFile, TeamplayError
from teamplay.game_file import load_game
from teamplay.library import save
from teamplay.players import team
from teamplay.show import png
from teamplay.show.chart import BYS, By
from teamplay.show.colours import TIER_FILLS
from teamplay.show.film import film
from teamplay.show.picture import Picture, think
from teamplay.show.svg import board, drawn
from tests.golden import IMAGES, figures, images, printed
from tests.test_show import after_random_moves, table

FIGURES = figures()
TABLES = library.names(".team")
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "style", "g", "path", "text"}
SHOW = ["show", "tic-tac-toe/figure-6", "--svg"]


def parsed(picture: Picture, by: By | None = None, agent: int | None = None) -> ET.Element:
    return ET.fromstring(drawn(picture, by, agent))


def texts_of(svg: str) -> list[str]:
    return [str(element.text) for element in ET.fromstring(svg).iter(f"{SVG}text")]


# What is drawn


@pytest.mark.parametrize("by", BYS)
@pytest.mark.parametrize("name", TABLES)
def test_a_drawing_is_plain_small_and_always_the_same(name: str, by: By) -> None:
    playing = team(name, None)
    picture = think(playing, after_random_moves(playing, seed=2), seed=0)
    agent = 0 if by == "sight" else None
    text = drawn(picture, by, agent)
    root = ET.fromstring(text)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ELEMENTS
    assert "href" not in text and "url(" not in text and "@import" not in text and "style=" not in text
    assert len(text) < 7_000 + 400 * playing.game.grid.size
    assert text == drawn(think(team(name, None), picture.position, seed=0), by, agent)


def test_a_drawing_holds_every_answer_and_sets_the_choice_apart_from_its_ties() -> None:
    for figure in FIGURES:
        picture = figure.picture()
        text = drawn(picture)
        words = texts_of(text)
        for number in ("a", "b", "c", *(picture.number(cell) for cell in picture.answers)):
            assert number in words
        paths = [path for path in ET.fromstring(text).iter(f"{SVG}path") if path.get("fill") == "none"]
        thin = [
            path.get("d", "").count("M")
            for path in paths
            if path.get("stroke-width") == "1.5" and "on0" in str(path.get("class"))
        ]
        assert sum(thin) == (len(figure.best) if len(figure.best) > 1 else 0), "its ties, and one in the legend"
        assert picture.chosen
        bold = [group for group in ET.fromstring(text).iter(f"{SVG}g") if group.get("font-weight") == "bold"]
        assert [element.text for element in bold[-1]] == [picture.number(picture.chosen.cell)]


def test_a_drawing_has_its_title_and_legend_in_sight() -> None:
    picture = FIGURES[-1].picture()
    words = " ".join(texts_of(drawn(picture)))
    assert "plays tic-tac-toe in the" in words
    assert "the team the opponent" in words and "Priorities, 1 the most urgent:" in words
    for priority, cells in picture.counts.items():
        assert f"{priority}: {cells} cell" in words


def test_a_drawing_is_light_and_becomes_dark_where_the_screen_is() -> None:
    text = drawn(FIGURES[0].picture())
    style = ET.fromstring(text).find(f"{SVG}style")
    assert style is not None and str(style.text).startswith("@media (prefers-color-scheme:dark){")
    for number, colours in enumerate(TIER_FILLS["dark"]):
        assert f".tp-tier{number}{{fill:{colours.ground}}}" in str(style.text)
    assert f'class="tp-tier0" fill="{TIER_FILLS["light"][0].ground}"' in text
    classes = {element.get("class") for element in ET.fromstring(text).iter()} - {None}
    assert all(f".{name}{{" in str(style.text) for name in classes), "every class has its dark colour"


def test_the_last_move_has_a_corner_and_a_word() -> None:
    playing = team("tic-tac-toe/figure-15", None)
    game = playing.game
    position = game.after(game.start, game.parse_move("5", 0))
    text = drawn(think(playing, position, seed=0))
    assert "the last move" in texts_of(text)
    assert text.count("h-11l11 11z") == 2, "on the board and in the legend"
    assert board(game, position).count("h-11l11 11z") == 1
    assert "the last move" not in texts_of(drawn(think(playing, game.start, seed=0)))


def test_by_sight_exactly_the_cells_that_the_agent_knows_are_hatched() -> None:
    picture = FIGURES[0].picture()
    root = parsed(picture, "sight", 0)
    hatched = [path for path in root.iter(f"{SVG}path") if path.get("class") == "tp-hatch-line"]
    strokes = hatched[0].get("d", "").count("M")
    assert len(hatched) == 2, "the board and the legend"
    assert strokes == len(picture.team.book.sight(0)) * 11


@pytest.mark.parametrize("seed", range(4))
def test_a_large_board_is_cut_to_a_window_with_the_choice_and_says_so(seed: int) -> None:
    playing = team("mnk/generic", load_game("mnk(m=60,n=45,k=5)"))
    picture = think(playing, playing.game.start, seed)
    assert picture.chosen and len(picture.tied) > 100
    svg = drawn(picture)
    words = " ".join(texts_of(svg))
    assert "The board has 45x60 cells; rows " in words and "are shown" in words
    row, column = playing.game.grid.coordinates(picture.chosen.cell)
    name = playing.game.grid.format_cell(picture.chosen.cell)
    assert str(row + 1) in texts_of(svg) and name.rstrip("0123456789") in texts_of(svg), (row, column)
    text = printed(picture)
    assert "{1}" in text, "the choice is in the window of the screen too"


def test_a_game_on_a_large_board_says_what_is_shown() -> None:
    game = load_game("mnk(m=50,n=50,k=5)")
    svg = board(game, game.after(game.start, game.parse_move("2500", 0)))
    assert "The board has 50x50 cells; rows 11 to 50 and columns k to ax are shown." in " ".join(texts_of(svg))


def test_a_film_has_one_style_sheet() -> None:
    game = load_game("tic-tac-toe")
    text = film(game, [game.parse_move(cell, ply % 2) for ply, cell in enumerate("519")], "a game")
    assert (text.count("<style>"), text.count("<svg")) == (1, 4)


@pytest.mark.parametrize(("name", "title"), [("notakto/basic", "board"), ("mnk/generic", "layer")])
def test_layers_and_boards_are_drawn_by_name(name: str, title: str) -> None:
    playing = team(name, load_game("tic-tac-toe-3d") if name == "mnk/generic" else None)
    words = texts_of(drawn(think(playing, playing.game.start, seed=0)))
    assert [word for word in words if word.startswith(title)] == [f"{title} {i}" for i in (1, 2, 3)]


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


def test_the_pictures_of_the_docs_are_as_they_are_drawn_now() -> None:
    for name, text in images().items():
        assert text == (IMAGES / name).read_text(encoding="utf-8"), f"{name}: see `python -m tests.golden`"


# Where it is written


def test_the_command_writes_the_drawing_beside_its_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.svg"
    assert main([*SHOW, str(path)]) == 0
    said = capsys.readouterr().out
    assert "9 of 9 agents were asked" in said and "".join(said.split()).endswith(f"Wrote{path}.")
    assert ET.parse(path).getroot().tag == f"{SVG}svg"


def test_a_dash_is_standard_output_and_nothing_else_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*SHOW, "-"]) == 0
    assert ET.fromstring(capsys.readouterr().out).tag == f"{SVG}svg"
    assert list(tmp_path.iterdir()) == []


def test_a_name_in_png_gets_a_png(tmp_path: Path) -> None:
    if not png._has_fonts():
        pytest.skip("this system has no font")
    path = tmp_path / "board.PNG"
    assert main([*SHOW, str(path)]) == 0
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    root = parsed(think(team("tic-tac-toe/figure-6", None), load_game("tic-tac-toe").start))
    size = struct.unpack(">II", data[16:24])
    assert size == (2 * int(str(root.get("width"))), 2 * int(str(root.get("height"))))


def test_without_the_library_a_png_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    png._has_fonts.cache_clear()
    assert main([*SHOW, str(tmp_path / "board.png")]) == 2
    assert "pip install 'teamplay[png]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_png_without_a_font_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "_rendered", lambda svg: b"the same, with or without text")
    png._has_fonts.cache_clear()
    with pytest.raises(TeamplayError, match="A PNG needs a font"):
        png.png("<svg/>")
    png._has_fonts.cache_clear()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([""], "--svg needs the name of a file, such as board.svg, or - for standard output."),
        (["board.pdf"], "`board.pdf` must end in .svg or .png"),
        (["board"], "`board` must end in .svg or .png"),
        (["-", "--json"], "--svg - and --json would both write to standard output"),
    ],
)
def test_other_names_are_refused(
    options: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*SHOW, *options]) == 2
    assert sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_exists_is_overwritten_only_by_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.svg"
    path.write_text("mine")
    assert main([*SHOW, str(path)]) == 2
    captured = capsys.readouterr()
    assert "exists already; --force overwrites it" in captured.err and captured.out == ""
    assert path.read_text() == "mine"
    assert main([*SHOW, str(path), "--force"]) == 0
    assert path.read_bytes() != b"mine"
