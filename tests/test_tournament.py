"""Tournaments: no result is lost, whatever is killed; files that are not theirs are left alone; ratings are sound."""

import csv
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from itertools import combinations
from math import log10
from pathlib import Path
from random import Random
from urllib.parse import quote

import numpy as np
import pytest

from teamplay.arena.match import Tally, play_chunk
from teamplay.arena.results import Basis, Fixed, Forfeits, Key, ResultsFile, read_results
from teamplay.arena.tournament import Plan, Tournament, _key, read_plan
from teamplay.cli import main
from teamplay.errors import BadFile, TeamplayError
from teamplay.statistics import Pairing, difference, ratings

Capture = pytest.CaptureFixture[str]

FIGURES = ("tic-tac-toe/figure-6", "tic-tac-toe/figure-15", "random")
BASIS = Basis("game", 0, 0, {})
LINE = ["tournament", *FIGURES, "--games", "50", "--seed", "3", "--opening", "1"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(plan: Plan, path: Path) -> Tournament:
    tournament = Tournament(plan)
    with ResultsFile(path, tournament.basis) as results:
        tournament.run(results, None, 0.0)
    return tournament


# Who meets whom.


def test_everybody_meets_everybody_or_the_first_meets_all() -> None:
    plan = Plan(("a", "b", "c", "d"), "tic-tac-toe")
    assert plan.pairings == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert Plan(("a", "b", "c", "d"), "tic-tac-toe", kind="gauntlet").pairings == [(0, 1), (0, 2), (0, 3)]


def test_a_pairing_is_the_same_whoever_else_takes_part() -> None:
    many, few = (Plan(players, "tic-tac-toe", seed=4) for players in (FIGURES, (FIGURES[0], FIGURES[2])))
    assert many.matches()[1] == few.matches()[0]
    seeds = [match.seed for match in many.matches()]
    assert len(set(seeds)) == 3 and max(seeds) < 1 << 53


def test_a_pairing_can_be_played_again_as_a_match(capsys: Capture) -> None:
    assert main([*LINE, "--json"]) == 0
    pairing = json.loads(capsys.readouterr().out)["pairings"][1]
    line = ["match", pairing["a"], pairing["b"], "--seed", str(pairing["seed"]), "--games", "50", "--opening", "1"]
    assert main([*line, "--json"]) == 0
    match = json.loads(capsys.readouterr().out)
    assert all(match[name] == pairing[name] for name in ("wins", "draws", "losses", "moves"))


def test_what_the_players_have_won_adds_up(folder: Path) -> None:
    standing = run(Plan(FIGURES, "tic-tac-toe", 12), folder / "r").standing()
    scores = [standing.score(player) for player in range(3)]
    assert sum(score.points for score in scores) == standing.total == standing.played == 36
    assert sum(score.wins for score in scores) == sum(score.losses for score in scores)
    for one, other in combinations(range(3), 2):
        mine, theirs = standing.between(one, other), standing.between(other, one)
        assert mine and theirs and mine.turned() == theirs
    assert standing.between(1, 1) is None


TOML = """
players = ["tic-tac-toe/figure-6", "tic-tac-toe/figure-15", "random"]
game = "tic-tac-toe"
games = 50
seed = 3
opening = 1
"""


def test_a_file_and_the_command_line_say_the_same(folder: Path, capsys: Capture) -> None:
    (folder / "cup.toml").write_text(TOML)
    assert main(["tournament", "cup.toml", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told.pop("results") == "cup.results" and (folder / "cup.results").exists()
    assert main([*LINE, "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line.pop("results").startswith("tournament-") and line == told


PLANS = {
    "no TOML": ("players = [", "is not valid TOML"),
    "an unknown word": (TOML + "gmaes = 3", "`gmaes` is not known; a tournament has players, game, games"),
    "a text for a number": (TOML.replace("50", '"50"'), "`games` is a whole number, not `50`"),
    "a truth for a number": (TOML.replace("50", "true"), "`games` is a whole number, not `True`"),
    "numbers for players": ("players = [1, 2]\ngame = 'misere'", "`players` is a list of texts"),
    "no players": ("game = 'misere'", "does not say `players`"),
    "too few players": ("players = ['random']\ngame = 'misere'", "has 2 to 200 players, not 1"),
    "a player twice": ("players = ['random', 'random']\ngame = 'misere'", "`random` is named twice"),
    "another kind": (TOML + "kind = 'knockout'", "is a round-robin or a gauntlet, not `knockout`"),
    "a line without end": (
        "a" + ".a" * 2_500 + " = 1",
        "has a line of more than 5,000 characters",
    ),
    "a person": ("players = ['random', 'human']\ngame = 'misere'", "A person can't play a tournament"),
}


@pytest.mark.parametrize("mistake", PLANS)
def test_a_plan_with_a_mistake_is_one_sentence(mistake: str, folder: Path, capsys: Capture) -> None:
    text, expected = PLANS[mistake]
    (folder / "cup.toml").write_text(text)
    assert main(["tournament", "cup.toml"]) == 2
    error = capsys.readouterr().err
    assert expected in error and error.count("\n") == 1 and not (folder / "cup.results").exists()
    with pytest.raises(TeamplayError):
        read_plan(folder / "cup.toml")


def test_a_command_line_with_a_mistake_is_one_sentence(folder: Path, capsys: Capture) -> None:
    (folder / "cup.toml").write_text(TOML)
    for line, expected in [
        (["tournament", "random"], "2 to 200 players"),
        (["tournament", "random", "nobody"], "There is no player named `nobody`"),
        (["tournament", "cup.toml", "--games", "3"], "cup.toml says what is played"),
        (["tournament", "cup.toml", "random"], "cup.toml says what is played"),
        ([*LINE, "--export", "table.xls"], "must end in .csv, .json or .parquet"),
        ([*LINE, "--results", "/nowhere/r"], "/nowhere/r cannot be opened"),
        ([*LINE, "--results", str(folder)], "is not an ordinary file"),
        ([*LINE, "--results", "/dev/null"], "/dev/null is not an ordinary file"),
        ([*LINE, "--results", ""], "`` is not the name of a file"),
        ([*LINE, "--export", "/nowhere/t.csv"], "`/nowhere/t.csv` can't be written: there is no such folder"),
        ([*LINE, "--results", "t.csv", "--export", "./t.csv"], "is where results are kept"),
    ]:
        assert main(line) == 2
        error = capsys.readouterr().err
        assert expected in error and error.count("\n") == 1
    assert [path.name for path in folder.iterdir()] == ["cup.toml"]


# Results that last.


def test_the_same_command_goes_on_where_it_stopped(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    add, added = ResultsFile.add, []

    def impatient(self: ResultsFile, key: Key, tally: Tally, fixed: Fixed, forfeits: Forfeits) -> None:
        add(self, key, tally, fixed, forfeits)
        added.append(key)
        if len(added) == 4:
            raise KeyboardInterrupt

    assert main([*LINE, "--json", "--results", "whole"]) == 0
    whole = json.loads(capsys.readouterr().out)
    monkeypatch.setattr(ResultsFile, "add", impatient)
    assert main([*LINE, "--results", "parts"]) == 130
    assert "of 150 games are played. The same command plays the rest." in capsys.readouterr().out
    assert main([*LINE, "--json", "--results", "parts"]) == 0
    parts = json.loads(capsys.readouterr().out)
    assert len(added) == len(set(added)) == 9 and parts.pop("resumed") == 22 * 3 + 22 and whole.pop("resumed") == 0
    assert parts.pop("results") != whole.pop("results") and parts == whole
    assert main([*LINE, "--results", "parts"]) == 0
    assert "150 of 150 games were known from parts." in capsys.readouterr().out


DRIVER = """
import json
import sys
from pathlib import Path
from teamplay.arena.results import ResultsFile
from teamplay.arena.tournament import Plan, Tournament
from teamplay.arena.workers import processes

class Telling(ResultsFile):
    def add(self, key, tally, fixed, forfeits):
        super().add(key, tally, fixed, forfeits)
        print(json.dumps([*key, *tally]), flush=True)

if __name__ == "__main__":
    tournament = Tournament(Plan(tuple(sys.argv[3:]), "tic-tac-toe", int(sys.argv[2]), opening=1))
    with Telling(Path(sys.argv[1]), tournament.basis) as results:
        tournament.run(results, processes(2), 0.0)
"""


def workers_of(driver: int) -> list[int]:
    """The processes that a driver has hired."""
    found = []
    for child in Path(f"/proc/{driver}/task/{driver}/children").read_text().split():
        if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text():
            found.append(int(child))
    return found


def gone(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def stored(path: Path) -> set[tuple[object, ...]]:
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as file:
        return set(file.execute("SELECT * FROM chunks"))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for workers in /proc")
@pytest.mark.parametrize(("kills", "games"), [(2, 120), pytest.param(40, 1_800, marks=pytest.mark.slow)])
def test_whatever_is_killed_nothing_is_lost(kills: int, games: int, folder: Path) -> None:
    """Kill workers and drivers with SIGKILL until the tournament is done; then compare it with one left alone."""
    luck, path = Random(2026), folder / "killed.results"
    (folder / "driver.py").write_text(DRIVER)
    acknowledged: set[tuple[object, ...]] = set()
    drivers = killed_workers = 0
    while True:
        drivers += 1
        driver = subprocess.Popen(
            [sys.executable, "driver.py", str(path), str(games), *FIGURES], stdout=subprocess.PIPE, text=True
        )
        assert driver.stdout
        hired, patience = set[int](), luck.randint(2, 4)
        for count, row in enumerate(driver.stdout):
            acknowledged.add(tuple(json.loads(row)))
            hired.update(workers_of(driver.pid))
            if count == 1 and drivers % 2:
                os.kill(luck.choice(sorted(hired)), signal.SIGKILL)
                killed_workers += 1
            if count == patience and drivers <= kills:
                driver.kill()
        driver.stdout.close()
        code = driver.wait()
        assert acknowledged <= stored(path)
        wait_until(lambda staff=hired: all(map(gone, staff)))  # type: ignore[misc]
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert drivers > 2 and killed_workers > 1
    plan = Plan(FIGURES, "tic-tac-toe", games, opening=1)
    alone, resumed = run(plan, folder / "alone.results"), run(plan, path)
    assert stored(path) == stored(folder / "alone.results") and resumed.resumed == 3 * games
    assert alone.standing() == resumed.standing() and alone.played == 3 * games


def wait_until(holds: object) -> None:
    until = time.monotonic() + 20
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < until, "a worker outlives its driver"
        time.sleep(0.02)


def test_results_are_on_the_disk_when_they_are_acknowledged(folder: Path) -> None:
    key = Key("a", "b", "compiled", 0, 1)
    with ResultsFile(folder / "r", BASIS) as results:
        ask = results._file.execute
        assert ask("PRAGMA journal_mode").fetchone() == ("wal",) and ask("PRAGMA synchronous").fetchone() == (2,)
        results.add(key, Tally(1))
        results.add(key, Tally(0, 1))  # a chunk that was played twice counts once
        assert results.stored().chunks == {key: Tally(1)}


def test_one_run_at_a_time(folder: Path) -> None:
    with ResultsFile(folder / "r", BASIS), pytest.raises(BadFile, match="r is in use by another run"):
        ResultsFile(folder / "r", BASIS)
    with ResultsFile(folder / "r", BASIS) as results:
        assert results.stored().chunks == {}


def test_others_read_while_a_run_writes(folder: Path) -> None:
    plan = Plan(FIGURES, "tic-tac-toe", 50)
    tournament = Tournament(plan)
    seen: list[int] = []

    def look() -> None:
        stored = read_results(folder / "r")
        assert json.loads(stored.plan)["players"] == list(FIGURES)
        seen.append(sum(tally.games for tally in stored.chunks.values()))

    with ResultsFile(folder / "r", tournament.basis) as results:
        tournament.run(results, None, 0.0, look)
    assert seen[0] == 0 and seen[-1] == 150 and seen == sorted(set(seen)) and len(seen) == 10


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE recipes (name TEXT)")
    file.close()


def other_plan(path: Path) -> None:
    assert main([*(LINE[:-3]), "4", *LINE[-2:], "--results", str(path)]) == 0


def newer(path: Path) -> None:
    other_plan(path)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version=9")
    file.close()


def scrambled(path: Path) -> None:
    finished(path)
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    path.write_bytes(data)


def cut(path: Path) -> None:
    finished(path)
    path.write_bytes(path.read_bytes()[:5000])


def odd_numbers(path: Path) -> None:
    finished(path)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE chunks SET first_wins = first_wins + 1 WHERE start = 22")
    file.close()


def odd_words(path: Path) -> None:
    finished(path)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE chunks SET moves = 'many' WHERE start = 22")
    file.close()


def finished(path: Path) -> None:
    assert main([*LINE, "--results", str(path)]) == 0


FILES = {
    "a text": (lambda path: path.write_text("Dear diary,\n" * 999), "is not a file of results"),
    "somebody else's database": (foreign, "is a database of something else"),
    "another seed": (other_plan, "was played with another seed (4, not 3)"),
    "a newer version": (newer, "has results of version 9; this teamplay writes version 4"),
    "a scrambled file": (scrambled, "damaged"),
    "half a file": (cut, "damaged"),
    "too many results": (odd_numbers, "is damaged: the results of games 23 and on do not add up"),
    "words for numbers": (odd_words, "damaged"),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_not_ours_or_damaged_is_left_alone(kind: str, folder: Path, capsys: Capture) -> None:
    make, expected = FILES[kind]
    path = folder / "r"
    make(path)
    capsys.readouterr()
    before = path.read_bytes()
    assert main([*LINE, "--results", str(path)]) == 2
    error = capsys.readouterr().err
    assert expected in error and error.count("\n") == 1
    assert path.read_bytes() == before or kind in ("another seed", "a newer version")


@pytest.mark.parametrize("name", ["r", ":memory:", "file:r?mode=memory"])
def test_an_empty_file_of_any_name_is_a_new_one(name: str, folder: Path) -> None:
    (folder / name).touch()  # as a crash may leave it
    with ResultsFile(Path(name), BASIS) as results:
        results.add(Key("a", "b", "compiled", 0, 1), Tally(1))
    assert len(stored(folder / name)) == 1


def test_a_table_with_other_rules_is_refused_by_name_and_a_comment_is_not(folder: Path, capsys: Capture) -> None:
    Path("own.team").write_text("return 1\n")
    line = ["tournament", "own.team", "random", "--games", "4", "--results", "r"]
    assert main(line) == 0
    Path("own.team").write_text("# a comment\neveryone:\n    return   1\n")
    assert main(line) == 0
    assert "4 of 4 games were known from r." in capsys.readouterr().out
    Path("own.team").write_text("return 2\n")
    assert main(line) == 2
    assert "r was played when the table own.team had other rules; name another file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Plan(FIGURES, "tic-tac-toe", 30), Plan(FIGURES, "tic-tac-toe", 70)),
        (Plan(FIGURES, "tic-tac-toe", 70), Plan(FIGURES, "tic-tac-toe", 30)),
        (Plan(FIGURES, "tic-tac-toe", 30), Plan((*FIGURES, "perfect"), "tic-tac-toe", 30)),
        (Plan(FIGURES, "tic-tac-toe", 30, "gauntlet"), Plan(FIGURES, "tic-tac-toe", 50)),
        (Plan(FIGURES, "tic-tac-toe", 500), Plan(FIGURES, "tic-tac-toe", 3_000)),  # the compiled engine takes over
    ],
    ids=["more games", "fewer games", "more players", "everybody", "another engine"],
)
def test_a_results_file_can_be_extended(before: Plan, after: Plan, folder: Path) -> None:
    """And the results are those of the larger plan from the start."""
    run(before, folder / "r")
    extended, fresh = run(after, folder / "r"), run(after, folder / "fresh")
    assert extended.standing() == fresh.standing() and extended.played == extended.games
    assert extended.resumed > 0 or after.games == 3_000
    assert run(before, folder / "r").resumed == before.games * len(before.pairings)  # nothing was lost


def test_pairings_that_are_not_played_yet_are_empty(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = ResultsFile.add

    def impatient(self: ResultsFile, key: Key, tally: Tally, fixed: Fixed, forfeits: Forfeits) -> None:
        add(self, key, tally, fixed, forfeits)
        raise KeyboardInterrupt

    monkeypatch.setattr(ResultsFile, "add", impatient)
    assert main([*LINE, "--results", "r"]) == 130
    said = capsys.readouterr().out
    assert "empty where none is played yet" in " ".join(said.split())
    assert [line for line in said.splitlines() if line.endswith(" -") and "random" in line]
    rows = [line.split() for line in said.splitlines() if line[:1] in ("1", "2", "3")]
    assert rows[2][1:] == ["random", "-"], "no rating and no points of 0 for who has not played"
    assert main(["results", "r", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["players"][2] | {"player": "random", "games": 0} == told["players"][2]
    assert [told["players"][2][name] for name in ("elo", "points", "wins")] == [None] * 3
    unplayed = told["pairings"][1]
    assert unplayed["games"] == 0 and [unplayed[name] for name in ("wins", "win_low", "moves")] == [None] * 3
    assert told["pairings"][0]["wins"] is not None and not told["complete"] and told["played"] == 22


# A file of results, read by itself.


def test_results_shows_what_a_tournament_has_shown(folder: Path, capsys: Capture) -> None:
    Path("own.team").write_text("return 1\n")
    line = ["tournament", "own.team", "random", "tic-tac-toe/figure-6", "--games", "20", "--results", "r"]
    assert main(line) == 0
    shown = capsys.readouterr().out.splitlines()
    assert main([*line, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    Path("own.team").unlink()  # a reader need not have the players
    assert main(["results", "r"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1] == "60 of 60 games are played." and said[2:] == shown[1:-1] and said[0] == shown[0]
    assert main(["results", "r", "--json", "--export", "r.csv"]) == 0
    assert json.loads(capsys.readouterr().out) == {name: told[name] for name in told if name != "resumed"}
    assert len(Path("r.csv").read_text().splitlines()) == 4
    assert main(["results", "r", "--export", "r.csv"]) == 2
    assert "r.csv exists already; --force overwrites it." in capsys.readouterr().err


def test_why_games_were_forfeited_is_told_and_kept(folder: Path, capsys: Capture) -> None:
    """A program that gives up at once loses every game, and everybody learns why."""
    Path("tired.py").write_text("import sys\nsys.exit('out of coffee')\n")
    tired = f"gtp:{sys.executable} {folder / 'tired.py'}"
    line = [
        "tournament",
        tired,
        "random",
        "mcts(playouts=5)",
        "--game",
        "reversi(n=4)",
        "--games",
        "4",
        "--results",
        "r",
    ]
    assert main(line) == 0
    shown = capsys.readouterr().out
    for opponent in ("random", "mcts(playouts=5)"):
        assert re.search(rf"against\s+{re.escape(opponent)}:\s+4\s+games\s+forfeited\s+because:", shown)
    assert "out of coffee" in " ".join(shown.split())
    assert main(["results", "r"]) == 0
    assert "out of coffee" in " ".join(capsys.readouterr().out.split())
    assert main(["results", "r", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["forfeits"]
    assert [(each["a"], each["b"], each["games"]) for each in told] == [
        (tired, "random", 4),
        (tired, "mcts(playouts=5)", 4),
    ]
    assert all("out of coffee" in each["reason"] for each in told)
    with sqlite3.connect("r") as file:
        file.execute("UPDATE forfeits SET times = 'many'")
    file.close()
    assert main(["results", "r"]) == 2
    assert "is damaged" in capsys.readouterr().err


def test_results_follows_a_file_that_grows(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look after each pause, while the tournament goes on between two looks."""
    tournament = Tournament(Plan(FIGURES, "tic-tac-toe", 50))
    with ResultsFile(folder / "r", tournament.basis) as results:
        left = tournament._left(results.stored())

        def pause(_: float) -> None:
            for chunk in left[:3]:
                played = play_chunk(chunk)
                results.add(_key(chunk), played.tally, played.fixed)
            del left[:3]

        monkeypatch.setattr("teamplay.cli.results.time.sleep", pause)
        assert main(["results", "r", "--follow", "--json"]) == 0
    looks = [json.loads(line)["played"] for line in capsys.readouterr().out.splitlines()]
    assert looks == [0, 66, 132, 150]


def test_ctrl_c_ends_the_watch(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(_: float) -> None:
        raise KeyboardInterrupt

    with ResultsFile(folder / "r", Tournament(Plan(FIGURES, "tic-tac-toe", 50)).basis):
        pass
    monkeypatch.setattr("teamplay.cli.results.time.sleep", leave)
    assert main(["results", "r", "--follow"]) == 0
    assert "Watching r; Ctrl-C ends it." in capsys.readouterr().out


@pytest.mark.parametrize("plan", ["", "[]", "{", '{"players": ["a", "b"]}', "7"])
def test_a_plan_that_makes_no_sense_is_one_sentence(plan: str, folder: Path, capsys: Capture) -> None:
    finished(folder / "r")
    with sqlite3.connect(folder / "r") as file:
        file.execute("UPDATE settings SET value = ? WHERE name = 'plan'", [plan])
    file.close()
    capsys.readouterr()
    assert main(["results", "r"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and ("does not say who plays" in error or "its plan can't be read" in error)


def test_no_file_of_results(folder: Path, capsys: Capture) -> None:
    assert main(["results", "nowhere"]) == 2
    Path("text").write_text("Dear diary")
    assert main(["results", "text"]) == 2
    assert "There is no file of results nowhere." in capsys.readouterr().err


# Players without luck.


def test_games_without_luck_get_openings_and_count_once(folder: Path, capsys: Capture) -> None:
    players = [*(f"{figure}(tie=first)" for figure in FIGURES[:2]), "random"]
    line = ["tournament", *players, "--games", "200", "--results", "r", "--json"]
    assert main(line) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["opening"] is None
    fixed, *lucky = told["pairings"]
    assert fixed["opening"] == 2 and fixed["distinct"] < fixed["games"] == 200
    assert all(row["opening"] == 0 and row["distinct"] == 200 for row in lucky)
    assert main(line) == 0  # from the file
    again = json.loads(capsys.readouterr().out)
    assert again["pairings"] == told["pairings"] and again["resumed"] == 600
    assert main(line[:-1]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "In 1 pairing neither player has luck; each pair of games begins with 2 random plies there." in text
    assert f"Only {fixed['distinct'] + 400} of 600 games are different; ± counts each once." in text
    assert main([*line, "--opening", "0"]) == 2
    assert "another number of random plies (as needed, not 0)" in capsys.readouterr().err


def test_a_full_disk_keeps_what_was_there(folder: Path) -> None:
    added = 0

    def key(start: int) -> Key:
        return Key("a", "b", "compiled", start, start)

    with ResultsFile(folder / "r", BASIS) as results:
        results._file.execute("PRAGMA max_page_count=7")
        with pytest.raises(BadFile, match="cannot be written: database or disk is full"):
            for added in range(10_000):
                results.add(key(added), Tally(added))
    with ResultsFile(folder / "r", BASIS) as results:
        assert results.stored().chunks == {key(start): Tally(start) for start in range(added)} and added > 50


def test_a_disk_that_fills_up_while_we_play(folder: Path) -> None:
    """A limit on the size of files, as the system sets one: the first write beyond it fails."""
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2); "
    command = [sys.executable, "-c", limited + "from teamplay.cli import main; sys.exit(main())"]
    line = [*LINE, "--results", "r", "--workers", "1"]
    done = subprocess.run([*command, "33000", *line], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "r cannot be written" in done.stderr
    before = len(stored(folder / "r"))
    assert 0 < before < 9
    assert main(line) == 0 and len(stored(folder / "r")) == 9


# What is told.


def test_the_crosstable(capsys: Capture) -> None:
    assert main(["tournament", "perfect", "random", "--games", "20", "--game", "tic-tac-toe"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Everybody against everybody at tic-tac-toe: 20 games a pairing, seed 0."
    assert lines[3].split()[:2] == ["1", "perfect"] and lines[4].split()[:2] == ["2", "random"]
    assert lines[3].split()[4].endswith("/20") and lines[3].split()[5] == "-"


def test_exports_agree(folder: Path, capsys: Capture) -> None:
    import pyarrow.parquet

    names = ["t.csv", "t.json", "t.parquet"]
    assert main([*LINE, *(word for name in names for word in ("--export", name))]) == 0
    with (folder / "t.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    told = json.loads((folder / "t.json").read_text())["pairings"]
    table = pyarrow.parquet.read_table(folder / "t.parquet").to_pylist()
    assert table == told and [{name: str(value) for name, value in row.items()} for row in told] == rows
    assert sum(row["games"] for row in told) == 150


def test_an_export_that_cannot_be_written(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("full.csv").symlink_to("/dev/full")
    assert main([*LINE, "--results", "r", "--export", "full.csv"]) == 2
    assert "full.csv cannot be written: No space left" in capsys.readouterr().err and Path("/dev/full").is_char_device()
    assert len(stored(folder / "r")) == 9  # nothing that was played is lost
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main([*LINE, "--export", "t.parquet"]) == 2
    assert "pip install 'teamplay[parquet]'" in capsys.readouterr().err


# Ratings.


def test_two_players_are_as_far_apart_as_their_share_of_points_says() -> None:
    elo = difference(74.5, 99)  # and the drawn game that is added: 75 of 100
    assert elo.value == pytest.approx(400 * log10(3)) and elo.high - elo.value == pytest.approx(elo.value - elo.low)
    assert elo.high - elo.value == pytest.approx(1.96 * 400 / np.log(10) / np.sqrt(100 * 0.75 * 0.25), rel=1e-4)
    assert difference(24.5, 99).value == pytest.approx(-elo.value)


@pytest.mark.parametrize("games", [0, 1, 100, 1_000_000])
def test_ratings_are_finite_and_centered_whatever_happens(games: int) -> None:
    swept = [Pairing(one, other, games, games) for one, other in combinations(range(6), 2)]  # the first wins all
    found = ratings(6, swept)
    values = [each.value for each in found]
    assert sum(values) == pytest.approx(0, abs=1e-6) and values == sorted(values, reverse=True)
    assert all(each.low < each.value < each.high for each in found)


def test_error_bars_hold_the_truth_as_often_as_they_say() -> None:
    luck, truth = np.random.default_rng(7), np.array([150.0, 40.0, 0.0, -60.0, -130.0])
    pairs = list(combinations(range(5), 2))
    held = 0
    for _ in range(200):
        chances = [1 / (1 + 10 ** ((truth[j] - truth[i]) / 400)) for i, j in pairs]
        made = [Pairing(i, j, luck.binomial(100, p), 100) for (i, j), p in zip(pairs, chances, strict=True)]
        found = ratings(5, made)
        held += sum(each.low <= true <= each.high for each, true in zip(found, truth - truth.mean(), strict=True))
    assert 0.93 < held / 1000 < 0.97


def test_draws_make_the_bars_too_wide_and_never_too_narrow() -> None:
    luck = np.random.default_rng(8)
    points = [float(luck.choice([0, 0.5, 0.5, 1], size=100).sum()) for _ in range(150)]
    assert sum(difference(each, 100).low <= 0 <= difference(each, 100).high for each in points) / 150 > 0.97
