"""Names for numbers: what they stand for, in which order, how far they may be nested, and how they are shown."""

from time import process_time

import pytest

from teamplay.check.report import check
from teamplay.editors.hover import Outline, hover
from teamplay.game_file import load_game
from teamplay.language import Rulebook, Source, TableError, parse_table, read_rulebook
from teamplay.language.expressions import format_bound, parts, unnamed
from teamplay.language.formatter import format_table
from teamplay.language.layout import laid_out
from teamplay.language.measures import bind_measures
from teamplay.luck import Luck
from teamplay.show.reasons import measured
from teamplay.team import Team
from teamplay.team.columns import columns

NAMED = """\
let weight = 4 * mine + 3 * n(ob) - far
let mine = n(xb)
let far = k - 1
if weight >= 5 and mine > 0 then return 100 - weight
return 200 - weight * far
"""
WRITTEN_OUT = """\
if 4 * n(xb) + 3 * n(ob) - 2 >= 5 and n(xb) > 0 then return 100 - (4 * n(xb) + 3 * n(ob) - 2)
return 200 - (4 * n(xb) + 3 * n(ob) - 2) * 2
"""


def book(text: str, game: str = "tic-tac-toe") -> Rulebook:
    return read_rulebook(Source("test.team", text), load_game(game))


def wrong(text: str, game: str = "tic-tac-toe") -> list[tuple[str, int, str]]:
    """The code, line and message of everything that is wrong."""
    with pytest.raises(TableError) as caught:
        book(text, game)
    return [(one.code, one.span.line, one.message) for one in caught.value.diagnostics]


def said(text: str, drawing: str, game: str = "tic-tac-toe") -> dict[int, int | None]:
    team = Team(book(text, game))
    return {one.sender: one.priority for one in team.answers(team.game.position(drawing), Luck(0))}


@pytest.mark.parametrize("board", ["... / ... / ...", "x.. / .o. / ...", "xo. / .x. / ..o"])
def test_a_name_means_what_stands_behind_it(board: str) -> None:
    assert said(NAMED, board) == said(WRITTEN_OUT, board)


def test_a_name_measures_nothing_new() -> None:
    one, other = book(NAMED), book(WRITTEN_OUT)
    assert set(one.features) == set(other.features)
    rules = [
        [(rule.condition, rule.priority) for _, rules in found.sections for rule in rules] for found in (one, other)
    ]
    assert rules[0] == rules[1]  # the name plays no role in comparisons


def test_the_order_of_the_lines_does_not_matter() -> None:
    *lets, first, last = NAMED.splitlines()
    backwards = "\n".join([first, *reversed(lets), last])
    assert said(backwards, "x.. / .o. / ...") == said(NAMED, "x.. / .o. / ...")


def test_the_same_signs_are_a_pattern_where_they_are_marks_and_a_number_elsewhere() -> None:
    star = "let both = x*o\nlet twice = 2 * rows\nlet alias = twice\n"
    assert said(f"{star}return n(both) + alias", "x.o / ... / ...")[1] == 7
    assert said(f"{star}return alias + cols", "x.o / ... / ...")[1] == 9
    assert wrong(f"{star}return both")[0][:2] == ("T010", 4)
    assert wrong(f"{star}return n(twice)")[0][:2] == ("T010", 4)


def test_a_pattern_may_still_be_another_name_for_a_pattern() -> None:
    assert said("let ee = bb | ox\nlet calm = ee\nreturn n(calm)", "oo. / .x. / ...")[8] == 3


@pytest.mark.parametrize(
    ("lets", "way"),
    [
        ("let aa = aa", "aa -> aa"),
        ("let aa = 1 + cc\nlet cc = 2 * aa", "aa -> cc -> aa"),
        ("let aa = cc\nlet cc = dd\nlet dd = cc", "cc -> dd -> cc"),
    ],
)
def test_a_name_that_stands_for_itself_is_reported_once_however_often_it_is_used(lets: str, way: str) -> None:
    found = wrong(f"{lets}\nif aa > 1 then return aa\nreturn aa")
    assert [code for code, _, _ in found] == ["T015"] and way in found[0][2]


def test_a_wrong_name_is_to_blame_and_not_its_uses() -> None:
    assert wrong("let aa = n(xxx) - 1\nlet cc = aa * 2\nif cc > 1 then return aa\nreturn cc") == [
        ("T007", 1, "a line of tic-tac-toe has 2 other cells; this pattern names 3")
    ]


def test_a_name_that_nobody_uses_is_read_all_the_same() -> None:
    assert [code for code, _, _ in wrong("let aa = rwo + 1\nreturn 1")] == ["T004"]


def test_a_number_too_large_is_found_behind_names() -> None:
    assert wrong("let aa = 1000000 * n(xx)\nlet cc = aa * 1000\nreturn 1")[0][:2] == ("T013", 2)


@pytest.mark.parametrize(
    "lets",
    [
        ["let a0 = n(xx) - 0", *(f"let a{i} = a{i - 1} + a{i - 1}" for i in range(1, 60))],
        ["let a0 = n(xx) - 0", *(f"let a{i} = a{i - 1} - 1" for i in range(1, 1500))],
        [*(f"let a{i} = a{i + 1} - 1" for i in range(1500)), "let a1500 = n(xx) - 0"],
        ["let a0 = 1 - 0", *(f"let a{i} = {'-' * 90}a{i - 1}" for i in range(1, 200))],
    ],
    ids=["doubled", "a chain", "a chain backwards", "fixed numbers"],
)
def test_names_can_not_make_a_short_table_endless(lets: list[str]) -> None:
    start = process_time()
    found = wrong("\n".join([*lets, "return a50"]))
    assert {code for code, _, _ in found} == {"T003"}
    assert process_time() - start < 5


def test_a_measure_may_be_named() -> None:
    measures = bind_measures(["weight", "weight + 1 > 2"], load_game("tic-tac-toe"), head="let weight = 2 * n(xb)")
    assert columns(measures, 1, ["xbbbbbbbb", "bbbbbbbbb"]).tolist() == [[2, 1], [0, 0]]


def test_an_expression_is_written_with_its_names_and_knows_what_they_stand_for() -> None:
    rule = book(NAMED).rules(0)[0]
    assert format_bound(rule.priority) == "100 - weight"
    named = {part.name: format_bound(unnamed(part)) for part in parts(rule.priority) if part.name}
    assert named == {"weight": "4 * mine + 3 * n(ob) - far", "mine": "n(xb)", "far": "2"}


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("let weight=28*n(met)-16*n(you)", "let weight = 28 * n(met) - 16 * n(you)"),
        ("let far =k+1", "let far = k + 1"),
        ("let far = 2*rows", "let far = 2 * rows"),
        ("let ee=bb|ox", "let ee = bb | ox"),
        ("let side = b * x b", "let side = b*xb"),
        ("let big = (1+n(x?))*3", "let big = (1 + n(x?)) * 3"),
    ],
)
def test_a_let_is_laid_out(written: str, wanted: str) -> None:
    source = Source("test.team", f"{written}\nreturn 1\n")
    assert laid_out(source).splitlines()[0] == wanted
    assert parse_table(Source("again.team", format_table(parse_table(source)))) == parse_table(source)


def test_explain_shows_the_name_its_value_and_what_its_parts_measured() -> None:
    team = Team(book(NAMED))
    position = team.game.position("x.. / .o. / ...")
    tried = team.trace(position, 1, Luck(0))
    assert measured(tried[0]) == "weight=5 (mine=1 (n(xb)=1), n(ob)=1, far=2) yes, mine=1 (n(xb)=1) yes, " + (
        "weight=5 (mine=1 (n(xb)=1), n(ob)=1, far=2)"
    )
    below = team.trace(position, 5, Luck(0))
    assert measured(below[0]).startswith("weight=1 (mine=0 (n(xb)=0), n(ob)=1, far=2) no")


def test_hover_tells_what_a_name_is_made_of_at_its_definition_and_at_its_uses() -> None:
    outline = Outline.of(Source("test.team", NAMED))
    for line, column in ((1, 6), (4, 5), (4, 48)):
        found = hover(outline, line, column)
        assert found and "`n(ob)`: the lines of 3 cells through my cell" in found[0] and "`mine` = `n(xb)`" in found[0]
    inside = hover(outline, 1, 29)
    assert inside and inside[0].startswith("`n(ob)`: the lines of 3 cells")
    assert inside[1].line == 1


def test_a_table_with_names_is_checked() -> None:
    found = check(Source("test.team", "let weight = n(xx) - 9\nif weight > 0 then return 1\nreturn 2"))
    assert [(one.code, one.span.line) for one in found.findings if one.code == "T101"] == [("T101", 2)]
    label = next(one.label for one in found.findings if one.code == "T101")
    assert "`weight` is -9 to -5" in label
