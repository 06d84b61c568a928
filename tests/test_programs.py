"""Hostile programs as players: they talk without end, never listen, leave children behind, or outlive their master."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import teamplay
from teamplay.cli import main
from teamplay.errors import Forfeit
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import gomocup, gtp, load_player
from teamplay.protocols import program as programs
from teamplay.protocols.program import LONGEST_LINE, MOST_WAITING, EngineProgram, programs_ended

FAR = 60.0  # seconds that a busy machine may need; nothing here waits for them unless it is broken


def written(folder: Path, text: str, name: str = "program.py") -> str:
    """A command that runs a small program."""
    path = folder / name
    path.write_text(textwrap.dedent(text), "utf-8")
    return f"{sys.executable} -u {path}"


def wait_for_end(pid: int) -> None:
    """Wait until a process is gone, or only its parent has not noticed."""
    end = time.monotonic() + FAR
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except OSError:
            return
        time.sleep(0.02)
    raise AssertionError(f"process {pid} goes on")


def later() -> float:
    return time.monotonic() + FAR


def test_lines_end_in_any_way_and_are_cut(tmp_path: Path) -> None:
    command = written(
        tmp_path,
        """
        import sys
        sys.stdout.buffer.write(b"one\\rtwo\\r\\nthree\\n" + b"x" * 3_000_000 + b"\\nfour\\xff")
        """,
    )
    program = EngineProgram(command)
    assert [program.hear(later()) for _ in range(3)] == ["one", "two", "three"]
    assert program.hear(later()) == "x" * LONGEST_LINE
    assert program.hear(later()) == "four�"
    with pytest.raises(Forfeit, match="ended early"):
        program.hear(later())


def test_endless_output_fills_no_memory_and_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "GRACE", 0.0)
    program = EngineProgram(written(tmp_path, "while True:\n    print('DEBUG ' * 100)"))
    waiting = program._heard.lines
    while waiting.qsize() < MOST_WAITING:
        time.sleep(0.01)
    with pytest.raises(Forfeit, match=r"did not answer in time\. Its last words were: DEBUG"):
        while True:
            program.hear(time.monotonic() - 1)
    assert waiting.qsize() <= MOST_WAITING


def test_endless_chatter_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "GRACE", 0.0)
    monkeypatch.setattr(gomocup, "SLACK", 0.0)
    command = written(tmp_path, "print('OK')\nwhile True:\n    print('MESSAGE I am thinking')")
    engine = load_player(f"gomocup(seconds=0.1):{command}", load_game("gomoku"))
    with pytest.raises(Forfeit, match="did not answer in time"):
        engine.choose(load_game("gomoku").start, Luck(0))


def test_a_program_that_never_reads_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "DEAF", 0.05)
    program = EngineProgram(written(tmp_path, "import time\ntime.sleep(1000)"))
    with pytest.raises(Forfeit, match="does not read what it is told"):
        program.say("x" * 1_000_000)


def test_children_of_a_program_end_with_it(tmp_path: Path) -> None:
    """Also one that ignores SIGTERM."""
    command = written(
        tmp_path,
        """
        import subprocess, sys, time
        child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True)"
        child += "; time.sleep(1000)"
        running = subprocess.Popen([sys.executable, "-c", child], stdout=subprocess.PIPE)
        running.stdout.readline()
        print(running.pid)
        time.sleep(1000)
        """,
    )
    program = EngineProgram(command)
    child = int(program.hear(later()))
    program.close()
    wait_for_end(child)


def test_a_grandchild_that_holds_the_output_does_not_hold_us(tmp_path: Path) -> None:
    """It has left the program's session, so nobody here can end it; but nobody waits for it either."""
    command = written(
        tmp_path,
        """
        import subprocess, sys
        child = [sys.executable, "-c", "import time; time.sleep(1000)"]
        print(subprocess.Popen(child, start_new_session=True).pid)
        """,
    )
    program = EngineProgram(command)
    child = int(program.hear(later()))
    try:
        program.close()
    finally:
        os.kill(child, signal.SIGKILL)


STUBBORN = "import os, signal, time\nfor s in (1, 2, 13, 15): signal.signal(s, signal.SIG_IGN)\nprint(os.getpid())\n"
STUBBORN += "while True: time.sleep(1)\n"


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_a_program_does_not_outlive_us_however_we_die(tmp_path: Path, sign: signal.Signals) -> None:
    stubborn = written(tmp_path, STUBBORN, "stubborn.py")
    driver = written(
        tmp_path,
        f"""
        import time
        from teamplay.protocols.program import EngineProgram
        program = EngineProgram({stubborn!r})
        print(program.hear(time.monotonic() + 60))
        time.sleep(1000)
        """,
    )
    with subprocess.Popen(driver.split(), stdout=subprocess.PIPE) as running:
        assert running.stdout
        engine = int(running.stdout.readline())
        running.send_signal(sign)
    wait_for_end(engine)


def test_a_program_that_is_forgotten_ends(tmp_path: Path) -> None:
    program = EngineProgram(written(tmp_path, "import os, time\nprint(os.getpid())\ntime.sleep(1000)"))
    pid = int(program.hear(later()))
    del program
    gc.collect()
    wait_for_end(pid)


# A brain for five in a row: the first blank cell of a row from the left, and its process number in a file

BRAIN = """
import os, pathlib, sys
pathlib.Path(sys.argv[1]).open("a").write(f"{os.getpid()}\\n")
taken = set()
def move():
    x, y = next((x, y) for y in range(15) for x in range(15) if (x, y) not in taken)
    taken.add((x, y))
    return f"{x},{y}"
for line in sys.stdin:
    words = line.replace(",", " ").split()
    if words[0] in ("START", "BOARD"):
        taken.clear()
    if words[0] == "START":
        print("OK - everything is good")
    elif words[0] == "TURN":
        taken.add((int(words[1]), int(words[2])))
        print(move())
    elif words[0].isdigit():
        taken.add((int(words[0]), int(words[1])))
    elif words[0] in ("BEGIN", "DONE"):
        print("SUGGEST " + move())
    elif words[0] == "PLAY":
        print(f"{words[1]},{words[2]}")
    elif words[0] == "END":
        break
    elif words[0] != "BOARD":
        print("UNKNOWN command")
"""


def brain(folder: Path) -> tuple[str, Path]:
    """A spec, and the file that gets a line for each process."""
    pids = folder / "pids"
    return f"gomocup(seconds={FAR:.0f}):{written(folder, BRAIN)} {pids}", pids


def test_a_brain_that_knows_the_mandatory_commands_only(tmp_path: Path) -> None:
    """It answers UNKNOWN to INFO and RESTART, so that it is started again for each game; it suggests moves."""
    spec, pids = brain(tmp_path)
    game = load_game("gomoku")
    engine = load_player(spec, game)
    position = game.start
    for _ in range(2):
        position = game.after(position, engine.choose(position, Luck(0)))
        position = game.after(position, game.moves(position)[-1])
    assert engine.choose(position, Luck(0)).cell == 2
    assert engine.choose(game.start, Luck(0)).cell == 0  # another game
    assert len(pids.read_text().split()) == 2
    engine.close()  # type: ignore[attr-defined]
    for pid in map(int, pids.read_text().split()):
        wait_for_end(pid)
    assert engine.choose(game.start, Luck(0)).cell == 0  # it is started again
    engine.close()  # type: ignore[attr-defined]


TALKATIVE = """
import sys
free = 0
for line in sys.stdin:
    if line.startswith("START"):
        open(sys.argv[1], "a").write(".")
    if line.startswith(("START", "INFO")):
        print("OK", flush=True)
    elif line.startswith("RESTART"):
        print("ERROR can not restart", flush=True)
    elif line.startswith(("BEGIN", "TURN")):
        print(f"{free},0", flush=True)
        free += 1
"""


def test_a_brain_that_answers_info_and_refuses_to_restart_is_started_again(tmp_path: Path) -> None:
    game, starts = load_game("gomoku"), tmp_path / "starts"
    engine = load_player(f"gomocup(seconds={FAR:.0f}):{written(tmp_path, TALKATIVE)} {starts}", game)
    for _ in range(2):
        position = game.after(game.start, engine.choose(game.start, Luck(0)))
        assert engine.choose(game.after(position, game.moves(position)[-1]), Luck(0)).cell == 1
    engine.close()  # type: ignore[attr-defined]
    assert starts.read_text() == ".."


def test_a_match_ends_its_programs(tmp_path: Path) -> None:
    spec, pids = brain(tmp_path)
    assert teamplay.match(spec, "random", games=2, game="gomoku").wins >= 0
    started = [int(pid) for pid in pids.read_text().split()]
    assert started and not any(Path(f"/proc/{pid}").exists() for pid in started)


def test_ctrl_c_ends_the_programs_of_a_match(tmp_path: Path) -> None:
    spec, pids = brain(tmp_path)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    assert not teamplay.match(spec, "random", games=1000, game="gomoku", progress=stop).complete
    started = [int(pid) for pid in pids.read_text().split()]
    assert started and not any(Path(f"/proc/{pid}").exists() for pid in started)


def test_an_error_ends_the_programs_of_a_block(tmp_path: Path) -> None:
    spec, pids = brain(tmp_path)
    game = load_game("gomoku")
    engine = load_player(spec, game)
    with pytest.raises(ZeroDivisionError), programs_ended():
        assert engine.choose(game.start, Luck(0)).cell == 0 // 1
        raise ZeroDivisionError
    assert not Path(f"/proc/{int(pids.read_text())}").exists()


def test_a_question_that_was_interrupted_is_not_answered_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec, pids = brain(tmp_path)
    game = load_game("gomoku")
    engine = load_player(spec, game)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(gomocup.GomocupEngine, "_answered", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        engine.choose(game.start, Luck(0))
    wait_for_end(int(pids.read_text()))
    after = game.after(game.start, game.moves(game.start)[0])
    assert engine.choose(after, Luck(0)).cell == 1
    engine.close()  # type: ignore[attr-defined]


def test_a_program_that_can_not_play_loses_its_games_and_the_match_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also where the match asks it before the first game, to see whether chance has a part in its moves."""
    game = ["--game", "reversi(n=4)", "--games", "2", "--json"]
    assert main(["match", "gtp:false", "minimax(depth=1)", *game]) == 0
    said = capsys.readouterr().out
    assert '"losses": 2' in said and "The program `false` ended early" in said


# Passes

PASSING = """
import sys
moves = iter(sys.argv[1:])
for line in sys.stdin:
    print(line.strip(), file=sys.stderr)
    print("= " + next(moves) + "\\n" if line.startswith("genmove") else "? no\\n" if "pass" in line else "=\\n")
"""


def test_a_pass_after_its_own_move_is_announced(tmp_path: Path) -> None:
    """White's second move leaves black without one; the program refuses to be told, which is forgiven."""
    game, log = load_game("reversi(n=4)"), tmp_path / "log.txt"
    spec = f"gtp(rows=top,seconds={FAR:.0f},log={log}):{written(tmp_path, PASSING)} C1 A1 A3"
    engine, position = load_player(spec, game), game.start
    for cell in (1, None, 11, None):
        move = engine.choose(position, Luck(0)) if cell is None else game.moves(position)[0]
        position = game.after(position, move if cell is None else type(move)(cell, "x"))
    assert position.seat == 1
    engine.choose(position, Luck(0))
    said = [line[2:] for line in log.read_text().splitlines() if line[0] == ">"]
    assert said[-4:] == ["play black D3", "genmove white", "play black pass", "genmove white"]
    engine.close()  # type: ignore[attr-defined]


SPEAKING = """
import sys
for line in sys.stdin:
    print("= " + sys.argv[1] + "\\n" if line.startswith("genmove") else "=\\n", flush=True)
"""


def test_a_program_may_resign(tmp_path: Path) -> None:
    """It is no misunderstanding, so the program is not asked again with rows from the other end."""
    game, log = load_game("reversi(n=4)"), tmp_path / "log.txt"
    engine = load_player(f"gtp(seconds={FAR:.0f},log={log}):{written(tmp_path, SPEAKING)} Resign", game)
    with pytest.raises(Forfeit, match="resigned"):
        engine.choose(game.start, Luck(0))
    assert log.read_text().count("genmove") == 1


def test_last_words_do_not_steer_a_terminal(tmp_path: Path) -> None:
    game = load_game("reversi(n=4)")
    command = written(tmp_path, SPEAKING.replace("sys.argv[1]", "'\\x1b[2J\\x07z9'"))
    with pytest.raises(Forfeit, match=r"\[2J.*z9") as caught:
        load_player(f"gtp(rows=top,seconds={FAR:.0f}):{command}", game).choose(game.start, Luck(0))
    assert str(caught.value).isprintable()


def test_only_a_misunderstood_move_is_tried_from_the_other_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that crashed is not started again to see whether it counts rows in another way."""
    monkeypatch.setattr(gtp, "START_SECONDS", FAR)
    starts = tmp_path / "starts"
    command = written(tmp_path, "import sys\nopen(sys.argv[1], 'a').write('.')\nsys.exit('no licence')")
    with pytest.raises(Forfeit, match="no licence"):
        load_player(f"gtp:{command} {starts}", load_game("reversi")).choose(load_game("reversi").start, Luck(0))
    assert starts.read_text() == "."
