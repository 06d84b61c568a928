"""What do agents elsewhere cost? Messages, bytes and time of a move, by the board's size and the number of hosts."""

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from teamplay.game import BLANK, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.language import load_rulebook
from teamplay.live.private import PrivateTeam
from teamplay.live.serve import BATCH
from teamplay.live.settings import USUAL
from teamplay.luck import Luck

TABLE = "mnk/generic"
LONGEST_LINE = 5
PER_AGENT = 2500  # agents up to which a message for each is measured too
COLUMNS = ["board", "hosts", "messages", "bytes", "ms a move", "waiting", "all tie", "one by one"]


class Cost(NamedTuple):
    """What a move costs on one board with some hosts; times are medians in milliseconds."""

    size: int
    hosts: int
    moves: int
    messages: float
    bytes: float
    milliseconds: float
    waiting: float  # of that, from the calls to the last answer
    together: float  # everybody answers, one message for each host
    apart: float | None  # everybody answers, one message for each agent

    def shown(self) -> list[str]:
        """For a table of `COLUMNS`."""
        apart = "" if self.apart is None else f"{self.apart:.1f}"
        numbers = [f"{self.messages:.1f}", f"{self.bytes:,.0f}", f"{self.milliseconds:.1f}", f"{self.waiting:.1f}"]
        return [f"{self.size}x{self.size}", str(self.hosts), *numbers, f"{self.together:.1f}", apart]


def measure(size: int, hosts: int, moves: int, seed: int) -> Cost:
    """A game against random moves, and rounds in which everybody answers the same."""
    game = load_game(f"mnk(m={size},n={size},k={min(size, LONGEST_LINE)})")
    book = load_rulebook(TABLE, game)
    team = PrivateTeam(book, TABLE, hosts)
    try:
        times, waits, posted = _game(team, moves, Luck(seed))
    finally:
        team.close()
    together = _everybody(game, hosts, moves, BATCH)
    apart = _everybody(game, hosts, min(moves, 5), 1) if game.grid.size <= PER_AGENT else None
    made = len(times)
    return Cost(size, hosts, made, posted[0] / made, posted[1] / made, median(times), median(waits), together, apart)


def _game(team: PrivateTeam, moves: int, luck: Luck) -> tuple[list[float], list[float], tuple[int, int]]:
    """Times of moves, the hosts' part of each, and the messages and bytes of all, both ways."""
    game, position = team.game, team.game.start
    team.choose(position, luck)  # everybody has joined, and what is to be compiled is compiled
    before = team.manager.messages.copy()
    times: list[float] = []
    waits: list[float] = []
    while len(times) < moves:
        if game.outcome(position):
            position = game.start
        begun = time.monotonic()
        move = team.choose(position, luck)
        times.append(1000 * (time.monotonic() - begun))
        called = [host.latency or 0.0 for host in team.manager.hosts.values() if host.called >= begun]
        waits.append(1000 * max(called, default=0.0))
        position = game.after(position, move)
        if not game.outcome(position):
            position = game.after(position, _reply(position, game.marks[position.seat], luck))
    spent = team.manager.messages - before
    return times, waits, (spent["sent"] + spent["received"], spent["bytes sent"] + spent["bytes received"])


def _reply(position: Position, mark: str, luck: Luck) -> Move:
    """A random move, without a list of all."""
    while True:
        cell = luck.randrange(len(position.marks))
        if position.marks[cell] == BLANK:
            return Move(cell, mark)


def _everybody(game: Game, hosts: int, rounds: int, batch: int) -> float:
    """A round in which all agents tie and all answer."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "alike.team"
        table.write_text("everyone:\n    return 1\n", "utf-8")
        book = load_rulebook(str(table), game)
        return _rounds(PrivateTeam(book, str(table), hosts, USUAL._replace(holds=False, deadline=30.0), batch), rounds)


def _rounds(team: PrivateTeam, rounds: int) -> float:
    """Rounds on the empty board: the median, in milliseconds."""
    try:
        luck, times = Luck(0), []
        for _ in range(rounds + 1):
            begun = time.perf_counter()
            team.choose(team.game.start, luck)
            times.append(1000 * (time.perf_counter() - begun))
        return median(times[1:])
    finally:
        team.close()
