"""How does long work run? In child processes, a few at most, that can be stopped and never outlive the server."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from teamplay.errors import BadSpec

MOST_JOBS = 4
PATIENCE = 5.0  # seconds between asking a child to stop and ending it
LONGEST_LINE = 1 << 27  # bytes
STOPPED = "Stopped."
BEGIN = "from teamplay.studio.work import main; main()"


@dataclass
class Job:
    """One piece of work in the hands of a child."""

    number: int
    child: asyncio.subprocess.Process
    stopping: "asyncio.Task[None] | None" = None


@dataclass
class Jobs:
    """The children at work, and one that waits: starting Python costs more than most jobs."""

    folder: Path
    running: dict[int, Job] = field(default_factory=dict)
    idle: list[asyncio.subprocess.Process] = field(default_factory=list)
    starting: int = 0  # jobs whose child is not there yet
    count: int = 0  # jobs so far

    async def run(self, kind: str, question: Mapping[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """Everything that a job says, its number first; a reader that goes away ends the job."""
        if len(self.running) + self.starting >= MOST_JOBS:
            raise BadSpec(f"{MOST_JOBS} jobs run already; stop one, or wait for it.")
        self.starting += 1  # before anything is waited for: many that come at once don't all get in
        try:
            child = await self._child()
        finally:
            self.starting -= 1
        self.count += 1
        job = self.running[self.count] = Job(self.count, child)
        done = False
        try:
            yield {"job": job.number, "pid": job.child.pid}
            assert job.child.stdin and job.child.stdout
            job.child.stdin.write(json.dumps({"kind": kind, "question": dict(question)}).encode() + b"\n")
            await job.child.stdin.drain()
            async for line in job.child.stdout:
                said = json.loads(line)
                done = "result" in said or "error" in said
                if done and job.stopping:
                    await self._end(job.child)  # before the page hears of it: a stopped job leaves no process
                yield said
                if done:
                    break
            else:
                yield {"error": STOPPED if job.stopping else "The work was ended before it came to a result."}
        finally:
            del self.running[job.number]
            if job.stopping:
                job.stopping.cancel()
            await self._leave(job, done)

    def stop(self, number: int) -> bool:
        """Ask a job for what it has by now; one that does not listen is ended."""
        job = self.running.get(number)
        if job and not job.stopping:
            _signal(job.child, signal.SIGINT)
            job.stopping = asyncio.get_running_loop().create_task(self._insist(job))
        return job is not None

    async def _insist(self, job: Job) -> None:
        await asyncio.sleep(PATIENCE)
        _signal(job.child, signal.SIGKILL)

    async def _child(self) -> asyncio.subprocess.Process:
        """A child that waits, or a new one."""
        while self.idle:
            child = self.idle.pop()
            if child.returncode is None:
                return child
        # A child is born with interrupts blocked: one that comes before its job has begun waits until then.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", BEGIN),
                cwd=self.folder,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                start_new_session=True,  # Ctrl-C at the terminal is for the server, which ends its children itself
            )
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    async def _leave(self, job: Job, done: bool) -> None:
        """After a job its child waits for the next; a child that was stopped or left ends."""
        if done and not job.stopping and job.child.returncode is None and not self.idle:
            self.idle.append(job.child)
        else:
            await self._end(job.child)

    async def _end(self, child: asyncio.subprocess.Process) -> None:
        _signal(child, signal.SIGKILL)
        await child.wait()

    async def warm(self) -> None:
        """Start the child that waits."""
        if not self.idle:
            self.idle.append(await self._child())

    async def close(self) -> None:
        """End every child."""
        for child in [*self.idle, *(job.child for job in self.running.values())]:
            await self._end(child)
        self.idle.clear()


def _signal(child: asyncio.subprocess.Process, number: int) -> None:
    """Send a signal without asking for the child's state first: asking would take its end away from asyncio."""
    if child.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(child.pid, number)
