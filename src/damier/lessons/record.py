"""The record of a lesson: a tree, and the steps of an algorithm in it. All drawings are made from it.

A step describes what happened, in words and numbers, and how the changed nodes look. To show a trace, apply the looks
of its steps in order; no knowledge of the algorithm is needed.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

from damier.core.messages import Message, say
from damier.lessons.sources import Values
from damier.lessons.trees import NOBODY, Tree, TreeNode

UNSEEN, OPEN, SEEN, CUT = "unseen", "open", "seen", "cut"
"""The status of a node: not visited, being visited, visited, or pruned."""

VALUE, BOUNDS, SET = "value", "bounds", "set"
LEGEND: dict[str, str] = {
    UNSEEN: say("legend.unseen"),
    OPEN: say("legend.open"),
    SEEN: say("legend.seen"),
    VALUE: say("legend.value"),
}
HIDDEN_LEGEND = LEGEND | {SET: say("legend.set")}
PRUNING_LEGEND = LEGEND | {CUT: say("legend.cut"), BOUNDS: say("legend.bounds")}

Interval = tuple[float, float]


@dataclass(frozen=True)
class Look:
    """How a node is drawn: its status, the value within it, and notes beside it."""

    status: str = UNSEEN
    value: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Term:
    """The terms of a child's selection score."""

    child: int
    visits: int
    mean: float
    """The mean reward, in [0, 1], of the player who chooses."""
    bonus: float
    """c sqrt(log N / n)"""
    score: float
    beta: float | None = None
    """RAVE: the weight of `amaf`, the mean of all moves as first; n~ is `amaf_visits`."""
    amaf: float | None = None
    amaf_visits: int | None = None


@dataclass(frozen=True)
class Step:
    """One step of an algorithm. Fields that do not apply are None or empty."""

    kind: str
    node: int
    told: Message
    """The step in words."""
    looks: dict[int, Look] = field(default_factory=dict)
    """The new looks of the changed nodes."""
    window: Interval | None = None
    """alpha and beta"""
    interval: Interval | None = None
    """The bounds within which the node's value is known to lie."""
    value: Values | None = None
    cut: tuple[int, ...] = ()
    """The nodes at the end of the arcs that are pruned."""
    terms: tuple[Term, ...] = ()
    visits: int | None = None
    of: str = ""
    """What `value` is the value of, if not of the node: a move, or an information set."""
    table: tuple[tuple[str, str], ...] = ()
    """The strategies so far: a row for each information set, with its name and its moves."""


@dataclass(frozen=True)
class Trace:
    """The steps of an algorithm through a tree."""

    algorithm: str
    title: str
    """The name of the tree, or of the game and the moves made."""
    nodes: tuple[TreeNode, ...]
    steps: tuple[Step, ...]
    move: str | None
    """The move that is chosen at the root."""
    values: Values
    """The value of the root: for Max, or for each player."""
    leaves: int
    """The number of evaluated leaves; for Monte-Carlo, of simulations; for CFR, of iterations; for A*, of expanded
    nodes."""
    legend: dict[str, str]
    """The meaning of each status, of the value in a node, and of the brackets above it."""

    @property
    def grows(self) -> bool:
        """Whether unvisited nodes do not exist yet and are not shown."""
        return UNSEEN not in self.legend

    def looks_after(self, count: int) -> list[Look]:
        """The look of each node after `count` steps."""
        looks = [Look()] * len(self.nodes)
        for step in self.steps[:count]:
            for node, look in step.looks.items():
                looks[node] = look
        return looks

    @property
    def sets(self) -> list[tuple[str, list[int]]]:
        """The information sets with several nodes: their names and nodes."""
        found: dict[Hashable, tuple[str, list[int]]] = {}
        for node in self.nodes:
            if node.knowledge is not None:
                found.setdefault(node.knowledge.key, (node.knowledge.name, []))[1].append(node.id)
        return [each for each in found.values() if len(each[1]) > 1]

    @property
    def cut(self) -> list[int]:
        """The nodes at the end of all pruned arcs."""
        return [node for step in self.steps for node in step.cut]

    def to_json(self) -> dict[str, Any]:
        """The trace as a JSON document. Infinite numbers are "+inf" and "-inf"."""
        return {
            "algorithm": self.algorithm,
            "title": self.title,
            "legend": self.legend,
            "grows": self.grows,
            "move": self.move,
            "values": self.values,
            "leaves": self.leaves,
            "nodes": [_node_document(node) for node in self.nodes],
            "steps": [_step_document(step) for step in self.steps],
        }


def _node_document(node: TreeNode) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": node.name,
        "parent": None if node.parent == NOBODY else node.parent,
        "arc": node.arc,
        "word": "" if node.is_leaf else node.word,
        "depth": node.depth,
    }
    if node.probability is not None:
        document["probability"] = node.probability
    if node.knowledge is not None:
        document["set"] = node.knowledge.name
    if node.is_leaf:
        document["values"] = node.values
    if node.board:
        document["board"] = node.board
    return document


def _step_document(step: Step) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": step.kind, "node": step.node, "told": step.told}
    for name in ("window", "interval", "value"):
        numbers = getattr(step, name)
        if numbers is not None:
            document[name] = [_finite(number) for number in numbers]
    if step.cut:
        document["cut"] = step.cut
    if step.visits is not None:
        document["visits"] = step.visits
    if step.of:
        document["of"] = step.of
    if step.table:
        document["table"] = step.table
    if step.terms:
        document["terms"] = [
            {name: _finite(number) for name, number in vars(term).items() if number is not None} for term in step.terms
        ]
    document["looks"] = {
        str(node): {"status": look.status, "value": look.value, "notes": look.notes}
        for node, look in step.looks.items()
    }
    return document


def _finite(number: float) -> float | str:
    return number if math.isfinite(number) else format_number(number)


def format_number(number: float) -> str:
    if math.isinf(number):
        return "+inf" if number > 0 else "-inf"
    return f"{round(number, 4) + 0.0:.10g}"  # 0 and not -0


def format_values(values: Values) -> str:
    return format_number(values[0]) if len(values) == 1 else f"({' '.join(map(format_number, values))})"


def format_interval(interval: Interval) -> str:
    return f"[{format_number(interval[0])}, {format_number(interval[1])}]"


class Recorder:
    """A trace in the making."""

    def __init__(self, algorithm: str, tree: Tree, legend: dict[str, str] = LEGEND) -> None:
        self.algorithm, self.tree, self.legend = algorithm, tree, legend
        self.steps: list[Step] = []
        self.leaves = 0
        self._looks: dict[int, Look] = {}
        self._changed: dict[int, Look] = {}

    def look(self, node: int, **changes: Any) -> None:
        """Change the look of a node from the next step on."""
        before = self._looks.get(node, Look())
        after = replace(before, **changes)
        if after != before:
            self._looks[node] = self._changed[node] = after

    def step(self, kind: str, node: int, told: Message, **facts: Any) -> None:
        self.steps.append(Step(kind, node, told, self._changed, **facts))
        self._changed = {}

    def name(self, node: int) -> str:
        return self.tree[node].name

    def finish(self, move: str | None, values: Values) -> Trace:
        return Trace(
            self.algorithm,
            self.tree.name,
            tuple(self.tree.nodes),
            tuple(self.steps),
            move,
            values,
            self.leaves,
            self.legend,
        )
