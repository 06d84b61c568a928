"""What the studio's tests share: a studio that runs as a person starts it, and questions to it."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MINE = """game tic-tac-toe

everyone:
    win: if n(xx) >= 1 then return 1
    block: if n(oo) >= 1 then return 2
    fork: if n(bx) >= 2 then return 3
    return 4
"""
README_BOARD = ".o./x.o/.x."
PATIENCE = 60.0  # seconds; only what is broken takes them


@dataclass(frozen=True)
class Running:
    """A studio that listens."""

    address: str
    folder: Path
    process: "subprocess.Popen[str]"

    @property
    def host(self) -> str:
        return re.fullmatch(r"http://([^/]+)/#token=.*", self.address)[1]  # type: ignore[index]

    @property
    def token(self) -> str:
        return self.address.partition("#token=")[2]

    def headers(self) -> dict[str, str]:
        return {"Content-Type": "application/json", "X-Teamplay-Token": self.token}

    def request(
        self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None, method: str = ""
    ) -> tuple[int, bytes, dict[str, str]]:
        """Status, body and headers of a bare request; nothing is added but a host, and that can be replaced."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            connection.putrequest(method or ("GET" if body is None else "POST"), path, skip_host=True)
            sent = {"Host": self.host, **(headers or {})}
            if body is not None:
                sent.setdefault("Content-Length", str(len(body)))
            for name, value in sent.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()

    def ask(self, question: str, **given: Any) -> Any:
        """A question as the page asks it."""
        status, said, _ = self.request(f"/api/{question}", json.dumps(given).encode(), self.headers())
        assert status == 200, said
        return json.loads(said)

    def work(self, kind: str, **given: Any) -> list[Any]:
        """Everything that a job says."""
        return list(self.lines(kind, **given))

    def lines(self, kind: str, **given: Any) -> Iterator[Any]:
        """What a job says, line by line as it comes."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            connection.request("POST", f"/api/job/{kind}", json.dumps(given), self.headers())
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            yield from map(json.loads, answer)
        finally:
            connection.close()


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[Running]:
    """A studio over a folder, ended by Ctrl-C."""
    command = [sys.executable, "-m", "teamplay", "studio", *arguments, "--no-browser"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env={**os.environ})
    assert process.stdout
    try:
        line = process.stdout.readline()
        address = re.search(r"http://\S+", line)
        assert address, line
        yield Running(address[0], folder, process)
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=PATIENCE)  # its last words need a reader, so the pipe is closed after it
        process.stdout.close()
        assert code in (0, -signal.SIGKILL)


def ends(pid: int) -> bool:
    """Whether a process is gone soon."""
    deadline = time.monotonic() + PATIENCE
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not alive(pid)


def alive(pid: int) -> bool:
    """Whether a process is there, a zombie not counted."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
