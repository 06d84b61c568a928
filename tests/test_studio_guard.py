"""Strangers are refused: whoever lacks the token, names another host, comes from another site, or asks for too much."""

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from teamplay.studio.folder import with_endings
from teamplay.studio.guard import LARGEST_BODY, Guard
from tests.studio import MINE, PATIENCE, Running, alive, ends, running

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="these tests look at processes in /proc")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("studio") / "inside"
    folder.mkdir()
    (folder / "mine.team").write_text(MINE)
    (folder.parent / "secret.team").write_text("# a secret\n" + MINE)
    (folder / "link.team").symlink_to(folder.parent / "secret.team")
    (folder / "notes.txt").write_text("no table")
    (folder / ".hidden.team").write_text(MINE)
    with running(folder, "mine.team") as started:
        yield started


def question(studio: Running, **headers: str) -> int:
    """The status of a question that is fine but for some headers; an empty one is left out."""
    sent = {name: value for name, value in {**studio.headers(), **headers}.items() if value}
    return studio.request("/api/files", b"{}", sent)[0]


def test_the_page_itself_may_ask(studio: Running) -> None:
    assert question(studio) == 200
    assert question(studio, Origin=f"http://{studio.host}", **{"Sec-Fetch-Site": "same-origin"}) == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X-Teamplay-Token": ""}, 403),
        ({"X-Teamplay-Token": "guess"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost:1"}, 421),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_a_stranger_is_refused(studio: Running, headers: dict[str, str], status: int) -> None:
    assert question(studio, **headers) == status


def test_an_origin_must_match_to_its_end(studio: Running) -> None:
    assert question(studio, Origin=f"http://{studio.host}.evil.example") == 403
    assert question(studio, Host=f"{studio.host}.evil.example") == 421


@pytest.mark.parametrize("header", ["Origin: http://evil.example", "X-Teamplay-Token: guess", "Sec-Fetch-Site: none"])
def test_a_header_that_is_there_twice_is_not_taken_for_the_better_of_the_two(studio: Running, header: str) -> None:
    known = {**studio.headers(), "Host": studio.host, "Origin": f"http://{studio.host}", "Sec-Fetch-Site": "cross-site"}
    lines = ["POST /api/files HTTP/1.1", header, *(f"{name}: {value}" for name, value in known.items())]
    host, _, port = studio.host.partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as wire:
        wire.sendall("\r\n".join([*lines, "Content-Length: 2", "", "{}"]).encode())
        assert wire.recv(64).split()[1] in (b"400", b"403")


def test_every_path_below_api_is_guarded(studio: Running) -> None:
    for path in ("/api/start", "/api/job/verify", "/api/stop", "/api/nothing", "/api", "/api/"):
        assert studio.request(path, b"{}", {"Content-Type": "application/json"})[0] == 403, path
        assert studio.request(path, headers={"X-Teamplay-Token": studio.token})[0] == 405, path


def test_a_preflight_is_refused(studio: Running) -> None:
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    status, _, answered = studio.request("/api/see", None, headers, "OPTIONS")
    assert status == 403 and not any(name.startswith("access-control") for name in answered)


def test_a_websocket_is_refused(studio: Running) -> None:
    host, _, port = studio.host.partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as wire:
        lines = [
            f"GET /api/see HTTP/1.1\r\nHost: {studio.host}",
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        ]
        wire.sendall("\r\n".join(lines).encode())
        assert wire.recv(64).split()[1] in (b"403", b"405", b"400")


def test_an_oversized_body_is_refused_whatever_its_header_says(studio: Running) -> None:
    big = b'"' + b"x" * LARGEST_BODY + b'"'
    assert studio.request("/api/see", b"{}", {**studio.headers(), "Content-Length": str(LARGEST_BODY + 1)})[0] == 413
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(big), big)
    sent = {**studio.headers(), "Transfer-Encoding": "chunked", "Content-Length": "0"}
    host, _, port = studio.host.partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as wire:
        del sent["Content-Length"]
        head = "\r\n".join(f"{name}: {value}" for name, value in {"Host": studio.host, **sent}.items())
        wire.sendall(f"POST /api/see HTTP/1.1\r\n{head}\r\n\r\n".encode())
        try:
            wire.sendall(chunked)
        except OSError:
            return  # it did not even read to the end
        assert wire.recv(64).split()[1] == b"413"


def test_a_body_that_never_ends_is_refused_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teamplay.studio.guard.SLOWEST_BODY", 0.01)
    answered: list[Any] = []

    async def never() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        answered.append(message)

    async def app(*_: object) -> None:
        raise AssertionError("it must not get this far")

    headers = {"host": "here", "x-teamplay-token": "t", "content-type": "application/json", "content-length": "9"}
    scope = {"type": "http", "path": "/api/see", "method": "POST"}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]
    asyncio.run(Guard(app, "here", "t")(scope, never, send))
    assert answered[0]["status"] == 408


def test_the_page_has_a_strict_policy_and_no_cookie(studio: Running) -> None:
    status, body, headers = studio.request("/")
    assert status == 200 and studio.token.encode() not in body
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    nonce = policy.partition("'nonce-")[2].partition("'")[0]
    assert nonce.encode() in body and nonce not in studio.request("/")[2]["content-security-policy"]
    assert "set-cookie" not in headers and headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/board.js", "/package.json", "/.npmrc", "/%2e%2e/secret.team"])
def test_nothing_but_the_bundle_is_served(studio: Running, path: str) -> None:
    assert studio.request(path)[0] == 404


@pytest.mark.parametrize(
    "name",
    [
        "../secret.team",
        "link.team",
        "notes.txt",
        ".hidden.team",
        "/etc/passwd",
        "sub/../../secret.team",
        "mine.team\0.txt",
        "a\0.team",
        "",
        "a" * 300 + ".team",
        "a" * 300 + "/mine.team",
    ],
)
def test_only_files_of_its_kinds_below_its_folder_are_read_and_written(studio: Running, name: str) -> None:
    said = studio.ask("open", name=name)
    assert said["error"].endswith(".") and "text" not in said
    assert "error" in studio.ask("save", name=name, text="stolen", stamp=None, force=True)
    assert "stolen" not in (studio.folder.parent / "secret.team").read_text()


@pytest.mark.parametrize("game", ["../outside.toml", "/etc/outside.toml"])
def test_a_table_can_not_name_a_game_outside(studio: Running, game: str) -> None:
    (studio.folder.parent / "outside.toml").write_text('about = "stolen words"\nboard = [3, 3]\ngoal = { line = 3 }\n')
    table = {"name": "mine.team", "text": f"game {game}\neveryone:\n    return 1\n"}
    said = studio.ask("see", table=table)
    assert "board" not in said and "stolen words" not in json.dumps(said)
    assert "outside" in json.dumps(said)
    assert "outside" in studio.ask("play", game=game, moves=[])["error"]


def test_a_player_can_not_be_code(studio: Running) -> None:
    said = studio.work("match", game="tic-tac-toe", a="os:system", b="random", games=2)
    assert "would run Python code" in said[-1]["error"]


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("nothing", {}),
        ("verify", {}),
        ("verify", {"player": "random", "goal": "glory"}),
        ("verify", {"player": "../secret.team"}),
        ("certificate", {"player": "human"}),
        ("test", {}),
        ("test", {"table": {"name": "../secret.team", "text": MINE}}),
        ("tournament", {"players": "random"}),
        ("tournament", {"players": ["random", "os:system"]}),
        ("tournament", {"players": ["random", "minimax"], "results": "../out.results"}),
        ("match", {"a": "random", "b": "random", "games": 10**12}),
        ("reply", {"player": "random", "moves": [1, 1]}),
        ("page", {"moves": [99], "title": "x"}),
        ("check", {"table": 1}),
    ],
)
def test_hostile_jobs_get_a_sentence_and_the_child_lives_on(
    studio: Running, kind: str, asked: dict[str, object]
) -> None:
    said = studio.work(kind, **asked)
    assert said[-1]["error"].endswith(".") and "ended before" not in said[-1]["error"]
    assert not (studio.folder.parent / "out.results").exists()


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"x"', b"[" * 100_000])
def test_what_is_no_question_is_refused(studio: Running, body: bytes) -> None:
    assert studio.request("/api/see", body, studio.headers())[0] == 400


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"table": 5},
        {"table": {"name": "mine.team"}},
        {"table": {"name": "mine.team", "text": MINE}, "board": 7},
        {"table": {"name": "mine.team", "text": MINE}, "seat": "third"},
        {"table": {"name": "mine.team", "text": MINE}, "seed": "x"},
        {"table": {"name": "mine.team", "text": MINE}, "game": "mnk(m=200,n=200,k=5)"},
        {"table": {"name": "mine.team", "text": "everyone:\n" + "    return 1\n" * 20_000}},
    ],
)
def test_hostile_questions_get_a_sentence(studio: Running, asked: dict[str, object]) -> None:
    said = studio.ask("see", **asked)
    assert said["findings"] if "findings" in said else said["error"].endswith(".")


def test_a_file_that_changed_on_the_disk_is_not_overwritten_unasked(studio: Running) -> None:
    (studio.folder / "other.team").write_bytes(MINE.encode())
    stamp = studio.ask("open", name="other.team")["stamp"]
    (studio.folder / "other.team").write_bytes(b"# somebody else was here\n" + MINE.encode())
    assert studio.ask("save", name="other.team", text="mine", stamp=stamp)["changed"]
    assert b"somebody else" in (studio.folder / "other.team").read_bytes()
    assert studio.ask("save", name="other.team", text="mine", stamp=None)["changed"], "it exists already"
    assert "stamp" in studio.ask("save", name="other.team", text="mine", stamp=stamp, force=True)
    assert (studio.folder / "other.team").read_bytes() == b"mine"


@pytest.mark.parametrize(
    "data",
    [
        MINE.encode(),
        MINE.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + MINE.encode(),
        b"game tic-tac-toe\r\neveryone:\n    return 1\r\r\n# end",
        "# é \u2028 \x0b\neveryone:\n    return 1".encode(),
    ],
)
def test_a_saved_file_is_the_same_byte_for_byte(studio: Running, data: bytes) -> None:
    file = studio.folder / "bytes.team"
    file.write_bytes(data)
    opened = studio.ask("open", name="bytes.team")
    assert "stamp" in studio.ask("save", name="bytes.team", text=opened["text"], stamp=opened["stamp"])
    assert file.read_bytes() == data
    assert with_endings(opened["text"] + "\n# more", data).startswith(data.rstrip(b"\n"))


def test_a_job_that_is_stopped_leaves_what_it_knows_and_no_process(studio: Running) -> None:
    lines = studio.lines("verify", player="mnk/generic", game="mnk(m=5,n=5,k=4)", seat="first")
    first = next(lines)
    next(lines)  # it has begun
    assert studio.ask("stop", job=first["job"])["stopped"]
    *_, last = lines
    assert not alive(first["pid"])
    assert last["result"]["seats"]["first"]["verdict"] == "undecided"


def test_a_job_whose_reader_goes_away_ends(studio: Running) -> None:
    host, _, port = studio.host.partition(":")
    body = json.dumps({"player": "mnk/generic", "game": "mnk(m=5,n=5,k=4)", "seat": "first"}).encode()
    with socket.create_connection((host, int(port)), timeout=30) as wire:
        sent = {"Host": studio.host, **studio.headers(), "Content-Length": str(len(body))}
        head = "\r\n".join(f"{name}: {value}" for name, value in sent.items())
        wire.sendall(f"POST /api/job/verify HTTP/1.1\r\n{head}\r\n\r\n".encode() + body)
        data = b""
        while b'"pid"' not in data:
            data += wire.recv(4096)
    assert ends(int(data.partition(b'"pid": ')[2].split(b"}")[0]))


def test_no_child_survives_the_server(tmp_path: Path) -> None:
    """Not even where the server is killed and can do nothing any more."""
    with running(tmp_path) as started:
        pid = started.work("reply", game="tic-tac-toe", player="random", moves=[])[0]["pid"]
        assert alive(pid)
    assert not alive(pid)
    with running(tmp_path) as started:
        pid = started.work("reply", game="tic-tac-toe", player="random", moves=[])[0]["pid"]
        started.process.kill()
        started.process.wait()
    assert ends(pid)
