"""Search over states of knowledge in textbook form: what a player believes, and what is best for all they know.

    P(n | set) is in proportion to the probabilities of chance and of the others on the way to n
    value(set) = max over moves of the sum over the leaves and the player's next sets of P(next | set, move) value(next)

The others are thought to play any move with the same probability. One move is chosen for all nodes of an information
set, so a move that tells the player something is worth what they can do with it. The best answer to a strategy is found
in the same way, with the strategy's probabilities.
"""

from collections.abc import Callable

from damier.core.messages import say
from damier.core.protocol import CHANCE
from damier.lessons.hidden import HiddenLesson, InformationSet, summed, written_sum
from damier.lessons.record import SEEN, Trace, format_values
from damier.lessons.sources import Values
from damier.lessons.trees import ROOT, value_for

Next = list[tuple[float, Values]]  # what a move leads to: how likely it is, and what it is worth


class Belief(HiddenLesson):
    """The best move for what the player knows, if the others play at random."""

    name = "belief"
    needs_recall = True

    def run(self) -> Trace:
        self.me = self.start.player if self.first is not None else self.sets[0].player
        self.moves: dict[InformationSet, str] = {}
        if self.first is not None:
            values = self.value_of(self.start)
            return self.answer(self.moves[self.start], values)
        terms = self.follow([(ROOT, 1.0)])
        values = summed(terms)
        if len(terms) > 1:
            told = say("lesson.before", sum=written_sum(terms), value=format_values(values))
            self.record.step("sum", ROOT, told, value=values)
        first = [each for each in self.sets if each.player == self.me and not self.past(each.nodes[0], self.me)]
        if len(first) == 1:
            self.start = first[0]
        return self.answer(self.moves[first[0]] if len(first) == 1 else None, values)

    def value_of(self, here: InformationSet) -> Values:
        """The value of an information set: the best move for all its nodes at once."""
        belief = self.belief(here, self.me)
        told = say("lesson.belief", set=here.name, who=self.who(here), belief=self.show_belief(here, belief))
        self.record.step("belief", here.nodes[0], told)
        found = []
        for index, arc in enumerate(here.arcs):
            terms = self.follow([(self.tree[node].children[index], belief[node]) for node in here.nodes])
            found.append(summed(terms))
            told = say(
                "lesson.weighed", set=here.name, move=arc, sum=written_sum(terms), value=format_values(found[-1])
            )
            self.record.step("weigh", here.nodes[0], told, value=found[-1])
        mine = [value_for(values, self.me) for values in found]
        best = mine.index(max(mine))
        self.moves[here] = here.arcs[best]
        for node in here.nodes:
            self.record.look(node, status=SEEN, value=format_values(found[best]))
        values = [format_values(each) for each in found]
        why = say("lesson.best-for", values=values, who=self.who(here))
        told = say("lesson.set-returns", set=here.name, value=format_values(found[best]), why=why)
        self.record.step("return", here.nodes[0], told, value=found[best], of=here.name)
        return found[best]

    def follow(self, nodes: list[tuple[int, float]]) -> Next:
        """What nodes with these probabilities lead to: leaves, and the next information sets of the player."""
        leaves: Next = []
        reached: dict[InformationSet, float] = {}
        for number, probability in nodes:
            for below, weight in self.play_on(number, probability):
                node = self.tree[below]
                if node.is_leaf:
                    self.record.look(below, status=SEEN)
                    self.record.leaves += 1
                    leaves.append((weight, node.values))
                else:
                    there = self.set_of[below]
                    reached[there] = reached.get(there, 0.0) + weight
        return leaves + [(weight, self.value_of(there)) for there, weight in reached.items()]

    def play_on(self, number: int, probability: float) -> list[tuple[int, float]]:
        """The leaves and the player's own nodes that chance and the others lead to, and how likely they are."""
        node = self.tree[number]
        if node.is_leaf or node.player == self.me:
            return [(number, probability)]
        found = []
        for child in node.children:
            share = self.tree[child].probability if node.player == CHANCE else 1 / len(node.children)
            found += self.play_on(child, probability * (share or 0.0))
        return found


def best_answer(lesson: HiddenLesson, me: int, strategy: Callable[[InformationSet], list[float]]) -> float:
    """What the best answer of a player to a strategy of the others is worth."""

    def worth(nodes: list[tuple[int, float]]) -> float:
        total, reached = 0.0, dict[InformationSet, dict[int, float]]()
        while nodes:
            number, weight = nodes.pop()
            node = lesson.tree[number]
            if node.is_leaf:
                total += weight * value_for(node.values, me)
            elif node.player == me:
                reached.setdefault(lesson.set_of[number], {})[number] = weight
            else:
                shares = (
                    [lesson.tree[child].probability or 0.0 for child in node.children]
                    if node.player == CHANCE
                    else strategy(lesson.set_of[number])
                )
                nodes += [(child, weight * share) for child, share in zip(node.children, shares, strict=True)]
        for there, weights in reached.items():
            total += max(
                worth([(lesson.tree[node].children[index], weight) for node, weight in weights.items()])
                for index in range(len(there.arcs))
            )
        return total

    return worth([(ROOT, 1.0)])
