"""A* in textbook form, recording its steps (Hart, Nilsson, Raphael 1968).

A* expands the open node with the smallest f = g + h: g is the number of moves made, h the game's `distance`, a lower
bound of the moves to come. Ties go to the newest node. All moves cost 1. In a tree typed as text the distances are in
brackets, and a leaf of 0 is the goal.
"""

import heapq

from damier.core.errors import DamierError, SpecError
from damier.core.messages import say
from damier.lessons.record import CUT, OPEN, SEEN, VALUE, Recorder, Trace
from damier.lessons.sources import Played
from damier.lessons.trees import NOBODY, ROOT, Tree, TreeNode

LEGEND: dict[str, str] = {
    OPEN: say("legend.in-queue"),
    SEEN: say("legend.expanded"),
    CUT: say("legend.reached-before"),
    VALUE: "f = g + h",
}


class AStar:
    name = "astar"

    def __init__(self, tree: Tree) -> None:
        source = tree.sources[ROOT]
        if isinstance(source, Played) and (source.pos.game.num_players != 1 or source.pos.game.uses_chance):
            raise SpecError("search.one-player", search="A*", game=source.pos.game.name)
        self.tree = tree
        self.record = Recorder(self.name, tree, LEGEND)
        self.queue: list[tuple[int, int, int]] = []  # f, how late it came, node
        self.shortest: dict[int, int] = {}  # by key: the least g so far

    def run(self) -> Trace:
        self.open(self.tree[ROOT])
        while self.queue:
            f, _, number = heapq.heappop(self.queue)
            node = self.tree[number]
            if self.shortest[self.key(node)] < node.depth:
                continue  # a shorter path was found meanwhile
            self.record.look(number, status=SEEN)
            if self.distance(node) == 0:
                return self.reach(node)
            self.record.leaves += 1
            self.record.step("take", number, say("lesson.expand", node=node.name, f=f))
            for index in range(len(self.tree.arcs(number))):
                self.open(self.tree.add(number, index))
        raise DamierError("lesson.no-way", tree=self.tree.name)

    def open(self, node: TreeNode) -> None:
        """Put a node into the queue, unless a path at least as short is known."""
        g, h, key = node.depth, self.distance(node), self.key(node)
        known = self.shortest.get(key)
        if known is not None and known <= g:
            self.record.look(node.id, status=CUT)
            told = say("lesson.reached-before", node=node.name, known=known, count=g)
            self.record.step("skip", node.id, told, cut=(node.id,))
            return
        self.shortest[key] = g
        heapq.heappush(self.queue, (g + h, -node.id, node.id))
        self.record.look(node.id, status=OPEN, value=str(g + h), notes=(f"{g} + {h}",))
        self.record.step("open", node.id, say("lesson.open", node=node.name, g=g, h=h, f=g + h), value=(float(g + h),))

    def reach(self, goal: TreeNode) -> Trace:
        moves, node = list[str](), goal
        while node.parent != NOBODY:
            moves.append(node.arc)
            self.record.look(node.id, status=SEEN, notes=(say("lesson.on-the-way"),))
            node = self.tree[node.parent]
        moves.reverse()
        told = say("lesson.root-is-goal")
        if moves:
            told = say("lesson.goal", node=goal.name, count=goal.depth, moves=" ".join(moves))
        self.record.step("answer", goal.id, told, value=(float(goal.depth),))
        return self.record.finish(moves[0] if moves else None, (float(goal.depth),))

    def key(self, node: TreeNode) -> int:
        return self.tree.sources[node.id].key

    def distance(self, node: TreeNode) -> int:
        return self.tree.sources[node.id].distance
