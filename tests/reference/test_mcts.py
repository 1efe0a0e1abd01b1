"""A Monte-Carlo tree search written plainly grows the same tree, node for node, with the same random numbers."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.core.position import Position
from damier.core.protocol import CHANCE
from damier.core.rng import below, new_rng, shuffle, uniform
from damier.evaluations import EVALUATION
from damier.search.montecarlo.amaf import Pool
from damier.search.montecarlo.simulation import Workspace, simulate
from damier.search.montecarlo.strategy import PLAYOUT_POLICY, SELECTION_RULE, Strategy
from damier.search.montecarlo.tree import Tree

SIMS = 300 if COMPILER_ON else 60
GAMES = [
    "connect4:rows=4,cols=5",
    "tests/conformance/games.py:Pig",
    *(
        [] if COMPILER_ON else ["tictactoe", "othello:size=4", "examples/nim.py:Nim"]
    ),  # a search is compiled a rule a game
]
RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "ucb1": ("ucb1:c=0.4", {}),
    "tuned": ("tuned:c=1.0", {}),
    "rave": ("rave:c=0.3,bias=1e-2", {}),
    "grave": ("grave:ref=5", {}),
    "puct": ("puct:c=2.0", {}),
    "flat": ("uniform", {"max_depth": 1}),
    "cut": ("ucb1:c=0.4", {"cutoff": 3}),
    "margin": ("grave:ref=5", {"margin": 0.8}),
}


def strategy(name: str) -> Strategy:
    rule, limits = RULES[name]
    return Strategy(SELECTION_RULE.make(rule), PLAYOUT_POLICY.make("uniform"), EVALUATION.make("game"), **limits)


@dataclass
class Node:
    move: int = -1
    visits: int = 0
    total: float = 0.0
    squares: float = 0.0
    prior: float = 0.0
    player: int = -2
    children: list["Node"] = field(default_factory=list)
    amaf: dict[tuple[int, int], list[float]] = field(default_factory=dict)


class Naive:
    """Monte-Carlo tree search on Positions, lists and dictionaries."""

    def __init__(self, root: Position, name: str, seed: int) -> None:
        self.root_position, self.limits, self.rng = root, strategy(name), new_rng(seed)
        self.kind, self.rule = RULES[name][0].partition(":")[0], self.limits.rule
        self.root = Node()

    def simulate(self) -> None:
        position, path, made = self.root_position, [self.root], []
        while True:
            node = path[-1]
            if not node.children:
                if (node.visits == 0 and len(path) > 1) or len(path) > self.limits.max_depth or position.is_over:
                    break
                outcomes = position.outcomes
                moves = position.moves()
                if not position.is_chance:
                    shuffle(moves, len(moves), self.rng)
                node.children = [
                    Node(move, prior=float(np.float32(outcomes.get(move, 1 / len(moves))))) for move in moves
                ]
                node.player = position.player
            child = self.select(path)
            made.append((node.player, child.move))
            position = position.play(child.move)
            path.append(child)
        returns = self.finish(position, made)
        self.back_up(path, made, returns)

    def finish(self, position: Position, made: list[tuple[int, int]]) -> tuple[float, ...]:
        length = 0
        while length != self.limits.cutoff:
            move = self.random_move(position)
            if move < 0:
                break
            made.append((position.player, move))
            position = position.play(move)
            length += 1
        evaluated = position.evaluate() if position.game.has("evaluate") else (0.0,) * position.game.num_players
        if not position.is_over:
            return evaluated
        returns = position.returns
        assert returns is not None
        margin = self.limits.margin
        return tuple(value + margin * (says - value) for value, says in zip(returns, evaluated, strict=True))

    def random_move(self, position: Position) -> int:
        if position.game.has("sample") and position.player != CHANCE:
            return int(position.game.rules.sample(position.state, self.rng))
        if position.is_over:
            return -1
        if not position.is_chance:
            return position.moves()[below(self.rng, len(position.moves()))]
        left = uniform(self.rng)
        for move, probability in position.outcomes.items():
            left -= probability
            if left < 0:
                return move
        return position.moves()[-1]

    def select(self, path: list[Node]) -> Node:
        node = path[-1]
        if node.player == CHANCE:
            left = uniform(self.rng)
            for child in node.children:
                left -= child.prior
                if left < 0:
                    return child
            return node.children[-1]
        return max(node.children, key=lambda child: self.score(path, child))

    def score(self, path: list[Node], child: Node) -> Any:
        node, rule, kind = path[-1], self.rule, self.kind
        if kind == "uniform":
            return -child.visits
        if kind == "puct":
            mean = child.total / child.visits if child.visits else 0.0
            return mean + rule.c * child.prior * math.sqrt(node.visits) / (1 + child.visits)
        # sqrt(log N / n), taken apart as the kernel does: the last bit decides between equals
        spread = float(np.sqrt(np.log(max(1, node.visits)))) * (1 / math.sqrt(child.visits)) if child.visits else 0.0
        mean = 0.5 + 0.5 * child.total / child.visits if child.visits else 0.0
        if kind in ("rave", "grave"):
            if rule.c and not child.visits:
                return math.inf
            reference = next((n for n in reversed(path) if n.visits > (rule.ref if kind == "grave" else 0)), path[0])
            games, total = reference.amaf.get((node.player, child.move), (0, 0.0))
            if not child.visits and not games:
                return math.inf
            beta = games / (games + child.visits + rule.bias * games * child.visits)
            blended = (1 - beta) * mean + (beta * (0.5 + 0.5 * total / games) if games else 0.0)
            return blended + rule.c * spread
        if not child.visits:
            return math.inf
        if kind == "tuned":
            variance = child.squares / child.visits - mean * mean + math.sqrt(2) * spread
            spread *= math.sqrt(min(0.25, variance))
        return mean + rule.c * spread

    def back_up(self, path: list[Node], made: list[tuple[int, int]], returns: tuple[float, ...]) -> None:
        for level, node in enumerate(path):
            node.visits += 1
            if level and made[level - 1][0] != CHANCE:
                payoff = returns[made[level - 1][0]]
                node.total += payoff
                node.squares += (0.5 + 0.5 * payoff) ** 2
            elif level:
                node.squares += 0.25
            if node.children:
                for player, move in set(made[level:]):
                    if player != CHANCE:
                        entry = node.amaf.setdefault((player, move), [0, 0.0])
                        entry[0] += 1
                        entry[1] += returns[player]


def compare(node: Node, tree: Any, index: int) -> None:
    """The two trees must agree in every node."""
    ours = tree.nodes[index]
    assert ours.visits == node.visits
    assert ours.total == pytest.approx(node.total, abs=1e-9)
    assert max(0, ours.num_children) == len(node.children)
    for i, child in enumerate(node.children):
        below_it = ours.first_child + i
        assert tree.nodes[below_it].move == child.move
        assert ours.player == node.player
        compare(child, tree, below_it)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("rule", "kept"), [*((rule, "") for rule in RULES), ("rave", "amaf"), ("ucb1", "ahead")])
def test_the_same_tree_grows(name: str, rule: str, kept: str) -> None:
    """Whether all moves as first are in tables or, as is enough for RAVE, in an entry a child; and whether the next
    child is chosen on the way down or, as UCT does it, when the node changes."""
    start = damier.game(name).start()
    pool = None if kept == "amaf" else Pool(1 << 20)
    tree = Tree(100_000, pool, entries=kept == "amaf", ahead=kept == "ahead", squares=True)
    work = Workspace(start.game)
    work.states[0] = start.state
    start.game.run(simulate, tree, strategy(rule), work, SIMS, new_rng(3))
    naive = Naive(start, rule, 3)
    for _ in range(SIMS):
        naive.simulate()
    compare(naive.root, tree, 0)


def test_visits_add_up() -> None:
    start = damier.game("connect4").start()
    tree, work = Tree(1_000_000, ahead=True), Workspace(start.game)
    work.states[0] = start.state
    start.game.run(simulate, tree, strategy("ucb1"), work, 20 * SIMS, new_rng(1))
    for node in range(int(tree.used[0])):
        first, count = int(tree.nodes[node].first_child), int(tree.nodes[node].num_children)
        if count > 0:
            first_visit = 0 if node == 0 else 1  # made before the node had children
            assert tree.nodes["visits"][first : first + count].sum() == tree.nodes[node].visits - first_visit
