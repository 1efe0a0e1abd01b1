"""A Monte-Carlo search as a player uses it: within a budget, on several threads, with a memory.

The tree is kept from one move to the next: if the new position follows from the last one by moves that the tree
knows, the search goes on with what is below them. With several threads each has a tree of its own, and the
statistics of their roots are added up (root parallelisation; Chaslot, Winands, van den Herik 2008).
"""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from damier.core.budget import Budget, check_memory
from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import Rng
from damier.core.rng import below, new_rng, next_word
from damier.search.montecarlo.amaf import AmafEntry, Pool
from damier.search.montecarlo.codes import forget_moves
from damier.search.montecarlo.selection import GRAVE, UCB1, UCB1_TUNED, Rule
from damier.search.montecarlo.simulation import Workspace, simulate
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
from damier.search.pace import chunks, on_the_clock
from damier.search.result import SearchResult

FIRST_CHUNK = 32  # simulations before the first look at the clock
MAX_NODES = 2**31 - 1


def moves_since(last: Position | None, pos: Position) -> tuple[int, ...] | None:
    """The moves since the last search, if this position follows from that one."""
    if last is None or last.game != pos.game or pos.history[: len(last.history)] != last.history:
        return None
    follows = last.play_all(pos.history[len(last.history) :]) == pos
    return pos.history[len(last.history) :] if follows else None


class MonteCarlo:
    """A search by one rule within one budget, with a tree that is kept."""

    def __init__(self, rule: Rule, budget: Budget, threads: int = 1, memory: int = 256, keep: bool = True) -> None:
        self.rule, self.budget, self.memory, self.keep = rule, budget, check_memory(memory), keep
        self.threads = min(threads, budget.sims or threads)  # each has something to do
        self._last: Position | None = None
        self.growers: list[Grower] = []

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Think about a position and choose a move, see `_choose`."""
        if pos.is_over:
            raise DamierError("search.nothing", position=repr(pos))
        self.prepare(pos)
        with on_the_clock(pos, self.budget) as began:
            self._start(pos, seed)
            self._last = None  # a search that is interrupted leaves nothing to go on with
            self._think(began)
            self._last = pos
            return self._result(pos, time.perf_counter() - began)

    # -- the steps -----------------------------------------------------------------------------------------

    def prepare(self, pos: Position) -> None:
        """Make the growers and compile, which is not the search's time."""
        if not self.growers or self.growers[0].game != pos.game:
            room = self.memory * 2**20 // self.threads
            shares = [self._share(number) for number in range(self.threads)]
            self.growers = [Grower(pos.game, self.rule, share, room, self.keep) for share in shares]
            self._last = None

    def _start(self, pos: Position, seed: int) -> None:
        known = moves_since(self._last, pos) if self.keep else None
        for number, grower in enumerate(self.growers):
            grower.start(pos, known, new_rng(seed, number))

    def _think(self, began: float) -> None:
        if self.threads == 1:
            self.growers[0].think(began)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            for done in [pool.submit(grower.think, began) for grower in self.growers]:
                done.result()

    def _share(self, number: int) -> Budget:
        """What one thread has to do."""
        sims = self.budget.sims
        if sims is not None:
            sims = sims // self.threads + (number < sims % self.threads)
        return Budget(sims=sims, nodes=self.budget.nodes, seconds=self.budget.seconds)

    def _choose(self, moves: list[int], visits: list[int], means: list[float], proven: list[int]) -> int:
        """The move to play: a proven win; otherwise, proven losses aside, the best mean of the most visited moves.

        The last simulation of a thread must not decide which moves those are: where a budget does not divide evenly,
        one visit more says nothing. So a budget that is too small for every move also weighs the moves without
        visits: they count 0, between those that won and those that lost. Equal moves are drawn from, whatever their
        order.
        """
        indices = range(len(moves))
        rest = [i for i in indices if proven[i] == WON] or [i for i in indices if proven[i] != LOST] or list(indices)
        fewest = max(visits[i] for i in rest) - self.threads
        if self.growers[0].game.num_players == 1:
            fewest = max(1, fewest)  # payoffs don't add up to 0, so a move without visits can't be compared
        ranks = {i: (means[i], visits[i]) for i in rest if visits[i] >= fewest}
        highest = max(ranks.values(), default=None)
        best = [i for i in rest if ranks.get(i) == highest]
        return moves[best[below(self.growers[0].rng, len(best))]]

    def _result(self, pos: Position, seconds: float) -> SearchResult:
        """In plain numbers: on a small game ten steps of NumPy take as long as a hundred simulations."""
        moves = pos.moves()
        visits, totals, proven = self._statistics(moves)
        means = [total / (count or 1) for total, count in zip(totals, visits, strict=True)]
        best = self._choose(moves, visits, means, proven)
        sims, all_visits = sum(grower.sims for grower in self.growers), sum(visits) or 1
        payoffs = zip(*(grower.work.root_total.tolist() for grower in self.growers), strict=True)
        return SearchResult(
            move=best,
            notation=pos.notation(best),
            values=tuple([sum(each) / (sims or 1) for each in payoffs]),
            moves=tuple(moves),
            policy=tuple([count / all_visits for count in visits]),
            visits=tuple(visits),
            scores=tuple(means),
            pv=(best, *self.growers[0].principal_variation(best)),
            nodes=sum(int(grower.tree.used[0]) for grower in self.growers),
            depth=max(int(grower.work.deepest[0]) for grower in self.growers),
            sims=sims,
            seconds=seconds,
        )

    def _statistics(self, moves: list[int]) -> tuple[list[int], list[float], list[int]]:
        """Of each move its visits, the sum of its payoffs and what is proven, by all threads together."""
        visits, totals, proven = [0] * len(moves), [0.0] * len(moves), [UNPROVEN] * len(moves)
        for grower in self.growers:
            known = grower.known_moves()
            for i, move in enumerate(moves):
                if move in known:  # a full tree may have had no room for it
                    count, total, proof = known[move]
                    visits[i] += count
                    totals[i] += total
                    proven[i] = max(proven[i], proof)
        return visits, totals, proven


class Grower:
    """One tree and what is needed to grow it; each thread has one.

    It does not know its search: a circle would leave hundreds of megabytes to the garbage collector, which frees them
    at a moment of its own choosing, within the time of somebody else's search.
    """

    def __init__(self, game: Game, rule: Rule, budget: Budget, room: int, keep: bool) -> None:
        self.game, self.rule, self.budget = game, rule, budget
        self.work = Workspace(game)
        # Where a node is always its own reference, and has all its children, it needs to know of nothing else.
        uses_entries = rule.kind == GRAVE and rule.ref == 0 and rule.widen == 0
        uses_tables = rule.kind == GRAVE and not uses_entries
        pool = Pool(min(room // 2 // AmafEntry.itemsize, MAX_NODES)) if uses_tables else None
        room -= room // 2 if uses_tables else 0
        self._tree_of_size = partial(
            Tree,
            pool=pool,
            amaf=uses_entries,
            squares=rule.kind == UCB1_TUNED,
            widens=rule.widen > 0,
            ahead=rule.kind == UCB1 and rule.widen == 0 and not rule.solver,
        )
        room_of_tree = room // 2 if keep else room  # what is kept moves to a second one
        self._most_nodes = room_of_tree // self._tree_of_size(1).node_bytes()
        self.tree = self._new_tree(kept=0)
        self._spare: Tree | None = None
        self._line = np.zeros(game.max_length, np.int64)  # room for a line of moves
        self.rng: Rng = new_rng(0)
        self.sims = 0
        self.game.prepare(simulate, self.tree, self.rule, self.work, 1, self.rng)
        # compiled now, and not within the time of a later search
        keep_subtree(Tree(1), Tree(1), ROOT)
        plant(self.tree)
        forget_moves(self.work)
        most_visited_line(self.tree, ROOT, self._line)

    def _new_tree(self, kept: int) -> Tree:
        return self._tree_of_size(self._capacity(kept))

    def _capacity(self, kept: int) -> int:
        """Of a tree as large as the budget can fill, within its room in memory."""
        sims, nodes = self.budget.sims or MAX_NODES, self.budget.nodes or MAX_NODES
        capacity = min(self._most_nodes, kept + (sims + 1) * self.game.max_moves + 1, nodes, MAX_NODES)
        return max(capacity, self.game.max_moves + 1)

    def start(self, pos: Position, known: tuple[int, ...] | None, rng: Rng) -> None:
        self.rng, self.sims = rng, 0
        self.work.states[0] = pos.state
        self.work.root_total[:] = 0
        self.work.deepest[0] = 0
        is_new = not self.tree.nodes["visits"][ROOT]
        if known != () and not is_new:
            self._go_to(-1 if known is None else self._find(known))
        if self.rule.widen > 0 and not self.tree.nodes["visits"][ROOT]:
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
        """Make a node the root; what is not below it is forgotten."""
        if node < 0:
            plant(self.tree)
            if self.rule.kind == GRAVE:
                forget_moves(self.work)
            return
        old, spare = self.tree, self._spare
        kept = int(old.used[0])
        if spare is None or spare.nodes.size < self._capacity(kept):
            spare = self._new_tree(kept)
        keep_subtree(old, spare, node)
        self.tree, self._spare = spare, old
        self.tree.nodes["proven"][ROOT] = UNPROVEN

    def think(self, began: float) -> None:
        """Simulate in chunks until the budget is used up."""
        budget = self.budget
        looks_up = budget.seconds is not None or budget.nodes is not None or self.rule.solver
        first = FIRST_CHUNK if looks_up or budget.sims is None else budget.sims
        for chunk in chunks(budget.sims, budget.seconds, began, first):
            self.simulate(chunk)
            if budget.nodes is not None and self.tree.used[0] >= budget.nodes:
                return
            if self.rule.solver and self._is_decided():
                return

    def simulate(self, sims: int) -> None:
        self.game.run(simulate, self.tree, self.rule, self.work, sims, self.rng)
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
        """The records of a node's children, as they lie in the tree."""
        first, count = int(self.tree.nodes["first_child"][node]), int(self.tree.nodes["num_children"][node])
        return self.tree.nodes[first : first + max(0, count)]

    def known_moves(self) -> dict[int, tuple[int, float, int]]:
        """By move, of each child of the root its visits, the sum of its payoffs and what is proven."""
        records = self.children(ROOT).tolist()
        return {move: (visits, total, proven) for move, total, visits, *_, proven in records}

    def principal_variation(self, move: int) -> list[int]:
        """The most visited line below a move."""
        node = self._child(ROOT, move)
        return self._line[: most_visited_line(self.tree, node, self._line)].tolist() if node >= 0 else []
