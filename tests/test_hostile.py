"""A table is data from a stranger: whatever a file holds or is, a clear error follows soon, and never a traceback."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time

import pytest

from teamplay.errors import BadFile, BadSpec, TeamplayError
from teamplay.language import Rulebook, TableError, load_rulebook
from teamplay.language.formatter import format_table
from teamplay.language.parser import Source, parse_table
from tests import plain_user

SECONDS = 2  # of one processor, for the worst of them


def attempt(name: str) -> Rulebook | TeamplayError:
    """Load a table within bounded time; what comes is a rule book or one of our own errors, readable as text."""
    start = process_time()
    try:
        result: Rulebook | TeamplayError = load_rulebook(name)
    except TeamplayError as error:
        result = error
        assert 0 < len(str(error)) < 20_000
        assert "Traceback" not in str(error)
    assert process_time() - start < SECONDS
    return result


def written(folder: Path, content: str | bytes) -> str:
    path = folder / "hostile.team"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def codes(result: Rulebook | TeamplayError) -> set[str]:
    assert isinstance(result, TableError), result
    return {one.code for one in result.diagnostics}


# Texts that do no harm


@pytest.mark.parametrize(
    "content",
    [
        b"return 1\r\nreturn 2\r\n",
        b"return 1\rreturn 2\r",
        b"\xef\xbb\xbfreturn 1\nreturn 2\n",
        b"\treturn\t1\n\t\treturn 2",
        "# Комментарий, ≥ и 日本語\nreturn 1\nreturn 2  # ещё".encode(),
        b"\x0creturn 1\n\x0c\nreturn 2",
        b"\n" * 4000 + b"return 1\nreturn 2",
        b"return 1 #" + b"x" * 900_000 + b"\nreturn 2",
    ],
    ids=["crlf", "cr", "bom", "tabs", "comments", "form feeds", "empty lines", "a long comment"],
)
def test_fine(tmp_path: Path, content: bytes) -> None:
    result = attempt(written(tmp_path, content))
    assert isinstance(result, Rulebook), result
    assert [rule.text for rule in result.rules(0)] == ["return 1", "return 2"]


# Texts that would


def lines(make: Callable[[int], str], count: int) -> str:
    return "\n".join(map(make, range(count)))


TOO_MUCH = {
    "a million characters in a line": "return " + "1" * 1_000_000,
    "a million words in a line": "return " + "1 + " * 250_000 + "1",
    "100,000 parentheses": "return " + "(" * 100_000 + "1" + ")" * 100_000,
    "100,000 not": "if " + "not " * 100_000 + "n(xx) = 1 then return 1",
    "100,000 minuses": "return " + "-" * 100_000 + "1",
    "240 not": "if " + "not " * 240 + "n(xx) = 1 then return 1",
    "980 minuses": "return " + "-" * 980 + "1",
    "a long sum": "return " + "1+" * 490 + "1",
    "a long or": "if " + " or ".join(["1=1"] * 110) + " then return 1",
    "6,000 lines": "return 1\n" * 6000,
    "a million empty lines": "\n" * 1_000_000,
    "4,900 full lines": lines(lambda i: f"if n(xx) >= {i} and center != x then return {i}", 4900),
    "900,000 characters of rules": ("return 1 " * 100 + "\n") * 1000,
    "4,900 wrong lines": "retrun 1\n" * 4900,
    "2,900 wrong words": "return foo\n" * 2900,
    "4,900 wrong headings": lines(lambda i: f"role{i}:", 4900),
    "as many alternatives": "let many = " + "|".join(["xx"] * 300),
    "a pattern of 900 signs": "return n(" + "x" * 900 + ")",
    "huge repeats": "sight all\n" + ("return " + " + ".join(["n(*x{1000})"] * 60) + "\n") * 40,
    "deep braces": "return n(x" + "{" * 400 + "}" * 400 + ")",
    "many braces": "return n(" + "x{9999}" * 60 + "*)",
    "a long heading": "corner" + ",corner" * 140 + ":\n return 1",
    "a long label": "a" * 990 + ": return 1",
    "a long name": "return " + "a" * 990,
    "a long game": "game " + "a" * 990 + "\nreturn 1",
    "a thousand games": "game " + ",".join(["a"] * 490) + "\nreturn 1",
    "huge games": "game mnk(m=1000,n=1000,k=100)\n" + lines(lambda i: f"if at({i},{i}) = x then return 1", 700),
    "every game at once": "game " + ",".join(["gomoku(n=1000)"] * 60) + "\nif center = x then return 1",
    "powers": "return " + "999999 * " * 90 + "1",
    "500 digits": "return " + "9" * 500,
    "digits everywhere": "sight " + "9" * 900,
    "a huge chance": "return 1 with chance " + "9" * 900 + "%",
    "a huge repeat": "return n(x{" + "9" * 900 + "})",
    "nearly words": lines(lambda i: "if then else end return play with chance and or not " * 10, 40),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much_of_anything_is_an_error(tmp_path: Path, name: str) -> None:
    assert codes(attempt(written(tmp_path, TOO_MUCH[name])))


def test_a_table_at_the_limits_is_read_in_time(tmp_path: Path) -> None:
    """As many characters as are allowed, in the form that takes longest: one token a character."""
    row = "if " + "-(" * 30 + "1" + ")" * 30 + " + 1" * 20 + "=1 then return 1"
    result = attempt(written(tmp_path, f"{row}\n" * (30_000 // len(row))))
    assert isinstance(result, Rulebook)


def test_as_many_alternatives_as_there_may_be_are_read_in_time(tmp_path: Path) -> None:
    assert isinstance(attempt(written(tmp_path, ("return n(" + "|".join(["xx"] * 16) + ")\n") * 500)), Rulebook)


def test_labels_by_the_thousand_are_told_apart_in_time(tmp_path: Path) -> None:
    assert isinstance(attempt(written(tmp_path, lines(lambda i: f"a{i}:return 1", 2100))), Rulebook)


def test_everything_said_twice(tmp_path: Path) -> None:
    text = "game misere\nsight 3\nlet ee = bb\ncorner:\n    win: return 1\n" * 80
    assert codes(attempt(written(tmp_path, text))) == {"T012"}


def test_random_bytes(tmp_path: Path) -> None:
    chance = Random(1)
    for size in (1, 10, 100, 1000, 10_000):
        assert isinstance(attempt(written(tmp_path, chance.randbytes(size))), TeamplayError)
        printable = bytes(chance.choices(range(9, 127), k=size))
        attempt(written(tmp_path, printable))


def test_the_deepest_expression_that_is_read_can_also_be_written(tmp_path: Path) -> None:
    text = "everyone:\n    return " + "(" * 32 + "1" + " - k)" * 32 + "\n"
    assert format_table(parse_table(Source("test.team", text))) == "everyone:\n    return 1" + " - k" * 32 + "\n"


# Files that are none


def test_a_binary_file(tmp_path: Path) -> None:
    error = attempt(written(tmp_path, b"return 1\n\x00\x01\x02"))
    assert isinstance(error, BadFile)
    assert str(error).endswith("hostile.team is a binary file; a text file in UTF-8 is wanted.")


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    error = attempt(written(tmp_path, b"# caf\xe9\nreturn 1"))
    assert isinstance(error, BadFile)
    assert "not UTF-8 text (line 1, byte 6)" in str(error)


def test_a_file_of_ten_megabytes(tmp_path: Path) -> None:
    error = attempt(written(tmp_path, b"return 1\n" * 1_200_000))
    assert isinstance(error, BadFile)
    assert "larger than 1,048,576 bytes" in str(error)


def test_a_folder_and_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "folder.team").mkdir()
    assert "is a folder, not a file" in str(attempt(str(tmp_path / "folder.team")))
    assert "There is no file" in str(attempt(str(tmp_path / "missing.team")))
    assert isinstance(attempt(str(Path(written(tmp_path, "return 1")) / "below.team")), BadFile)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.team")
    assert "is not an ordinary file" in str(attempt(str(tmp_path / "pipe.team")))


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    written(tmp_path, "return 1")
    (tmp_path / "hostile.team").chmod(0)
    done = plain_user.teamplay(tmp_path, "show", "hostile.team")
    said = "teamplay: hostile.team cannot be read: Permission denied.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop.team").symlink_to(tmp_path / "loop.team")
    assert isinstance(attempt(str(tmp_path / "loop.team")), BadFile)


NAMES = [
    "",
    ".",
    "/",
    "..",
    "../../etc/passwd",
    "../../etc/passwd.team",
    "/etc/passwd",
    "tic-tac-toe/../../../etc/passwd",
    "tic-tac-toe/figure-15\0.team",
    "a\nb.team",
    "~nobody-at-all/x.team",
    "x" * 5000,
    "x" * 5000 + ".team",
    "/".join(["a"] * 3000) + ".team",
    os.fsdecode(b"\xff\xfe.team"),
    os.fsdecode(b"\xff\xfe"),
    "\u202e.team",
    "TIC-TAC-TOE/FIGURE-15",
    "tic-tac-toe",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_lead_nowhere(name: str) -> None:
    assert isinstance(attempt(name), BadFile | BadSpec)


# Through the command line


def shown(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "teamplay", "show", *arguments]
    return subprocess.run(command, capture_output=True, timeout=60, check=False)


COMMAND_LINE = {
    "a wrong table": "retrun 1",
    "a look-alike": "return n(хх)",
    "an empty file": "",
    "a binary file": "\0\0\0",
    "100,000 parentheses": TOO_MUCH["100,000 parentheses"],
    "a million characters in a line": TOO_MUCH["a million characters in a line"],
    "4,900 wrong lines": TOO_MUCH["4,900 wrong lines"],
    "900,000 characters of rules": TOO_MUCH["900,000 characters of rules"],
}


@pytest.mark.parametrize("name", COMMAND_LINE)
def test_the_command_line_says_what_is_wrong(tmp_path: Path, name: str) -> None:
    result = shown(written(tmp_path, COMMAND_LINE[name]))
    assert result.returncode == 2
    assert not result.stdout
    assert result.stderr.startswith(b"teamplay: ")
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize("name", [os.fsdecode(b"\xff.team"), "../../etc/passwd", "", "x" * 5000 + ".team"])
def test_the_command_line_survives_strange_names(name: str) -> None:
    result = shown(name)
    assert result.returncode == 2
    assert result.stderr.startswith(b"teamplay: ")
    assert b"Traceback" not in result.stderr
