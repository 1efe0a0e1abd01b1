"""An opponent that can't be beaten: it solves every move exactly. For small games, and the ends of larger ones."""

import math
import time
from dataclasses import dataclass, field
from typing import ClassVar

from damier.core.budget import check_memory
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.core.rng import below, new_rng
from damier.search.player import Player, Sight
from damier.search.result import SearchResult
from damier.search.solve import MEMORY, Solver

NODES_A_SECOND = 1e6  # at least, in compiled code


@dataclass
class KeptSolver:
    """The solver that is kept from one move to the next."""

    solver: Solver | None = None


@dataclass(frozen=True)
class Perfect(Player):
    """Plays one of the best moves, all equally likely, however long it takes to find them."""

    sight: ClassVar[Sight] = Sight.OPEN

    memory: int = MEMORY  # megabytes
    _kept: KeptSolver = field(default_factory=KeptSolver, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_memory(self.memory)

    def check_sight(self, game: Game) -> None:
        """Raise a SpecError that names what solves games with hidden cards."""
        if game.is_hidden:
            raise SpecError("search.hidden-solve", game=game.name)

    def prepare(self, pos: Position) -> None:
        """Compile for this game, without solving anything."""
        self._solver_for(pos)

    def keeps_time(self, pos: Position, seconds: float) -> bool:
        """Whether a position can be solved within about that many seconds, by a cautious rule of thumb.

        With b moves a position and n plies left, the solver visits about b^(n/4) positions in Connect 4 and m,n,k games
        of all sizes: the square root of the tree that alpha-beta visits at best, because most of it is in the table.
        The rule is b^(n/3).
        """
        moves = math.sqrt(max(1, len(pos.moves())) * pos.game.max_moves)  # some games have few moves at the start
        plies = max(0, pos.game.max_length - len(pos.history))
        return plies / 3 * math.log(moves) <= math.log(max(1.0, seconds * NODES_A_SECOND))

    def _solver_for(self, pos: Position) -> Solver:
        solver = self._kept.solver
        if solver is None or solver.game != pos.game:
            solver = self._kept.solver = Solver(pos.game, self.memory)
        return solver

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        began = time.perf_counter()
        solved = self._solver_for(pos).solve(pos, moves=True)
        best = [move for move, score in solved.moves.items() if score == solved.score]
        move = best[below(new_rng(seed), len(best))]
        return SearchResult(
            move,
            pos.notation(move),
            values=tuple(float((value > 0) - (value < 0)) for value in solved.values),
            moves=tuple(solved.moves),
            policy=tuple((each in best) / len(best) for each in solved.moves),
            scores=tuple(map(float, solved.moves.values())),
            pv=(move,),
            nodes=solved.nodes,
            seconds=time.perf_counter() - began,
        )
