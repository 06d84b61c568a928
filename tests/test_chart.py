"""Views of a picture: tiers that people understand, colours for every kind of sight, and all that a page needs."""

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamplay import library
from teamplay.cli import main
from teamplay.errors import BadSpec
from teamplay.game_file import load_game
from teamplay.players import team
from teamplay.show.chart import BYS, By, Chart
from teamplay.show.colours import RULE_FILLS, TIER_FILLS, Fill, screen_scheme
from teamplay.show.picture import Picture, think
from teamplay.show.svg import drawn
from teamplay.show.tiers import TIERS, tiers
from tests.golden import printed
from tests.test_show import after_random_moves, cells_of

BOARD = "o../.x./..."
LARGE = "x...o...../..x......./.........o/........../...o....../....xx..../........../........../........../.........."


def picture_of(name: str = "tic-tac-toe/figure-15", board: str = BOARD, game: str | None = None) -> Picture:
    playing = team(name, load_game(game) if game else None)
    return think(playing, playing.game.position(board), seed=0)


# Tiers


@given(st.sets(st.integers(-(10**9), 10**9), min_size=1, max_size=300))
def test_tiers_follow_the_priorities_and_the_most_urgent_is_alone(priorities: set[int]) -> None:
    found = tiers(priorities)
    ordered = sorted(priorities)
    shades = [found[priority] for priority in ordered]
    assert set(found) == priorities
    assert shades == sorted(shades) and shades[0] == 0 and shades.count(0) == 1
    assert len(priorities) == 1 or shades[-1] == TIERS - 1
    assert len(set(shades)) == len(priorities) or len(priorities) > TIERS, "up to six have a tier each"


def test_a_priority_of_3_looks_nothing_like_8918() -> None:
    found = tiers([1, 3, *range(8918, 8998)])
    assert (found[1], found[3]) == (0, 1)
    assert {found[priority] for priority in range(8918, 8998)} == {TIERS - 1}
    few = tiers([3, 8918, 8920])
    assert few[8918] - few[3] >= 4 and few[8920] - few[8918] == 1


def test_close_numbers_still_differ_where_there_is_nothing_else() -> None:
    assert set(tiers(range(8918, 8998)).values()) == set(range(TIERS))


@pytest.mark.parametrize("name", library.names(".team"))
def test_cells_of_one_priority_have_one_tier_and_one_rank(name: str) -> None:
    playing = team(name, None)
    picture = think(playing, after_random_moves(playing, seed=1), seed=0)
    said = {cell: answer.priority for cell, answer in picture.answers.items() if answer.priority is not None}
    assert {cell for cell in playing.game.grid.cells if picture.tiers[cell] is not None} == set(said)
    for a, b in combinations(said, 2):
        ranks = picture.ranks[a], picture.ranks[b]
        assert None not in ranks
        assert (said[a] < said[b]) == (ranks[0] < ranks[1])  # type: ignore[operator]
        assert said[a] != said[b] or picture.tiers[a] == picture.tiers[b]


# Colours

# How people without one kind of cone see linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
SIGHTS = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def linear(colour: str) -> list[float]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(colour: str, sight: str) -> tuple[float, float, float]:
    seen = [sum(by * part for by, part in zip(row, linear(colour), strict=True)) for row in SIGHTS[sight]]
    red, green, blue = (min(1.0, max(0.0, part)) for part in seen)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    cube = [part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)]
    return 116 * cube[1] - 16, 500 * (cube[0] - cube[1]), 200 * (cube[1] - cube[2])


def difference(a: Fill, b: Fill, sight: str) -> float:
    """CIE76."""
    pairs = zip(lab(a.ground, sight), lab(b.ground, sight), strict=True)
    return float(sum((one - other) ** 2 for one, other in pairs) ** 0.5)


def contrast(fill: Fill) -> float:
    """As WCAG measures it."""
    weights = (0.2126, 0.7152, 0.0722)
    light = sorted(
        sum(by * part for by, part in zip(weights, linear(colour), strict=True)) for colour in (fill.ground, fill.ink)
    )
    return (light[1] + 0.05) / (light[0] + 0.05)


PALETTES = {"light tiers": TIER_FILLS["light"], "dark tiers": TIER_FILLS["dark"], "rules": RULE_FILLS}


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_colours_differ_for_every_kind_of_sight(palette: str, sight: str) -> None:
    least = 14 if palette == "rules" else 10
    assert min(difference(a, b, sight) for a, b in combinations(PALETTES[palette], 2)) >= least


@pytest.mark.parametrize("palette", PALETTES)
def test_text_reads_on_every_colour(palette: str) -> None:
    assert min(map(contrast, PALETTES[palette])) >= 4.5


@pytest.mark.parametrize(
    ("said", "scheme"), [("0;15", "light"), ("0;default;7", "light"), ("15;0", "dark"), ("", "dark")]
)
def test_a_terminal_may_say_which_scheme_it_has(said: str, scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORFGBG", said)
    assert screen_scheme() == scheme


# Views


def test_by_rule_every_cell_names_the_rule_that_answered() -> None:
    picture = picture_of()
    text = printed(picture, by="rule")
    assert cells_of(text)[8] == "calm" and cells_of(text)[5] == "{threaten}"
    assert "Rules: threaten: 6 cells, calm: 1 cell" in text


def test_by_rule_numbers_stand_for_names_that_are_too_long() -> None:
    picture = picture_of("mnk/generic", LARGE, "mnk(m=10,n=10,k=5)")
    text = printed(picture, 50, by="rule")
    assert "10 build: " in " ".join(text.split())
    assert set(" ".join(cells_of(text)).split()) <= {"x", "o", "10", "9", "[9]", "[10]"}


def test_rules_have_different_colours_as_long_as_there_are_any(tmp_path: Path) -> None:
    path = tmp_path / "many.team"
    rules = "".join(f"    r{i}: if row = {i // 3 + 1} and col = {i % 3 + 1} then return {i + 1}\n" for i in range(9))
    path.write_text(f"everyone:\n{rules}")
    picture = picture_of(str(path), "x........")
    fills = [picture.chart("rule").fills[cell] for cell in range(1, 9)]
    assert len(set(fills)) == len(RULE_FILLS)
    few = picture_of(str(path), "..oxoxx..")
    assert len(set(few.chart("rule").fills.values())) == 4


def test_by_sight_the_cells_that_an_agent_knows_are_hatched() -> None:
    text = printed(picture_of(), by="sight", agent=3)
    assert cells_of(text) == ["░o░", "", "", "[4]", "░x░", "░·░", "░·░", "", ""]
    assert "Cell 4 (a2), an edge, sees 4 cells: o at a1 and x at b2." in text
    assert "░░ in sight of 4 (a2)" in text


def test_by_sight_a_frame_is_the_agent_and_not_a_line() -> None:
    text = printed(picture_of(board="ooo/xx./x.."), by="sight", agent=4)
    assert [cell for cell in cells_of(text) if cell.startswith("[")] == ["[x]"]
    assert "decided" not in text and "[ ] its own cell" in text


def test_the_last_move_is_marked_on_screen() -> None:
    playing = team("tic-tac-toe/figure-15", None)
    game = playing.game
    position = game.after(game.after(game.start, game.parse_move("5", 0)), game.parse_move("1", 1))
    text = printed(think(playing, position, seed=0))
    assert cells_of(text)[0] == "(o)" and "(o) the last move" in text


@pytest.mark.parametrize("by", BYS)
@pytest.mark.parametrize("name", ["tic-tac-toe/figure-15", "sos/safe", "reversi/corners", "notakto/basic"])
def test_one_value_holds_all_that_a_page_paints(name: str, by: str) -> None:
    playing = team(name, None)
    picture = think(playing, after_random_moves(playing, seed=3), seed=0)
    agent = 0 if by == "sight" else None
    chart = picture.chart(by, agent)  # type: ignore[arg-type]
    shown = json.loads(json.dumps(chart.to_dict()))
    assert shown | picture.to_dict() == shown, "it holds what `show --json` holds"
    cells = shown["cells"]
    assert [cell["cell"] for cell in cells] == list(range(1, playing.game.grid.size + 1))
    assert [cell["state"] for cell in cells] == list(picture.states)
    assert [cell["priority"] for cell in cells] == shown["priorities"]
    assert [cell["rule"] for cell in cells] == list(picture.rules)
    assert {cell["cell"] - 1 for cell in cells if cell["best"]} == set(picture.tied)
    assert picture.chosen
    assert [cell["cell"] - 1 for cell in cells if cell["chosen"]] == [picture.chosen.cell]
    counts = {key["fill"]: key["cells"] for key in shown["legend"] if key["sign"] == "fill"}
    if by != "sight":
        assert counts == {fill: [cell["fill"] for cell in cells].count(fill) for fill in counts}
    assert {cell["fill"] for cell in cells} - {None} == set(counts)
    assert all(0 <= fill < len(shown["palette"]["dark"]) for fill in counts)


def test_a_view_by_sight_needs_a_cell_and_the_others_take_none() -> None:
    for by, agent in (("sight", None), ("rule", 3)):
        with pytest.raises(BadSpec, match="needs a cell; the other views take none"):
            Chart(picture_of(), by, agent)  # type: ignore[arg-type]
    with pytest.raises(BadSpec, match="There is no view by `colour`; the views are priority, rank, rule, sight"):
        picture_of().chart("colour")  # type: ignore[arg-type]


def test_the_command_prints_a_view_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    figure = ["show", "tic-tac-toe/figure-15", "--board", BOARD]
    assert main([*figure, "--by", "sight", "--cell", "a2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == picture_of().chart("sight", 3).to_dict()
    assert main([*figure, "--by", "rule", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == picture_of().chart("rule").to_dict()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--by", "sight"], "name its cell, as in --cell b2"),
        (["--cell", "b2"], "it needs --by sight"),
        (["--by", "rule", "--cell", "b2"], "it needs --by sight"),
        (["--by", "sight", "--cell", "z9"], "There is no cell `z9`"),
        (["--by", "colour"], "invalid choice"),
    ],
)
def test_wrong_views_are_one_sentence(options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "tic-tac-toe/figure-15", *options]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("by", ["priority", "rank", "rule"])
def test_the_colours_that_json_names_are_those_of_the_drawing(by: By) -> None:
    shown = picture_of().chart(by).to_dict()
    drawing = drawn(picture_of(), by)
    used = {cell["fill"] for cell in shown["cells"] if cell["fill"] is not None}
    for number, fill in enumerate(shown["palette"]["light"]):
        assert (fill["ground"] in drawing) == (number in used), "a page and a drawing look alike"
    assert len(used) == 2
