"""The queue before the processes that search is fair; none is started here."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from damier.web.searching import visitors
from damier.web.searching.pool import BusyError, SearchPool, SearchProcess
from damier.web.searching.visitors import Visitor
from damier.web.settings import WebSettings


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose searches were done, in their order."""
    order: list[str] = []

    async def answers(process: Any, job: Any) -> AsyncIterator[dict[str, Any]]:
        order.append(job.visitor.token)
        await asyncio.sleep(0)
        yield {"kind": "done", "id": job.number}

    monkeypatch.setattr(SearchProcess, "answers", answers)
    return order


async def ask(pool: SearchPool, *askers: Visitor) -> None:
    jobs = [pool.submit({"do": "move"}, visitor) for visitor in askers]
    await asyncio.gather(*(job.done for job in jobs))


def test_nobody_who_asks_for_much_keeps_the_others_waiting(served: list[str]) -> None:
    greedy, modest = Visitor("here", "greedy"), Visitor("here", "modest")
    asyncio.run(ask(SearchPool(WebSettings(), 1), *[greedy] * 10, modest, modest))
    assert served[:5] == ["greedy", "modest", "greedy", "modest", "greedy"]


def test_many_browsers_at_one_address_are_no_more_than_one_elsewhere(served: list[str]) -> None:
    crowd = [Visitor("there", f"crowd{number}") for number in range(10)]
    asyncio.run(ask(SearchPool(WebSettings(), 1), *crowd, *[Visitor("here", "single")] * 3))
    assert [index for index, token in enumerate(served) if token == "single"] == [1, 3, 5]


def test_a_queue_has_an_end(served: list[str]) -> None:
    with pytest.raises(BusyError):
        asyncio.run(ask(SearchPool(WebSettings(max_waiting=5), 1), *[Visitor("here", "greedy")] * 20))


def test_invented_browsers_at_one_address_wait_in_one_queue(served: list[str]) -> None:
    async def crowd() -> None:
        pool = SearchPool(WebSettings(max_waiting=6), 1)
        # One is at work at once, six wait.
        jobs = [pool.submit({"do": "move"}, Visitor("there", f"crowd{number}")) for number in range(7)]
        with pytest.raises(BusyError, match="6 searches from your address"):
            pool.submit({"do": "move"}, Visitor("there", "one more"))
        jobs += [pool.submit({"do": "move"}, Visitor("here", "single")) for _ in range(3)]
        with pytest.raises(BusyError, match="3 of your searches"):
            pool.submit({"do": "move"}, Visitor("here", "single"))
        jobs.append(pool.submit({"do": "move"}, Visitor("here", "another")))
        await asyncio.gather(*(job.done for job in jobs))

    asyncio.run(crowd())


def test_a_server_does_not_remember_everybody_it_served(served: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "KEPT_VISITORS", 10)

    async def crowd() -> int:
        pool = SearchPool(WebSettings(), 1)
        for number in range(30):
            await ask(pool, Visitor(f"10.0.0.{number}", f"crowd{number}"))
        return len(pool.order.last_turn)

    assert asyncio.run(crowd()) == 10
