"""Broker, hosts and manager as real processes, each killed and started again in the middle of games."""

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from teamplay.game import Move
from teamplay.game_file import load_game
from teamplay.language import load_rulebook
from teamplay.live.private import LOOPBACK, end_process, free_port, host_work, start_host, start_plain_server
from teamplay.team import Team
from tests.chaos_manager import GAME, TABLE, after, luck_of, records
from tests.live_hosts import PATIENCE, wait_for

HOSTS = 3
Process = "subprocess.Popen[bytes]"


def test_a_few_kills(tmp_path: Path) -> None:
    chaos(tmp_path / "games", kills=5, seed=1)


@pytest.mark.slow
def test_fifty_kills(tmp_path: Path) -> None:
    killed = chaos(tmp_path / "games", kills=60, seed=2)
    assert min(killed["broker"], killed["manager"], sum(killed.values()) - killed["broker"] - killed["manager"]) >= 5


def chaos(path: Path, kills: int, seed: int) -> Counter[str]:
    """Kill one of the processes again and again while games are played; then hold every choice against one process."""
    chance, port, killed = Random(seed), free_port(), Counter[str]()
    url = f"nats://{LOOPBACK}:{port}"
    book = load_rulebook(TABLE, load_game(GAME))
    starts: dict[str, Callable[[], subprocess.Popen[bytes]]] = {
        "broker": lambda: start_plain_server(port),
        "manager": lambda: start_manager(url, path),
    }
    for number in range(HOSTS):
        work = host_work(book, TABLE, f"host-{number}", f"{number + 1}/{HOSTS}", url)
        starts[work["name"]] = lambda work=work: start_host(work)  # type: ignore[misc]
    running = {}
    try:
        for name in ("broker", *(f"host-{number}" for number in range(HOSTS)), "manager"):
            running[name] = starts[name]()
        wait_for(lambda: any(record["how"] == "complete" for record in records(path)))
        for _ in range(kills):
            name = chance.choice(sorted(running))
            running[name].kill()
            end_process(running[name])
            killed[name] += 1
            time.sleep(0.3 * chance.random())
            running[name] = starts[name]()
            if name == "manager" or chance.random() < 0.5:
                wanted = len(records(path)) + chance.randrange(1, 8)
                wait_for(lambda wanted=wanted: len(records(path)) >= wanted)
        path.with_suffix(".stop").touch()
        assert running["manager"].wait(PATIENCE) == 0, "the last game does not end"
    finally:
        for process in running.values():
            end_process(process)
    check(path)
    return killed


def start_manager(url: str, path: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.chaos_manager", url, str(path)]
    root = Path(__file__).parents[1]
    return subprocess.Popen(command, cwd=root, env=os.environ | {"PYTHONPATH": str(root)})


def check(path: Path) -> None:
    """Every game has ended, and every choice is the one that a team in one process makes."""
    game = load_game(GAME)
    team, found = Team(load_rulebook(TABLE, game)), records(path)
    games: dict[object, list[dict[str, object]]] = {}
    for record in found:
        games.setdefault(record["game"], []).append(record)
    for number, moves in games.items():
        assert game.outcome(after(game, moves)), f"game {number} has not ended"
        for ply, record in enumerate(moves):
            position = after(game, moves[:ply])
            assert record["ply"] == ply
            if record["how"] in ("complete", "recomputed"):
                choice = team.choose(position, luck_of(int(str(number)), ply))
                assert choice == Move(int(str(record["cell"])), choice.mark), record
    hows = Counter(str(record["how"]) for record in found)
    assert hows["complete"] > 0 and set(hows) <= {"complete", "recomputed"}
