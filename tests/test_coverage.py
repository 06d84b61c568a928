"""Coverage: counts that can be checked by hand, why a cold rule is cold, and a floor that is never rounded up."""

import json
from pathlib import Path

import pytest

from teamplay.cli import main
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.luck import Luck
from teamplay.scenes.binder import load_suite
from teamplay.scenes.coverage import Coverage, coverage_json, percent
from teamplay.scenes.runner import Runner
from teamplay.team import Team

Capture = pytest.CaptureFixture[str]
NUMBERS = ("asked", "true", "fired", "chosen")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def covered(table: str, *boards: str, game: str = "tic-tac-toe") -> Coverage:
    """The coverage of a table by some drawings."""
    team = Team(read_rulebook(Source("table", table), load_game(game)))
    found = Coverage(Path("table"), "table")
    found.add(team)
    for board in boards:
        found.look(team, team.game.position(board))
    return found


def counts(found: Coverage) -> dict[str, tuple[int, ...]]:
    return {count.name: (count.asked, count.true, count.fired, count.chosen) for count in found.rules}


def test_every_agent_that_is_asked_counts_once_for_each_of_its_rules() -> None:
    found = covered("everyone:\n win: if n(xx) >= 1 then return 1\ncorner:\n return 2\n", "xx./oo./...")
    assert counts(found) == {"everyone: win": (5, 1, 1, 1), "corner 1": (3, 3, 2, 0)}
    assert (found.positions, found.fired) == (1, 2)


def test_a_position_is_counted_once_however_often_it_is_met() -> None:
    table = "return 1"
    assert counts(covered(table, ".../.../...", ".../.../...")) == counts(covered(table, ".../.../..."))


def test_a_tie_of_silent_agents_chooses_no_rule() -> None:
    assert counts(covered("corner: if n(oo) >= 1 then return 1", ".../.../...")) == {"corner 1": (4, 0, 0, 0)}


def test_counts_agree_with_what_the_agents_say() -> None:
    """Fired and chosen, by the team's own answers, in every position of some games."""
    team = Team(read_rulebook(Source("table", TABLE), load_game("tic-tac-toe")))
    found = Coverage(Path("table"), "table")
    found.add(team)
    fired = chosen = 0
    met = set()
    for seed in range(5):
        position, luck = team.game.start, Luck(seed)
        while not team.game.outcome(position):
            found.look(team, position)
            if (position.marks, position.seat) not in met:
                met.add((position.marks, position.seat))
                fired += sum(said.priority is not None for said in team.answers(position, luck))
                chosen += sum(said.priority is not None for said in team.candidates(position))
            position = team.game.after(position, team.choose(position, luck))
    assert fired == sum(count.fired for count in found.rules) > 0
    assert chosen == sum(count.chosen for count in found.rules) > 0


TABLE = """win: if n(xx) >= 1 then return 1
block: if n(oo) >= 1 then return 2
fork: if n(xb) >= 2 then return 3
late: if n(oo) >= 2 then return 4
center: return 5
"""


def cold(found: Coverage) -> dict[str, str]:
    return {count.name: count.cold for count in found.rules if count.cold}


def test_why_a_rule_is_cold() -> None:
    found = covered(TABLE, "x../.o./...")
    assert cold(found) == {"everyone: win": "never_true", "everyone: block": "never_true", **NEVER}
    found = covered(TABLE, ".oo/ox./o..")
    assert cold(found)["everyone: late"] == "preempted" and cold(found)["center 1"] == "never_asked"
    late = next(count for count in found.rules if count.rule.label == "late")
    assert late.before == {"everyone: block": 1}
    assert late.why() == "true 1 time, but always after `everyone: block` 1 time"


NEVER = {"everyone: fork": "never_true", "everyone: late": "never_true", "center 1": "never_asked"}


def test_how_near_a_rule_came_is_the_nearest_of_all_boards() -> None:
    found = covered("fork: if n(xb) >= 3 then return 1", ".../.../...", "x../.../...", "x../..o/..x")
    near = found.rules[0].near
    assert near and near.tried.missing == 1 and near.board == "x../..o/..x"
    assert "n(xb)=2 (needs 3)" in found.rules[0].why()


def test_a_coin_may_fall_either_way_and_one_that_never_does_is_told() -> None:
    found = covered("bold: return 1 with chance 1%\nnever: return 1 with chance 0%\nreturn 2", ".../.../...")
    assert {name: numbers[2:] for name, numbers in counts(found).items()} == {
        "everyone: bold": (9, 9),
        "everyone: never": (0, 0),
        "everyone 3": (9, 9),
    }
    assert cold(found) == {"everyone: never": "never_lucky"}


def test_boards_of_several_sizes_are_counted_together() -> None:
    table = "game mnk\nwin: if n(x{k-1}) >= 1 then return 1\nreturn 2"
    found = Coverage(Path("table"), "table")
    for spec, board in [("mnk(m=3,n=3,k=3)", "xx./oo./..."), ("mnk(m=2,n=1,k=2)", "..")]:
        team = Team(read_rulebook(Source("table", table), load_game(spec)))
        found.add(team)
        found.look(team, team.game.position(board))
    assert counts(found) == {"everyone: win": (7, 1, 1, 1), "everyone 2": (7, 7, 6, 2)}


def test_a_share_is_never_rounded_up() -> None:
    assert [percent(fired, 3) for fired in range(4)] == [0, 33, 66, 100]
    assert percent(1999, 2000) == 99


# The command


def test_claims_are_covered_by_the_positions_that_they_meet() -> None:
    Path("my.team").write_text(TABLE)
    Path("my.scene").write_text(
        "table my.team\nclaim can lose moving first\nclaim beats random at least 1% of 4 games\n"
        "claim same choice as my.team\n"
    )
    suite = load_suite(Path("my.scene"))
    positions = []
    for test in suite.tests:
        runner = Runner(coverage={})
        assert runner.run(suite, test).status == "passed"
        assert runner.coverage
        positions.append(runner.coverage[suite.table.resolve()].positions)
    assert positions[0] > 50 and 6 < positions[1] < 20 and positions[2] == 4520


def test_the_command_tells_the_counts_and_fails_under_a_floor(capsys: Capture) -> None:
    Path("my.team").write_text("win: if n(xx) >= 1 then return 1\nblock: if n(oo) >= 1 then return 2\nreturn 3\n")
    Path("my.scene").write_text('table my.team\nscene "wins"\n  x x *\n  . o .\n  . . o\nexpect 1 by win\n')
    assert main(["test", "--cov"]) == 0
    said = capsys.readouterr().out
    assert "my: 2 of 3 rules answered in 1 position, 66%" in said
    assert "`everyone: block` is cold: never true in 5; nearest at" in said
    assert main(["test", "--fail-under", "66"]) == 0, "66.6 is not less than 66"
    assert main(["test", "--fail-under", "67"]) == 1, "nor is it 67"
    assert "The coverage is 66%, less than the 67% that were asked for." in capsys.readouterr().out
    assert main(["test", "--cov", "--json"]) == 0
    (table,) = json.loads(capsys.readouterr().out)["coverage"]
    assert (table["table"], table["fired"], table["rules"], table["percent"]) == ("my.team", 2, 3, 66)
    assert [count["cold"] for count in table["counts"]] == [None, "never_true", None]
    assert main(["test", "--fail-under", "101"]) == 2


def test_a_table_whose_scenes_are_all_skipped_is_not_covered(capsys: Capture) -> None:
    Path("my.team").write_text("return 1\n")
    Path("my.scene").write_text("table my.team\nskip claim never loses\n")
    assert main(["test", "--fail-under", "1"]) == 1
    assert "0 of 1 rule answered in 0 positions, 0%" in capsys.readouterr().out


def test_json_numbers_are_the_counts() -> None:
    found = covered(TABLE, "xx./oo./...")
    for count, shown in zip(found.rules, coverage_json(found)["counts"], strict=True):
        assert [shown[name] for name in NUMBERS] == [getattr(count, name) for name in NUMBERS]


def test_a_table_is_counted_once_by_whatever_path_it_is_named(capsys: Capture) -> None:
    Path("my.team").write_text("game mnk(m=3,n=1,k=3)\ncenter: return 1\nothers: return 2")
    Path("deep").mkdir()
    Path("my.scene").write_text("table my.team\nask center b1 -> 1")
    Path("deep/my.scene").write_text('table ../my.team\nscene "the center is taken"\n    * o *\n')
    assert main(["test", "--cov", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["coverage"]
    assert (found["positions"], found["fired"], found["rules"]) == (2, 2, 2)
