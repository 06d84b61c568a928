"""`teamplay players` lists every player with its options and games."""

import json
from importlib.util import find_spec

import pytest

from teamplay import players
from teamplay.cli import main
from teamplay.game_file import load_game

Capture = pytest.CaptureFixture[str]
QUOTE = '"'


def test_every_player_is_listed_with_options_that_work(capsys: Capture) -> None:
    assert main(["players", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found] == [*players.names(), *players.installed()]
    for one in found:
        assert set(one) == {"name", "options", "games"}
        if one["name"] == "openspiel" and find_spec("pyspiel") is None:
            continue
        text = players.takes_text(one["name"])
        known = {key: value for key, value in one["options"].items() if key != text and value != ""}
        given = [f"{key}={json.dumps(value).strip(QUOTE)}" for key, value in known.items()]
        spec = f"{one['name']}({','.join(given)})" if given else one["name"]
        spec += f":{one['options'][text] or 'PROGRAM'}" if text else ""
        made = players.load_player(spec, load_game(one["games"][0]))
        assert made.name == (spec if text else one["name"])  # all as usual
    options = {one["name"]: one["options"] for one in found}
    assert options["minimax"]["depth"] == 4 and options["random"] == {}


def test_a_game_has_its_own_players(capsys: Capture) -> None:
    assert main(["players", "--game", "sos(n=4)", "--json"]) == 0
    names = [one["name"] for one in json.loads(capsys.readouterr().out)]
    assert "greedy" in names and "magic-square" not in names


def test_people_read_specs_and_games(capsys: Capture) -> None:
    assert main(["players"]) == 0
    told = capsys.readouterr().out
    assert "minimax(depth=4)\n" in told and "Games: sos, sos-corners" in told and "Games: all." in told


def test_an_unknown_player_is_answered_with_some_that_there_are(capsys: Capture) -> None:
    assert main(["match", "minmax", "nobody", "--game", "tic-tac-toe"]) == 2
    assert "named `minmax`. Did you mean `minimax`? Players are random, minimax, mcts and" in capsys.readouterr().err
    assert main(["play", "nobody"]) == 2
    assert "`teamplay players` lists them" in capsys.readouterr().err


def test_one_player_is_shown_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["players", "minimax"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("minimax(depth=4") and "mcts" not in shown
    assert main(["players", "minmax"]) == 2
    assert capsys.readouterr().err == "teamplay: There is no player named `minmax`. Did you mean `minimax`?\n"
