"""Certificates: what `verify` proved can be checked by others, and whatever was tampered with is refused."""

import gzip
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from teamplay.cli import main
from teamplay.errors import BadFile, BadSpec, TeamplayError
from teamplay.game import Position
from teamplay.game_file import load_game
from teamplay.proof import certificate as certificates
from teamplay.proof.certificate import Claim, Header, Writer, format_position, parse_position, read
from teamplay.proof.recheck import DoesNotHold, recheck
from teamplay.proof.symmetry import Images, of_game

Capture = pytest.CaptureFixture[str]

CLAIMS = [
    ("mnk/generic", "tic-tac-toe", "never-loses"),  # proved and refuted, up to symmetry
    ("mnk/generic", "tic-tac-toe", "wins-if-possible"),
    ("tic-tac-toe/figure-15", "tic-tac-toe", "wins-if-possible"),
    ("misere/basic", "misere", "never-loses"),  # proved from both seats, not symmetric for sure
    ("tic-tac-toe-3d/basic", "tic-tac-toe-3d(n=2)", "always-wins"),
    ("sos/safe", "sos(rows=2,columns=3)", "never-loses"),  # letters, points and extra turns
    ("sos-line/basic", "sos-line(n=6)", "never-loses"),
    ("reversi/corners", "reversi(n=4)", "never-loses"),  # passes
    ("connect-four/basic", "connect-four(columns=3,rows=3,k=3)", "never-loses"),
    ("random", "mnk(m=2,n=2,k=3)", "never-loses"),  # no table
]


def certified(path: Path, player: str, game: str, *more: str) -> Path:
    main(["verify", player, "--game", game, "--certificate", str(path), *more])
    return path


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of a certificate with one seat proved and one refuted."""
    return certified(tmp_path_factory.mktemp("proof") / "a.cert", "mnk/generic", "tic-tac-toe").read_text()


def sealed(text: str) -> str:
    """The same text with a seal that fits, as a clever forger would write it."""
    body = text[: text.rindex("sha256: ")]
    return f"{body}sha256: {hashlib.sha256(body.encode()).hexdigest()}\n"


def checked(path: Path, text: str | bytes) -> None:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    recheck(read(path))


# What holds.


@pytest.mark.parametrize(("player", "game", "goal"), CLAIMS)
def test_what_was_decided_can_be_checked(player: str, game: str, goal: str, tmp_path: Path, capsys: Capture) -> None:
    path = certified(tmp_path / "a.cert", player, game, "--goal", goal)
    assert main(["recheck", str(path)]) == 0
    assert "It holds: moving first" in capsys.readouterr().out


def test_the_first_of_equals_can_be_checked(tmp_path: Path) -> None:
    path = certified(tmp_path / "a.cert", "tic-tac-toe/figure-15", "tic-tac-toe", "--tie", "first")
    assert "tie: first" in path.read_text()
    recheck(read(path))


def test_a_certificate_can_be_read_by_people(proof: str) -> None:
    lines = proof.split("\n")
    assert lines[:2] == ["teamplay certificate 1", "game: tic-tac-toe"]
    assert "| # One table for every k in a row, on any board." in lines
    assert "positions: 193" in lines and "symmetry: yes" in lines and ".../.../..." in lines
    assert lines[-2].startswith("sha256: ") and lines[-1] == ""


def test_it_is_packed_if_its_name_says_so_and_always_the_same(tmp_path: Path, proof: str) -> None:
    packed = [certified(tmp_path / name, "mnk/generic", "tic-tac-toe").read_bytes() for name in ("a.gz", "b.gz")]
    assert packed[0] == packed[1]
    assert gzip.decompress(packed[0]).decode() == proof
    recheck(read(tmp_path / "a.gz"))


def test_json(tmp_path: Path, proof: str, capsys: Capture) -> None:
    path = tmp_path / "a.cert"
    path.write_text(proof)
    assert main(["recheck", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["holds"] and said["reason"] is None
    assert said["seats"]["first"]["verdict"] == "proved" and said["seats"]["second"]["verdict"] == "refuted"


def test_nothing_decided_is_nothing_certified(tmp_path: Path, capsys: Capture) -> None:
    path = certified(tmp_path / "a.cert", "mnk/generic", "tic-tac-toe", "--max-positions", "3")
    assert "nothing to certify" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == [] and not path.exists()


def test_a_file_that_cannot_be_written_is_an_error_before_the_work(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "missing" / "a.cert"
    assert main(["verify", "mnk/generic", "--certificate", str(path)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_what_is_no_ordinary_file_is_refused_before_the_work_and_stays(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for path, reason in (
        (tmp_path / "folder", "is a folder"),
        (tmp_path / "pipe", "is not an ordinary file"),
        (Path("/"), "is a folder"),
        (Path(), "is a folder"),
    ):
        assert main(["verify", "mnk/generic", "--certificate", str(path)]) == 2
        assert reason in capsys.readouterr().err
    assert (tmp_path / "pipe").is_fifo() and len(list(tmp_path.iterdir())) == 2
    assert main(["verify", "mnk/generic", "--certificate", ""]) == 2


def test_behind_a_link_the_file_is_written_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a.cert")
    certified(tmp_path / "link", "mnk/generic", "tic-tac-toe", "--seat", "first")
    assert (tmp_path / "link").is_symlink()
    recheck(read(tmp_path / "a.cert"))


def test_an_interrupted_certificate_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.cert"
    path.write_text("before")
    header = Header("tic-tac-toe", "", "random", "all", "never-loses", None)
    with pytest.raises(KeyboardInterrupt), Writer(path, header) as writer:
        writer.add(Claim(0, "refuted", game=["1"]))
        raise KeyboardInterrupt
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]


def test_positions_in_a_line() -> None:
    game = load_game("sos(rows=2,columns=3)")
    position = Position("SO..S.", 1, (0, 2))
    assert format_position(game, position) == "SO./.S. 0:2"
    assert parse_position(game, "SO./.S. 0:2", 1) == position
    for wrong in ("SO./.S.", "SO./.Sx 0:2", "SO.//.S. 0:2", "SO./.S. 0:-2", "S", "", "SO./.S. 00:2"):
        with pytest.raises(BadSpec):
            parse_position(game, wrong, 1)
    cube = load_game("tic-tac-toe-3d(n=2)")
    assert format_position(cube, Position("xo......", 0)) == "xo/..//../.."


def test_images() -> None:
    game = load_game("tic-tac-toe")
    images = Images(tuple(of_game(game)))
    corner, center = Position("x........"), Position("....x....")
    assert len(images.of(corner)) == 4 and len(images.of(center)) == 1
    assert images.least(corner) == images.least(Position("......x.."))
    assert len(of_game(load_game("connect-four"))) == 2
    assert len(of_game(load_game("reversi(n=4)"))) == 4


# What does not hold, though its seal fits.


def forged(proof: str, old: str, new: str) -> str:
    assert old in proof
    return sealed(proof.replace(old, new, 1))


LISTED = "\n.../.../...\n"


def test_a_position_that_was_taken_out_is_missed(tmp_path: Path, proof: str) -> None:
    listed = proof.split("listed: ")[1].split("\n")
    last = listed[int(listed[0])]
    for line in (".../.../...", last):
        text = forged(proof, f"\n{line}\n", "\n").replace(f"listed: {listed[0]}", f"listed: {int(listed[0]) - 1}")
        with pytest.raises(DoesNotHold, match="which is not listed"):
            checked(tmp_path / "a.cert", sealed(text))


def test_a_position_that_was_put_in_is_found(tmp_path: Path, proof: str) -> None:
    count = int(proof.split("listed: ")[1].split("\n")[0])
    for line, reason in {
        "xx./oo./...": "no game reaches it",
        "xxx/oo./...": "the game is over there",
        "...": "is not a position",
    }.items():
        text = proof.replace(LISTED, f"{LISTED}{line}\n", 1).replace(f"listed: {count}", f"listed: {count + 1}")
        with pytest.raises((DoesNotHold, BadFile), match=reason):
            checked(tmp_path / "a.cert", sealed(text))


def test_a_position_that_is_listed_twice_is_found(tmp_path: Path, proof: str) -> None:
    count = int(proof.split("listed: ")[1].split("\n")[0])
    text = proof.replace(LISTED, f"{LISTED}{LISTED[1:]}", 1).replace(f"listed: {count}", f"listed: {count + 1}")
    with pytest.raises(DoesNotHold, match="listed twice"):
        checked(tmp_path / "a.cert", sealed(text))


@pytest.mark.parametrize("name", ["positions", "wins", "draws", "losses"])
def test_wrong_numbers_are_found(name: str, tmp_path: Path, proof: str) -> None:
    number = int(proof.split(f"\n{name}: ")[1].split("\n")[0])
    with pytest.raises(DoesNotHold, match=f"it counts {number + 1} {name}, but there are {number}"):
        checked(tmp_path / "a.cert", forged(proof, f"\n{name}: {number}\n", f"\n{name}: {number + 1}\n"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if n(x{k-1}) >= 1 then return 1", "if n(x{k-1}) >= 1 then return 9"),  # no longer wins
        ("seat: first\nverdict: proved", "seat: second\nverdict: proved"),
        ("goal: never-loses", "goal: always-wins"),
        ("tie: all", "tie: first"),
        ("symmetry: yes", "symmetry: no"),
        ("game: tic-tac-toe\n", "game: misere\n"),
    ],
)
def test_a_claim_about_something_else_does_not_hold(old: str, new: str, tmp_path: Path, proof: str) -> None:
    alone = proof[: proof.index("seat: second")] + "sha256: \n"
    text = forged(alone, old, new)
    if new == "game: misere\n":
        text = sealed(text.replace(certificates.game_hash("tic-tac-toe"), certificates.game_hash("misere")))
    with pytest.raises(TeamplayError):
        checked(tmp_path / "a.cert", text)


def test_symmetry_is_not_taken_on_trust(tmp_path: Path, proof: str) -> None:
    text = forged(proof, "| everyone:", "| everyone:\n| never: if row = 9 then return 1")
    count = int(proof.split("table: ")[1].split("\n")[0])
    with pytest.raises(DoesNotHold, match="not sure to be symmetric"):
        checked(tmp_path / "a.cert", sealed(text.replace(f"table: {count}", f"table: {count + 1}")))


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("1 5 9 3 7 4", "not played to its end"),
        ("1 1", "can't be made: Cell 1 is taken by x"),
        ("1 2 9", "never makes the move 2"),
        ("5 1 9 3 2 7 8 4 6 1", "over before its move|never makes the move|can't be made"),
        ("", "not played to its end"),
        ("x", "can't be made"),
    ],
)
def test_a_game_that_refutes_nothing_is_refused(moves: str, reason: str, tmp_path: Path, proof: str) -> None:
    game = proof.split("\ngame: ")[-1].split("\n")[0]
    with pytest.raises(DoesNotHold, match=reason):
        checked(tmp_path / "a.cert", forged(proof, f"\ngame: {game}\n", f"\ngame: {moves}\n"))


def test_what_does_not_hold_is_found_something(tmp_path: Path, proof: str, capsys: Capture) -> None:
    path = tmp_path / "a.cert"
    path.write_text(forged(proof, "wins: 122", "wins: 123"))
    assert main(["recheck", str(path)]) == 1
    assert "does not hold: it counts 123 wins" in " ".join(capsys.readouterr().out.split())


def test_a_table_that_has_changed_since_is_mentioned(tmp_path: Path, capsys: Capture) -> None:
    table = tmp_path / "mine.team"
    table.write_text("game mnk\nreturn 1\n")
    path = certified(tmp_path / "a.cert", str(table), "mnk(m=2,n=1,k=2)")
    table.write_text("game mnk\nreturn 2\n")
    assert main(["recheck", str(path)]) == 0
    assert "has changed since" in capsys.readouterr().out
    assert main(["recheck", str(path), "--json"]) == 0
    assert "has changed since" in json.loads(capsys.readouterr().out)["note"]
    table.unlink()
    assert main(["recheck", str(path)]) == 0
    assert "no table of that name here" in " ".join(capsys.readouterr().out.split())


def test_a_game_of_ones_own_can_be_certified(tmp_path: Path) -> None:
    game = tmp_path / "pairs.toml"
    game.write_text('board = [2, 2]\n[goal]\nline = 2\neffect = "scores"\n')
    path = certified(tmp_path / "a.cert", "random", str(game))
    recheck(read(path))
    game.write_text('board = [2, 2]\n[goal]\nline = 2\neffect = "loses"\n')
    with pytest.raises(BadFile, match="is not the one that the certificate was made with"):
        recheck(read(path))


# What is no certificate at all.


def tampered(proof: str) -> dict[str, tuple[str | bytes, str]]:
    middle = len(proof) // 2
    return {
        "a changed position": (proof.replace(LISTED, "\nx../.../...\n", 1), "was changed after it was written"),
        "a changed table": (proof.replace("return 1", "return 2", 1), "was changed after it was written"),
        "a changed number": (proof.replace("wins: 122", "wins: 123"), "was changed after it was written"),
        "a changed header": (proof.replace("goal: never-loses", "goal: always-wins"), "was changed after"),
        "another seal": (proof[:-3] + "00\n", "was changed after it was written"),
        "no end": (proof[:middle], "is cut off"),
        "half a line": (proof[: proof.index("sha256: ") - 5], "is cut off"),
        "no seal": (proof[: proof.index("sha256: ", 200)], "is cut off"),
        "an end twice": (proof + proof, "text after its SHA-256"),
        "empty": (b"", "is empty"),
        "a word": (b"hello", "is not a certificate"),
        "another file": (b"game tic-tac-toe\nreturn 1\n", "is not a certificate"),
        "binary": (bytes(range(256)) * 50, "is not a certificate"),
        "binary inside": (proof.replace(LISTED, "\n\0\n", 1), "is binary"),
        "not text": (proof.encode().replace(b"| everyone", b"| \xff\xfe", 1), "is not UTF-8"),
        "a later format": (proof.replace("certificate 1", "certificate 2"), "this teamplay reads"),
        "a giant line": (proof.replace("player: ", "player: " + "x" * 10_000), "a line of more than"),
        "a wrong word": (proof.replace("player: ", "gambler: "), "`player` is wanted here"),
        "a wrong number": (proof.replace("positions: 193", "positions: many"), "a number is wanted here"),
        "too many lines": (proof.replace("table: ", "table: 9999"), "a line of the table"),
        "a wrong verdict": (proof.replace("verdict: proved", "verdict: perhaps"), "`verdict` is proved or refuted"),
        "a wrong seat": (proof.replace("seat: second", "seat: third"), "`seat: first` or `seat: second`"),
        "a seat twice": (proof.replace("seat: second", "seat: first"), "comes twice"),
        "wrong ties": (proof.replace("tie: all", "tie: some"), "`tie` is all or first"),
        "half a gzip": (gzip.compress(proof.encode())[:-20], "is cut off|is damaged"),
        "a broken gzip": (b"\x1f\x8b" + b"nonsense" * 9, "is damaged"),
    }


@pytest.mark.parametrize("kind", tampered("sha256: " * 60))
def test_what_was_tampered_with_is_refused_with_the_reason(
    kind: str, tmp_path: Path, proof: str, capsys: Capture
) -> None:
    text, reason = tampered(proof)[kind]
    with pytest.raises(BadFile, match=reason):
        checked(tmp_path / "a.cert", text)
    assert main(["recheck", str(tmp_path / "a.cert")]) == 2
    assert capsys.readouterr().err.startswith("teamplay: ")


def test_no_byte_can_be_changed(tmp_path: Path) -> None:
    whole = certified(tmp_path / "a.cert", "mnk/generic", "mnk(m=2,n=2,k=2)").read_bytes()
    path = tmp_path / "changed.cert"
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        with pytest.raises(BadFile):
            read(path)


def test_a_giant_is_refused(tmp_path: Path, proof: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "LARGEST", 1_000)
    with pytest.raises(BadFile, match="which is the most that is read"):
        checked(tmp_path / "a.gz", gzip.compress(proof.encode()))
    header = Header("tic-tac-toe", "", "random", "all", "never-loses", "\n" * 1_000)
    with pytest.raises(BadFile, match="would be larger"), Writer(tmp_path / "b.cert", header):
        pass
    assert not (tmp_path / "b.cert").exists()


@pytest.mark.parametrize(
    ("player", "game"),
    [
        ("../../secret.team", "tic-tac-toe"),
        ("process(command=rm)", "tic-tac-toe"),
        ("random", "mnk(m=1000,n=1000,k=5)"),
        ("random", "no-such-game"),
    ],
)
def test_a_certificate_can_name_nothing_dangerous(player: str, game: str, tmp_path: Path) -> None:
    path = tmp_path / "a.cert"
    hash_ = "" if game == "no-such-game" else certificates.game_hash(game)
    with Writer(path, Header(game, hash_, player, "all", "never-loses", None)) as writer:
        writer.add(Claim(0, "refuted", game=["1"]))
    with pytest.raises((BadFile, BadSpec)):
        recheck(read(path))


def test_folders_and_missing_files_are_refused(tmp_path: Path) -> None:
    for path, reason in ((tmp_path, "is a folder"), (tmp_path / "nothing", "There is no file")):
        with pytest.raises(BadFile, match=reason):
            read(path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadFile, match="not an ordinary file"):
        read(tmp_path / "pipe")


def test_rechecking_uses_nothing_of_the_fast_path(tmp_path: Path, proof: str) -> None:
    path = tmp_path / "a.cert"
    path.write_text(proof)
    code = (
        "import sys; from teamplay.cli import main; code = main(['recheck', sys.argv[1]]); "
        "fast = ('teamplay.engine', 'numba', 'teamplay.proof.verify', 'teamplay.proof.walk'); "
        "print(code, [name for name in sys.modules if name.startswith(fast)])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[-2] == "0 []"


@pytest.mark.slow
def test_a_proof_on_four_by_four_can_be_checked(tmp_path: Path) -> None:
    recheck(read(certified(tmp_path / "a.gz", "mnk/generic", "mnk(m=4,n=4,k=4)")))
