"""`teamplay repair`: the smallest edit that makes a refuted table proved, and none smaller."""

import json
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from teamplay.cli import main
from teamplay.game_file import load_game
from teamplay.language import Source, load_source, read_rulebook
from teamplay.language.formatter import format_table
from teamplay.language.parser import parse_table
from teamplay.language.tree import Number
from teamplay.learn.formula import Budget
from teamplay.learn.repair import repair
from teamplay.proof.verify import verify
from teamplay.team import Team

GAME = load_game("tic-tac-toe")


def proved(text: str, seats: tuple[int, ...]) -> bool:
    team = Team(read_rulebook(Source("edited", text), GAME))
    return all(verify(team, GAME, seat).verdict == "proved" for seat in seats)


@pytest.mark.parametrize(("seats", "edits"), [((0,), 1), pytest.param((1,), 3, marks=pytest.mark.slow), ((0, 1), 3)])
def test_figure_15_is_repaired_with_the_fewest_edits(seats: tuple[int, ...], edits: int) -> None:
    found = repair(load_source("tic-tac-toe/figure-15"), GAME, seats, "never-loses", Budget())
    assert (found.verdict, len(found.edits), found.minimal) == ("repaired", edits, True)
    assert "corner win: drop `center != x`" in found.edits
    assert proved(found.table or "", seats)
    if edits > 1:
        assert found.known == f"no {edits - 1} edits are enough"


def test_one_changed_number_is_found_where_it_is_enough() -> None:
    text = load_source("tic-tac-toe/competent").text.replace("return 4", "return 9")
    assert not proved(text, (0, 1))
    found = repair(Source("spoilt", text), GAME, (0, 1), "never-loses", Budget())
    assert found.verdict == "repaired" and len(found.edits) == 1


def single_number_edits(text: str) -> list[str]:
    """Every table that differs by one priority, or by one rule left out."""
    table = parse_table(Source("table", text))
    found = []
    for s, section in enumerate(table.sections):
        for r, rule in enumerate(section.rules):
            others = chain(
                ((*section.rules[:r], replace(rule, priority=Number(n)), *section.rules[r + 1 :]) for n in range(9)),
                [(*section.rules[:r], *section.rules[r + 1 :])],
            )
            for rules in others:
                changed = replace(section, rules=tuple(rules))
                sections = [*table.sections[:s], *([changed] if rules else []), *table.sections[s + 1 :]]
                found.append(format_table(replace(table, sections=tuple(sections))))
    return found


@pytest.mark.parametrize(("seat", "step"), [(0, 1), (1, 4), pytest.param(1, 1, marks=pytest.mark.slow)])
def test_edits_by_force_agree_with_the_solver(seat: int, step: int) -> None:
    """Where no single edit is said to be enough, none of those that can be tried in a moment is."""
    text = load_source("tic-tac-toe/figure-15").text
    found = repair(Source("figure", text), GAME, (seat,), "never-loses", Budget())
    by_force = any(proved(each, (seat,)) for each in single_number_edits(text)[::step])
    if by_force:
        assert len(found.edits) == 1
    assert seat == 0 or not by_force


def test_the_command_prints_a_diff_and_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "repaired.team"
    assert main(["repair", "tic-tac-toe/figure-15", "--seat", "first", "-o", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "-    win: if n(xx) >= 1 or center != x then return 1" in shown
    assert "+    win: if n(xx) >= 1 then return 1" in shown
    assert main(["verify", str(file), "--seat", "first"]) == 0
    capsys.readouterr()
    assert main(["repair", "tic-tac-toe/competent", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "proved already"


def test_a_table_with_chance_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "chance.team"
    file.write_text("return 1 with chance 50%\nreturn 2\n", "utf-8")
    assert main(["repair", str(file)]) == 2
    assert "with chance can't be repaired" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tic-tac-toe/figure-15", "--goal", "always-wins"], "tic-tac-toe is a draw"),
        (["reversi/corners"], "reversi is too large to repair a table for"),
        (["tic-tac-toe/figure-15", "-o", "nosuch/new.team"], "there is no folder nosuch"),
    ],
)
def test_what_can_t_be_repaired_is_said_at_once(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["repair", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_bound_ends_the_first_look_at_the_table_too() -> None:
    found = repair(load_source("tic-tac-toe/figure-15"), GAME, (0,), "never-loses", Budget(0.0))
    assert (found.verdict, found.bound) == ("undecided", "0 seconds")
