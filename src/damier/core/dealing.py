"""What a search asks of a game that may hide something: deals, and keys of what the mover knows.

As in `generic`, a function is resolved by the game's type in compiled code, so a game that hides nothing pays nothing.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.extending import overload

from damier.core.compile import kernel
from damier.core.generic import check_observation, position_key
from damier.core.parts import PART
from damier.core.protocol import Record, Rng
from damier.core.rng import mix


def hides(game: Any) -> bool:
    """Whether it is a game of hidden information."""
    return hasattr(game, "observe")


@overload(hides, strict=False, jit_options=PART)
def _hides(game: Any) -> Callable[..., bool]:
    return (lambda game: True) if game.has("observe") else (lambda game: False)


def deal_anew(game: Any, state: Record, rng: Rng) -> None:
    """Deal what the player to move can't know."""
    if hides(game):
        game.determinize(state, state.player, rng)


@overload(deal_anew, strict=False, jit_options=PART)
def _deal_anew(game: Any, state: Any, rng: Any) -> Callable[..., None]:
    def own(game, state, rng):
        game.determinize(state, state.player, rng)

    def nothing(game, state, rng):
        pass

    return own if game.has("observe") else nothing


def known_key(game: Any, state: Record, work: Any) -> int:
    """A 64-bit hash of what the mover knows: their observation, or the position if nothing is hidden."""
    return observation_key(game, state, work.observation) if hides(game) else position_key(game, state)


@overload(known_key, strict=False, jit_options=PART)
def _known_key(game: Any, state: Any, work: Any) -> Callable[..., Any]:
    def own(game, state, work):
        return observation_key(game, state, work.observation)

    def open_to_all(game, state, work):
        return position_key(game, state)

    return own if game.has("observe") else open_to_all


@kernel
def observation_key(game: Any, state: Record, out: Any) -> Any:
    """A 64-bit hash of the mover and their observation."""
    count = check_observation(game.observe(state, state.player, out), out.size)
    hashed: Any = np.uint64(1 + state.player) << np.uint64(32) ^ np.uint64(count)
    for i in range(count):
        hashed = mix(hashed ^ np.uint64(out[i]))
    return hashed
