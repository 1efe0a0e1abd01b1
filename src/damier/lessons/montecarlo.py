"""Monte-Carlo tree search in textbook form, recording its steps: UCT, and RAVE on top of it.

    UCB1   x + c sqrt(log N / n)                           Kocsis and Szepesvari 2006; c = sqrt 2 in theory
    RAVE   (1 - b) x + b x~ + c sqrt(log N / n),           Gelly and Silver 2011
           b = n~ / (n + n~ + bias n n~)

N is how often a node was visited, n how often its child, x the child's mean reward for the player who chooses, from 0
to 1. x~ and n~ are the same of "all moves as first": of all simulations below the node in which that player made the
move at any time. A simulation goes down the tree while all moves of a node have been tried, tries the first one that
has not, plays on at random, and every node on the way takes the result.
"""

import math
from collections import defaultdict
from operator import add

from damier.core.errors import SpecError
from damier.core.messages import Message, say
from damier.core.protocol import CHANCE, Rng
from damier.core.rng import below, new_rng, uniform
from damier.lessons.record import OPEN, SEEN, VALUE, Recorder, Term, Trace, format_number, format_values
from damier.lessons.sources import Source, Values, Written
from damier.lessons.trees import NOBODY, ROOT, Tree, TreeNode, value_for

SIMS, MAX_SIMS = 12, 1000
LEGEND: dict[str, str] = {
    OPEN: say("legend.this-simulation"),
    SEEN: say("legend.in-tree"),
    VALUE: say("legend.rewards"),
}


class UCT:
    name = "uct"
    c = math.sqrt(2)

    def __init__(self, tree: Tree, sims: int = SIMS, seed: int = 0, c: float | None = None) -> None:
        if not 1 <= sims <= MAX_SIMS:
            raise SpecError("lesson.simulations", most=MAX_SIMS, got=sims)
        if not tree[ROOT].word:
            raise SpecError("lesson.nothing-to-simulate", algorithm=self.name, tree=tree.name)
        self.tree, self.sims, self.rng = tree, sims, new_rng(seed)
        self.c = type(self).c if c is None else c
        self.low, self.high = _range(tree)
        self.record = Recorder(self.name, tree, LEGEND)
        self.visits: dict[int, int] = defaultdict(int)
        self.rewards: dict[int, float] = defaultdict(float)  # of the player who moved there
        self.totals: dict[int, Values] = {}  # of all players
        self.made: list[tuple[int, str]] = []  # in this simulation: who made which moves

    def run(self) -> Trace:
        for number in range(1, self.sims + 1):
            self.simulate(number)
        root = self.tree[ROOT]
        best = root.id
        if root.player != CHANCE:
            counts = {child: (self.visits[child], self.rewards[child] / self.visits[child]) for child in root.children}
            best = max(counts, key=lambda child: counts[child])
        values = tuple(total / self.visits[best] for total in self.totals[best])
        told = say("lesson.root-gave", value=format_values(values))
        if best != ROOT:
            visits = {self.tree[child].arc: self.visits[child] for child in root.children}
            told = say_most_visited(visits, self.tree[best].arc, values)
        move = self.tree[best].arc or None
        self.record.step("answer", ROOT, told, value=values)
        return self.record.finish(move, values)

    # -- the four steps ------------------------------------------------------------------------------------

    def simulate(self, number: int) -> None:
        self.made = []
        path = self.select(number)
        values = self.play_out(path[-1], self.tree.sources[path[-1]])
        self.back_up(path, values)

    def select(self, number: int) -> list[int]:
        """The path from the root to a new node, or to the end of the game."""
        node, path = self.tree[ROOT], [ROOT]
        self.record.look(ROOT, status=OPEN)
        self.record.step("visit", ROOT, say("lesson.simulation", number=number))
        while node.word:
            arcs = self.tree.arcs(node.id)
            tried = {self.tree[child].index: child for child in node.children}
            if node.player == CHANCE:
                index = draw_index(self.rng, [probability or 0 for _, probability in arcs])
                is_new = index not in tried
            else:
                untried = [index for index in range(len(arcs)) if index not in tried]
                is_new = bool(untried)
                index = untried[0] if untried else self.tree[self.best_child(node)].index
            self.made.append((node.player, arcs[index][0]))
            if is_new:
                child = self.tree.add(node.id, index)
                path.append(child.id)
                self.record.look(child.id, status=OPEN)
                self.record.step("expand", child.id, say("lesson.first-try", node=child.name))
                return path
            if node.player == CHANCE:
                self.record.step("draw", node.id, say("lesson.draws", node=node.name, arc=arcs[index][0]))
            node = self.tree[tried[index]]
            path.append(node.id)
            self.record.look(node.id, status=OPEN)
        return path

    def best_child(self, node: TreeNode) -> int:
        terms = [self.term(node, child) for child in node.children]
        best = max(terms, key=lambda term: term.score)
        for term in terms:
            self.record.look(term.child, notes=self.notes(term))
        claims = [f"{self.tree[term.child].arc} {' = '.join(self.notes(term))}" for term in terms]
        visits, arc = self.visits[node.id], self.tree[best.child].arc
        told = say("lesson.select", node=node.name, visits=visits, claims=claims, best=arc)
        self.record.step("select", node.id, told, terms=tuple(terms), visits=self.visits[node.id])
        return best.child

    def term(self, node: TreeNode, child: int) -> Term:
        """UCB1 of a child."""
        visits = self.visits[child]
        mean = self.rewards[child] / visits
        bonus = self.c * math.sqrt(math.log(self.visits[node.id]) / visits)
        return Term(child, visits, mean, bonus, mean + bonus)

    def notes(self, term: Term) -> tuple[str, ...]:
        return f"{term.mean:.2f} + {term.bonus:.2f}", f"{term.score:.2f}"

    def play_out(self, number: int, source: Source) -> Values:
        """Random moves to the end."""
        moves = []
        while source.word:
            arcs = source.arcs
            index = (
                draw_index(self.rng, [p or 0 for _, p in arcs])
                if source.player == CHANCE
                else below(self.rng, len(arcs))
            )
            self.made.append((source.player, arcs[index][0]))
            moves.append(arcs[index][0])
            source = source.below(index)
        self.record.leaves += 1
        node, value = self.tree[number].name, format_values(source.values)
        told = say("lesson.over", node=node, value=value)
        if moves:
            told = say("lesson.random-moves", node=node, moves=" ".join(moves), value=value)
        self.record.step("simulate", number, told, value=source.values)
        return source.values

    def back_up(self, path: list[int], values: Values) -> None:
        for number in path:
            node = self.tree[number]
            self.visits[number] += 1
            before = self.totals.get(number, (0.0,) * len(values))
            self.totals[number] = tuple(map(add, before, values))
            if self.is_chosen(node):
                self.rewards[number] += self.reward(values, self.tree[node.parent].player)
            self.record.look(number, status=SEEN, value=self.count(node))
        for node in self.tree.nodes:
            self.record.look(node.id, notes=())
        way = [self.tree[number] for number in reversed(path)]
        counts = [say("lesson.count", node=node.name, count=self.count(node)) for node in way]
        told = say("lesson.back-up", value=format_values(values), counts=counts)
        self.record.step("backup", path[-1], told, value=values, visits=self.visits[path[-1]])

    # -- rewards -------------------------------------------------------------------------------------------

    def reward(self, values: Values, player: int) -> float:
        """A player's reward, scaled from 0, the least possible, to 1."""
        low, high = (self.low, self.high) if len(values) > 1 or player == 0 else (-self.high, -self.low)
        return (value_for(values, player) - low) / (high - low)

    def count(self, node: TreeNode) -> str:
        """The rewards of the player who moved there and the visits, as text: 2/3."""
        visits = self.visits[node.id]
        return f"{format_number(round(self.rewards[node.id], 2))}/{visits}" if self.is_chosen(node) else f"{visits}"

    def is_chosen(self, node: TreeNode) -> bool:
        """Whether a player, not chance, moved there."""
        return node.parent != NOBODY and self.tree[node.parent].player != CHANCE


def say_most_visited(visits: dict[str, int], move: str, values: Values) -> Message:
    """Say why a move is chosen: it has the most visits, or the best mean among those that have."""
    most = [other for other, count in visits.items() if count == visits[move]]
    facts = {"move": move, "value": format_values(values)}
    if len(most) == 1:
        return say("lesson.most-went", **facts)
    return say("lesson.as-many-went", most=visits[move], moves=most, **facts)


class Rave(UCT):
    name = "rave"
    c = 0.0
    bias = 1e-5

    def __init__(self, tree: Tree, sims: int = SIMS, seed: int = 0, c: float | None = None) -> None:
        super().__init__(tree, sims, seed, c)
        self.amaf_visits: dict[tuple[int, int, str], int] = defaultdict(int)  # by node, player and move
        self.amaf_rewards: dict[tuple[int, int, str], float] = defaultdict(float)

    def term(self, node: TreeNode, child: int) -> Term:
        ucb = super().term(node, child)
        here = (node.id, node.player, self.tree[child].arc)
        amaf_visits = self.amaf_visits[here]
        amaf = self.amaf_rewards[here] / amaf_visits
        beta = amaf_visits / (ucb.visits + amaf_visits + self.bias * ucb.visits * amaf_visits)
        score = (1 - beta) * ucb.mean + beta * amaf + ucb.bonus
        return Term(child, ucb.visits, ucb.mean, ucb.bonus, score, beta, amaf, amaf_visits)

    def notes(self, term: Term) -> tuple[str, ...]:
        bonus = f" + {term.bonus:.2f}" if term.bonus else ""
        assert term.beta is not None
        return f"{1 - term.beta:.2f}*{term.mean:.2f} + {term.beta:.2f}*{term.amaf:.2f}{bonus}", f"{term.score:.2f}"

    def back_up(self, path: list[int], values: Values) -> None:
        """Update every node on the path with the moves made later."""
        for number in path:
            for player, move in set(self.made[self.tree[number].depth :]):
                if player != CHANCE:
                    self.amaf_visits[number, player, move] += 1
                    self.amaf_rewards[number, player, move] += self.reward(values, player)
        super().back_up(path, values)


def _range(tree: Tree) -> tuple[float, float]:
    """The smallest and the largest payoff in the tree."""
    source = tree.sources[ROOT]
    if not isinstance(source, Written):
        return -1.0, 1.0
    values = [value for node in source.node.nodes() if node.is_leaf for value in node.values]
    low, high = min(values), max(values)
    return (low, high) if low < high else (low - 1, high + 1)


def draw_index(rng: Rng, weights: list[float]) -> int:
    """A random index, drawn by probability."""
    left = uniform(rng)
    for index, weight in enumerate(weights[:-1]):
        left -= weight
        if left < 0:
            return index
    return len(weights) - 1
