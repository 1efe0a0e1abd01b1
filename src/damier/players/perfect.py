"""The opponent that can't be beaten: every move is solved exactly. For small games, and the ends of larger ones."""

import time
from dataclasses import dataclass

from damier.core.position import Position
from damier.core.rng import below, new_rng
from damier.search.result import SearchResult
from damier.search.solve import MEMORY, Solver


@dataclass
class Perfect:
    """Plays any of the best moves, each as likely as the others, however long it takes to know them."""

    memory: int = MEMORY  # megabytes

    def __post_init__(self) -> None:
        self._solver: Solver | None = None

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        began = time.perf_counter()
        if self._solver is None or self._solver.game != pos.game:
            self._solver = Solver(pos.game, self.memory)
        solved = self._solver.solve(pos, moves=True)
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
