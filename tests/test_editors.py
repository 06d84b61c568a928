"""What editors show: colours from one list of words, and rules in words."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexer import RegexLexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename

from teamplay import library
from teamplay.editors import keywords, textmate
from teamplay.editors.hover import Outline, hover
from teamplay.editors.lexer import TOKENS, SceneLexer, TableLexer
from teamplay.editors.page import UNITS, Page
from teamplay.editors.wording import VALUES, Wording
from teamplay.language import Source, load_source, read_rulebook
from teamplay.language.complaints import KEYWORDS
from teamplay.language.line import _grammar

ROOT = Path(__file__).parent.parent
EXTENSION = ROOT / "editors" / "vscode"
LEXERS: dict[str, RegexLexer] = {
    "team": TableLexer(stripnl=False, ensurenl=False),
    "scene": SceneLexer(stripnl=False, ensurenl=False),
}
FILES = sorted((ROOT / "rules").rglob("*.team")) + sorted((ROOT / "rules").rglob("*.scene"))
KIND = {token: kind for kind, token in TOKENS.items()}

# A highlighter's kind of a word's first sign -> what the language's own lexer calls the word.
CALLED = {
    "declaring": "GAME LET SIGHT RADIUS ALL",
    "answering": "IF THEN ELSE END RETURN PLAY WITH CHANCE",
    "logic": "AND OR NOT",
    "operator": "COMPARE EQUALS PLUS MINUS TIMES",
    "punctuation": "OPEN CLOSE COMMA PERCENT PATTERN",
    "role": "HEADING",
    "label": "LABEL NUMBERING",
    "game": "SPEC",
    "number": "NUMBER PATTERN",
    "function": "COUNT NAME PATTERN",
    "value": "NAME",
    "name": "NAME PATTERN",
    "mark": "PATTERN",
    "own": "PATTERN",
}
SPELLINGS = (
    "1: if $n(oo) \\ge 1$ then return 1",
    "2: else if n(bb | ox) <> 0 and center == x then return 2 end if",
    "T1, T2: return 1 if at(-1,0) ≠ b with chance 25% then return 2 × row − k play S or O",
    "if not row = 1 then return 1",
    "sight radius 2",
    "sight all",
    "game mnk(m=5, n=5,k=4), my/own.toml",
)


def kinds(text: str, language: str = "team") -> list[str]:
    """The kind of every character, by Pygments."""
    tokens = LEXERS[language].get_tokens(text)
    return [KIND[token] for token, part in tokens for _ in part]


def test_pygments_finds_the_lexers_by_name_and_by_file() -> None:
    assert isinstance(get_lexer_by_name("team"), TableLexer)
    assert isinstance(get_lexer_for_filename("my.team"), TableLexer)
    assert isinstance(get_lexer_for_filename("my.scene"), SceneLexer)


def test_every_word_of_the_grammar_is_coloured_as_what_it_is() -> None:
    lines = [line for name in library.names(".team") for line in load_source(name).text.split("\n")]
    seen = set()
    for line in [*lines, *SPELLINGS]:
        code = line.partition("#")[0].rstrip()
        coloured = kinds(code)
        for token in _grammar().parse_interactive(code, start="start").exhaust_lexer() if code.strip() else ():
            assert token.type in CALLED[coloured[token.start_pos or 0]].split(), (line, token)
            seen.add(token.type)
    assert seen == set(" ".join(CALLED.values()).split()), "some word of the grammar is in none of these lines"


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_nothing_in_a_shipped_file_is_coloured_as_wrong(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "wrong" not in kinds(text, path.suffix[1:])
    assert "".join(part for _, part in LEXERS[path.suffix[1:]].get_tokens(text)) == text


def test_the_list_holds_every_keyword_once() -> None:
    words = [*keywords.DECLARING, *keywords.ANSWERING, *keywords.LOGIC]
    assert sorted(words) == sorted(KEYWORDS)
    assert set(TOKENS) - {""} == set(textmate.SCOPES) == set(keywords.KINDS)


def test_every_value_is_known_to_the_language() -> None:
    assert set(VALUES) == set(keywords.VALUES)
    for value in set(VALUES) - {"center"}:
        read_rulebook(Source("a.team", f"game tic-tac-toe-3d\nreturn {value}"))
    for function, inside in zip(keywords.COUNTS, ("xx", "*o+x", "x"), strict=True):
        read_rulebook(Source("a.team", f"return {function}({inside})"))


# TextMate: an interpreter of the generated grammars, line by line, as an editor would be


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def scoped(text: str, language: str) -> list[str]:
    """The kind of every character, by the TextMate grammar."""
    named = {f"{scope}.{language}": kind for kind, scope in textmate.SCOPES.items()}
    grammar = textmate.grammar(language)
    return [kind for line in text.split("\n") for kind in (*_line(line, grammar["patterns"], named), "")][:-1]


def _line(line: str, patterns: list[dict[str, Any]], named: dict[str, str]) -> list[str]:
    found, at, block = [""] * len(line), 0, None
    while at <= len(line):
        rules = patterns if block is None else [{"match": block["end"], "pops": True}, *block["patterns"]]
        first = _first(line, at, rules)
        if first is None:
            break
        match, rule = first
        for start, end, scope in _scopes(match, rule):
            found[start:end] = [named[scope]] * (end - start)
        at = match.end()
        block = None if rule.get("pops") else rule if "begin" in rule else block
        if rule.get("pops") and at == len(line):
            break
    return found


def _first(line: str, at: int, rules: list[dict[str, Any]]) -> tuple[re.Match[str], dict[str, Any]] | None:
    """The rule that matches next; of several in one place the first."""
    tried = ((compiled(rule.get("match") or rule["begin"]).search(line, at), rule) for rule in rules)
    return min(((match, rule) for match, rule in tried if match), key=lambda one: one[0].start(), default=None)


def _scopes(match: re.Match[str], rule: dict[str, Any]) -> Iterator[tuple[int, int, str]]:
    if "name" in rule:
        yield *match.span(), rule["name"]
    for group, scope in (rule.get("captures") or rule.get("beginCaptures") or {}).items():
        yield *match.span(int(group)), scope["name"]


PIECES = (
    "if ",
    "n(",
    "x{k-1}",
    ")",
    "corner",
    ":",
    "game ",
    "let ",
    "ee",
    " = ",
    "\n",
    "  ",
    "#",
    "$",
    "≥",
    "\\ge",
    "*",
    "+",
)
PIECES += (
    "return",
    " 10",
    "T1",
    "center",
    "|",
    "?",
    "é",
    '"',
    "scene ",
    "ask b1",
    "->",
    "-",
    "%",
    "claim",
    ",",
    "at(",
    "win",
    "\t",
)


@pytest.mark.parametrize("language", ["team", "scene"])
@settings(max_examples=150, deadline=None)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=25))
def test_both_highlighters_agree_on_any_text(language: str, pieces: list[str]) -> None:
    text = "".join(pieces)
    pairs = zip(text, kinds(text, language), scoped(text, language), strict=True)
    assert all(one == other or char.isspace() for char, one, other in pairs), text


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_both_highlighters_agree_on_every_shipped_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    pairs = zip(text, kinds(text, path.suffix[1:]), scoped(text, path.suffix[1:]), strict=True)
    assert all(one == other or char.isspace() for char, one, other in pairs)


@pytest.mark.parametrize("language", ["team", "scene"])
def test_the_grammar_in_the_extension_is_what_the_generator_writes(language: str) -> None:
    written = (EXTENSION / f"{language}.tmLanguage.json").read_text(encoding="utf-8")
    assert written == textmate.written(language), "run `python -m teamplay.editors.textmate editors/vscode`"


def test_the_extension_names_files_that_are_there() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    contributed = package["contributes"]
    grammars = {one["path"]: one["scopeName"] for one in contributed["grammars"]}
    for path, scope in grammars.items():
        assert json.loads((EXTENSION / path).read_text(encoding="utf-8"))["scopeName"] == scope
    assert {one["language"] for one in contributed["grammars"]} == {one["id"] for one in contributed["languages"]}
    json.loads((EXTENSION / "language-configuration.json").read_text(encoding="utf-8"))
    assert (EXTENSION / package["main"]).is_file()


# Words


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("n(oo) >= 1", "at least 1 line through my cell has 2 of theirs"),
        ("n(xb) = 0", "no line through my cell has 1 of mine and 1 blank"),
        ("n(x?) != 2", "not exactly 2 lines through my cell have 1 of mine and 1 of any kind"),
        ("n(x{k-1}) > 1", "more than 1 line through my cell has 2 of mine"),
        ("n(bb | ox) < 3", "fewer than 3 lines through my cell have 2 blanks, or 1 of mine and 1 of theirs"),
        ("n(calm) >= 2", "at least 2 lines through my cell have 2 blanks, or 1 of mine and 1 of theirs"),
        ("n(x*x) >= 1", "at least 1 line through my cell has one of mine, my cell, one of mine in this order"),
        ("n(*ox) >= 2", "at least 2 directions from my cell have my cell, one of theirs, one of mine in this order"),
        ("n(*o+x) = 0", "no direction from my cell has my cell, a whole run of theirs, one of mine in this order"),
        ("n(*b?x) >= 1", "at least 1 direction from my cell has my cell, a blank, any mark, one of mine in this order"),
        ("n(*oob) >= 1", "at least 1 direction from my cell has my cell, 2 of theirs, a blank in this order"),
        ("count(b) <= 3", "at most 3 cells in my sight are blank"),
        ("center != x", "the center is not mine"),
        ("at(-1,+2) = o", "the cell 1 row up and 2 columns right is theirs"),
        ("cell(1,1) = b", "`cell(1,1)` is blank"),
        ("row + 1 < cols", "`row + 1` is less than `3`"),
        ("n(xx) >= n(oo)", "at least `n(oo)` lines through my cell have 2 of mine"),
        (
            "(n(oo) = 1 or row = 1) and not col = 1",
            "(exactly 1 line through my cell has 2 of theirs, or `row` is `1`), and not (`col` is `1`)",
        ),
    ],
)
def test_a_condition_in_words(condition: str, said: str) -> None:
    book = read_rulebook(Source("a.team", f"sight all\nlet calm = bb | ox\nif {condition} then return 1"))
    bound = book.sections[0][1][0].condition
    assert bound
    assert Wording(book).condition(bound) == said


def test_what_reads_the_same_both_ways_counts_lines_and_other_patterns_count_directions() -> None:
    assert "lines" in said_of("n(x*x)")
    assert "directions" in said_of("n(o*x)")
    assert said_of("n(o*x | x*o)") == said_of("n(o*x)")
    assert said_of("n(S*S)", "sos") == "the lines through my cell with S, my cell, S in this order"
    assert said_of("size(*o+x)").startswith("the cells of the runs, in every direction with my cell, a whole run")


def said_of(count: str, game: str = "mnk") -> str:
    table = Source("a.team", f"game {game}\nreturn {count}")
    told = hover(Outline.of(table), 2, 8)
    assert told
    return told[0].partition("`: ")[2].partition(".\n\n")[0]


TABLE = """\
game tic-tac-toe, nim
sight 3
let ee = bb | ox
everyone:
    win: if n(xx) >= 1 then return 1
corner:
    if n(oo) >= 1 then return 2 with chance 25%
    return 3
others, everyone:
others:
    last: return 9 - n(xb) * k
face:
    return 1
"""


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        (1, 1, "- **tic-tac-toe**: "),
        (1, 1, "- There is no game named `nim`."),
        (2, 1, "`sight 3`: an agent sees 2 cells along every straight line."),
        (3, 5, "`let ee = bb | ox`: the lines of 3 cells through my cell whose other cells hold 2 blanks, or "),
        (4, 1, "The rules of center (1 cell), corner (4 cells) and edge (4 cells) on tic-tac-toe."),
        (
            5,
            5,
            "**win** (everyone) answers `1` if at least 1 line through my cell has 2 of mine; there is no rule above",
        ),
        (
            7,
            5,
            "**corner 1** (corner) answers `2` with a chance of 25% if at least 1 line through my cell has",
        ),
        (
            8,
            5,
            "**corner 2** (corner) answers `3` if none of the rules above it answers:\n\n- `win`, if `n(xx) >= 1`\n- ",
        ),
        (8, 5, "- `corner 1`, if `n(oo) >= 1` (chance 25%)"),
        (10, 1, "The rules of center (1 cell) and edge (4 cells) on tic-tac-toe."),
        (11, 30, "`k`: the length of a line, here 3.\n\n**last** (others) answers `9 - n(xb) * k` if none "),
        (
            11,
            22,
            "`n(xb)`: the lines of 3 cells through my cell whose other cells hold 1 of mine and 1 blank, in any order.",
        ),
        (12, 1, "No cell of this board has this role."),
        (13, 5, "**face 1** (face) answers `1`; but no cell of this board has this role."),
    ],
)
def test_hover_even_in_a_table_with_errors(line: int, column: int, said: str) -> None:
    told = hover(Outline.of(Source("a.team", TABLE)), line, column)
    assert told
    assert said in told[0]
    assert told[1].line == line


def test_roles_that_read_different_rules_above_are_told_apart() -> None:
    table = Source("a.team", "center: return 1\ncorner: return 2\neveryone: last: return 3\nedge: return 4")
    told = hover(Outline.of(table), 3, 13)
    assert told
    assert told[0].split("\n\n")[1].split("\n") == [
        "- for center: `center 1`, always",
        "- for corner: `corner 1`, always",
        "- for edge: there are none",
    ]


def test_only_the_last_of_many_rules_above_are_named() -> None:
    rules = "\n".join(f"if row = {number} then return {number}" for number in range(1, 41))
    told = hover(Outline.of(Source("a.team", rules)), 40, 1)
    assert told
    assert "- 39 rules, the last of them:" in told[0]
    assert told[0].count("\n- `") == 8


@given(text=st.text(alphabet="ab🎲é\n\r\ufeff", max_size=30), units=st.sampled_from(sorted(UNITS)))
def test_every_place_is_found_again_in_any_units(text: str, units: str) -> None:
    page = Page(text, units)
    for line, content in enumerate(page.lines, 1):
        for column in range(1, len(content) + 2):
            assert page.place(*page.position(line, column)) == (line, column)
