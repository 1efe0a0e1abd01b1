"""The queue before the engines is fair, without any engine."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from damier.web import engines
from damier.web.engines import BusyError, Engines, Visitor
from damier.web.settings import WebSettings


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose searches were done, in their order."""
    order: list[str] = []

    async def answers(process: Any, job: Any) -> AsyncIterator[dict[str, Any]]:
        order.append(job.visitor.token)
        await asyncio.sleep(0)
        yield {"kind": "done", "id": job.number}

    monkeypatch.setattr(engines._Process, "answers", answers)
    return order


async def ask(pool: Engines, *askers: Visitor) -> None:
    jobs = [pool.submit({"do": "move"}, visitor) for visitor in askers]
    await asyncio.gather(*(job.done for job in jobs))


def test_nobody_who_asks_for_much_keeps_the_others_waiting(served: list[str]) -> None:
    greedy, modest = Visitor("here", "greedy"), Visitor("here", "modest")
    asyncio.run(ask(Engines(WebSettings(), 1), *[greedy] * 10, modest, modest))
    assert served[:5] == ["greedy", "modest", "greedy", "modest", "greedy"]


def test_many_browsers_at_one_address_are_no_more_than_one_elsewhere(served: list[str]) -> None:
    crowd = [Visitor("there", f"crowd{number}") for number in range(10)]
    asyncio.run(ask(Engines(WebSettings(), 1), *crowd, *[Visitor("here", "single")] * 3))
    assert [index for index, token in enumerate(served) if token == "single"] == [1, 3, 5]


def test_a_queue_has_an_end(served: list[str]) -> None:
    with pytest.raises(BusyError):
        asyncio.run(ask(Engines(WebSettings(max_waiting=5), 1), *[Visitor("here", "greedy")] * 20))
