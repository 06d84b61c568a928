"""What stands behind a `no`: proofs of the SAT solver are replayed, and clauses say what tables do."""

import random

import networkx as nx
import numpy as np
import pytest

from teamplay.engine.jit import compiled
from teamplay.game_file import load_game
from teamplay.learn import refutation, unit_propagation
from teamplay.learn.classes import ClassBook
from teamplay.learn.compress import compressed
from teamplay.learn.formula import Budget, Formula
from teamplay.learn.graph import Graph, build
from teamplay.learn.learning import Task, learn
from teamplay.learn.orders import find_order
from teamplay.learn.precedence import Precedence
from teamplay.learn.ranks import fewest_levels
from teamplay.learn.refutation import Clause, WrongProof, check_refutation
from teamplay.learn.search import Cegis
from teamplay.learn.tables import Tables
from teamplay.learn.template import EVERYONE, LearnedRule, Template
from teamplay.learn.vocabulary import parse_vocabulary
from teamplay.learn.writing import listed


def quiet(_: str) -> None:
    """Nobody is told."""


def contradiction(seed: int, variables: int) -> tuple[list[Clause], list[str]]:
    """Random clauses of three literals that can't be met, and what the solver wrote down about it."""
    from pysat.solvers import Solver

    chance = random.Random(seed)
    clauses: list[Clause] = []
    with Solver(name="glucose4", with_proof=True) as solver:
        while solver.solve():
            for _ in range(10):
                clause = [chance.choice((-1, 1)) * v for v in chance.sample(range(1, variables + 1), 3)]
                clauses.append(clause)
                solver.add_clause(clause)
        return clauses, solver.get_proof()


# The checker


@pytest.mark.parametrize("seed", range(20))
def test_a_proof_of_the_solver_is_accepted_and_without_its_clauses_refused(seed: int) -> None:
    clauses, proof = contradiction(seed, 12)
    assert check_refutation(clauses, proof, quiet) >= 1
    with pytest.raises(WrongProof):  # half of the clauses can be met, so nothing proves otherwise
        check_refutation(clauses[: len(clauses) // 2], proof, quiet)


def test_a_step_that_does_not_follow_is_refused() -> None:
    clauses = [[1, 2, 3], [-1, 2], [-2, 3]]
    with pytest.raises(WrongProof, match="step 2 of a proof does not follow"):
        check_refutation(clauses, ["3 0", "1 0", "0"], quiet)
    with pytest.raises(WrongProof, match="does not end with a contradiction"):
        check_refutation(clauses, ["3 0"], quiet)


def test_clauses_that_can_be_met_have_no_proof_however_it_is_written() -> None:
    """Random steps over clauses with a model: no sequence of them may end in a contradiction."""
    chance = random.Random(7)
    for _ in range(200):
        model = [chance.choice((-1, 1)) * v for v in range(1, 7)]
        clauses = []
        for _ in range(14):
            clause = [chance.choice((-1, 1)) * v for v in chance.sample(range(1, 7), 3)]
            clauses.append(clause if set(clause) & set(model) else [*clause[1:], -clause[0]])
        steps = [" ".join(map(str, [chance.choice((-1, 1)) * chance.randrange(1, 7), 0])) for _ in range(5)]
        with pytest.raises(WrongProof):
            check_refutation(clauses, [*steps, "0"], quiet)


def test_the_compiled_checker_is_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    clauses, proof = contradiction(3, 60)
    wrong = [*proof[: len(proof) // 2], "1 0", "2 0", "3 0", "0"]
    said = []
    for small in (0, 10**9):
        monkeypatch.setattr(refutation, "SMALL", small)
        try:
            check_refutation(clauses, wrong, quiet)
        except WrongProof as error:
            said.append(str(error))
        assert check_refutation(clauses, proof, quiet) == sum(1 for _ in proof)
    assert compiled(unit_propagation).replay is not unit_propagation.replay
    assert len(said) == 2 and said[0] == said[1]


# What is checked


@pytest.mark.parametrize(
    ("words", "seats", "refuted"),
    [("counts", (0,), [1]), ("counts+center", (1,), [1, 2, 3, 4]), ("counts+center", (0, 1), [1, 2, 3, 4])],
)
def test_the_published_rows_of_tic_tac_toe_replay_a_proof_for_every_smaller_table(
    words: str, seats: tuple[int, ...], refuted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    check = Formula.check

    def counted(formula: Formula) -> int:
        steps.append(check(formula))
        return steps[-1]

    monkeypatch.setattr(Formula, "check", counted)
    game = load_game("tic-tac-toe")
    answer = learn(Task((game,), seats, "never-loses", parse_vocabulary(words, [game])))
    assert [fact for fact in answer.known if fact.startswith("no table")] == [
        f"no table of {n} rule{'s' * (n != 1)}" for n in refuted
    ]
    assert len(steps) == len(refuted) and all(steps)


def test_a_solver_that_is_wrong_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that says no too early: the claim is not made."""
    game = load_game("tic-tac-toe")
    monkeypatch.setattr(Formula, "solve", lambda *_: False)
    with pytest.raises(WrongProof):
        learn(Task((game,), (0,), "never-loses", parse_vocabulary("counts", [game])))


def test_a_variable_in_no_clause_is_not_true() -> None:
    formula = Formula(Budget())
    one, other = formula.vars(2)
    formula.add(one)
    assert formula.solve() and formula.holds(one)
    assert not formula.holds(other) and formula.model().tolist() == [False, True, False]
    formula.close()


# The clauses


def graphs_of(game: str, words: str, seats: tuple[int, ...]) -> tuple[list[Graph], ClassBook]:
    rules = load_game(game)
    book = ClassBook(parse_vocabulary(words, [rules]))
    return build(book, rules, seats, "never-loses", quiet), book


def random_table(template: Template, rules: int, chance: random.Random) -> tuple[LearnedRule, ...]:
    """Rules for everyone with up to three tests, and priorities without gaps; none says the same twice."""
    priorities = sorted(chance.choices(range(1, rules + 1), k=rules))
    ranks = {priority: i + 1 for i, priority in enumerate(sorted(set(priorities)))}
    chance.shuffle(priorities)
    table = []
    for priority in priorities:
        by_word = {test.word: test for test in chance.sample(template.tests, min(3, len(template.tests)))}
        tests = tuple(chance.sample(list(by_word.values()), chance.randrange(len(by_word) + 1)))
        table.append(LearnedRule(EVERYONE, tests, ranks[priority]))
    return tuple(table)


@pytest.mark.parametrize(("words", "seat"), [("counts", 0), ("n(xx), n(oo), n(bo)", 0), ("counts+center", 1)])
def test_clauses_hold_for_a_table_exactly_if_it_reaches_the_goal(words: str, seat: int) -> None:
    """The other half of a `no`: with all rules fixed, the clauses can be met if and only if the table never loses.

    Tables that do are few, so the shortest one and its neighbours are tried beside random ones.
    """
    graphs, book = graphs_of("tic-tac-toe", words, (seat,))
    template = Template(book, 1)
    chance = random.Random(1)
    rules = 5 if seat else 3
    found = Tables(template, rules, Budget())
    assert Cegis(graphs, found, Budget()).run()
    tried = [found.found, *(random_table(template, rules, chance) for _ in range(30))]
    for _ in range(30):  # one rule of the table that never loses, with one test less or more
        i = chance.randrange(rules)
        rule = found.found[i]
        tests = rule.tests[1:] if chance.random() < 0.5 else (*rule.tests, chance.choice(template.tests))
        if len({test.word for test in tests}) == len(tests):
            other = LearnedRule(rule.heading, tests, rule.priority)
            tried.append((*found.found[:i], other, *found.found[i + 1 :]))
    verdicts = []
    for table in tried:
        tables = Tables(template, rules, Budget())
        Cegis(graphs, tables, Budget())
        fixed = [literal for i, rule in enumerate(table) for literal in literals(tables, i, rule)]
        verdicts.append(not any(len(graph.play(template.levels(table)).failures) for graph in graphs))
        assert tables.formula.solve(fixed) == verdicts[-1], table
        tables.formula.close()
    found.formula.close()
    assert verdicts[0] and not all(verdicts)


def literals(tables: Tables, i: int, rule: LearnedRule) -> list[int]:
    """What is assumed for rule i to be this one."""
    selected = zip(tables.template.tests, tables.selected[i], strict=True)
    heading = zip(tables.headings, tables.heading[i], strict=True)
    found = [chosen if test in rule.tests else -chosen for test, chosen in selected]
    found += [chosen if name == rule.heading else -chosen for name, chosen in heading]
    return found + [chosen if rule.priority <= n else -chosen for n, chosen in enumerate(tables.upto[i], 1)]


# Orders


@pytest.mark.parametrize("seed", range(30))
def test_cycles_are_found_where_networkx_finds_them(seed: int) -> None:
    chance = random.Random(seed)
    codes = 12
    graph, precedence = nx.DiGraph(), Precedence()
    graph.add_nodes_from(range(codes))
    for _ in range(chance.randrange(4, 20)):
        one, other = chance.sample(range(codes), 2)
        graph.add_edge(one, other)
        precedence.add(one, 1 << other)
    cyclic = not nx.is_directed_acyclic_graph(graph)
    assert precedence.has_cycle() == cyclic
    cycles = list(precedence.cycles(100))
    assert bool(cycles) == cyclic
    for cycle in cycles:
        assert all(graph.has_edge(a, b) for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    if not cyclic:
        levels = precedence.order(np.array(chance.sample(range(codes), codes), dtype=np.int32))
        assert sorted(levels) == list(range(codes))
        assert all(levels[a] < levels[b] for a, b in graph.edges)


# Shorter lists


@pytest.mark.parametrize(
    ("spec", "most"),
    [
        ("connect-four(columns=3,rows=4,k=3)", 15),
        pytest.param("connect-four(columns=4,rows=4)", 25, marks=pytest.mark.slow),
    ],
)
def test_a_list_of_classes_becomes_a_table_that_can_be_read(spec: str, most: int) -> None:
    graphs, book = graphs_of(spec, "counts", (0, 1))
    order = find_order(graphs, book, 1, Budget()).levels
    few = fewest_levels(graphs, book, 1, Budget(), 9)[1]
    assert order and few
    template = Template(book, 1)
    met = {int(code) for graph in graphs for code in graph.code if code >= 0}
    rules = listed(few.levels(), book, template, met)
    shorter = compressed(graphs, template, rules, Budget())
    assert len(shorter) <= most < len(rules)
    assert not any(len(graph.play(template.levels(shorter)).failures) for graph in graphs)
