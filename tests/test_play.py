"""`play`: a person at the terminal, from the first prompt to who won and why."""

import io
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from teamplay import library
from teamplay.cli import main
from teamplay.game import Move, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import load_player
from tests.test_progress import Screen
from tests.test_show import cells_of

Play = Callable[..., str]
FIGURE = "tic-tac-toe/figure-15"


class Typed(io.StringIO):
    """What a person types; Ctrl-C where a line says so."""

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        line = super().readline()
        if line == "^C\n":
            raise KeyboardInterrupt
        return line


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Play with these lines typed, and see what the screen shows."""

    def play(lines: list[str], *arguments: str) -> str:
        monkeypatch.setattr(sys, "stdin", Typed("".join(f"{line}\n" for line in lines)))
        assert main(["play", *arguments]) == 0
        return capsys.readouterr().out

    return play


def boards(shown: str) -> list[list[str]]:
    """The cells of every board on the screen, in order."""
    return [cells_of(part) for part in re.split(r"\n\n", shown) if "│" in part]


def person(spec: str, game_spec: str, seat: int, seed: int) -> tuple[list[Move], list[Position]]:
    """The first legal moves of somebody in this seat against a player with this seed, and all positions of the game."""
    game = load_game(game_spec)
    opponent, luck = load_player(spec, game), Luck(seed)
    moves, positions = [], [game.start]
    while not game.outcome(positions[-1]):
        position = positions[-1]
        if position.seat == seat:
            moves.append(game.moves(position)[0])
            positions.append(game.after(position, moves[-1]))
        else:
            positions.append(game.after(position, opponent.choose(position, luck)))
    return moves, positions


# A whole game


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("seed", range(4))
def test_a_game_ends_with_who_won_why_and_where(typed: Play, seat: str, seed: int) -> None:
    me = ["first", "second"].index(seat)
    moves, positions = person("random", "tic-tac-toe", me, seed)
    shown = typed([str(move.cell + 1) for move in moves], "random", "--seat", seat, "--seed", str(seed))
    outcome = load_game("tic-tac-toe").outcome(positions[-1])
    assert outcome
    who = {None: "a draw, no move is left", me: "you ({}) win, 3 in a row", 1 - me: "random ({}) wins, 3 in a row"}
    assert f"The game is over: {who[outcome.winner].format('xo'[outcome.winner or 0])}.\n" in shown
    assert shown.endswith("again, undo, save FILE, why or quit> \n")
    last = boards(shown)[-1]
    assert {cell for cell, text in enumerate(last) if text.startswith("[")} == set(outcome.line)
    assert "Goodbye" not in shown


def test_the_board_shows_numbers_marks_and_the_last_move(typed: Play) -> None:
    shown = typed(["5"], "tic-tac-toe/figure-15", "--seed", "1")
    first, second = boards(shown)
    assert first == [str(i) for i in range(1, 10)]
    assert second[4] == "x"
    assert second.count("(o)") == 1
    assert sorted([text for text in second if text.isdigit()]) == sorted(
        str(i + 1) for i in range(9) if second[i] not in ("x", "(o)")
    )


@pytest.mark.parametrize("move", ["5", "b2", "2,2", " B2 ", "2 , 2"])
def test_a_cell_may_be_written_in_many_ways(typed: Play, move: str) -> None:
    assert boards(typed([move], "random", "--seed", "0"))[1][4] == "x"


def test_letters_stand_before_the_cell(typed: Play) -> None:
    shown = typed(["S13", "o b1", "13", "X5", "S13"], "random", "--game", "sos", "--seed", "0")
    assert boards(shown)[1][12] == "S"
    assert boards(shown)[2][1] == "O"
    assert "`13` is not a move; write S or O and a cell" in shown
    assert "Cell 13 is taken by S." in shown
    assert "Points: you 0, random 0." in shown


def test_a_piece_drops_where_a_column_is_named(typed: Play) -> None:
    shown = typed(["d", "39", "a1"], "random", "--game", "connect-four", "--seed", "0")
    assert boards(shown)[1][38] == "x"
    assert "Cell 39 is taken by x." in shown
    assert "Cell 1 can't be played: the cell below it is empty, and pieces drop." in shown


# What a person may get wrong


def test_bad_input_is_explained_and_asked_again(typed: Play) -> None:
    shown = typed(["", "0", "10", "z9", "hello", "\x1b[A\x07", "1" * 500, "5", "5"], "random", "--seed", "0")
    assert "Write a move, such as 1, or `help`." in shown
    assert shown.count("There is no cell") >= 3
    assert "`hello` is not a cell" in shown
    assert "\x1b" not in shown and "\x07" not in shown
    assert "Cell 5 is taken by x." in shown
    assert len(boards(shown)) == 2, "the board is drawn again only after a move"


@pytest.mark.parametrize("leave", [["quit"], ["exit"], ["Q"], ["^C"], [], ["5", "^C"], ["5"]])
def test_leaving_is_always_clean(typed: Play, leave: list[str]) -> None:
    assert typed(leave, "random", "--seed", "0").endswith("\nGoodbye.\n")


def test_help_names_every_word(typed: Play) -> None:
    shown = typed(["help"])
    words = ("5, b2 or 2,2", "?", "why, why CELL", "moves", "undo", "board", "again", "save FILE", "quit")
    assert all(f"\n{word}" in shown for word in words)


# Help from the team


def test_the_team_tells_what_it_would_think_in_your_place(typed: Play) -> None:
    shown = typed(["5", "?"], "tic-tac-toe/figure-6", "--seed", "0")
    asked = boards(shown)[2]
    assert sorted(text for text in asked if text.startswith("[")) == ["[2]"] * 7
    assert asked[4] == "x", "the marks stay those of the game"
    assert "7 cells tie at 2" in shown


def test_who_is_no_team_has_nothing_to_tell(typed: Play) -> None:
    assert "random is no team: it has no agents to ask." in typed(["?"], "random")


def test_asking_changes_nothing(typed: Play) -> None:
    plain = typed(["1", "5"], "tic-tac-toe/figure-15", "--seed", "7")
    asked = typed(["?", "1", "?", "?", "5"], "tic-tac-toe/figure-15", "--seed", "7")
    assert boards(plain)[-1] == boards(asked)[-1]


# Undo


def test_there_is_nothing_to_take_back_at_first(typed: Play) -> None:
    assert "There is no move of yours to take back." in typed(["undo"])


@pytest.mark.parametrize(
    ("spec", "game", "seat"),
    [
        ("random", "tic-tac-toe", "second"),
        ("tic-tac-toe/figure-15", "tic-tac-toe", "first"),
        ("random", "sos(n=3)", "first"),
        ("random", "reversi(n=4)", "second"),
    ],
)
def test_undo_goes_back_through_all_of_my_turns(typed: Play, spec: str, game: str, seat: str) -> None:
    rules = load_game(game)
    for seed in range(3):
        moves, _ = person(spec, game, ["first", "second"].index(seat), seed)
        lines = [rules.format_move(move) for move in moves[:-1]]
        shown = boards(
            typed([*lines, *["undo"] * len(lines)], spec, "--game", game, "--seat", seat, "--seed", str(seed))
        )
        there, back = shown[: len(lines) + 1], shown[len(lines) :]
        assert back == there[::-1], "every undo shows the board before the last move of mine"


def test_a_pass_is_announced_and_can_be_taken_back(typed: Play) -> None:
    for seed in range(60):
        moves, positions = person("random", "reversi(n=4)", 0, seed)
        passes = [
            (before, after)
            for before, after in pairwise(positions)
            if before.seat == after.seat and after != positions[-1]
        ]
        who = {1 - before.seat for before, _ in passes}
        if who == {0, 1}:
            break
    else:
        raise AssertionError("no such game")
    shown = typed([str(move.cell + 1) for move in moves], "random", "--game", "reversi(n=4)", "--seed", str(seed))
    assert shown.count("must pass") == len(passes)
    assert "You cannot move and must pass." in shown
    assert "random cannot move and must pass." in shown
    assert re.search(r"Marks: you \d+, random \d+\.", shown)


@pytest.mark.parametrize("game", library.names(".toml"))
def test_a_game_can_be_named_without_an_opponent(
    game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["play", "--game", f"{game}(n=6)" if game == "gomoku" else game, "--seed", "0"]) == 0
    against = re.search(r"against (\S+?)[:.]", capsys.readouterr().out)
    assert against and against[1] in library.names(".team")


# Why, and what comes after the end


LOST = ["5", "1", "2"]  # against figure 15 with seed 4, which then wins with cell 6


def test_why_explains_the_last_move_of_the_team(typed: Play) -> None:
    shown = typed(["why", "5", "why", "why 2", "why z9"], FIGURE, "--seed", "4")
    assert "The team has not moved yet." in shown
    thought = shown.split("So the team thought before it played 3 (c1).")
    assert len(thought) == 3 and "In its own view the team is x, and you are o." in " ".join(shown.split())
    assert cells_of(thought[0].rpartition("your move")[2])[4] == "(o)"  # as its agents saw it
    assert thought[0].endswith('--board ".../.o./..."\n'), "ready for explain"
    assert "`win` answers 1" in thought[1] and "It ties with 3 other cells" in thought[1]
    assert "Cell 2 (b1), an edge" in thought[2] and "There is no cell `z9`" in shown
    assert "no rule says why it made a move" in typed(["5", "why"], "random", "--seed", "0")


def test_why_is_about_the_last_of_several_moves(typed: Play) -> None:
    shown = typed(["5", "1", "why"], FIGURE, "--seed", "4")
    played = re.findall(rf"{FIGURE} plays (\d+ \(\w+\))", shown)
    assert len(set(played)) == 2
    assert f"So the team thought before it played {played[-1]}." in shown


def test_every_board_comes_with_its_drawing_and_the_end_with_the_moves(typed: Play) -> None:
    shown = typed(LOST, FIGURE, "--seed", "4")
    assert re.findall(r"^--board .*$", shown, re.MULTILINE)[:2] == ['--board ".../.../..."', '--board "..o/.x./..."']
    assert "Moves: 5 (b2), 3 (c1), 1 (a1), 9 (c3), 2 (b1), 6 (c2)." in shown
    assert '\n--moves "5 3 1 9 2 6"\n' in shown


def test_a_drawing_can_be_pasted_behind_show(typed: Play, capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(["a"], "sos/safe", "--game", "sos(n=3)", "--seat", "second", "--seed", "1")
    for line in re.findall(r"^(--board .*)$", shown, re.MULTILINE):
        assert main(["show", "sos/safe", "--game", "sos(n=3)", *shlex.split(line), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["seat"] == "second"


def test_after_the_end_a_move_can_be_taken_back_or_another_game_begun(typed: Play) -> None:
    shown = typed([*LOST, "6", "undo", "6", "again", "5", "quit"], FIGURE, "--seed", "4")
    assert "The game is over, so `6` can't be played." in shown
    assert boards(shown)[-3][5] == "x", "the board after the move that took the place of the last"
    assert "(Seed 4.)" in shown and "(Seed 5.)" in shown and shown.endswith("Goodbye.\n")


def test_games_that_are_over_are_saved_as_a_match_records_them(
    typed: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("other.jsonl").write_text("precious")
    end = ["save", "save other.jsonl", "save g.jsonl", "again", "5", "save g.jsonl", *LOST[1:], "save no/such"]
    shown = " ".join(typed(["save g.jsonl", *LOST, *end], FIGURE, "--seed", "4").split())
    assert "No game is over yet; there is nothing to save." in shown and "Name a file" in shown
    assert "other.jsonl exists already; `save other.jsonl --force` overwrites it." in shown
    assert Path("other.jsonl").read_text() == "precious" and "no/such cannot be written" in shown
    (saved,) = (json.loads(line) for line in Path("g.jsonl").read_text().splitlines())
    assert (saved["first"], saved["second"], saved["winner"]) == ("human", FIGURE, "second")
    assert saved["moves"] == [5, 3, 1, 9, 2, 6] and saved["rules"] == [None, "win", None, "win", None, "win"]
    typed([*LOST, "save other.jsonl --force"], FIGURE, "--seed", "4")
    assert Path("other.jsonl").read_text() == Path("g.jsonl").read_text()


def test_a_game_too_large_for_perfect_play_is_refused_before_the_first_move(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: pytest.fail("the person is asked"))
    assert main(["play", "perfect", "--game", "gomoku"]) == 2
    said = capsys.readouterr()
    assert "gomoku is too large for perfect play" in said.err and said.err.count("\n") == 1 and not said.out


def test_a_player_that_thinks_long_shows_that_it_does(typed: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Luck):
        def choice(self, seq):  # type: ignore[no-untyped-def]
            until = time.monotonic() + 20
            while "random is thinking (0 s)" not in screen.getvalue():
                assert time.monotonic() < until
                time.sleep(0.01)
            return super().choice(seq)

    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("teamplay.cli._progress.FIRST", 0)
    monkeypatch.setattr("teamplay.cli._progress.TICK", 0.01)
    monkeypatch.setattr("teamplay.cli._sitting.Luck", Slow)
    typed(["5"], "random", "--seed", "0")
    assert screen.getvalue().endswith("\r")


def test_two_people_are_not_disturbed_by_a_clock() -> None:
    """A line that moves while somebody types would be in the way."""
    here, there = pty.openpty()
    quick = "from teamplay.cli import _progress, main; _progress.TICK = 0.01; _progress.FIRST = 0.1; "
    for line in (["play", "human"], ["match", "human", "random", "--games", "1"]):
        process = subprocess.Popen(
            [sys.executable, "-c", f"{quick}main({line})"], stdin=there, stdout=there, stderr=there
        )
        try:
            shown = _read_until(here, b"your move, x>")
            os.write(here, b"5\n")
            shown += _read_until(here, b"your move")
            time.sleep(0.3)  # for twenty lines, if there were any
            os.write(here, b"\x04")
            while process.poll() is None:
                if select.select([here], [], [], 0.05)[0]:
                    shown += os.read(here, 4096)
            assert b" s)" not in shown
        finally:
            process.kill()
            process.wait()
    os.close(here)
    os.close(there)


# As a real process


def test_through_pipes_the_moves_are_seen() -> None:
    command = [sys.executable, "-m", "teamplay", "play", "random", "--seed", "0"]
    done = subprocess.run(command, input=b"5\n\xff\n", capture_output=True, check=True)
    shown = done.stdout.decode()
    assert "your move, x> 5\n" in shown
    assert shown.endswith("Goodbye.\n")
    assert done.stderr == b""
    assert "\x1b" not in shown


def test_at_a_terminal_control_c_leaves_with_a_goodbye() -> None:
    here, there = pty.openpty()
    # A test run started in the background ignores Ctrl-C, and would hand that on to the game.
    listening = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    command = [sys.executable, "-c", f"{listening}from teamplay.cli import main; main(['play', '--seed', '0'])"]
    process = subprocess.Popen(command, stdin=there, stdout=there, stderr=there, start_new_session=True)
    os.close(there)
    try:
        shown = _read_until(here, b"your move, x>")
        os.write(here, b"b2\n")
        shown += _read_until(here, b"your move, x>")
        for _ in range(20):  # one that comes just before the wait for a key is not noticed
            process.send_signal(signal.SIGINT)
            while b"Goodbye." not in shown and select.select([here], [], [], 2)[0]:
                shown += os.read(here, 4096)
            if b"Goodbye." in shown:
                break
        assert b"Goodbye." in shown
        assert process.wait(timeout=20) == 0
        assert b"Traceback" not in shown
    finally:
        process.kill()
        process.wait()
        os.close(here)


def _read_until(terminal: int, word: bytes) -> bytes:
    shown = b""
    while word not in shown:
        assert select.select([terminal], [], [], 30)[0], f"waited in vain for {word!r} after {shown!r}"
        shown += os.read(terminal, 4096)
    return shown
