"""What is wrong with a table: every code with the line, the caret, the reason and the way out.

The drawings in `tests/diagnostics` are checked as they stand: a table (after `for GAME`, if it is for another game
than it says), a line of dashes, and all that is said about it.
"""

import re
from pathlib import Path

import pytest

from teamplay.errors import BadFile, BadSpec
from teamplay.game_file import load_game
from teamplay.language import Diagnostic, Source, TableError, load_rulebook, read_rulebook
from teamplay.language.diagnostics import CODES, MOST_SHOWN, Span, render

FOLDER = Path(__file__).parent / "diagnostics"


def cases() -> list[tuple[str, str, str, str]]:
    """The code that a drawing is about, the game, the table, and what is said."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        for case in re.split(r"^=+\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            text, said = re.split(r"\n-{20,}\n", case)
            game = ""
            if match := re.match(r"for (.*)\n", text):
                game, text = match[1], text[match.end() :]
            found.append((path.stem, game, text, said.rstrip("\n")))
    return found


def wrong(text: str, game: str = "") -> TableError:
    """The error that a table raises."""
    with pytest.raises(TableError) as caught:
        read_rulebook(Source("test.team", text), load_game(game) if game else None)
    return caught.value


def found(text: str, game: str = "") -> list[tuple[str, int, int, int]]:
    """The code, line, column and end of everything that is wrong."""
    return [(one.code, one.span.line, one.span.column, one.span.end) for one in wrong(text, game).diagnostics]


@pytest.mark.parametrize(("code", "game", "text", "said"), cases())
def test_a_drawing(code: str, game: str, text: str, said: str) -> None:
    error = wrong(text, game)
    assert str(error) == said
    assert {one.code for one in error.diagnostics} == {code}


def test_every_code_has_a_drawing_and_every_finding_a_way_out() -> None:
    assert {code for code, *_ in cases()} == set(CODES)
    for code, game, text, _ in cases():
        for one in wrong(text, game).diagnostics:
            assert one.help or code == "T009", one


# Characters that no drawing shows


@pytest.mark.parametrize(
    ("text", "column", "message", "label", "help"),
    [
        ("return\u00a01", 7, "a special space", "No-break space", "type an ordinary space"),
        ("return 1\u3000", None, "", "", ""),  # at the end of a line it does no harm
        ("ret\u200burn 1", 4, "an invisible character (U+200B)", "", "delete it and type the line again"),
        ("return 1 \u202e", 10, "an invisible character (U+202E)", "", "delete it and type the line again"),
        ("return 1\x07", 9, "an invisible character (U+0007)", "", "delete it and type the line again"),
        ("return \udc80", 8, "an invisible character (U+DC80)", "", "delete it and type the line again"),
        ("return １", 8, "`１` is not the ordinary `1`", "Fullwidth digit one", "type `1`"),
        ("return 1 – 2", 10, "`–` is not the ordinary `-`", "En dash", "type `-`"),
        ("сorner: return 1", 1, "`с` is not the Latin letter `c`", "Cyrillic small letter es", "type `c`"),
        (
            "if n(οο) = 1 then return 1",
            6,
            "`ο` is not the Latin letter `o`",
            "Greek small letter omicron",
            "type `o`",
        ),
        (
            "return “1”",
            8,
            "`“` has no meaning in a table",
            "Left double quotation mark",
            "it may stand in a comment, after `#`",
        ),
    ],
)
def test_strange_characters(text: str, column: int | None, message: str, label: str, help: str) -> None:
    if column is None:
        read_rulebook(Source("test.team", text))
        return
    (one,) = wrong(text).diagnostics
    assert one == Diagnostic("T002", Span(1, column, column + 1), message, label, help)


# Too much


@pytest.mark.parametrize(
    ("text", "span", "message"),
    [
        ("return 1" + "+1" * 500, (1, 1001, 1002), "a line of 1,008 characters; 1,000 are the most"),
        ("return " + "(" * 40 + "1" + ")" * 40, (1, 40, 41), "parentheses nested more than 32 deep"),
        ("return " + "1+" * 150 + "1", (1, 8, 107), "more than 100 operations in one expression"),
        ("return 1\n" * 5001, (5001, 1, 2), "a table of 5,001 lines is too long; 5,000 are the most"),
        ("return 1 + 2 + 3 + 4\n" * 2600, (1501, 1, 2), "a table has at most 30,000 characters of rules"),
        ("retrun 1\n" * 600, (500, 1, 2), "500 errors are enough; the rest is not read"),
        (
            "sight all\nreturn n(*x{600}x{600})",
            (2, 10, 23),
            "a pattern looks at most 1,000 cells away, and all of a table name 100,000",
        ),
        (
            "sight all\n" + "return n(*x{1000})\n" * 101,
            (102, 10, 18),
            "a pattern looks at most 1,000 cells away, and all of a table name 100,000",
        ),
    ],
)
def test_too_much(text: str, span: tuple[int, int, int], message: str) -> None:
    last = wrong(text).diagnostics[-1]
    assert (last.code, last.span, last.message) == ("T003", Span(*span), message)


# Many errors


def test_all_errors_are_reported_once_and_in_the_order_of_the_file() -> None:
    text = "\n".join(
        [
            "let ee = bz",  # an unknown mark; its uses are not to blame
            "corner:",
            "    if n(ee) = 1 then return 1",
            "    if n(xxx) = 1 then return 2",
            "    if n(xx) = 1 return 3",
            "    if n(xx) then return 4",
            "    win: return 5",
            "    win: return 6",
            "    return 7 play S",
            "edge:",
            "    if cell(1,1) = x then return 8",
        ]
    )
    assert found(text) == [
        ("T006", 1, 11, 12),
        ("T007", 4, 10, 13),
        ("T001", 5, 18, 24),
        ("T010", 6, 8, 13),
        ("T012", 8, 5, 8),
        ("T011", 9, 19, 20),
        ("T008", 11, 8, 17),
    ]
    assert str(wrong(text)).endswith("test.team: 7 errors.")


def test_a_heading_that_is_wrong_does_not_spoil_the_rules_below_it() -> None:
    assert found("corner:\n    win: return 1\nedgy:\n    win: return 2\n    return 3") == [("T005", 3, 1, 6)]


def test_where_more_than_rules_is_wrong_only_the_text_is_judged() -> None:
    """Without its `let` line, the uses of a name would be blamed for nothing."""
    assert found("lett ee = bb\nif n(ee) = 1 then return 1\nif n(xxx) = 1 then return 1") == [("T001", 1, 1, 5)]


def test_only_the_first_errors_are_shown_but_all_are_there() -> None:
    error = wrong("return foo\n" * 30)
    assert len(error.diagnostics) == 30
    assert str(error).count("error[T004]") == MOST_SHOWN == 20
    assert str(error).endswith("test.team: 30 errors, the first 20 shown.")


# Carets


def test_tabs_keep_the_caret_in_its_place() -> None:
    lines = str(wrong("\tcorner:\n\t\tif\tn(xx) => 1 then return 1")).split("\n")
    assert lines[2:4] == ["2 |   if n(xx) => 1 then return 1", "  |             ^ here"]


def test_the_signs_of_the_paper_take_one_column() -> None:
    lines = str(wrong("if n(xx) ≥ 1 and n(oo) ≥ foo then return 1")).split("\n")
    assert lines[2:4] == ["1 | if n(xx) ≥ 1 and n(oo) ≥ foo then return 1", "  |                          ^^^ here"]


def test_a_long_line_is_shown_around_the_error() -> None:
    text = "return " + "1 + " * 60 + "foo" + " + 1" * 30
    lines = str(wrong(text)).split("\n")
    shown, caret = lines[2].removeprefix("1 | "), lines[3].removeprefix("  | ")
    assert len(shown) <= 110
    start = caret.index("^")
    assert shown[start : start + 3] == "foo"
    assert caret.strip() == "^^^ here"


def test_the_gutter_grows_with_the_line_number() -> None:
    shown = render("a.team", ["", *[""] * 98, "retrun"], Diagnostic("T001", Span(100, 1, 7), "what"))
    assert shown == "error[T001]: what\n    --> a.team:100:1\n100 | retrun\n    | ^^^^^^"


# Did you mean


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("cornr:\n return 1", "corner"),
        ("centre: return 1", "center"),
        ("Everyone:\n return 1", "everyone"),
        ("retrun 1", "return"),
        ("if n(xx) = 1 than return 1", "then"),
        ("Return 1", "return"),
        ("sight al", "all"),
        ("if n(XX) = 1 then return 1", "x"),
        ("return count(O)", "o"),
        ("return rwo", "row"),
        ("return colms", "cols"),
        ("if cels(1,1) = x then return 1", "cell"),
        ("let calm = bb\nreturn n(clam)", "calm"),
        ("let open = bb\nreturn n(opne)", "open"),
        ("game tic-tac-tow\nreturn 1", "tic-tac-toe"),
        ("game Connect-Four\nreturn 1", "connect-four"),
    ],
)
def test_did_you_mean(text: str, meant: str) -> None:
    (one,) = wrong(text).diagnostics
    assert f"`{meant}`" in one.help


@pytest.mark.parametrize("name", ["figure-15", "tic-tac-toe/figur-15", "tic-tac-toe/figure15"])
def test_did_you_mean_a_table(name: str) -> None:
    with pytest.raises(BadSpec, match=r"Did you mean .*`tic-tac-toe/figure-15`"):
        load_rulebook(name)


def test_a_missing_file_says_so() -> None:
    with pytest.raises(BadFile, match=r"There is no file mine\.team\."):
        load_rulebook("mine.team")
