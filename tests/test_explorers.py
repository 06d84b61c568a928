"""The explorers agree: compiled, reference, and an exhaustion without any cleverness find the same."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teamplay import library
from teamplay.engine.contest import Contest
from teamplay.engine.layers import Layers, knows
from teamplay.engine.layers import symmetric as engine_symmetric
from teamplay.engine.program import MEMO
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game, parse_spec
from teamplay.language import Source, bind, load_rulebook, load_table, read_rulebook
from teamplay.language.rulebook import Rulebook
from teamplay.luck import Luck
from teamplay.players import BatchPlayer, load_player
from teamplay.proof import symmetry
from teamplay.proof.goals import GOALS, bad_winners
from teamplay.proof.verify import Explorer, explorer_for, verify
from teamplay.proof.walk import Walk
from teamplay.team import Team
from tests.exhaust import exhausted
from tests.odd import odd
from tests.strategies import positions, tables

# Every game on a board so small that all its games can be met one by one.
SMALL = (
    "tic-tac-toe",
    "misere",
    "tic-tac-toe-3d(n=2)",
    "mnk(m=4,n=2,k=3)",
    "gomoku(n=2)",
    "connect-four(columns=3,rows=3,k=3)",
    "sos(rows=2,columns=3)",
    "sos-corners(n=3)",
    "sos-line(n=6)",
    "reversi(n=4)",
    "notakto(boards=2)",
    "order-and-chaos(n=3,k=3)",
)
ODD = ("exact", "exact-drop", "exact-flank", "breaker", "breaker-flank", "two-boards", "two-drops", "closed-boards")
TOO_WIDE = {"connect-four/careful"}  # it looks further than a small board is wide
CASES = [
    ("connect-four/careful", "connect-four(columns=5,rows=5)"),
    *(
        (table, spec)
        for table in library.names(".team")
        if table not in TOO_WIDE
        for spec in SMALL
        if parse_spec(spec)[0] in {parse_spec(game)[0] for game in load_table(table)[0].games}
    ),
]


def book_of(text: str, spec: str = "tic-tac-toe") -> Rulebook:
    return read_rulebook(Source("a table", text), load_game(spec))


def grown(explorer: Explorer, bad: set[int | None], enough: int) -> tuple[object, ...]:
    """What an exploration found, to its end or to enough: positions, outcomes, plies, the length of a bad game."""
    plies, shortest = 0, None
    while explorer.open and explorer.positions < enough:
        explorer.grow(lambda: True)
        plies += 1
        if shortest is None and any(explorer.outcomes[2 if who is None else who] for who in bad):
            shortest = explorer.game_to(bad)
    return explorer.positions, explorer.outcomes, plies, shortest and len(shortest)


class ByColumns(Layers):
    """An exploration by numpy, whatever was compiled before."""

    def _by_columns(self, positions: int) -> bool:
        return True


def columns(book: Rulebook, seat: int, reduced: bool, first: bool = False) -> Layers:
    """An exploration by numpy where that can be: where patterns are looked up and the game is plain."""
    made = ByColumns(book, seat, reduced, first, looks_up=True)
    can = bool(made.setting.program[0, MEMO]) and knows(book.game)
    return made if can else Layers(book, seat, reduced, first, compiles=False, looks_up=True)


def moved(position: Position, way: symmetry.Symmetry) -> Position:
    image = [""] * len(position.marks)
    for cell, mark in enumerate(position.marks):
        image[way[cell]] = mark
    return Position("".join(image), position.seat, position.scores)


def test_every_game_is_explored_on_a_small_board() -> None:
    shipped = set(library.names(".toml"))
    assert {parse_spec(spec)[0] for spec in SMALL} == shipped
    assert {parse_spec(spec)[0] for _, spec in CASES} == shipped


@pytest.mark.parametrize(("table", "spec"), CASES)
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("most", [60, pytest.param(200, marks=pytest.mark.slow)])
def test_the_compiled_explorer_finds_what_the_reference_finds(table: str, spec: str, seat: int, most: int) -> None:
    game = load_game(spec)
    book = load_rulebook(table, game)
    bad, enough = bad_winners("never-loses", seat), most // 3 if game.grid.size > 20 else most
    found = grown(Walk(Team(book), game, seat), bad, enough)
    assert grown(Layers(book, seat, symmetric=False, compiles=False), bad, enough) == found
    assert grown(Layers(book, seat, engine_symmetric(book), compiles=False), bad, enough) == found
    assert grown(columns(book, seat, engine_symmetric(book)), bad, enough) == found


@pytest.mark.parametrize("table", [name for name in library.names(".team") if name.startswith("tic-tac-toe/")])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_verdict_is_what_plain_exhaustion_says(table: str, seat: int) -> None:
    game = load_game("tic-tac-toe")
    said, found = exhausted(game, Team(load_rulebook(table, game)), seat), verify(load_player(table, game), game, seat)
    assert (found.positions, found.wins, found.draws, found.losses) == (
        said.positions,
        said.wins,
        said.draws,
        said.losses,
    )
    assert found.whole and found.verdict == ("proved" if said.never_loses else "refuted")
    assert len(found.game or ()) == len(said.lost or ())


@pytest.mark.parametrize("rule", ["return row", "if k >= 4 then return row"])
def test_rules_that_are_never_asked_break_no_symmetry(rule: str) -> None:
    text = f"everyone:\n    if k <= 3 then return n(xx)\n    {rule}\n"
    book = read_rulebook(Source("own", text), load_game("tic-tac-toe"))
    assert engine_symmetric(book) and symmetry.keeps(book)
    with_a_coin = text.replace("n(xx)", "n(xx) with chance 50%")
    book = read_rulebook(Source("own", with_a_coin), load_game("tic-tac-toe"))
    assert symmetry.keeps(book) == ("k >= 4" in rule)


@pytest.mark.parametrize("spec", [*SMALL, *(pytest.param(spec, marks=pytest.mark.slow) for spec in ODD)])
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_tables_are_explored_alike(spec: str, data: st.DataObject) -> None:
    check_a_random_table(odd(spec) if spec in ODD else load_game(spec), data, enough=25)


COIN = """
if n(x{k-1}) >= 1 then return 1
if n(o{k-1}) >= 1 then return 2 with chance 50%
if n(b{k-1}) >= 1 then return 3 with chance """


@pytest.mark.parametrize("rest", ["10%\nreturn 4", "1%", "100%"])
@pytest.mark.parametrize("spec", ["mnk(m=3,n=3,k=3)", "mnk(m=4,n=3,k=3)", "connect-four(columns=4,rows=3,k=3)"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("enough", [150, pytest.param(400, marks=pytest.mark.slow)])
def test_tables_with_coins_are_explored_as_by_the_reference(rest: str, spec: str, seat: int, enough: int) -> None:
    book = book_of(COIN + rest, spec)
    bad = bad_winners("never-loses", seat)
    explorer, method = explorer_for(Team(book), book.game, seat)
    assert method != "reference"
    assert grown(explorer, bad, enough) == grown(Walk(Team(book), book.game, seat), bad, enough)


def test_coins_of_letters_are_explored_as_by_the_reference() -> None:
    text = "if n(S*?) >= 1 then return 1 play S with chance 50%\nif n(?*S) >= 1 then return 1 play O with chance 50%"
    book = book_of(text, "sos(rows=2,columns=3)")
    explorer, method = explorer_for(Team(book), book.game, 0)
    assert method != "reference"
    assert grown(explorer, {1}, 300) == grown(Walk(Team(book), book.game, 0), {1}, 300)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("if center = x then return 1 with chance 30%\nif n(oo) >= 1 then return 2\nreturn 3", "tic-tac-toe"),
        ("sight all\nif at(0,1) = x then return 1 with chance 30%\nreturn 9 - count(o)", "mnk(m=4,n=3,k=3)"),
        ("sight all\nif count(S) >= 1 then return 1 play O with chance 9%\nreturn 1 play S", "sos(rows=2,columns=3)"),
    ],
)
def test_coins_are_explored_where_nothing_can_be_looked_up(text: str, spec: str, seat: int) -> None:
    book = book_of(text, spec)
    explorer, _ = explorer_for(Team(book), book.game, seat)
    assert isinstance(explorer, Layers) and not explorer.voices[0].looks_up(seat)
    bad = bad_winners("never-loses", seat)
    assert grown(explorer, bad, 200) == grown(Walk(Team(book), book.game, seat), bad, 200)


def test_a_coin_of_a_role_that_the_board_does_not_have_is_never_tossed() -> None:
    text = "game mnk\ncenter:\n    return 1 with chance 50%\neveryone:\n    return 2\n"
    book = read_rulebook(Source("own", text), load_game("mnk(m=4,n=2,k=2)"))
    found = verify(Team(book), book.game, 0)
    walk = Walk(Team(book), book.game, 0)
    grown(walk, set(), 10**6)
    assert (found.positions, found.wins) == (walk.positions, walk.outcomes[0])
    assert Contest(book, book, large=False).play(3, seed=1).moves > 0


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*SMALL, *ODD])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_many_random_tables_are_explored_alike(spec: str, data: st.DataObject) -> None:
    check_a_random_table(odd(spec) if spec in ODD else load_game(spec), data, enough=300)


def check_a_random_table(game: Game, data: st.DataObject, enough: int) -> None:
    book = bind(data.draw(tables(game, chances=False)), Source("random", ""), game)
    seat = data.draw(st.sampled_from([0, 1]))
    bad = bad_winners(data.draw(st.sampled_from(GOALS[:2])), seat)
    reduced = engine_symmetric(book)
    assert reduced == symmetry.keeps(book)
    found = grown(Walk(Team(book), game, seat), bad, enough)
    assert grown(Layers(book, seat, reduced, compiles=False), bad, enough) == found
    assert grown(columns(book, seat, reduced), bad, enough) == found
    if not game.shared:
        first = grown(Walk(Team(book, "first"), game, seat), bad, enough)
        assert grown(Layers(book, seat, False, first=True, compiles=False), bad, enough) == first
        assert grown(columns(book, seat, False, first=True), bad, enough) == first


@pytest.mark.parametrize("spec", ["tic-tac-toe", "mnk(m=4,n=2,k=3)", "connect-four(columns=3,rows=3,k=3)", "sos(n=3)"])
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_table_that_passes_for_symmetric_is(spec: str, data: st.DataObject) -> None:
    game = load_game(spec)
    book = bind(data.draw(tables(game)), Source("random", ""), game)
    if symmetry.keeps(book):
        team, position = Team(book), data.draw(positions(game))
        for way in symmetry.of_game(game):
            image = {Move(way[move.cell], move.mark) for move in team.moves(position)}
            assert set(team.moves(moved(position, way))) == image


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ("n(xx)", True),
        ("count(x)", True),
        ("row", False),
        ("n(*xo)", True),
        ("n(x*x | o*o)", True),
        ("n(?*? | x*?)", False),  # a palindrome is read one way only, and may or may not meet the other's reading
    ],
)
def test_what_passes_for_symmetric(rule: str, kept: bool) -> None:
    book = book_of(f"return {rule}")
    assert symmetry.keeps(book) == engine_symmetric(book) == kept


@pytest.mark.parametrize(("cell", "kept"), [("center", True), ("cell(1,1)", False), ("at(0,1)", False)])
def test_a_named_cell_must_stay_where_it_is(cell: str, kept: bool) -> None:
    book = book_of(f"sight all\nif {cell} = x then return 1\nreturn 2")
    assert symmetry.keeps(book) == engine_symmetric(book) == kept


def test_positions_survive_the_way_through_numbers() -> None:
    for table, spec in (("sos/safe", "sos(rows=2,columns=3)"), ("reversi/corners", "reversi(n=4)")):
        game = load_game(spec)
        layers = Layers(load_rulebook(table, game), 0, False)
        position = game.start
        while moves := game.moves(position):
            assert layers.position(layers.key(position)) == position
            position = game.after(position, Luck(len(moves)).choice(moves))


def test_the_compiled_kernels_prove_a_table_on_four_by_four() -> None:
    game = load_game("mnk(m=4,n=4,k=4)")
    found = [verify(load_player("mnk/generic", game), game, seat) for seat in (0, 1)]
    assert [verdict.verdict for verdict in found] == ["proved", "proved"]
    assert [verdict.positions for verdict in found] == [443_965, 517_472]
    assert found[0].method == "compiled, up to symmetry"


OTHERS = [
    *((player, "tic-tac-toe") for player in ("posswin", "magic-square", "move-table", "minimax(depth=1)")),
    ("random", "mnk(m=4,n=2,k=3)"),
    ("random", "connect-four(columns=4,rows=3,k=3)"),
    ("random", "sos-line(n=5)"),
    ("perfect", "tic-tac-toe-3d(n=2)"),
    *((player, "sos(rows=2,columns=3)") for player in ("greedy", "feasible-greedy", "considerate-greedy")),
    *((player, "sos-corners(n=3)") for player in ("h1(depth=1)", "h2(depth=1)", "owned-minimax(depth=1)")),
    ("magic-cube", "tic-tac-toe-3d"),
    ("magic-cube(wins=lines)", "tic-tac-toe-3d"),
]


@pytest.mark.parametrize(("name", "spec"), OTHERS)
def test_players_that_are_no_tables_are_explored_as_by_the_reference(name: str, spec: str) -> None:
    game = load_game(spec)
    player = load_player(name, game)
    for seat in (0, 1):
        explorer, method = explorer_for(player, game, seat)
        assert method == "arrays"
        bad = bad_winners("never-loses", seat)
        enough = 20 if game.grid.size > 9 else 150
        assert grown(explorer, bad, enough) == grown(Walk(player, game, seat), bad, enough)


@pytest.mark.parametrize(("name", "spec"), [pair for pair in OTHERS if pair[0].startswith(("random", "magic-cube"))])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_what_a_player_names_for_many_positions_it_names_for_each(name: str, spec: str, data: st.DataObject) -> None:
    game = load_game(spec)
    player = load_player(name, game)
    position = data.draw(positions(game))
    if game.shared or game.outcome(position):
        return
    assert isinstance(player, BatchPlayer)
    marks = np.array(list(position.marks))
    mine, theirs = (marks == game.marks[seat] for seat in (position.seat, 1 - position.seat))
    legal = np.isin(np.arange(game.grid.size), [move.cell for move in game.moves(position)])
    named = player.chosen(mine[np.newaxis], theirs[np.newaxis], legal[np.newaxis])
    assert np.flatnonzero(named[0]).tolist() == sorted(move.cell for move in player.moves(position))


READINGS = ["", "version=1", "tie=first", "tie=last", "lines=whole", "diagonals=nested", "blanks=blocking"]


@pytest.mark.parametrize("options", READINGS)
@pytest.mark.parametrize("spec", ["tic-tac-toe", "mnk(m=4,n=3,k=3)", "connect-four(columns=4,rows=3,k=3)"])
@pytest.mark.parametrize("enough", [150, pytest.param(300, marks=pytest.mark.slow)])
def test_a_player_that_answers_for_many_positions_is_explored_as_by_the_reference(
    options: str, spec: str, enough: int
) -> None:
    game = load_game(spec)
    player = load_player(f"helpfulness({options})", game)
    assert isinstance(player, BatchPlayer)
    for seat in (0, 1):
        explorer, method = explorer_for(player, game, seat)
        assert method == "arrays"
        bad = bad_winners("never-loses", seat)
        assert grown(explorer, bad, enough) == grown(Walk(player, game, seat), bad, enough)
