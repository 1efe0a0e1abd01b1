"""Counterfactual regret minimisation in textbook form (Zinkevich and others, Regret minimization in games with
incomplete information, 2007), with players who are updated one after the other.

    regret(set, move) += P(others and chance come here) (value(move) - value(set)), added up over the nodes of the set
    strategy(set)      = the regrets above 0, in proportion; all moves alike if there are none
    average(set)       = the mean of the strategies, weighted by the probability that the player comes here

With two players the average comes closer and closer to an equilibrium. How far away it is, NashConv says: what both
players could win together by playing the best answer to the other's average.
"""

from damier.core.errors import SpecError
from damier.core.messages import say
from damier.core.protocol import CHANCE
from damier.lessons.beliefs import best_answer
from damier.lessons.hidden import HiddenLesson, InformationSet, summed
from damier.lessons.montecarlo import MAX_SIMS
from damier.lessons.record import HIDDEN_LEGEND, OPEN, SEEN, VALUE, Trace, format_values
from damier.lessons.sources import Values
from damier.lessons.trees import ROOT, Tree, TreeNode, value_for

ITERATIONS = 12
IN_DETAIL = 2  # iterations whose regrets are shown one by one
LEGEND: dict[str, str] = HIDDEN_LEGEND | {OPEN: say("legend.updated"), SEEN: say("legend.seen-before")}
LEGEND.pop(VALUE)


class Cfr(HiddenLesson):
    """Strategies for all information sets, which come closer and closer to an equilibrium."""

    name = "cfr"
    legend = LEGEND
    needs_recall = True

    def __init__(self, tree: Tree, iterations: int = ITERATIONS) -> None:
        if not 1 <= iterations <= MAX_SIMS:
            raise SpecError("lesson.iterations", most=MAX_SIMS, got=iterations)
        super().__init__(tree)
        self.iterations = iterations
        self.players = sorted({each.player for each in self.sets})
        self.regrets = {each: [0.0] * len(each.arcs) for each in self.sets}
        self.sums = {each: [0.0] * len(each.arcs) for each in self.sets}
        self.strategy = {each: self.match(each) for each in self.sets}

    def run(self) -> Trace:
        for number in range(1, self.iterations + 1):
            self.record.leaves += 1  # iterations
            for player in self.players:
                self.walk(self.tree[ROOT], player, 1.0, 1.0)
                for here in self.sets:
                    if here.player == player:
                        self.update(here, number)
            if number <= 10 or number == self.iterations or _is_round(number):
                self.report(number)
        values = self.value(self.tree[ROOT])
        self.record.step("answer", ROOT, say("lesson.value", value=format_values(values)), value=values)
        return self.record.finish(None, values)

    def walk(self, node: TreeNode, me: int, mine: float, others: float) -> Values:
        """The value of a node if all follow their strategies; on the way, my regrets are added up. `mine` and `others`
        are the probabilities that I, or the others and chance, come here."""
        if node.is_leaf:
            return node.values
        children = self.children(node)
        shares = self.shares(node)
        found = []
        for child, share in zip(children, shares, strict=True):
            ways = (mine * share, others) if node.player == me else (mine, others * share)
            found.append(self.walk(child, me, *ways))
        values = summed(list(zip(shares, found, strict=True)))
        if node.player == me:
            here = self.set_of[node.id]
            for index, each in enumerate(found):
                self.regrets[here][index] += others * (value_for(each, me) - value_for(values, me))
                self.sums[here][index] += mine * shares[index]
        return values

    def shares(self, node: TreeNode) -> list[float]:
        """The probabilities of the arcs."""
        if node.player == CHANCE:
            return [child.probability or 0.0 for child in self.children(node)]
        return self.strategy[self.set_of[node.id]]

    def match(self, here: InformationSet) -> list[float]:
        """Regret matching: moves are played in proportion to their regrets above 0."""
        above = [max(0.0, regret) for regret in self.regrets[here]]
        total = sum(above)
        return [regret / total for regret in above] if total > 0 else [1 / len(above)] * len(above)

    def average(self, here: InformationSet) -> list[float]:
        total = sum(self.sums[here])
        return [each / total for each in self.sums[here]] if total > 0 else [1 / len(here.arcs)] * len(here.arcs)

    def update(self, here: InformationSet, number: int) -> None:
        self.strategy[here] = self.match(here)
        if number > IN_DETAIL:
            return
        for node in here.nodes:
            self.record.look(node, status=OPEN, notes=tuple(_listed(here.arcs, self.strategy[here])))
        told = say(
            "lesson.regrets",
            number=number,
            set=here.name,
            who=self.who(here),
            regrets=_listed(here.arcs, self.regrets[here]),
            strategy=_listed(here.arcs, self.strategy[here]),
        )
        self.record.step("regret", here.nodes[0], told)

    def report(self, number: int) -> None:
        """The averages so far, what they are worth, and how far they are from an equilibrium."""
        for here in self.sets:
            for node in here.nodes:
                self.record.look(node, status=SEEN, notes=tuple(_listed(here.arcs, self.average(here))))
        values = self.value(self.tree[ROOT])
        gains = [best_answer(self, each, self.average) - value_for(values, each) for each in self.players]
        told = say("lesson.iteration", number=number, value=format_values(values), nash_conv=sum(gains))
        self.record.step("iteration", ROOT, told, value=values, table=self.table())

    def value(self, node: TreeNode) -> Values:
        """The value of a node if all play by their averages."""
        if node.is_leaf:
            return node.values
        shares = self.shares(node) if node.player == CHANCE else self.average(self.set_of[node.id])
        return summed(list(zip(shares, map(self.value, self.children(node)), strict=True)))

    def table(self) -> tuple[tuple[str, str], ...]:
        """The average strategies, a row for each information set, player by player."""
        sets = sorted(self.sets, key=lambda here: here.player)
        return tuple((here.name, "  ".join(_listed(here.arcs, self.average(here)))) for here in sets)


def _listed(arcs: tuple[str, ...], numbers: list[float]) -> list[str]:
    return [f"{arc} {round(number, 3) + 0.0:.3f}" for arc, number in zip(arcs, numbers, strict=True)]


def _is_round(number: int) -> bool:
    """Whether a number is 10, 20, 50, 100, 200, 500 and so on."""
    return str(number).rstrip("0") in ("1", "2", "5")
