"""`teamplay learn`: what it finds is proved, what it calls impossible is checked again, and small cases by force."""

import json
import time
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest

from teamplay.cli import main
from teamplay.errors import BadSpec
from teamplay.game import SEATS
from teamplay.game_file import load_game
from teamplay.language import Source, TableError, load_source, read_rulebook
from teamplay.learn.classes import ClassBook
from teamplay.learn.far import Far
from teamplay.learn.formula import Budget
from teamplay.learn.graph import Graph, build
from teamplay.learn.impossible import Check, Impossibility, NotShown, read_impossibility
from teamplay.learn.learning import Task, learn
from teamplay.learn.orders import Cover, find_order, greedy
from teamplay.learn.ranks import fewest_levels
from teamplay.learn.reasons import shown_positions
from teamplay.learn.search import Cegis, in_play
from teamplay.learn.shortest import Shortest
from teamplay.learn.tables import Tables
from teamplay.learn.template import EVERYONE, SILENT, Fixed, LearnedRule, Template
from teamplay.learn.vocabulary import parse_vocabulary
from teamplay.learn.weights import Weights
from teamplay.players import load_player
from teamplay.proof.goals import ProofGoal
from teamplay.proof.verify import verify
from teamplay.team import Team
from tests import learning


def graphs_of(game: str, words: str, seats: tuple[int, ...], goal: ProofGoal) -> tuple[list[Graph], ClassBook]:
    rules = load_game(game)
    book = ClassBook(parse_vocabulary(words, [rules]))
    return build(book, rules, seats, goal, lambda _: None), book


def task(
    words: str, seats: tuple[int, ...] = (0, 1), goal: ProofGoal = "never-loses", game: str = "tic-tac-toe"
) -> Task:
    rules = load_game(game)
    return Task((rules,), seats, goal, parse_vocabulary(words, [rules]))


def holds(graphs: list[Graph], levels: np.ndarray) -> bool:
    return not any(len(graph.play(levels.astype(np.int32)).failures) for graph in graphs)


# Two ways to the truth

TINY = [  # few enough classes that every order can be tried
    ("tic-tac-toe", "roles", (0,), "never-loses"),
    ("tic-tac-toe", "roles", (1,), "wins-if-possible"),
    ("misere", "roles", (0,), "never-loses"),
    ("misere", "roles", (1,), "never-loses"),
    ("mnk(m=3,n=2,k=2)", "n(x)", (0,), "always-wins"),
    ("mnk(m=4,n=1,k=2)", "n(x)", (0, 1), "never-loses"),
    ("mnk(m=4,n=1,k=3)", "n(xx)", (0, 1), "never-loses"),
    ("mnk(m=5,n=1,k=3)", "roles", (0, 1), "never-loses"),
    ("sos-line(n=4)", "roles", (0, 1), "never-loses"),
    ("sos-line(n=5)", "roles", (0,), "never-loses"),
    ("reversi(n=4)", "roles", (1,), "always-wins"),
    ("connect-four(columns=3,rows=3,k=3)", "roles", (0, 1), "never-loses"),
]


@pytest.mark.parametrize(("game", "words", "seats", "goal"), TINY)
def test_every_order_of_a_tiny_vocabulary_agrees_with_the_solver(
    game: str, words: str, seats: tuple[int, ...], goal: ProofGoal
) -> None:
    graphs, book = graphs_of(game, words, seats, goal)
    letters = len(graphs[0].game.marks) if graphs[0].game.shared else 1
    codes = len(book.numbers) * letters
    assert codes <= 7, "every order must be tried in a moment"
    by_force = any(holds(graphs, np.array(order)) for order in permutations(range(codes)))
    held = all(graph.held[0] for graph in graphs)
    found = held and find_order(graphs, book, letters, Budget()).levels is not None
    assert found == by_force


@pytest.mark.parametrize(("game", "words", "seats", "goal"), TINY)
def test_the_fewest_levels_of_a_tiny_vocabulary_agree_with_trying_all(
    game: str, words: str, seats: tuple[int, ...], goal: ProofGoal
) -> None:
    graphs, book = graphs_of(game, words, seats, goal)
    classes = len(book.numbers)
    if graphs[0].game.shared or classes > 4:
        pytest.skip("too many to try all")
    enough = [
        levels
        for levels in range(1, classes + 1)
        if any(holds(graphs, np.array(each)) for each in product(range(levels), repeat=classes))
    ]
    levels, found = fewest_levels(graphs, book, 1, Budget(), classes)
    assert (levels if found else None) == (enough[0] if enough else None)


@pytest.mark.parametrize("words", ["roles", "n(xx)", "n(oo)", "n(xx), n(oo)", "n(bb), n(oo)", "center", "n(bo), n(xx)"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("goal", ["never-loses", "perfect"])
def test_the_reference_tries_all_orders_and_agrees_with_the_solver(words: str, seat: int, goal: ProofGoal) -> None:
    graphs, book = graphs_of("tic-tac-toe", words, (seat,), goal)
    found = graphs[0].held[0] and find_order(graphs, book, 1, Budget()).levels is not None
    game = graphs[0].game
    nodes = [(0, int(n)) for n in np.flatnonzero(graphs[0].mine)]
    listed = tuple(shown_positions(graphs, nodes, [game]))
    claim = Impossibility((game,), (seat,), goal, book.vocabulary, listed)
    try:
        Check(claim).run()
        possible = False
    except NotShown:
        possible = True
    assert found == possible


def tables_by_force(template: Template, rules: int) -> list[tuple[LearnedRule, ...]]:
    """Every table of so many rules for everyone, with at most one test each."""
    conditions = [tests for size in (0, 1) for tests in combinations(template.tests, size)]
    single = [LearnedRule(EVERYONE, tests, priority) for tests in conditions for priority in range(1, rules + 1)]
    return list(product(single, repeat=rules))


@pytest.mark.parametrize(("words", "seat"), [("n(oo)", 0), ("n(xx), n(oo)", 0), ("n(bb), n(oo)", 0), ("n(xx)", 1)])
def test_every_table_of_one_or_two_rules_agrees_with_the_solver(words: str, seat: int) -> None:
    """Tables for everyone alone, so that both sides mean the same."""
    graphs, book = graphs_of("tic-tac-toe", words, (seat,), "never-loses")
    template = Template(book, 1)
    template.roles, template.role = ["everyone"], np.zeros_like(template.role)
    for rules in (1, 2):
        by_force = any(holds(graphs, template.levels(table)) for table in tables_by_force(template, rules))
        tables = Tables(template, rules, Budget())
        found = tables.found if Cegis(graphs, tables, Budget()).run() else None
        tables.formula.close()
        if by_force:
            assert found is not None
        if found is not None:
            assert holds(graphs, template.levels(found))
            assert by_force or max(len(rule.tests) for rule in found) > 1


def test_levels_of_a_table_are_what_its_text_answers() -> None:
    """The template works answers out by itself; the language, reading the text, must say the same."""
    answer = learn(task("counts+center", goal="perfect"))
    assert answer.table
    book = ClassBook(answer.task.vocabulary)
    game = answer.task.games[0]
    graphs = build(book, game, (0, 1), "perfect", lambda _: None)
    rules = read_rulebook(Source("learned", answer.table), game)
    for graph in graphs:
        found = verify(Team(rules), game, graph.seat, "perfect")
        assert found.verdict == "proved"


# Found


@pytest.mark.parametrize(
    ("words", "seats", "goal", "rules", "levels"),
    [
        ("counts", (0,), "never-loses", 2, 2),
        ("counts+center", (1,), "never-loses", 5, 5),
        pytest.param("counts+center", (0, 1), "never-loses", 5, 5, marks=pytest.mark.slow),
        ("counts+center", (0, 1), "perfect", 5, 5),
    ],
)
def test_the_fewest_rules_of_tic_tac_toe(
    words: str, seats: tuple[int, ...], goal: ProofGoal, rules: int, levels: int
) -> None:
    answer = learn(task(words, seats, goal))
    assert (answer.verdict, answer.rules, answer.minimal) == ("found", rules, "rules")
    assert f"no table of {rules - 1} rule{'s' * (rules > 2)}" in answer.known
    game = answer.task.games[0]
    team = Team(read_rulebook(Source("learned", answer.table or ""), game))
    for seat in seats:
        assert verify(team, game, seat, goal).verdict == "proved"
    graphs, book = graphs_of("tic-tac-toe", words, seats, goal)
    assert fewest_levels(graphs, book, 1, Budget(), 9)[0] == levels


@pytest.mark.parametrize("other", ["mnk(m=5,n=2,k=3)", pytest.param("mnk(m=4,n=3,k=3)", marks=pytest.mark.slow)])
def test_one_table_for_two_games(other: str) -> None:
    games = (load_game("tic-tac-toe"), load_game(other))
    answer = learn(Task(games, (0,), "never-loses", parse_vocabulary("n(xx), n(oo), n(bo), n(bb)", games)))
    assert answer.verdict == "found" and answer.table
    assert f"game tic-tac-toe, {other}" in answer.table
    for game in games:
        team = Team(read_rulebook(Source("learned", answer.table), game))
        assert verify(team, game, 0).verdict == "proved"


def test_letters_are_learned_too() -> None:
    answer = learn(task("counts", (1,), game="sos-line(n=6)"))
    assert answer.verdict == "found" and answer.table and " play " in answer.table


@pytest.mark.parametrize(
    ("seats", "goal", "rules"),
    [((1,), "never-loses", 3), pytest.param((0, 1), "perfect", 4, marks=pytest.mark.slow)],
)
def test_a_slope_spares_a_rule(seats: tuple[int, ...], goal: ProofGoal, rules: int) -> None:
    """Without slopes each takes five: see `test_the_fewest_rules_of_tic_tac_toe`."""
    game = load_game("tic-tac-toe")
    words = parse_vocabulary("counts+center", [game])
    answer = learn(Task((game,), seats, goal, words, slopes=True))
    assert answer.verdict == "found" and answer.rules == rules and "- n(" in (answer.table or "")


def test_all_that_agents_see_needs_two_levels_with_full_sight_and_four_along_lines() -> None:
    for sight, levels in (("all", 2), ("", 4)):
        game = load_game("tic-tac-toe")
        answer = learn(Task((game,), (1,), "never-loses", parse_vocabulary("cells", [game], sight)))
        assert (answer.verdict, answer.levels, answer.minimal) == ("found", levels, "levels")


def test_the_greedy_list_is_an_order_of_all_codes() -> None:
    graphs, book = graphs_of("tic-tac-toe", "counts", (0,), "never-loses")
    covers = [Cover(graph, in_play(graph) & graph.mine, graph.good) for graph in graphs]
    levels = greedy(covers, len(book.numbers))
    assert holds(graphs, levels)


def test_a_bound_leaves_what_is_known() -> None:
    answer = learn(task("counts+center"), Budget(0.0))
    assert (answer.verdict, answer.table) == ("undecided", None)
    assert answer.bound == "0 seconds"


def test_a_table_that_is_known_is_made_shorter_or_proved_to_be_the_shortest(tmp_path: Path) -> None:
    game = load_game("tic-tac-toe")
    words = parse_vocabulary("counts", [game])
    known = load_source("mnk/generic")
    answer = learn(Task((game,), (0,), "never-loses", words, shorter_than=known))
    assert (answer.verdict, answer.rules, answer.minimal) == ("found", 2, "rules")
    assert answer.known[0] == "mnk/generic.team does it"
    shortest = Source("shortest.team", answer.table or "", str(tmp_path))
    again = learn(Task((game,), (0,), "never-loses", words, shorter_than=shortest))
    assert (again.verdict, again.table, again.rules, again.minimal) == ("found", answer.table, 2, "rules")


def test_a_table_too_long_to_be_written_is_found_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(*_: object) -> str:
        raise TableError("learned.team", "", [])

    monkeypatch.setattr("teamplay.learn.learning.table_text", too_long)
    monkeypatch.setattr(Shortest, "run", lambda *_: False)
    answer = learn(task("counts", (0,)))
    assert (answer.verdict, answer.table) == ("found", None)
    assert "too many to be written" in answer.why and answer.known == ["some table exists"]


def test_the_witness_for_four_in_a_row_on_5x4_never_loses_moving_second() -> None:
    game = load_game("mnk(m=5,n=4,k=4)")
    found = verify(load_player(learning.FIVE_BY_FOUR, game), game, 1)
    assert (found.verdict, found.positions) == ("proved", 1_891_080)


# Impossible


def test_no_table_of_counts_is_safe_moving_second_and_four_boards_show_it() -> None:
    answer = learn(task("counts", (1,)))
    assert answer.verdict == "impossible" and answer.impossibility
    assert len(answer.impossibility.positions) == 4
    assert answer.explanation[-1] == "No order can do that."


def test_roles_alone_are_not_enough_by_the_class_game() -> None:
    answer = learn(task("roles", (0,)))
    assert answer.verdict == "impossible" and "class game" in answer.why


def test_an_impossibility_is_a_file_that_recheck_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "none.cert"
    assert main(["learn", "--seat", "second", "--certificate", str(file)]) == 1
    assert main(["recheck", str(file)]) == 0
    assert "It holds: no table" in capsys.readouterr().out
    assert main(["recheck", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["holds"] is True
    claim = read_impossibility(file)
    less = Impossibility(claim.games, claim.seats, claim.goal, claim.vocabulary, claim.positions[:-1])
    file.write_text(less.text(), "utf-8")
    assert main(["recheck", str(file)]) == 1
    assert "an order of the classes answers all" in capsys.readouterr().out
    file.write_text(less.text().replace("never-loses", "always-wins"), "utf-8")
    assert main(["recheck", str(file)]) == 2
    assert "SHA-256" in capsys.readouterr().err
    file.write_text("teamplay impossibility 1\ngame: tic-tac-toe\n", "utf-8")
    assert main(["recheck", str(file)]) == 2


def test_fewer_rules_or_levels_than_the_fewest_are_impossible() -> None:
    base = task("counts+center")
    fewer = learn(Task(base.games, base.seats, base.goal, base.vocabulary, rules=4))
    assert fewer.verdict == "impossible" and "at most 4 rules" in fewer.why
    flatter = learn(Task(base.games, base.seats, base.goal, base.vocabulary, levels=4, fewest="levels"))
    assert flatter.verdict == "impossible" and "at most 4 distinct answers" in flatter.why


# The command


def test_the_command_writes_the_table_and_its_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.team"
    assert main(["learn", "--seat", "first", "-o", str(file), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["verdict"] == "found" and shown["minimal"] == "rules" and shown["rules"] == 2
    assert shown["table"] == file.read_text("utf-8")
    assert shown["seats"]["first"]["verdict"] == "proved"
    assert main(["verify", str(file), "--seat", "first"]) == 0
    assert main(["learn", "--seat", "first", "-o", str(file)]) == 2
    assert "exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--vocabulary", "countz"], "Did you mean `counts`?"),
        (["--vocabulary", "n(xx), n(xq)"], "`q` is not a mark"),
        (["--vocabulary", "n(xx),"], "is no vocabulary"),
        (["--vocabulary", "cells+counts"], "name it alone"),
        (["--vocabulary", "center", "--game", "mnk(m=5,n=5,k=4)"], "can't see `center`"),
        (["--vocabulary", "n(xxx)", "--sight", "2", "--game", "mnk(m=4,n=4,k=4)"], "further than the table's sight"),
        (["--sight", "far"], "is no sight"),
        (["--goal", "always-wins"], "No player always wins moving first at tic-tac-toe: tic-tac-toe is a draw"),
        (["--game", "gomoku"], "too large to learn"),
        (["--game", "tic-tac-toe", "--game", "sos(n=3)"], "games with letters and games without"),
        (["--sight", "0"], "`sight 0` can't be had at tic-tac-toe: 0 is out of range"),
        (["--vocabulary", "counts+"], "`counts+` is no vocabulary"),
        (["-o", "new.team", "--certificate", "new.team"], "can't both be written to new.team"),
        (["-o", "nosuch/new.team"], "there is no folder nosuch"),
        (["--shorter-than", "tic-tac-toe/competent"], "tic-tac-toe/competent.team measures more than the vocabulary"),
        (
            ["--shorter-than", "mnk/generic", "--seat", "second"],
            "mnk/generic.team is no table that never loses moving second",
        ),
    ],
)
def test_bad_input_gets_one_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_a_goal_that_no_player_could_reach_is_refused_by_the_solver() -> None:
    with pytest.raises(BadSpec, match="the first player wins"):
        learn(task("counts", (1,), game="mnk(m=4,n=3,k=3)"))


# Large games


def test_a_weighted_sum_learns_which_class_comes_first() -> None:
    book = ClassBook(parse_vocabulary("n(bo), n(bb)", [load_game("tic-tac-toe")]))
    codes = [book.number(("corner", risks, free)) for risks in range(3) for free in range(3)]
    weights = Weights(book, 1, [])
    weights.choices = [(np.array([codes[risks * 3]]), np.array([codes[2], codes[1]])) for risks in (1, 2)]
    levels = weights.levels()
    assert max(levels[codes[3]], levels[codes[6]]) < min(levels[codes[1]], levels[codes[2]])
    assert levels[codes[8]] < levels[codes[2]], "a class that no position spoke of comes where those like it do"


def test_a_game_is_followed_only_as_far_as_enough_goes_wrong() -> None:
    graphs, book = graphs_of("tic-tac-toe", "counts", (1,), "never-loses")
    levels = np.zeros(len(book.numbers), dtype=np.int32)
    whole, part = graphs[0].play(levels), graphs[0].play(levels, 1)
    assert 0 < len(part.failures) < len(whole.failures)
    assert part.failures.tolist() == whole.failures[: len(part.failures)].tolist(), "the earliest"
    assert part.reached.sum() < whole.reached.sum()


@pytest.mark.slow
def test_a_sample_of_the_positions_shows_most_mistakes_and_the_rest_is_followed_in_full() -> None:
    game = load_game("tic-tac-toe")
    book = ClassBook(parse_vocabulary("counts+center", [game]))
    far = Far(book, game, 1, "never-loses")
    everyone = Fixed(np.zeros(0, dtype=np.int32), book, 1)
    assert far.refutations(everyone, 4, lambda _: None)
    layers, _, failures = far._follow(everyone, 4, 5, lambda _: None)
    assert failures and max(map(len, layers)) <= 5


@pytest.mark.slow
def test_a_game_too_large_to_list_is_opened_where_candidates_lead() -> None:
    """The cube, always won moving first; a rule fewer than three is not enough."""
    answer = learn(task("counts", (0,), "always-wins", "tic-tac-toe-3d"), Budget(90, clock=time.process_time))
    assert answer.verdict == "found" and answer.rules == 3
    assert answer.verifications[0].proved


def test_silence_is_the_level_of_classes_without_a_rule() -> None:
    graphs, book = graphs_of("tic-tac-toe", "n(xx)", (0,), "never-loses")
    template = Template(book, 1)
    by, priority = template.answers([LearnedRule(EVERYONE, tuple(template.tests[:1]), 1)])
    assert ((by < 0) == (priority == SILENT)).all() and (by < 0).any()
    assert [SEATS[graph.seat] for graph in graphs] == ["first"]


# The goal `perfect`


@pytest.mark.parametrize(
    ("table", "verdicts"),
    [
        ("tic-tac-toe/perfect", ["proved", "proved"]),
        ("tic-tac-toe/competent", ["refuted", "refuted"]),  # it never loses, but lets wins go
        ("mnk/generic", ["proved", "refuted"]),  # it never lets a win go, but moving second it can lose
        ("tic-tac-toe/figure-15", ["refuted", "refuted"]),
    ],
)
def test_perfect_is_never_losing_and_never_letting_a_win_go(
    table: str, verdicts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, file = load_game("tic-tac-toe"), str(tmp_path / "perfect.cert")
    player = load_player(table, game)
    assert [verify(player, game, seat, "perfect").verdict for seat in (0, 1)] == verdicts
    for seat, verdict in enumerate(verdicts):
        parts = [verify(player, game, seat, goal).verdict for goal in ("never-loses", "wins-if-possible")]
        assert (verdict == "proved") == (parts == ["proved", "proved"])
    main(["verify", table, "--game", "tic-tac-toe", "--goal", "perfect", "--certificate", file])
    capsys.readouterr()
    assert main(["recheck", file]) == 0
    assert capsys.readouterr().out.count("It holds") == 2


def test_ctrl_c_while_a_table_is_verified_ends_the_search_and_keeps_what_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("teamplay.proof.verify.explorer_for", interrupted)
    answer = learn(task("counts", (0,)))
    assert (answer.verdict, answer.bound, answer.table) == ("undecided", "Ctrl-C", None)
    assert answer.known == ["some table exists"]


def test_the_page_shows_what_was_kept() -> None:
    kept = json.loads(learning.KEPT.read_text("utf-8"))
    text = learning.PAGE.read_text("utf-8")
    assert learning.written(text, "results", learning.page(kept)) == text
