"""What a player knows, in compiled code: the game's observation, or all moves where everybody sees everything."""

from collections.abc import Callable
from typing import Any

from numba.core.extending import overload

from damier.core.generic import check_observation
from damier.core.parts import PART
from damier.core.protocol import Moves, Observation, Record


def observed(game: Any, state: Record, line: Moves, count: int, out: Observation) -> int:
    """Write all that the player to move knows, and return how many numbers; `line` are the `count` moves so far."""
    if hasattr(game, "observe"):
        return check_observation(game.observe(state, state.player, out), out.size)
    out[:count] = line[:count]
    return count


@overload(observed, strict=False, jit_options=PART)
def _observed(game: Any, state: Any, line: Any, count: Any, out: Any) -> Callable[..., int]:
    def own(game: Any, state: Any, line: Any, count: Any, out: Any) -> Any:
        return check_observation(game.observe(state, state.player, out), out.size)

    def everything(game: Any, state: Any, line: Any, count: Any, out: Any) -> Any:
        out[:count] = line[:count]
        return count

    return own if game.has("observe") else everything
