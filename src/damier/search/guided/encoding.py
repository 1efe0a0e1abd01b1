"""Positions as a network sees them, many at a time."""

from typing import Any

from numpy.typing import NDArray

from damier.core.compile import kernel
from damier.core.protocol import Planes


@kernel
def encode_many(game: Any, states: NDArray[Any], out: Planes) -> None:
    """Encode each record of `states` [n] into `out` [n, *encode_shape]: `game.run(encode_many, states, out)`."""
    for number in range(states.size):
        game.encode(states[number], out[number])
