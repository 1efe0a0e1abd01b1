"""Self-play: a network plays against itself, many games in lock-step, and records the data to learn from.

Every game has a number, which determines its random numbers. All started games are finished, so short ones are not
preferred; a finished game makes room for the next. The same seed, numbers and settings give the same games; with
another number of parallel games the network rounds differently, and in time the games differ.
"""

import time
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.rng import new_rng
from damier.search.guided.evaluations import Evaluations
from damier.search.guided.forest import Forest, node_bytes
from damier.search.guided.information import slots_for
from damier.search.guided.lockstep import FINISHED, FREE, Course, Games, begin_game, play_all
from damier.search.guided.network import Evaluator, Floats
from damier.search.guided.selection import GUMBEL, PUCT, Guide
from damier.search.guided.simulation import Searches, answers
from damier.search.null_window import UNDECIDED
from damier.search.solve import Solver
from damier.zero.samples import FinishedGame, Samples
from damier.zero.settings import SearchSettings, SelfPlaySettings

MEMORY = 1 << 30  # bytes, for all trees
SOLVER_MEMORY = 1  # megabytes: the table is cleared for every game
UNLIMITED = 2**31 - 1


class SelfPlay:
    """One network at one game. `evaluations` and the seconds measure its cost."""

    def __init__(
        self,
        game: Game,
        network: Evaluator,
        search: SearchSettings | None = None,
        settings: SelfPlaySettings | None = None,
        seed: int = 0,
    ) -> None:
        search, settings = search or SearchSettings(), settings or SelfPlaySettings()
        if settings.resign is not None and game.num_players != 2:
            raise SpecError("train.resign", game=game.name, players=game.num_players)
        if search.margin and not game.has("evaluate"):
            raise SpecError("train.margin", game=game.name)
        if search.margin and settings.resign is not None:
            raise SpecError("train.margin-or-resign")
        if search.margin and settings.solve:
            raise SpecError("train.margin-or-solve")
        if settings.solve and game.is_hidden:
            raise SpecError("search.exact-hidden", game=game.name)
        self.game, self.network, self.seed = game, network, seed
        if game.is_hidden:  # nothing is proven where something is hidden, and no tree follows from another
            depth = search.max_depth and 2 * search.max_depth  # a path alternates between nodes and moves
            search = search.model_copy(update={"solver": False, "keep_tree": False, "max_depth": depth})
        self.guide, self.course = guide_of(search), course_of(search, settings)
        keep = search.keep_tree and search.root == "puct"
        sims = max(search.sims, settings.fast_sims)
        self.work = Searches(game, settings.parallel)
        capacity = self._capacity(sims, settings.parallel, keep)
        self.forest = Forest(settings.parallel, capacity, game.num_players, keep, slots_for(game, sims))
        self.cache = Evaluations(search.cache)
        self.games = Games(game, settings.parallel)
        self.evaluations = 0  # positions that the network evaluated
        self.batches = 0
        self.network_seconds = 0.0
        self.seconds = 0.0
        self._solver, self._solve_nodes = Solver(game, SOLVER_MEMORY) if settings.solve else None, settings.solve
        self._numbers = np.zeros(settings.parallel, np.int64)  # [place]: the number of the game there

    def _capacity(self, sims: int, trees: int, keep: bool) -> int:
        """As many nodes as a search can make; a kept tree may hold several searches."""
        wanted = 1 + (sims + 1) * (1 + self.game.max_moves) * (4 if keep else 1)
        room = MEMORY // trees // node_bytes(self.game.num_players, keep)
        return max(1 + self.game.max_moves, min(wanted, room))

    def play(self, numbers: Iterable[int]) -> Iterator[FinishedGame]:
        """Play the games with these numbers, and give each when it is finished."""
        waiting = iter(numbers)
        self.games.status[:] = FREE
        self.work.row[:] = -1
        logits, values = answers(self.game, 1)
        is_over = self._fill(waiting)
        while not is_over:
            began = time.perf_counter()
            rows = self.game.run(play_all, *self._state(), (logits, values))
            self.seconds += time.perf_counter() - began
            for place in np.flatnonzero(self.games.status == FINISHED):
                yield self._take(int(place))
            if rows:
                logits, values = self._evaluate(rows)
            is_over = self._fill(waiting) and not rows

    def _state(self) -> tuple[object, ...]:
        return self.forest, self.guide, self.work, self.games, self.cache, self.course

    def _fill(self, waiting: Iterator[int]) -> bool:
        """Begin games in free places; True if no game is under way."""
        for place in np.flatnonzero(self.games.status == FREE):
            number = next(waiting, None)
            if number is None:
                break
            self._numbers[place] = number
            rng = new_rng(self.seed, number)
            self.game.run(begin_game, self.forest, self.work, self.course, self.games, int(place), rng)
        return bool((self.games.status == FREE).all())

    def _evaluate(self, rows: int) -> tuple[Floats, Floats]:
        began = time.perf_counter()
        answer = self.network.evaluate(self.games.planes[:rows])
        took = time.perf_counter() - began
        self.evaluations += rows
        self.batches += 1
        self.network_seconds += took
        self.seconds += took
        return answer

    def _take(self, place: int) -> FinishedGame:
        """Collect a finished game and free its place."""
        games = self.games
        games.status[place] = FREE
        count = int(games.count[place])
        listed = int(games.offsets[place, count])
        states = games.searched[place, :count].copy()
        returns = games.returns[place]
        # starting with the player to move
        turned = (states["player"][:, np.newaxis] + np.arange(returns.size)) % returns.size
        outcomes, searched = np.tile(games.payoffs[place], (count, 1)), games.values[place, :count].copy()
        self._correct(states, outcomes, searched)
        samples = Samples(
            states=states,
            offsets=games.offsets[place, : count + 1].copy(),
            actions=games.actions[place, :listed].copy(),
            probs=games.probs[place, :listed].copy(),
            outcomes=np.take_along_axis(outcomes, turned, axis=1).astype(np.float32),
            searched=np.take_along_axis(searched, turned, axis=1),
            weights=games.weights[place, :count].copy(),
        )
        return FinishedGame(
            number=int(self._numbers[place]),
            seed=self.seed,
            moves=tuple(games.moves[place, : games.num_moves[place]].tolist()),
            opening=int(games.opening[place]),
            returns=tuple(returns.tolist()),
            samples=samples,
        )

    def _correct(self, states: NDArray[Any], outcomes: NDArray[Any], searched: NDArray[Any]) -> None:
        """Give the last positions their exact values as targets, and earlier ones the first exact outcome."""
        if self._solver is None:
            return
        winners = self._solver.ends(states, self._solve_nodes)
        known = np.flatnonzero(winners != UNDECIDED)
        if known.size:
            exact = np.stack([winners, -winners], axis=1)[known]
            outcomes[known], searched[known] = exact, exact
            outcomes[: known[0]] = exact[0]


def guide_of(search: SearchSettings) -> Guide:
    return Guide(
        GUMBEL if search.root == "gumbel" else PUCT,
        c_puct=search.c_puct,
        considered=search.considered,
        noise=search.noise,
        noise_alpha=search.noise_alpha or 0.0,
        forced=search.forced_playouts,
        max_depth=search.max_depth or UNLIMITED,
        solver=search.solver,
        margin=search.margin,
        reach=search.margin_reach,
    )


def course_of(search: SearchSettings, settings: SelfPlaySettings) -> Course:
    return Course(
        sims=search.sims,
        fast_sims=settings.fast_sims,
        full_search=settings.full_search,
        keep_tree=search.keep_tree,
        temperature=search.temperature,
        temperature_moves=search.temperature_moves,
        late_temperature=search.late_temperature,
        random_openings=settings.random_openings,
        random_moves=settings.random_moves,
        resign=-2.0 if settings.resign is None else settings.resign,
    )
