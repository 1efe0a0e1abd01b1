"""The player of an equilibrium: it draws its moves by a strategy that regret minimisation found."""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from damier.core.budget import check_memory
from damier.core.files import user_path
from damier.core.game import Game
from damier.core.options import FileName
from damier.core.position import Position
from damier.core.rng import new_rng, uniform
from damier.search.hidden import strategy_file
from damier.search.hidden.equilibrium import equilibrium
from damier.search.hidden.minimiser import METHODS, check_iterations, check_method
from damier.search.hidden.strategy import Strategy
from damier.search.hidden.tree import MEMORY
from damier.search.player import Player
from damier.search.result import SearchResult

NODE_SECONDS = 1e-6  # to build a node of the tree
PASS_SECONDS = 3e-9  # ... and to pass over it in an iteration


@dataclass(frozen=True)
class Cfr(Player):
    """Plays an equilibrium: from a file, or found by regret minimisation when it first sees a game."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"method": METHODS}

    file: FileName = ""  # as `damier equilibrium --out` writes it; without one it solves the game itself
    method: str = "cfr+"
    iterations: int = 1000
    memory: int = MEMORY  # megabytes
    _kept: dict[Game, Strategy] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_method(self.method)
        check_iterations(self.iterations)
        check_memory(self.memory)

    def prepare(self, pos: Position) -> None:
        """Find the strategy, which does not count as search time."""
        self._strategy_for(pos.game)

    def keeps_time(self, pos: Position, seconds: float) -> bool:
        """Whether the game can be solved within about that many seconds, by a cautious rule of thumb.

        A tree with b moves a node and n plies has b^n leaves; in the games that are solved here, cards and bets that
        end the game leave about b^(n/2).
        """
        if self.file or pos.game in self._kept:
            return True
        moves = math.sqrt(max(1, len(pos.moves())) * pos.game.max_moves)
        nodes = pos.game.max_length / 2 * math.log(moves)
        each = NODE_SECONDS + self.iterations * PASS_SECONDS
        return nodes <= math.log(max(1.0, seconds / each))

    def _strategy_for(self, game: Game) -> Strategy:
        if game not in self._kept:
            if self.file:
                self._kept[game] = strategy_file.read_strategy(user_path(self.file)).strategy(game)
            else:
                found = equilibrium(game, self.method, self.iterations, memory=self.memory)
                self._kept[game] = found.strategy
        return self._kept[game]

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        began = time.perf_counter()
        chances = self._strategy_for(pos.game).at(pos)
        move = _drawn(chances, seed)
        return SearchResult(
            move,
            pos.notation(move),
            moves=tuple(chances),
            policy=tuple(chances.values()),
            pv=(move,),
            seconds=time.perf_counter() - began,
        )


def _drawn(chances: Mapping[int, float], seed: int) -> int:
    """A move, drawn by its probability."""
    left = uniform(new_rng(seed))
    played = [move for move, chance in chances.items() if chance > 0]
    for move in played:
        left -= chances[move]
        if left < 0:
            return move
    return played[-1]
