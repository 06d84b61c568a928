"""Workers: any executor, processes that die, a real cluster; the work is done all the same, or it is said why not."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from teamplay.arena import workers
from teamplay.arena.match import plan_match
from teamplay.arena.series import Series
from teamplay.arena.workers import Crew, carry_out, cluster, processes
from teamplay.cli import main
from teamplay.errors import TeamplayError

Capture = pytest.CaptureFixture[str]


def squared(number: int) -> int:
    return number * number


def deadly_once(path: str) -> str:
    """Kill the worker the first time that it is asked for this file."""
    if not os.path.exists(path):  # noqa: PTH110
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path


def deadly_for_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def failing(number: int) -> int:
    raise ZeroDivisionError("nothing to share")


def refusing(number: int) -> int:
    raise TeamplayError("This can't be done.")


# Any executor.


def threads(count: int = 2) -> Crew:
    return Crew(lambda: ThreadPoolExecutor(count), 2 * count, lambda executor: executor.shutdown())


@pytest.mark.parametrize("crew", [None, threads(1), threads(3)])
def test_every_task_is_done_once(crew: Crew | None) -> None:
    assert sorted(carry_out(squared, range(50), crew)) == [(number, number * number) for number in range(50)]


def test_no_more_is_handed_out_than_the_window_holds() -> None:
    begun: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(30):
            begun.append(number)
            yield number

    for done, _ in enumerate(carry_out(squared, tasks(), threads(2))):
        assert len(begun) <= done + 1 + 4 + 4  # at most a window that is done, and another that is out


def test_a_pool_is_not_hired_for_what_is_done_at_once() -> None:
    def hire() -> Executor:
        raise AssertionError("nobody is needed")

    crew = Crew(hire, 2, lambda executor: None)
    assert len(list(carry_out(squared, range(9), crew, patience=60))) == 9
    assert list(carry_out(squared, [], crew)) == []


def test_what_a_task_refuses_ends_the_work_with_its_sentence() -> None:
    with pytest.raises(TeamplayError, match=r"^This can't be done\.$"):
        list(carry_out(refusing, [1], threads()))


@pytest.mark.parametrize("crew", [threads(), processes(1)], ids=["thread", "process"])
def test_a_defect_in_a_worker_stays_a_defect_and_says_at_which_task(crew: Crew) -> None:
    with pytest.raises(ZeroDivisionError, match="nothing to share") as caught:
        list(carry_out(failing, [1], crew))
    assert caught.value.__notes__ == ["A worker failed at 1."]


# Processes.


def test_what_a_dead_worker_was_doing_is_done_again(tmp_path: Path) -> None:
    tasks = [str(tmp_path / str(number)) for number in range(2)]
    assert sorted(task for task, _ in carry_out(deadly_once, tasks, processes(1))) == tasks


def test_ctrl_c_reaches_the_driver_and_no_worker() -> None:
    """Not even one that has just begun: it is started with Ctrl-C held back, and then ignores it."""
    assert list(carry_out(hears_ctrl_c, [0], processes(1))) == [(0, (True, True))]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def hears_ctrl_c(_: int) -> tuple[bool, bool]:
    held_back = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    return held_back, signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_a_system_that_has_no_room_for_workers_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(ProcessPoolExecutor, "submit", full)
    with pytest.raises(TeamplayError, match=r"^No more workers can be started: Too many open files\.$"):
        list(carry_out(squared, [1], processes(2)))


def test_a_task_that_kills_every_worker_is_named_and_the_others_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "SHARED_DEATHS", 1)
    monkeypatch.setattr(workers, "LONE_DEATHS", 1)
    done = []
    with pytest.raises(TeamplayError, match="died again and again at 3; all other results are kept"):
        for task, _ in carry_out(deadly_for_three, range(5), processes(1)):
            done.append(task)
    assert set(done) <= {0, 1, 2, 4} and {0, 1} <= set(done)


def test_nobody_is_left_when_the_driver_stops_in_the_middle() -> None:
    hired: list[ProcessPoolExecutor] = []

    def hire() -> Executor:
        made = crew.hire()
        assert isinstance(made, ProcessPoolExecutor)
        hired.append(made)
        return made

    crew = processes(2)
    work = carry_out(time.sleep, [0.0, 60.0, 60.0, 60.0], Crew(hire, 4, crew.dismiss))
    next(work)
    staff = list(hired[0]._processes.values())
    work.close()
    until = time.monotonic() + 10  # of the 60 seconds that the last would sleep
    while any(process.is_alive() for process in staff):  # the pool's own thread may be the one that learns of the end
        assert time.monotonic() < until
        time.sleep(0.01)
    assert len(staff) == 2


# A cluster.


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dask scheduler with one worker, each a program of its own."""
    folder = tmp_path_factory.mktemp("dask")
    dask, log = [sys.executable, "-m", "dask"], folder / "scheduler"
    quiet = {**os.environ, "DASK_DISTRIBUTED__DASHBOARD__LINK": ""}
    flags = ["--host", "127.0.0.1", "--no-dashboard"]
    with log.open("w") as out:
        programs = [subprocess.Popen([*dask, "scheduler", *flags, "--port", "0"], stderr=out, cwd=folder, env=quiet)]
        try:
            address = _announced(log, r"Scheduler at:\s+(tcp://\S+)")
            line = [*dask, "worker", address, "--nthreads", "2", "--no-dashboard", "--nworkers", "1", "--no-nanny"]
            programs.append(subprocess.Popen(line, stderr=subprocess.DEVNULL, cwd=folder, env=quiet))
            _announced(log, r"(Register worker)")
            yield address
        finally:
            for program in reversed(programs):
                program.kill()
                program.wait()


def _announced(log: Path, pattern: str) -> str:
    """What a program has written about itself, as soon as it has."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if match := re.search(pattern, log.read_text()):
            return match[1]
        time.sleep(0.05)
    raise AssertionError(f"nothing like {pattern} in {log.read_text()}")


def test_a_cluster_plays_the_same_games(scheduler: str, capsys: Capture) -> None:
    line = ["match", "tic-tac-toe/figure-15", "random", "--games", "200", "--seed", "6", "--json"]
    assert main([*line, "--cluster", scheduler]) == 0
    there = capsys.readouterr().out
    assert main([*line, "--workers", "1"]) == 0
    assert there == capsys.readouterr().out


def test_a_cluster_needs_none_of_your_files(
    scheduler: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers run in another folder, where these paths lead nowhere; the texts travel with the work."""
    monkeypatch.chdir(tmp_path)
    Path("wide.toml").write_text('about = "wide"\nboard = [3, 4]\n[goal]\nline = 3\n')
    Path("own.team").write_text("game wide.toml\nif n(xx) >= 1 then return 1\nreturn 2\n")
    line = ["match", "own.team", "random", "--games", "60", "--json"]
    assert main([*line, "--cluster", scheduler]) == 0
    there = capsys.readouterr().out
    assert main([*line, "--workers", "1"]) == 0
    assert there == capsys.readouterr().out


def test_equal_tasks_are_all_done_on_a_cluster(scheduler: str) -> None:
    """Dask takes equal calls for one, unless it is told otherwise."""
    stamps = [result for _, result in carry_out(stamped, [0] * 12, cluster(scheduler))]
    assert len(set(stamps)) == 12


def stamped(_: int) -> int:
    return time.perf_counter_ns()


def test_a_local_cluster_that_loses_a_worker_plays_on() -> None:
    from distributed import LocalCluster

    match = plan_match("tic-tac-toe/figure-15", "random", "tic-tac-toe", 200, 2, 1)
    here, there = Series(match), Series(match)
    here.run()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local:
        killed = []

        def kill_one() -> None:
            if not killed:
                process = next(iter(local.workers.values())).process.process
                os.kill(process.pid, signal.SIGKILL)
                killed.append(process.pid)

        there.run(cluster(local.scheduler_address), told=kill_one)
    assert killed and there.tally == here.tally


def test_a_cluster_that_is_not_there(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "CONNECTING", 0.5)
    assert main(["match", "random", "random", "--cluster", "tcp://127.0.0.1:9"]) == 2
    assert main(["match", "random", "random", "--cluster", "gopher://nowhere"]) == 2
    text = capsys.readouterr().err
    assert text.count("No dask scheduler answers at") == text.count("\n") == 2
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["match", "random", "random", "--cluster", "tcp://127.0.0.1:9"]) == 2
    assert "pip install 'teamplay[cluster]'" in capsys.readouterr().err
