"""What every search asks of a game, with or without the optional rule for it.

Each function is plain Python for uncompiled rules. In compiled code it is resolved by the game's type, so
a capability that a game lacks costs nothing.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core.extending import intrinsic, overload

from damier.core.compile import Struct, inlined, kernel
from damier.core.errors import RulesError
from damier.core.parts import PART
from damier.core.protocol import CHANCE, Moves, Record, Rng, Values
from damier.core.rng import below, mix, uniform

LARGEST_VALUE = 1.000001  # of an evaluation, with room for rounding


class Buffers(Struct):
    """Room for what the rules write about one position."""

    def __init__(self, max_moves: int, num_players: int) -> None:
        self.moves = np.zeros(max_moves, np.int64)  # legal moves, or the outcomes of chance
        self.probs = np.zeros(max_moves, np.float64)  # their probabilities at a chance node
        self.values = np.zeros(num_players, np.float64)  # payoffs


@kernel
def check_count(count: int, limit: int) -> int:
    """Stop if a count of moves is outside 0..limit, which means that memory was overwritten."""
    if count < 0 or count > limit:
        raise RulesError("rules.too-many-moves", "count", count, "limit", limit)
    return count


@kernel
def check_observation(count: int, limit: int) -> int:
    """Stop if an observation has more numbers than the game says, which means that memory was overwritten."""
    if count < 0 or count > limit:
        raise RulesError("rules.observation", "count", count, "limit", limit)
    return count


def list_moves(game: Any, state: Record, out: Moves, probs: Values) -> int:
    """Write the legal moves, or at a chance node the outcomes and their probabilities; return how many."""
    if state.player == CHANCE:
        return check_count(game.chance(state, out, probs), out.size)
    return check_count(game.moves(state, out), out.size)


@overload(list_moves, strict=False, jit_options=PART)
def _list_moves(game: Any, state: Any, out: Any, probs: Any) -> Callable[..., int]:
    def without_chance(game, state, out, probs):
        return check_count(game.moves(state, out), out.size)

    return list_moves if game.has("chance") else without_chance


def random_move(game: Any, state: Record, buffers: Buffers, rng: Rng) -> int:
    """A uniformly random legal move, or an outcome by its probability; -1 at the end."""
    if hasattr(game, "sample") and state.player != CHANCE:
        return int(game.sample(state, rng))
    count = list_moves(game, state, buffers.moves, buffers.probs)
    if count == 0:
        return -1
    if state.player == CHANCE:
        return int(buffers.moves[draw_outcome(buffers.probs, count, rng)])
    return int(buffers.moves[below(rng, count)])


@overload(random_move, strict=False, jit_options=PART)
def _random_move(game: Any, state: Any, buffers: Any, rng: Any) -> Callable[..., int]:
    if game.has("sample"):

        def player_move(game, state, buffers, rng):
            return game.sample(state, rng)
    else:

        def player_move(game, state, buffers, rng):
            count = check_count(game.moves(state, buffers.moves), buffers.moves.size)
            return buffers.moves[below(rng, count)] if count else -1

    if not game.has("chance"):
        return player_move
    player_move = kernel(player_move)

    def player_or_chance(game, state, buffers, rng):
        if state.player != CHANCE:
            return player_move(game, state, buffers, rng)
        count = list_moves(game, state, buffers.moves, buffers.probs)
        return buffers.moves[draw_outcome(buffers.probs, count, rng)]

    return player_or_chance


def heavy_move(game: Any, state: Record, buffers: Buffers, rng: Rng) -> int:
    """A sensible random move by the game's `playout`, or else by `weight`; a uniform one if it has neither."""
    if hasattr(game, "playout"):
        return int(game.playout(state, rng))
    if hasattr(game, "weight"):
        return int(weighted_move(game, state, buffers, rng))
    return random_move(game, state, buffers, rng)


@overload(heavy_move, strict=False, jit_options=PART)
def _heavy_move(game: Any, state: Any, buffers: Any, rng: Any) -> Callable[..., int]:
    def own(game, state, buffers, rng):
        return game.playout(state, rng)

    def weighted(game, state, buffers, rng):
        return weighted_move(game, state, buffers, rng)

    def any_move(game, state, buffers, rng):
        return random_move(game, state, buffers, rng)

    return own if game.has("playout") else weighted if game.has("weight") else any_move


@kernel
def weighted_move(game: Any, state: Record, buffers: Buffers, rng: Rng) -> int:
    """A random legal move, with probabilities proportional to the weights; -1 at the end."""
    count = check_count(game.moves(state, buffers.moves), buffers.moves.size)
    total = 0.0
    for i in range(count):
        total += game.weight(state, buffers.moves[i])
        buffers.probs[i] = total
    left = uniform(rng) * total
    for i in range(count):
        if left < buffers.probs[i]:
            return buffers.moves[i]
    return buffers.moves[count - 1] if count else -1


@kernel
def draw_outcome(probs: Values, count: int, rng: Rng) -> int:
    """The index of an outcome, drawn by its probability."""
    left = uniform(rng)
    for index in range(count - 1):
        left -= probs[index]
        if left < 0:
            return index
    return count - 1


def heuristic(game: Any, state: Record, out: Values) -> None:
    """The game's evaluation of a position, or 0 for every player."""
    if hasattr(game, "evaluate"):
        game.evaluate(state, out)
    else:
        out[:] = 0


@overload(heuristic, strict=False, jit_options=PART)
def _heuristic(game: Any, state: Any, out: Any) -> Callable[..., None]:
    def own(game, state, out):
        game.evaluate(state, out)

    def nothing(game, state, out):
        out[:] = 0

    return own if game.has("evaluate") else nothing


@inlined
def check_values(values: Values) -> None:
    """Stop at a value that no evaluation may write: NaN would win every comparison, or lose it."""
    for player in range(values.size):
        if not abs(values[player]) <= LARGEST_VALUE:
            raise RulesError("rules.evaluation", "got", values[player])


def promise(game: Any, state: Record, move: int) -> float:
    """How promising a move looks: the game's `weight`, or 1."""
    return float(game.weight(state, move)) if hasattr(game, "weight") else 1.0


@overload(promise, strict=False, jit_options=PART)
def _promise(game: Any, state: Any, move: Any) -> Callable[..., float]:
    def own(game, state, move):
        return game.weight(state, move)

    def nothing(game, state, move):
        return 1.0

    return own if game.has("weight") else nothing


def is_noisy(game: Any, state: Record, move: int) -> bool:
    """Whether the game marks a move as noisy: an evaluation after it can't be trusted."""
    return bool(game.noisy(state, move)) if hasattr(game, "noisy") else False


@overload(is_noisy, strict=False, jit_options=PART)
def _is_noisy(game: Any, state: Any, move: Any) -> Callable[..., bool]:
    def own(game, state, move):
        return bool(game.noisy(state, move))

    def never(game, state, move):
        return False

    return own if game.has("noisy") else never


def margin_bounds(game: Any, state: Record) -> tuple[int, int]:
    """Bounds of player 0's margin as two whole numbers: the game's own, or -1 and 1."""
    return game.bounds(state) if hasattr(game, "bounds") else (-1, 1)


@overload(margin_bounds, strict=False, jit_options=PART)
def _margin_bounds(game: Any, state: Any) -> Callable[..., tuple[int, int]]:
    def own(game, state):
        return game.bounds(state)

    def default(game, state):
        return -1, 1

    return own if game.has("bounds") else default


def candidate_moves(game: Any, state: Record, out: Moves) -> int:
    """Write the moves that include a best one: the game's candidates, or all moves; return their number."""
    if hasattr(game, "candidates"):
        return check_count(game.candidates(state, out), out.size)
    return check_count(game.moves(state, out), out.size)


@overload(candidate_moves, strict=False, jit_options=PART)
def _candidate_moves(game: Any, state: Any, out: Any) -> Callable[..., int]:
    def own(game, state, out):
        return check_count(game.candidates(state, out), out.size)

    def default(game, state, out):
        return check_count(game.moves(state, out), out.size)

    return own if game.has("candidates") else default


def ending_of(game: Any, state: Record) -> tuple[int, int, int]:
    """In a game that numbers its endings: which one it is, -1 for none, the number of the position there, and after how
    many moves the game may be over for a reason that endings leave out of account."""
    return game.ending(state) if hasattr(game, "ending") else (-1, 0, 0)


@overload(ending_of, strict=False, jit_options=PART)
def _ending_of(game: Any, state: Any) -> Callable[..., tuple[int, int, int]]:
    def own(game, state):
        return game.ending(state)

    def none(game, state):
        return -1, 0, 0

    return own if game.has("ending") else none


def position_key(game: Any, state: Record) -> int:
    """A 64-bit hash of the position: the game's own, or a hash of the record's bytes."""
    return int(game.key(state)) if hasattr(game, "key") else hash_record(state)


@overload(position_key, strict=False, jit_options=PART)
def _position_key(game: Any, state: Any) -> Callable[..., Any]:
    def own(game, state):
        return np.uint64(game.key(state))

    def default(game, state):
        return hash_record(state)

    return own if game.has("key") else default


def symmetric_key(game: Any, state: Record) -> int:
    """A 64-bit hash that equivalent positions may share: the game's own, or the key of the position."""
    return int(game.symmetric_key(state)) if hasattr(game, "symmetric_key") else position_key(game, state)


@overload(symmetric_key, strict=False, jit_options=PART)
def _symmetric_key(game: Any, state: Any) -> Callable[..., Any]:
    def own(game, state):
        return np.uint64(game.symmetric_key(state))

    def default(game, state):
        return position_key(game, state)

    return own if game.has("symmetric_key") else default


def policy_index(game: Any, state: Record, move: int) -> int:
    """The place of a move in a network's policy: the game's own, or the move itself."""
    return int(game.action(state, move)) if hasattr(game, "action") else move


@overload(policy_index, strict=False, jit_options=PART)
def _policy_index(game: Any, state: Any, move: Any) -> Callable[..., int]:
    def own(game, state, move):
        return game.action(state, move)

    def default(game, state, move):
        return move

    return own if game.has("action") else default


def hash_record(state: Record) -> int:
    """A 64-bit hash of a record's bytes, eight at a time."""
    data = state.tobytes()
    hashed = len(data)
    for start in range(0, len(data), 8):
        hashed = mix(hashed ^ int.from_bytes(data[start : start + 8], "little"))
    return hashed


@overload(hash_record, strict=False, jit_options=PART)
def _hash_record(state: types.Record) -> Callable[..., Any]:
    words, tail = divmod(state.size, 8)

    def compiled(state):
        data = carray(_address(state), words * 8 + tail, np.uint8)
        hashed = np.uint64(words * 8 + tail)
        for start in range(0, words * 8, 8):
            hashed = mix(hashed ^ _word(data, start, 8))
        if tail:
            hashed = mix(hashed ^ _word(data, words * 8, tail))
        return hashed

    return compiled


@kernel
def _word(data: Any, start: int, size: int) -> Any:
    """`size` bytes as a little-endian number."""
    word = np.uint64(0)
    for i in range(size):
        word |= np.uint64(data[start + i]) << np.uint64(8 * i)
    return word


@intrinsic
def _address(context: Any, state: Any) -> Any:
    """The address of a record in memory."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(8).as_pointer())

    return types.voidptr(state), lower
