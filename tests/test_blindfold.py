"""Decentralization by construction: an agent knows its sight and nothing else, and a manager knows no game at all."""

import ast
import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import teamplay.team.manager
from teamplay import library
from teamplay.game import Game, Position
from teamplay.game_file import load_game, parse_spec
from teamplay.grid import Grid
from teamplay.language import Rulebook, Source, bind
from teamplay.language.tree import Table
from teamplay.luck import Luck
from teamplay.team import Agent, Manager, Response, Team, View
from tests import strategies
from tests.everywhere import EVERYWHERE, SHIPPED, SMALL, positions, team


def answer(players: Team, cell: int, marks: str, turn: int = 7) -> list[Response]:
    """What one agent says of a board; the turn is the manager's signal, and tells nothing of the board."""
    players.broadcast(marks)
    agent = players.agents[cell]
    agent.luck = Luck(5)
    return agent.respond({cell}, turn)


def scrambled(marks: str, known: frozenset[int], alphabet: tuple[str, ...], luck: Luck) -> str:
    """The same board with anything at all in the cells that are not known."""
    return "".join(mark if cell in known else luck.choice(alphabet) for cell, mark in enumerate(marks))


def blindfold_finds(players: Team, cell: int, marks: str, sight: frozenset[int], luck: Luck) -> bool:
    """Whether some other board that looks the same in this sight gets another answer."""
    known = sight | {cell}
    open_eyed = answer(players, cell, marks)
    boards = (scrambled(marks, known, players.game.visible_marks, luck) for _ in range(3))
    return any(answer(players, cell, board) != open_eyed for board in boards)


def test_every_game_and_every_shipped_table_is_put_to_the_test() -> None:
    assert {parse_spec(spec)[0] for spec in SMALL} == set(library.names(".toml"))
    assert {table for table, _ in SHIPPED} == set(library.names(".team"))
    assert {parse_spec(spec)[0] for _, spec in SHIPPED} == set(library.names(".toml"))


@pytest.mark.parametrize(("table", "spec"), EVERYWHERE)
def test_what_is_out_of_sight_changes_no_answer(table: str, spec: str) -> None:
    players, luck = team(table, spec), Luck(1)
    scenes = list(positions(players.game, seed=2))
    for position in luck.sample(scenes, min(6, len(scenes))):
        marks = players.game.seen(position)
        for cell in players.game.grid.cells:
            if marks[cell] == "b":
                assert not blindfold_finds(players, cell, marks, players.book.sight(cell), luck)


def test_the_blindfold_finds_an_agent_that_sees_more_than_it_says() -> None:
    """The same test with a sight that is one cell too small."""
    players, luck = team("whole board", "tic-tac-toe"), Luck(3)
    marks = players.game.seen(players.game.position("xo./.x./..o"))
    for hidden in (0, 1, 4, 8):
        sight = players.book.sight(2) - {hidden}
        assert any(blindfold_finds(players, 2, marks, sight, luck) for _ in range(20))


@pytest.mark.parametrize("spec", SMALL)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_no_random_table_sees_through_the_blindfold(spec: str, data: st.DataObject) -> None:
    game = load_game(spec)
    table: Table = data.draw(strategies.tables(game))
    position: Position = data.draw(strategies.positions(game))
    players = Team(bind(table, Source("random", ""), game))
    luck = Luck(data.draw(st.integers(0, 99)))
    marks = game.seen(position)
    for cell in luck.sample(range(game.grid.size), min(5, game.grid.size)):
        assert not blindfold_finds(players, cell, marks, players.book.sight(cell), luck)


def reachable(start: object) -> Iterator[Any]:
    """Everything that code in an object's methods could get hold of through its attributes.

    Classes, modules and the globals of functions are everybody's and lead everywhere; the cells that a function
    closes over, and the object that a method is bound to, are followed.
    """
    seen: set[int] = set()
    queue = [start]
    while queue:
        found = queue.pop()
        if id(found) in seen or isinstance(found, type | ModuleType):
            continue
        seen.add(id(found))
        yield found
        if isinstance(found, FunctionType):
            queue += [found.__closure__, found.__defaults__, found.__kwdefaults__]
        else:
            queue += gc.get_referents(found)


@pytest.mark.parametrize(("table", "spec"), [("tic-tac-toe/figure-15", "tic-tac-toe"), ("letter coins", "sos(n=4)")])
@pytest.mark.parametrize("only_affected", [False, True])
def test_no_agent_can_reach_a_board(table: str, spec: str, only_affected: bool) -> None:
    players = team(table, spec, only_affected=only_affected)
    position = players.game.start
    for _ in range(3):  # in the middle of a game, when there is something to see
        position = players.game.after(position, players.choose(position, Luck(1)))
    boards = {position.marks, players.game.seen(position)}
    for agent in players.agents:
        for found in reachable(agent):
            assert not isinstance(found, Game | Position | Grid | Rulebook | Team | Manager)
            assert not isinstance(found, Agent | View) or found in (agent, agent._view)
            assert not isinstance(found, str) or found not in boards
        assert set(agent._view.marks) == players.book.sight(agent.cell)


def test_the_search_for_a_board_finds_one_behind_a_method() -> None:
    players = team("tic-tac-toe/figure-6", "tic-tac-toe")
    agent = players.agents[0]
    agent._react = players._reactions.append
    assert not any(isinstance(found, Game) for found in reachable(agent))
    agent._react = lambda said: players._reactions.append(said)
    assert any(isinstance(found, Game) for found in reachable(agent))


def test_a_view_is_nobody_elses() -> None:
    players = team("mnk/generic", "mnk(m=5,n=5,k=4)")
    views = [agent._view for agent in players.agents]
    assert len({id(view.marks) for view in views}) == len(views)


MANAGER = Path(teamplay.team.manager.__file__)


def test_the_manager_imports_neither_game_nor_board_nor_rules() -> None:
    imported: set[str] = set()
    for name in ("manager.py", "round.py", "claims.py", "messages.py"):
        for node in ast.walk(ast.parse((MANAGER.parent / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0 and node.module
                imported.add(node.module)
    ours = {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names}
    assert ours == {"teamplay.team.claims", "teamplay.team.messages", "teamplay.team.round"}


def test_the_manager_works_where_there_is_no_game() -> None:
    """In an interpreter of its own, with the package's other rooms left unopened."""
    program = f"""
import sys, types
package = types.ModuleType("teamplay.team")
package.__path__ = [{str(MANAGER.parent)!r}]
sys.modules["teamplay.team"] = package
from teamplay.team.manager import Manager
assert Manager([]).respond(frozenset(), 0) == []
print(*sorted(name for name in sys.modules if name.startswith("teamplay")))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    rooms = ["claims", "manager", "messages", "round"]
    assert done.stdout.split() == ["teamplay.team", *(f"teamplay.team.{room}" for room in rooms)]
