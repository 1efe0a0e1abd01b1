"""One kernel for each rule, for Python to call: `game.run(calls.play, state, move)`.

A kernel has the name and the arguments of its rule in the protocol's table; `list_moves` serves `moves` and `chance`.
They are written out because Numba finds a kernel on disk by its place in a file.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from damier.core import generic
from damier.core.compile import kernel
from damier.core.generic import Buffers
from damier.core.protocol import FeatureRows, Moves, Observation, Owners, Planes, Record, Rng, Values
from damier.core.rng import new_rng

_WHOLE_NUMBERS = ("move", "player", "observer")  # what a helper of the rules may call a number


def example_arguments(rules: Any, state: Record, parameters: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Example arguments of a rule, from the table's annotations; for a helper function they are guessed from the
    parameters' names. None if one can't be guessed."""
    encode_shape = getattr(rules, "encode_shape", (1,))
    arrays = {
        Moves: np.zeros(1, np.int64),
        Observation: np.zeros(1, np.int64),
        Owners: np.zeros(1, np.int64),
        Values: np.zeros(1),
        FeatureRows: np.zeros((1, 1)),
        Planes: np.zeros((1,) * len(encode_shape), np.float32),
    }
    by_name = {"state": state, "end": state, "rng": new_rng(0), "out": arrays[Values], "probs": arrays[Values]}
    by_name |= dict.fromkeys(_WHOLE_NUMBERS, 0)
    found = [0 if kind is int else arrays.get(kind, by_name.get(name)) for name, kind in parameters.items()]
    return None if any(each is None for each in found) else tuple(found)


@kernel
def setup(game: Any, state: Record) -> None:
    game.setup(state)


@kernel
def list_moves(game: Any, state: Record, buffers: Buffers) -> int:
    return generic.list_moves(game, state, buffers.moves, buffers.probs)


@kernel
def play(game: Any, state: Record, move: int) -> None:
    game.play(state, move)


@kernel
def returns(game: Any, state: Record, out: Values) -> None:
    game.returns(state, out)


@kernel
def random_move(game: Any, state: Record, buffers: Buffers, rng: Rng) -> int:
    return generic.random_move(game, state, buffers, rng)


@kernel
def sample(game: Any, state: Record, rng: Rng) -> int:
    return int(game.sample(state, rng))


@kernel
def playout(game: Any, state: Record, rng: Rng) -> int:
    return int(game.playout(state, rng))


@kernel
def weight(game: Any, state: Record, move: int) -> float:
    return float(game.weight(state, move))


@kernel
def score(game: Any, state: Record) -> float:
    return float(game.score(state))


@kernel
def key(game: Any, state: Record) -> int:
    return generic.position_key(game, state)


@kernel
def symmetric_key(game: Any, state: Record) -> int:
    return generic.symmetric_key(game, state)


@kernel
def evaluate(game: Any, state: Record, out: Values) -> None:
    game.evaluate(state, out)


@kernel
def features(game: Any, state: Record, out: FeatureRows) -> None:
    game.features(state, out)


@kernel
def encode(game: Any, state: Record, out: Planes) -> None:
    game.encode(state, out)


@kernel
def action(game: Any, state: Record, move: int) -> int:
    return int(game.action(state, move))


@kernel
def owners(game: Any, state: Record, end: Record, out: Owners) -> None:
    game.owners(state, end, out)


@kernel
def observe(game: Any, state: Record, player: int, out: Observation) -> int:
    return generic.check_observation(game.observe(state, player, out), out.size)


@kernel
def determinize(game: Any, state: Record, observer: int, rng: Rng) -> None:
    game.determinize(state, observer, rng)


@kernel
def noisy(game: Any, state: Record, move: int) -> bool:
    return bool(game.noisy(state, move))


@kernel
def distance(game: Any, state: Record) -> int:
    return int(game.distance(state))


@kernel
def bounds(game: Any, state: Record) -> tuple[int, int]:
    low, high = game.bounds(state)
    return int(low), int(high)


@kernel
def candidates(game: Any, state: Record, out: Moves) -> int:
    return generic.candidate_moves(game, state, out)


@kernel
def ending(game: Any, state: Record) -> tuple[int, int, int]:
    number, index, left = game.ending(state)
    return int(number), int(index), int(left)


@kernel
def set_ending(game: Any, state: Record, number: int, index: int) -> bool:
    return bool(game.set_ending(state, number, index))
