"""Agents elsewhere: commands, areas, messages, permissions, TLS, and a host in another language."""

import asyncio
import contextlib
import gc
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teamplay.api.loading import load_player
from teamplay.cli import main
from teamplay.cli._curves import LOST, Point, StrengthCurve, drawn, strength
from teamplay.errors import TeamplayError
from teamplay.game_file import load_game
from teamplay.language import Source, load_rulebook, read_rulebook
from teamplay.live import wire
from teamplay.live.area import Open, mask_of, parse_area, stretches
from teamplay.live.bench import measure
from teamplay.live.config import BrokerPlan, Tls, write_config
from teamplay.live.network import Broker
from teamplay.live.network import broker as broker_of
from teamplay.live.private import LOOPBACK, PrivateTeam, end_process, free_port, start_server
from teamplay.live.seating import CompiledSeating, Question, ReferenceSeating, claims_of
from teamplay.live.serve import hello
from teamplay.live.settings import USUAL, Settings, settings
from teamplay.live.status import status, status_dict
from teamplay.live.team import LiveTeam
from teamplay.live.weakened import WeakenedTeam
from teamplay.luck import Luck
from teamplay.statistics import Estimate
from teamplay.team import Team
from teamplay.team.messages import AgentClaim, AreaReport, TiedAnswers
from tests.everywhere import EVERYWHERE, positions, rulebook
from tests.live_hosts import PATIENCE, PATIENT, Crew, broker, crew, kinds, live, wait_for
from tests.test_live_faults import same_game


@pytest.fixture(scope="module")
def to() -> Iterator[Broker]:
    with broker() as found:
        yield found


def json_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main([*arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


# Commands


def test_hosts_in_processes_of_their_own_play_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    games = ["match", "mnk/generic", "random", "--game", "tic-tac-toe", "--games", "4", "--seed", "3"]
    alone, hosted = json_of(capsys, *games), json_of(capsys, *games, "--hosts", "2")
    assert hosted["a"] == "mnk/generic(hosts=2)"
    same = ("wins", "losses", "draws", "moves", "first", "second")
    assert {key: alone[key] for key in same} == {key: hosted[key] for key in same}


def test_show_asks_everybody_elsewhere(to: Broker, capsys: pytest.CaptureFixture[str]) -> None:
    shown = ["show", "tic-tac-toe/figure-15", "--board", "o../.x./..."]
    with crew(load_rulebook("tic-tac-toe/figure-15"), to, 3):
        assert json_of(capsys, *shown, "--live", to.url) == json_of(capsys, *shown)
    letters = ["show", "sos/safe", "--game", "sos(n=4)", "--board", "S..O/..../.O../...S"]
    with crew(rulebook("sos/safe", "sos(n=4)"), to, 3):
        assert json_of(capsys, *letters, "--live", to.url) == json_of(capsys, *letters)


def test_a_host_is_started_and_ended_by_its_command(to: Broker) -> None:
    command = [sys.executable, "-m", "teamplay", "host", "tic-tac-toe/figure-15", "--join", to.url]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"COLUMNS": "200"})
    try:
        assert host.stdout
        assert "host-1 seats 9 of 9 cells" in host.stdout.readline()
        with live(load_rulebook("tic-tac-toe/figure-15"), to) as team:
            same_game(team)
        host.terminate()
        assert host.wait(PATIENCE) == 0
    finally:
        host.kill()
        host.wait()
        assert host.stdout
        host.stdout.close()


def test_one_team_for_each_process_and_broker(to: Broker) -> None:
    with crew(rulebook("mnk/generic", "tic-tac-toe"), to, 2):
        one, other = (load_player(f"mnk/generic(live={to.url})", "tic-tac-toe") for _ in range(2))
        assert one is other and one.name == f"mnk/generic(live={to.url})"
        one.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["match", "mnk/generic", "random", "--hosts", "2", "--live", "nats://127.0.0.1:1"], "give one of the two"),
        (["match", "mnk/generic(areas=2)", "random", "--hosts", "2", "--game", "tic-tac-toe"], "leave out areas"),
        (["match", "mnk/generic", "random", "--game", "tic-tac-toe", "--hosts", "10"], "1 to 9 hosts for 9 cells"),
        (["match", "mnk/generic", "random", "--live", "http://127.0.0.1:1"], "is not the address of a broker"),
        (["play", "random", "--hosts", "2"], "no option `hosts`"),
        (["show", "mnk/generic", "--live", "there-is-no.toml"], "can't be read"),
        (["host", "mnk/generic", "--area", "z99"], "There is no cell"),
        (["host", "mnk/generic", "--area", "3/2"], "is no part of"),
        (["host", "mnk/generic", "--area", "a1:b2:c3"], "is not an area"),
        (["host", "mnk/generic", "--name", "A B", "--describe"], "is not a name for a host"),
        (["host", "mnk/generic", "--team", "A.B", "--describe"], "is not a name for a team"),
        (["host", "mnk/generic", "--join", "nats://127.0.0.1:1"], "No broker answers at nats://127.0.0.1:1"),
        (["live", "config", "folder"], "takes FOLDER TABLE HOST"),
        (["live", "status", "more"], "takes no more words"),
        (["live", "config", "folder", "mnk/generic", "manager"], "no name for a host"),
        (["live", "config", "folder", "mnk/generic", "a", "a"], "Name every host once"),
        (["live", "config", "folder", "mnk/generic", "a", "--listen", "here"], "is not an address"),
    ],
)
def test_an_error_is_one_sentence(
    arguments: list[str],
    reason: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert reason in capsys.readouterr().err


WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None  # as if it were not installed
from teamplay.cli import main
for line in sys.stdin:
    assert main(line.split()) == 2, line
"""


@pytest.mark.parametrize("library", ["msgspec", "nats"])
def test_without_the_extra_one_sentence_says_what_to_install(library: str) -> None:
    commands = """host mnk/generic
        live status
        match mnk/generic random --game tic-tac-toe --hosts 2
        play mnk/generic --game tic-tac-toe --live nats://127.0.0.1:1
        show mnk/generic --game tic-tac-toe --hosts 2"""
    command = [sys.executable, "-c", WITHOUT, library]
    done = subprocess.run(command, input=commands, capture_output=True, text=True, check=True)
    said = done.stderr.splitlines()
    assert len(said) == 5
    assert all(library in line and line.endswith("`pip install 'teamplay[live]'`.") for line in said)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "write `url`"),
        ('url = "nats://127.0.0.1:1"\nquorums = 1', "Did you mean `quorum`"),
        ('url = "nats://127.0.0.1:1"\nquorum = 2', "from 0 to 1"),
        ('url = "nats://127.0.0.1:1"\ndeadline = 0', "more than 0"),
        ('url = "nats://127.0.0.1:1"\nmissing = "pray"', "recompute, extend or abort, not `pray`"),
        ('url = "nats://127.0.0.1:1"\naudits = true', "wrong kind"),
        ("url = ", "is not TOML"),
    ],
)
def test_settings_that_make_no_sense_are_refused(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "live.toml").write_text(text)
    with pytest.raises(TeamplayError, match=re.escape(reason)):
        settings(str(tmp_path / "live.toml"))


def test_settings_say_how_a_round_goes_on(tmp_path: Path) -> None:
    (tmp_path / "me.toml").write_text('user = "me"\npassword = "pass"\n')
    text = 'url = "nats://127.0.0.1:1"\ncredentials = "me.toml"\nquorum = 0.5\nmissing = "abort"\ndeadline = 1\n'
    (tmp_path / "live.toml").write_text(text)
    found = settings(str(tmp_path / "live.toml"))
    assert found.broker == Broker("nats://127.0.0.1:1", "me", "pass")
    assert (found.terms.quorum, found.terms.missing, found.terms.deadline) == (0.5, "abort", 1)


def test_status_tells_who_has_joined(to: Broker, capsys: pytest.CaptureFixture[str]) -> None:
    book = rulebook("mnk/generic", "mnk(m=4,n=3,k=3)")
    with crew(book, to, 2) as hosts, live(book, to) as team:
        same_game(team, moves=2)
        hosts.hosts["b"].twist = lambda report: [report._replace(claims=[AgentClaim(11, 1, -9)])]
        same_game(team, hows={"complete", "recomputed"}, moves=4)
        found = told_by(to, hosts=2)
        assert [(host["name"], host["agents"]) for host in found["hosts"]] == [("a", 6), ("b", 6)]
        seen = {host["name"]: host for host in found["manager"]["hosts"]}
        assert seen["b"]["state"] == "quarantined" and seen["b"]["faults"]["lie"] == 1
        assert seen["a"]["state"] == "here" and seen["a"]["latency_ms"] > 0
        wait_for(lambda: "12 of 12 cells are seated" in printed(capsys, to, "quarantined", "1 lie"))
    wait_for(lambda: "Nobody has joined" in printed(capsys, to))


def told_by(to: Broker, hosts: int, rounds: int = 0) -> dict[str, Any]:
    """What a broker's only team says of itself, once its manager and all hosts have answered in time."""
    found: dict[str, Any] = {}

    def complete() -> bool:
        found.clear()
        for team in status_dict(asyncio.run(status(to, 0.3)))["teams"]:
            found.update(team)
        return (
            bool(found) and len(found["hosts"]) == hosts and found["manager"] and found["manager"]["rounds"] >= rounds
        )

    wait_for(complete)
    return found


def printed(capsys: pytest.CaptureFixture[str], to: Broker, *words: str) -> str:
    """What `live status` prints, if these words are in it."""
    assert main(["live", "status", "--join", to.url]) == 0
    shown = capsys.readouterr().out
    return shown if all(word in shown for word in words) else ""


def children(mark: str) -> dict[int, list[str]]:
    """The brokers and hosts of a command that was started with a mark in its environment: their command lines."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().decode().split("\0")
            mine = f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0")
            if mine and ("teamplay.live.process" in words or words[0].endswith("nats-server")):
                found[int(folder.name)] = words
    return found


MARK = "TEAMPLAY_TEST_MARK"


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux ends the broker with whoever started it.")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_nothing_outlives_a_command_that_is_killed(number: signal.Signals) -> None:
    mark = f"{os.getpid()}-{number}"
    games = ["match", "mnk/generic", "random", "--game", "tic-tac-toe", "--games", "100000", "--hosts", "2"]
    running = subprocess.Popen(
        [sys.executable, "-m", "teamplay", *games],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {MARK: mark},
        text=True,
    )
    try:
        wait_for(lambda: len(children(mark)) >= 3)
        (server,) = [words for words in children(mark).values() if words[0].endswith("nats-server")]
        told_by(Broker(f"nats://{LOOPBACK}:{server[server.index('-p') + 1]}"), hosts=2, rounds=3)
        running.send_signal(number)
        said = running.communicate(timeout=PATIENCE)[1]
        assert number == signal.SIGKILL or "Traceback" not in said, said
        wait_for(lambda: not children(mark))
    finally:
        running.kill()
        running.wait()


def test_a_person_can_ask_what_agents_elsewhere_think(
    to: Broker, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("?\nb2\nquit\n"))
    with crew(load_rulebook("tic-tac-toe/figure-15"), to, 2):
        assert main(["play", "tic-tac-toe/figure-15", "--live", to.url, "--seed", "1"]) == 0
    assert "So the team thinks in your place" in capsys.readouterr().out


def test_a_match_says_what_was_recomputed(to: Broker, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "live.toml").write_text(f'url = "{to.url}"\njoin = 0.5\ndeadline = 0.3\n')
    gc.collect()  # the team of an earlier command leaves when it is forgotten
    hosts = Crew(rulebook("mnk/generic", "mnk(m=3,n=4,k=3)"), to, 0)
    try:
        hosts.start("a", "1/2")
        told_by_hosts(to, 1)
        games = ["match", "mnk/generic", "random", "--game", "mnk(m=3,n=4,k=3)", "--games", "2"]
        assert main([*games, "--live", str(tmp_path / "live.toml")]) == 0
    finally:
        hosts.close()
    assert re.search(r"Of \d+ choices of mnk/generic these were not complete: \d+ recomputed", capsys.readouterr().err)
    assert main(["match", "random", "random", "--game", "tic-tac-toe", "--games", "2"]) == 0
    assert capsys.readouterr().err == "", "the choices of an earlier command are not told again"


def told_by_hosts(to: Broker, hosts: int) -> None:
    """Wait until hosts have joined, without a manager."""
    wait_for(lambda: [len(team["hosts"]) for team in status_dict(asyncio.run(status(to, 0.3)))["teams"]] == [hosts])


def test_a_team_whose_broker_is_gone_plays_on_and_leaves_in_peace() -> None:
    with broker() as gone:
        hosts = Crew(BOOK, gone, 1)
        team = LiveTeam(BOOK, Settings(gone, terms=USUAL._replace(deadline=0.2), join=PATIENCE))
        team.choose(BOOK.game.start, Luck(1))
    try:
        position = BOOK.game.after(BOOK.game.start, BOOK.game.moves(BOOK.game.start)[0])
        assert team.choose(position, Luck(1)) == Team(BOOK).choose(position, Luck(1))
        assert team.last and team.last.how == "recomputed"
        close = team.manager._connection.close

        async def reset() -> None:
            await close()
            raise ConnectionResetError

        team.manager._connection.close = reset
    finally:
        team.close()
        hosts.close()
    assert team._loop.loop.is_closed()


def test_a_private_host_that_fails_is_not_waited_for(capfd: pytest.CaptureFixture[str]) -> None:
    team = PrivateTeam(BOOK, "no/such-table", 2)
    try:
        with pytest.raises(TeamplayError, match="has ended with exit code 2"):
            team.choose(BOOK.game.start, Luck(1))
    finally:
        team.close()
    assert "teamplay host: There is no table" in capfd.readouterr().err


# Areas, agents and messages


def test_areas_are_written_and_sent() -> None:
    grid = load_game("gomoku(n=6)").grid
    mask = parse_area(grid, "a1:c2 + f6")
    assert stretches(mask) == [(0, 3), (6, 3), (35, 1)]
    assert np.array_equal(mask_of(36, stretches(mask)), mask)  # type: ignore[arg-type]
    assert mask_of(36, [(35, 2)]) is None and mask_of(36, [(36, 1)]) is None and mask_of(36, [(0, 0)]) is None
    parts = [parse_area(grid, f"{i}/5") for i in range(1, 6)]
    assert sum(part.astype(int) for part in parts).tolist() == [1] * 36
    cube = load_game("tic-tac-toe-3d").grid
    assert stretches(parse_area(cube, "1,1,1:2,1,3")) == [(0, 3), (9, 3)]
    held = Open(mask)
    assert held.covers(6, 3) and not held.covers(6, 4) and not held.covers(-1, 1) and not held.covers(35, 2)
    assert 35 in held and 36 not in held and -1 not in held and list(held)[-1] == 35


@pytest.mark.parametrize(("table", "spec"), EVERYWHERE)
def test_whoever_sees_a_cell_is_seen_from_there(table: str, spec: str) -> None:
    """A change is sent to the agents that the changed cell would see."""
    book = rulebook(table, spec)
    seen = {cell: book.sight(cell) for cell in book.game.grid.cells}
    assert all(cell in seen[other] for cell in seen for other in seen[cell])


@pytest.mark.parametrize(
    ("table", "spec"),
    [("mnk/generic", "gomoku(n=9)"), ("sos/safe", "sos(n=6)"), ("reversi/corners", "reversi(n=6)")],
)
def test_compiled_agents_answer_as_the_reference_does(table: str, spec: str) -> None:
    book = load_rulebook(table, load_game(spec))
    area = parse_area(book.game.grid, "a1:d4 + f2:f5")
    compiled, reference = CompiledSeating(book, area), ReferenceSeating(book, area)
    marks = "b" * book.game.grid.size
    for position in positions(book.game, seed=4):
        seen = book.game.seen(position)
        for cell, (old, new) in enumerate(zip(marks, seen, strict=True)):
            if old != new:
                compiled.put(cell, new)
                reference.put(cell, new)
        marks = seen
        active = np.zeros(len(marks), dtype=np.bool_)
        active[[move.cell for move in book.game.moves(position)]] = True
        question = Question(active)
        (fast, thought), (slow, asked) = compiled.answers(question), reference.answers(question)
        assert [claim[:4] for claim in fast] == [claim[:4] for claim in joined(slow)]
        assert thought <= asked + int(active.sum())
        everyone = question._replace(everyone=True)
        assert compiled.answers(everyone)[0] == reference.answers(everyone)[0]


def joined(claims: list[AgentClaim]) -> list[AgentClaim]:
    """Claims of one priority, whatever the rule, as long as they follow each other."""
    return claims_of([said.__class__(said.sender, said.priority, said.letter) for said in TiedAnswers(claims)])


def test_a_message_is_refused_unless_it_is_exactly_right() -> None:
    good = wire.encode(wire.Change(v=1, epoch=3, fresh=True, cells=[(4, "x")]))
    assert wire.decode_to_host(good) == wire.Change(v=1, epoch=3, fresh=True, cells=[(4, "x")])
    for wrong in (
        good.replace(b'"v":1', b'"v":2'),
        good.replace(b',"v":1', b""),
        good.replace(b"3", b"-3"),
        good.replace(b"3", b"3.5"),
        good.replace(b"3", b"NaN"),
        good.replace(b"true", b"1"),
        good.replace(b'"x"', b'"xx"'),
        good.replace(b'"v"', b'"w":1,"v"'),
        good.replace(b'"change"', b'"report"'),
        good + b" " * wire.LARGEST,
    ):
        with pytest.raises(wire.BadMessage):
            wire.decode_to_host(wrong)
    with pytest.raises(wire.BadMessage, match="too large"):
        wire.encode(wire.Change(v=1, epoch=3, fresh=True, cells=[(cell, "x") for cell in range(20_000)]))


def test_a_full_report_fits_a_message() -> None:
    claim = AgentClaim(999_999, 1_000_000, -(1 << 53) + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ä" * 40)
    report = AreaReport("a", 1 << 50, 1 << 50, "f" * 16, [claim] * 250, 1 << 50, 4000, 4001)
    message = wire.decode_from_host(wire.encode(wire.answer_of(report)))
    assert isinstance(message, wire.ReportMessage)
    assert wire.report_of("a", message) == report


def test_ties_without_a_list_of_them() -> None:
    ties = TiedAnswers([AgentClaim(0, 10**12, 3)])
    assert len(ties) == 10**12
    assert Luck(1).choice(ties).sender == Luck(1).choice(range(10**12))


# Permissions and TLS


def certificate(folder: Path) -> Tls:
    """A certificate for the loopback address, signed by one made for this test."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not here, which makes the certificates of this test.")
    name = f"subjectAltName=IP:{LOOPBACK}"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=teamplay test"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"), "-addext", name]
    subprocess.run([*made, *files], check=True, capture_output=True)
    return Tls(str(folder / "cert.pem"), str(folder / "key.pem"), str(folder / "cert.pem"))


@contextmanager
def guarded(folder: Path, tls: Tls | None = None) -> Iterator[Broker]:
    """A broker with the permissions that `teamplay live config` writes; what its manager connects with."""
    port = free_port()
    team = wire.team_name("mnk/generic", "mnk(m=5,n=5,k=4)")
    write_config(folder, BrokerPlan(team, ("a", "b"), LOOPBACK, port, tls))
    server = start_server(["-c", str(folder / "server.conf")], port)
    try:
        yield settings(str(folder / "live.toml")).broker
    finally:
        end_process(server)


BOOK = rulebook("mnk/generic", "mnk(m=5,n=5,k=4)")


def credentials(folder: Path, name: str, to: Broker) -> Broker:
    return broker_of(to.url, str(folder / f"{name}.toml"))


@pytest.mark.parametrize("encrypted", [False, True])
def test_a_host_may_only_answer_for_itself(tmp_path: Path, encrypted: bool) -> None:
    tls = certificate(tmp_path) if encrypted else None
    with guarded(tmp_path, tls) as to:
        hosts = Crew(BOOK, to, 0)
        try:
            for number, name in enumerate("ab"):
                hosts.start(name, f"{number + 1}/2", credentials(tmp_path, name, to))
            with live(BOOK, to) as team:
                same_game(team, moves=3)
                as_another = wire.team_subject(team.manager.basis.team, "from", "b")
                hosts.loop.run(hosts.hosts["a"].say(b"{}", as_another))
                hosts.loop.run(hosts.hosts["a"].say(b"{}"))
                # Both came from one connection, so the broker passes them on in this order, or not at all.
                wait_for(lambda: team.manager.rounds.faults[("a", "bad message")] == 1)
                assert ("b", "bad message") not in team.manager.rounds.faults, "the broker let a speak for b"
                watcher = credentials(tmp_path, "watcher", to)
                assert told_by(watcher, hosts=2)["manager"]["hosts"]
        finally:
            hosts.close()


def test_without_credentials_or_trust_nobody_is_let_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with guarded(tmp_path, certificate(tmp_path)) as to:
        for stranger in (Broker(to.url, ca=to.ca), Broker(to.url, "manager", "guess", to.ca), Broker(to.url, "a", "b")):
            with pytest.raises(TeamplayError, match="No broker answers"):
                asyncio.run(status_quickly(stranger))
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("*.toml")}
    assert set(modes.values()) == {0o600}


async def status_quickly(to: Broker) -> None:
    from teamplay.live.network import connect

    async def nothing() -> None: ...

    await connect(to, "stranger", nothing, 0.5)


def test_a_library_that_misses_a_cancellation_is_given_up_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found on a loaded machine: wrong credentials were tried for ever."""

    async def stubborn(*_: object, **__: object) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(PATIENCE)
        await asyncio.sleep(PATIENCE)

    monkeypatch.setattr("nats.connect", stubborn)
    with pytest.raises(TeamplayError, match="No broker answers"):
        asyncio.run(status_quickly(Broker("nats://127.0.0.1:1")))


# Another language

COUNTING = """
game tic-tac-toe
everyone:
    if count(o) >= 2 then return 1
    return 5 - count(x)
"""


def test_a_host_in_another_language_plays_along(to: Broker) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not here, in which the other host is written.")
    book = read_rulebook(Source("counting", COUNTING))
    team = wire.team_name(book.name, str(book.game))
    greeting = wire.encode(hello("js", team, book, parse_area(book.game.grid, "2/2"))).decode()
    script = Path(__file__).parent / "live_host.js"
    command = [node, str(script), to.url.rpartition(":")[2], greeting]
    other = subprocess.Popen(command, stdin=subprocess.PIPE)
    hosts = Crew(book, to, 0)
    try:
        hosts.start("python", "1/2")
        with live(book, to) as players:
            for seed in range(4):
                same_game(players, seed)
            assert kinds(players) <= {"late", "duplicate"}
            position = book.game.position("o../.x./...")
            assert players.answers(position, Luck(1)) == [
                said.__class__(said.sender, said.priority, said.letter, said.rule if said.sender < 5 else "")
                for said in Team(book).answers(position, Luck(1))
            ]
    finally:
        hosts.close()
        assert other.stdin
        other.stdin.close()
        assert other.wait(PATIENCE) == 0


# What it costs


def test_a_large_board_on_processes_of_its_own() -> None:
    """On 200 x 200 cells the hosts' choices are those of the compiled board, and a change reaches few hosts."""
    from teamplay.engine.live import LiveBoard

    game = load_game("mnk(m=200,n=200,k=5)")
    book = load_rulebook("mnk/generic", game)
    board, position = LiveBoard(book), game.start
    team = PrivateTeam(book, "mnk/generic", 2, PATIENT)
    try:
        for turn in range(8):
            move = team.choose(position, Luck(turn))
            assert move == Luck(turn).choice(board.moves(position))
            assert team.last and team.last.how == "complete"
            position = game.after(position, move)
    finally:
        team.close()
    assert all(process.poll() is not None for process in team.processes)


def test_the_benchmark_measures_messages_and_time() -> None:
    cost = measure(3, 2, 3, 1)
    assert cost.moves == 3 and cost.messages > 2 and cost.bytes > 100
    assert cost.apart is not None and len(cost.shown()) == 8


def test_nothing_lost_is_as_strong_as_the_team_itself() -> None:
    book = rulebook("mnk/generic", "mnk(m=5,n=5,k=4)")
    whole, team = WeakenedTeam(book), Team(book)
    for position in positions(book.game, seed=3, games=2):
        assert whole.choose(position, Luck(5)) == team.choose(position, Luck(5))


def test_lost_answers_cost_strength() -> None:
    table, game = "mnk/generic", "mnk(m=9,n=9,k=5)"
    assert strength(table, game, "lost", max(LOST), 40, 1).high < 0
    assert strength(table, game, "areas", 3, 40, 1).high < 0


def test_a_curve_is_drawn_with_its_intervals() -> None:
    points = [Point(x, Estimate(-10.0 * x, -10.0 * x - 50, -10.0 * x + 50)) for x in (0, 1, 2)]
    picture = drawn("Strength", "across & up", [StrengthCurve("one", points), StrengthCurve("two", points)])
    assert picture.count("<circle") == 6 and "across &amp; up" in picture and picture.startswith("<svg")
