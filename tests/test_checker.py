"""Tree + game -> rule book: which game, which sight, which roles, and what a huge board costs."""

from itertools import product
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamplay.game import Game
from teamplay.game_file import load_game
from teamplay.language import Rulebook, Source, TableError, load_rulebook, read_rulebook
from teamplay.language.places import Places
from teamplay.language.rulebook import Reach
from teamplay.language.tree import Sight
from tests import naive_table

SMALL = ["tic-tac-toe", "mnk(m=4,n=3,k=3)", "mnk(m=6,n=5,k=4)", "mnk(m=3,n=3,k=5)", "sos-line(n=6)", "reversi(n=4)"]
SMALL += ["tic-tac-toe-3d", "mnk(m=1,n=1,k=2)"]


def book(text: str, game: str = "") -> Rulebook:
    return read_rulebook(Source("test.team", text), load_game(game) if game else None)


def codes(text: str, game: str = "") -> list[str]:
    with pytest.raises(TableError) as caught:
        book(text, game)
    return [one.code for one in caught.value.diagnostics]


# Which game


def test_a_table_without_a_game_is_for_the_papers_unless_another_is_asked_for() -> None:
    assert str(book("return 1").game) == "tic-tac-toe"
    assert str(book("return 1", "reversi").game) == "reversi"


def test_a_table_is_for_the_game_that_it_names_first_or_any_that_it_names() -> None:
    text = "game misere, tic-tac-toe\nreturn 1"
    assert str(book(text).game) == "misere"
    assert str(book(text, "tic-tac-toe").game) == "tic-tac-toe"
    assert codes(text, "gomoku") == ["T009"]


def test_a_bare_name_allows_every_board_and_parameters_only_their_own() -> None:
    assert book("game mnk\nreturn k", "mnk(m=7,n=7,k=5)").game.k == 5
    assert book("game mnk(m=7,n=7,k=5)\nreturn k", "mnk(k=5,n=7,m=7)").game.k == 5
    assert book("game mnk(m=5,n=5,k=4)\nreturn k", "mnk").game.k == 4
    assert codes("game mnk(m=7,n=7,k=5)\nreturn k", "mnk") == ["T009"]


def test_a_table_may_be_for_a_game_file_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text("board = [2, 2]\n[goal]\nline = 2\n")
    Path("tiny.team").write_text("game tiny.toml\nif n(x) >= 1 then return 1\nreturn 2\n")
    assert load_rulebook("tiny.team").game == load_game("tiny.toml")
    assert load_rulebook("tiny.team", load_game("tiny.toml")).game.k == 2


# Sight

SIGHTS = ["", *(f"sight {n}" for n in (2, 3, 4, 9)), *(f"sight radius {n}" for n in (1, 2, 9)), "sight all"]


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("spec", SMALL)
def test_sight_by_three_ways_of_reckoning(spec: str, sight: str) -> None:
    """The cells that a rule book lists, those that its reach covers, and those of the naive reader."""
    rulebook = book(f"{sight}\nreturn 1", spec)
    game, grid, declared = rulebook.game, rulebook.game.grid, _declared(sight)
    for cell in grid.cells:
        listed = rulebook.sight(cell)
        assert listed == {other for other in grid.cells if other != cell and rulebook.reach.covers(grid, cell, other)}
        naive = naive_table.sight(game, declared, grid.coordinates(cell))
        assert listed == {grid.cell(at) for at in naive}
        assert rulebook.reach.covers(grid, cell, cell)


@pytest.mark.parametrize("sight", SIGHTS)
def test_only_sight_all_reaches_another_board(sight: str) -> None:
    rulebook = book(f"{sight}\nreturn 1", "notakto(boards=2)")
    grid = rulebook.game.grid
    for cell in grid.cells:
        covered = {other for other in grid.cells if other != cell and rulebook.reach.covers(grid, cell, other)}
        assert rulebook.sight(cell) == covered
        assert any(other // 9 != cell // 9 for other in covered) == (sight == "sight all")


def _declared(sight: str) -> Sight | None:
    match sight.split():
        case ["sight", "all"]:
            return Sight("all")
        case ["sight", "radius", number]:
            return Sight("radius", int(number))
        case ["sight", number]:
            return Sight("lines", int(number))
    return None


@pytest.mark.parametrize(
    ("head", "game", "reach", "words"),
    [
        ("", "tic-tac-toe", Reach("lines", 2), "the lines of 3 cells through its own"),
        ("", "reversi", Reach("rays", 7), "7 cells along every straight line"),
        ("sight 2", "reversi", Reach("rays", 1), "1 cell along every straight line"),
        ("sight radius 2", "gomoku", Reach("radius", 2), "every cell at most 2 away"),
        ("sight all", "sos", Reach("all"), "the whole board"),
    ],
)
def test_how_far_a_table_sees(head: str, game: str, reach: Reach, words: str) -> None:
    rulebook = book(f"{head}\nreturn 1", game)
    assert rulebook.reach == reach
    assert str(rulebook.reach) == words


def test_a_cell_may_be_tested_exactly_where_every_agent_of_the_role_sees_it() -> None:
    game = load_game("tic-tac-toe")
    for role, cell in product(("center", "corner", "edge"), range(9)):
        row, col = (number + 1 for number in game.grid.coordinates(cell))
        text = f"{role}: if cell({row},{col}) = x then return 1"
        agents = [agent for agent in range(9) if game.grid.role(agent) == role]
        if all(agent == cell or cell in book("return 1").sight(agent) for agent in agents):
            book(text)
        else:
            assert codes(text) == ["T008"]
        book(f"sight all\n{text}")


@pytest.mark.parametrize("sight", ["", "sight 2", "sight 4", "sight radius 1", "sight all"])
def test_a_step_may_be_tested_exactly_where_it_is_seen_wherever_it_is_on_the_board(sight: str) -> None:
    spec = "mnk(m=4,n=5,k=3)"
    rulebook = book(f"{sight}\nreturn 1", spec)
    grid = rulebook.game.grid
    for role, by in product(("corner", "edge", "inner", "center"), product(range(-3, 4), repeat=2)):
        agents = [cell for cell in grid.cells if grid.role(cell) == role]
        targets = [(cell, tuple(map(sum, zip(grid.coordinates(cell), by, strict=True)))) for cell in agents]
        there = [(cell, grid.cell(at)) for cell, at in targets if grid.contains(at)]
        text = f"{sight}\n{role}: if at({by[0]},{by[1]}) = x then return 1"
        if (there or not agents) and all(cell == at or at in rulebook.sight(cell) for cell, at in there):
            book(text, spec)
        else:
            assert codes(text, spec) == ["T008"]


# Roles and names


def test_a_role_that_a_board_does_not_have_asks_for_nothing() -> None:
    rulebook = book("center: if at(+1,0) = x and cell(1,1) = x then return 1\nothers: return 2", "mnk(m=4,n=4,k=3)")
    assert all(rulebook.rules(cell)[0].name == "others 1" for cell in rulebook.game.grid.cells)


def test_faces_are_a_matter_of_three_dimensions() -> None:
    assert book("face: return 1\nothers: return 2", "tic-tac-toe-3d").rules(4)[0].role == "face"
    assert codes("face: return 1") == ["T005"]


def test_a_name_is_known_only_below_its_let_for_other_lets_and_everywhere_for_rules() -> None:
    book("return n(calm)\nlet ee = bb\nlet calm = ee")
    assert codes("return n(calm)\nlet calm = ee\nlet ee = bb") == ["T004"]


def test_a_wrong_let_is_blamed_once_and_its_uses_never() -> None:
    assert codes("let ee = bbb\nreturn n(ee)\nreturn size(ee) + n(ee)") == ["T007"]


# Huge boards


def hurried(text: str, game: Game, seconds: float) -> None:
    """Bind a table, or not, within so much time."""
    start = process_time()
    try:
        read_rulebook(Source("test.team", text), game)
    except TableError as error:
        assert {one.code for one in error.diagnostics} <= {"T003", "T008"}
    assert process_time() - start < seconds


TESTS = ["at(+1,0)", "at(+1,+1)", "at(-2,+2)", "at(+4,+1)", "center", "cell(1,1)", "cell(999,500)"]


@pytest.mark.parametrize("sight", ["", "sight 5", "sight 1000", "sight radius 3", "sight radius 997", "sight all"])
def test_a_board_of_a_million_cells_is_no_reason_to_wait(sight: str) -> None:
    game = load_game("mnk(m=999,n=999,k=5)")
    everyone = "\n".join(f"if {test} = x then return 1" for test in TESTS)
    hurried(f"{sight}\n{everyone}", game, 2)


def test_a_hostile_table_on_a_board_of_a_million_cells_comes_to_an_end() -> None:
    game = load_game("mnk(m=999,n=999,k=5)")
    rules = "\n".join(f"if cell(500,{col}) = x then return 1" for col in range(100, 900))
    hurried(f"sight radius 997\ncorner, edge, inner:\n{rules}", game, 3)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(data=st.data())
def test_on_a_large_board_a_few_agents_speak_for_all(data: st.DataObject) -> None:
    """The shortcut is tried where the whole board can still be asked."""
    m, n, k = data.draw(st.integers(1, 13)), data.draw(st.integers(7, 13)), data.draw(st.integers(2, 6))
    kind = data.draw(st.sampled_from(["lines", "rays", "radius", "all"]))
    reach = Reach(kind, k - 1 if kind == "lines" else data.draw(st.integers(1, 12)))
    game = load_game(f"mnk(m={m},n={n},k={k})")
    steps = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
    spot = data.draw(st.integers(0, game.grid.size - 1) | steps)
    roles = frozenset(data.draw(st.sets(st.sampled_from(["center", "corner", "edge", "inner"]), min_size=1)))
    places, few = Places(game, reach), Places(game, reach)
    with pytest.MonkeyPatch.context() as patch:
        somewhere, blind = places._looked(spot, roles)
        patch.setattr("teamplay.language.places.SMALL_SIDE", 0)
        found, one = few._looked(spot, roles)
    assert (found, one is None) == (somewhere, blind is None)
