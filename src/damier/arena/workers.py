"""Playing many games at once on the cores of this computer.

Each worker is a process of its own, fed with the numbers of games and answering with their records. It is started
as `python -m damier.arena.worker`, not by `multiprocessing`, which would run the user's script once more in each
process. A worker that dies is replaced and its game is played again.
"""

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from damier.arena.plan import Plan
from damier.arena.playing import play_game
from damier.arena.record import GameRecord
from damier.core.errors import DamierError

TRIES = 3  # a game that kills its worker so often is given up


class Host(Protocol):
    """Where games are played, one at a time."""

    def play(self, number: int) -> GameRecord: ...

    def close(self) -> None: ...


class WorkerDiedError(Exception):
    """The process is gone; its game is not played."""


def num_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_on_cores(plan: Plan, numbers: Iterable[int], workers: int) -> Iterator[GameRecord]:
    """Play these games, and give each record as its game ends, in whatever order that is."""
    is_here = workers == 1 or not is_found_elsewhere(type(plan.game.rules))
    return play_on([(lambda: Here(plan)) if is_here else (lambda: Worker(plan))] * workers, numbers)


def is_found_elsewhere(rules: type) -> bool:
    """Whether another process can load these rules: not those of the script itself, nor those made in a function."""
    return rules.__module__ != "__main__" and "<locals>" not in rules.__qualname__


def play_on(hosts: list[Callable[[], Host]], numbers: Iterable[int]) -> Iterator[GameRecord]:
    """A thread for each host, which takes the next number as soon as its host is free."""
    if len(hosts) == 1:
        yield from _play_in_turn(hosts[0], numbers)
        return
    waiting, done, is_closed = iter(numbers), queue.SimpleQueue[GameRecord | BaseException | None](), threading.Event()
    taking = threading.Lock()
    started: list[Host] = []

    def take() -> int | None:
        with taking:
            return None if is_closed.is_set() else next(waiting, None)

    def attend(make_host: Callable[[], Host]) -> None:
        try:
            host = make_host()
            started.append(host)
            while (number := take()) is not None:
                done.put(_play_surely(host, number))
        except BaseException as error:  # told to the thread that collects
            done.put(error)
        done.put(None)

    threads = [threading.Thread(target=attend, args=(host,), daemon=True) for host in hosts]
    for thread in threads:
        thread.start()
    try:
        running = len(threads)
        while running:
            result = done.get()
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                yield result
    finally:  # also when the caller has seen enough
        is_closed.set()
        for host in started:
            host.close()


def _play_in_turn(make_host: Callable[[], Host], numbers: Iterable[int]) -> Iterator[GameRecord]:
    host = make_host()
    try:
        for number in numbers:
            yield _play_surely(host, number)
    finally:
        host.close()


def _play_surely(host: Host, number: int) -> GameRecord:
    for _ in range(TRIES):
        try:
            return host.play(number)
        except WorkerDiedError as error:
            reason = error
    raise DamierError(f"game {number} was given up: {reason}, {TRIES} times; the games that ended are kept")


class Here:
    """The process we are in."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def play(self, number: int) -> GameRecord:
        return play_game(self.plan, number)

    def close(self) -> None:
        pass


class Worker:
    """A process that plays games, started when the first one is asked for."""

    def __init__(self, plan: Plan) -> None:
        self.task = pickle.dumps(plan.packed())
        self.process: subprocess.Popen[bytes] | None = None
        self.is_closed = False

    def play(self, number: int) -> GameRecord:
        if self.is_closed:
            raise WorkerDiedError("its process was stopped")
        if self.process is None:
            self.process = _start_worker()
            self._send(self.task)
        self._send(pickle.dumps(number))
        answer = self._receive()
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, GameRecord)
        return answer

    def close(self) -> None:
        """Stop the process, from whichever thread; the one that waits for its answer is told that it died."""
        self.is_closed = True
        if self.process is not None:
            _stop(self.process)

    def _send(self, pickled: bytes) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(pickled)
            self.process.stdin.flush()
        except OSError:
            raise self._died() from None

    def _receive(self) -> Any:
        assert self.process is not None
        assert self.process.stdout is not None
        try:
            return pickle.load(self.process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            raise self._died() from None

    def _died(self) -> WorkerDiedError:
        assert self.process is not None
        code = _stop(self.process)
        self.process = None
        return WorkerDiedError(f"the process that played it died (exit code {code})")


def _start_worker() -> subprocess.Popen[bytes]:
    """In a session of its own, since Ctrl-C is for us, who stop the workers; if we are killed they stop themselves."""
    command = [sys.executable, "-m", "damier.arena.worker"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


def _stop(process: subprocess.Popen[bytes]) -> int:
    process.kill()
    with contextlib.suppress(OSError), process:  # which closes the pipes; what was not sent yet is lost
        pass
    return process.wait()
