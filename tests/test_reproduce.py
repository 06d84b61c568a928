"""Reproducing papers: every claim gets a verdict, a report is whole or not there, and two of the papers in numbers."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from teamplay.cli import main
from teamplay.errors import TeamplayError
from teamplay.game import Move, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, load_player
from teamplay.reproduce import papers, plot, report
from teamplay.reproduce.chances import Chances, average, chances, first_of, openings
from teamplay.reproduce.game_tree import Tree, lines_of, plain_minimax, scattered, sides, tree
from teamplay.reproduce.lab import Lab, agree, examined
from teamplay.reproduce.papers.mnk_helpfulness import as_team
from teamplay.reproduce.replication import (
    EXCLUDED,
    IMPOSSIBLE,
    NOT_REPRODUCED,
    REPRODUCED,
    Curve,
    Plot,
    Replication,
    held,
    proved,
)
from teamplay.reproduce.report import Paper
from tests.everywhere import positions

Capture = pytest.CaptureFixture[str]

FOUR = load_game("mnk(m=4,n=4,k=4)")
CURVES = (Curve("published", ((1, 2.0), (2, 30.0))), Curve("measured & more", ((1, 1.0), (2, 20.0))))
PLOT = Plot("speed", "Time < memory", "cells", "hours", CURVES)
RIGHT = Replication("Table 1", "a | b", "3", "3", REPRODUCED, "as read", "as shown")
WRONG = Replication("Table 2", "never", "0", "7", IMPOSSIBLE)


class Hasty(Lab):
    """A lab with a tenth of the games of the quick form."""

    def games(self, quick: int, whole: int) -> int:
        return max(5, quick // 10)


@cache
def found(name: str) -> tuple[Replication | Plot, ...]:
    return tuple(papers.results(name, Hasty()))


def findings(name: str, where: str) -> list[Replication]:
    return [each for each in found(name) if isinstance(each, Replication) and each.where.startswith(where)]


def verdicts(name: str, where: str) -> list[str]:
    return [each.verdict for each in findings(name, where)]


# Verdicts.


def test_a_claim_that_was_tried_in_every_case_is_impossible_if_it_fails() -> None:
    assert (held(True), held(False)) == (REPRODUCED, NOT_REPRODUCED)
    assert (proved(True), proved(False)) == (REPRODUCED, IMPOSSIBLE)


def test_counts_agree_if_chance_explains_their_difference() -> None:
    assert agree((11, 989), (0, 100)) and agree((0, 0, 5), (1, 0, 4))
    assert not agree((11, 989), (0, 3000)) and not agree((500, 500), (600, 400))


# The report.


def test_a_plot_is_a_drawing_with_all_its_words() -> None:
    for each in (PLOT, Plot("p", "By powers", "x", "y", (Curve("c", ((1, 0.001), (2, 5000.0))),), True)):
        root = ElementTree.fromstring(plot.drawn(each))
        words = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
        assert {each.title, each.across, each.up, *(curve.label for curve in each.curves)} <= words
        circles = list(root.iter("{http://www.w3.org/2000/svg}circle"))
        assert len(circles) == sum(len(curve.points) for curve in each.curves)
        for circle in circles:
            assert (
                0 <= float(circle.get("cx", "-1")) <= plot.WIDTH and 0 <= float(circle.get("cy", "-1")) <= plot.HEIGHT
            )


def test_a_report_holds_every_claim_reading_note_and_plot() -> None:
    page = report.markdown([Paper("one", "One", [RIGHT, WRONG], [PLOT])], "teamplay reproduce one")
    assert "1 reproduced, 1 impossible" in page and "`teamplay reproduce one`" in page
    assert r"| Table 1 | a \| b | 3 | 3 | **reproduced** |" in page and "| **impossible** |" in page
    assert "* Table 1: as read" in page and "* Table 1: as shown" in page
    assert "![Time < memory](reproduction-speed.svg)" in page
    rows = [line.replace(r"\|", "") for line in page.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows} == {6}


def test_a_report_that_lacks_a_plot_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "reproduction-speed.svg").mkdir()
    with pytest.raises(TeamplayError, match="is a folder"):
        report.write(str(tmp_path), [Paper("one", "One", [RIGHT], [PLOT])], "…")
    assert [path.name for path in tmp_path.iterdir()] == ["reproduction-speed.svg"]


# The command.


@pytest.fixture
def one_paper(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Lab], Iterator[Replication | Plot]]], None]:
    """Let there be one paper only, with these results."""

    def put(results: Callable[[Lab], Iterator[Replication | Plot]]) -> None:
        module = SimpleNamespace(TITLE="The One Paper", results=results)
        monkeypatch.setattr(papers, "names", lambda: ["one"])
        monkeypatch.setattr(papers, "paper", lambda name: module)

    return put


Put = Callable[[Callable[[Lab], Iterator[Replication | Plot]]], None]


def both(lab: Lab) -> Iterator[Replication | Plot]:
    yield from (RIGHT, PLOT, WRONG)


def test_published_stands_beside_measured(one_paper: Put, capsys: Capture) -> None:
    one_paper(both)
    assert main(["reproduce"]) == 0
    printed = capsys.readouterr().out
    for text in ("The One Paper", "Table 1: reproduced", "published: 3", "measured: 7", "1 reproduced, 1 impossible."):
        assert text in printed


def test_json_holds_what_is_printed(one_paper: Put, capsys: Capture) -> None:
    one_paper(both)
    assert main(["reproduce", "one", "--seed", "5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["seed"], told["command"]) == (5, "teamplay reproduce one --seed 5")
    assert [each["verdict"] for each in told["papers"][0]["findings"]] == [REPRODUCED, IMPOSSIBLE]
    assert told["papers"][0]["findings"][0]["published"] == "3"


def test_the_report_is_the_same_again(one_paper: Put, tmp_path: Path) -> None:
    one_paper(both)
    pages = []
    for _ in range(2):
        assert main(["reproduce", "--out", str(tmp_path / "new" / "report")]) == 0
        pages.append((tmp_path / "new/report/reproduction.md").read_text("utf-8"))
    assert pages[0] == pages[1] and "Stopped" not in pages[0]
    assert ElementTree.fromstring((tmp_path / "new/report/reproduction-speed.svg").read_text("utf-8")) is not None


def test_the_lab_knows_how_much_is_asked_for(one_paper: Put) -> None:
    asked = []

    def results(lab: Lab) -> Iterator[Replication | Plot]:
        asked.append((lab.games(10, 1000), lab.seed))
        yield RIGHT

    one_paper(results)
    for arguments in (["reproduce"], ["reproduce", "--all", "--seed", "7"]):
        assert main(arguments) == 0
    assert asked == [(10, 0), (1000, 7)]


def test_an_unknown_paper_is_refused_with_those_that_are_known(capsys: Capture) -> None:
    assert main(["reproduce", "mnk-helpfulnes"]) == 2
    told = capsys.readouterr().err
    assert "There is no paper named `mnk-helpfulnes`" in told and "tic-tac-toe-strategies" in told
    assert "did you mean `mnk-helpfulness`" in told.lower() and told.count("\n") == 1


def test_ctrl_c_keeps_what_was_found(one_paper: Put, capsys: Capture, tmp_path: Path) -> None:
    def results(lab: Lab) -> Iterator[Replication | Plot]:
        yield RIGHT
        raise KeyboardInterrupt

    one_paper(results)
    assert main(["reproduce", "--out", str(tmp_path)]) == 130
    assert "Table 1: reproduced" in capsys.readouterr().out
    assert "**Stopped before it was finished.**" in (tmp_path / "reproduction.md").read_text("utf-8")


def test_ctrl_c_before_anything_was_found_leaves_nothing(one_paper: Put, tmp_path: Path) -> None:
    def results(lab: Lab) -> Iterator[Replication | Plot]:
        raise KeyboardInterrupt
        yield RIGHT

    one_paper(results)
    assert main(["reproduce", "--out", str(tmp_path)]) == 130
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cant_be_one_is_refused_before_the_work(one_paper: Put, capsys: Capture, tmp_path: Path) -> None:
    def results(lab: Lab) -> Iterator[Replication | Plot]:
        raise AssertionError("the work has begun")
        yield RIGHT

    one_paper(results)
    (tmp_path / "taken").write_text("")
    assert main(["reproduce", "--out", str(tmp_path / "taken")]) == 2
    told = capsys.readouterr().err
    assert "can't be made a folder" in told and told.count("\n") == 1


def test_ctrl_c_within_a_proof_is_no_verdict() -> None:
    class Interrupted:
        name = "interrupted"

        def moves(self, position: Position) -> list[Move]:
            raise KeyboardInterrupt

        def choose(self, position: Position, luck: Luck) -> Move:
            raise AssertionError

    with pytest.raises(KeyboardInterrupt):
        examined(Interrupted(), FOUR, 0)


# Trees and chances.


def test_trees_are_counted_as_large_as_they_are() -> None:
    luck = Luck(3)
    for spec, most in (("mnk(m=4,n=4,k=4)", 8), ("mnk(m=4,n=3,k=3)", 7), ("tic-tac-toe", 9)):
        game = load_game(spec)
        for open_cells in range(1, most):
            position = scattered(game, open_cells, luck)
            assert position.marks.count(".") == open_cells
            assert tree(game, position).nodes == plain_minimax(lines_of(game), *sides(game, position))[1]


def test_the_tree_of_tic_tac_toe_has_549946_nodes_and_4520_positions_that_go_on() -> None:
    game = load_game("tic-tac-toe")
    assert tree(game, game.start) == Tree(549_946, 4_520)


def test_plain_minimax_knows_the_value() -> None:
    game = load_game("tic-tac-toe")
    for drawing, value in (("xx./oo./...", 1), ("xx./oo./x..", 1), ("o../.x./..o", 0), ("o.o/.../x.o", -1)):
        assert plain_minimax(lines_of(game), *sides(game, game.position(drawing)))[0] == value


def test_chances_of_random_play_are_those_that_are_known() -> None:
    game = load_game("tic-tac-toe")
    at_random = chances(game, game.moves, game.moves)
    assert at_random(game.start) == Chances(Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
    assert average(map(at_random, openings(game, 2))) == at_random(game.start)
    assert len(openings(game, 2)) == 72 and len(openings(game, 3)) == 504


def test_perfect_players_draw_for_certain() -> None:
    game = load_game("tic-tac-toe")
    perfect = load_player("perfect", game)
    assert isinstance(perfect, OpenPlayer)
    assert chances(game, perfect.moves, first_of(perfect.moves))(game.start) == Chances(*map(Fraction, (0, 1, 0)))


# The papers.


@pytest.mark.parametrize("name", ["mnk-helpfulness", "tic-tac-toe-strategies"])
def test_every_claim_has_a_verdict_and_numbers_on_both_sides(name: str) -> None:
    claims = [each for each in found(name) if isinstance(each, Replication)]
    assert len(claims) >= 20
    assert {each.verdict for each in claims} <= {REPRODUCED, NOT_REPRODUCED, IMPOSSIBLE, EXCLUDED}
    for each in claims:
        assert each.where and each.claim and each.published and each.measured, each
    for drawing in [plot.drawn(each) for each in found(name) if isinstance(each, Plot)]:
        ElementTree.fromstring(drawing)


def test_every_paper_is_there() -> None:
    assert {"mnk-helpfulness", "tic-tac-toe-strategies", "decentralized-tic-tac-toe"} <= set(papers.names())
    assert all(papers.paper(name).TITLE for name in papers.names())


def test_the_figures_of_helpfulness_hold() -> None:
    assert set(verdicts("mnk-helpfulness", "Figure")) == {REPRODUCED}
    (eight,) = findings("mnk-helpfulness", "Figure 8")
    assert eight.published == eight.measured == "6, 5, 2, 5"


def test_helpfulness_beats_perfect_play_in_no_game_on_4x4_whatever_the_opening() -> None:
    against_perfect, against_shallow = findings("mnk-helpfulness", "Table 2, 4x4")
    assert against_perfect.verdict == IMPOSSIBLE and "0 of the 10,920 openings are won" in against_perfect.measured
    assert against_shallow.verdict == REPRODUCED


def test_a_thousand_draws_on_3x3_need_an_opening_without_chance() -> None:
    table = findings("mnk-helpfulness", "Table 2, 3x3")
    assert [each.reading.split(";")[0] for each in table if each.verdict == REPRODUCED] == ["no random opening"]
    assert table[0].measured.startswith("41.4% won, 57.9% drawn, 0.7% lost")
    assert table[0].note == "48 of the 72 openings are won for the first player, 0 lost"


def test_the_paper_predicts_too_short_a_time_for_minimax() -> None:
    rows = [each for each in findings("mnk-helpfulness", "Table 1, time") if each.claim.startswith("hours")]
    assert [each.verdict for each in rows] == [REPRODUCED] * 5 + [EXCLUDED] + [NOT_REPRODUCED] * 3
    assert "36,277,691,063,105 nodes" in rows[-1].measured


def test_helpfulness_never_loses_on_4x4_by_its_second_version_only() -> None:
    claims = {each.claim: each.verdict for each in findings("mnk-helpfulness", "2 A Heuristic")}
    holding = [claim for claim, verdict in claims.items() if verdict == REPRODUCED]
    assert len(claims) == 8 and sorted(holding) == [
        "version 1 moving first at tic-tac-toe never loses",
        "version 2 moving first at mnk(m=4,n=4,k=4) never loses",
        "version 2 moving first at tic-tac-toe never loses",
        "version 2 moving second at mnk(m=4,n=4,k=4) never loses",
    ]


@pytest.mark.parametrize("version", [1, 2])
def test_the_table_that_is_proved_on_4x4_is_helpfulness(version: int) -> None:
    player = load_player(f"helpfulness(version={version})", FOUR)
    assert isinstance(player, OpenPlayer)
    team = as_team(version)
    for position in positions(FOUR, seed=version, games=8):
        assert set(team.moves(position)) == set(player.moves(position))


def test_the_worked_example_of_the_lecture_holds_move_by_move() -> None:
    steps = findings("tic-tac-toe-strategies", "Approach 3, move")
    assert [each.published for each in steps] == ["5", "4", "1", "9"]
    assert (
        {each.verdict for each in steps} == {REPRODUCED} == set(verdicts("tic-tac-toe-strategies", "Approach 3, end"))
    )


def test_of_the_cube_all_holds_but_the_inner_surfaces_and_that_sums_tell_lines() -> None:
    wrong = [each for each in findings("tic-tac-toe-strategies", "Magic cube") if each.verdict != REPRODUCED]
    assert [each.measured for each in wrong] == ["3 of 3 level ones, 0 of 6 diagonal ones"]
    extends = findings("tic-tac-toe-strategies", "Approach 3, comments")
    assert "12 of 49 lines have another sum, and 48 triples" in extends[1].measured


def test_the_lectures_second_approach_is_safe_first_and_never_second() -> None:
    claims = [each for each in findings("tic-tac-toe-strategies", "Approach 2") if "never loses" in each.claim]
    assert [each.verdict for each in claims] == [REPRODUCED, IMPOSSIBLE]
