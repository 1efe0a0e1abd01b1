"""Random numbers for compiled code: an argument, never a global.

A generator is a record of one 64-bit word, and the algorithm is SplitMix64 (Steele, Lea, Flood: Fast
splittable pseudorandom number generators, OOPSLA 2014): fast, of good quality, and started from any seed.
The plain functions below and their compiled twins give the same numbers.
"""

from typing import Any

import numpy as np

from damier.core.compile import compiled_form
from damier.core.protocol import Rng

_MASK = (1 << 64) - 1
_HALF = (1 << 32) - 1
_MOST_OUTCOMES = 1 << 16
_STEP = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB

_GENERATOR = np.dtype((np.record, [("word", np.uint64)]))
_U_STEP, _U_MIX_1, _U_MIX_2 = np.uint64(_STEP), np.uint64(_MIX_1), np.uint64(_MIX_2)


def new_rng(seed: int, stream: int = 0) -> Rng:
    """A generator for this seed; other streams of the same seed are independent of it."""
    rng = np.zeros(1, _GENERATOR)[0]
    rng.word = mix(mix(seed & _MASK) ^ mix(stream * _STEP & _MASK))
    return rng


def next_word(rng: Rng) -> int:
    """The next 64 random bits."""
    word = (int(rng.word) + _STEP) & _MASK
    rng.word = word
    return mix(word)


def mix(word: int) -> int:
    """SplitMix64's finaliser: each bit of the result depends on every bit of the word; 0 stays 0."""
    word = int(word)
    word = ((word ^ (word >> 30)) * _MIX_1) & _MASK
    word = ((word ^ (word >> 27)) * _MIX_2) & _MASK
    return word ^ (word >> 31)


def below(rng: Rng, n: int) -> int:
    """A random whole number in 0..n-1 (n up to 2^32; the bias is below n / 2^32)."""
    return ((next_word(rng) >> 32) * int(n)) >> 32


def uniform(rng: Rng) -> float:
    """A random number in [0, 1)."""
    return (next_word(rng) >> 11) * 2.0**-53


def shuffle(items: Any, count: int, rng: Rng) -> None:
    """Put the first `count` items in a random order, in place (Fisher and Yates).

    A 32-bit fraction serves several draws: what one leaves of it is the fraction of the next. A new one is taken when
    the draws from it have more than 2^16 outcomes together, so that the bias of each stays below n / 2^16.
    """
    fraction, outcomes = 0, _MOST_OUTCOMES
    for last in range(count - 1, 0, -1):
        outcomes *= last + 1
        if outcomes > _MOST_OUTCOMES:
            fraction, outcomes = next_word(rng) >> 32, last + 1
        fraction *= last + 1
        place = fraction >> 32
        fraction &= _HALF
        items[last], items[place] = items[place], items[last]


@compiled_form(next_word)
def _next_word(rng: Rng) -> Any:
    word = rng.word + _U_STEP
    rng.word = word
    return mix(word)


@compiled_form(mix)
def _mix(word: Any) -> Any:
    word = (word ^ (word >> np.uint64(30))) * _U_MIX_1
    word = (word ^ (word >> np.uint64(27))) * _U_MIX_2
    return word ^ (word >> np.uint64(31))


@compiled_form(below)
def _below(rng: Rng, n: Any) -> Any:
    return np.int64(((next_word(rng) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@compiled_form(uniform)
def _uniform(rng: Rng) -> Any:
    return np.float64(next_word(rng) >> np.uint64(11)) * 2.0**-53


@compiled_form(shuffle)
def _shuffle(items: Any, count: Any, rng: Rng) -> None:
    fraction, outcomes = np.uint64(0), np.int64(_MOST_OUTCOMES)
    for last in range(count - 1, 0, -1):
        outcomes *= last + 1
        if outcomes > _MOST_OUTCOMES:
            fraction, outcomes = next_word(rng) >> np.uint64(32), np.int64(last + 1)
        fraction *= np.uint64(last + 1)
        place = np.int64(fraction >> np.uint64(32))
        fraction &= np.uint64(_HALF)
        items[last], items[place] = items[place], items[last]
