"""Information-set Monte-Carlo tree search in textbook form, with several observers (Cowling, Powley and Whitehouse,
Information set Monte Carlo tree search, 2012).

    the score of a move  x + c sqrt(log n' / n)        c = 0.7

n is how often the move was made in this information set, x its mean reward for the player who makes it, from 0 to 1,
and n' how often it was available. A simulation draws a deal from those that are possible for the player to move, and
all nodes of an information set share their counts: the search can't play differently in deals that look the same. In a
tree all moves of a set are always available, so n' is the number of visits of the set.
"""

import math
from collections import defaultdict

from damier.core.errors import SpecError
from damier.core.messages import say
from damier.core.protocol import CHANCE
from damier.core.rng import below, new_rng
from damier.lessons.hidden import HiddenLesson, InformationSet
from damier.lessons.montecarlo import MAX_SIMS, SIMS, draw_index, say_most_visited
from damier.lessons.record import HIDDEN_LEGEND, OPEN, SEEN, VALUE, Term, Trace, format_number, format_values
from damier.lessons.sources import Values
from damier.lessons.trees import Tree, TreeNode, value_for

LEGEND: dict[str, str] = HIDDEN_LEGEND | {
    OPEN: say("legend.this-simulation"),
    SEEN: say("legend.in-tree"),
    VALUE: say("legend.rewards"),
}


class Ismcts(HiddenLesson):
    """Simulations in random deals, with one count for all nodes that look the same."""

    name = "ismcts"
    legend = LEGEND
    c = 0.7

    def __init__(
        self, tree: Tree, first: int | None = None, sims: int = SIMS, seed: int = 0, c: float | None = None
    ) -> None:
        if not 1 <= sims <= MAX_SIMS:
            raise SpecError("lesson.simulations", most=MAX_SIMS, got=sims)
        super().__init__(tree, first)
        self.sims, self.rng = sims, new_rng(seed)
        self.c = type(self).c if c is None else c
        values = [value for node in tree.nodes if node.is_leaf for value in node.values]
        self.low, self.high = (
            (min(values), max(values)) if min(values) < max(values) else (values[0] - 1, values[0] + 1)
        )
        self.available: dict[InformationSet, int] = defaultdict(int)
        self.visits: dict[tuple[InformationSet, int], int] = defaultdict(int)  # by set and index of the move
        self.rewards: dict[tuple[InformationSet, int], float] = defaultdict(float)
        self.totals: dict[int, Values] = {}  # by move of the first set: the sum of the values

    def run(self) -> Trace:
        for number in range(1, self.sims + 1):
            self.simulate(number)
        here = self.start
        tried = {index: self.visits[here, index] for index in range(len(here.arcs)) if self.visits[here, index]}
        best = max(tried, key=lambda index: (tried[index], self.rewards[here, index] / tried[index]))
        values = tuple(total / tried[best] for total in self.totals[best])
        told = say_most_visited({here.arcs[index]: count for index, count in tried.items()}, here.arcs[best], values)
        self.record.step("answer", here.nodes[0], told, value=values)
        return self.record.finish(here.arcs[best], values)

    # -- the steps of a simulation ---------------------------------------------------------------------------

    def simulate(self, number: int) -> None:
        node = self.tree[self.deal(number)]
        made: list[tuple[InformationSet, int]] = []
        is_new = False
        while not node.is_leaf and not is_new:
            self.record.look(node.id, status=OPEN)
            if node.player == CHANCE:
                index = draw_index(self.rng, [child.probability or 0.0 for child in self.children(node)])
                self.record.step("draw", node.id, say("lesson.draws", node=node.name, arc=self.arc(node, index)))
            else:
                here = self.set_of[node.id]
                index, is_new = self.select(node, here)
                made.append((here, index))
            node = self.tree[node.children[index]]
        self.back_up(node, made, self.play_out(node))

    def deal(self, number: int) -> int:
        """Draw a deal that is possible for the player to move."""
        for node in self.tree.nodes:
            self.record.look(node.id, notes=())
        belief = self.belief(self.start)
        drawn = list(belief)[draw_index(self.rng, list(belief.values()))]
        self.record.look(drawn, status=OPEN)
        self.record.step("deal", drawn, say("lesson.drawn-deal", number=number, deal=self.tree[drawn].name))
        return drawn

    def select(self, node: TreeNode, here: InformationSet) -> tuple[int, bool]:
        """The first move that has not been tried in this information set, or else the one with the highest score."""
        for index, arc in enumerate(here.arcs):
            if not self.visits[here, index]:
                told = say("lesson.first-in-set", set=here.name, move=arc)
                self.record.step("expand", node.id, told)
                return index, True
        terms = [self.term(node, here, index) for index in range(len(here.arcs))]
        best = max(range(len(terms)), key=lambda index: terms[index].score)
        claims = [
            f"{arc} {term.mean:.2f} + {term.bonus:.2f} = {term.score:.2f}"
            for arc, term in zip(here.arcs, terms, strict=True)
        ]
        told = say(
            "lesson.select-in-set", set=here.name, count=self.available[here], claims=claims, best=here.arcs[best]
        )
        self.record.step("select", node.id, told, terms=tuple(terms), visits=self.available[here])
        return best, False

    def term(self, node: TreeNode, here: InformationSet, index: int) -> Term:
        visits = self.visits[here, index]
        mean = self.rewards[here, index] / visits
        bonus = self.c * math.sqrt(math.log(self.available[here]) / visits)
        return Term(node.children[index], visits, mean, bonus, mean + bonus)

    def play_out(self, node: TreeNode) -> Values:
        """Random moves to the end."""
        start, moves = node, list[str]()
        self.record.look(node.id, status=OPEN)
        while not node.is_leaf:
            children = self.children(node)
            shares = [child.probability or 0.0 for child in children]
            node = children[draw_index(self.rng, shares) if node.player == CHANCE else below(self.rng, len(children))]
            moves.append(node.arc)
        self.record.leaves += 1
        value = format_values(node.values)
        told = say("lesson.over", node=start.name, value=value)
        if moves:
            told = say("lesson.random-moves", node=start.name, moves=" ".join(moves), value=value)
        self.record.step("simulate", start.id, told, value=node.values)
        return node.values

    def back_up(self, end: TreeNode, made: list[tuple[InformationSet, int]], values: Values) -> None:
        """All nodes of an information set take the result."""
        first = made[0][1]
        self.totals[first] = tuple(
            sum(pair) for pair in zip(self.totals.get(first, (0.0,) * len(values)), values, strict=True)
        )
        counts = []
        for here, index in made:
            self.available[here] += 1
            self.visits[here, index] += 1
            self.rewards[here, index] += self.reward(values, here.player)
            count = f"{format_number(round(self.rewards[here, index], 2))}/{self.visits[here, index]}"
            counts.append(say("lesson.count-in-set", set=here.name, move=here.arcs[index], count=count))
            for node in here.nodes:
                self.record.look(node, status=SEEN)
                self.record.look(self.tree[node].children[index], status=SEEN, value=count)
        self.record.look(end.id, status=SEEN)
        told = say("lesson.back-up", value=format_values(values), counts=list(reversed(counts)))
        self.record.step("backup", end.id, told, value=values)

    def reward(self, values: Values, player: int) -> float:
        """A player's reward, scaled from 0, the least possible, to 1."""
        low, high = (self.low, self.high) if len(values) > 1 or player == 0 else (-self.high, -self.low)
        return (value_for(values, player) - low) / (high - low)

    def arc(self, node: TreeNode, index: int) -> str:
        return self.tree.arcs(node.id)[index][0]
