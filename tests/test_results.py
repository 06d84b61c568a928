"""What pages and comments say was measured is what was measured, of the tables and games as they are today."""

import json
import shutil
from pathlib import Path

import pytest

import teamplay as package
from tests import measured, results
from tests.results import NOT_RUN, Results, Run, between, matching


def test_no_published_result_is_stale() -> None:
    stale = [run.key for run in Results().stale(measured.wanted())]
    assert not stale, "run `python -m tests.results`, or `python -m tests.results --drop` to have them left out"


def test_pages_and_comments_show_what_was_measured() -> None:
    for path, text in measured.pages(Results()).items():
        assert path.read_text("utf-8") == text, f"{path}: run `python -m tests.results --drop`"


def test_what_was_never_run_is_shown_as_such(tmp_path: Path) -> None:
    nothing = Results(tmp_path / "none.json")
    shown = measured.pages(nothing)
    rows = sum(text.count(NOT_RUN) for text in shown.values())
    assert rows > len(measured.wanted())
    assert "never-loses proved" not in shown[measured.TABLES_PAGE]


def test_another_rule_makes_a_result_stale_and_a_comment_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table, game = tmp_path / "mine.team", tmp_path / "mine.toml"
    table.write_text("# a table\ngame mine.toml\neveryone:\n    return 1\n")
    game.write_text("board = [3, 3]\n[goal]\nline = 3\n")
    run = matching("mine.team", "random", "mine.toml", 4, 1)
    results = Results(tmp_path / "results.json")
    assert results.answer(run) is None and not results.is_fresh(run)
    results.run(run)
    again = Results(tmp_path / "results.json")
    assert again.is_fresh(run) and again.answer(run) == results.answer(run)
    table.write_text("# another comment\ngame mine.toml\n\neveryone:\n    return 1  # why\n")
    assert again.is_fresh(run)
    table.write_text("game mine.toml\neveryone:\n    return 2\n")
    assert again.stale([run]) == [run]
    again.run(run)
    game.write_text("board = [3, 4]\n[goal]\nline = 3\n")
    assert again.stale([run]) == [run]
    assert not again.is_fresh(matching("mine.team", "random", "mine.toml", 8, 1)), "another number of games"


def test_other_code_of_a_player_makes_a_result_stale_and_a_comment_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "teamplay"
    shutil.copytree(Path(package.__file__ or "").parent, copy, ignore=shutil.ignore_patterns("__pycache__"))

    def code(*words: str) -> str:
        for remembered in (results._used, results._tree, results._statements):
            remembered.cache_clear()
        return Run(words).code

    monkeypatch.setattr(package, "__file__", str(copy / "__init__.py"))
    runs = [("match", "helpfulness", "h1"), ("match", "minimax(nodes=9)", "random"), ("match", "mnk/generic", "random")]
    before = [code(*words) for words in runs]
    for name in ("players/_choice.py", "engine/kernels/alphabeta.py"):
        file = copy / name
        file.write_text(f"# another comment\n{file.read_text()}")
    assert [code(*words) for words in runs] == before
    changes = {"players/_choice.py": [True, True, False], "engine/kernels/alphabeta.py": [False, True, False]}
    for name, changed in changes.items():
        text = (copy / name).read_text()
        (copy / name).write_text(f"{text}\nMORE = 1\n")
        assert [code(*words) != was for words, was in zip(runs, before, strict=True)] == changed
        (copy / name).write_text(text)
    code(*runs[0])  # what is remembered is again the code as it is


def test_a_result_of_other_code_is_stale_and_one_of_unknown_code_is_run_again(tmp_path: Path) -> None:
    run = matching("helpfulness", "posswin", "tic-tac-toe", 2, 1)
    kept = Results(tmp_path / "results.json")
    kept.run(run)
    assert kept.is_fresh(run) and not kept.stale([run])
    kept.kept[run.key]["code"] = "another"
    assert not kept.is_fresh(run) and kept.stale([run]) == [run]
    del kept.kept[run.key]["code"]
    assert not kept.is_fresh(run) and not kept.stale([run])


def test_scenes_are_part_of_what_their_coverage_is_about(tmp_path: Path) -> None:
    (tmp_path / "mine.team").write_text("everyone:\n    return 1\n")
    run = Run(("test", str(tmp_path / "mine.team"), "--cov"))
    before = run.inputs
    (tmp_path / "mine.scene").write_text("table mine.team\nask center b2 -> 1\n")
    assert run.inputs != before


def test_answers_are_what_the_commands_print(capsys: pytest.CaptureFixture[str]) -> None:
    found = Run(("verify", "tic-tac-toe/competent", "--game", "tic-tac-toe", "--goal", "never-loses")).ask()
    assert found["seats"]["first"] == json.loads(json.dumps(found))["seats"]["first"]
    assert (found["seats"]["first"]["verdict"], found["seats"]["first"]["positions"]) == ("proved", 237)


def test_a_page_keeps_what_stands_around_its_markers() -> None:
    page = "before\n<!-- a: begin -->\nold\n<!-- a: end -->\nafter\n"
    assert between(page, "a", "new") == "before\n<!-- a: begin -->\nnew\n<!-- a: end -->\nafter\n"
