"""One visitor does not starve the others: the thread of the rules, what may be imported, and what is kept."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import damier
from damier.web import importing, permissions
from damier.web.kept import LastUsed, game_bytes, line_bytes
from damier.web.searching.pool import RefusedError
from damier.web.searching.turns import MOST_BEGUN, Steps, Turns
from damier.web.searching.visitors import Visitor, asking
from damier.web.settings import WebSettings
from tests.web.visiting import visiting


def steps(name: str, number: int, order: list[str]) -> Callable[[], Steps[str]]:
    def work() -> Steps[str]:
        for _ in range(number):
            order.append(name)
            yield
        return name

    return work


def noted(order: list[str], name: str) -> str:
    order.append(name)
    return name


async def ask(visitor: Visitor, work: Coroutine[Any, Any, str]) -> str:
    asking.set(visitor)
    return await work


def test_the_turns_go_round_the_visitors() -> None:
    async def main() -> list[str]:
        turns, order = Turns(turn_seconds=0), list[str]()
        greedy, modest = Visitor("there", "a"), Visitor("here", "b")
        asked = [(greedy, "greedy", 5)] * 3 + [(modest, "modest", 2)]
        works = (ask(who, turns.compute_steps(steps(name, number, order))) for who, name, number in asked)
        assert await asyncio.gather(*works) == ["greedy"] * 3 + ["modest"]
        turns.close()
        return order

    order = asyncio.run(main())
    assert order[:4] == ["greedy", "modest", "greedy", "modest"]
    assert len(order) == 17


def test_many_browsers_at_one_address_have_the_turns_of_one() -> None:
    async def main() -> list[str]:
        turns, order = Turns(turn_seconds=0), list[str]()
        crowd = [(Visitor("there", f"{number}"), "crowd") for number in range(10)]
        asked = [*crowd, *[(Visitor("here"), "single")] * 3]
        await asyncio.gather(*(ask(who, turns.compute(partial(noted, order, name))) for who, name in asked))
        turns.close()
        return order

    order = asyncio.run(main())
    assert [index for index, name in enumerate(order) if name == "single"] == [1, 3, 5]


def test_work_without_end_is_given_up_and_the_next_is_done() -> None:
    def endless() -> Steps[str]:
        while True:
            yield

    async def main() -> str:
        turns = Turns(turn_seconds=0, most_seconds=0)
        with pytest.raises(RefusedError, match="this takes longer than 0 seconds; ask for less at once"):
            await turns.compute_steps(endless)
        found = await turns.compute(lambda: "done")
        turns.close()
        return found

    assert asyncio.run(main()) == "done"


def test_what_nobody_waits_for_any_more_is_not_done() -> None:
    async def main() -> list[str]:
        turns, order = Turns(turn_seconds=0), list[str]()
        first = asyncio.create_task(turns.compute_steps(steps("first", 1, order)))
        gone = asyncio.create_task(turns.compute_steps(steps("gone", 1, order)))
        await asyncio.sleep(0)
        gone.cancel()
        await first
        await turns.compute(lambda: None)
        turns.close()
        return order

    assert asyncio.run(main()) == ["first"]


@pytest.mark.parametrize("failure", [ValueError("no"), damier.DamierError("no")])
def test_an_error_is_that_of_whoever_asked(failure: Exception) -> None:
    def fail() -> None:
        raise failure

    async def main() -> int:
        turns = Turns()
        with pytest.raises(type(failure)):
            await turns.compute(fail)
        found = await turns.compute(lambda: 3)
        turns.close()
        return found

    assert asyncio.run(main()) == 3


# -- imports -----------------------------------------------------------------------------------------------------

KINDS = [
    {"game": f"blokus:size={size},history={history}", "moves": []} for size in range(9, 21) for history in range(8)
]
TOO_MUCH = {
    "many games": ("json", json.dumps([{"game": "tictactoe", "moves": []}] * (importing.MOST_GAMES + 1))),
    "many kinds of games": ("json", json.dumps(KINDS)),
    "a long game": ("json", json.dumps({"game": "tictactoe", "moves": ["a1"] * 2501})),
    "many games in PDN": ("pdn", '[GameType "25"]*' * 10_000),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_too_much_is_refused_before_anything_is_built(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def built(*_: object) -> None:
        raise AssertionError("a game was built")

    async def main() -> None:
        format, text = TOO_MUCH[what]
        async with visiting(tmp_path) as visitor:
            monkeypatch.setattr(permissions, "find_game", built)
            monkeypatch.setattr("damier.games.draughts.pdn.find_game", built)
            answer = await visitor.post("/api/records", format=format, text=text)
            assert answer.status_code == 422
            assert "expected at most" in answer.json()["error"]
            assert (await visitor.get("/api/records")).json()["count"] == 0

    asyncio.run(main())


def test_an_import_is_whole_or_not_at_all_and_seats_nobody(tmp_path: Path) -> None:
    async def main() -> None:
        games = [{"game": "tictactoe", "moves": ["b2", "a1"]}, {"game": "tictactoe", "moves": ["b2"]}]
        async with visiting(tmp_path) as visitor:
            wrong = json.dumps([*games, {"game": "tictactoe", "moves": ["z9"]}])
            assert (await visitor.post("/api/records", format="json", text=wrong)).status_code == 422
            assert (await visitor.get("/api/records")).json()["count"] == 0
            right = await visitor.post("/api/records", format="json", text=json.dumps(games))
            assert right.status_code == 201
            number = right.json()["numbers"][0]
            shown = (await visitor.get(f"/api/records/{number}")).json()
            assert [each["notation"] for each in shown["line"]] == ["b2", "a1"]
            assert len(visitor.lobby.rooms) == 0

    asyncio.run(main())


# -- what is kept ------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 60)), max_size=60))
def test_what_is_kept_never_weighs_more_than_it_may(puts: list[tuple[int, int]]) -> None:
    kept: LastUsed[int, int] = LastUsed(100, lambda weight: weight)
    for key, weight in puts:
        assert kept.put(key, weight) == weight
        assert kept.get(key) == weight
        assert kept.weight == sum(kept.values()) <= 100


def test_what_is_needed_stays_and_what_was_used_longest_ago_goes() -> None:
    kept: LastUsed[str, int] = LastUsed(3, lambda _: 1, lambda value: value < 0)
    for key, value in (("needed", -1), ("a", 1), ("b", 2)):
        kept.put(key, value)
    kept.get("a")
    kept.put("c", 3)
    assert list(kept) == ["needed", "a", "c"]


def test_a_game_weighs_its_tables_and_a_line_its_moves() -> None:
    assert game_bytes(damier.game("blokus")) > 100 * game_bytes(damier.game("tictactoe"))
    line = [damier.game("tictactoe").start()]
    for move in ("b2", "a1", "c3"):
        line.append(line[-1].play(move))
    assert line_bytes(line) > line_bytes(line[:1]) > game_bytes(line[0].game)


def test_the_games_of_the_server_are_bounded(tmp_path: Path) -> None:
    async def main() -> None:
        async with visiting(tmp_path) as visitor:
            visitor.lobby.games.most = 10 * game_bytes(damier.game("mnk"))
            for rows in range(3, 27):
                answer = await visitor.get(f"/api/catalogue/mnk:rows={rows}/presets")
                assert answer.status_code == 200
            assert 0 < len(visitor.lobby.games) < 12

    asyncio.run(main())


def test_a_game_without_an_end_in_sight_is_refused() -> None:
    for spec in ("pig:goal=1000,turns=100", "backgammon:limit=10000"):
        with pytest.raises(damier.SpecError, match="expected a game of at most 2500 moves on this server"):
            permissions.playable_game(spec, WebSettings())
    for name in damier.games.REGISTRY:
        assert permissions.playable_game(name, WebSettings()).max_length <= permissions.MOST_MOVES


def test_only_some_work_of_one_address_is_begun_at_a_time() -> None:
    async def main() -> list[str]:
        turns, order = Turns(turn_seconds=0), list[str]()
        visitors = [Visitor("there", f"{number}") for number in range(9)]
        works = (ask(who, turns.compute_steps(steps(who.token, 3, order))) for who in visitors)
        await asyncio.gather(*works)
        turns.close()
        return order

    order = asyncio.run(main())
    ends = {name: max(index for index, each in enumerate(order) if each == name) for name in order}
    for index, name in enumerate(order):
        begun = {other for other in order[:index] if ends[other] >= index}
        assert len(begun | {name}) <= MOST_BEGUN
