"""Minimax, expectiminimax, expectimax and max^n in textbook form, recording their steps.

`damier.search` has the compiled versions for playing.
"""

from collections.abc import Sequence

from damier.core.errors import SpecError
from damier.core.messages import say
from damier.core.protocol import CHANCE
from damier.games.trees.notation import MAX
from damier.lessons.record import LEGEND, OPEN, SEEN, Recorder, Trace, format_number, format_values
from damier.lessons.sources import Values
from damier.lessons.trees import ROOT, Tree, TreeNode, value_for

WHO = {"max": "Max", "min": "Min"}


class Lesson:
    """A search in a tree that is complete from the start. A subclass is an algorithm."""

    name = ""
    takes_chance = False
    takes_many = False  # players
    legend = LEGEND

    def __init__(self, tree: Tree, depth: int | None) -> None:
        self.tree = tree
        tree.grow(depth)
        self._check()
        self.record = Recorder(self.name, tree, self.legend)

    def run(self) -> Trace:
        root = self.tree[ROOT]
        if root.is_leaf:
            self.leaf(root)
            return self.record.finish(None, root.values)
        values, best = self.search()
        move = None if best is None else self.tree[best].arc
        value = format_values(values)
        told = say("lesson.answer", value=value, move=move) if move else say("lesson.value", value=value)
        self.record.step("answer", ROOT, told, value=values)
        return self.record.finish(move, values)

    def search(self) -> tuple[Values, int | None]:
        """The value of the root, and its best child."""
        raise NotImplementedError

    def _check(self) -> None:
        nodes = [node for node in self.tree.nodes if not node.is_leaf]
        if not self.takes_many and len(self.tree[ROOT].values) > 1:
            raise SpecError("lesson.two-players", algorithm=self.name, tree=self.tree.name)
        if not self.takes_chance and any(node.player == CHANCE for node in nodes):
            raise SpecError("lesson.no-chance", algorithm=self.name, tree=self.tree.name)

    # -- the steps that all of them have -------------------------------------------------------------------

    def children(self, node: TreeNode) -> list[TreeNode]:
        return [self.tree[child] for child in node.children]

    def enter(self, node: TreeNode, is_random: bool = False) -> None:
        self.record.look(node.id, status=OPEN)
        how = say("lesson.moves-at-random" if is_random else "lesson.moves", who=who_moves(node))
        self.record.step("enter", node.id, say("lesson.enter", node=node.name, how=how))

    def leaf(self, node: TreeNode) -> Values:
        self.record.leaves += 1
        value = format_values(node.values)
        self.record.look(node.id, status=SEEN, value=value)
        told = say("lesson.leaf", node=node.name, value=value)
        if node.is_guess:
            reason = self.tree.sources[node.id].reason()
            told = say("lesson.evaluated", node=node.name, reason=reason, value=value)
        self.record.step("leaf", node.id, told, value=node.values)
        return node.values

    def leave(self, node: TreeNode, values: Values, why: str) -> Values:
        value = format_values(values)
        self.record.look(node.id, status=SEEN, value=value)
        told = say("lesson.returns-since", node=node.name, value=value, why=why)
        self.record.step("return", node.id, told, value=values)
        return values


def who_moves(node: TreeNode) -> str:
    return say("lesson.chance") if node.player == CHANCE else WHO.get(node.word, node.word)


def _listed(numbers: Sequence[float]) -> list[str]:
    return [format_number(number) for number in numbers]


def _expected(node: TreeNode, children: list[TreeNode], found: list[Values]) -> tuple[Values, str]:
    """The mean of the children's values by probability; uniform if no probabilities are given."""
    weights = [1 / len(found) if child.probability is None else child.probability for child in children]
    values = tuple(sum(w * each[i] for w, each in zip(weights, found, strict=True)) for i in range(len(found[0])))
    summands = (f"{format_number(w)} * {format_values(each)}" for w, each in zip(weights, found, strict=True))
    return values, " + ".join(summands)


class BackUp(Lesson):
    """Visit the children first, then the node: the player to move chooses, or chance takes the mean."""

    def search(self) -> tuple[Values, int | None]:
        self.best: int | None = None
        return self.value(self.tree[ROOT]), self.best

    def value(self, node: TreeNode) -> Values:
        if node.is_leaf:
            return self.leaf(node)
        is_choice = self.is_choice(node)
        self.enter(node, is_random=not is_choice and node.player != CHANCE)
        children = self.children(node)
        found = [self.value(child) for child in children]
        if not is_choice:
            self.best = None
            return self.leave(node, *_expected(node, children, found))
        best, why = self.choose(node, found)
        self.best = children[best].id
        return self.leave(node, found[best], why)

    def is_choice(self, node: TreeNode) -> bool:
        return node.player != CHANCE

    def choose(self, node: TreeNode, found: list[Values]) -> tuple[int, str]:
        """The chosen child, and the reason."""
        raise NotImplementedError


class Minimax(BackUp):
    """The best move against a perfect opponent."""

    name = "minimax"

    def choose(self, node: TreeNode, found: list[Values]) -> tuple[int, str]:
        numbers = [each[0] for each in found]
        best = max(numbers) if node.player == MAX else min(numbers)
        why = say("lesson.largest" if node.player == MAX else "lesson.least", values=_listed(numbers))
        return numbers.index(best), why


class Expectiminimax(Minimax):
    """Minimax with chance nodes, whose value is the mean of their children."""

    name = "expectiminimax"
    takes_chance = True


class Expectimax(BackUp):
    """The best move against opponents who move uniformly at random."""

    name = "expectimax"
    takes_chance = takes_many = True

    def is_choice(self, node: TreeNode) -> bool:
        root = self.tree[ROOT].player
        return node.player == (MAX if root == CHANCE else root)

    def choose(self, node: TreeNode, found: list[Values]) -> tuple[int, str]:
        mine = [value_for(each, node.player) for each in found]
        why = say("lesson.best-for", values=[format_values(each) for each in found], who=who_moves(node))
        return mine.index(max(mine)), why


class MaxN(BackUp):
    """Each player maximizes their own payoff."""

    name = "maxn"
    takes_chance = takes_many = True

    def choose(self, node: TreeNode, found: list[Values]) -> tuple[int, str]:
        mine = [value_for(each, node.player) for each in found]
        best = max(mine)
        why = say("lesson.takes", values=_listed(mine), who=who_moves(node), value=format_number(best))
        return mine.index(best), why
