"""Exercises: a random tree, questions about what an algorithm does with it, and where the answer first goes wrong.

A node is called by the arc that leads to it: a, b, ... below the root, then a1, a2, ..., a11, a12, ...
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from damier.core.errors import DamierError, SpecError
from damier.core.protocol import Rng
from damier.core.rng import below, new_rng
from damier.lessons.record import Interval, Step, Trace, format_number, format_values
from damier.lessons.running import trace
from damier.lessons.trees import ROOT, TreeNode, Values

LEVELS = {
    "minimax": ("max", "min"),
    "alphabeta": ("max", "min"),
    "negamax": ("max", "min"),
    "expectimax": ("max", "chance"),
    "expectiminimax": ("max", "chance", "min", "chance"),
    "maxn": ("A", "B", "C"),
}
"""Who moves in the random trees, from the root down and then again."""
PROBABILITIES = {1: ("1",), 2: ("1/2", "1/2"), 3: ("1/4", "1/4", "1/2"), 4: ("1/4", "1/4", "1/4", "1/4")}
TRIES = 200  # to find a tree in which something is cut
TOLERANCE = 0.01
ROOT_NAME = "root"


@dataclass(frozen=True)
class Answers:
    """What a student says: what the inner nodes return, which arcs are cut, and which move is chosen."""

    values: dict[str, Values]
    cut: frozenset[str]
    move: str


@dataclass(frozen=True)
class Verdict:
    is_right: bool
    told: str
    """Praise, or the first mistake and why it is one."""
    node: int | None = None
    """The node at which the mistake was made."""


@dataclass(frozen=True)
class Exercise:
    """A tree and what is asked about it."""

    algorithm: str
    seed: int
    text: str
    """The tree, as `damier trace` takes it."""
    solution: Trace

    @property
    def prunes(self) -> bool:
        return self.algorithm in ("alphabeta", "negamax")

    @property
    def inner(self) -> list[str]:
        """The nodes that are no leaves."""
        return [name_of(node) for node in self.solution.nodes if not node.is_leaf]

    @property
    def question(self) -> str:
        perspective = ", each for the player who moves there" if self.algorithm == "negamax" else ""
        cuts = "the arcs that are cut, " if self.prunes else ""
        asked = f"what the visited inner nodes return{perspective}, {cuts}and the chosen move (among equals the first)"
        return f"{self.algorithm}: {asked}"

    def to_json(self) -> dict[str, Any]:
        """The exercise without its solution."""
        form: dict[str, Any] = {"values": dict.fromkeys(self.inner), "move": None}
        return {
            "algorithm": self.algorithm,
            "seed": self.seed,
            "tree": self.text,
            "nodes": self.solution.to_json()["nodes"],
            "question": self.question,
            "answers": form | ({"cut": []} if self.prunes else {}),
        }

    def solve(self) -> Answers:
        """The right answers."""
        nodes = self.solution.nodes
        returned = {name_of(nodes[step.node]): step.value for step in self.solution.steps if step.kind == "return"}
        values = {name: value for name, value in returned.items() if value is not None}
        return Answers(values, frozenset(name_of(nodes[node]) for node in self.solution.cut), self.solution.move or "")

    def read(self, document: Any) -> Answers:
        """Answers from a JSON document: `{"values": {"a": 3}, "cut": ["b2"], "move": "a"}`."""
        if not isinstance(document, Mapping) or not set(document) <= {"values", "cut", "move"}:
            raise SpecError('expected answers like {"values": {"a": 3}, "cut": ["b2"], "move": "a"}')
        values, cut = document.get("values") or {}, document.get("cut") or []
        if not isinstance(values, Mapping) or not isinstance(cut, list):
            raise SpecError('expected "values" as {"a": 3, ...} and "cut" as ["b2", ...]')
        known = {name_of(node) for node in self.solution.nodes}
        for name in [*values, *cut]:
            if not isinstance(name, str) or name not in known:
                raise SpecError(f"there is no node '{name}' in this exercise; its nodes are {' '.join(sorted(known))}")
        told = {name: _read_value(name, value) for name, value in values.items() if value is not None}
        return Answers(told, frozenset(cut), str(document.get("move") or ""))

    def check(self, answers: Answers | Mapping[str, Any]) -> Verdict:
        """Whether all of it is right; the first mistake, in the order of the algorithm's own steps."""
        if not isinstance(answers, Answers):
            answers = self.read(answers)
        for step in self.solution.steps:
            mistake = self._mistake(step, answers)
            if mistake:
                return Verdict(False, mistake, step.node)
        visited = self.solve().values
        unvisited = [name for name in self.inner if name in answers.values and name not in visited]
        if unvisited:
            names = [name_of(node) for node in self.solution.nodes]
            told = f"{unvisited[0]} is never visited, so it returns nothing"
            return Verdict(False, told, names.index(unvisited[0]))
        if answers.move != self.solution.move:
            told = self.solution.steps[-1].told
            return Verdict(False, f"the move: you say {answers.move or 'nothing'}, but {told}", ROOT)
        return Verdict(True, f"all of it is right: {self.solution.steps[-1].told}")

    def _mistake(self, step: Step, answers: Answers) -> str | None:
        node = self.solution.nodes[step.node]
        name, why = name_of(node), step.told.replace("the root", ROOT_NAME)
        if step.kind in ("enter", "leaf") and name in answers.cut:
            return f"{name} is not cut. {self._reason_to_visit(node)}"
        if step.kind == "cut":
            missing = [name_of(self.solution.nodes[child]) for child in step.cut]
            missing = [child for child in missing if child not in answers.cut]
            if missing:
                return f"you did not cut {' and '.join(missing)}. {why}"
        if step.kind == "return" and step.value is not None:
            said = answers.values.get(name)
            if said is None:
                return f"you say nothing about {name}. {why}{self._children(node)}"
            if len(said) != len(step.value) or any(
                not abs(mine - right) <= TOLERANCE for mine, right in zip(said, step.value, strict=True)
            ):
                return f"{name} does not return {format_values(said)}. {why}{self._children(node)}"
        return None

    def _children(self, node: TreeNode) -> str:
        """What was known when a node returned, where the step does not tell."""
        if not self.prunes:
            return ""
        updates = [step for step in self.solution.steps if step.kind == "update" and step.node == node.id]
        seen = ", ".join(format_values(step.value) for step in updates if step.value)
        who = {"max": "Max", "min": "Min"}[node.word]
        choice = "the least" if self.algorithm == "alphabeta" and who == "Min" else "the largest"
        return f", {choice} of {seen}, since {who} moves there"

    def _reason_to_visit(self, node: TreeNode) -> str:
        """Why the search still has an interest in a node."""
        windows: dict[int, Interval] = {}
        for step in self.solution.steps:
            if step.node == node.id:
                break
            if step.window is not None:
                windows[step.node] = step.window
        window = windows.get(node.parent)
        if window is None:
            return f"{self.algorithm} visits all nodes"
        alpha, beta = map(format_number, window)
        parent = name_of(self.solution.nodes[node.parent])
        return f"Before it, {parent} has alpha = {alpha} and beta = {beta}: there is something between them to be found"


def exercise(
    algorithm: str = "alphabeta", seed: int = 0, depth: int = 3, branching: int = 2, chance: bool = False
) -> Exercise:
    """A random exercise. For alpha-beta at least one arc is cut; with `chance` minimax becomes expectiminimax."""
    if chance and algorithm in ("minimax", "alphabeta", "negamax"):
        algorithm = "expectiminimax"
    if algorithm not in LEVELS:
        raise SpecError(f"there are exercises for {', '.join(LEVELS)}, got '{algorithm}'")
    if not 1 <= depth <= 6 or not 1 <= branching <= 4 or branching**depth > 256:
        raise SpecError(
            f"expected a depth from 1 to 6, a branching from 1 to 4 and at most 256 leaves, got {depth} and {branching}"
        )
    rng = new_rng(seed)
    for _ in range(TRIES):
        text = _random_tree(algorithm, rng, depth, branching)
        found = Exercise(algorithm, seed, text, trace(algorithm, text))
        if found.solution.cut or not found.prunes or depth < 2 or branching < 2:
            return found
    raise DamierError(f"no tree of depth {depth} and branching {branching} was found in which {algorithm} cuts")


def _random_tree(algorithm: str, rng: Rng, depth: int, branching: int, level: int = 0, name: str = "") -> str:
    if depth == 0:
        if algorithm == "maxn":
            return f"({' '.join(str(below(rng, 10)) for _ in range(3))})"
        return str(below(rng, 21) if algorithm != "expectiminimax" else 2 * below(rng, 21) - 20)
    word = LEVELS[algorithm][level % len(LEVELS[algorithm])]
    arcs = []
    for index in range(branching):
        called = f"{name}{index + 1}" if name else "abcd"[index]
        chance = f"{PROBABILITIES[branching][index]}: " if word == "chance" else ""
        arcs.append(f"{called}={chance}{_random_tree(algorithm, rng, depth - 1, branching, level + 1, called)}")
    return f"{word}({' '.join(arcs)})"


def name_of(node: TreeNode) -> str:
    return ROOT_NAME if node.id == ROOT else node.name


def _read_value(name: str, value: Any) -> Values:
    numbers = value if isinstance(value, list | tuple) else [value]
    if not numbers or any(isinstance(number, bool) or not isinstance(number, int | float) for number in numbers):
        raise SpecError(
            f"expected a number as the value of {name}, or a list of them for several players, got {value!r}"
        )
    try:
        return tuple(map(float, numbers))
    except OverflowError:
        raise SpecError(f"expected a smaller number as the value of {name}") from None
