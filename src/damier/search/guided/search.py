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
from damier.search.guided.forest import Forest, keep_subtree, node_bytes, plant
from damier.search.guided.information import slots_for
from damier.search.guided.looking import describe_node
from damier.search.guided.network import Evaluator
from damier.search.guided.policy import choose_child, root_policy, root_values
from damier.search.guided.proof import NONE as NO_CHILD
from damier.search.guided.proof import best_known
from damier.search.guided.selection import Guide
from damier.search.guided.simulation import NONE, Boards, Searches, answers, new_search, search_all
from damier.search.montecarlo.search import moves_since
from damier.search.pace import on_the_clock
from damier.search.result import SearchNode, SearchResult
from damier.search.solve import Solver

CHUNK = 64  # simulations that may need no network before the clock is checked
PLANNING = 0.1  # of the time: then the number of simulations for Gumbel's halving to divide is known
MANY = 1 << 20
SOLVER_NODES = 1000  # a simulation: about what the network takes
SOLVER_SHARE = 0.1  # of the time
SOLVER_MEMORY = 8  # megabytes


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
    ) -> None:
        self.game, self.network, self.guide, self.budget = game, network, guide, budget
        self.temperature = temperature
        self.keep = (
            keep and not game.is_hidden
        )  # what others may do is known to nobody, so no tree follows from another
        self.work, self.boards = Searches(game, 1, batch), Boards(game, 1, batch)
        wanted = 1 + (budget.sims or MANY) * (1 + game.max_moves) * (4 if self.keep else 1)
        room = check_memory(memory) * 2**20 // node_bytes(game.num_players, self.keep)
        capacity, slots = max(1 + game.max_moves, min(wanted, room)), slots_for(game, budget.sims or MANY)
        self.forest = Forest(1, capacity, game.num_players, self.keep, slots)
        self.cache = Evaluations(cache)
        self._solver = Solver(game, SOLVER_MEMORY) if exact else None
        self._last: Position | None = None
        self._answers = answers(game, batch)
        self._warm_up()

    def _warm_up(self) -> None:
        """Compile, and let the network allocate, which does not count as search time."""
        self.game.prepare(search_all, *self._state(), *self._answers)
        self._answers = self.network.evaluate(self.boards.planes)
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

    def _state(self) -> tuple[Any, ...]:
        return self.forest, self.guide, self.work, self.boards, self.cache

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Search a position and choose a move."""
        if pos.is_over or pos.is_chance:
            raise DamierError("search.nothing", position=pos.described())
        with on_the_clock(pos, self.budget) as began:
            self._go_to(pos)
            self.boards.roots[0], self.work.rngs[0], self.work.row[:] = pos.state, new_rng(seed), NONE
            self._last = None  # an interrupted search leaves nothing to continue with
            self._think(began)
            self._last = pos
            return self._result(pos, began)

    def _go_to(self, pos: Position) -> None:
        """Continue with the tree below the position, or start again."""
        known = moves_since(self._last, pos) if self.keep else None
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

    def _think(self, began: float) -> None:
        sims, seconds = self.budget.sims, self.budget.seconds
        new_search(self.work, 0, sims or CHUNK, True, self.temperature)
        self.work.planned[0] = sims or MANY
        if self._solver is not None and not self.forest.nodes["known"][self.forest.root[0]]:
            self._solve(self._solver)
        if seconds is None:
            self.work.target[0] = self.work.planned[0]
            self._simulate()
        else:
            self._think_until(began, seconds, sims or MANY)

    def _simulate(self) -> None:
        """Make as many simulations as requested."""
        self._advance()
        while self._ask():
            self._advance()

    def _solve(self, solver: Solver) -> None:
        """Solve the position if that takes little effort: its root and its best moves are then known, see `proof`.

        A lost position is left to the search, which finds the moves that are hard to answer.
        """
        pos = Position(self.game, self.boards.roots[0])
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
        work, now, deadline = self.work, time.perf_counter(), began + seconds
        longest = 0.0
        while True:
            before = now
            work.target[0] = min(sims, work.started[0] + CHUNK)
            rows = self._advance()
            asked = self._ask()
            now = time.perf_counter()
            # the first step may be slow, and one simulation is always needed
            longest = max(now - before, 0.5 * longest)
            if work.started[0] and (now - began < PLANNING * seconds or work.planned[0] == MANY):
                work.planned[0] = min(sims, work.started[0] * seconds / (now - began))
            is_over = now + longest > deadline and work.started[0] > 0
            if is_over or self.forest.nodes[self.forest.root[0]].known or (not rows and work.started[0] >= sims):
                break
        if asked:
            work.target[0] = work.started[0]
            self._advance()

    def _advance(self) -> int:
        return int(self.game.run(search_all, *self._state(), *self._answers))

    def _ask(self) -> int:
        """Ask the network about the leaves that wait for it; return how many there were."""
        rows = int(self.work.rows[0])
        if rows:
            self._answers = self.network.evaluate(self.boards.planes[:rows])
        return rows

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
        return SearchResult(
            move=move,
            notation=pos.notation(move),
            values=tuple(values.tolist()),
            moves=tuple(children["move"].tolist()),
            policy=tuple(policy.tolist()),
            visits=tuple(visits.tolist()),
            scores=tuple(means[:, pos.player].tolist()),
            pv=(move, *self._principal_variation(chosen)),
            nodes=int(forest.used[0]),
            sims=int(work.done[0]),
            depth=int(work.deepest[0]),
            priors=tuple(children["prior"].tolist()),
            move_values=tuple(map(tuple, means.tolist())),
            first_values=tuple(map(tuple, seen.tolist())),
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
