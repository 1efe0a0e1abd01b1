"""Random numbers: SplitMix64 as published, and the same numbers compiled and plain."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from damier import kernel
from damier.core.compile import COMPILER_ON
from damier.core.rng import below, mix, new_rng, next_word, shuffle, uniform

compiled_only = pytest.mark.skipif(not COMPILER_ON, reason="compares compiled with plain numbers")
words = st.integers(0, 2**64 - 1)


@kernel
def compiled_next_word(rng: Any) -> Any:
    return next_word(rng)


@kernel
def compiled_mix(word: Any) -> Any:
    return mix(word)


@kernel
def compiled_below(rng: Any, n: int) -> Any:
    return below(rng, n)


@kernel
def compiled_uniform(rng: Any) -> Any:
    return uniform(rng)


@kernel
def compiled_shuffle(items: Any, count: int, rng: Any) -> None:
    shuffle(items, count, rng)


def generator(word: int) -> Any:
    """A generator in this state."""
    rng = new_rng(0)
    rng.word = word
    return rng


@pytest.mark.parametrize("draw", [next_word, compiled_next_word])
def test_the_published_numbers_of_splitmix64(draw: Any) -> None:
    rng = generator(1234567)
    assert [int(draw(rng)) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@compiled_only
@given(words)
def test_next_word_is_the_same_compiled(word: int) -> None:
    ours, twin = generator(word), generator(word)
    for _ in range(3):
        assert int(compiled_next_word(ours)) == next_word(twin)
    assert ours == twin


@compiled_only
@given(words)
def test_mix_is_the_same_compiled(word: int) -> None:
    assert int(compiled_mix(np.uint64(word))) == mix(word)


@compiled_only
@given(words, st.integers(1, 2**32))
def test_below_is_the_same_compiled(word: int, n: int) -> None:
    assert compiled_below(generator(word), n) == below(generator(word), n)


@compiled_only
@given(words)
def test_uniform_is_the_same_compiled(word: int) -> None:
    assert compiled_uniform(generator(word)) == uniform(generator(word))


@given(words, st.integers(1, 2**32))
def test_below_stays_below(word: int, n: int) -> None:
    assert 0 <= below(generator(word), n) < n


@given(words)
def test_uniform_stays_in_the_unit_interval(word: int) -> None:
    assert 0 <= uniform(generator(word)) < 1


@given(words)
def test_mix_can_be_undone_so_no_two_words_mix_to_the_same(word: int) -> None:
    assert _unmix(mix(word)) == word


def _unmix(word: int) -> int:
    mask = 2**64 - 1
    word = word ^ word >> 31 ^ word >> 62
    word = word * pow(0x94D049BB133111EB, -1, 2**64) & mask
    word = word ^ word >> 27 ^ word >> 54
    word = word * pow(0xBF58476D1CE4E5B9, -1, 2**64) & mask
    return word ^ word >> 30 ^ word >> 60


def test_below_is_fair() -> None:
    """Pearson's chi-squared over six sides; 40 is far beyond its mean of 5."""
    rng = new_rng(1)
    counts = np.bincount([below(rng, 6) for _ in range(6000)], minlength=6)
    assert ((counts - 1000) ** 2 / 1000).sum() < 40


def test_the_same_seed_gives_the_same_numbers_and_streams_differ() -> None:
    firsts = [next_word(new_rng(seed, stream)) for seed in range(20) for stream in range(20)]
    assert len(set(firsts)) == 400
    assert firsts[:20] == [next_word(new_rng(0, stream)) for stream in range(20)]


@given(st.integers(-(2**70), 2**70))
def test_any_whole_number_is_a_seed(seed: int) -> None:
    assert 0 <= next_word(new_rng(seed)) < 2**64


@compiled_only
@given(words, st.integers(0, 300))
def test_shuffle_is_the_same_compiled_and_keeps_what_is_there(word: int, count: int) -> None:
    ours, twin = np.arange(301), np.arange(301)
    shuffle(ours, count, generator(word))
    compiled_shuffle(twin, count, generator(word))
    assert ours.tolist() == twin.tolist()
    assert sorted(ours[:count]) == list(range(count))
    assert ours[count:].tolist() == list(range(count, 301))


@pytest.mark.parametrize("count", [2, 4])
def test_every_order_is_as_likely_as_the_others(count: int) -> None:
    rng, found = new_rng(1), dict.fromkeys(permutations(range(count)), 0)
    for _ in range(200 * len(found)):
        items = list(range(count))
        shuffle(items, count, rng)
        found[tuple(items)] += 1
    spread = sum((seen - 200) ** 2 / 200 for seen in found.values())
    assert spread < {2: 10.8, 4: 49.7}[count]  # chi-square with 1 and 23 degrees of freedom: 1 in 1000
