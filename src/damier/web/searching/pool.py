"""The processes that search, and their queue.

Compiling holds Python's lock for seconds, and searches need whole cores. Both run in separate processes, so the server
stays responsive. A search that exceeds its time is ended with its process, which is replaced; so is one that compiles
for too long. At most one process compiles for one address at a time, which leaves the others to everyone else. The
queue is fair: the next search belongs to the visitor who was served longest ago, first among addresses and then among
the visitors at one address.
"""

import asyncio
import contextlib
import itertools
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from damier.core.errors import DamierError
from damier.core.messages import Message, language
from damier.web.searching.preparation import smallest
from damier.web.searching.visitors import FairOrder, Visitor
from damier.web.settings import WebSettings

Json = dict[str, Any]
Told = Callable[[str, Json], None]

COMMAND = (sys.executable, "-m", "damier.web.searching.process")
GRACE_SECONDS = 3.0  # beyond the limit of a search
KEPT_PREPARED = 1000  # games with players, of a process
LINE_BYTES = 1 << 24  # of an answer


class BusyError(DamierError):
    """The visitor has too many searches in the queue."""


class SearchError(DamierError):
    """A search that failed."""


class RefusedError(SearchError):
    """The request can't be carried out, or not in time."""


@dataclass
class Job:
    """A task in the queue."""

    task: Json
    visitor: Visitor
    told: Told
    seconds: float
    number: int
    home: str = ""  # the game; its player may still have its tree in the process that searched last
    done: "asyncio.Future[Json]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    process: "SearchProcess | None" = None
    is_urgent: bool = True

    @cached_property
    def compiled(self) -> tuple[str, str] | None:
        """The key of what a process compiles once for this job: a game and a player without its budget. None if it
        compiles nothing."""
        player = self.task.get("player")
        return None if player is None else (self.task["game"], smallest(player))


class SearchPool:
    """Processes and their queue. Plain processes never compile; lessons run there and need not wait for a compiler."""

    def __init__(self, settings: WebSettings, count: int, is_plain: bool = False) -> None:
        self.settings = settings
        self.processes = [SearchProcess(is_plain, settings.max_preparation) for _ in range(count)]
        self.waiting: list[Job] = []
        self.numbers = itertools.count(1)
        self.order = FairOrder()
        self.homes: dict[str, SearchProcess] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        for process in self.processes:
            await process.start()

    async def stop(self) -> None:
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for process in self.processes:
            await process.stop()

    def submit(
        self, task: Json, visitor: Visitor, told: Told = lambda *_: None, home: str = "", is_urgent: bool = True
    ) -> Job:
        """Put a search into the queue. `told` is called with its progress; `job.done` is its result."""
        self._check_waiting(visitor, is_urgent)
        number = next(self.numbers)
        seconds = min(float(task.get("seconds") or self.settings.max_seconds), self.settings.max_seconds)
        told_in = {"id": number, "seconds": seconds, "language": language()}
        job = Job(task | told_in, visitor, told, seconds, number, home, is_urgent=is_urgent)
        self.waiting.append(job)
        self._assign()
        if job.process is None:
            told("preparing" if self._waits_for_compiler(job) else "queued", {})
        return job

    def _check_waiting(self, visitor: Visitor, is_urgent: bool) -> None:
        """Refuse too many searches of one address. The limit does not depend on browsers, which a visitor can invent;
        one browser may have half of the searches."""
        there = [
            job.visitor for job in self.waiting if job.visitor.address == visitor.address and job.is_urgent == is_urgent
        ]
        own, most = there.count(visitor), self.settings.max_waiting
        if own >= max(1, most // 2):
            raise BusyError("web.own-waiting", count=own)
        if len(there) >= most:
            raise BusyError("web.address-waiting", count=len(there))

    def cancel(self, job: Job) -> None:
        """Stop a search in progress, or drop it from the queue."""
        if job in self.waiting:
            self.waiting.remove(job)
            job.done.cancel()
        elif job.process is not None and not job.done.done():
            job.process.send({"do": "stop", "id": job.number})

    async def ask(self, job: Job, question: Json) -> Json:
        """Ask the process that grew an analysis tree about it."""
        if job.process is None:
            raise SearchError("analysis.not-begun")
        return await job.process.ask(question | {"id": next(self.numbers), "language": language()})

    def _assign(self) -> None:
        for process in self.processes:
            ready = [job for job in self.waiting if process.job is None and self._may_begin(process, job)]
            if ready:
                job = self._next(process, ready)
                self.waiting.remove(job)
                self.order.note_turn(job.visitor)
                process.begin(job)
                task = asyncio.create_task(self._run(process, job))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)

    def _may_begin(self, process: "SearchProcess", job: Job) -> bool:
        """Whether a job may start: not while another process works on the same game, whose code is compiled once, and
        not if it must compile while another process compiles for the same address."""
        at_work = [each for each in self.processes if each.job is not None]
        if job.home and any(each.job and each.job.home == job.home for each in at_work):
            return False
        address = job.visitor.address
        is_compiling = any(each.is_preparing and each.job and each.job.visitor.address == address for each in at_work)
        return process.is_prepared(job) or not is_compiling

    def _waits_for_compiler(self, job: Job) -> bool:
        """Whether a waiting job would be under way if nothing were being compiled for its game or its address."""
        compiling = [each.job for each in self.processes if each.is_preparing and each.job]
        if job.home and any(each.home == job.home for each in compiling):
            return True
        is_held = any(each.visitor.address == job.visitor.address for each in compiling)
        return is_held and any(process.job is None for process in self.processes)

    def _next(self, process: "SearchProcess", ready: list[Job]) -> Job:
        def rank(job: Job) -> tuple[bool, int, int, bool, int]:
            elsewhere = self.homes.get(job.home, process) is not process
            return (not job.is_urgent, *self.order.rank(job.visitor), elsewhere, job.number)

        return min(ready, key=rank)

    async def _run(self, process: "SearchProcess", job: Job) -> None:
        try:
            if job.home:
                self.homes[job.home] = process
                while len(self.homes) > 10_000:
                    del self.homes[next(iter(self.homes))]
            async for answer in process.answers(job):
                kind = answer["kind"]
                if kind in ("searching", "done"):
                    process.note_prepared(job)
                if kind == "done":
                    _settle(job, answer)
                elif kind == "error":
                    kind_of = RefusedError if answer.get("is_refused") else SearchError
                    _settle(job, kind_of(Message.from_json(answer["message"])))
                else:
                    job.told(kind, answer)
                if kind == "searching":
                    self._assign()  # jobs that waited for the compiler
        except SearchError as error:
            _settle(job, error)
        except asyncio.CancelledError:
            job.done.cancel()
            raise
        finally:
            process.end()
            self._assign()


def _settle(job: Job, outcome: Json | SearchError) -> None:
    if job.done.done():
        return
    if isinstance(outcome, SearchError):
        job.done.set_exception(outcome)
        job.done.exception()  # retrieved, or asyncio logs it if nobody waits
    else:
        job.done.set_result(outcome)


class SearchProcess:
    """One process, restarted whenever it ends."""

    def __init__(self, is_plain: bool, max_preparation: float) -> None:
        self.is_plain, self.max_preparation = is_plain, max_preparation
        self.process: asyncio.subprocess.Process | None = None
        self.job: Job | None = None
        self.is_preparing = False
        self.prepared: set[tuple[str, str] | None] = {None}
        self.questions: dict[int, asyncio.Future[Json]] = {}
        self.lines: asyncio.Queue[Json | None] = asyncio.Queue()
        self.reader: asyncio.Task[None] | None = None

    async def start(self) -> None:
        environment = os.environ | {"NUMBA_DISABLE_JIT": str(int(self.is_plain))}
        self.process = await asyncio.create_subprocess_exec(
            *COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE_BYTES,
            start_new_session=True,
            env=environment,
        )
        self.prepared = {None}
        self.lines = asyncio.Queue()
        self.reader = asyncio.create_task(self._read(self.process, self.lines))

    async def stop(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()
        if self.reader is not None:
            await self.reader
        self.process = None

    def is_prepared(self, job: Job) -> bool:
        return job.compiled in self.prepared

    def begin(self, job: Job) -> None:
        self.job, job.process = job, self
        self.is_preparing = not self.is_prepared(job)

    def note_prepared(self, job: Job) -> None:
        self.is_preparing = False
        if len(self.prepared) > KEPT_PREPARED:
            self.prepared = {None}
        self.prepared.add(job.compiled)

    def end(self) -> None:
        self.job, self.is_preparing = None, False

    def send(self, task: Json) -> None:
        if self.process is not None and self.process.stdin is not None and not self.process.stdin.is_closing():
            with contextlib.suppress(OSError):
                self.process.stdin.write(json.dumps(task).encode() + b"\n")

    async def ask(self, question: Json) -> Json:
        future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self.questions[question["id"]] = future
        self.send(question)
        try:
            answer = await asyncio.wait_for(future, 10)
        except TimeoutError:
            raise SearchError("analysis.busy") from None
        finally:
            self.questions.pop(question["id"], None)
        if answer["kind"] == "error":
            raise SearchError(Message.from_json(answer["message"]))
        return answer

    async def answers(self, job: Job) -> AsyncIterator[Json]:
        """The messages of the process about a job, until it is done or its time is over."""
        if self.process is None or self.process.returncode is not None:
            await self.stop()
            await self.start()
        self.send(job.task)
        limit, too_long = self.max_preparation, "analysis.compiled-too-long"
        deadline = asyncio.get_running_loop().time() + limit
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    answer = await self.lines.get()
            except TimeoutError:
                await self.stop()
                raise RefusedError(too_long, seconds=limit) from None
            if answer is None:
                await self.stop()
                raise SearchError("analysis.process-gone")
            if answer["id"] != job.number:
                continue
            if answer["kind"] == "searching":
                too_long = "analysis.stopped"
                limit = job.seconds + GRACE_SECONDS + 0.5 * job.seconds
                deadline = asyncio.get_running_loop().time() + limit
            yield answer
            if answer["kind"] in ("done", "error"):
                return

    async def _read(self, process: asyncio.subprocess.Process, lines: "asyncio.Queue[Json | None]") -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            answer = json.loads(line)
            question = self.questions.get(answer["id"])
            if question is not None:
                if not question.done():
                    question.set_result(answer)
            else:
                lines.put_nowait(answer)
        lines.put_nowait(None)
