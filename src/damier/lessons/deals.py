"""Averaging over deals in textbook form: minimax with open cards in every deal, then the mean of each move.

    value(move) = sum over deals d of P(d) minimax(move in d)

It is called perfect-information Monte-Carlo (pimc) where the deals are drawn at random; here all of them are taken. Two
things are wrong with it (Frank and Basin, Search in games with incomplete information, 1998): it plays differently in
deals that the player can't tell apart (strategy fusion), which the lesson points out, and it believes the same of every
deal, whatever the other players did on the way (non-locality).
"""

from damier.core.messages import say
from damier.lessons.hidden import HiddenLesson, InformationSet, summed, written_sum
from damier.lessons.record import SEEN, Trace, format_number, format_values
from damier.lessons.sources import Values
from damier.lessons.trees import TreeNode, value_for


class Pimc(HiddenLesson):
    """The best average over the deals that are possible, as if everybody saw everything afterwards."""

    name = "pimc"

    def run(self) -> Trace:
        here = self.start
        self.chosen: dict[int, str] = {}  # by node: the move of minimax with open cards
        belief = self.belief(here)
        told = say("lesson.deals", set=here.name, who=self.who(here), deals=self.show_belief(here, belief))
        self.record.step("set", here.nodes[0], told)
        found = {node: self.deal(node, belief[node]) for node in here.nodes}
        averages = [self.average(here, index, belief, found) for index in range(len(here.arcs))]
        mine = [value_for(values, here.player) for values in averages]
        best = mine.index(max(mine))
        fused = [other for other in self.sets if len({self.chosen[node] for node in self.played(other)}) > 1]
        self.compare(here, found, can_do_it=here.player not in [other.player for other in fused])
        for other in fused:
            self.point_out(other)
        return self.answer(here.arcs[best], averages[best])

    def deal(self, number: int, probability: float) -> list[Values]:
        """The value of each move in a deal, with open cards."""
        node = self.tree[number]
        told = say("lesson.deal", deal=node.name, probability=format_number(probability))
        self.record.step("deal", number, told)
        found = [self.value(child) for child in self.children(node)]
        listed = [
            f"{child.arc} {format_values(values)}" for child, values in zip(self.children(node), found, strict=True)
        ]
        self.record.look(number, status=SEEN)
        self.record.step("dealt", number, say("lesson.dealt", deal=node.name, values=listed))
        return found

    def value(self, node: TreeNode) -> Values:
        values = super().value(node)
        if not node.is_leaf and self.is_choice(node) and self.best is not None:
            self.chosen[node.id] = self.tree[self.best].arc
        return values

    def average(
        self, here: InformationSet, index: int, belief: dict[int, float], found: dict[int, list[Values]]
    ) -> Values:
        """The mean of a move over the deals."""
        terms = [(belief[node], found[node][index]) for node in here.nodes]
        values, arc = summed(terms), here.arcs[index]
        told = say("lesson.average", move=arc, sum=written_sum(terms), value=format_values(values))
        self.record.step("average", here.nodes[0], told, value=values, of=arc)
        return values

    def compare(self, here: InformationSet, found: dict[int, list[Values]], can_do_it: bool) -> None:
        """The special case: a move that is best in every deal is best on average.

        If the player can go on in the same way in all deals, nothing better can be had from others who see everything.
        """
        for index, arc in enumerate(here.arcs):
            if all(_is_best(index, [value_for(each, here.player) for each in values]) for values in found.values()):
                told = say("lesson.best-everywhere" if can_do_it else "lesson.best-on-average", move=arc)
                self.record.step("every", here.nodes[0], told)
                return

    def played(self, other: InformationSet) -> list[int]:
        """The nodes of an information set in which minimax chose a move."""
        return [node for node in other.nodes if node in self.chosen]

    def point_out(self, other: InformationSet) -> None:
        """Strategy fusion: one information set, and minimax chose different moves in it."""
        nodes = self.played(other)
        moves = [say("lesson.move-at", node=self.tree[node].name, move=self.chosen[node]) for node in nodes]
        told = say("lesson.fusion", set=other.name, who=self.who(other), moves=moves)
        self.record.step("fusion", nodes[0], told)


def _is_best(index: int, values: list[float]) -> bool:
    return values[index] == max(values)
