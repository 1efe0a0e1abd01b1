"""Alpha-beta in textbook form, recording its steps: in two functions, and as negamax."""

import math

from damier.core.messages import say
from damier.games.trees.notation import MAX
from damier.lessons.classical import Lesson, who_moves
from damier.lessons.record import CUT, OPEN, PRUNING_LEGEND, SEEN, Interval, format_interval, format_number
from damier.lessons.sources import Values
from damier.lessons.trees import NOBODY, ROOT, Tree, TreeNode

ANYTHING: Interval = (-math.inf, math.inf)


class Pruning(Lesson):
    """The steps that both forms of alpha-beta record. `sign` is -1 for a node seen from Min's side, as in negamax.

    The brackets give the bounds within which a node's value is known to lie: a Max node is worth at least the largest
    lower bound of its children and at most their largest upper bound; an unvisited child is unbounded. This is not the
    window [alpha, beta], which holds the values that matter to the search.
    """

    legend = PRUNING_LEGEND

    def __init__(self, tree: Tree, depth: int | None) -> None:
        super().__init__(tree, depth)
        self.bounds: dict[int, Interval] = {}
        self.windows: dict[int, Interval] = {}
        self.best: int | None = None

    def sign(self, node: TreeNode) -> int:
        return 1

    def enter_with(self, node: TreeNode, alpha: float, beta: float) -> None:
        self.windows[node.id] = (alpha, beta)
        self.record.look(node.id, status=OPEN)
        self._show_notes(node)
        window = _window(alpha, beta)
        told = say("lesson.enter-window", node=node.name, who=who_moves(node), window=window)
        self.record.step("enter", node.id, told, window=(alpha, beta), interval=self._seen(node))

    def leaf(self, node: TreeNode) -> Values:
        self.bounds[node.id] = (node.values[0], node.values[0])
        return super().leaf(node)

    def update(self, node: TreeNode, child: TreeNode, found: float, alpha: float, beta: float) -> None:
        """Record that a child has returned, and the new window."""
        before = self.windows[node.id]
        self.windows[node.id] = (alpha, beta)
        above = self._know_more(node)
        if alpha > before[0]:
            change = say("lesson.alpha-rises", value=format_number(alpha))
        elif beta < before[1]:
            change = say("lesson.beta-falls", value=format_number(beta))
        else:
            change = say("lesson.nothing-changes")
        bounds = self._seen(node)
        known = [say("lesson.its-value", bounds=format_interval(bounds))]
        for other in above:
            known.append(say("lesson.value-of", node=other.name, bounds=format_interval(self._seen(other))))
        value = format_number(found)
        told = say("lesson.update", node=node.name, child=child.name, value=value, change=change, known=known)
        self.record.step("update", node.id, told, window=(alpha, beta), interval=bounds, value=(found,))

    def cut(self, node: TreeNode, rest: list[TreeNode], value: float, side: str, bound: float, whose: str) -> None:
        """Record the cutoff of the remaining children, if any."""
        if not rest:
            return
        for child in rest:
            self.record.look(child.id, status=CUT)
        facts = {"window": self.windows[node.id], "interval": self._seen(node), "cut": tuple(each.id for each in rest)}
        told = say(
            "lesson.cut-at-alpha" if side == "alpha" else "lesson.cut-at-beta",
            node=node.name,
            value=format_number(value),
            bound=format_number(bound),
            whose=whose,
            cut=[child.name for child in rest],
        )
        self.record.step("cut", node.id, told, **facts)

    def leave_with(self, node: TreeNode, value: float) -> float:
        self.record.look(node.id, status=SEEN, value=format_number(value), notes=(format_interval(self._seen(node)),))
        told = say("lesson.returns", node=node.name, value=format_number(value))
        self.record.step("return", node.id, told, value=(value,), interval=self._seen(node))
        return value

    def _know_more(self, node: TreeNode) -> list[TreeNode]:
        """Update the bounds of a node and its ancestors; return the nodes whose bounds changed."""
        wiser = []
        while True:
            below = [self.bounds.get(child, ANYTHING) for child in node.children]
            choose = max if node.player == MAX else min
            before = self.bounds.get(node.id, ANYTHING)
            self.bounds[node.id] = choose(low for low, _ in below), choose(high for _, high in below)
            self._show_notes(node)
            if self.bounds[node.id] != before:
                wiser.append(node)
            if node.parent == NOBODY:
                return wiser[1:]
            node = self.tree[node.parent]

    def _seen(self, node: TreeNode) -> Interval:
        low, high = self.bounds.get(node.id, ANYTHING)
        return (low, high) if self.sign(node) == 1 else (-high, -low)

    def _show_notes(self, node: TreeNode) -> None:
        self.record.look(node.id, notes=(_window(*self.windows[node.id]), format_interval(self._seen(node))))


def _window(alpha: float, beta: float) -> str:
    return f"alpha={format_number(alpha)} beta={format_number(beta)}"


class AlphaBeta(Pruning):
    """Alpha-beta in two functions. Values are Max's payoffs."""

    name = "alphabeta"

    def search(self) -> tuple[Values, int | None]:
        return (self.value(self.tree[ROOT], *ANYTHING),), self.best

    def value(self, node: TreeNode, alpha: float, beta: float) -> float:
        if node.is_leaf:
            return self.leaf(node)[0]
        return self.max_value(node, alpha, beta) if node.player == MAX else self.min_value(node, alpha, beta)

    def max_value(self, node: TreeNode, alpha: float, beta: float) -> float:
        self.enter_with(node, alpha, beta)
        value, best, children = -math.inf, None, self.children(node)
        for i, child in enumerate(children):
            found = self.value(child, alpha, beta)
            if found > value:
                value, best = found, child.id
            alpha = max(alpha, value)
            self.update(node, child, found, alpha, beta)
            if value >= beta:
                self.cut(node, children[i + 1 :], value, "beta", beta, "Min")
                break
        self.best = best
        return self.leave_with(node, value)

    def min_value(self, node: TreeNode, alpha: float, beta: float) -> float:
        self.enter_with(node, alpha, beta)
        value, best, children = math.inf, None, self.children(node)
        for i, child in enumerate(children):
            found = self.value(child, alpha, beta)
            if found < value:
                value, best = found, child.id
            beta = min(beta, value)
            self.update(node, child, found, alpha, beta)
            if value <= alpha:
                self.cut(node, children[i + 1 :], value, "alpha", alpha, "Max")
                break
        self.best = best
        return self.leave_with(node, value)


class Negamax(Pruning):
    """Alpha-beta in one function. Values, alpha, beta and intervals are for the player to move."""

    name = "negamax"

    def search(self) -> tuple[Values, int | None]:
        root = self.tree[ROOT]
        return (self.sign(root) * self.value(root, *ANYTHING),), self.best

    def sign(self, node: TreeNode) -> int:
        """The player to move; at a leaf, the opponent of the last player."""
        if node.is_leaf and node.parent != NOBODY:
            return -self.sign(self.tree[node.parent])
        return 1 if node.player == MAX else -1

    def value(self, node: TreeNode, alpha: float, beta: float) -> float:
        if node.is_leaf:
            return self.sign(node) * self.leaf(node)[0]
        self.enter_with(node, alpha, beta)
        value, best, children = -math.inf, None, self.children(node)
        for i, child in enumerate(children):
            if self.sign(child) == self.sign(node):
                found = self.value(child, alpha, beta)
            else:
                found = -self.value(child, -beta, -alpha)
            if found > value:
                value, best = found, child.id
            alpha = max(alpha, value)
            self.update(node, child, found, alpha, beta)
            if alpha >= beta:
                self.cut(node, children[i + 1 :], value, "beta", beta, say("lesson.the-other"))
                break
        self.best = best
        return self.leave_with(node, value)
