"""The view into a classical search: windows, bounds and cutoffs, node by node, from a lesson.

The searches themselves visit millions of nodes and keep no tree. The page shows the textbook form of the same
algorithm, a few plies deep.
"""

import time
from typing import Any

from damier.core.errors import DamierError
from damier.core.position import Position
from damier.core.spec import split_spec
from damier.games import game as find_game
from damier.lessons import Trace, trace
from damier.lessons.drawing import own_value, pretty
from damier.lessons.record import UNSEEN, Interval, format_interval
from damier.lessons.running import CLASSICAL
from damier.web.searching.pool import SearchPool
from damier.web.searching.visitors import Visitor
from damier.web.views import show_board

Json = dict[str, Any]

DEEPEST, MOST_NODES = 6, 800
SLICE_SECONDS = 0.3  # one ply more takes many times as long
LONGEST_SECONDS = 3.0


def can_trace(spec: str) -> bool:
    """Whether there is a lesson for this player's algorithm."""
    return spec.partition(":")[0] in CLASSICAL


class TracedTree:
    """The tree of a classical player below a position."""

    def __init__(self, spec: str, position: Position) -> None:
        self.algorithm, options = split_spec(spec)
        self.position = position
        self.depth = min(DEEPEST, int(options.get("depth", DEEPEST)))
        self.found: Json | None = None

    async def begin(self, lessons: SearchPool, visitor: Visitor) -> None:
        """Make the tree if it does not exist yet."""
        if self.found is None:
            where = {"game": self.position.game.name, "moves": list(self.position.history)}
            task = {"do": "trace", "algorithm": self.algorithm, "depth": self.depth, "seconds": LONGEST_SECONDS}
            self.found = await lessons.submit(task | where, visitor).done

    def node(self, path: list[str]) -> Json:
        """The node after these moves, with its board and its children."""
        assert self.found is not None
        nodes, number = self.found["nodes"], 0
        for notation in path:
            below = [child for child in nodes[number]["children"] if nodes[child]["notation"] == notation]
            if not below:
                raise DamierError("analysis.not-there", path=" ".join(path))
            number = below[0]
        at = self.position.play_all(path)
        children = [
            nodes[child] | {"has_children": bool(nodes[child]["children"])} for child in nodes[number]["children"]
        ]
        facts = {"path": path, "depth": self.found["depth"], "algorithm": self.algorithm, "board": show_board(at)}
        found: Json = nodes[number] | facts
        return found | {"player": at.player, "is_over": at.is_over, "children": children}


def trace_tree(task: Json) -> Json:
    """Make the tree as a table by node number; runs in a process of the pool."""
    position, told = find_game(task["game"]).start().play_all(task["moves"]), None
    for depth in range(1, max(1, task["depth"]) + 1):
        began = time.monotonic()
        try:
            told = trace(task["algorithm"], position, depth=depth, most_nodes=MOST_NODES)
        except DamierError:
            if told is None:
                raise
            break
        if time.monotonic() - began > SLICE_SECONDS:
            break
    assert told is not None
    return {"depth": max(node.depth for node in told.nodes), "nodes": _nodes(told)}


def _nodes(told: Trace) -> list[Json]:
    states = told.looks_after(len(told.steps))
    windows: dict[int, Interval] = {}
    intervals: dict[int, Interval] = {}
    for step in told.steps:
        if step.window is not None:
            windows.setdefault(step.node, step.window)  # the one it was entered with
        if step.interval is not None:
            intervals[step.node] = step.interval
    return [
        {
            "notation": node.arc,
            "children": node.children,
            "status": state.status,
            "value": None if state.status == UNSEEN else state.value or own_value(node),
            "window": _format_interval(windows.get(node.id)),
            "interval": _format_interval(intervals.get(node.id)),
        }
        for node, state in zip(told.nodes, states, strict=True)
    ]


def _format_interval(interval: Interval | None) -> str | None:
    return None if interval is None else pretty(format_interval(interval))
