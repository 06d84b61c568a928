"""Game files and specs from strangers: every mistake is one clear sentence, never another exception, never a hang."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teamplay import library
from teamplay.check.game import check_game
from teamplay.cli import main
from teamplay.errors import BadFile, BadSpec, TeamplayError
from teamplay.game_file import BadGameFile, load_game, parse_spec

PATIENCE = 60  # seconds; every case takes milliseconds, but machines are busy

GOOD = {
    "board": "[3, 3]",
    "goal": "{ line = 3 }",
}


@pytest.fixture(autouse=True)
def _never_hangs() -> Iterator[None]:
    """A hang is a failure, not a wait."""

    def give_up(*_: object) -> None:
        raise AssertionError(f"no answer after {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def game_text(**changes: str | None) -> str:
    """A good game file with some keys changed, added, or (None) left out; values are written as TOML."""
    keys = {**GOOD, **changes}
    return "\n".join(f"{key} = {value}" for key, value in keys.items() if value is not None)


def refused(folder: Path, content: str | bytes, options: str = "") -> str:
    """The sentence with which a game file is refused, the path shortened to its name and the line left out."""
    path = folder / "bad.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(TeamplayError) as caught:
        load_game(f"{path}{options}")
    sentence = re.sub(r"^bad.toml:\d+ ", "bad.toml ", str(caught.value).replace(f"{folder}/", ""), flags=re.MULTILINE)
    assert re.fullmatch(r"[^\n]{10,400}[.?]", sentence), "an error is one sentence of readable length"
    return sentence


def test_the_good_file_that_the_bad_ones_are_made_of_is_good(tmp_path: Path) -> None:
    path = tmp_path / "good.toml"
    path.write_text(game_text())
    assert load_game(str(path)).name == "good"


# The file itself


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"^There is no file .*nothing\.toml\.$"):
        load_game(str(tmp_path / "nothing.toml"))


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BadFile, match=r"folder\.toml is a folder, not a file\.$"):
        load_game(str(tmp_path / "folder.toml"))


def test_a_pipe_is_refused_rather_than_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(BadFile, match=r"pipe\.toml is not an ordinary file\.$"):
        load_game(str(tmp_path / "pipe.toml"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "secret.toml").write_text(game_text())
    (tmp_path / "secret.toml").chmod(0)
    with pytest.raises(BadFile, match=r"secret\.toml cannot be read: Permission denied\.$"):
        load_game(str(tmp_path / "secret.toml"))


def test_a_link_that_leads_round_in_a_circle_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "circle.toml").symlink_to(tmp_path / "circle.toml")
    with pytest.raises(BadFile, match=r"circle\.toml cannot be read: Too many levels of symbolic links\.$"):
        load_game(str(tmp_path / "circle.toml"))


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("a\0b.toml", r"'a\\x00b\.toml' is not the name of a file\."),
        ("\ud800.toml", r"'\\ud800\.toml' is not the name of a file\."),
        (f"{'a' * 190}/{'b' * 190}.toml", r"There is no file a+/b+\.toml\."),
        ("~nobody-here/x.toml", r"There is no home folder for ~nobody-here/x\.toml\."),
    ],
)
def test_an_impossible_name_is_no_file(name: str, error: str) -> None:
    with pytest.raises(TeamplayError) as caught:
        load_game(name)
    assert re.fullmatch(error, str(caught.value))


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"\x89PNG\r\n\0\0\0", "bad.toml is a binary file; a text file in UTF-8 is wanted."),
        ("about = 'é'".encode("latin-1"), "bad.toml is not UTF-8 text (line 1, byte 10)."),
        (b"# fine\n# \xff", "bad.toml is not UTF-8 text (line 2, byte 10)."),
        (game_text().encode("utf-16"), "bad.toml is a binary file; a text file in UTF-8 is wanted."),
        (b"#" * 70_000, "bad.toml is larger than 65,536 bytes, which is the most that is read of such a file."),
        (b"#" * 401, "bad.toml has a line of more than 400 characters, which no game needs."),
    ],
    ids=["binary", "latin-1", "second line", "utf-16", "large", "wide"],
)
def test_what_is_not_a_small_text_is_refused(tmp_path: Path, content: bytes, error: str) -> None:
    assert refused(tmp_path, content) == error


def test_no_file_is_read_past_the_limit(tmp_path: Path) -> None:
    (tmp_path / "ten").write_bytes(b"0123456789")
    assert library.read(tmp_path / "ten", limit=10) == "0123456789"
    with pytest.raises(BadFile, match="larger than 9 bytes"):
        library.read(tmp_path / "ten", limit=9)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_endings_and_a_byte_order_mark_do_not_matter(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + game_text().replace("\n", ending).encode())
    assert load_game(str(path)).grid.shape == (3, 3)
    assert library.read(path) == game_text()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("board = ", "Invalid value"),
        ("board [3]", "Expected '=' after a key in a key/value pair (at line 1, column 7)"),
        ("board = [3]\nboard = [3]", "Cannot overwrite a value"),
        ("board = 3x3", "Expected newline or end of document after a statement (at line 1, column 10)"),
        ("about = 'never closed", "Expected"),
    ],
)
def test_what_is_not_toml_is_refused_with_the_reason(tmp_path: Path, text: str, reason: str) -> None:
    assert refused(tmp_path, text).startswith(f"bad.toml is not valid TOML: {reason}")


@pytest.mark.parametrize("text", ["a = [" + "\n[" * 20_000, "a = [" + "{a=[\n" * 10_000], ids=["lists", "tables"])
def test_what_is_nested_without_end_is_refused(tmp_path: Path, text: str) -> None:
    assert refused(tmp_path, text) == "bad.toml is nested too deeply to be a game."


@pytest.mark.parametrize(
    "key", ["board", "marks", "goal", "placement", "turns", "start", "require", "about", "parameters"]
)
def test_a_value_nested_by_a_long_dotted_key_is_refused_for_every_key(tmp_path: Path, key: str) -> None:
    dotted = f"{key}{'.a' * 190} = 1"
    rest = "\n".join(f"{good} = {value}" for good, value in GOOD.items() if good != key)
    assert refused(tmp_path, f"{rest}\n{dotted}").startswith("bad.toml is not a game: ")


def test_many_long_dotted_keys_are_answered_in_time(tmp_path: Path) -> None:
    header = f"[{'a.' * 190}a]\n"
    keys = "".join(f"{'b.' * 190}c{number} = 1\n" for number in range(150))
    assert "means nothing in the file" in refused(tmp_path, game_text() + "\n" + header + keys)


# The keys of a game


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"bord": "1"}, "'bord' means nothing in the file. Did you mean `board`?"),
        (
            {"zzz": "1"},
            "'zzz' means nothing in the file. The keys are about, parameters, board, boards, marks, placement, goal, "
            "turns, start, require.",
        ),
        ({"about": "5"}, "`about` must be a text, not 5."),
        ({"board": None}, "`board` must be a list."),
        ({"board": "9"}, "`board` must be a list."),
        ({"board": "[true, 3]"}, "True is not a number or a short formula."),
        ({"board": "[3.0, 3]"}, "3.0 is not a number or a short formula."),
        ({"board": "[[3], 3]"}, "[3] is not a number or a short formula."),
        ({"board": "[inf, nan]"}, "inf is not a number or a short formula."),
        ({"board": "[1979-05-27, 3]"}, "datetime.date(1979, 5, 27) is not a number or a short formula."),
        ({"placement": '"fly"'}, "`placement` must be one of anywhere, drop, flank, not 'fly'."),
        ({"placement": "[1]"}, "`placement` must be one of anywhere, drop, flank, not [1]."),
        ({"turns": '"twice"'}, "`turns` must be one of alternate, again, not 'twice'."),
        ({"turns": '"again"'}, '`turns = "again"` needs a goal that scores.'),
        ({"marks": "5"}, '`marks` must be { own = ["x", "o"] } or { shared = [letters] }.'),
        ({"marks": "{}"}, '`marks` must be { own = ["x", "o"] } or { shared = [letters] }.'),
        ({"marks": '{ theirs = ["x"] }'}, '`marks` must be { own = ["x", "o"] } or { shared = [letters] }.'),
        (
            {"marks": '{ own = ["x", "o"], shared = ["S"] }'},
            '`marks` must be { own = ["x", "o"] } or { shared = [letters] }.',
        ),
        (
            {"marks": '{ own = ["o", "x"] }'},
            'marks of their own are ["x", "o"]: the first player\'s and the second\'s.',
        ),
        ({"marks": "{ own = 5 }"}, 'marks of their own are ["x", "o"]: the first player\'s and the second\'s.'),
        ({"marks": "{ shared = 5 }"}, "shared marks are a list of one to eight different capital letters."),
        ({"marks": "{ shared = [] }"}, "shared marks are a list of one to eight different capital letters."),
        (
            {"marks": '{ shared = ["A","B","C","D","E","F","G","H","I"] }'},
            "shared marks are a list of one to eight different capital letters.",
        ),
        ({"marks": '{ shared = ["S", "S"] }'}, "shared marks must differ from each other."),
        ({"marks": '{ shared = ["S", "so"] }'}, "shared marks are single capital letters."),
        ({"marks": '{ shared = ["s"] }'}, "shared marks are single capital letters."),
        ({"marks": '{ shared = ["."] }'}, "shared marks are single capital letters."),
        ({"marks": '{ shared = ["S", 5] }'}, "shared marks are single capital letters."),
        ({"marks": '{ shared = ["Ä"] }'}, "shared marks are single capital letters."),
        ({"goal": None}, "it needs a [goal]: a `line`, a `word` or a `majority`."),
        ({"goal": "3"}, "it needs a [goal]: a `line`, a `word` or a `majority`."),
        ({"goal": "{}"}, "[goal] names exactly one of `line`, `word` and `majority`."),
        ({"goal": '{ line = 3, word = "xo" }'}, "[goal] names exactly one of `line`, `word` and `majority`."),
        ({"goal": "{ lines = 3 }"}, "'lines' means nothing in [goal]. Did you mean `line`?"),
        ({"goal": '{ line = 3, effect = "bores" }'}, "`effect` must be one of wins, loses, scores, not 'bores'."),
        ({"goal": "{ majority = false }"}, "`majority = true` wins, and has no other effect."),
        ({"goal": "{ majority = 1 }"}, "`majority = true` wins, and has no other effect."),
        ({"goal": '{ majority = true, effect = "loses" }'}, "`majority = true` wins, and has no other effect."),
        ({"goal": '{ word = "SOS" }'}, "`word` is 2 to 16 of the marks x o."),
        ({"goal": '{ word = "x" }'}, "`word` is 2 to 16 of the marks x o."),
        ({"goal": f'{{ word = "{"x" * 17}" }}'}, "`word` is 2 to 16 of the marks x o."),
        ({"goal": "{ word = 5 }"}, "`word` is 2 to 16 of the marks x o."),
        ({"goal": '{ line = "x" }'}, "'x' is not a formula of + - * / % over the parameters (none)."),
        (
            {"placement": '"flank"', "marks": '{ shared = ["S"] }'},
            "`flank` needs marks of their own (`own = [...]`).",
        ),
        (
            {"placement": '"flank"', "goal": '{ word = "xo" }'},
            "`flank` turns marks, so its goal is a `majority`, or a `line` that wins or loses.",
        ),
        (
            {"placement": '"flank"', "goal": '{ line = 3, effect = "scores" }'},
            "`flank` turns marks, so its goal is a `majority`, or a `line` that wins or loses.",
        ),
        (
            {"marks": '{ shared = ["S"] }', "goal": "{ majority = true }"},
            "`majority` needs marks of their own (`own = [...]`).",
        ),
        ({"parameters": "[1]"}, "`parameters` must be a table of names and numbers."),
        ({"parameters": "{ n = true }"}, "True is not a number or a short formula."),
        ({"parameters": '{ "n m" = 1 }'}, "a parameter is named by letters, digits and _, not 'n m'."),
        ({"parameters": "{ n = {} }"}, "{} is not a number or a short formula."),
        ({"start": "[1]"}, "`start` must be a table of marks and their cells."),
        ({"start": "{ y = [[1, 1]] }"}, "`start` places 'y', which is not a mark of the game."),
        ({"start": "{ x = 5 }"}, "`x` must be a list."),
        ({"start": "{ x = [5] }"}, "`start` cells are lists of 2 numbers, not 5."),
        ({"start": "{ x = [[1, 1, 1]] }"}, "`start` cells are lists of 2 numbers, not [1, 1, 1]."),
        ({"start": "{ x = [[0, 1]] }"}, "`start` places x at [0, 1], which is off the board of 3x3."),
        ({"start": "{ x = [[1, 4]] }"}, "`start` places x at [1, 4], which is off the board of 3x3."),
        ({"start": "{ x = [[1, 1]], o = [[1, 1]] }"}, "`start` places two marks at [1, 1]."),
        ({"start": "{ x = [[1, 1], [1, 2], [1, 3]] }"}, "it is over before the first move (3 in a row)."),
        (
            {"placement": '"flank"', "goal": "{ majority = true }"},
            "it is over before the first move (0 marks to 0).",
        ),
        ({"require": '"n > 3"'}, "`require` must be a list."),
        ({"require": "[5]"}, '`require` holds conditions like "n%2 = 0", not 5.'),
        ({"require": '["n"]'}, "`require` holds conditions like \"n%2 = 0\", not 'n'."),
        ({"require": '["1 > 3"]'}, "`require` holds conditions like \"n%2 = 0\", not '1 > 3'."),
        ({"require": '["1 <= 3"]'}, "'1 <' is not a formula of + - * / % over the parameters (none)."),
        ({"require": '["n = 3"]'}, "'n' is not a formula of + - * / % over the parameters (none)."),
    ],
    ids=str,
)
def test_a_game_with_a_mistake_is_refused_for_that_mistake(
    tmp_path: Path, changes: dict[str, str | None], error: str
) -> None:
    assert refused(tmp_path, game_text(**changes)) == f"bad.toml is not a game: {error}"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"board": "[]"}, "A board has two or three dimensions, not 0."),
        ({"board": "[9]"}, "A board has two or three dimensions, not 1."),
        ({"board": "[2, 2, 2, 2]"}, "A board has two or three dimensions, not 4."),
        ({"board": "[0, 3]"}, "A board of 0x3 cells is empty; every side must be at least 1."),
        ({"board": "[3, -3]"}, "A board of 3x-3 cells is empty; every side must be at least 1."),
        ({"board": "[1001, 1000]"}, "A board of 1001x1000 cells is too large; 1,000,000 cells are the most."),
        (
            {"board": "[1000000000, 1000000000]"},
            "A board of 1000000000x1000000000 cells is too large; 1,000,000 cells are the most.",
        ),
        ({"goal": "{ line = 1 }"}, "A line of 1 is too short; bad needs at least 2."),
        ({"goal": "{ line = -5 }"}, "A line of -5 is too short; bad needs at least 2."),
        ({"goal": "{ line = 101 }"}, "A line of 101 is too long; 100 is the most."),
        ({"require": '["3 = 4"]', "parameters": "{ n = 3 }"}, "bad needs 3 = 4, which does not hold for n=3."),
        ({"require": '["n >= 4"]', "parameters": "{ n = 3 }"}, "bad needs n >= 4, which does not hold for n=3."),
    ],
    ids=str,
)
def test_a_game_that_cannot_be_played_is_refused(tmp_path: Path, changes: dict[str, str], error: str) -> None:
    assert refused(tmp_path, game_text(**changes)) == f"bad.toml is not a game: {error[0].lower()}{error[1:]}"


def test_a_board_that_cannot_be_is_one_problem_of_several(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('abot = "x"\nboard = [3, 0]\nplacement = "fall"\n[goal]\nline = 1\n')
    with pytest.raises(TeamplayError) as caught:
        load_game(str(path))
    said = str(caught.value).replace(str(path), "").split("\n")
    assert [line.split(" is")[0] for line in said] == [":1", ":2", ":3", ":5"]
    assert "3x0 cells is empty" in said[1] and "line of 1 is too short" in said[3]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('board = [3, 3]\nboards = "x"\n[goal]\nline = 3\n', 2),
        ('board = ["n", 3]\n[parameters]\nn = 99999999999\n[goal]\nline = 3\n', 3),
        ("board = [3, 3]\n[goal]\nline = 99999999999\n", 3),
        ('board = ["n/0", 3]\nboards = 2\n[parameters]\nn = 3\n[goal]\nline = 3\n', 1),
    ],
)
def test_a_number_that_is_none_is_blamed_on_its_own_line(text: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(BadFile, match=rf"bad\.toml:{line} is not a game"):
        load_game(str(path))


def test_all_problems_are_reported_at_once_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(
        'board = [3, 3]\nmarks = { own = ["a", "b"] }\nturn = "again"\nplacement = "fly" # not yet\n'
        'start = { x = [[9, 9]] }\n\n[goal]\nline = "z"\nexakt = true\n'
    )
    with pytest.raises(BadFile) as caught:
        load_game(str(path))
    lines = [line.partition(" is not a game: ")[::2] for line in str(caught.value).replace(str(path), "").splitlines()]
    assert [where for where, _ in lines] == [":2", ":3", ":4", ":5", ":8", ":9"]
    assert lines[1][1] == "'turn' means nothing in the file. Did you mean `turns`?"
    assert lines[2][1] == "`placement` must be one of anywhere, drop, flank, not 'fly'."
    assert lines[5][1] == "'exakt' means nothing in [goal]. Did you mean `exact`?"


WRONG_IN_EVERY_LINE = """about = 7
bord = [3, "n"]
marks = { shared = ["x", "TT"] }
placement = "fall"
boards = 0
start = { x = [[9, 9]], q = [[1, 1]] }
turns = "agian"
[parameters]
n = "m+1"
m = 3
[goal]
line = 1
exact = "yes"
for = "third"
efect = "loses"
"""


def test_one_mistake_hides_no_other_and_brings_no_other(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(WRONG_IN_EVERY_LINE)
    with pytest.raises(BadGameFile) as caught:
        load_game(str(path))
    found = {problem.line: (problem.reason, problem.hint) for problem in caught.value.problems}
    assert len(found) == len(caught.value.problems), "the missing board is no further mistake"
    assert list(found) == [1, 2, 3, 4, 5, 7, 9, 12, 13, 14, 15], "without a board nobody knows where the start is wrong"
    assert found[2] == ("'bord' means nothing in the file", "Did you mean `board`?")
    assert found[9][0] == "'m+1' is not a formula of + - * / % over the parameters (none)"
    path.write_text(WRONG_IN_EVERY_LINE.replace('bord = [3, "n"]', "board = [3, 3]").replace("boards = 0", ""))
    with pytest.raises(BadGameFile) as caught:
        load_game(str(path))
    assert [problem.reason for problem in caught.value.problems if problem.line == 6] == [
        "`start` places x at [9, 9], which is off the board of 3x3"
    ]


def test_check_says_where_a_file_stops_being_toml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("board = [3, 3]\n[goal\nline = 3\n")
    assert main(["check", str(path)]) == 2
    said = capsys.readouterr().out
    assert f"--> {path}:2:1\n2 | [goal\n" in said
    assert said.startswith("error[G001]: not valid TOML: Expected ']' at the end of a table declaration (at line 2, ")


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"goal": "{ line = 3 }"}, []),
        ({"goal": "{ line = 4 }"}, ["G101: a line has at most 3 cells here"]),
        ({"goal": '{ word = "xoxo" }'}, ["G101: a line has at most 3 cells here"]),
        ({"start": "{ o = [[3, 1]] }"}, ["G102: give the first player as many"]),
        ({"start": "{ x = [[3, 1]], o = [[3, 2]] }"}, []),
        ({"start": "{ x = [[2, 1]] }", "placement": '"drop"'}, ["G102: fill the cells below"]),
        ({"start": "{ x = [[3, 1]] }", "placement": '"drop"'}, []),
    ],
)
def test_what_looks_like_a_mistake_is_a_finding(changes: dict[str, str], found: list[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    keys = {"board": "[3, 3]", "goal": "{ line = 3 }", **changes}
    path.write_text("\n".join(f"{key} = {value}" for key, value in keys.items()))
    assert [f"{finding.code}: {finding.help}" for finding in check_game(str(path)).findings] == found


def test_every_cell_of_a_wrong_start_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(
        "board = [3, 3]\n[start]\nx = [[1, 1], [4, 1], [1]]\nz = [[1, 2]]\no = [[1, 1], [3, 3]]\n[goal]\nline = 3\n"
    )
    with pytest.raises(BadGameFile) as caught:
        load_game(str(tmp_path / "bad.toml"))
    assert [(problem.line, problem.reason) for problem in caught.value.problems] == [
        (3, "`start` places x at [4, 1], which is off the board of 3x3"),
        (3, "`start` cells are lists of 2 numbers, not [1]"),
        (4, "`start` places 'z', which is not a mark of the game"),
        (5, "`start` places two marks at [1, 1]"),
    ]


def test_an_unknown_key_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    sentence = refused(tmp_path, game_text(zebra="1"))
    assert sentence.endswith(
        "The keys are about, parameters, board, boards, marks, placement, goal, turns, start, require."
    )


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"boards": "0"}, "`boards` is 1 to 100 boards of two dimensions."),
        ({"boards": "2", "board": "[3, 3, 3]"}, "`boards` is 1 to 100 boards of two dimensions."),
        ({"boards": "2", "goal": "{ majority = true }"}, "`boards` are closed by a `line` that wins or loses."),
        ({"goal": "{ line = 3, exact = 1 }"}, "`exact` must be one of true, false, not 1."),
        ({"goal": '{ line = 3, for = "third" }'}, "`for` must be one of first, second, not 'third'."),
        ({"goal": '{ word = "xo", exact = true }'}, "`exact` and `for` are for lines, not for words."),
        (
            {"goal": '{ line = 3, for = "first", effect = "loses" }'},
            "`for` names who wins by the line, so its effect is `wins`.",
        ),
        (
            {"goal": '{ line = 3, exact = true, effect = "scores" }'},
            "`exact` and `for` are for lines that win or lose, not for lines that score.",
        ),
    ],
    ids=str,
)
def test_mechanics_that_do_not_go_together(tmp_path: Path, changes: dict[str, str | None], error: str) -> None:
    assert refused(tmp_path, game_text(**changes)) == f"bad.toml is not a game: {error}"


# Formulas


@pytest.mark.parametrize(
    ("formula", "value"),
    [("7", 7), ("n", 6), ("n/2 + 1", 4), ("n/4", 1), ("(n + 1) % 4", 3), (" n - 2*2 ", 2), ("n-1-1", 4), ("2*n/5", 2)],
)
def test_a_formula_is_arithmetic_of_whole_numbers(tmp_path: Path, formula: str, value: int) -> None:
    path = tmp_path / "formula.toml"
    path.write_text(game_text(board=f'["{formula}", 3]', parameters="{ n = 6 }"))
    assert load_game(str(path)).grid.shape == (value, 3)


@pytest.mark.parametrize(
    "formula",
    [
        "9**9**9",
        "9**9**9**9**9**9",
        "2 ** n",
        "1 << 99999999",
        "n // 2",
        "n.real",
        "n()",
        "__import__('os')",
        "[n for n in n]",
        "lambda: n",
        "n if n else n",
        "1if 1else 2",
        "n := 3",
        "-n",
        "+n",
        "~n",
        "n n",
        "",
        "   ",
        "(n",
        "n)",
        "((((((((((((((((((((((((((((n",
        "m",
        "None",
        "True",
        "1.5",
        "1e9",
        "1j",
        "0x10",
        "07",
        "1_000",
        "'n'",
        "'\\\\d'",
        "f'{n}'",
        "n\\nn",
        "n # comment",
        "n\\u0000",
        "ｎ",
        "n²",
        "a" * 59 + "!",
        "1" * 59 + "!",
    ],
)
def test_what_is_more_than_arithmetic_is_no_formula(tmp_path: Path, formula: str) -> None:
    sentence = refused(tmp_path, game_text(board=f'["{formula}", 3]', parameters="{ n = 6 }"))
    assert sentence.endswith("is not a formula of + - * / % over the parameters (n).")


def test_a_division_by_zero_is_said_to_be_one(tmp_path: Path) -> None:
    text = game_text(board='["6/n", 3]', parameters="{ n = 2 }")
    assert refused(tmp_path, text, "(n=0)") == "bad.toml is not a game: '6/n' divides by zero where n=0."
    assert "'6%n' divides by zero where n=0" in refused(tmp_path, text.replace("/", "%"), "(n=0)")


@pytest.mark.parametrize(
    "board",
    [
        "[1000000001, 3]",
        "[-1000000001, 3]",
        f"[{'9' * 380}, 3]",
        f"[0x{'f' * 380}, 3]",
        '["99999*99999", 3]',
        f'["{"9" * 60}", 3]',
        f'["{"9*" * 29}9", 3]',
    ],
)
def test_a_huge_number_is_refused_before_it_costs_anything(tmp_path: Path, board: str) -> None:
    sentence = refused(tmp_path, game_text(board=board))
    assert sentence.endswith("is a number beyond 1,000,000,000.")


def test_parameters_cannot_multiply_into_a_number_without_end(tmp_path: Path) -> None:
    growing = ["p0 = 999999999", *(f'p{i} = "{"*".join([f"p{i - 1}"] * 15)}"' for i in range(1, 12))]
    sentence = refused(tmp_path, f"{game_text()}\n[parameters]\n" + "\n".join(growing))
    assert sentence.endswith("is a number beyond 1,000,000,000.")


def test_a_long_formula_is_refused_in_a_short_sentence(tmp_path: Path) -> None:
    sentence = refused(tmp_path, game_text(board=f'["{"n+" * 150}n", 3]'))
    assert sentence.endswith("is not a number or a short formula.")
    assert len(sentence) < 130


# Parameters in a spec

ADVICE = "Name a shipped one or a path ending in .toml."


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("mnk(q=3)", "mnk has no parameter `q`; it has m, n, k."),
        ("connect-four(row=3)", "connect-four has no parameter `row`; it has columns, rows, k. Did you mean `rows`?"),
        ("tic-tac-toe(n=3)", "tic-tac-toe has no parameter `n`; it has none."),
        ("mnk(m=x)", "`m` of mnk is a whole number, not `x`."),
        ("mnk(m=-3)", "`m` of mnk is a whole number, not `-3`."),
        ("mnk(m=3.5)", "`m` of mnk is a whole number, not `3.5`."),
        ("mnk(m=99999999)", "`m` of mnk is too large; 9999999 is the most."),
        ("mnk(m=٣)", "`m` of mnk is a whole number, not `٣`."),
        ("mnk(m=n)", "`m` of mnk is a whole number, not `n`."),
        ("mnk(m=0)", "A board of 5x0 cells is empty; every side must be at least 1."),
        ("mnk(m=9999999)", "A board of 5x9999999 cells is too large; 1,000,000 cells are the most."),
        ("mnk(k=1)", "A line of 1 is too short; mnk needs at least 2."),
        ("mnk(k=500000)", "A line of 500000 is too long; 100 is the most."),
        ("reversi(n=7)", "reversi needs n%2 = 0, which does not hold for n=7."),
        ("reversi(n=2)", "reversi needs n >= 4, which does not hold for n=2."),
        ("tic-tac-to", f"There is no game named `tic-tac-to`. Did you mean `tic-tac-toe`? {ADVICE}"),
        ("Sos", f"There is no game named `Sos`. Did you mean `sos`? {ADVICE}"),
        ("../games/sos", f"There is no game named `../games/sos`. {ADVICE}"),
        ("qqqqq", f"There is no game named `qqqqq`. {ADVICE}"),
    ],
)
def test_a_spec_that_fits_no_game_is_refused(spec: str, error: str) -> None:
    with pytest.raises(BadSpec) as caught:
        load_game(spec)
    assert str(caught.value) == error


def test_other_parameters_follow_from_those_given() -> None:
    assert load_game("sos(n=4)").grid.shape == (4, 4)
    assert load_game("sos(n=4,rows=2)").grid.shape == (2, 4)
    assert load_game("sos(rows=2,columns=7)").grid.shape == (2, 7)


# Specs


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("sos", "sos", {}),
        ("  sos  ", "sos", {}),
        ("sos()", "sos", {}),
        ("sos (n = 8)", "sos", {"n": "8"}),
        ("sos(n=8,)", "sos", {"n": "8"}),
        ("sos(,,n=8)", "sos", {"n": "8"}),
        ("mnk(m=5,n=4)", "mnk", {"m": "5", "n": "4"}),
        ("my/game.toml(n=6)", "my/game.toml", {"n": "6"}),
        ("my games/a game.toml (n=6)", "my games/a game.toml", {"n": "6"}),
        ("minimax(eval=a=b)", "minimax", {"eval": "a=b"}),
    ],
)
def test_a_spec_is_a_name_and_options(text: str, name: str, options: dict[str, str]) -> None:
    assert parse_spec(text) == (name, options)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "`` is not a spec; write a name, or a name with options: `mnk(m=5,n=5,k=4)`."),
        ("sos(", "`sos(` is not a spec;"),
        ("sos)", "`sos)` is not a spec;"),
        ("sos(n=8) and", "`sos(n=8) and` is not a spec;"),
        ("(n=8)", "`(n=8)` is not a spec;"),
        ("sos(n=(8))", "`sos(n=(8))` is not a spec;"),
        ("sos((((((", "`sos((((((` is not a spec;"),
        ("n=8", "`n=8` is not a spec;"),
        ("a" * 201, f"`{'a' * 80}` is not a spec;"),
        ("a(" + "n" * 500 + ")", f"`a({'n' * 78}` is not a spec;"),
        ("sos(n)", "`n` in `sos(n)` is not an option; write `name=value`."),
        ("sos(n=)", "`n=` in `sos(n=)` is not an option; write `name=value`."),
        ("sos(=8)", "`=8` in `sos(=8)` is not an option; write `name=value`."),
        ("sos(n=8,n=9)", "`n` is given twice in `sos(n=8,n=9)`."),
    ],
)
def test_what_is_no_spec_is_refused(text: str, error: str) -> None:
    with pytest.raises(BadSpec) as caught:
        parse_spec(text)
    assert str(caught.value).startswith(error)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_spec_of_a_game_or_an_error_of_the_domain(text: str) -> None:
    try:
        game = load_game(text)
    except TeamplayError as error:
        assert str(error).endswith((".", "?"))
    else:
        assert game.start.marks == game.beginning


# Any data in any place

SCALARS = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(
        ["true", "false", "1.5", "inf", "nan", "1979-05-27", '""', '"n"', '"x"', '"n/0"', '"S"', "[]", "{}"]
    ),
    st.text("xoSOn+-*/%() 0123456789é", max_size=8).map(lambda text: f'"{text}"'),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(
            st.sampled_from(["own", "shared", "line", "word", "majority", "effect", "n", "x", "S"]), inner, max_size=3
        ).map(lambda table: f"{{ {', '.join(f'{key} = {value}' for key, value in table.items())} }}"),
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["about", "parameters", "board", "marks", "placement", "goal", "turns", "start", "require", "odd"]
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.dictionaries(KEYS, VALUES, max_size=5))
def test_any_values_are_a_game_or_an_error_of_the_domain(tmp_path: Path, changes: dict[str, str]) -> None:
    path = tmp_path / "any.toml"
    path.write_text(game_text(**{**GOOD, "parameters": "{ n = 3 }", **changes}), encoding="utf-8")
    try:
        game = load_game(str(path))
    except TeamplayError as error:
        assert re.fullmatch(r"([^\n]{10,400}[.?]\n?)+", str(error).replace(str(tmp_path), ""))
    else:
        assert len(game.start.marks) == game.grid.size
        assert game.moves(game.start)
