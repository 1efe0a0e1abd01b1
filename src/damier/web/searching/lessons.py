"""Lessons and exercises, made in a process of the pool; `learn` has the routes."""

from typing import Any

from damier.core.position import Position
from damier.games import game as find_game
from damier.games.trees.notation import Node, parse_tree
from damier.lessons import Exercise, drawing, exercise, trace
from damier.lessons.page import shown

Json = dict[str, Any]
Place = str | Node | Position


def _place(task: Json) -> Place:
    """The subject of a lesson: an example tree, a typed tree, or a position of a game."""
    if task["tree"] is not None:
        return str(task["tree"])
    if task["text"] is not None:
        return parse_tree(task["text"])
    return find_game(task["game"]).start().play_all(task["moves"])


def lesson(task: Json) -> Json:
    """The document of a lesson, and the drawing of its tree before the first step."""
    options = {"depth": task["depth"], "sims": task["simulations"], "seed": task["seed"], "c": task["c"]}
    told = trace(task["algorithm"], _place(task), **options)
    return shown(told) | {"drawing": drawing.parts(told, 0)}


def sheet(task: Json) -> Json:
    """An exercise without its solution, and its tree."""
    asked = _exercise(task)
    document = asked.to_json()
    for node, described in zip(asked.solution.nodes, document["nodes"], strict=True):
        described["own"] = drawing.own_value(node)
    return document | {"drawing": drawing.parts(asked.solution, 0), "prunes": asked.prunes}


def verdict(task: Json) -> Json:
    found = _exercise(task).check(task["answers"])
    return {"is_right": found.is_right, "told": drawing.pretty(found.told), "node": found.node}


def _exercise(task: Json) -> Exercise:
    return exercise(task["algorithm"], task["seed"], task["depth"], task["branching"])
