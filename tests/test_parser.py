"""Text -> tree: what is written is what is read, the paper's habits are understood, and no text does harm."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from teamplay import library
from teamplay.errors import TeamplayError
from teamplay.game_file import load_game
from teamplay.language import Source, load_table, parse_table, read_rulebook
from teamplay.language.formatter import format_table
from teamplay.language.tree import Table
from tests.strategies import tables, trees

quietly = settings(deadline=None, derandomize=True)


def parsed(text: str) -> Table:
    return parse_table(Source("test.team", text))


def unlabelled(table: Table) -> Table:
    """The same table without its labels, which the paper does not have."""
    sections = (
        replace(section, rules=tuple(replace(rule, label="") for rule in section.rules)) for section in table.sections
    )
    return replace(table, sections=tuple(sections))


# Round trips


@quietly
@given(trees())
def test_every_tree_is_read_back_from_its_own_text(tree: Table) -> None:
    text = format_table(tree)
    assert parsed(text) == tree, text
    assert format_table(parsed(text)) == text


GAMES = [load_game(spec) for spec in ("tic-tac-toe", "mnk(m=5,n=4,k=3)", "sos(n=4)", "reversi(n=6)", "tic-tac-toe-3d")]


@settings(quietly, max_examples=30)
@pytest.mark.parametrize("game", GAMES, ids=str)
@given(data=st.data())
def test_every_table_for_a_game_is_read_back_and_binds(game, data: st.DataObject) -> None:
    table = data.draw(tables(game))
    text = format_table(table)
    assert parsed(text) == table, text
    read_rulebook(Source("test.team", text), game)


@pytest.mark.parametrize("name", library.names(".team"))
def test_a_shipped_table_means_the_same_after_formatting(name: str) -> None:
    table, _ = load_table(name)
    assert parsed(format_table(table)) == table


# The paper's figures, exactly as they stand in its text

EE = ["let ee = bb | ox"]
FIGURES = {
    "figure-6": [r"if $n(oo) \ge 1$ then return 1 return 2"],
    "figure-9": [r"if n(oo) \ge 1 then return 1 if n(ob) \ge 2 then return 2 return 3"],
    "figure-11": [
        r"if n(xx) \ge 1 then return 1",
        r"if n(oo) \ge 1 then return 2",
        r"if n(ob) \ge 2 then return 3",
        r"return 4",
    ],
    "figure-13": [
        *EE,
        r"if n(xx) \ge 1 then return 1",
        r"if n(oo) \ge 1 then return 2",
        r"if n(bx) = 2 then return 3",
        r"if n(bx) \ge 1 then return 4",
        r"if n(bo) = 2 then return 5",
        r"if n(ee) = 2 then return 7",
        r"if n(ee) \ge 1 then return 6",
    ],
    "figure-15": [
        *EE,
        r"T1:",
        r"      return 1",
        r"T2:",
        r"      if n(xx) \ge 1 or center != x then return 1",
        r"      if n(oo) \ge 1 then return 2",
        r"      if n(bo) = 2 and n(bx) = 1 then return 3",
        r"      if n(bx) = 2 then return 3",
        r"      if n(bx) \ge 1 then return 4",
        r"      if n(bo) \ge 2 then return 5",
        r"      if n(ee) \ge 2 then return 7",
        r"      if n(ee) \ge 1 then return 6",
        r"T3:",
        r"      if n(xx) \ge 1 then return 1",
        r"      if n(oo) \ge 1 then return 2",
        r"      if n(bx) = 2 then return 3",
        r"      if n(bx) \ge 1 then return 4",
        r"      if n(bo) \ge 2 then return 5",
        r"      if n(ee) \ge 2 then return 7",
        r"      if n(ee) \ge 1 then return 6",
    ],
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_as_printed_is_the_shipped_table(name: str) -> None:
    printed = parsed("\n".join(FIGURES[name]))
    shipped, _ = load_table(f"tic-tac-toe/{name}")
    assert replace(printed, games=("tic-tac-toe",)) == unlabelled(shipped)


# Habits of the paper and of other people

RULE = "if n(oo) >= 1 then return 2"


@pytest.mark.parametrize(
    ("habit", "plain"),
    [
        ("if n(oo) ≥ 1 then return 2", RULE),
        (r"if n(oo) \ge 1 then return 2", RULE),
        (r"if n(oo) \geq 1 then return 2", RULE),
        (r"if $n(oo) \geq 1$ then return 2", RULE),
        ("if n(oo)>=1 then return 2", RULE),
        ("3: if n(oo) >= 1 then return 2", RULE),
        ("  12 :  if n(oo) >= 1 then return 2", RULE),
        ("else if n(oo) >= 1 then return 2", RULE),
        ("if n(oo) >= 1 then return 2 end if", RULE),
        ("if n(oo) >= 1 then return 2\nend", RULE),
        ("if (n(oo) >= 1) then return (2)", RULE),
        ("if n( o o ) >= +1 then return 2", RULE),
        ("\tif\tn(oo)\t>=\t1\tthen\treturn\t2\t", RULE),
        ("if n(oo) >= 1 then return 2 # a comment, with ≥ and any сharacter", RULE),
        ("if n(oo) ≤ 1 then return 2", "if n(oo) <= 1 then return 2"),
        (r"if n(oo) \leq 1 then return 2", "if n(oo) <= 1 then return 2"),
        ("if n(oo) ≠ 1 then return 2", "if n(oo) != 1 then return 2"),
        (r"if n(oo) \neq 1 then return 2", "if n(oo) != 1 then return 2"),
        ("if n(oo) <> 1 then return 2", "if n(oo) != 1 then return 2"),
        ("if n(oo) == 1 then return 2", "if n(oo) = 1 then return 2"),
        ("return 9 − n(oo)", "return 9 - n(oo)"),
        ("return 2 × n(oo)", "return 2 * n(oo)"),
        ("game mnk\nif n(x{k−1}) = 1 then return 1", "game mnk\nif n(x{k-1}) = 1 then return 1"),
        ("game mnk\nif n(b x { k - 2 }) = 1 then return 1", "game mnk\nif n(bx{k-2}) = 1 then return 1"),
        ("if n(oo) = 1 with chance 25% then return 2", "if n(oo) = 1 then return 2 with chance 25%"),
        ("if n(oo) = 1 then return 1 else return 2", "if n(oo) = 1 then return 1\nreturn 2"),
        ("win: if n(xx) = 1 then return 1 return 2", "win: if n(xx) = 1 then return 1\nreturn 2"),
        ("corner, edge: return 1", "corner, edge:\n    return 1"),
        ("T1: return 1", "center:\n    return 1"),
        ("T2, T3: return 1", "corner, edge:\n    return 1"),
        ("return 1\n\n\n\n", "everyone: return 1"),
        ("game  mnk ( m = 5 , k = 4 )\nreturn 1", "game mnk(m=5,k=4)\nreturn 1"),
    ],
)
def test_habits(habit: str, plain: str) -> None:
    assert parsed(habit) == parsed(plain)


def test_a_whole_listing_with_numbers_and_else() -> None:
    listing = """
    1: if n(xx) ≥ 1 then return 1
    2: else if n(oo) ≥ 1 then return 2
    3: else return 3
    4: end if
    """
    assert parsed(listing) == parsed("if n(xx) >= 1 then return 1\nif n(oo) >= 1 then return 2\nreturn 3")


def test_not_binds_looser_than_a_comparison_and_tighter_than_and() -> None:
    written = "if not n(xx) = 1 and n(oo) = 1 or center = x then return 1"
    meant = "if ((not (n(xx) = 1)) and (n(oo) = 1)) or (center = x) then return 1"
    assert parsed(written) == parsed(meant)


def test_arithmetic_groups_to_the_left_and_times_first() -> None:
    assert parsed("return 9 - 2 - 1 * -k") == parsed("return (9 - 2) - (1 * (-k))")
    assert parsed("return 9 - (2 - 1)") != parsed("return 9 - 2 - 1")


def test_the_formatter_writes_no_more_parentheses_than_it_needs() -> None:
    text = "everyone:\n    if (n(xx) = 1 or n(oo) = 1) and not (center = x or center = o) then return 9 - (2 - k) * 3\n"
    assert format_table(parsed(text)) == text


# Any text at all


def harmless(text: str) -> None:
    """Read and bind a text; an error of ours is fine, any other is not."""
    try:
        read_rulebook(Source("test.team", text))
    except TeamplayError as error:
        assert str(error)


@settings(quietly, max_examples=300)
@given(st.text())
@example("\x00")
@example("\x1c: return 1")
@example("return 1\u2028return 2")
@example("\udcff: return \udc80")
def test_any_text_is_a_table_or_an_error(text: str) -> None:
    harmless(text)


SOUP = """
if then else end return play with chance and or not game let sight radius all k row cols center corner corner: everyone:
win: T1: 1: n(xx) n(*o+x) n( size( count(x) cell(1,1) at(+1,0) at( x o b S 0 1 25 % ( ) , : = == != >= ≥ < + - − * × | {
} x{k-1} {k} ee bb|ox $ # \\ge ? _ . tic-tac-toe mnk(k=3)
"""
TOKENS = ["\t", "\n", *SOUP.split()]


@settings(quietly, max_examples=400)
@given(st.lists(st.sampled_from(TOKENS), max_size=25))
def test_any_soup_of_words_is_a_table_or_an_error(words: list[str]) -> None:
    harmless(" ".join(words))
    harmless("".join(words))


TEXTS = [library.read(library.find(name, ".team")) for name in library.names(".team")]
TEXTS += ["\n".join(lines) for lines in FIGURES.values()]


@settings(quietly, max_examples=300)
@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False))
def test_a_spoilt_table_is_a_table_or_an_error(text: str, chance) -> None:
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.randrange(4))
        text = text[:start] + chance.choice(["", *TOKENS, "ж", "\x07", text[start:end] * 3]) + text[end:]
    harmless(text)
