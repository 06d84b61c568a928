"""Players and the specs that name them."""

import re
from collections import Counter
from pathlib import Path

import pytest

from teamplay import library
from teamplay.errors import BadSpec, TeamplayError
from teamplay.game import BLANK, Game
from teamplay.game_file import load_game
from teamplay.language import TableError
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, game_of, load_player, names, team
from teamplay.proof.verify import Bounds, verify
from teamplay.team import Team
from tests.everywhere import SMALL
from tests.odd import FILES, odd

GAME = load_game("tic-tac-toe")


def test_random_might_make_any_legal_move_and_makes_each_as_often() -> None:
    player = load_player("random", GAME)
    assert isinstance(player, OpenPlayer)
    position = GAME.position("xo./.x./..o")
    assert player.moves(position) == GAME.moves(position)
    drawn = Counter(player.choose(position, Luck(seed)) for seed in range(1000))
    assert set(drawn) == set(GAME.moves(position))
    assert all(140 < times < 260 for times in drawn.values())


# Slow players with options that make them quick, and other readings; every other player is tried as it is.
TRIED = {
    "considerate-greedy": ["considerate-greedy(endgame=3)"],
    "feasible-greedy": ["feasible-greedy", "feasible-greedy(limit=2,blacklist=false,take=any)"],
    "gomocup": [],
    "gtp": [],
    "greedy": ["greedy", "greedy(take=most,letter=last)"],
    "h1": ["h1(depth=1)"],
    "h2": ["h2(depth=0)"],
    "helpfulness": ["helpfulness", "helpfulness(version=1,tie=last,lines=whole)"],
    "human": [],
    "magic-cube": ["magic-cube", "magic-cube(wins=lines)"],
    "magic-square": ["magic-square", "magic-square(zero=stops)"],
    "mcts": ["mcts(playouts=8)"],
    "minimax": ["minimax(depth=2)", "minimax(nodes=200)"],
    "owned-minimax": ["owned-minimax(depth=1)"],
    "perfect": ["perfect(hurry=true)"],
    "posswin": ["posswin(make2=line)", "posswin(make2=first,anywhere=first)"],
}
PROGRAMS = {"gomocup", "gtp"}  # they need another program: see test_engines.py
SPECS = [spec for name in names() for spec in TRIED.get(name, [name])]
GAMES = [*map(load_game, SMALL), *map(odd, FILES)]


@pytest.mark.usefixtures("shared_kernels")
@pytest.mark.parametrize("spec", SPECS)
def test_a_player_keeps_to_the_rules_and_to_its_set_in_every_game_that_it_takes(spec: str) -> None:
    taken = [game for game in GAMES if can_play(spec, game)]
    assert taken
    for game in taken:
        player, luck, position = load_player(spec, game), Luck(3), game.start
        assert player.name == spec
        while legal := game.moves(position):
            if spec.startswith("perfect") and position.marks.count(BLANK) > 5:  # it would search for minutes
                position = game.after(position, luck.choice(legal))
                continue
            move = player.choose(position, Luck(5))
            assert move in legal and move == player.choose(position, Luck(5))
            if isinstance(player, OpenPlayer):
                moves = player.moves(position)
                assert move in moves and set(moves) <= set(legal) and len(set(moves)) == len(moves)
            position = game.after(position, luck.choice([move, luck.choice(legal)]))
        assert not isinstance(player, OpenPlayer) or player.moves(position) == []
        with pytest.raises(TeamplayError, match="The game is over"):
            player.choose(position, luck)


def can_play(spec: str, game: Game) -> bool:
    try:
        load_player(spec, game)
    except BadSpec:
        return False
    return True


@pytest.mark.parametrize("spec", SPECS)
def test_verify_takes_every_player_that_names_its_set(spec: str) -> None:
    small = {"sos": "sos(rows=2,columns=3)", "sos-corners": "sos-corners(n=3)"}
    game = game_of(spec)
    game = load_game(small.get(game.name, str(game)))
    player = load_player(spec, game)
    if isinstance(player, OpenPlayer):
        verdict = verify(player, game, 0, bounds=Bounds(positions=500))
        assert verdict.verdict in ("proved", "refuted", "undecided") and verdict.positions > 5
    else:
        with pytest.raises(TeamplayError, match=f"^{re.escape(spec)} can't name the set of moves"):
            verify(player, game, 0)


def test_every_player_and_every_table_can_be_named() -> None:
    assert "random" in names() and not any(name.startswith(("-", "_")) for name in names())
    for name in set(names()) - PROGRAMS:
        assert load_player(name, game_of(name)).name.startswith(name)
    for table in library.names(".team"):
        player = load_player(table, team(table, None).game)
        assert player.name == table and isinstance(player, OpenPlayer)


@pytest.mark.parametrize("name", [name for name in names() if name not in PROGRAMS])
def test_a_player_plays_a_game_or_refuses_it_in_a_sentence(name: str) -> None:
    for spec in SMALL:
        game = load_game(spec)
        try:
            player = load_player(name, game)
        except BadSpec as error:
            assert spec != str(game_of(name)), error
            assert str(error).endswith(".") and "\n" not in str(error) and name in str(error).lower()
        else:
            assert player.name.startswith(name)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("minimax(depth=4)", "minimax"),
        ("mcts( exploration=2, playouts=50 )", "mcts(playouts=50,exploration=2.0)"),
        ("perfect(hurry=true)", "perfect(hurry=true)"),
        ("helpfulness(version=1)", "helpfulness(version=1)"),
        ("tic-tac-toe/figure-6(tie=first,wake=all)", "tic-tac-toe/figure-6(tie=first)"),
    ],
)
def test_a_name_tells_the_options_that_are_not_as_usual(spec: str, name: str) -> None:
    assert load_player(spec, GAME).name == name


def test_a_spec_sets_tie_break_wake_and_areas() -> None:
    player = load_player("tic-tac-toe/figure-6(tie=first, wake=affected, areas=2)", GAME)
    assert isinstance(player, Team)
    assert player.tie_break == "first"
    assert player.manager.only_affected and len(player.manager.members) == 4
    plain = load_player("tic-tac-toe/figure-6", GAME)
    assert isinstance(plain, Team)
    assert (plain.tie_break, plain.manager.only_affected, len(plain.manager.members)) == ("random", False, 9)


def test_a_table_of_your_own_is_a_player(tmp_path: Path) -> None:
    path = tmp_path / "mine.team"
    path.write_text("corner:\n    return 1\n", encoding="utf-8")
    player = load_player(f"{path}(tie=first)", GAME)
    assert isinstance(player, OpenPlayer)
    assert [move.cell for move in player.moves(GAME.start)] == [0] and player.name.endswith("/mine(tie=first)")


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("randon", "There is no player named `randon`.* Did you mean `random`"),
        ("figure-15", "Did you mean `tic-tac-toe/figure-15`"),
        ("basic", "Did you mean `connect-four/basic` or `misere/basic` or "),
        ("tic-tac-toe/figure-51", "There is no player named"),
        ("", "is not a spec"),
        ("random(depth=3)", "no option `depth`; it has none"),
        (
            "tic-tac-toe/figure-6(tei=first)",
            "no option `tei`; it has tie, wake, areas, hosts, live. Did you mean `tie`",
        ),
        ("tic-tac-toe/figure-6(tie=last)", "A tie is broken by random or first, not `last`"),
        ("tic-tac-toe/figure-6(wake=some)", "wakes `all` or only the `affected` agents, not `some`"),
        ("tic-tac-toe/figure-6(areas=two)", "`areas` is a whole number, not `two`"),
        ("tic-tac-toe/figure-6(areas=-2)", "sides of at least 1 cell, not -2"),
        ("tic-tac-toe/figure-6(tie)", "write `name=value`"),
        ("no-such-file.team", "There is no file no-such-file.team"),
    ],
)
def test_a_wrong_spec_is_explained_in_a_sentence(spec: str, reason: str) -> None:
    with pytest.raises(TeamplayError, match=reason) as caught:
        load_player(spec, GAME)
    assert str(caught.value).endswith((".", "?")) and "\n" not in str(caught.value)


def test_a_table_for_another_game_is_refused() -> None:
    with pytest.raises(TableError, match=r"this table is for tic-tac-toe, not for sos\(n=4\)"):
        load_player("tic-tac-toe/figure-15", load_game("sos(n=4)"))
