"""Players and the specs that name them."""

from collections import Counter
from pathlib import Path

import pytest

from teamplay import library
from teamplay.errors import BadSpec, TeamplayError
from teamplay.game_file import load_game
from teamplay.language import TableError
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, game_of, load_player, names, team
from teamplay.team import Team
from tests.everywhere import SMALL, positions

GAME = load_game("tic-tac-toe")


def test_random_might_make_any_legal_move_and_makes_each_as_often() -> None:
    player = load_player("random", GAME)
    assert isinstance(player, OpenPlayer)
    position = GAME.position("xo./.x./..o")
    assert player.moves(position) == GAME.moves(position)
    drawn = Counter(player.choose(position, Luck(seed)) for seed in range(1000))
    assert set(drawn) == set(GAME.moves(position))
    assert all(140 < times < 260 for times in drawn.values())


@pytest.mark.parametrize("spec", SMALL)
def test_random_plays_every_game(spec: str) -> None:
    game = load_game(spec)
    player = load_player("random", game)
    for position in positions(game, seed=1):
        assert player.choose(position, Luck(2)) in game.moves(position)
        assert player.choose(position, Luck(2)) == player.choose(position, Luck(2))


def test_every_player_and_every_table_can_be_named() -> None:
    assert "random" in names() and not any(name.startswith(("-", "_")) for name in names())
    for name in names():
        assert load_player(name, game_of(name)).name.startswith(name)
    for table in library.names(".team"):
        player = load_player(table, team(table, None).game)
        assert player.name == table and isinstance(player, OpenPlayer)


@pytest.mark.parametrize("name", names())
def test_a_player_plays_a_game_or_refuses_it_in_a_sentence(name: str) -> None:
    for spec in SMALL:
        game = load_game(spec)
        try:
            player = load_player(name, game)
        except BadSpec as error:
            assert spec != str(game_of(name)), error
            assert str(error).endswith(".") and "\n" not in str(error) and name in str(error)
        else:
            assert player.name.startswith(name)


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
    assert [move.cell for move in player.moves(GAME.start)] == [0]


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("randon", "There is no player named `randon`.* Did you mean `random`"),
        ("figure-15", "Did you mean `tic-tac-toe/figure-15`"),
        ("basic", "Did you mean `connect-four/basic` or `misere/basic` or "),
        ("tic-tac-toe/figure-51", "There is no player named"),
        ("", "is not a spec"),
        ("random(depth=3)", "no option `depth`; it has none"),
        ("tic-tac-toe/figure-6(tei=first)", "no option `tei`; it has tie, wake, areas. Did you mean `tie`"),
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
