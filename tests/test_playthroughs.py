"""One whole game of each kind, as a person can read it in `tests/playthroughs`, is still played the same."""

import pytest

from teamplay import library
from teamplay.game_file import load_game
from tests.playthroughs import FOLDER, header, playthrough

GAMES = library.names(".toml")


def test_every_game_has_a_playthrough_and_every_playthrough_a_game() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == GAMES


@pytest.mark.parametrize("name", GAMES)
def test_the_game_goes_as_written(name: str) -> None:
    spec, seed = header(name)
    assert load_game(spec).name == name
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(spec, seed) == written, "`python -m tests.playthroughs` writes the files anew"
