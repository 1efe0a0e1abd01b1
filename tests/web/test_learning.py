"""Lessons and exercises over HTTP: typed trees, positions, answers, and what the server refuses."""

from typing import Any

import httpx
import pytest

from damier.lessons import exercise, trace
from damier.lessons.page import shown

Json = dict[str, Any]


def lesson(client: httpx.Client, **asked: Any) -> Json:
    answer = client.post("/api/lessons", json=asked)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def test_every_lesson_to_begin_with_is_there(client: httpx.Client) -> None:
    told = client.get("/api/lessons").json()
    for sample in told["samples"]:
        found = lesson(client, **sample)
        assert found["algorithm"] == sample["algorithm"]
        assert found["steps"]
        assert f'id="node-{len(found["nodes"]) - 1}"' in found["drawing"]["tree"]
        assert set(found["drawing"]["marks"]) == set(found["legend"])
    assert {sample["algorithm"] for sample in told["samples"]} == set(told["algorithms"])


def test_a_typed_tree_is_searched_as_everywhere(client: httpx.Client) -> None:
    text = "max(min(3 12 8) min(2 4 6) min(14 5 2))"
    found = lesson(client, algorithm="alphabeta", text=text)
    expected = shown(trace("alphabeta", text))
    assert found["steps"] == [
        step | {"cut": list(step["cut"])} if "cut" in step else step for step in expected["steps"]
    ]
    assert found["move"] == "1"


def test_a_position_shows_its_boards(client: httpx.Client) -> None:
    found = lesson(client, algorithm="minimax", game="tictactoe", moves=["b2", "a1"], depth=1)
    assert len(found["nodes"]) == 8
    assert all("●" in node["board"] for node in found["nodes"])


def test_what_is_wrong_with_a_tree_is_told_with_its_place(client: httpx.Client) -> None:
    answer = client.post("/api/lessons", json={"text": "max(3\n  min())"})
    assert answer.status_code == 422
    assert answer.json() == {"error": "tree, line 2, column 3: min has no children", "line": 2, "column": 3}
    assert client.post("/api/trees", json={"text": "max(3\n  min())"}).json() == answer.json() | {"is_tree": False}
    assert client.post("/api/trees", json={"text": "max(3 4)"}).json() == {"is_tree": True}
    assert client.post("/api/trees", json={"text": "(" * 10_001}).status_code == 422


HOSTILE = [
    {},
    {"tree": "walk", "text": "max(1)"},
    {"tree": "../../etc/passwd"},
    {"tree": "/etc/passwd"},
    {"text": ""},
    {"text": "/etc/passwd"},
    {"text": "max(" * 2000},
    {"text": "max(" + "1 " * 4990 + ")"},
    {"text": "max(a=1 a=2)"},
    {"text": "max(1/0 1e999)"},
    {"text": "max[1e999](min[1/0](3) 4)"},
    {"text": "x" * 20_000},
    {"text": "max(1 2)", "moves": ["1"]},
    {"text": "max(chance(1/2: 3 1/2: 4) 2)"},
    {"text": "max(" * 195 + "1 2" + " 3)" * 195, "algorithm": "uct", "simulations": 10**9},
    {"text": "max(1 2)", "algorithm": "nothing"},
    {"text": "max(1 2)", "algorithm": "astar"},
    {"text": "max(1 2)", "algorithm": "uct", "c": 1e300},
    {"game": "x.py:Game"},
    {"game": "tree:file=/etc/passwd"},
    {"game": "tictactoe", "moves": ["z9"]},
    {"game": "tictactoe", "depth": 12},
    {"game": "connect4", "algorithm": "astar"},
]


@pytest.mark.parametrize("asked", HOSTILE, ids=lambda asked: str(asked)[:50])
def test_a_hostile_lesson_is_refused_with_a_sentence(client: httpx.Client, asked: Json) -> None:
    answer = client.post("/api/lessons", json=asked)
    assert answer.status_code in (403, 422)
    told = answer.json()["error"]
    assert told
    assert len(told) < 500
    assert "root" not in told


def test_a_tree_that_would_tell_too_much_is_refused_and_the_next_lesson_runs(client: httpx.Client) -> None:
    """As deep as can be: every step tells of every node above, by all the arcs that lead there."""
    deep = "".join("max(1 " if ply % 2 == 0 else "min(2 " for ply in range(198)) + "3" + ")" * 198
    assert client.post("/api/lessons", json={"text": deep}).status_code in (200, 422)
    assert lesson(client, algorithm="minimax", text="max(1 2)")["move"] == "2"


def test_an_exercise_is_asked_and_checked(client: httpx.Client) -> None:
    sheet = client.get("/api/exercises", params={"seed": 3}).json()
    asked = exercise(seed=3)
    assert sheet["tree"] == asked.text
    assert sheet["answers"] == {"values": dict.fromkeys(asked.inner), "move": None, "cut": []}
    right = asked.solve()
    answers = {"values": {name: value[0] for name, value in right.values.items()}, "cut": sorted(right.cut)}
    body = {"algorithm": "alphabeta", "seed": 3, "answers": answers | {"move": right.move}}
    assert client.post("/api/exercises", json=body).json()["is_right"]
    wrong = client.post("/api/exercises", json=body | {"answers": answers | {"cut": [], "move": right.move}}).json()
    assert not wrong["is_right"]
    assert wrong["told"].startswith("you did not cut b22. b2: 13 is not below β, 11")
    many = client.get("/api/exercises", params={"algorithm": "maxn", "seed": 1, "depth": 2}).json()
    assert "cut" not in many["answers"]


@pytest.mark.parametrize(
    "answers",
    [{"values": {"nobody": 1}}, {"values": {"a": "x"}}, {"values": {"a": []}}, {"cut": [1]}, {"colour": 3}, []],
    ids=str,
)
def test_hostile_answers_are_refused_with_a_sentence(client: httpx.Client, answers: Any) -> None:
    answer = client.post("/api/exercises", json={"seed": 3, "answers": answers})
    assert answer.status_code == 422
    assert answer.json()["error"]
    nan = b'{"seed": 3, "answers": {"values": {"a": NaN}}}'
    assert client.post("/api/exercises", content=nan).status_code == 422
    assert client.get("/api/exercises", params={"depth": 6, "branching": 4}).status_code == 422


def test_what_shows_lessons_is_served_and_nothing_else_of_its_folder(client: httpx.Client) -> None:
    assert "export class Stepper" in client.get("/lessons/stepper.js").text
    assert client.get("/lessons/page.py").status_code == 404
