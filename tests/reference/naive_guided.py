"""AlphaZero's search written plainly: a tree of objects, on Positions."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from damier.core.position import Position
from damier.core.rng import new_rng, uniform

Floats = NDArray[np.float32]

# Where compiling a game for a test would cost more than the test.


class Linear:
    """A network that makes something of every position: fixed random sums, rounded, in any batch alike."""

    def __init__(self, cells: int, num_actions: int, num_players: int, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self.policy = rng.normal(size=(cells, num_actions))
        self.values = rng.normal(size=(cells, num_players)) / 2
        self.asked = 0

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        self.asked += len(planes)
        flat = planes.reshape(len(planes), -1).astype(float)
        policy, values = (np.round(flat @ matrix, 3) for matrix in (self.policy, self.values))
        return policy.astype(np.float32), np.round(np.tanh(values), 3).astype(np.float32)


@dataclass
class Node:
    prior: float = 1.0
    visits: int = 0
    totals: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    children: dict[int, "Node"] = field(default_factory=dict)
    exact: list[float] | None = None  # where the values follow from the ends of games

    def mean(self, player: int) -> float:
        return self.exact[player] if self.exact else self.totals[player] / self.visits


class Naive:
    """`rule` is "puct" or "gumbel", here without random numbers; chance draws as the kernels do."""

    def __init__(
        self, root: Position, network: Linear, rule: str, sims: int, seed: int, solver: bool, margin: float = 0.0
    ) -> None:
        self.position, self.network, self.rule, self.sims, self.margin = root, network, rule, sims, margin
        self.rng, self.solver = new_rng(seed), solver
        self.root = Node(totals=[0.0] * root.game.num_players)
        self.simulate(0)
        self.order = halving_table(min(16, sims, len(self.root.children)), sims)
        for number in range(sims):
            self.simulate(number)

    def simulate(self, number: int) -> None:
        node, position, path, choosers = self.root, self.position, [self.root], []
        while not position.is_over and not (node.exact and node is not self.root):
            if not node.children and not position.is_chance:
                break
            if position.is_chance:
                for move, prob in position.outcomes.items():
                    node.children.setdefault(move, self.new_node(prob))
                move = self.draw(node)
            else:
                move = self.select(node, position.player, number)
            choosers.append(None if position.is_chance else position.player)
            node, position = node.children[move], position.play(move)
            path.append(node)
        values = list(with_margin(position, self.margin) or node.exact or self.evaluate(node, position))
        node.first = values
        if self.solver and position.is_over:
            node.exact = values
            for above, chooser in reversed(list(zip(path, choosers, strict=False))):
                above.exact = above.exact or known(list(above.children.values()), chooser)
        for visited in path:
            visited.visits += 1
            visited.totals = [total + value for total, value in zip(visited.totals, values, strict=True)]

    def new_node(self, prior: float) -> Node:
        return Node(float(np.float32(prior)), totals=[0.0] * self.position.game.num_players)

    def evaluate(self, node: Node, position: Position) -> list[float]:
        (logits,), (values,) = self.network.evaluate(position.encode()[np.newaxis])
        weights = {move: math.exp(logits[position.action(move)]) for move in position.moves()}
        for move, weight in weights.items():
            node.children[move] = self.new_node(weight / sum(weights.values()))
        players = len(values)
        return [float(values[(player - position.player) % players]) for player in range(players)]

    def draw(self, node: Node) -> int:
        left = uniform(self.rng)
        for move, child in node.children.items():
            left -= child.prior
            if left < 0:
                return move
        return move

    def select(self, node: Node, player: int, number: int) -> int:
        children = node.children
        if self.rule == "puct":
            root = math.sqrt(max(1, sum(child.visits for child in children.values())))
            unvisited = node.mean(player) - 0.2

            def score(move: int) -> float:
                child = children[move]
                q = child.mean(player) if child.visits else unvisited
                return q + 2.0 * child.prior * root / (1 + child.visits)

            return max(children, key=score)
        logits = improved_logits(node, player)
        if node is self.root:
            turn = self.order[number]
            return max((move for move in children if children[move].visits == turn), key=logits.__getitem__)
        total = sum(child.visits for child in children.values())
        policy = softmax(logits)
        return max(children, key=lambda move: policy[move] - children[move].visits / (1 + total))


def known(children: list[Node], chooser: int | None) -> list[float] | None:
    """What the children make known of their parent: the mean of chance, the best for a player."""
    exact = [child.exact for child in children if child.exact]
    if chooser is None:
        if len(exact) < len(children):
            return None
        shares = [(child.prior, child.exact) for child in children if child.exact]
        return [sum(prior * values[player] for prior, values in shares) for player in range(len(exact[0]))]
    best = max(exact, key=lambda values: values[chooser], default=None)
    return best if best and (len(exact) == len(children) or best[chooser] >= 1) else None


def improved_logits(node: Node, player: int) -> dict[int, float]:
    visited = [child for child in node.children.values() if child.visits]
    total = sum(child.visits for child in visited)
    completed = node.first[player]
    if visited:
        prior = sum(child.prior for child in visited)
        average = sum(child.prior * child.mean(player) for child in visited) / prior
        completed = (completed + total * average) / (1 + total)
    most = max((child.visits for child in visited), default=0)
    logits = {}
    for move, child in node.children.items():
        q = child.mean(player) if child.visits else completed
        logits[move] = math.log(child.prior) + (50 + most) * (q + 1) / 2
    return logits


def softmax(logits: dict[int, float]) -> dict[int, float]:
    highest = max(logits.values())
    weights = {move: math.exp(logit - highest) for move, logit in logits.items()}
    return {move: weight / sum(weights.values()) for move, weight in weights.items()}


def halving_table(considered: int, sims: int) -> list[int]:
    """For each simulation, and one that would follow, how often the child must have been visited that it goes to: round
    after round."""
    if considered <= 1:
        return list(range(sims + 1))
    rounds = math.ceil(math.log2(considered))
    table: list[int] = []
    visits = [0] * considered
    while len(table) <= sims:
        for _ in range(max(1, sims // (rounds * considered))):
            table += visits[:considered]
            visits[:considered] = [count + 1 for count in visits[:considered]]
        considered = max(2, considered // 2)
    return table[: sims + 1]


REACH = 0.25


def with_margin(position: Position, margin: float) -> tuple[float, ...] | None:
    """The payoffs of a game that is over, of which a share is by how much was won."""
    if position.returns is None or not margin:
        return position.returns
    won_by = [min(1.0, max(-1.0, evaluation / REACH)) for evaluation in position.evaluate()]
    return tuple((1 - margin) * value + margin * by for value, by in zip(position.returns, won_by, strict=True))
