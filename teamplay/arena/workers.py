"""Who does the work? This process, a pool of processes, or a cluster: any executor of PEP 3148, rebuilt when it breaks.

Tasks are plain values, and may be done twice if a worker dies: what comes of one depends on nothing else.
"""

import importlib
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from concurrent.futures.process import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from teamplay.errors import TeamplayError

SHARED_DEATHS = 3  # of workers, together with other tasks, after which a task is tried alone
LONE_DEATHS = 2  # after which it is given up
GOING_DOWN = 5.0  # seconds that tasks of a broken pool have to say so
CONNECTING = 10.0  # seconds for a scheduler to answer
PATIENCE = 1.0  # seconds of work that are not worth a pool

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Crew:
    """How to hire workers, how many tasks to hand out at once, and how to send workers home, busy or not."""

    hire: Callable[[], Executor]
    window: int
    dismiss: Callable[[Executor], None]


def processes(workers: int) -> Crew:
    """Fresh processes on this machine."""

    def hire() -> Executor:
        return _Processes(workers, multiprocessing.get_context("spawn"), initializer=_begin)

    return Crew(hire, 2 * workers, _dismiss)


class _Processes(ProcessPoolExecutor):
    """Starts a process when there is work for it; none that has just begun is hit by Ctrl-C."""

    def submit(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> "Future[Result]":
        try:
            with _undisturbed():
                return super().submit(function, *args, **kwargs)
        except OSError as error:
            raise TeamplayError(f"No more workers can be started: {error.strerror or error}.") from None


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold Ctrl-C back, also from processes that are started meanwhile, where the system can."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """A worker leaves Ctrl-C to the driver, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    driver = multiprocessing.parent_process()
    assert driver

    def watch() -> None:
        driver.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _dismiss(executor: Executor) -> None:
    """Send processes home at once: nobody waits for what they are doing."""
    assert isinstance(executor, ProcessPoolExecutor)
    busy = list((executor._processes or {}).values())
    executor.shutdown(wait=False, cancel_futures=True)
    for process in busy:
        process.terminate()
    for process in busy:
        process.join()


def carry_out(
    function: Callable[[Task], Result], tasks: Iterable[Task], crew: Crew | None = None, patience: float = 0.0
) -> Generator[tuple[Task, Result], None, None]:
    """Every task with what came of it, as they are done; here as long as `patience` lasts, or without a crew.

    Patience begins with the second task: the first may wait for the compiler, and then the others are quick.
    """
    waiting, until = iter(tasks), float("inf") if patience else 0.0
    while crew is None or time.monotonic() < until:
        try:
            task = next(waiting)
        except StopIteration:
            return
        yield task, function(task)
        until = min(until, time.monotonic() + patience)
    yield from _Shift(function, waiting, crew)


class _Shift(Generic[Task, Result]):
    """Tasks in the hands of a crew; the state is who works at what, and which tasks have lost their workers."""

    def __init__(self, function: Callable[[Task], Result], waiting: Iterator[Task], crew: Crew) -> None:
        self.function, self.waiting, self.crew = function, waiting, crew
        self.out: dict[Future[Result], Task] = {}
        self.again: deque[Task] = deque()
        self.suspects: deque[Task] = deque()  # each is tried alone, to see whether it kills its worker
        self.deaths: Counter[Task] = Counter()

    def __iter__(self) -> Iterator[tuple[Task, Result]]:
        first = self._next()
        if first is None:
            return
        self.again.append(first)
        self.executor = self.crew.hire()
        try:
            while self._hand_out():
                wait(self.out, return_when=FIRST_COMPLETED)
                yield from self._collect()
        finally:
            self.crew.dismiss(self.executor)

    def _next(self) -> Task | None:
        return self.again.popleft() if self.again else next(self.waiting, None)

    def _hand_out(self) -> bool:
        """Give the workers what they can hold; False if nothing is left to do."""
        if self.suspects:
            if not self.out:
                self._submit(self.suspects.popleft())
            return True
        while len(self.out) < self.crew.window and (task := self._next()) is not None:
            if not self._submit(task):
                break
        return bool(self.out)

    def _submit(self, task: Task) -> bool:
        """Hand out one task; False if the workers are gone."""
        try:
            self.out[self.executor.submit(self.function, task)] = task
        except (BrokenExecutor, RuntimeError):
            lost: Future[Result] = Future()
            lost.set_exception(BrokenExecutor())
            self.out[lost] = task
            return False
        return True

    def _collect(self) -> Iterator[tuple[Task, Result]]:
        """What is done; if a worker has died, all that it took with it is handed out again."""
        lost: list[Task] = []
        yield from self._done(lost)
        if lost:
            wait(self.out, timeout=GOING_DOWN)
            yield from self._done(lost)
            lost.extend(self.out.values())
            self.out.clear()
            self._mourn(lost)
            self.crew.dismiss(self.executor)
            self.executor = self.crew.hire()

    def _done(self, lost: list[Task]) -> Iterator[tuple[Task, Result]]:
        """What came of tasks; those whose worker died are `lost`, and a task's own error is everybody's."""
        for future in [future for future in self.out if future.done()]:
            task = self.out.pop(future)
            try:
                result = future.result()
            except (BrokenExecutor, CancelledError):
                lost.append(task)
            except TeamplayError:
                raise
            except Exception as error:
                error.add_note(f"A worker failed at {task}.")
                raise
            else:
                yield task, result

    def _mourn(self, lost: Iterable[Task]) -> None:
        """Which of these tasks has killed a worker can't be told, unless it was alone or it happens again."""
        for task in lost:
            self.deaths[task] += 1
            if self.deaths[task] >= SHARED_DEATHS + LONE_DEATHS:
                raise TeamplayError(f"The worker died again and again at {task}; all other results are kept.")
            (self.suspects if self.deaths[task] >= SHARED_DEATHS else self.again).append(task)


def cluster(address: str) -> Crew:
    """The workers of a dask.distributed cluster, by the address of its scheduler."""
    client = _client(address)
    threads = sum(client.nthreads().values())
    client.close()
    if not threads:
        raise TeamplayError(f"The cluster at {address} has no workers; start one: `dask worker {address}`.")
    return Crew(lambda: _Cluster(address), 2 * threads, lambda executor: executor.shutdown(wait=False))


class _Cluster(Executor):
    """Dask's own executor, with the connection that it belongs to."""

    def __init__(self, address: str) -> None:
        self._client = _client(address)
        # Dask takes equal calls for one unless told otherwise, and runs again what a lost worker was doing.
        self._executor: Executor = self._client.get_executor(pure=False, retries=3)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        return self._executor.submit(function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait=wait and not cancel_futures)  # without waiting, dask cancels what is left
        self._client.close()


def _client(address: str) -> Any:
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise TeamplayError("A cluster needs dask.distributed: `pip install 'teamplay[cluster]'`.") from None
    try:
        return distributed.Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        text = f"{error}".rstrip(".")
        raise TeamplayError(f"No dask scheduler answers at {address[:80]}: {text}.") from None
