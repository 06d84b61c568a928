"""A process that works for the server: one job after the other, each a line of JSON in and some lines of JSON out.

Ctrl-C (SIGINT) ends the job at hand with what is known by then; it is blocked from birth and between jobs. The end of
standard input ends the process, whatever it is doing: so it never outlives the server, however that ended.
"""

import json
import os
import queue
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any

from teamplay import library
from teamplay.api.certifying import certify, header
from teamplay.api.comparing import compare
from teamplay.api.matches import MatchResult, result_of
from teamplay.api.progress import Advance
from teamplay.api.tournaments import standing_json
from teamplay.api.verifying import Verification, verification
from teamplay.arena.match import plan_match
from teamplay.arena.playing import seed_of
from teamplay.arena.record import Record
from teamplay.arena.results import ResultsFile
from teamplay.arena.series import Series
from teamplay.arena.tournament import KINDS, Plan, Tournament
from teamplay.check.formats import finding_json
from teamplay.check.report import check
from teamplay.errors import BadSpec, TeamplayError
from teamplay.game import SEATS, Game
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, Player, refuse_code
from teamplay.proof.certificate import Writer
from teamplay.proof.compare import differing
from teamplay.proof.goals import GOALS, ProofGoal
from teamplay.proof.verify import Bounds
from teamplay.scenes.binder import scenes_of
from teamplay.scenes.coverage import coverage_json
from teamplay.scenes.report import report_json, tally
from teamplay.scenes.runner import BOUNDS, Runner, run_file
from teamplay.studio.boards import board_json
from teamplay.studio.export import Film, Frame, film_page, short_name
from teamplay.studio.folder import Folder
from teamplay.studio.jobs import STOPPED
from teamplay.studio.questions import frame, see
from teamplay.studio.sources import Question, game_of, moves_of, number_of, player_of, reading, source_of, text_of
from teamplay.team import Team

PAUSE = 0.2  # seconds between two reports
MOST_RECORDED = 2_000  # games of a match that are shown one by one
MOST_DIFFERENCES = 500
LARGEST_CERTIFICATE = 64 << 20  # bytes

Say = Callable[[dict[str, Any]], None]


def verify(question: Question, folder: Folder, say: Say) -> dict[str, Any]:
    """A proof, or the shortest game that refutes the goal, seat by seat."""
    found, _ = _verified(question, say)
    shown = found.to_dict()
    for verdict, replay in zip(found.verdicts, found.replays, strict=True):
        seat = shown["seats"][SEATS[verdict.seat]]
        seat |= {"sentence": found.sentence(verdict), "blamed": replay.verdict() if replay else ""}
    return shown


def _verified(question: Question, say: Say) -> tuple[Verification, str]:
    spec, game = text_of(question, "player"), game_of(question)
    goal: ProofGoal = question.get("goal", GOALS[0])
    if goal not in GOALS:
        raise BadSpec(f"A goal is {' or '.join(GOALS)}.")
    player = player_of(spec, game)
    if question.get("tie") == "first" and isinstance(player, Team):
        player = Team(player.book, "first")
    seats = [number for number, name in enumerate(SEATS) if question.get("seat", "both") in (name, "both")]
    bounds = Bounds(seconds=float(number_of(question, "seconds"))) if question.get("seconds") else Bounds()
    exhaust = bool(question.get("exhaust"))
    return verification(player, game, seats, goal, bounds, exhaust, _reporting(say)), spec


def _reporting(say: Say) -> Callable[[Advance], None]:
    return lambda advance: say({"advance": asdict(advance)})


def certificate(question: Question, folder: Folder, say: Say) -> dict[str, Any]:
    """The text of a certificate for what is proved or refuted."""
    found, spec = _verified(question, say)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "certificate"
        with Writer(path, header(spec, found.player, found.game, found.goal)) as writer:
            certify(writer, found)
        if not path.exists():
            raise BadSpec("Nothing was decided, so there is nothing to certify.")
        if path.stat().st_size > LARGEST_CERTIFICATE:
            raise BadSpec("The certificate is too large for a page; `teamplay verify --certificate FILE.gz` writes it.")
        return {"text": path.read_text("utf-8"), "sentences": [found.sentence(one) for one in found.verdicts]}


def compared(question: Question, folder: Folder, say: Say) -> dict[str, Any]:
    """Whether two players choose alike, and the positions in which they do not."""
    game = game_of(question)
    one, other = player_of(text_of(question, "player"), game), player_of(text_of(question, "other"), game)
    found = compare(one, other, game, number_of(question, "games", 2000), number_of(question, "seed"), _reporting(say))
    shown = found.to_dict() | {"sentence": repr(found), "positions_apart": [], "board": board_json(game, game.start)}
    if found.equivalent is False:
        shown["positions_apart"] = _apart(one, other, game)
    return shown


def _apart(one: Player, other: Player, game: Game) -> list[dict[str, Any]]:
    """The first positions in which two players choose differently, as far as they can be listed."""
    assert isinstance(one, OpenPlayer) and isinstance(other, OpenPlayer)
    apart = []
    try:
        for position in islice(differing(one, other, game), MOST_DIFFERENCES):
            chosen = [[move.cell for move in player.moves(position)] for player in (one, other)]
            where = {"board": game.drawn(position), "seat": SEATS[position.seat]}
            apart.append({**where, "a": chosen[0], "b": chosen[1]})
    except TeamplayError:  # too many to list all: what was found is shown
        pass
    return apart


def checked(question: Question, folder: Folder, say: Say) -> dict[str, Any]:
    """All findings of a table: first what is soon found, then everything."""
    source = source_of(question)
    quick = check(source, thorough=False)
    say({"findings": [finding_json(one) for one in quick.findings if one.code != "T111"]})
    found = check(source) if quick.readable else quick
    return {"findings": [finding_json(one) for one in found.findings], "scope": list(found.scope)}


def tested(question: Question, folder: Folder, say: Say) -> dict[str, Any]:
    """The scenes of a table, and which of its rules they try."""
    source = source_of(question)
    shipped = source.path.removesuffix(".team") in library.names(".team")
    table = (
        library.find(source.path.removesuffix(".team"), ".team") if shipped else folder.path(source.path, (".team",))
    )
    runner = Runner(number_of(question, "seed"), replace(BOUNDS, seconds=20), {})
    reports = []
    for path in scenes_of(table if shipped else table.relative_to(folder.root)):
        reports.append(run_file(path, runner, begin=lambda test: say({"advance": {"text": f"{test.name} …"}})))
    return {
        "files": [report_json(report) for report in reports],
        **tally(reports),
        "coverage": [coverage_json(found) for found in (runner.coverage or {}).values()],
    }


_players: dict[tuple[str, str, str], Player] = {}  # those that have moved here, by spec, game and text


def reply(question: Question, folder: Folder, say: Say) -> dict[str, Any]:
    """The move of a player in a game."""
    game = game_of(question)
    moves, positions = moves_of(game, question.get("moves", []))
    spec, table = text_of(question, "player"), question.get("table")
    key = spec, game.spec, table["text"] if isinstance(table, dict) else ""
    if key not in _players:
        _players.clear()
        _players[key] = player_of(spec, game)
    if game.outcome(positions[-1]):
        raise BadSpec("The game is over.")
    luck = Luck(seed_of(number_of(question, "seed"), len(moves)))
    return {"move": game.format_move(_players[key].choose(positions[-1], luck))}


def match(question: Question, folder: Folder, say: Say) -> dict[str, Any]:
    """Games of two players: the tally as it grows, and the games themselves where they are not too many."""
    game, games = game_of(question), number_of(question, "games", 100)
    a, b = (_named(question, key) for key in ("a", "b"))
    series = Series(plan_match(a, b, game.spec, games, number_of(question, "seed"), _opening(question)))
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "games.jsonl"
        watch = _Ticker(say, path)

        def told() -> None:
            watch.look({"tally": series.tally._asdict(), "played": series.tally.games, "games": games})

        if games <= MOST_RECORDED:
            with Record(path) as record:
                series.run(record=record, told=told)
                watch.lines()
        else:
            series.run(told=told)
    return _match_json(result_of(series))


def _match_json(found: MatchResult) -> dict[str, Any]:
    return found.to_dict() if found.games else {"games": 0, "complete": False}


class _Ticker:
    """Reports now and then what has come, with the lines that a record has grown by."""

    def __init__(self, say: Say, record: Path) -> None:
        self.say, self.record, self.next, self.read = say, record, 0.0, 0

    def look(self, state: dict[str, Any]) -> None:
        if time.monotonic() >= self.next:
            self.next = time.monotonic() + PAUSE
            self.say({"state": state})
            self.lines()

    def lines(self) -> None:
        if self.record.exists():
            with self.record.open("rb") as file:
                file.seek(self.read)
                data = file.read()
            whole = data.rfind(b"\n") + 1
            self.read += whole
            if whole:
                self.say({"recorded": [json.loads(line) for line in data[:whole].splitlines()]})


def tournament(question: Question, folder: Folder, say: Say) -> dict[str, Any]:
    """Several players against each other: the table as it fills."""
    listed, kind = question.get("players"), question.get("kind", KINDS[0])
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise BadSpec("`players` must be a list of specs.")
    for each in listed:
        refuse_code(each, "the page")
    game, games = game_of(question), number_of(question, "games", 100)
    plan = Plan(tuple(listed), game.spec, games, kind, number_of(question, "seed"), _opening(question))
    planned = Tournament(plan)
    with tempfile.TemporaryDirectory() as place:
        path = folder.path(question["results"], (".results",)) if question.get("results") else Path(place) / "results"
        watch = _Ticker(say, Path(place) / "none")
        try:
            with ResultsFile(path, planned.basis) as results:
                planned.run(results, None, 0.0, lambda: watch.look(standing_json(planned.standing())))
        except KeyboardInterrupt:
            pass
    return standing_json(planned.standing())


def _opening(question: Question) -> int | None:
    """Random plies before each pair of games; None takes some where neither player has luck."""
    return None if question.get("opening") is None else number_of(question, "opening")


def _named(question: Question, key: str) -> str:
    spec = text_of(question, key)
    refuse_code(spec, "the page")
    return spec


def page(question: Question, folder: Folder, say: Say) -> dict[str, Any]:
    """A game, or with `position` the position on the board, as one file of HTML that needs nothing else."""
    title = text_of(question, "title")
    if question.get("position"):
        seen = see(question, folder)
        if "board" not in seen:
            raise BadSpec("The table has errors, so there is nothing to show.")
        return {"html": film_page(title, [Film(title, [Frame(seen["board"], seen["verdict"])])])}
    game, blame = game_of(question), question.get("blame")
    moves, _ = moves_of(game, question.get("moves", []))
    names, frames = [short_name(game, move) for move in moves], []
    for ply in range(len(moves) + 1):
        shown = frame({**question, "ply": ply}, folder)
        guilt = ", to blame" if blame == ply + 1 else ""
        following = f"Move {ply + 1}: {names[ply]}{guilt}." if ply < len(moves) else ""
        ending = shown["outcome"]["text"] if shown["outcome"] else ""
        frames.append(Frame(shown["board"], " ".join(filter(None, (following, shown["verdict"], ending)))))
        say({"advance": {"text": f"position {ply} of {len(moves)}", "done": ply, "total": len(moves)}})
    return {"html": film_page(title, [Film(title, frames, names, blame if isinstance(blame, int) else None)])}


JOBS: dict[str, Callable[[Question, Folder, Say], dict[str, Any]]] = {
    "verify": verify,
    "certificate": certificate,
    "compare": compared,
    "check": checked,
    "test": tested,
    "reply": reply,
    "match": match,
    "tournament": tournament,
    "page": page,
}


def main() -> None:
    answer, sys.stdout = sys.stdout, sys.stderr  # whatever else is printed is no answer
    waiting: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_listen, args=[waiting], daemon=True).start()
    folder = Folder(Path.cwd().resolve())

    def say(told: dict[str, Any]) -> None:
        print(json.dumps(told), file=answer, flush=True)

    while True:
        asked = json.loads(waiting.get())
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # one that has come already counts now
            told = _done(asked["kind"], asked["question"], folder, say)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # too late for this job; its last line is whole
        except KeyboardInterrupt:
            told = {"error": STOPPED}
        say(told)


def _done(kind: str, question: Question, folder: Folder, say: Say) -> dict[str, Any]:
    """The last line of a job: its result, or why there is none."""
    try:
        if kind not in JOBS:
            raise BadSpec(f"There is no job `{kind[:40]}`.")
        with reading(question, folder.root):
            return {"result": JOBS[kind](question, folder, say)}
    except TeamplayError as error:
        return {"error": str(error)}
    except OSError as error:
        return {"error": f"A file can't be used: {error.strerror or error}."}
    except MemoryError:
        return {"error": "There is not enough memory for this; take a smaller board or a narrower sight."}


def _listen(waiting: "queue.Queue[str]") -> None:
    """Read jobs; at the end of input there is no server any more, and nothing to do."""
    for line in sys.stdin:
        waiting.put(line)
    os._exit(0)
