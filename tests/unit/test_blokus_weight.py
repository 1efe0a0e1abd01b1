"""The fit of `benchmarks/blokus_weight.py`: weights that made the choices are found again."""

import numpy as np
import pytest
from benchmarks.blokus_weight import EXACT, FEATURES, Array, fit, likelihood


@pytest.mark.parametrize("scale", [1.0, 8.0])
def test_the_weights_that_made_the_choices_are_found_again(scale: float) -> None:
    """With large features a whole step of Newton's method from nothing leads far away."""
    drawn = np.random.default_rng(2)
    weights = drawn.normal(size=len(FEATURES)) / scale
    choices: list[Array] = []
    for _ in range(3000):
        features: Array = scale * (drawn.random((12, len(FEATURES))) < 0.2).astype(float)
        scores = features @ weights + drawn.gumbel(size=12)  # the largest is each by its share
        best = int(scores.argmax())
        choices.append(features[[best, *(i for i in range(12) if i != best)]])
    fitted, mean = fit(choices)
    _, slope, curve = likelihood(choices, fitted)
    assert np.abs(np.linalg.solve(curve, slope)).max() <= EXACT, "no step is left to go"
    assert fitted * scale == pytest.approx(weights * scale, abs=0.25)
    assert np.log(1 / 12) < mean < 0
