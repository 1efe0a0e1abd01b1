"""The guided search of one position: a budget, and a tree that is kept."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from damier.core.budget import Budget, check_memory
from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.position import Position
from damier.core.rng import new_rng
from damier.search.guided.evaluations import Evaluations
from damier.search.guided.forest import Forest, keep_subtree, mean_value, node_bytes, plant
from damier.search.guided.information import slots_for
from damier.search.guided.looking import describe_node
from damier.search.guided.network import Evaluator
from damier.search.guided.pipeline import Pipeline
from damier.search.guided.policy import choose_child, root_policy, root_values
from damier.search.guided.proof import NONE as NO_CHILD
from damier.search.guided.proof import best_known
from damier.search.guided.selection import GUMBEL, Guide
from damier.search.guided.simulation import new_search
from damier.search.montecarlo.search import moves_since
from damier.search.pace import CHECKS, CLOSE, EVEN, MOST, Purse, on_the_clock, two_highest
from damier.search.result import SearchNode, SearchResult
from damier.search.solve import Solver

CHUNK = 64  # simulations that may need no network before the clock is checked
PLANNING = 0.1  # of the time: then the number of simulations for Gumbel's halving to divide is known
MANY = 1 << 20
SOLVER_NODES = 1000  # a simulation: about what the network takes
SOLVER_SHARE = 0.1  # of the time
SOLVER_MEMORY = 8  # megabytes
# With pace=open and Gumbel's root, which visits its last two moves equally often, their values decide.
SWING = 0.5  # by so much the mean of further simulations may differ from that of the simulations so far
NEAR = 0.05  # a move whose value is not further behind is a rival to the best one


class GuidedSearch:
    """A search with one network and one budget. It remembers its tree, so make a new one for a new game."""

    def __init__(
        self,
        game: Game,
        network: Evaluator,
        guide: Guide,
        budget: Budget,
        temperature: float = 0.0,
        batch: int = 8,
        memory: int = 256,
        keep: bool = True,
        cache: int = 1 << 16,
        exact: bool = False,
        pace: str = EVEN,
        threads: int = 1,
    ) -> None:
        self.game, self.network, self.guide, self.budget = game, network, guide, budget
        self.temperature = temperature
        self._purse = None if pace == EVEN else Purse(budget.sims or budget.seconds or 0.0)
        most = budget.sims and budget.sims * (1 if self._purse is None else MOST)
        self.keep = (
            keep and not game.is_hidden
        )  # what others may do is known to nobody, so no tree follows from another
        self.pipeline = Pipeline(game, network, batch, threads)
        self.work = self.pipeline.work
        wanted = 1 + (most or MANY) * (1 + game.max_moves) * (4 if self.keep else 1)
        room = check_memory(memory) * 2**20 // node_bytes(game.num_players, self.keep)
        capacity, slots = max(1 + game.max_moves, min(wanted, room)), slots_for(game, most or MANY)
        self.forest = Forest(1, capacity, game.num_players, self.keep, slots)
        self.cache = Evaluations(cache)
        self._solver = Solver(game, SOLVER_MEMORY) if exact else None
        self._last: Position | None = None
        self._warm_up()

    def _warm_up(self) -> None:
        """Compile, and let the network allocate, which does not count as search time."""
        self.pipeline.warm_up(self.forest, self.guide, self.cache)
        plant(self.forest, 0)
        if self.keep:
            keep_subtree(self.forest, 0, int(self.forest.root[0]))
        best_known(self.forest, int(self.forest.root[0]))
        if self._solver is not None:
            self._solver.best_moves(self.game.start().play(self.game.start().moves()[0]), nodes=1)
        new_search(self.work, 0, 1, True, 0.0)
        root_policy(self.forest, self.guide, self.work, 0)
        root_values(self.forest, self.work, 0, self.work.values)
        choose_child(self.forest, self.guide, self.work, 0, 0.0, self.work.rngs[0])

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Search a position and choose a move."""
        if pos.is_over or pos.is_chance:
            raise DamierError("search.nothing", position=pos.described())
        with on_the_clock(pos, self.budget) as began:
            followed = moves_since(self._last, pos) if self.keep or self._purse is not None else None
            if self._purse is not None:
                self._purse.begin(bool(followed))
            self._go_to(followed if self.keep else None)
            self.pipeline.begin(pos.state)
            self.work.rngs[0] = new_rng(seed)
            self._last = None  # an interrupted search leaves nothing to continue with
            self._think(pos, began)
            self._last = pos
            return self._result(pos, began)

    def _go_to(self, known: Sequence[int] | None) -> None:
        """Continue with the tree below these moves, or start again."""
        node = -1 if known is None else self._find(known)
        if node < 0:
            plant(self.forest, 0)
            if self._solver is not None:
                self._solver.forget()
        elif node != self.forest.root[0]:
            keep_subtree(self.forest, 0, node)
        root = int(self.forest.root[0])
        if best_known(self.forest, root) == NO_CHILD:  # its value is known, but not from a child that could be played
            self.forest.nodes["known"][root] = 0

    def node(self, path: Sequence[int]) -> SearchNode | None:
        """The node of the last search's tree that these moves lead to; None if there is none."""
        number = -1 if self._last is None else self._find(path)
        return None if number < 0 else describe_node(self.forest, self.guide, number)

    def _find(self, moves: Sequence[int]) -> int:
        """The node that these moves lead to, or -1."""
        node = int(self.forest.root[0])
        for move in moves:
            places = np.flatnonzero(self._children(node)["move"] == move)
            if not places.size:
                return -1
            node = int(self.forest.nodes[node].first_child + places[0])
        return node

    def _think(self, pos: Position, began: float) -> None:
        sims, seconds = self.budget.sims, self.budget.seconds
        new_search(self.work, 0, sims or CHUNK, True, self.temperature)
        self.work.planned[0] = sims or MANY
        if self._solver is not None and not self.forest.nodes["known"][self.forest.root[0]]:
            self._solve(self._solver, pos)
        if seconds is not None:
            self._think_until(began, seconds, sims or MANY)
        elif self._purse is not None:
            self._think_openly(self._purse, sims or 1)
        else:
            self.work.target[0] = self.work.planned[0]
            self._simulate()

    def _think_openly(self, purse: Purse, sims: int) -> None:
        """Simulate until the decision is settled, or the purse is empty."""
        work, most = self.work, max(1, int(purse.allowed))
        goes_on = True
        while goes_on:
            work.target[0] = min(most, work.started[0] + max(1, sims // CHECKS))
            self._simulate()
            goes_on = self._goes_on(purse, float(work.started[0]), 1.0)
        purse.pay(float(work.started[0]))

    def _goes_on(self, purse: Purse, spent: float, rate: float) -> bool:
        """Whether the search goes on with `pace=open`; `rate` is the number of simulations for a unit of the purse."""
        root = int(self.forest.root[0])
        children = self._children(root)
        if self.forest.nodes[root].known or children.size == 1:
            return False
        root_policy(self.forest, self.guide, self.work, 0)
        shares, visits = self.work.scores[: children.size], children["visits"]
        if self.guide.root == GUMBEL:
            best, second = np.argsort(-shares, kind="stable")[:2].tolist()
            first, player = int(self.forest.nodes[root].first_child), int(self.forest.nodes[root].player)
            ahead = mean_value(self.forest, first + best, player) - mean_value(self.forest, first + second, player)
            had, is_known = int(visits[second]), bool(visits[best] and visits[second])

            def is_settled(left: float) -> bool:
                more = 0.5 * rate * left  # at most half of them go to the second
                return is_known and ahead * (had + more) > SWING * more

            return purse.goes_on(spent, is_settled, is_known and ahead < NEAR)
        most, next_most = two_highest(shares * visits.sum())
        return purse.goes_on(spent, lambda left: most - next_most > rate * left, next_most > CLOSE * most)

    def _simulate(self) -> None:
        """Make as many simulations as requested."""
        self.pipeline.run(self.forest, self.guide, self.cache)

    def _solve(self, solver: Solver, pos: Position) -> None:
        """Solve the position if that takes little effort: its root and its best moves are then known, see `proof`.

        A lost position is left to the search, which finds the moves that are hard to answer.
        """
        sims, seconds = self.budget.sims, self.budget.seconds
        winner, moves = solver.best_moves(pos, sims and SOLVER_NODES * sims, seconds and SOLVER_SHARE * seconds)
        if not moves or (winner, -winner)[pos.player] < 0:
            return
        self.work.target[0] = 1
        self._simulate()
        root = int(self.forest.root[0])
        children = self._children(root)
        for place in np.flatnonzero(np.isin(children["move"], moves)):
            self._make_known(int(self.forest.nodes[root].first_child) + int(place), winner)
        self._make_known(root, winner)

    def _make_known(self, node: int, winner: int) -> None:
        self.forest.nodes["known"][node] = 1
        self.forest.first_values[node] = winner, -winner

    def _think_until(self, began: float, seconds: float, sims: int) -> None:
        """Search in steps, as long as the next step is likely to end in time."""
        work, now, purse = self.work, time.perf_counter(), self._purse
        is_paid_in_sims = self.budget.sims is not None
        most = seconds if purse is None or is_paid_in_sims else purse.allowed
        sims = sims if purse is None or not is_paid_in_sims else max(1, int(purse.allowed))
        longest = 0.0
        while True:
            before = now
            work.target[0] = min(sims, work.started[0] + CHUNK)
            rows = self.pipeline.step(self.forest, self.guide, self.cache)
            now = time.perf_counter()
            # the first step may be slow, and one simulation is always needed
            longest = max(now - before, 0.5 * longest)
            started, elapsed = int(work.started[0]), now - began
            if started and (elapsed < PLANNING * seconds or work.planned[0] == MANY):
                work.planned[0] = min(self.budget.sims or MANY, started * seconds / elapsed)
            is_over = elapsed + longest > most and started > 0
            if purse is not None and started > 0 and not is_over:
                spent, rate = (float(started), 1.0) if is_paid_in_sims else (elapsed, started / elapsed)
                is_over = not self._goes_on(purse, spent, rate)
            if is_over or self.forest.nodes[self.forest.root[0]].known or (not rows and started >= sims):
                break
        work.target[0] = work.started[0]
        self._simulate()
        if purse is not None:
            purse.pay(float(work.started[0]) if is_paid_in_sims else time.perf_counter() - began)

    def close(self) -> None:
        self.pipeline.close()

    def _children(self, node: int) -> Any:
        first, count = int(self.forest.nodes[node].first_child), int(self.forest.nodes[node].num_children)
        return self.forest.nodes[first : first + max(0, count)]

    def _result(self, pos: Position, began: float) -> SearchResult:
        forest, work = self.forest, self.work
        root = int(forest.root[0])
        children = self._children(root)
        first = int(forest.nodes[root].first_child)
        visits = children["visits"]
        seen = forest.first_values[first : first + children.size]
        means = forest.totals[first : first + children.size] / np.maximum(1, visits)[:, np.newaxis]
        means = np.where(children["known"][:, np.newaxis], seen, means)
        root_policy(forest, self.guide, work, 0)
        policy, values = work.scores[: children.size].copy(), np.zeros(pos.game.num_players)
        root_values(forest, work, 0, values)
        chosen = int(choose_child(forest, self.guide, work, 0, self.temperature, work.rngs[0]))
        move = int(forest.nodes[chosen].move)
        order: Any = slice(None)
        if self.guide.mass < 1:  # the children are sorted; they are told in the order of the moves
            place = {move: number for number, move in enumerate(pos.moves())}
            order = sorted(range(children.size), key=lambda i: place[int(children["move"][i])])
        return SearchResult(
            move=move,
            notation=pos.notation(move),
            values=tuple(values.tolist()),
            moves=tuple(children["move"][order].tolist()),
            policy=tuple(policy[order].tolist()),
            visits=tuple(visits[order].tolist()),
            scores=tuple(means[order, pos.player].tolist()),
            pv=(move, *self._principal_variation(chosen)),
            nodes=int(forest.used[0]),
            sims=int(work.done[0]),
            depth=int(work.deepest[0]),
            priors=tuple(children["prior"][order].tolist()),
            move_values=tuple(map(tuple, means[order].tolist())),
            first_values=tuple(map(tuple, seen[order].tolist())),
            seconds=time.perf_counter() - began,
        )

    def _principal_variation(self, node: int) -> list[int]:
        """The most visited line below a node."""
        line: list[int] = []
        while True:
            children = self._children(node)
            if not children.size or not children["visits"].any():
                return line
            best = int(np.argmax(children["visits"]))
            line.append(int(children["move"][best]))
            node = int(self.forest.nodes[node].first_child) + best
