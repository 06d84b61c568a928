"""The manager: it asks, waits, takes the most urgent answer and tells everybody, over agents or over other managers."""

from collections.abc import Set as AbstractSet
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamplay.errors import BadSpec
from teamplay.game import Move
from teamplay.game_file import load_game
from teamplay.grid import Grid
from teamplay.language import Source, read_rulebook
from teamplay.luck import Luck
from teamplay.players import load_player
from teamplay.team import Manager, Response, Team
from teamplay.team.areas import DEEPEST, HEAD, blocks
from teamplay.team.manager import most_urgent
from tests.everywhere import EVERYWHERE, game_of, positions, team


class Scripted:
    """An agent without a game: it says what it is told to say, and remembers what it hears."""

    asked = 1

    def __init__(self, name: int, priority: int | None, restless: bool = False) -> None:
        self.name, self.priority, self.restless = name, priority, restless
        self.names = frozenset([name])
        self.times_asked = 0
        self.heard: list[Response] = []

    def affected(self, names: AbstractSet[int]) -> None:
        assert names == self.names

    def respond(self, active: AbstractSet[int], turn: int) -> list[Response]:
        assert active == self.names, "an agent is told of nobody but itself"
        self.times_asked += 1
        return [Response(self.name, self.priority)]

    def notify(self, chosen: Response) -> None:
        self.heard.append(chosen)


def senders(responses: list[Response]) -> list[int]:
    return [said.sender for said in responses]


def everybody(*agents: Scripted) -> frozenset[int]:
    return frozenset(agent.name for agent in agents)


def test_the_smallest_number_is_the_most_urgent() -> None:
    agents = [Scripted(0, 4), Scripted(1, 2), Scripted(2, 3)]
    assert senders(Manager(agents).respond(everybody(*agents), 0)) == [1]


def test_ties_are_all_kept_and_zero_and_less_are_numbers_too() -> None:
    assert senders(most_urgent([Response(3, 2), Response(1, 2), Response(2, 5)])) == [1, 3]
    assert senders(most_urgent([Response(0, 1), Response(1, 0), Response(2, -3), Response(3, None)])) == [2]


def test_silence_loses_to_any_number_and_ties_with_silence() -> None:
    assert senders(most_urgent([Response(0, None), Response(1, 1_000_000)])) == [1]
    assert senders(most_urgent([Response(0, None), Response(1, None)])) == [0, 1]
    assert most_urgent([]) == []


def test_only_active_agents_are_asked() -> None:
    agents = [Scripted(name, name) for name in range(4)]
    manager = Manager(agents)
    assert senders(manager.respond(frozenset([2, 3]), 0)) == [2]
    assert [agent.times_asked for agent in agents] == [0, 0, 1, 1]
    assert manager.asked == 2
    assert manager.respond(frozenset(), 0) == [] and manager.asked == 0


def test_everybody_hears_who_was_chosen_through_every_level() -> None:
    agents = [Scripted(name, 1) for name in range(4)]
    head = Manager([Manager(agents[:2]), Manager([Manager(agents[2:])])], tie_break="first")
    chosen = head.choose(everybody(*agents), 0, Random(1))
    assert chosen.sender == 0
    assert all(agent.heard == [chosen] for agent in agents)


def test_ties_are_broken_by_the_first_or_by_a_seeded_generator() -> None:
    agents = [Scripted(name, 1) for name in range(5)]
    everyone, first, manager = everybody(*agents), Manager(agents, tie_break="first"), Manager(agents)
    assert {first.choose(everyone, 0, Random(seed)).sender for seed in range(20)} == {0}
    drawn = [manager.choose(everyone, 0, Random(seed)).sender for seed in range(60)]
    assert set(drawn) == set(range(5))
    assert drawn == [manager.choose(everyone, 0, Random(seed)).sender for seed in range(60)]


def test_an_answer_holds_until_its_agent_sees_a_change() -> None:
    agents = [Scripted(name, name + 1) for name in range(3)]
    manager = Manager(agents, only_affected=True)
    manager.respond(everybody(*agents), 0)
    assert manager.asked == 3
    agents[2].priority = 0
    assert senders(manager.respond(everybody(*agents), 1)) == [0], "nobody told the manager of a change"
    assert manager.asked == 0
    manager.affected(frozenset([2]))
    assert senders(manager.respond(everybody(*agents), 2)) == [2]
    assert manager.asked == 1


def test_an_agent_that_improvises_is_asked_every_time() -> None:
    agents = [Scripted(0, 1), Scripted(1, 2, restless=True)]
    inner = Manager(agents, only_affected=True)
    head = Manager([inner], only_affected=True)
    for turn in range(3):
        head.respond(everybody(*agents), turn)
    assert inner.restless and head.restless
    assert [agent.times_asked for agent in agents] == [1, 3]
    assert head.asked == 1


def test_asked_adds_up_through_local_managers() -> None:
    agents = [Scripted(name, 1) for name in range(6)]
    left, right = Manager(agents[:3], only_affected=True), Manager(agents[3:], only_affected=True)
    head = Manager([left, right], only_affected=True)
    head.respond(everybody(*agents), 0)
    assert (head.asked, left.asked, right.asked) == (6, 3, 3)
    head.affected(frozenset([1, 2]))
    head.respond(everybody(*agents), 1)
    assert head.asked == left.asked == 2
    assert [agent.times_asked for agent in agents] == [1, 2, 2, 1, 1, 1]


def assert_same_game(one: Team, other: Team, seed: int, opponent: str = "random") -> tuple[int, int]:
    """Play a whole game in which both teams always agree, tie for tie and choice for choice; agents asked by each."""
    game, asked = one.game, [0, 0]
    rival = load_player(opponent, game)
    seat = seed % 2
    for position in game_of(game, (one, rival) if seat == 0 else (rival, one), Luck(seed)):
        if game.outcome(position) or position.seat != seat:
            continue
        assert one.choose(position, Luck(seed)) == other.choose(position, Luck(seed))
        asked = [before + players.asked for before, players in zip(asked, (one, other), strict=True)]
        assert one.moves(position) == other.moves(position)
    return asked[0], asked[1]


@pytest.mark.parametrize(("table", "spec"), EVERYWHERE)
def test_asking_only_the_affected_changes_no_tie_and_no_choice(table: str, spec: str) -> None:
    everyone, affected = team(table, spec), team(table, spec, only_affected=True)
    for seed in range(2):  # one from each seat
        asked, asked_affected = assert_same_game(everyone, affected, seed)
        assert asked_affected <= asked
        if all(agent.restless for agent in everyone.agents):
            assert asked_affected == asked, "they may change their minds at any time"


def test_on_a_large_board_hardly_anybody_is_affected() -> None:
    everyone, affected = (team("mnk/generic", "gomoku(n=15)", only_affected=only) for only in (False, True))
    asked, asked_affected = assert_same_game(everyone, affected, seed=1)
    assert asked_affected < asked / 2


def test_agents_without_coins_are_left_in_peace_though_others_improvise() -> None:
    everyone, affected = (team("some coins", "sos(n=8)", only_affected=only) for only in (False, True))
    asked, asked_affected = assert_same_game(everyone, affected, seed=1)
    assert any(agent.restless for agent in everyone.agents)
    assert asked_affected < asked / 2


def test_what_is_seen_again_in_another_game_is_thought_over_again() -> None:
    """One team in many games at once: between two of its turns anything may have changed."""
    everyone, affected = (team("mnk/generic", "mnk(m=4,n=3,k=3)", only_affected=only) for only in (False, True))
    scenes = list(positions(everyone.game, seed=1, games=8))
    Luck(2).shuffle(scenes)
    for position in scenes:
        assert everyone.moves(position) == affected.moves(position)


@pytest.mark.parametrize(("side", "only_affected"), [(1, False), (2, True)])
@pytest.mark.parametrize(("table", "spec"), EVERYWHERE)
def test_local_managers_change_no_tie_and_no_choice(table: str, spec: str, side: int, only_affected: bool) -> None:
    flat = team(table, spec)
    tall = team(table, spec, only_affected=only_affected, areas=blocks(flat.game.grid, side))
    asked, asked_tall = assert_same_game(flat, tall, seed=side)
    assert asked_tall <= asked if only_affected else asked_tall == asked


def test_who_may_play_can_change_out_of_sight() -> None:
    """A local manager keeps no answer for other agents than it asked: in Reversi a far stone makes a cell playable."""
    flat = team("neighbours", "reversi(n=6)")
    tall = team("neighbours", "reversi(n=6)", only_affected=True, areas=blocks(flat.game.grid, 2))
    for seed in range(6):
        assert_same_game(flat, tall, seed)


@st.composite
def trees(draw: st.DrawFn, cells: int) -> "nx.DiGraph[str | int]":
    """Any hierarchy: managers in a random tree, every cell below any of them, nobody without cells."""
    managers = draw(st.integers(1, 6))
    tree: nx.DiGraph[str | int] = nx.DiGraph()
    tree.add_node("manager 0")
    for number in range(1, managers):
        tree.add_edge(f"manager {draw(st.integers(0, number - 1))}", f"manager {number}")
    for cell in draw(st.permutations(range(cells))):
        tree.add_edge(f"manager {draw(st.integers(0, managers - 1))}", cell)
    while idle := [node for node in tree if isinstance(node, str) and tree.out_degree(node) == 0]:
        tree.remove_nodes_from(idle)
    return tree


@pytest.mark.parametrize(
    ("table", "spec"),
    [("tic-tac-toe/figure-13", "tic-tac-toe"), ("coins", "mnk(m=4,n=3,k=3)"), ("some coins", "sos(n=4)")],
)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_any_hierarchy_gives_the_same_ties(table: str, spec: str, data: st.DataObject) -> None:
    flat = team(table, spec)
    tree = data.draw(trees(flat.game.grid.size))
    for tie_break in ("random", "first"):
        flat = team(table, spec, tie_break)
        tall = team(table, spec, tie_break, only_affected=data.draw(st.booleans()), areas=tree)
        assert_same_game(flat, tall, seed=data.draw(st.integers(0, 9)))


def test_a_tree_may_be_deep() -> None:
    chain: nx.DiGraph[str | int] = nx.path_graph([f"manager {i}" for i in range(DEEPEST)], nx.DiGraph)
    chain.add_edges_from((f"manager {DEEPEST - 1}", cell) for cell in range(9))
    assert_same_game(team("mnk/generic", "tic-tac-toe"), team("mnk/generic", "tic-tac-toe", areas=chain), seed=1)


def test_blocks_cover_the_board_once() -> None:
    for shape, side in (((4, 6), 2), ((5, 5), 2), ((3, 3, 3), 2), ((1, 7), 3)):
        grid = Grid(shape)
        tree = blocks(grid, side)
        areas = list(tree.successors(HEAD))
        assert sorted(cell for area in areas for cell in tree.successors(area)) == list(grid.cells)
        assert max(tree.out_degree(area) for area in areas) <= side ** len(shape)
    with pytest.raises(BadSpec, match="sides of at least 1 cell, not 0"):
        blocks(Grid((3, 3)), 0)


def leafless() -> "nx.DiGraph[str | int]":
    return nx.DiGraph([("head", "idle"), *(("head", cell) for cell in range(9))])


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (nx.DiGraph(), "one head at the top"),
        (nx.Graph([("head", cell) for cell in range(9)]), "with arrows"),
        (nx.DiGraph([("a", 0), ("b", 1)]), "one head at the top"),
        (nx.DiGraph([("head", "a"), ("a", "head")]), "one head at the top"),
        (nx.DiGraph([("a", cell) for cell in range(9)] + [("b", 0), ("a", "b")]), "one head at the top"),
        (nx.DiGraph([("head", cell) for cell in range(8)]), "the cells, 0 to 8"),
        (nx.DiGraph([("head", cell) for cell in range(1, 10)]), "the cells, 0 to 8"),
        (nx.DiGraph([("head", cell) for cell in range(10)]), "the cells, 0 to 8"),
        (nx.DiGraph([(0, cell) for cell in range(1, 9)]), "the cells, 0 to 8"),
        (leafless(), "nobody else"),
        (nx.DiGraph([*((i, i + 1) for i in range(-999, -1)), *((-1, cell) for cell in range(9))]), "at most 200"),
    ],
)
def test_what_is_no_hierarchy_is_refused_with_the_reason(tree: object, reason: str) -> None:
    with pytest.raises(BadSpec, match=reason):
        team("tic-tac-toe/figure-6", "tic-tac-toe", areas=tree)


def test_a_single_cell_has_a_manager_above_it_too() -> None:
    book = read_rulebook(Source("alone", "return 1"), load_game("mnk(m=1,n=1,k=2)"))
    alone: nx.DiGraph[str | int] = nx.DiGraph()
    alone.add_node(0)
    with pytest.raises(BadSpec, match="one head at the top"):
        Team(book, areas=alone)
    assert Team(book, areas=nx.DiGraph([("head", 0)])).moves(book.game.start) == [Move(0, "x")]
