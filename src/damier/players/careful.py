"""An opponent that avoids simple mistakes and knows nothing else: a stand-in for an attentive person."""

import time
from typing import ClassVar

from damier.core.position import Position
from damier.core.rng import below, new_rng
from damier.search.player import Player, Sight
from damier.search.result import SearchResult


class Careful(Player):
    """Wins at once if it can, prevents an immediate win of the others if it can, and otherwise plays at random."""

    sight: ClassVar[Sight] = Sight.OPEN

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        began = time.perf_counter()
        moves = tuple(pos.moves())
        after = {move: pos.play(move) for move in moves}
        wins = [move for move in moves if _wins(after[move], pos.player)]
        safe = [move for move in moves if not _loses_at_once(after[move], pos.player)]
        chosen = wins or safe or list(moves)
        move = chosen[below(new_rng(seed), len(chosen))]
        return SearchResult(
            move,
            pos.notation(move),
            moves=moves,
            policy=tuple((each in chosen) / len(chosen) for each in moves),
            pv=(move,),
            nodes=1 + len(moves),
            seconds=time.perf_counter() - began,
        )


def _wins(pos: Position, player: int) -> bool:
    """Whether the game is over and nobody has a higher payoff."""
    return pos.returns is not None and pos.returns[player] > 0 and pos.returns[player] == max(pos.returns)


def _loses_at_once(pos: Position, player: int) -> bool:
    """Whether the player has lost, or another player can win with the next move. Dice are ignored."""
    if pos.returns is not None:
        return pos.returns[player] < 0
    if pos.is_chance or pos.player == player:
        return False
    return any(_wins(pos.play(move), pos.player) for move in pos.moves())
