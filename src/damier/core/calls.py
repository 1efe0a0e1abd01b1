"""One kernel a rule, so that Python can call the compiled rules one by one: `game.run(calls.play, state, move)`."""

from typing import Any

from damier.core import generic
from damier.core.compile import kernel
from damier.core.generic import Buffers
from damier.core.protocol import Planes, Record, Rng, Values


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
def key(game: Any, state: Record) -> int:
    return generic.position_key(game, state)


@kernel
def symmetric_key(game: Any, state: Record) -> int:
    return generic.symmetric_key(game, state)


@kernel
def evaluate(game: Any, state: Record, out: Values) -> None:
    game.evaluate(state, out)


@kernel
def features(game: Any, state: Record, out: Values) -> None:
    game.features(state, out)


@kernel
def encode(game: Any, state: Record, out: Planes) -> None:
    game.encode(state, out)


@kernel
def action(game: Any, state: Record, move: int) -> int:
    return int(game.action(state, move))


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
def candidates(game: Any, state: Record, buffers: Buffers) -> int:
    return generic.candidate_moves(game, state, buffers.moves)


@kernel
def ending(game: Any, state: Record) -> tuple[int, int, int]:
    number, index, left = game.ending(state)
    return int(number), int(index), int(left)


@kernel
def set_ending(game: Any, state: Record, number: int, index: int) -> bool:
    return bool(game.set_ending(state, number, index))
