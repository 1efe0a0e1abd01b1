"""Exercises: questions about an algorithm on a random tree, and the first mistake in the answers.

A node is named after the arc that leads to it: a, b, ... below the root, then a1, a2, ..., a11, a12, ... In exercises
on hidden information the deals are a, b, ..., and in each of them the moves are x, y, ...; a node has the name of the
path to it: a/x.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from damier.core.errors import DamierError, SpecError
from damier.core.messages import Message, say
from damier.core.protocol import Rng
from damier.core.rng import below, new_rng
from damier.lessons.record import Interval, Step, Trace, format_number, format_values
from damier.lessons.running import trace
from damier.lessons.sources import Values
from damier.lessons.trees import ROOT, TreeNode

LEVELS = {
    "minimax": ("max", "min"),
    "alphabeta": ("max", "min"),
    "negamax": ("max", "min"),
    "expectimax": ("max", "chance"),
    "expectiminimax": ("max", "chance", "min", "chance"),
    "maxn": ("A", "B", "C"),
    "pimc": ("chance", "max", "min"),
    "belief": ("chance", "max", "max"),
}
"""The players of the levels of random trees, from the root down, repeated."""
PROBABILITIES = {1: ("1",), 2: ("1/2", "1/2"), 3: ("1/4", "1/4", "1/2"), 4: ("1/4", "1/4", "1/4", "1/4")}
TRIES = 200  # to find a tree in which something is cut
TOLERANCE = 0.01
ROOT_NAME = "root"
HIDDEN = ("pimc", "belief")
"""The exercises on hidden information: chance deals, and Max does not see the deal."""
DEALS, MOVES, SET = "abcd", "xyzw", "s"
ANSWERED = ("return", "average")  # the steps whose value is asked for


@dataclass(frozen=True)
class Answers:
    """A student's answers: the values of the inner nodes, the pruned arcs, and the chosen move."""

    values: dict[str, Values]
    cut: frozenset[str]
    move: str


@dataclass(frozen=True)
class Verdict:
    is_right: bool
    told: Message
    """Praise, or the first mistake and its explanation."""
    node: int | None = None
    """The node at which the mistake was made."""


@dataclass(frozen=True)
class Exercise:
    """A tree and the questions about it."""

    algorithm: str
    seed: int
    text: str
    """The tree, as `damier trace` takes it."""
    solution: Trace

    @property
    def prunes(self) -> bool:
        return self.algorithm in ("alphabeta", "negamax")

    @property
    def is_hidden(self) -> bool:
        return self.algorithm in HIDDEN

    @property
    def inner(self) -> list[str]:
        """The inner nodes; with hidden information the nodes, moves and information sets that have a value."""
        if self.is_hidden:
            return list(self.solve().values)
        return [name_of(node) for node in self.solution.nodes if not node.is_leaf]

    @property
    def moves(self) -> list[str]:
        """The moves to choose from."""
        chooser = self.solution.nodes[self.solution.nodes[ROOT].children[0] if self.is_hidden else ROOT]
        return [self.solution.nodes[child].arc for child in chooser.children]

    @property
    def question(self) -> Message:
        kind = {"negamax": "exercise.ask-negamax", "alphabeta": "exercise.ask-pruning"}
        kind |= {"pimc": "exercise.ask-deals", "belief": "exercise.ask-belief"}
        return say(kind.get(self.algorithm, "exercise.ask"), algorithm=self.algorithm)

    def to_json(self) -> dict[str, Any]:
        """The exercise without its solution."""
        form: dict[str, Any] = {"values": dict.fromkeys(self.inner), "move": None}
        return {
            "algorithm": self.algorithm,
            "seed": self.seed,
            "tree": self.text,
            "nodes": self.solution.to_json()["nodes"],
            "called": [name_of(node) for node in self.solution.nodes],
            "moves": self.moves,
            "question": self.question,
            "answers": form | ({"cut": []} if self.prunes else {}),
        }

    def solve(self) -> Answers:
        """The right answers."""
        nodes = self.solution.nodes
        returned = {self._name(step): step.value for step in self.solution.steps if step.kind in ANSWERED}
        values = {name: value for name, value in returned.items() if value is not None}
        return Answers(values, frozenset(name_of(nodes[node]) for node in self.solution.cut), self.solution.move or "")

    def read(self, document: Any) -> Answers:
        """Answers from a JSON document: `{"values": {"a": 3}, "cut": ["b2"], "move": "a"}`."""
        if not isinstance(document, Mapping) or not set(document) <= {"values", "cut", "move"}:
            raise SpecError("exercise.expected-answers")
        values, cut = document.get("values") or {}, document.get("cut") or []
        if not isinstance(values, Mapping) or not isinstance(cut, list):
            raise SpecError("exercise.expected-fields")
        known = {name_of(node) for node in self.solution.nodes} | set(self.inner)
        for name in [*values, *cut]:
            if not isinstance(name, str) or name not in known:
                raise SpecError("exercise.no-node", name=name, known=" ".join(sorted(known)))
        told = {name: _read_value(name, value) for name, value in values.items() if value is not None}
        return Answers(told, frozenset(cut), str(document.get("move") or ""))

    def check(self, answers: Answers | Mapping[str, Any]) -> Verdict:
        """Check answers: whether all are right, or the first mistake in the order of the algorithm's steps."""
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
            told = say("exercise.never-visited", node=unvisited[0])
            return Verdict(False, told, names.index(unvisited[0]))
        if answers.move != self.solution.move:
            told = say("exercise.no-move", why=self.solution.steps[-1].told)
            if answers.move:
                told = say("exercise.wrong-move", move=answers.move, why=self.solution.steps[-1].told)
            return Verdict(False, told, ROOT)
        return Verdict(True, say("exercise.right", answer=self.solution.steps[-1].told))

    def _name(self, step: Step) -> str:
        """What a step gives the value of."""
        return step.of or name_of(self.solution.nodes[step.node])

    def _mistake(self, step: Step, answers: Answers) -> Message | None:
        node = self.solution.nodes[step.node]
        name = self._name(step)
        told = name if self.is_hidden else node.name
        if step.kind in ("enter", "leaf") and name in answers.cut:
            return say("exercise.not-cut", node=node.name, why=self._reason_to_visit(node))
        if step.kind == "cut":
            missing = [name_of(self.solution.nodes[child]) for child in step.cut]
            missing = [child for child in missing if child not in answers.cut]
            if missing:
                return say("exercise.missing-cut", cut=missing, why=step.told)
        if step.kind in ANSWERED and step.value is not None:
            said = answers.values.get(name)
            if said is None:
                return say("exercise.missing-value", node=told, why=self._why(node, step))
            if len(said) != len(step.value) or any(
                not abs(mine - right) <= TOLERANCE for mine, right in zip(said, step.value, strict=True)
            ):
                said_value = format_values(said)
                return say("exercise.wrong-value", node=told, said=said_value, why=self._why(node, step))
        return None

    def _why(self, node: TreeNode, step: Step) -> str:
        """The reason for a node's value: the text of its step and, if the algorithm prunes, the values seen so far."""
        if not self.prunes:
            return step.told
        updates = [step for step in self.solution.steps if step.kind == "update" and step.node == node.id]
        seen = [format_values(step.value) for step in updates if step.value]
        is_least = self.algorithm == "alphabeta" and node.word == "min"
        choice = say("lesson.least" if is_least else "lesson.largest", values=seen)
        return say("exercise.since", step=step.told, choice=choice, who={"max": "Max", "min": "Min"}[node.word])

    def _reason_to_visit(self, node: TreeNode) -> Message:
        """The reason why the search still visits a node."""
        windows: dict[int, Interval] = {}
        for step in self.solution.steps:
            if step.node == node.id:
                break
            if step.window is not None:
                windows[step.node] = step.window
        window = windows.get(node.parent)
        if window is None:
            return say("exercise.visits-all", algorithm=self.algorithm)
        alpha, beta = map(format_number, window)
        parent = self.solution.nodes[node.parent].name
        return say("exercise.still-open", parent=parent, alpha=alpha, beta=beta)


def exercise(
    algorithm: str = "alphabeta", seed: int = 0, depth: int = 3, branching: int = 2, chance: bool = False
) -> Exercise:
    """A random exercise. For alpha-beta, at least one arc is pruned; with `chance`, minimax becomes expectiminimax."""
    if chance and algorithm in ("minimax", "alphabeta", "negamax"):
        algorithm = "expectiminimax"
    if algorithm not in LEVELS:
        raise SpecError("exercise.unknown", known=list(LEVELS), algorithm=algorithm)
    if not 1 <= depth <= 6 or not 1 <= branching <= 4 or branching**depth > 256:
        raise SpecError("exercise.size", depth=depth, branching=branching)
    rng = new_rng(seed)
    for _ in range(TRIES):
        if algorithm in HIDDEN:
            text = _random_deals(algorithm, rng, max(2, depth), branching)
        else:
            text = _random_tree(algorithm, rng, depth, branching)
        found = Exercise(algorithm, seed, text, trace(algorithm, text))
        if found.solution.cut or not found.prunes or depth < 2 or branching < 2:
            return found
    raise DamierError("exercise.no-tree", depth=depth, branching=branching, algorithm=algorithm)


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


def _random_deals(algorithm: str, rng: Rng, depth: int, branching: int) -> str:
    """A tree in which chance deals and Max does not see the deal: with `belief` never, with `pimc` everybody sees it
    after Max's first move, which is what averaging over deals believes."""

    def below_deal(level: int, known_as: str) -> str:
        if level == depth:
            return str(below(rng, 21) - 10)
        word = LEVELS[algorithm][1 + (level - 1) % 2]
        hidden = f"{{{known_as}}}" if algorithm == "belief" or level == 1 else ""
        arcs = [f"{move}={below_deal(level + 1, f'{known_as}_{move}')}" for move in MOVES[:branching]]
        return f"{word}{hidden}({' '.join(arcs)})"

    chances = zip(DEALS, PROBABILITIES[branching], strict=False)
    deals = [f"{deal}={chance}: {below_deal(1, SET)}" for deal, chance in chances]
    return f"chance({' '.join(deals)})"


def name_of(node: TreeNode) -> str:
    return ROOT_NAME if node.id == ROOT else node.name.replace(" ", "/")


def _read_value(name: str, value: Any) -> Values:
    numbers = value if isinstance(value, list | tuple) else [value]
    if not numbers or any(isinstance(number, bool) or not isinstance(number, int | float) for number in numbers):
        raise SpecError("exercise.expected-number", node=name, got=repr(value))
    try:
        return tuple(map(float, numbers))
    except OverflowError:
        raise SpecError("exercise.smaller-number", node=name) from None
