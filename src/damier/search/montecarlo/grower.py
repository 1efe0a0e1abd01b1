"""One tree and its tools: simulations within a budget, and the part of the tree that is kept for the next move."""

import math
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from damier.core.bring import ChildStatistics, NodeStatistics
from damier.core.budget import Budget
from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import CHANCE, Rng
from damier.core.rng import new_rng, next_word
from damier.search.montecarlo.amaf import AmafEntry, Pool
from damier.search.montecarlo.codes import forget_moves
from damier.search.montecarlo.selection import known_amaf, known_squares, known_weight, reference_node
from damier.search.montecarlo.simulation import Workspace, simulate
from damier.search.montecarlo.strategy import AMAF, SELECTION_RULE, SQUARES, WEIGHT, Strategy
from damier.search.montecarlo.tree import (
    LOST,
    ROOT,
    UNPROVEN,
    WON,
    Tree,
    expand,
    keep_subtree,
    most_visited_line,
    plant,
)
from damier.search.pace import CHECKS, CLOSE, EVEN, MOST, Purse, chunks, two_highest
from damier.search.result import SearchChild, SearchNode

FIRST_CHUNK = 32  # simulations before the clock is checked first
MAX_NODES = 2**31 - 1
PROVEN = {WON: "won", LOST: "lost"}


class Grower:
    """One tree and the tools to grow it; each thread has one.

    It has no reference to its search: a cycle would leave hundreds of megabytes to the garbage collector, which may
    free them during another search.
    """

    def __init__(self, game: Game, strategy: Strategy, budget: Budget, room: int, keep: bool, pace: str = EVEN) -> None:
        self.game, self.strategy, self.budget = game, strategy, budget
        self._purse = None if pace == EVEN else Purse(budget.sims or budget.seconds or 0.0)
        self.work = Workspace(game, strategy.playout)
        # If a node is always its own reference, and has all its children, an entry for each child is enough.
        uses_entries = strategy.uses(AMAF) and strategy.has_own_reference and strategy.widen == 0
        uses_tables = strategy.uses(AMAF) and not uses_entries
        pool = Pool(min(room // 2 // AmafEntry.itemsize, MAX_NODES)) if uses_tables else None
        room -= room // 2 if uses_tables else 0
        self._tree_of_size = partial(
            Tree,
            pool=pool,
            entries=uses_entries,
            squares=strategy.uses(SQUARES),
            weights=strategy.uses(WEIGHT),
            widens=strategy.widen > 0,
            ahead=strategy.can_choose_ahead,
            weighs=strategy.weighs,
        )
        room_of_tree = room // 2 if keep else room  # the kept part moves to a second one
        self._most_nodes = room_of_tree // self._tree_of_size(1).node_bytes()
        self.tree = self._new_tree(kept=0)
        self._spare: Tree | None = None
        self._line = np.zeros(game.max_length, np.int64)  # room for a line of moves
        self.rng: Rng = new_rng(0)
        self.sims = 0
        self.game.prepare(simulate, self.tree, strategy, self.work, 1, self.rng)
        # compiled now, and not during a later search
        keep_subtree(Tree(1), Tree(1), ROOT)
        plant(self.tree)
        forget_moves(self.work)
        self._forget()
        most_visited_line(self.tree, ROOT, self._line)

    def _new_tree(self, kept: int) -> Tree:
        return self._tree_of_size(self._capacity(kept))

    def _capacity(self, kept: int) -> int:
        """The capacity of a tree as large as the budget can fill, within its memory."""
        sims, nodes = self.budget.sims or MAX_NODES, self.budget.nodes or MAX_NODES
        sims *= 1 if self._purse is None else MOST
        capacity = min(self._most_nodes, kept + (sims + 1) * self.game.max_moves + 1, nodes, MAX_NODES)
        return max(capacity, self.game.max_moves + 1)

    def start(self, pos: Position, known: tuple[int, ...] | None, rng: Rng, follows: bool = False) -> None:
        """Begin a search below the known moves, or anew. `follows`: it is a later move of the same game."""
        self.rng, self.sims = rng, 0
        if self._purse is not None:
            self._purse.begin(follows)
        self.work.states[0] = pos.state
        self.work.root_total[:] = 0
        self.work.deepest[0] = 0
        is_new = not self.tree.nodes["visits"][ROOT]
        if known != () and not is_new:
            self._go_to(-1 if known is None else self._find(known))
        if self.strategy.widen > 0 and not self.tree.nodes["visits"][ROOT]:
            self.work.salt[0] = next_word(rng)

    def _find(self, moves: tuple[int, ...]) -> int:
        """The node that these moves lead to, or -1."""
        node = ROOT
        for move in moves:
            node = self._child(node, move)
            if node < 0:
                return -1
        return node

    def _child(self, node: int, move: int) -> int:
        moves = self.children(node)["move"].tolist()
        return int(self.tree.nodes["first_child"][node]) + moves.index(move) if move in moves else -1

    def _go_to(self, node: int) -> None:
        """Make a node the root; everything that is not below it is forgotten."""
        if node < 0:
            plant(self.tree)
            self._forget()
            if self.strategy.uses(AMAF):
                forget_moves(self.work)
            return
        old, spare = self.tree, self._spare
        kept = int(old.used[0])
        if spare is None or spare.nodes.size < self._capacity(kept):
            spare = self._new_tree(kept)
        keep_subtree(old, spare, node)
        self.tree, self._spare = spare, old
        self.tree.nodes["proven"][ROOT] = UNPROVEN

    def _forget(self) -> None:
        """Clear the memory of the playout policy."""
        self.work.memory[:] = np.zeros(1, self.work.memory.dtype)

    def think(self, began: float) -> None:
        """Simulate in chunks until the budget is used up."""
        if self._purse is not None:
            self._think_openly(self._purse, began)
            return
        budget = self.budget
        looks_up = budget.seconds is not None or budget.nodes is not None or self.strategy.solver
        first = FIRST_CHUNK if looks_up or budget.sims is None else budget.sims
        for chunk in chunks(budget.sims, budget.seconds, began, first):
            self.simulate(chunk)
            if budget.nodes is not None and self.tree.used[0] >= budget.nodes:
                return
            if self.strategy.solver and self._is_decided():
                return

    def _think_openly(self, purse: Purse, began: float) -> None:
        """Simulate until the decision is settled, or the purse is empty.

        With a budget of simulations, the same seed must give the same result, and so it looks after a
        fixed number of them.
        """
        sims, spent = self.budget.sims, 0.0
        usual, most = (None, purse.allowed) if sims is None else (max(1, int(purse.allowed)), self.budget.seconds)
        first = FIRST_CHUNK if sims is None else max(1, sims // CHECKS)
        for chunk in chunks(usual, most, began, first, is_fixed=sims is not None):
            self.simulate(chunk)
            elapsed = max(time.perf_counter() - began, 1e-9)
            spent, rate = (elapsed, self.sims / elapsed) if sims is None else (float(self.sims), 1.0)
            if self.strategy.solver and self._is_decided():
                break
            if not purse.goes_on(spent, partial(self._is_settled, rate), self._is_open()):
                break
        purse.pay(spent)

    def _is_settled(self, rate: float, left: float) -> bool:
        """Whether no other move of the root can be visited as often as the best one in what is left."""
        visits = self.children(ROOT)["visits"]
        best, second = two_highest(visits)
        return visits.size == 1 or best - second > rate * left

    def _is_open(self) -> bool:
        best, second = two_highest(self.children(ROOT)["visits"])
        return second >= CLOSE * best

    def simulate(self, sims: int) -> None:
        self.game.run(simulate, self.tree, self.strategy, self.work, sims, self.rng)
        self.sims += sims

    def expand_root(self) -> list[int]:
        """Make the children of a new root, and return their numbers."""
        self.game.run(expand, self.tree, self.work.states[0], ROOT, self.work, self.rng)
        first = int(self.tree.nodes["first_child"][ROOT])
        return list(range(first, first + len(self.children(ROOT))))

    def _is_decided(self) -> bool:
        proven = self.children(ROOT)["proven"]
        return bool(proven.size) and bool((proven == WON).any() or (proven != UNPROVEN).all())

    def children(self, node: int) -> Any:
        """The records of a node's children, in the order of the tree."""
        first, count = int(self.tree.nodes["first_child"][node]), int(self.tree.nodes["num_children"][node])
        return self.tree.nodes[first : first + max(0, count)]

    def known_moves(self) -> dict[int, tuple[int, float, int]]:
        """For each child of the root, by move: its visits, the sum of its payoffs and its proof."""
        records = self.children(ROOT).tolist()
        return {move: (visits, total, proven) for move, total, visits, *_, proven in records}

    def node(self, moves: Sequence[int]) -> SearchNode | None:
        """Describe the node that these moves lead to; None if the tree has not grown so far."""
        path = [ROOT]
        for move in moves:
            path.append(self._child(path[-1], move))
            if path[-1] < 0:
                return None
        nodes, rule = self.tree.nodes, self.strategy.rule
        here = nodes[path[-1]]
        reference = int(reference_node(self.tree, rule, np.array(path, np.int32), len(path) - 1))
        statistics = NodeStatistics(max(1, int(here.visits)), math.sqrt(math.log(max(1, int(here.visits)))))
        first = int(here.first_child)
        listed = range(first, first + max(0, int(here.num_children)))
        is_chance = here.player == CHANCE
        scores = [math.inf if is_chance else self._score(statistics, child, reference) for child in listed]
        return SearchNode(int(here.visits), tuple(map(self._shown, listed, scores)))

    def _score(self, node: NodeStatistics, child: int, reference: int) -> float:
        """The selection rule's score of a child, in plain Python: only a few are needed."""
        record, tree, rule = self.tree.nodes[child], self.tree, self.strategy.rule
        amaf_visits, amaf_total = known_amaf(tree, rule, reference, child)
        seen = ChildStatistics(
            int(record.visits),
            float(record.total),
            float(tree.value[child]),
            float(tree.spread[child]),
            float(record.prior),
            known_weight(tree, rule, child),
            known_squares(tree, rule, child),
            int(amaf_visits),
            float(amaf_total),
        )
        return float(rule.score(seen, node))

    def _shown(self, child: int, score: float) -> SearchChild:
        record, rule = self.tree.nodes[child], self.strategy.rule
        visits = int(record.visits)
        mean = float(record.total) / visits if visits else None
        bonus = math.inf
        if mean is not None:  # on the scale of the rule's own means
            bonus = score - (mean if SELECTION_RULE.fact(rule, "counts_payoffs") else 0.5 + 0.5 * mean)
        return SearchChild(
            move=int(record.move),
            visits=visits,
            mean=mean,
            prior=float(record.prior),
            score=score if math.isfinite(score) else None,
            bonus=bonus if math.isfinite(bonus) else None,
            proven=PROVEN.get(int(record.proven)),
            has_children=int(record.num_children) > 0,
        )

    def principal_variation(self, move: int) -> list[int]:
        """The most visited line below a move."""
        node = self._child(ROOT, move)
        return self._line[: most_visited_line(self.tree, node, self._line)].tolist() if node >= 0 else []
