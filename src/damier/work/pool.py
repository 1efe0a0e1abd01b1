"""Work for many processes at once: games of a plan, self-play of a network.

A task is a function that other processes can find, with its first arguments (`functools.partial`). It gets *pieces*,
the number of a game for example, and answers each with one result or several. Each worker is a separate process that
takes pieces and returns results as they come. It is started as `python -m damier.work.process`, not by
`multiprocessing`, which would run the user's script again in each process. A worker that dies is replaced and its piece
is done again.
"""

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.messages import message_of, say

TRIES = 3  # a piece that kills its worker this often is given up
SLACK = 0.5  # seconds for the answer of a worker that is just in time

Task = Callable[[Any], Iterable[Any]]


class Host(Protocol):
    """A place where a task is done, one piece at a time."""

    def play(self, piece: Any) -> Iterator[Any]: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Watched:
    """A task yields this before a step that may never end.

    If nothing follows for that many seconds, the worker is stopped, and `result` ends the piece.
    """

    seconds: float
    result: Any


class WorkerDiedError(Exception):
    """The process is gone; its piece is not done."""


def num_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def hosts_for(task: Task, game: Game, workers: int, is_watched: bool = False) -> list[Host]:
    """The processes for a task, or this process if one is enough or no other can load the rules of the game.

    A watched task needs a process that can be stopped.
    """
    if not is_watched and (workers == 1 or not is_found_elsewhere(type(game.rules))):
        return [Here(task) for _ in range(workers)]
    return [Worker(task) for _ in range(workers)]


def apart(task: bytes, piece: Any) -> Iterator[Any]:
    """Do a packed task in a separate process, which a watched task needs: for the workers of a cluster."""
    yield from _worker(task).play(piece)


def is_found_elsewhere(rules: type) -> bool:
    """Whether another process can load these rules: not if the script itself or a function defines them."""
    return rules.__module__ != "__main__" and "<locals>" not in rules.__qualname__


def play_on(hosts: Sequence[Host], pieces: Iterable[Any]) -> Iterator[Any]:
    """Give each result as it comes, in any order.

    A thread for each host takes the next piece as soon as its host is free. If a host dies, the results of its piece
    come again.
    """
    if len(hosts) == 1:
        for piece in pieces:
            yield from _play_surely(hosts[0], piece)
        return
    waiting, done, is_closed = iter(pieces), queue.SimpleQueue[Any](), threading.Event()
    taking = threading.Lock()
    ended = object()

    def take() -> tuple[Any] | None:
        with taking:
            if is_closed.is_set():
                return None
            for piece in waiting:
                return (piece,)
            return None

    def attend(host: Host) -> None:
        try:
            while (taken := take()) is not None:
                for result in _play_surely(host, *taken):
                    done.put(result)
        except BaseException as error:  # passed to the thread that collects
            done.put(error)
        done.put(ended)

    threads = [threading.Thread(target=attend, args=(host,), daemon=True) for host in hosts]
    for thread in threads:
        thread.start()
    try:
        running = len(threads)
        while running:
            result = done.get()
            if result is ended:
                running -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                yield result
    finally:  # also when the caller stops early
        is_closed.set()


@contextlib.contextmanager
def closing_all(hosts: Sequence[Host]) -> Iterator[Sequence[Host]]:
    try:
        yield hosts
    finally:
        for host in hosts:
            host.close()


def _play_surely(host: Host, piece: Any) -> Iterator[Any]:
    for _ in range(TRIES):
        try:
            yield from host.play(piece)
            return
        except WorkerDiedError as error:
            reason = error
    what = say("work.game", number=piece + 1) if isinstance(piece, int) else say("work.piece")
    raise DamierError("work.given-up", what=what, why=message_of(reason), tries=TRIES)


def packed(task: Task) -> bytes:
    """Pack a task for another process, with the files of the rules."""
    return pickle.dumps((sys.path, pickle.dumps(task)))


def unpacked(data: bytes) -> Task:
    """Unpack the task of another process."""
    places, pickled = pickle.loads(data)
    sys.path += [place for place in places if place not in sys.path]
    task: Task = pickle.loads(pickled)
    return task


class Here:
    """The current process as a host."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def play(self, piece: Any) -> Iterator[Any]:
        yield from self.task(piece)

    def close(self) -> None:
        pass


class Worker:
    """A process that does a task. It is started with the first piece."""

    def __init__(self, task: Task | bytes) -> None:
        self.task = pickle.dumps(task if isinstance(task, bytes) else packed(task))
        self.process: subprocess.Popen[bytes] | None = None
        self.is_closed = False

    def play(self, piece: Any) -> Iterator[Any]:
        if self.is_closed:
            raise WorkerDiedError(say("work.stopped"))
        if self.process is None:
            self.process = _start_worker()
            self._send(self.task)
        self._send(pickle.dumps(piece))
        watched: Watched | None = None
        while True:
            with self._stopping_after(watched) as is_late:
                try:
                    answer = self._receive()
                except WorkerDiedError:
                    if watched is None or not is_late.is_set() or self.is_closed:
                        raise
                    yield watched.result
                    return
            if answer is None:
                return
            if isinstance(answer, Exception):
                raise answer
            watched = answer if isinstance(answer, Watched) else None
            if watched is None:
                yield answer

    def close(self) -> None:
        """Stop the process, from any thread; a thread that waits for its answer learns that it died."""
        self.is_closed = True
        if self.process is not None:
            _stop(self.process)

    @contextlib.contextmanager
    def _stopping_after(self, watched: Watched | None) -> Iterator[threading.Event]:
        """Stop the process if its next answer is late; the event says that this happened."""
        is_late, process = threading.Event(), self.process
        if watched is None or process is None:
            yield is_late
            return

        def stop() -> None:
            is_late.set()
            process.kill()

        timer = threading.Timer(watched.seconds + SLACK, stop)
        timer.daemon = True
        timer.start()
        try:
            yield is_late
        finally:
            timer.cancel()

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
        return WorkerDiedError(say("work.died", code=code))


def _start_worker() -> subprocess.Popen[bytes]:
    """Start a worker in its own session: Ctrl-C is for us, who stop the workers. If we are killed, they stop too."""
    command = [sys.executable, "-m", "damier.work.process"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


def _stop(process: subprocess.Popen[bytes]) -> int:
    process.kill()
    with contextlib.suppress(OSError), process:  # this closes the pipes; unsent data is lost
        pass
    return process.wait()


_worker = lru_cache(maxsize=1)(Worker)  # once in each process that passes its work on
