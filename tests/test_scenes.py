"""Scenes: what a drawing, a question and a claim mean, what a failure says, and what is refused with its place."""

import json
from pathlib import Path

import pytest

from teamplay import library
from teamplay.cli import main
from teamplay.cli._files import scenes
from teamplay.errors import TeamplayError
from teamplay.game import SEATS
from teamplay.game_file import load_game
from teamplay.grid import Cell
from teamplay.language.diagnostics import CODES
from teamplay.players import load_player
from teamplay.proof.verify import Bounds, verify
from teamplay.scenes.binder import Image, SceneError, images, load_suite
from teamplay.scenes.report import failure_text
from teamplay.scenes.runner import Result, Runner

Capture = pytest.CaptureFixture[str]
SHIPPED = sorted(library.FOLDERS[".team"].rglob("*.scene"))
TABLE = """game tic-tac-toe
everyone:
    win: if n(xx) >= 1 then return 1
    block: if n(oo) >= 1 then return 2
center:
    return 3
corner:
    return 4
"""
WIN = """scene "wins"
    x x *
    o o .
    . . .
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a table."""
    monkeypatch.chdir(tmp_path)
    Path("my.team").write_text(TABLE)


def results(text: str, table: str = "my.team", runner: Runner | None = None) -> list[Result]:
    """What comes of a scene file."""
    path = Path("my.scene")
    path.write_text(f"table {table}\n{text}", encoding="utf-8")
    suite = load_suite(path)
    return [(runner or Runner()).run(suite, test) for test in suite.tests]


def statuses(text: str, table: str = "my.team") -> list[str]:
    return [result.status for result in results(text, table)]


def failure(text: str, table: str = "my.team") -> str:
    """What the one test of a file says that must fail."""
    (result,) = results(text, table)
    assert result.status == "failed" and result.failure
    return failure_text(result.failure)


def wrong(text: str, table: str = "my.team") -> list[tuple[str, int, int]]:
    """The code, line and column of everything that is wrong with a file."""
    with pytest.raises(SceneError) as caught:
        results(text, table)
    assert all(one.code in CODES and one.help for one in caught.value.diagnostics), str(caught.value)
    return [(one.code, one.span.line, one.span.column) for one in caught.value.diagnostics]


# The shipped scenes


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_scene_file_holds(path: Path) -> None:
    suite = load_suite(path)
    assert suite.tests
    for test in suite.tests:
        result = Runner().run(suite, test)
        assert result.status != "failed", result.failure and failure_text(result.failure)


def test_what_is_still_to_do_of_figure_15_is_what_the_paper_wants_and_its_table_lacks() -> None:
    suite = load_suite(library.FOLDERS[".team"] / "tic-tac-toe/figure-15.scene")
    left = [test.name for test in suite.tests if Runner().run(suite, test).status == "todo"]
    assert left == ["opens in the center", "takes the win before blocking", "blocks on an edge"]


# Drawings


def test_a_star_allows_a_cell_and_no_other() -> None:
    assert statuses(WIN) == ["passed"]
    assert statuses(WIN.replace("o o .", "o o *")) == ["passed"], "the team need not use every permission"
    assert statuses(WIN.replace("x x *\n    o o .", "x x .\n    o o *")) == ["failed"]


def test_a_bang_forbids_a_cell_and_allows_the_rest() -> None:
    assert statuses(WIN.replace("*", "!")) == ["failed"]
    assert statuses(WIN.replace("*", ".").replace("o o .", "o o !")) == ["passed"]


def test_every_tie_must_be_allowed() -> None:
    corners = 'scene "a corner"\n  {} . *\n  . o .\n  * . *\n'
    assert statuses(corners.format("*")) == ["passed"]
    assert "1 (a1) may be chosen without a *." in failure(corners.format("."))
    first = 'scene "the first corner"\n  * . .\n  . o .\n  . . .\n'
    assert statuses(first, "my.team(tie=first)") == ["passed"], "this manager takes the first among ties"


def test_an_expectation_is_the_priority_the_rule_or_both() -> None:
    for expected, status in [("1", "passed"), ("by win", "passed"), ("1 by win", "passed"), ("2", "failed")]:
        assert statuses(f"{WIN}expect {expected}") == [status]
    assert "3 (c1) may be chosen, but answers by `win`." in failure(f"{WIN}expect 1 by block")


def test_every_star_can_be_asked_for() -> None:
    center = 'scene "the center or a corner"\n  * . .\n  . * .\n  . . .\n'
    assert statuses(f"{center}expect 3") == ["passed"]
    assert "1 (a1) can't be chosen in spite of the *." in failure(f"{center}expect at every *")


def test_silence_can_be_expected() -> None:
    edges = 'scene "only edges are left"\n  x o x\n  * o *\n  o x o\n'
    Path("calm.team").write_text("corner: return 1\n")
    assert statuses(f"{edges}expect silence at every *", "calm.team") == ["passed"]
    assert "is silent" in failure(f"{edges}expect 1", "calm.team")
    assert statuses("ask edge b1 -> silence\nask corner a1 -> silence", "calm.team") == ["passed", "failed"]


def test_a_scene_in_all_symmetries_is_tried_in_each() -> None:
    (held,) = results(WIN.replace('"wins"', '"wins" in all symmetries'))
    assert (held.status, held.note) == ("passed", "8 images")
    Path("lopsided.team").write_text("win: if n(xx) >= 1 and row = 1 then return 1\nreturn 2\n")
    said = failure(WIN.replace('"wins"', '"wins" in all symmetries'), "lopsided.team")
    assert "It fails in 4 of 8 images; this is the first." in said, "the star is in the first row of the others"


def drawn(spec: str, board: str, stars: set[Cell]) -> list[Image]:
    game = load_game(spec)
    return list(images(game, Image(game.position(board), frozenset(stars), frozenset())))


def test_images_are_those_of_the_board_and_where_pieces_fall_the_mirror_alone() -> None:
    assert len(drawn("tic-tac-toe", "x.. / ... / ...", {8})) == 4, "a diagonal keeps it"
    assert len(drawn("mnk(m=4,n=3,k=3)", "x... / .... / ....", set())) == 4
    assert len(drawn("tic-tac-toe-3d", f"x{'.' * 26}", {1})) == 24, "a corner and one of its edges"
    dropped = drawn("connect-four", f"{'.' * 35}x......", {36})
    assert [image.position.marks.index("x") for image in dropped] == [35, 41]
    assert [set(image.may) for image in dropped] == [{36}, {40}]


def test_the_seat_is_counted_or_said() -> None:
    (empty,) = load(f'scene "open"{BLANKS}expect 3').images
    assert empty.position.seat == 0
    (second,) = load(f'scene "open" moving second{BLANKS}expect 3').images
    assert second.position.seat == 1


BLANKS = "\n  . . .\n  . . .\n  . . .\n"


def load(text: str):  # type: ignore[no-untyped-def]
    Path("my.scene").write_text(f"table my.team\n{text}")
    (test,) = load_suite(Path("my.scene")).tests
    return test.subject


def test_letters_are_drawn_as_they_are() -> None:
    Path("letters.team").write_text("game sos(n=3)\nbetween: if n(S*S) >= 1 then return 1 play O\nsafe: return 200")
    text = 'scene "scores"\n  S * S\n  . . .\n  . . .\nexpect {}'
    assert statuses(text.format("play O by between"), "letters.team") == ["passed"]
    assert "may be chosen with O, not S" in failure(text.format("play S"), "letters.team")
    asked = "ask center b2 -> 200 play {} by safe"
    assert statuses(asked.format("S or O"), "letters.team") == ["passed"]
    assert "would play O or S, not S" in failure(asked.format("S"), "letters.team")


def test_layers_are_parted_by_empty_lines() -> None:
    layer = "  . . .\n  . . .\n  . . .\n"
    won = layer.replace(". . .", "x x *", 1)
    named = 'scene "wins in the second layer" in all symmetries unreachable'
    text = f"game tic-tac-toe-3d\n{named}\n{layer}\n{won}\n{layer}\nexpect 1"
    (held,) = results(text, "tic-tac-toe-3d/basic")
    assert (held.status, held.note) == ("passed", "24 images")
    assert statuses("game tic-tac-toe-3d\nask corner 1,1,1 -> silence", "tic-tac-toe-3d/basic") == ["failed"]


def test_a_drawing_covers_what_every_fall_of_the_coins_would_choose() -> None:
    Path("moody.team").write_text("center: bold: return 1 with chance 50%\ncorner: return 2\n")
    start = 'scene "opens"\n  {0} . {0}\n  . * .\n  {0} . {0}\n'
    assert statuses(start.format("*"), "moody.team") == ["passed"]
    assert "may be chosen without a *" in failure(start.format("."), "moody.team")
    assert statuses("ask center b2 -> 1", "moody.team") == ["failed"], "it may stay silent"


# Questions


def test_a_question_is_about_the_scene_above_it_or_below_an_empty_line_about_the_start() -> None:
    assert statuses(f"{WIN}ask corner c1 -> 1 by win\nask edge c2 -> 2") == ["passed"]
    assert statuses(f"{WIN}expect 1\n# a comment parts nothing\nask corner c1 -> 1") == ["passed"]
    assert statuses(f"{WIN}\nask corner c1 -> 4") == ["passed", "passed"]
    assert statuses("ask center 5 -> 3\nask 2,2 -> 3\nask b2->3") == ["passed"] * 3


def test_a_failed_question_tells_the_rules_of_the_cell() -> None:
    said = failure("ask corner c1 -> 1 by win")
    assert "3 (c1) should answer 1 by `win`, but answers 4 by `corner 1`." in said
    assert "n(xx)=0 (needs 1)" in said and "4 <- answers" in said


# Claims


@pytest.mark.parametrize("seat", ["first", "second"])
def test_claims_of_never_losing_agree_with_verify(seat: str) -> None:
    game, table = load_game("tic-tac-toe"), "tic-tac-toe/figure-13"
    assert verify(load_player(table, game), game, SEATS.index(seat)).verdict == "refuted"
    text = f"claim never loses moving {seat}\nclaim can lose moving {seat}"
    assert statuses(text, table) == ["failed", "passed"]


def test_a_proved_claim_passes_and_says_with_how_many_positions() -> None:
    claims = "game mnk(m=2,n=2,k=2)\nclaim always wins moving first\nclaim never loses\nclaim can lose moving second"
    won, fails, lost = results(claims, "mnk/generic")
    assert (won.status, won.note) == ("passed", "proved, 13 positions")
    assert fails.status == "failed" and (lost.status, lost.note) == ("passed", "in 3 moves")


def test_a_refuted_claim_tells_the_shortest_game_and_the_choice_to_blame() -> None:
    said = failure("claim never loses moving first", "tic-tac-toe/figure-15")
    assert "1 2 3 5 7 8 is a shortest game" in said
    assert "To blame is move 5, 7 (a3); 8 (b3) would keep the goal." in said and "center=o yes" in said


def test_an_undecided_claim_fails_and_names_the_bound() -> None:
    runner = Runner(bounds=Bounds(positions=3))
    for claim in ("never loses", "can lose"):
        (result,) = results(f"claim {claim} moving first", "tic-tac-toe/figure-6", runner)
        assert result.status == "failed" and result.failure
        assert "not decided" in result.failure.problems[0] and "3 positions" in result.failure.problems[0]


def test_a_share_of_games_is_counted_exactly_and_told_with_its_interval() -> None:
    (result,) = results("claim beats random at least 60% of 100 games")
    assert result.status == "passed" and "of 100 games won, 95% interval" in result.note
    wins = int(result.note.split()[0])
    assert statuses(f"claim beats random at least {wins}% of 100 games") == ["passed"]
    assert f"{wins} of 100 games won" in failure(f"claim beats random at least {wins}.5% of 100 games")
    notes = {results("claim beats random at least 1% of 20 games", runner=Runner(seed))[0].note for seed in range(9)}
    assert len(notes) > 1, "another seed, other games"


def test_the_same_choice_is_compared_in_every_position(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("other.team").write_text(TABLE.replace("return 4", "return 5"))
    (same,) = results("claim same choice as other.team")
    assert (same.status, same.note) == ("passed", "the same in 4,520 positions")
    Path("other.team").write_text(TABLE.replace("return 3", "return 5"))
    said = failure("claim same choice as other.team")
    assert "choose differently in" in said and "expected: 1 (a1), 3 (c1), 7 (a3) or 9 (c3), as other does" in said
    monkeypatch.setattr("teamplay.proof.compare.MOST_SLOWLY", 100)
    assert "Not decided" in failure("claim same choice as my.team(tie=first)")


# Todo and skip


def test_what_is_to_do_may_fail_and_what_is_skipped_is_not_run() -> None:
    text = f'todo {WIN.replace("*", "!")}\nskip claim beats random at least 100% of 1000000 games\ntodo "forks"'
    assert statuses(text) == ["todo", "skipped", "todo"]
    (done,) = results(f"todo {WIN}")
    assert (done.status, done.note) == ("passed", "it holds: take `todo` out")


# What is wrong with a file


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('scen "wins"', [("T001", 2, 1)]),
        ("x x .", [("T001", 2, 1)]),
        ("   x x .", [("T001", 2, 4)]),
        ("scene wins", [("T001", 2, 7)]),
        ('scene "wins" in al symmetries', [("T001", 2, 14)]),
        ('scene "wins" moving third', [("T001", 2, 21)]),
        (f"{WIN}expcet 1", [("T001", 6, 1)]),
        (f"{WIN}    expcet 1", [("T001", 6, 5)]),
        (f"{WIN}expect", [("T001", 6, 7)]),
        (f"{WIN}expect soon", [("T001", 6, 8)]),
        (f"{WIN}expect 1 by wim", [("T004", 6, 8)]),
        (f"{WIN}expect 1\nexpect 2", [("T012", 7, 1)]),
        (f"{WIN}\n{WIN}", [("T012", 7, 1)]),
        ("expect 1", [("T014", 2, 1)]),
        ('scene "nothing drawn"', [("T014", 2, 1)]),
        (f'scene "nothing expected"{BLANKS}', [("T014", 2, 1)]),
        (f'scene "no star"{BLANKS}expect at every *', [("T014", 6, 8)]),
        (WIN.replace("x x *", "x q *"), [("T006", 3, 7)]),
        (WIN.replace("x x *", "х x *"), [("T002", 3, 5)]),
        (WIN.replace("x x *", "x x"), [("T001", 3, 5)]),
        (WIN.replace("x x *", "x x x"), [("T014", 3, 5)]),
        (f"{WIN}ask corner c4 -> 1", [("T008", 6, 12)]),
        (f"{WIN}ask edge c1 -> 1", [("T005", 6, 5)]),
        (f"{WIN}ask conrer c1 -> 1", [("T005", 6, 5)]),
        (f"{WIN}ask edge b1 -> 1", [("T008", 6, 10)]),
        (f"{WIN}todo ask corner c1 -> 1", [("T001", 6, 1)]),
        ("ask edge b1 = 1", [("T001", 2, 16)]),
        ("ask edge b1 -> 1 play S", [("T011", 2, 16)]),
        ("claim nevre loses", [("T001", 2, 7)]),
        ("claim never loses moving", [("T001", 2, 25)]),
        ("claim never loses twice", [("T001", 2, 19)]),
        ("claim beats nobody at least 5% of 10 games", [("T004", 2, 13)]),
        ("claim beats random at least 101% of 10 games", [("T013", 2, 29)]),
        ("claim beats random at least 5% of 0 games", [("T013", 2, 35)]),
        ("claim beats random at least many of 10 games", [("T001", 2, 29)]),
        ("claim beats random in most games", [("T001", 2, 33)]),
        ("claim same choice as", [("T001", 2, 21)]),
        ("claim same choice as other.team", [("T004", 2, 22)]),
        ("skip everything", [("T001", 2, 6)]),
        ("todo", [("T001", 2, 5)]),
        ('todo "forks" soon', [("T001", 2, 14)]),
        (f"{WIN}expect 1, by win", [("T001", 6, 8)]),
        (f"{WIN}expect 1 by", [("T001", 6, 12)]),
        ("table other.team", [("T012", 2, 1)]),
        ("game tic-tac-tow", [("T009", 2, 6)]),
        ("game tic-tac-toe\ngame tic-tac-toe", [("T012", 3, 1)]),
        ("claim never lses\nask corner c9 -> 1\nclaim beat random", [("T001", 2, 7), ("T008", 3, 12), ("T001", 4, 7)]),
    ],
)
def test_a_mistake_is_told_with_its_place_and_the_way_out(text: str, found: list[tuple[str, int, int]]) -> None:
    assert wrong(text) == found


def test_a_misspelt_word_is_told_once_and_what_it_begins_is_understood() -> None:
    Path("my.scene").write_text(f"Table my.team\n{WIN.replace('scene', 'sceen')}expect 1 by win\nask center b2 -> 3\n")
    with pytest.raises(SceneError) as caught:
        load_suite(Path("my.scene"))
    assert [one.help for one in caught.value.diagnostics] == ["write `table`", "write `scene`"]


def test_a_star_where_no_piece_can_fall_is_refused() -> None:
    board = "\n".join(["  . . . . . . ."] * 4 + ["  * . . . . . .", "  . . . . . . ."])
    assert wrong(f'game connect-four\nscene "floats"\n{board}', "connect-four/basic") == [("T008", 8, 3)]


def test_the_rendering_shows_the_line_and_a_caret() -> None:
    with pytest.raises(SceneError) as caught:
        results("claim nevre loses")
    assert "  --> my.scene:2:7\n2 | claim nevre loses\n  |       ^^^^^ here\n  = help: write `never loses`" in str(
        caught.value
    )


def test_a_file_names_its_table_and_a_hint_which() -> None:
    Path("my.scene").write_text(WIN)
    with pytest.raises(SceneError, match=r"begin it with `table my\.team`"):
        load_suite(Path("my.scene"))


def test_a_broken_or_missing_table_is_told_as_such() -> None:
    Path("bad.team").write_text("retrun 1\n")
    for table, said in [
        ("bad.team", "bad.team:1:1"),
        ("gone.team", "There is no file gone.team"),
        ("random", "agents"),
    ]:
        with pytest.raises(TeamplayError, match=said):
            results(WIN, table)


def test_a_hostile_file_is_refused_and_not_read_for_long() -> None:
    assert wrong("\n" * 6000)[0][0] == "T003"
    assert wrong(f'scene "{"x" * 2000}"') == [("T003", 2, 1001)]
    assert wrong(f'scene "a"\n  {"." * 900}\nexpect 1') == [("T001", 3, 3)]


def test_paths_begin_in_the_folder_of_the_scene_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/one.scene").write_text("table ../my.team\nclaim same choice as ../my.team\n")
    monkeypatch.chdir("/")
    suite = load_suite(tmp_path / "deep/one.scene")
    assert Runner().run(suite, suite.tests[0]).status == "passed"


# The command


def test_the_command_prints_one_line_a_test_and_fails_with_1(capsys: Capture) -> None:
    Path("good.scene").write_text(f"table my.team\n{WIN}")
    assert main(["test"]) == 0
    assert capsys.readouterr().out == "good.scene\nok      wins\n\n1 passed.\n"
    Path("bad.scene").write_text(f"table my.team\n{WIN.replace('*', '!')}")
    assert main(["test", "."]) == 1
    said = capsys.readouterr().out
    assert "FAILED  wins" in said and "3 (c1) may be chosen in spite of the !." in said
    assert "win   n(xx) >= 1  n(xx)=1   1 <- answers" in said and "1 passed, 1 failed." in said


def test_k_chooses_by_name(capsys: Capture) -> None:
    Path("my.scene").write_text(f"table my.team\n{WIN}\nask center b2 -> 9\n")
    assert main(["test", "-k", "WINS"]) == 0
    assert main(["test", "-k", "center"]) == 1
    capsys.readouterr()
    assert main(["test", "-k", "nothing"]) == 2
    assert "No test has `nothing` in its name." in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "# nothing\n", "table my.team\n"])
def test_empty_files_fail(text: str, capsys: Capture) -> None:
    Path("empty.scene").write_text(text)
    assert main(["test", "empty.scene"]) == (1 if "table" in text else 2)
    assert main(["test", "--json"]) != 0
    capsys.readouterr()


def test_a_file_that_cannot_be_used_is_told_and_the_others_run(capsys: Capture) -> None:
    Path("a.scene").write_text("table my.team\nclaim nonsense\n")
    Path("b.scene").write_text(f"table my.team\n{WIN}")
    assert main(["test"]) == 2
    said = capsys.readouterr().out
    assert "a.scene:2:7" in said and "ok      wins" in said and "1 passed, 1 file can't be used." in said


def test_folders_without_scenes_and_other_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(TeamplayError, match=r"There is no scene file under \."):
        scenes(["."])
    with pytest.raises(TeamplayError, match=r"There is no scene file beside my\.team that is about it"):
        scenes(["my.team"])
    Path("my.txt").touch()
    with pytest.raises(TeamplayError, match=r"my\.txt is no scene file"):
        scenes(["my.txt"])
    with pytest.raises(TeamplayError, match="'' is not the name of a file"):
        scenes([""])
    assert main(["test", "gone.scene"]) == 2


def test_a_table_stands_for_its_scenes() -> None:
    Path("my.scene").write_text(f"table my.team\n{WIN}")
    assert scenes(["my.team"]) == [Path("my.scene")]
    assert [path.name for path in scenes(["tic-tac-toe/figure-13"])] == ["figure-13.scene"]


def test_hidden_folders_and_environments_are_left_out() -> None:
    for name in ("deep/er", ".hidden", "env/lib"):
        Path(name).mkdir(parents=True)
        Path(name, "one.scene").touch()
    Path("env/pyvenv.cfg").touch()
    assert scenes(["."]) == [Path("deep/er/one.scene")]
    assert scenes([".hidden"]) == [Path(".hidden/one.scene")]


def test_json_tells_the_same(capsys: Capture) -> None:
    Path("my.scene").write_text(f"table my.team\n{WIN.replace('*', '!')}\nskip claim never loses\n")
    assert main(["test", "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert (shown["passed"], shown["failed"], shown["todo"], shown["skipped"]) == (0, 1, 0, 1)
    (file,) = shown["files"]
    assert (file["file"], file["table"], file["game"]) == ("my.scene", "my.team", "tic-tac-toe")
    failed = file["tests"][0]
    assert (failed["name"], failed["line"], failed["status"]) == ("wins", 2, "failed")
    assert failed["failure"]["board"] == "xx./oo./..." and failed["failure"]["best"] == [3]
    assert failed["failure"]["reasons"][0]["rule"] == "win"
