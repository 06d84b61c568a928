"""`teamplay check`: what it finds is so, what it calls exact is all there is, and every code has a page."""

import io
import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

from teamplay import library
from teamplay.check.codes import CODES
from teamplay.check.fates import Fates
from teamplay.check.findings import Finding, with_edits
from teamplay.check.game import CODES as GAME_CODES
from teamplay.check.legal import Boards, boards
from teamplay.check.report import Report, check
from teamplay.cli import main
from teamplay.game import Game
from teamplay.game_file import load_game
from teamplay.language import Rulebook, Source, bind, load_source, parse_table, read_rulebook
from teamplay.language.diagnostics import CODES as ERRORS
from teamplay.language.diagnostics import Diagnostic
from teamplay.language.formatter import format_table
from teamplay.language.rulebook import BoundRule
from teamplay.team.consult import holds, priority
from teamplay.team.view import View
from tests.strategies import table

Capture = pytest.CaptureFixture[str]
PAGES = Path(__file__).parent.parent / "docs" / "checks"
SMALL = "game mnk(m=3,n=2,k=3)\n"
SAFE = "win: if n(xx) >= 1 then return 1\nblock: if n(oo) >= 1 then return 2\n"


def report(text: str, game: str = "", thorough: bool = True) -> Report:
    return check(Source("test.team", text), load_game(game) if game else None, thorough)


def found(text: str, game: str = "", thorough: bool = True) -> list[tuple[str, int]]:
    """The code and line of every finding."""
    return [(one.code, one.span.line) for one in report(text, game, thorough).findings]


def only(text: str, code: str) -> Diagnostic:
    """The one finding of a code; on tic-tac-toe without a look at all its games."""
    (one,) = [one for one in report(text, thorough=SMALL in text or code == "T103").findings if one.code == code]
    return one


# Exactness: all views, all legal positions, one by one, by the reference agents


def views(book: Rulebook, cell: int) -> Iterator[View]:
    """Every view that an agent can have, legal or not."""
    view = View(book, cell)
    for marks in product(book.game.visible_marks, repeat=len(view.marks)):
        yield noticed(view, dict(zip(view.marks, marks, strict=True)))


def noticed(view: View, marks: dict[int, str]) -> View:
    for cell, mark in marks.items():
        view.notice(cell, mark)
    return view


def holding(rules: tuple[BoundRule, ...], view: View) -> list[BoundRule]:
    """The rules that might answer, from the top, down to the first that surely does."""
    met = []
    for rule in rules:
        if rule.chance != 0 and (rule.condition is None or holds(rule.condition, view)):
            met.append(rule)
            if rule.chance in (None, 100):
                break
    return met


def agrees(book: Rulebook, legal: Boards) -> None:
    """The fates of all rules are what looking everywhere says."""
    held, fires, plays, matters, silent = set(), set(), set(), set(), set()
    for cell in book.game.grid.cells:
        rules = book.rules(cell)
        for view in views(book, cell):
            fires |= {rule.span for rule in holding(rules, view)}
            held |= {rule.span for rule in rules if holding((rule,), view)}
        view = View(book, cell)
        for board in legal[cell]:
            noticed(view, {other: board[other] for other in view.marks})
            met = holding(rules, view)
            if rules and (not met or met[-1].chance not in (None, 100)):
                silent.add(cell)
            for rule in met:
                plays.add(rule.span)
                below = holding(rules[rules.index(rule) + 1 :], view)
                said = {(priority(one, view), one.letters) for one in (rule, *below)}
                if len(said) > 1 or not below or below[-1].chance not in (None, 100):
                    matters.add(rule.span)
    fates = Fates(book, legal).study()
    for span, fate in fates.fates.items():
        said = (fate.holds, fate.fires, fate.plays, fate.matters)
        truth = tuple("yes" if span in spans else "no" for spans in (held, fires, plays, matters))
        assert said == truth, (span, said, truth)
    assert {silence.outlook.cell for silence in fates.silences} == silent


@pytest.mark.parametrize(
    "spec", ["mnk(m=3,n=2,k=2)", "sos-line(n=4)", "sos(n=2)", "connect-four(columns=3,rows=2,k=2)"]
)
def test_what_becomes_of_a_rule_is_what_looking_everywhere_says(spec: str) -> None:
    game = load_game(spec)
    legal = boards(game)
    assert legal is not None
    for seed in range(12):
        source = Source("random.team", format_table(table(game, Random(seed))))
        agrees(bind(parse_table(source), source, game), legal)


@pytest.mark.parametrize("spec", ["connect-four(columns=3,rows=2,k=2)", "sos-line(n=6)", "mnk(m=3,n=2,k=2)"])
def test_what_is_called_impossible_without_looking_at_positions_is_so(spec: str) -> None:
    """The bounded analysis of large games, on small ones where the truth is known."""
    game = load_game(spec)
    for seed in range(12):
        source = Source("random.team", format_table(table(game, Random(seed))))
        book = bind(parse_table(source), source, game)
        bounded, exact = Fates(book, None).study(), Fates(book, boards(game)).study()
        for span, fate in bounded.fates.items():
            truth = exact.fates[span]
            assert fate.plays != "no" or truth.plays == "no", (spec, seed, span)
            assert fate.matters != "no" or truth.matters == "no", (spec, seed, span)


def test_what_another_role_tests_is_no_part_of_a_view() -> None:
    """A corner of this board sees nothing at all, whatever the center may test."""
    text = "game sos(n=2)\ncorner:\nif count(O) = 0 then return 1\nreturn 2\ncenter:\nif cell(2,2) = b then return 1\n"
    assert found(text, thorough=False)[:1] == [("T102", 4)]


def test_legal_positions_are_not_said_to_be_looked_at_where_views_are_only_sampled() -> None:
    made = report("game mnk(m=12,n=1,k=12)\nif n(x{11}) >= 1 then return 1\nif n(*b) >= 1 then return 2")
    (silence,) = [one for one in made.findings if one.code == "T106"]
    assert isinstance(silence, Finding) and not silence.exact and "some views" in silence.basis
    assert "all legal positions" not in made.scope[0]


def test_many_rules_are_decided() -> None:
    rules = "".join(f"if n(xx) >= 1 then return {number}\n" for number in range(700))
    assert found(rules + "return 700", thorough=False) == [("T102", line) for line in range(2, 701)]


# Each finding


def test_the_smallest_part_that_is_never_true_is_blamed() -> None:
    text = "edge:\n    if n(xb) >= 1 and n(oo) >= 3 then return 1\n    return 2\nothers: return 3"
    one = only(text, "T101")
    assert (one.span.line, one.span.column, one.span.end) == (2, 23, 33)
    assert one.label == "for the edge cells `n(oo)` is 0 to 2 (3x3, k=3)"
    assert "`n(oo) >= 2` can be true" in one.help


def test_two_tests_that_exclude_each_other_are_blamed_together() -> None:
    one = only("corner: if center = x and center = o then return 1\nreturn 2\nothers: return 3", "T101")
    assert "not both at once" in one.label
    assert (one.span.column, one.span.end) == (12, 37)


def test_one_side_of_an_or_that_is_never_true_is_found() -> None:
    one = only("if n(oo) >= 1 or n(bx) >= 5 then return 1\nreturn 2", "T101")
    assert one.message == "this part is never true"
    assert not one.fix


def test_a_rule_is_judged_for_all_agents_that_read_it() -> None:
    """Four lines run only through the center, and only it can meet this."""
    assert "T101" not in dict(found("if n(bb) >= 4 then return 1\nreturn 2", thorough=False))
    narrow = "corner:\nif n(bb) >= 4 then return 1\nreturn 2\nothers: return 2"
    assert ("T101", 2) in found(narrow, thorough=False)


def test_coordinates_are_told_apart() -> None:
    assert found("if row = 2 then return 1\nreturn 2", thorough=False) == []
    assert found("if row = 4 then return 1\nreturn 2", thorough=False) == [("T101", 1)]


def test_shadowed_by_several_rules_together() -> None:
    """The last rule of figure 15's corners: no single rule above it covers it."""
    source = load_source("tic-tac-toe/figure-15")
    made = check(source, thorough=False)
    (one,) = [one for one in (*made.findings, *made.allowed) if one.code == "T102"]
    assert source.text.split("\n")[one.span.line - 1].strip().startswith("open: if n(ee) >= 1")
    for name in ("win", "block", "fork", "threaten", "preempt", "calm"):
        assert f"`{name}`" in one.message
    assert "`counter`" not in one.message


def test_a_rule_with_a_chance_shadows_nothing() -> None:
    assert found(SMALL + SAFE + "return 3 with chance 50%\nreturn 4") == []
    assert ("T102", 5) in found(SMALL + SAFE + "return 3\nreturn 4")


def test_satisfiable_but_in_no_legal_position() -> None:
    text = "game tic-tac-toe\nsight all\n" + SAFE + "if count(x) - count(o) >= 1 then return 3\nreturn 4"
    one = only(text, "T103")
    assert isinstance(one, Finding) and one.exact
    assert one.basis == "every legal position of tic-tac-toe"


@pytest.mark.parametrize(
    ("game", "test"), [("connect-four", "at(+1,0) = b"), ("reversi", "n(*o+x) = 0"), ("connect-four", "at(-1,0) = x")]
)
def test_large_games_know_what_an_agent_can_not_see_when_it_is_asked(game: str, test: str) -> None:
    text = f"game {game}\nif {test} then return 1\nreturn 2"
    assert ("T103", 2) in found(text, thorough=False)


def test_cells_that_nobody_speaks_to_unless_they_are_taken_from_the_start() -> None:
    one = only("corner:\nreturn 1", "T104")
    assert one.message == "no rule speaks to `edge` and `center`: 2, 4, 5, 6 and 8 never answer"
    assert "T104" not in dict(found("game sos-corners\nedge, inner, center:\nreturn 1", thorough=False))


def test_a_heading_without_a_rule_speaks_to_nobody() -> None:
    one = only("edge, center:\nreturn 1\ncorner:\n", "T104")
    assert (one.span.line, one.help, one.fix) == (3, "give it a rule", ())


def test_a_heading_that_nobody_reads_is_a_warning_and_one_that_some_do_a_note() -> None:
    buried = only(SMALL + "everyone:\nreturn 1\ncorner:\nreturn 2", "T105")
    assert (buried.severity, buried.span.line) == ("warning", 4)
    partly = report(SMALL + "corner:\n" + SAFE + "return 3\neveryone:\n" + SAFE + "return 4")
    assert [(one.code, one.severity) for one in partly.findings] == [("T105", "note")]
    assert partly.clean


def test_silence_is_shown_on_a_legal_board() -> None:
    one = only(SMALL + SAFE + "open: if n(bb) >= 1 then return 3", "T106")
    drawn = re.search(r"on (\S+) the agent on (\d)", one.notes[0])
    assert drawn
    board = drawn[1].replace("/", "")
    assert board[int(drawn[2]) - 1] == "."
    assert 0 <= board.count("o") - board.count("x") <= 1


def test_the_same_answer_as_the_fall_through() -> None:
    assert found(SMALL + SAFE + "calm: if n(bb) >= 1 then return 3\nreturn 3") == [("T107", 4)]
    assert found(SMALL + SAFE + "calm: if n(bb) >= 1 then return 2 + n(bb)\nreturn 3") == [("T107", 4)]
    assert found(SMALL + SAFE + "calm: if n(bb) >= 1 then return 3 with chance 50%\nreturn 3") == [("T107", 4)]
    assert found("game sos\nif n(S*b) = 0 then return 3 play O\nreturn 3 play S", thorough=False) == []


def test_one_priority_for_different_things() -> None:
    one = only(SMALL + "corner:\n" + SAFE + "return 3\nedge:\nreturn 2", "T108")
    assert one.notes == ("line 4: `block` under `corner`\nline 7: `edge 1` under `edge`",)
    same = "corner:\nblock: if n(oo) >= 1 then return 2\nedge:\nblock: if n(ob) >= 1 then return 2"
    assert "T108" not in dict(found(same, thorough=False))
    assert "T108" not in dict(found(same.replace("block: ", "").replace("ob", "oo"), thorough=False))


def test_a_tie_that_changes_the_result_is_one() -> None:
    """The board is legal, the moves are tied, and they are not worth the same."""
    text = SMALL + "win: if n(xx) >= 1 then return 1\nreturn 2"
    one = only(text, "T109")
    assert one.notes == ("on oo./x.., moving second, these tie: 3 (c1) draws; 5 (b2) and 6 (c2) lose",)
    assert found(SMALL + SAFE + "return 3") == []


@pytest.mark.parametrize(
    ("percent", "left"), [(0, SMALL + SAFE + "return 4"), (100, SMALL + SAFE + "return 3\nreturn 4")]
)
def test_a_coin_that_always_falls_the_same_way(percent: int, left: str) -> None:
    text = SMALL + SAFE + f"return 3 with chance {percent}%\nreturn 4"
    one = only(text, "T110")
    assert with_edits(text, one.fix) == left


def test_of_several_games_what_is_dead_must_be_so_in_all() -> None:
    rules = "\nif n(x{k-1}) >= 3 then return 1\nreturn 2"
    assert ("T101", 2) in found("game mnk(m=3,n=2,k=3)" + rules)
    assert "T101" not in dict(found("game mnk(m=3,n=2,k=3), tic-tac-toe" + rules, thorough=False))


# Mends


def test_a_mend_takes_the_finding_away() -> None:
    texts = [
        SMALL + SAFE + "fork: if n(bx) >= 2 then return 3\nreturn 4",
        SMALL + SAFE + "return 3\nreturn 4\n",
        SMALL + SAFE + "calm: if n(bb) >= 1 then return 3\nreturn 3",
        SMALL + SAFE + "open: if n(bb) >= 1 then return 3",
        SMALL + SAFE + "return 3 # allow T107: old\n",
        SMALL + SAFE + "# allow T107: old\nreturn 3\n",
        "corner:\nreturn 1\ncentre:\nreturn 1\nothers:\nretrun 1",
        "corner:\nreturn 1\n",
    ]
    for text in texts:
        before = report(text, thorough=False).findings
        assert any(one.fix for one in before), text
        for one in before:
            if one.fix:
                after = with_edits(text, one.fix)
                left = [other.message for other in report(after, thorough=False).findings]
                assert one.message not in left, (text, after)


def test_taking_out_what_is_dead_changes_no_answer() -> None:
    """Over random tables, some with several rules on a line: what agents might answer stays the same everywhere."""
    game = load_game("mnk(m=3,n=2,k=2)")
    legal = boards(game)
    assert legal is not None
    tried = 0
    for seed in range(24):
        text = format_table(table(game, Random(seed)))
        if seed % 2:
            text = re.sub(r"%\n +", "%  ", text)
        before = answers(text, game, legal)
        for one in report(text, str(game)).findings:
            after = with_edits(text, one.fix)
            if one.code in ("T101", "T102", "T103", "T107", "T110") and one.fix and "return" in after:
                assert answers(after, game, legal) == before, (seed, one)
                tried += 1
    assert tried > 10


def answers(text: str, game: Game, legal: Boards) -> list[set[tuple[int, tuple[str, ...]]]]:
    """What every agent might answer on every legal board."""
    book = read_rulebook(Source("test.team", text), game)
    made = []
    for cell, shown in legal.items():
        view = View(book, cell)
        for board in shown:
            noticed(view, {other: board[other] for other in view.marks})
            made.append({(priority(rule, view), rule.letters) for rule in holding(book.rules(cell), view)})
    return made


def test_errors_come_with_the_mend_that_their_help_names() -> None:
    text = "if n(xx) = 1 than return 1\nreturn rwo"
    one, other = report(text).findings
    assert with_edits(text, (*one.fix, *other.fix)) == "if n(xx) = 1 then return 1\nreturn row"
    assert not report(text).readable


# Allows


def test_an_allow_silences_one_code_in_one_line() -> None:
    rule = "calm: if n(bb) >= 1 then return 3"
    for text in (f"{rule} # allow T107: seen\nreturn 3", f"# allow T107: seen\n# and more\n{rule}\nreturn 3"):
        made = report(SMALL + SAFE + text)
        assert not made.findings
        assert [one.code for one in made.allowed] == ["T107"]
    assert found(SMALL + SAFE + f"# allow T107: seen\n\n{rule}\nreturn 3") == [("T111", 4), ("T107", 6)]
    assert found(SMALL + SAFE + f"{rule} # allow T102: seen\nreturn 3") == [("T107", 4), ("T111", 4)]


def test_an_allow_needs_a_reason_and_a_code() -> None:
    rule = "calm: if n(bb) >= 1 then return 3"
    assert found(SMALL + SAFE + f"{rule} # allow T107\nreturn 3") == [("T107", 4), ("T112", 4)]
    assert found(SMALL + SAFE + f"{rule} # allow T107:  \nreturn 3") == [("T107", 4), ("T112", 4)]
    assert found(SMALL + SAFE + "return 3 # allow T001: why not") == [("T111", 4)]
    assert found(SMALL + SAFE + "return 3 # allow everything: why not") == [("T111", 4)]
    assert found(SMALL + SAFE + f"{rule} # allow T107 as it is\nreturn 3") == [("T107", 4), ("T112", 4)]
    assert found(SMALL + SAFE + "return 3 # allowed are all, T107 too; allow the corner a rest") == []
    assert found(SMALL + SAFE + "return 3 # allow the corner a rest") == []


# Pages, shipped tables, the command line


def test_every_code_has_a_page_and_the_index_names_all() -> None:
    titles = ERRORS | CODES | GAME_CODES
    assert {page.stem for page in PAGES.glob("[GT]*.md")} == set(titles)
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    for code, title in titles.items():
        page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
        assert page.startswith(f"# {code}: {title}\n") and f"| [{code}]({code}.md) | {title} |" in index
        assert re.search(rf"\[{code}\]|# {code}\n", page.partition("Fixed:")[0]), code
        assert code not in page.partition("Fixed:")[2].replace(f"# allow {code[:3]}", ""), code


HEAVY = (  # some seconds each
    "connect-four/careful",
    "connect-four/two-above",
    "reversi/corners",
    "reversi/quiet",
    "sos-line/basic",
    "mnk/helpfulness",
)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in HEAVY else ()) for name in library.names(".team")],
)
def test_shipped_tables_can_be_read_and_nothing_stays_undecided(name: str) -> None:
    made = check(load_source(name), thorough=False)
    assert made.readable
    assert made.scope and not any("not decided" in said for said in made.scope)


def written(folder: Path, text: str) -> str:
    path = folder / "mine.team"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_exit_codes(tmp_path: Path, capsys: Capture) -> None:
    clean, dirty, wrong = SMALL + SAFE + "return 3", SMALL + SAFE + "return 3\nreturn 4", "retrun 1"
    assert main(["check", written(tmp_path, clean)]) == 0
    assert main(["check", written(tmp_path, dirty)]) == 1
    assert main(["check", written(tmp_path, wrong)]) == 2
    assert main(["check", str(tmp_path / "missing.team")]) == 2
    (tmp_path / "empty").mkdir()
    assert main(["check", str(tmp_path / "empty")]) == 2
    assert "There is no table (*.team) in the folder" in capsys.readouterr().err


def test_json_of_several_tables(tmp_path: Path, capsys: Capture) -> None:
    path = written(tmp_path, SMALL + SAFE + "return 3\nreturn 4 # ≥")
    assert main(["check", str(tmp_path), "mnk/generic", "--game", "mnk(m=3,n=2,k=3)", "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    mine, generic = shown["files"]
    assert (mine["path"], generic["path"]) == (path, "mnk/generic.team")
    (one,) = mine["findings"]
    assert (one["code"], one["level"], one["line"], one["exact"]) == ("T102", "warning", 5, True)
    assert shown["findings"] == len(mine["findings"]) + len(generic["findings"])


def test_what_cannot_be_read_at_all_is_told_and_the_others_are_checked(tmp_path: Path, capsys: Capture) -> None:
    good = written(tmp_path, SMALL + SAFE + "return 3\n")
    bad = tmp_path / "bad.team"
    bad.write_bytes(b"\xff")
    assert main(["check", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.err == f"teamplay: {bad} is not UTF-8 text (line 1, byte 1).\n"
    assert " ".join(said.out.split()).endswith("nothing found.")  # the line may be wrapped
    assert main(["check", good, str(bad), "gone.team", "--json"]) == 2
    files = json.loads(capsys.readouterr().out)["files"]
    assert [bool(file["error"]) for file in files] == [False, True, True]
    assert main(["check", str(bad), "--format", "github"]) == 2
    assert capsys.readouterr().out.startswith(f"::error file={bad}::")
    assert main(["check", str(bad), "--format", "sarif"]) == 2
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert not run["invocations"][0]["executionSuccessful"] and not run["results"]


def test_hidden_folders_and_environments_hold_no_tables_of_mine(tmp_path: Path, capsys: Capture) -> None:
    for name in (".git", "env/lib", "mine"):
        (tmp_path / name).mkdir(parents=True)
        written(tmp_path / name, "retrun 1" if name != "mine" else SMALL + SAFE + "return 3")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    assert main(["check", str(tmp_path)]) == 0
    assert main(["fmt", "--check", str(tmp_path)]) == 1
    assert capsys.readouterr().out.count("would change") == 1


def test_standard_input_is_checked_too(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"retrun 1")))
    assert main(["check", "-"]) == 2
    assert "--> standard input:1:1" in capsys.readouterr().out


def test_github_annotations_are_escaped(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "a,b"
    folder.mkdir()
    path = written(folder, SMALL + SAFE + "return 3 with chance 100%")
    assert main(["check", path, "--format", "github"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(
        f"::warning file={path.replace(',', '%2C')},line=4,endLine=4,col=1,endColumn=25,title=T110::"
    )
    assert "100 %25" in line and "%0Ahelp: take the chance out" in line


def test_sarif_has_all_that_the_standard_asks_for(tmp_path: Path, capsys: Capture) -> None:
    text = SMALL + SAFE + "return 3\nreturn 4\nreturn 5 # allow T102: to show it"
    assert main(["check", written(tmp_path, text), "--format", "sarif"]) == 1
    log = json.loads(capsys.readouterr().out)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted(ERRORS | CODES)
    one, allowed = run["results"]
    assert rules[one["ruleIndex"]]["id"] == one["ruleId"] == "T102"
    assert one["level"] == "warning" and one["message"]["text"]
    region = one["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 5, "startColumn": 1, "endColumn": 9}
    assert one["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"]["endLine"] == 6
    assert "suppressions" not in one
    assert allowed["suppressions"] == [{"kind": "inSource", "justification": "to show it"}]


# One game of several

SEVERAL = """game tic-tac-toe, mnk(m=4,n=4,k=3)
everyone:
    win:  if n(xx) >= 1 then return 1
    # allow T101: it is for a larger board still
    many: if n(bb) >= 12 then return 2
    some: if n(bb) >= 5 then return 3
    return 4
"""


@pytest.mark.parametrize("game", ["tic-tac-toe", "mnk(m=4,n=4,k=3)"])
def test_a_rule_that_serves_another_size_is_nothing_to_take_out(game: str) -> None:
    here = report(SEVERAL, game, thorough=False)
    dead = [one for one in here.findings if one.code in ("T101", "T102", "T103", "T107", "T111")]
    assert here.clean and (game != "tic-tac-toe" or dead)
    assert all(one.severity == "note" and not one.fix for one in dead)
    assert all("serves" in one.help and str(load_game(game)) in one.message for one in dead)


def test_a_rule_that_is_dead_in_the_only_game_is_still_to_be_taken_out() -> None:
    text = "game mnk(m=3,n=2,k=3)\neveryone:\n    if n(xx) >= 9 then return 1\n    return 2\n"
    (one,) = report(text, "mnk(m=3,n=2,k=3)", thorough=False).findings
    assert (one.code, one.severity) == ("T101", "warning") and one.fix


def test_json_and_another_format_contradict_each_other(capsys: Capture) -> None:
    assert main(["check", "tic-tac-toe/competent", "--json", "--format", "sarif"]) == 2
    assert "--json and --format sarif contradict each other" in capsys.readouterr().err
    assert main(["check", "tic-tac-toe/competent", "--json", "--format", "json"]) == 0
    json.loads(capsys.readouterr().out)


def test_an_agent_is_not_asked_about_marks_that_its_row_makes_irrelevant() -> None:
    text = "game mnk\nsight all\nif row = 2 and at(0,+1) = x then return 1\nif n(xx) = 1 then return 2\nreturn 3\n"
    book = read_rulebook(Source("own", text), load_game("mnk(m=3,n=3,k=3)"))
    outlooks = {one.cell: one for one in Fates(book, None).outlooks}
    [first, second, _] = book.rules(0)
    rows = {cell: len(outlooks[cell].rows([first.condition])) for cell in (0, 3)}
    assert rows == {0: 1, 3: 3}, "only in row 2 does the mark on the right matter, and it is one of three"
    assert {*outlooks[0].rows([first.condition, second.condition]).holds(first.condition)} == {False}
    assert {*outlooks[3].rows([first.condition, second.condition]).holds(first.condition)} == {False, True}
