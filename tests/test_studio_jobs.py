"""Jobs that come at once: each has a number of its own, only a few are let in, and one can be stopped at any time."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from teamplay.errors import BadSpec
from teamplay.studio.jobs import MOST_JOBS, STOPPED, Jobs
from tests.studio import alive

QUICK = {"game": "tic-tac-toe", "player": "random", "moves": []}
LONG = {"game": "mnk(m=5,n=5,k=4)", "player": "mnk/generic", "seat": "first"}

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="these tests look at processes in /proc")


def with_jobs(folder: Path, does: Callable[[Jobs], Awaitable[Any]]) -> Any:
    """What a coroutine comes to; no child is left."""

    async def run() -> Any:
        jobs = Jobs(folder)
        try:
            return await does(jobs)
        finally:
            await jobs.close()

    return asyncio.run(run())


async def everything(jobs: Jobs, kind: str, question: dict[str, Any]) -> list[dict[str, Any]]:
    try:
        return [said async for said in jobs.run(kind, question)]
    except BadSpec as error:
        return [{"refused": str(error)}]


def test_of_many_jobs_at_once_a_few_are_let_in_and_each_has_its_number(tmp_path: Path) -> None:
    async def many(jobs: Jobs) -> list[list[dict[str, Any]]]:
        return await asyncio.gather(*(everything(jobs, "reply", QUICK) for _ in range(MOST_JOBS + 3)))

    said = with_jobs(tmp_path, many)
    done = [lines for lines in said if "result" in lines[-1]]
    assert sorted(lines[0]["job"] for lines in done) == list(range(1, MOST_JOBS + 1))
    assert [len(lines) for lines in said if lines not in done] == [1, 1, 1]
    assert all(lines[0]["refused"].startswith("4 jobs run already") for lines in said if lines not in done)


def test_a_job_that_is_stopped_before_its_child_has_begun_is_stopped(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Starting Python takes a while, and an interrupt in that time must neither be lost nor end in a traceback."""

    async def stopped(jobs: Jobs) -> list[dict[str, Any]]:
        said = []
        async for line in jobs.run("verify", LONG):
            said.append(line)
            assert "job" not in line or jobs.stop(line["job"])
        return said

    first, *others = with_jobs(tmp_path, stopped)
    assert others == [{"error": STOPPED}] and not alive(first["pid"])
    assert capfd.readouterr().err == ""


def test_a_job_that_nobody_wants_any_more_makes_room_at_once(tmp_path: Path) -> None:
    async def dropped(jobs: Jobs) -> list[dict[str, Any]]:
        running = [jobs.run("verify", LONG) for _ in range(MOST_JOBS)]
        pids = [(await anext(lines))["pid"] for lines in running]
        for lines in running:
            await lines.aclose()  # type: ignore[attr-defined]
        assert not any(map(alive, pids))
        return await everything(jobs, "reply", QUICK)

    assert "result" in with_jobs(tmp_path, dropped)[-1]
