"""Players of your own: `package.module:Name`, an entry point, and what is refused in a sentence."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import teamplay as tp
from teamplay.cli import main
from teamplay.errors import BadSpec
from teamplay.players import load_player

CODE = '''
from dataclasses import dataclass

GAME = "never read: the class says it"


@dataclass
class Low:
    """Takes the lowest cell that is free, or the one so many further."""

    game: object
    name: str
    skip: int = 0
    greedy: bool = False

    def moves(self, position):
        legal = self.game.moves(position)
        return [legal[self.skip % len(legal)]]

    def choose(self, position, luck):
        return self.moves(position)[0]


Low.GAME = "connect-four"


def high(name, game):
    return Low(game, name, skip=-1)


class Nameless:
    def choose(self, position, luck): ...


class Needy:
    def __init__(self, name, game, depth): ...


def broken(name, game):
    raise ValueError("no luck today")


def nobody(name, game):
    return 7


number = 7
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module of players, where the person is."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text("")
    (tmp_path / "mine" / "players.py").write_text(CODE)
    (tmp_path / "mine" / "sick.py").write_text("import nothing_of_this_name\n")
    (tmp_path / "mine" / "worse.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "mine"]:
        del sys.modules[name]


def test_a_class_is_a_player_with_its_options(folder: Path) -> None:
    game = tp.load_game("tic-tac-toe")
    player = load_player("mine.players:Low(skip=2, greedy=true)", game)
    assert player.name == "mine.players:Low(skip=2,greedy=true)"
    assert player.choose(game.start, tp.Luck(0)) == tp.Move(2, "x")
    assert tp.load_player("mine.players:Low").game.name == "connect-four"  # type: ignore[attr-defined]
    assert str(Path.cwd()) not in sys.path, "the folder is searched, not kept"


def test_a_factory_is_a_player_in_every_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "mine.players:high", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["player"] == "mine.players:high"
    assert {seat["verdict"] for seat in found["seats"].values()} == {"refuted"}
    assert main(["match", "mine.players:high", "random", "--games", "4", "--workers", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 4
    assert main(["compare", "mine.players:high", "mine.players:Low", "--game", "tic-tac-toe", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["equivalent"] is False


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("mine.nothing:Low", "no module named `mine.nothing` can be found"),
        ("mine.sick:Low", "no module named `nothing_of_this_name` can be found"),
        ("mine.worse:Low", "`mine.worse` can't be imported: ZeroDivisionError"),
        (
            "mine.players:Lwo",
            "There is no `Lwo` in mine.players, so `mine.players:Lwo` is no player. Did you mean `Low`",
        ),
        ("mine.players:number", "`mine.players:number` is an int; a player is made by a class"),
        ("mine.players:Nameless", "made a Nameless without a `name`"),
        ("mine.players:Needy", "needs `depth`, which has no default value"),
        ("mine.players:broken", "could not be made: ValueError: no luck today"),
        ("mine.players:nobody", "made an int without `choose"),
        ("mine.players:Low(slip=2)", "there is no option `slip`; it has skip, greedy. Did you mean `skip`"),
        ("mine.players:Low(skip=much)", "`skip` is a whole number, not `much`"),
    ],
)
def test_what_is_wrong_is_one_sentence(folder: Path, spec: str, reason: str) -> None:
    with pytest.raises(BadSpec) as caught:
        load_player(spec, tp.load_game("tic-tac-toe"))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_never_run_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("trap.py").write_text("from pathlib import Path\nPath('sprung').touch()\n")
    Path("mine.team").write_text("game tic-tac-toe\neveryone:\n    return 1\n")
    for text in ("table trap:Low\n\nnever loses\n", "table mine.team\n\nbeats trap:Low\n"):
        Path("mine.scene").write_text(text)
        assert main(["test", "mine.scene"]) == 2 or "would run Python code" in capsys.readouterr().out
        assert not Path("sprung").exists()
    assert main(["verify", "mine.players:high", "--certificate", "proof.cert"]) == 2
    assert "can't hold the code of `mine.players:high`" in capsys.readouterr().err


def test_an_installed_package_brings_players_by_name(tmp_path: Path) -> None:
    """In an interpreter of its own, with a package that declares an entry point."""
    (tmp_path / "outside.py").write_text(CODE)
    info = tmp_path / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[teamplay.players]\nlowest = outside:Low\n")
    program = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import teamplay as tp
assert tp.load_player("lowest(skip=1)", "tic-tac-toe").name == "lowest(skip=1)"
try:
    tp.load_player("lowesd", "tic-tac-toe")
except tp.TeamplayError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "Did you mean `lowest`?" in run.stdout
