"""Several threads on one tree: while the network is asked about the leaves of some simulations, others go on.

The simulations under way are in groups, one for each thread. The groups take turns: each uses the network's answers,
goes down the tree to new leaves, and hands these to a thread that asks the network. Only one group at a time works on
the tree, so the tree needs no locks; virtual losses keep the groups apart, as they keep the lanes of one group apart
(Chaslot, Winands, van den Herik, Parallel Monte-Carlo tree search, 2008, compare ways to share a tree). A group whose
turn it is always waits for its own answers, however long they take, so the same seed and number of threads give the
same tree.
"""

from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from damier.core.game import Game
from damier.search.guided.network import Evaluator, Floats
from damier.search.guided.simulation import NONE, Boards, Searches, answers, search_all

Answers = tuple[Floats, Floats]


class Group:
    """Simulations that ask the network together: their positions, and the answer that they wait for."""

    def __init__(self, game: Game, lanes: int) -> None:
        self.boards = Boards(game, 1, lanes)
        self.answers: Answers = answers(game, lanes)
        self.asked: Future[Answers] | None = None

    def answer(self) -> Answers:
        """The network's answers; it waits for them."""
        if self.asked is not None:
            self.answers, self.asked = self.asked.result(), None
        return self.answers


class Pipeline:
    """The groups of one search. With one of them the network is asked in the same thread."""

    def __init__(self, game: Game, network: Evaluator, batch: int, threads: int) -> None:
        self.game, self.network = game, network
        self.work = Searches(game, 1, batch * threads, threads)
        self.groups = [Group(game, batch * threads) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def warm_up(self, forest: Any, guide: Any, cache: Any) -> None:
        """Compile, and let the network allocate."""
        group = self.groups[0]
        self.game.prepare(search_all, forest, guide, self.work, group.boards, cache, *group.answers)
        group.answers = self.network.evaluate(group.boards.planes)

    def begin(self, state: Any) -> None:
        """Set up a position; answers to an interrupted search are dropped."""
        for group in self.groups:
            if group.asked is not None:
                wait([group.asked])
                group.asked = None
            group.boards.roots[0] = state
        self.work.row[:] = NONE
        self.work.turn[0] = 0

    def step(self, forest: Any, guide: Any, cache: Any) -> int:
        """Let the next group use its answers, search on and ask again; return about how many leaves it asks."""
        work = self.work
        group = self.groups[work.turn[0]]
        found = group.answer()
        rows = int(self.game.run(search_all, forest, guide, work, group.boards, cache, *found))
        if rows and self._pool is None:
            group.answers = self.network.evaluate(group.boards.planes[:rows])
        elif rows and self._pool is not None:
            group.asked = self._pool.submit(self.network.evaluate, group.boards.planes[:rows])
        work.turn[0] = (work.turn[0] + 1) % len(self.groups)
        return rows

    def run(self, forest: Any, guide: Any, cache: Any) -> None:
        """Make all simulations that are requested, and use all answers."""
        idle = 0
        while idle < 2 * len(self.groups) - 1:  # a group may have been blocked by what another one waited for
            idle = 0 if self.step(forest, guide, cache) else idle + 1

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
