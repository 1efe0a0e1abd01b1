"""Compiling for a search is bounded, and compiling for one visitor leaves processes to the others."""

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

import damier
from damier.web.searching import pool as pools
from damier.web.searching.pool import RefusedError, SearchPool, SearchProcess
from damier.web.searching.preparation import smallest
from damier.web.searching.process import Searcher
from damier.web.searching.visitors import Visitor
from damier.web.settings import WebSettings

NEVER_READY = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "kind": "preparing"}), flush=True)
"""
PATIENCE = 60  # seconds, in which a test that would hang fails


def task(player: str, game: str = "connect4") -> dict[str, Any]:
    return {"do": "move", "game": game, "player": player}


def test_compiling_is_bounded_and_the_process_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "COMMAND", (sys.executable, "-c", NEVER_READY))

    async def main() -> None:
        pool = SearchPool(WebSettings(max_seconds=0.1, prepare_seconds=0.2), 1)
        await pool.start()
        for _ in range(2):  # the second is answered by another process
            with pytest.raises(RefusedError, match=r"compiling for this search was stopped after 0\.2 seconds"):
                await asyncio.wait_for(pool.submit(task("uct"), Visitor()).done, PATIENCE)
        await pool.stop()

    asyncio.run(main())


def test_a_long_search_may_be_prepared_as_long_as_it_may_take() -> None:
    assert WebSettings(max_seconds=0.1).max_preparation == 60
    assert WebSettings(max_seconds=300).max_preparation == 300


class Compiler:
    """Stands in for the processes: compiles until it is told to stop."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.may_end = asyncio.Event()

    async def answers(self, job: Any) -> AsyncIterator[dict[str, Any]]:
        self.began.append(f"{job.visitor.address} {job.task['player']}")
        if not job.process.is_prepared(job):
            yield {"kind": "preparing", "id": job.number}
            await self.may_end.wait()
        yield {"kind": "searching", "id": job.number}
        yield {"kind": "done", "id": job.number}


def test_one_process_at_most_compiles_for_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        compiler, told = Compiler(), list[str]()
        monkeypatch.setattr(SearchProcess, "answers", compiler.answers)
        pool = SearchPool(WebSettings(), 3)
        greedy = [
            pool.submit(task(player), Visitor("there", player), lambda kind, _: told.append(kind))
            for player in ("uct", "grave", "alphabeta")
        ]
        modest = pool.submit(task("uct"), Visitor("here"))
        await asyncio.sleep(0)
        assert compiler.began == ["there uct", "here uct"]
        assert [told.count(kind) for kind in ("queued", "preparing")] == [0, 3], "they wait for the compiler"
        compiler.may_end.set()
        await asyncio.wait_for(asyncio.gather(*(job.done for job in (*greedy, modest))), PATIENCE)
        assert sorted(compiler.began[2:]) == ["there alphabeta", "there grave"]

    asyncio.run(main())


def test_a_move_waits_for_the_compiler_of_its_game_and_not_for_a_free_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        compiler, told = Compiler(), list[str]()
        monkeypatch.setattr(SearchProcess, "answers", compiler.answers)
        pool = SearchPool(WebSettings(), 1)

        def ask(home: str) -> Any:
            return pool.submit(task("uct"), Visitor("there", home), lambda kind, _: told.append(f"{home} {kind}"), home)

        jobs = [ask("game"), ask("game"), ask("another")]
        assert told == ["game preparing", "another queued"], "only one process, and it works for the first game"
        await asyncio.sleep(0)
        compiler.may_end.set()
        await asyncio.wait_for(asyncio.gather(*(job.done for job in jobs)), PATIENCE)
        assert told[2:4] == ["game preparing", "game searching"]

    asyncio.run(main())


def test_what_a_process_has_compiled_waits_for_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        compiler = Compiler()
        monkeypatch.setattr(SearchProcess, "answers", compiler.answers)
        pool = SearchPool(WebSettings(), 2)
        pool.processes[0].prepared.add(("connect4", smallest("uct")))
        pool.submit(task("grave", "othello"), Visitor("there"))  # compiles, in either process
        await asyncio.sleep(0)
        pool.processes[1].prepared.add(("connect4", smallest("uct")))
        await asyncio.wait_for(pool.submit(task("uct:sims=10"), Visitor("there")).done, PATIENCE)
        assert compiler.began == ["there grave", "there uct:sims=10"]
        compiler.may_end.set()

    asyncio.run(main())


def test_what_differs_in_more_than_its_budget_is_prepared_for_itself() -> None:
    assert smallest("uct:sims=5000,seconds=3") == smallest("uct") == "uct:sims=1"
    assert smallest("grave:sims=9,playout=heavy") == "grave:playout=heavy,sims=1" != smallest("grave")
    assert smallest("perfect") == "perfect"
    searcher = Searcher.__new__(Searcher)
    searcher.prepared = set()
    specs = ("uct", "uct:sims=9", "uct:c=0.5", "uct:c=0.5,sims=3")
    kinds = [[kind for kind, _ in searcher._compile(damier.game("tictactoe"), spec)] for spec in specs]
    assert kinds == [["preparing"], [], ["preparing"], []]
