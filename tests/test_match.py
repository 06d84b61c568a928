"""Matches: the same seed gives the same games whoever plays them, and what is told of them is true."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import teamplay as tp
from teamplay import library
from teamplay.arena import match as matches
from teamplay.arena.chance import NotedLuck
from teamplay.arena.match import Chunk, Match, Tally, plan_match, play_chunk, seat
from teamplay.arena.playing import chooser
from teamplay.arena.record import Record
from teamplay.arena.series import Series
from teamplay.arena.workers import Crew
from teamplay.cli import main
from teamplay.cli._arena import Bar
from teamplay.errors import BadFile, TeamplayError
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import load_player
from teamplay.statistics import wilson
from teamplay.team import Team

Capture = pytest.CaptureFixture[str]

FIGURE = "tic-tac-toe/figure-15"


def played(a: str, b: str, game: str = "tic-tac-toe", games: int = 40, seed: int = 1, plies: int = 0) -> Tally:
    series = Series(plan_match(a, b, game, games, seed, plies))
    series.run()
    return series.tally


def recorded(match: Match) -> list[dict[str, object]]:
    """All games of a match, as they are recorded."""
    return [json.loads(line) for chunk in seat(match).chunks(lambda: True) for line in play_chunk(chunk).lines]


@pytest.fixture
def in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small matches, too, go through the engine for batches, in chunks of few games."""
    monkeypatch.setattr(matches, "MOST_SLOWLY", 0)
    monkeypatch.setattr(matches, "COMPILED_CHUNK", 150)
    matches._here.__dict__.clear()


# What is played.


def test_both_players_sit_first_equally_often() -> None:
    tally = played(FIGURE, "random", games=41)
    assert sum(tally[:3]) == 21 and sum(tally[3:6]) == 20
    assert tally.wins + tally.draws + tally.losses == tally.games == 41


def test_who_is_named_first_makes_no_difference_to_who_is_better() -> None:
    assert played("perfect", "random").losses == played("random", "perfect").wins == 0
    assert played("perfect", "perfect", games=10) == Tally(0, 5, 0, 0, 5, 0, 90)


def test_the_same_games_from_the_other_side() -> None:
    tally = Tally(1, 2, 3, 4, 5, 6, 7)
    assert tally.turned() == Tally(6, 5, 4, 3, 2, 1, 7) and tally.turned().turned() == tally
    assert (tally.turned().wins, tally.turned().losses) == (tally.losses, tally.wins)


def test_an_opening_is_played_twice_with_seats_swapped() -> None:
    games = recorded(plan_match(FIGURE, "random", "tic-tac-toe", 30, 4, 3))
    openings = [tuple(game["moves"][:3]) for game in games]  # type: ignore[index]
    assert openings[::2] == openings[1::2] and len(set(openings)) > 10
    assert all(one["first"] == other["second"] == FIGURE for one, other in zip(games[::2], games[1::2], strict=True))
    assert all(game["opening"] == 3 and len(game["moves"]) > 3 for game in games)  # type: ignore[arg-type]


def test_a_team_on_a_large_board_chooses_as_its_agents_would() -> None:
    from teamplay.engine.live import LiveBoard

    game = load_game("gomoku(n=9)")
    team = load_player("mnk/generic", game)
    assert isinstance(team, Team)
    board, position = LiveBoard(team.book, large=False), game.start
    for number in range(20):
        move = team.choose(position, Luck(number))
        assert Luck(number).choice(board.moves(position)) == move
        position = game.after(position, move)
    small = load_player(FIGURE, load_game("tic-tac-toe"))
    assert chooser(small) == small.choose


# One seed, one result.


def test_one_seed_one_result() -> None:
    assert played(FIGURE, "random", seed=1) == played(FIGURE, "random", seed=1) != played(FIGURE, "random", seed=2)


@pytest.mark.parametrize("a", [FIGURE, "random"])
def test_threads_in_any_order_play_the_same_batches(a: str, in_batches: None) -> None:
    match = plan_match(a, "random", "tic-tac-toe", 40, 5)
    assert seat(match).compiled and len(list(seat(match).chunks())) == 3
    alone, together = Series(match), Series(match)
    alone.run()
    together.run(Crew(lambda: ThreadPoolExecutor(3), 4, lambda executor: executor.shutdown()))
    assert alone.tally == together.tally and alone.tally.games == 40


def test_processes_play_the_same_games(capsys: Capture, tmp_path: Path) -> None:
    said = []
    for workers in ("1", "3"):
        file = tmp_path / f"{workers}.jsonl"
        line = ["match", FIGURE, "random", "--games", "90", "--seed", "3", "--opening", "1", "--json"]
        assert main([*line, "--workers", workers, "--record", str(file)]) == 0
        said.append((capsys.readouterr().out, file.read_text()))
    assert said[0] == said[1] and said[0][1].count("\n") == 90


# Players without luck.


FIRST = (f"{FIGURE}(tie=first)", "tic-tac-toe/figure-6(tie=first)")
UNTIED = "game mnk\neveryone:\n    return 10 * row + col\n"  # no two cells are equally urgent


def test_luck_that_is_watched_is_the_same_luck() -> None:
    watched, luck = NotedLuck(5), Luck(5)
    for options in (1, 1, 1, 7, 1, 3):
        before = watched.used
        assert watched.choice(range(options)) == luck.choice(range(options))
        assert watched.used == (before or options > 1)
    assert (watched.random(), watched.getrandbits(9)) == (luck.random(), luck.getrandbits(9))
    coins = NotedLuck(5)
    assert not coins.coin(0, 1, 1, "never") and coins.coin(100, 1, 1, "always") and not coins.used
    assert coins.coin(50, 1, 1, "maybe") == luck.coin(50, 1, 1, "maybe") and coins.used


def test_players_without_luck_get_openings_by_default(capsys: Capture) -> None:
    assert main(["match", *FIRST, "--games", "20", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["opening"] == 2 and said["distinct"] > 10
    assert main(["match", *FIRST, "--games", "20"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Neither player has luck, so each pair of games begins with 2 random plies" in text
    assert plan_match(FIRST[0], "random", "tic-tac-toe", 20).opening == 0
    assert plan_match(FIGURE, FIGURE, "tic-tac-toe", 20).opening == 0
    assert plan_match("mcts(playouts=5)", FIRST[0], "tic-tac-toe", 20).opening == 0


def test_the_same_two_games_are_two_observations(capsys: Capture) -> None:
    assert main(["match", *FIRST, "--games", "1000", "--opening", "0", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["games"] == 1000 and said["opening"] == 0 and said["distinct"] == 2
    assert said["wins"] == said["draws"] == 500 and said["intervals"]["wins"]["high"] > 0.9
    assert main(["match", *FIRST, "--games", "10", "--opening", "0"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Only 2 of 10 games are different" in text and "`--opening 2` makes more of them differ" in text


def test_a_game_counts_once_in_either_engine(tmp_path: Path) -> None:
    table, other = tmp_path / "own.team", tmp_path / "other.team"
    table.write_text(UNTIED)
    other.write_text(UNTIED.replace("10 * row", "20 * row"))
    for games in (40, 4_000):
        series = Series(plan_match(str(table), str(other), "mnk(m=3,n=3,k=3)", games, plies=0))
        series.run()
        assert seat(series.match).compiled == (games > 40) and series.distinct == 2
    same = Series(plan_match(str(table), str(table), "mnk(m=3,n=3,k=3)", 40, plies=0))
    same.run()
    assert same.distinct == 1


def test_only_games_without_any_chance_count_once() -> None:
    """With luck on one side each game is an observation of its own, even if the moves are those of another."""
    series = Series(plan_match("random", "random", "mnk(m=2,n=2,k=2)", 200))
    series.run()
    assert series.distinct == 200


def test_an_opening_that_comes_again_counts_once() -> None:
    match = plan_match(*FIRST, "tic-tac-toe", 100, plies=1)
    series = Series(match)
    series.run()
    assert series.distinct == 2 * len({tuple(game["moves"][:1]) for game in recorded(match)})  # type: ignore[index]


def test_players_that_are_objects_get_openings_too() -> None:
    one, other = (tp.load_player(spec) for spec in FIRST)
    found, asked = tp.match(one, other, games=20), tp.match(one, other, games=20, opening=0)
    assert (found.match.opening, asked.match.opening) == (2, 0) and asked.distinct == 2 < found.distinct


# Batches.


@pytest.mark.parametrize(
    ("a", "b", "game"),
    [
        (FIGURE, "random", "tic-tac-toe"),
        ("tic-tac-toe/figure-6", FIGURE, "tic-tac-toe"),
        ("random", "random", "connect-four(columns=4,rows=4,k=3)"),
        ("random", "sos/safe", "sos(n=3)"),
        ("reversi/corners", "random", "reversi(n=4)"),
        ("random", "misere/basic", "misere"),
    ],
)
def test_batches_hold_games_that_the_players_could_have_played(a: str, b: str, game: str, in_batches: None) -> None:
    match = plan_match(a, b, game, 7, 8)
    assert seat(match).compiled
    rules, counts = load_game(game), [0] * 6
    done = [play_chunk(chunk) for chunk in seat(match).chunks(lambda: True)]
    for number, line in enumerate(line for each in done for line in each.lines):
        told = json.loads(line)
        position = rules.start
        sitting = [load_player(str(told[seat]), rules) for seat in ("first", "second")]
        for text, priority, rule in zip(told["moves"], told["priorities"], told["rules"], strict=True):
            move = rules.parse_move(str(text), position.seat)
            player = sitting[position.seat]
            assert move in player.moves(position)  # type: ignore[attr-defined]
            if isinstance(player, Team):
                said = [said for said in player.answers(position, Luck(0)) if said.sender == move.cell]
                assert (priority, rule or "") in [(each.priority, each.rule) for each in said]
            else:
                assert priority is None and rule is None
            position = rules.after(position, move)
        over = rules.outcome(position)
        assert over and told["number"] == number + 1 and (told["first"], told["second"]) == ((a, b), (b, a))[number % 2]
        counts[3 * (number % 2) + (1 if over.winner is None else 0 if over.winner == number % 2 else 2)] += 1
    assert [sum(column) for column in zip(*(each.tally[:6] for each in done), strict=True)] == counts


def test_batches_and_moves_one_by_one_come_out_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = played(FIGURE, "random", games=200)
    monkeypatch.setattr(matches, "MOST_SLOWLY", 0)
    matches._here.__dict__.clear()
    quick = played(FIGURE, "random", games=200, seed=2)
    for place in range(6):
        gap, spread = slow[place] - quick[place], sqrt(slow[place] + quick[place] + 1)
        assert abs(gap) < 4 * spread, (slow, quick)


def test_random_games_of_tic_tac_toe_end_as_often_as_is_known() -> None:
    """By exhaustion: the first player wins 737 of 1260, the second 121 of 420."""
    tally = played("random", "random", games=3_000)
    assert seat(plan_match("random", "random", "tic-tac-toe", 3_000, 1)).compiled
    first, second = tally.first_wins + tally.second_losses, tally.first_losses + tally.second_wins
    assert wilson(first, 3_000).low - 0.02 < 737 / 1260 < wilson(first, 3_000).high + 0.02
    assert wilson(second, 3_000).low - 0.02 < 121 / 420 < wilson(second, 3_000).high + 0.02


@pytest.mark.parametrize(("a", "plies"), [("perfect", 0), (f"{FIGURE}(tie=first)", 0), ("own.team", 0), ("random", 1)])
def test_what_the_engine_cannot_take_is_played_move_by_move(
    a: str, plies: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.team").write_text("if n(xx) >= 1 then return 1 with chance 50%\nreturn 2\n")
    assert not seat(plan_match(a, "random", "tic-tac-toe", 100_000, 0, plies)).compiled


# The command.


def test_the_shape_that_scripts_rely_on(capsys: Capture) -> None:
    assert main(["match", FIGURE, "random", "--games", "30", "--seed", "5", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["wins"] + said["losses"] + said["draws"] == said["games"] == 30 and said["seed"] == 5
    assert said["engine"] == "move by move" and said["complete"]
    for name in ("wins", "draws", "losses"):
        share = said["intervals"][name]
        assert share["low"] <= share["value"] <= share["high"] and share["value"] == round(said[name] / 30, 6)
        assert said["first"][name] + said["second"][name] == said[name]
    assert said["elo"]["low"] < said["elo"]["value"] < said["elo"]["high"]


def test_people_are_told_how_it_was_played(capsys: Capture) -> None:
    assert main(["match", FIGURE, "random", "--games", "10"]) == 0
    text = capsys.readouterr().out
    assert f"{FIGURE} against random at tic-tac-toe: 10 games, seed 0." in text
    assert "Played move by move" in text and "95% interval" in text and "Elo of" in text


def test_a_bar_tells_how_far_it_is_and_how_long_it_will_take(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teamplay.cli._progress.FIRST", 0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Bar(100) as bar:
        assert isinstance(bar, Bar)
        bar.show(50)  # known from an earlier run
        bar.began -= 10
        bar._next = 0
        bar.show(75)
    said = [line.rstrip() for line in capsys.readouterr().err.split("\r")]
    assert "##########..........  50%  50 of 100 games" in said
    assert "###############.....  75%  75 of 100 games, 10 s left" in said


@pytest.mark.parametrize(
    ("a", "b", "game"),
    [
        ("random", "misere/basic", "misere"),  # the first table's
        ("greedy", "random", "sos"),  # that of a player who plays no other
        ("random", "greedy", "sos"),
        ("random", "perfect", "tic-tac-toe"),
    ],
)
def test_without_a_game_the_players_tell_it(a: str, b: str, game: str, capsys: Capture) -> None:
    assert main(["match", a, b, "--games", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["game"] == game


def test_ctrl_c_keeps_what_is_done(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    chunks = iter(range(2))

    def impatient(chunk: matches.Chunk) -> matches.Played:
        if next(chunks, None) is None:
            raise KeyboardInterrupt
        return play_chunk(chunk)

    monkeypatch.setattr("teamplay.arena.series.play_chunk", impatient)
    assert main(["match", FIGURE, "random", "--games", "200", "--workers", "1"]) == 130
    assert "44 games, seed 0.\nStopped by Ctrl-C before the other 156." in capsys.readouterr().out
    assert main(["match", FIGURE, "random", "--games", "200", "--workers", "1"]) == 130
    assert capsys.readouterr().err.strip() == "teamplay: stopped."


def test_coins_are_recorded_with_the_rule_that_they_led_to(tmp_path: Path) -> None:
    table, file = tmp_path / "own.team", tmp_path / "games.jsonl"
    table.write_text("bold: return 1 with chance 30%\ncalm: return 2\n")
    assert main(["match", str(table), "random", "--games", "20", "--record", str(file)]) == 0
    games = [json.loads(line) for line in file.read_text().splitlines()]
    rules = [rule for game in games for rule in game["rules"] if rule]
    assert set(rules) == {"bold", "calm"}
    assert all((game["first"] == str(table)) == (game["rules"][0] is not None) for game in games)


MISTAKES = {
    "an unknown player": (["match", "nobody", "random"], "There is no player named `nobody`"),
    "a misspelt player": (
        ["match", "randon", "random", "--game", "sos"],
        "There is no player named `randon`. Did you mean `random`?",
    ),
    "another game": (["match", "tic-tac-toe/figure-6", "random", "--game", "sos"], "is for tic-tac-toe"),
    "no game": (["match", "random", "random", "--game", "chess"], "There is no game named `chess`"),
    "a bad option": (["match", "perfect(hurry=perhaps)", "random"], "`hurry` is true or false, not `perhaps`"),
    "no games": (["match", "random", "random", "--games", "0"], "`0` is not a whole number of at least 1"),
    "too many games": (["match", "random", "random", "--games", "9999999999"], "1 to 1,000,000,000 games"),
    "too long an opening": (["match", "random", "random", "--opening", "9"], "has 0 to 8 plies, not 9"),
    "no workers": (["match", "random", "random", "--workers", "none"], "`none` is not a whole number"),
    "workers without end": (["match", "random", "random", "--workers", "100000"], "32 for each core, not 100,000"),
    "both kinds of workers": (
        ["match", "random", "random", "--workers", "2", "--cluster", "tcp://x"],
        "one of the two",
    ),
    "no folder": (
        ["match", "random", "random", "--record", "/nowhere/x"],
        "cannot be written: there is no folder /nowhere",
    ),
    "no name": (["match", "random", "random", "--record", ""], "is not the name of a file"),
    "a full disk": (["match", "random", "random", "--record", "/dev/full"], "cannot be written: No space left"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence(mistake: str, capsys: Capture) -> None:
    arguments, expected = MISTAKES[mistake]
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert expected in error and (error.count("\n") == 1 or "error[T009]" in error)


def test_games_that_were_recorded_are_not_written_over(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("precious")
    assert main(["match", "random", "random", "--record", str(file)]) == 2
    assert "exists already; --force overwrites it" in capsys.readouterr().err and file.read_text() == "precious"
    assert main(["match", "random", "random", "--games", "2", "--record", str(file), "--force"]) == 0
    assert len(file.read_text().splitlines()) == 2


@pytest.fixture
def small_disk() -> Iterator[None]:
    """As if there were room for files of 1,000 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_fills_up_keeps_whole_games(tmp_path: Path, small_disk: None) -> None:
    match, file = plan_match("random", "random", "tic-tac-toe", 44, 0), tmp_path / "games"
    first, second = (Chunk(match, start, 22, recorded=True) for start in (0, 22))
    with Record(file) as record:
        record.add(first, ("one", "two") * 11)
        record.add(second, ("x" * 100,) * 22)
        assert "games cannot be written: File too large. It holds the first 31 games." in str(record.failure)
        record.add(Chunk(match, 44, 22, recorded=True), ("late",) * 22)
    assert file.read_text() == "one\ntwo\n" * 11 + ("x" * 100 + "\n") * 9


def test_a_full_disk_ends_the_record_and_not_the_match(tmp_path: Path, small_disk: None, capsys: Capture) -> None:
    """Also with the compiled engine, which hands over thousands of games at once."""
    file = tmp_path / "games.jsonl"
    assert main(["match", "random", "random", "--games", "2000", "--record", str(file), "--json"]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == 2000 and json.loads(said.out)["engine"] == "compiled"
    games = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(games) >= 2 and f"It holds the first {len(games)} games." in said.err


def test_once_the_disk_is_full_no_game_is_worked_out_for_the_record(
    tmp_path: Path, small_disk: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of 44,000 games cost a minute, those of the first chunk a second."""
    told, plain = list[int](), matches.line

    def noted(seated: matches.Seated, number: int, *rest: Any) -> str:
        told.append(number)
        return plain(seated, number, *rest)

    monkeypatch.setattr("teamplay.arena.batches.line", noted)
    series = Series(plan_match("random", "random", "tic-tac-toe", 44_000, 0))
    with Record(tmp_path / "games") as record:
        series.run(record=record)
    assert series.tally.games == 44_000 and record.failure and len(told) == seat(series.match).chunk < 44_000
    unrecorded = Series(series.match)
    unrecorded.run()
    assert unrecorded.tally == series.tally


def test_a_full_disk_does_not_stop_the_compiler(tmp_path: Path) -> None:
    """What was compiled can't be kept then, and the result is printed all the same."""
    (tmp_path / "kernel.py").write_text("def double(number):\n    return 2 * number\n")
    script = (
        "import resource; from kernel import double; from teamplay.engine.jit import _compiled; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)); print(_compiled(double, {}, ())(21))"
    )
    room = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": f"{Path(__file__).parents[1]}:{tmp_path}"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **room})
    assert (done.returncode, done.stdout) == (0, "42\n"), done.stderr


def test_a_match_that_fails_at_once_leaves_no_file_in_the_way_of_the_next(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "games.jsonl"
    assert main(["match", "perfect(positions=1)", "random", "--game", "misere", "--record", str(file)]) == 2
    assert "too large for the perfect player" in capsys.readouterr().err and not file.exists()


def test_a_match_is_played_by_the_texts_of_its_plan(tmp_path: Path) -> None:
    """A worker need not have the files: what the table and the game said when the match was planned is sent along."""
    table, own = tmp_path / "own.team", tmp_path / "own.toml"
    own.write_text(library.read(library.find("tic-tac-toe", ".toml")))
    table.write_text("game own.toml\nif n(xx) >= 1 then return 1\n")
    match = plan_match(str(table), "random", str(own), 20, 0)
    here = play_chunk(next(seat(match).chunks(lambda: True)))
    table.unlink()
    own.unlink()
    matches._here.__dict__.clear()  # as in a worker that has just begun
    assert play_chunk(next(seat(match).chunks(lambda: True))) == here
    with pytest.raises(BadFile):
        plan_match(str(table), "random", str(own), 20, 0)


# Numbers.


def test_wilson_intervals() -> None:
    """Against the values of Newcombe (1998), table I, method 3, and the bounds that shares have."""
    for found, games, low, high in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]:
        share = wilson(found, games)
        assert (round(share.low, 4), round(share.high, 4)) == (low, high)
    assert (wilson(29, 29).high, wilson(0, 0).high) == (1.0, 1.0)
    lows = [wilson(found, 50).low for found in range(51)]
    assert all(one < other for one, other in pairwise(lows))


def test_a_match_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(TeamplayError, match="1 to"):
        plan_match("random", "random", "tic-tac-toe", 0)
