"""The two SOS papers, run again: the tools agree with slow and obvious ones, and what is proved stays proved."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from teamplay.engine.jit import kernels
from teamplay.game import BLANK, Game, Move, Position
from teamplay.reproduce import no_option, plot, sos
from teamplay.reproduce.chances import Chances
from teamplay.reproduce.lab import Lab
from teamplay.reproduce.papers import results, sos_feasible_greedy, sos_minimax_5x5
from teamplay.reproduce.replication import EXCLUDED, IMPOSSIBLE, NOT_REPRODUCED, REPRODUCED, Plot, Replication
from tests.naive import places, runs

FEASIBLE, MINIMAX = "sos-feasible-greedy", "sos-minimax-5x5"


@dataclass(frozen=True)
class Hurried(Lab):
    """A lab that plays but a few games: for what does not depend on them."""

    def games(self, quick: int, whole: int) -> int:
        return 4


@pytest.fixture(scope="module", params=[pytest.param(FEASIBLE, marks=pytest.mark.slow), MINIMAX])
def found(request: pytest.FixtureRequest) -> tuple[str, list[Replication], list[Plot]]:
    tried = list(results(request.param, Hurried()))
    findings = [each for each in tried if isinstance(each, Replication)]
    return request.param, findings, [each for each in tried if isinstance(each, Plot)]


def full_boards(game: Game) -> Iterator[str]:
    return ("".join(letters) for letters in product("SO", repeat=game.grid.size))


def naive_words(game: Game, marks: str) -> int:
    cells = {at: cell for cell, at in enumerate(places(game.grid.shape))}
    return sum("".join(marks[cells[at]] for at in run) == "SOS" for run in runs(game.grid.shape, 3)) // 2


# The tools


def test_words_are_those_that_a_reader_finds() -> None:
    game = sos.board("sos(rows=3,columns=4)")
    for marks in list(full_boards(game))[::7]:
        assert sos.words(game, marks) == naive_words(game, marks)


def test_a_game_scores_the_words_that_are_on_the_board_in_the_end() -> None:
    for _, end in sos.games(Lab(seed=3), "random", "greedy", sos.board("sos(n=4)"), 5):
        assert sum(end.scores) == sos.words(sos.board("sos(n=4)"), end.marks) and BLANK not in end.marks


@pytest.mark.parametrize("spec", ["sos(rows=1,columns=4)", "sos(rows=2,columns=3)", "sos(rows=2,columns=4)"])
def test_areas_are_the_boards_on_which_every_move_gives_a_point_away(spec: str) -> None:
    game = sos.board(spec)

    def may_score(position: Position) -> bool:
        return any(sum(after.scores) for _, after in game.successors(position))

    wanted = Counter[frozenset[int]]()
    for marks in map("".join, product("SO.", repeat=game.grid.size)):
        position = Position(marks)
        following = [after for _, after in game.successors(position)]
        if following and not may_score(position) and all(map(may_score, following)):
            wanted[frozenset(cell for cell, mark in enumerate(marks) if mark == BLANK)] += 1
    assert sos.areas(game).boards == wanted
    assert bool(wanted) == (game.grid.shape[1] == 4)


def test_plain_and_compiled_kernels_find_the_same_areas() -> None:
    game = sos.board("sos(rows=2,columns=4)")
    lines = np.array(sos.lines(game), dtype=np.int64)
    through = np.array([[i if cell in line else -1 for i, line in enumerate(sos.lines(game))] for cell in range(8)])
    counts = [np.zeros(1 << 8, dtype=np.int64) for _ in range(2)]
    for large, each in enumerate(counts):
        kernels(no_option, bool(large)).count_areas(np.zeros(8, dtype=np.int8), lines, through, each)
    assert counts[0].sum() > 0 and np.array_equal(*counts)


def test_a_duel_is_what_many_games_come_to() -> None:
    game = sos.board("sos(rows=2,columns=3)")
    exact, facing = sos.duel(sos.open_player("greedy", game), sos.open_player("random", game), game)
    tally = Lab().match("greedy", "random", "sos(rows=2,columns=3)", 4000)
    measured = [count / 4000 for count in (tally.wins, tally.draws, tally.losses)]
    assert sum(exact) == 1 and 0 < exact.lost < exact.won
    assert list(map(float, exact)) == pytest.approx(measured, abs=0.03)
    assert {at.seat for at in facing} == {0, 1} and not any(map(game.outcome, facing))


def test_few_games_fit_many_chances_and_many_games_fit_few() -> None:
    exact = Chances(Fraction(3, 5), Fraction(2, 5), Fraction())
    assert sos.fits((1, 2, 0), exact) and sos.fits((123, 77, 0), exact) and not sos.fits((80, 120, 0), exact)
    assert not sos.fits((1, 1, 1), exact), "what can't be is not a matter of luck"
    assert sos.as_unlikely((1, 2, 0), (0.6, 0.4, 0.0)) == pytest.approx(0.216 + 0.288 + 0.064), "all but 2, 1, 0"


# The papers


def verdicts(findings: list[Replication], where: str) -> list[str]:
    met = [finding.verdict for finding in findings if finding.where == where]
    assert met, where
    return met


def test_every_finding_says_what_was_published_and_measured(found: tuple[str, list[Replication], list[Plot]]) -> None:
    _, findings, plots = found
    assert len({(finding.where, finding.claim) for finding in findings}) == len(findings)
    for finding in findings:
        assert all((finding.where, finding.claim, finding.published, finding.measured)), finding
        assert finding.verdict in (REPRODUCED, NOT_REPRODUCED, IMPOSSIBLE, EXCLUDED)
    assert [finding.verdict for finding in findings].count(EXCLUDED) == 1, "people, once a paper"
    assert len(plots) == 1 and all(curve.points for curve in plots[0].curves)
    assert all(curve.label in plot.drawn(plots[0]) for curve in plots[0].curves)


def test_what_was_tried_in_every_case(found: tuple[str, list[Replication], list[Plot]]) -> None:
    name, findings, _ = found
    wanted = {
        FEASIBLE: {
            "I": [REPRODUCED],
            "II. A": [REPRODUCED],
            "II. B": [REPRODUCED],
            "Figure 1": [REPRODUCED],
            "III, figure 6": [REPRODUCED, NOT_REPRODUCED],
            "IV": [REPRODUCED],
            "Algorithm 2": [IMPOSSIBLE],
            "Abstract, III": [IMPOSSIBLE],
            "Table I, 3x3": [REPRODUCED, NOT_REPRODUCED, REPRODUCED],
        },
        MINIMAX: {
            "1, 3.1, play_game": [REPRODUCED],
            **{f"Sample: {sample.name}": [REPRODUCED] * (1 + bool(sample.last)) for sample in sos_minimax_5x5.SAMPLES},
            **{f"Sample: {opening[0]}": [REPRODUCED] for opening in sos_minimax_5x5.OPENINGS},
            "h1": [REPRODUCED],
            "minimax": [IMPOSSIBLE],
            "4.2, 5.2": [NOT_REPRODUCED],
        },
    }[name]
    assert {where: verdicts(findings, where) for where in wanted} == wanted


def test_table_i_is_whole_in_numbers_and_in_the_plot(found: tuple[str, list[Replication], list[Plot]]) -> None:
    name, findings, plots = found
    if name == FEASIBLE:
        rows = [each for each in findings if each.where.startswith("Table I, ") and each.claim.startswith("against")]
        assert len(rows) == 12 == 2 * len(sos_feasible_greedy.TABLE_1)
        assert [[x for x, _ in curve.points] for curve in plots[0].curves] == [[3, 4, 5, 6, 7, 8]] * 4
        for counts in [c for row in sos_feasible_greedy.TABLE_1.values() for c in row.values()]:
            assert sum(counts) == 200


def test_the_lost_game_is_a_game_that_is_lost_and_greedy_might_play_it() -> None:
    game = sos.board("sos(n=4)")
    measured = sos_feasible_greedy._loses_on_4x4(Lab()).measured
    moves = measured.removeprefix("can lose: ").split(",")[0].split()
    greedy, agent, position = sos.open_player("greedy", game), sos.open_player("feasible-greedy", game), game.start
    for text in moves:
        move = game.parse_move(text, position.seat)
        assert move in (greedy, agent)[position.seat].moves(position)
        position = game.after(position, move)
    ended = game.outcome(position)
    assert ended and ended.winner == 0, "feasible greedy has the second seat"


def test_on_a_small_board_it_draws_against_itself_and_against_perfect_play() -> None:
    game = sos.board("sos(rows=2,columns=3)")
    agent = sos.open_player("feasible-greedy", game)
    for opponent in ("feasible-greedy", "perfect"):
        assert sos.duel(agent, sos.open_player(opponent, game), game)[0] == (0, 1, 0)


@pytest.mark.slow
def test_the_published_counts_fit_the_default_reading_best() -> None:
    kinds = sos_feasible_greedy.READINGS.items()
    chances = [sos_feasible_greedy._reading(what, *players, Lab(whole=True)) for what, players in kinds]
    together = [float(each.measured.rsplit(" ", 1)[1].rstrip("%")) for each in chances]
    assert max(together) == together[0] and min(together) == together[-1] == 0


def test_a_reading_is_judged_by_all_its_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sos_feasible_greedy, "READING_GAMES", {3: 300, 4: 100})
    odd = sos_feasible_greedy._reading("always O", "feasible-greedy", "greedy(letter=last)", Lab())
    assert odd.verdict == NOT_REPRODUCED and odd.measured.count("of 300") == 2


def test_the_sample_boards_are_boards_of_the_game() -> None:
    start = sos_minimax_5x5.corners().beginning
    for sample in sos_minimax_5x5.SAMPLES:
        marks = sos_minimax_5x5.corners().position(sample.drawing).marks
        assert all(mark in (BLANK, there) for mark, there in zip(start, marks, strict=True))
        assert naive_words(sos_minimax_5x5.corners(), marks) == sum(sample.scores)


def test_a_wrong_score_would_be_noticed() -> None:
    sample = sos_minimax_5x5.SAMPLES[0]
    wrong = sos_minimax_5x5.Sample(sample.name, sample.drawing, (10, 7), sample.last, 2)
    assert sos_minimax_5x5._total(wrong).verdict == sos_minimax_5x5._last(wrong).verdict == IMPOSSIBLE


def test_both_letters_make_a_difference_and_one_blank_makes_none() -> None:
    game = sos_minimax_5x5.corners()
    last = Position("SOSSSSOSOOSOSSSSSOOOS.SSS")
    assert sos_minimax_5x5._with_both(game, last, 0) == {Move(21, "O")} == set(sos.open_player("h1", game).moves(last))
    assert sos_minimax_5x5._with_both(game, last, 1) == {Move(21, "S")} == set(sos.open_player("h2", game).moves(last))
