"""Random numbers with the distributions that exploration needs."""

import math
from typing import Any

from damier.core.compile import kernel
from damier.core.protocol import Rng
from damier.core.rng import uniform


@kernel
def gumbel(rng: Rng) -> float:
    """Draw -log(-log U): the largest of `logit + gumbel` is a draw from the softmax of the logits."""
    return -math.log(-math.log(uniform(rng) + 1e-300) + 1e-300)


@kernel
def normal(rng: Rng) -> float:
    """Draw a normal number (Box and Muller 1958)."""
    return math.sqrt(-2 * math.log(1 - uniform(rng))) * math.cos(2 * math.pi * uniform(rng))


@kernel
def gamma(shape: float, rng: Rng) -> float:
    """Draw a gamma number (Marsaglia and Tsang 2000); a shape below 1 uses their relation to the shape above it."""
    boost = 1.0
    if shape < 1:
        boost = (1 - uniform(rng)) ** (1 / shape)
        shape += 1
    d = shape - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        x = normal(rng)
        v = (1 + c * x) ** 3
        if v > 0 and math.log(1 - uniform(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return boost * d * v


@kernel
def dirichlet(alpha: float, out: Any, count: int, rng: Rng) -> None:
    """Draw probabilities that add up to 1, all alike on average; a smaller alpha gives most of it to fewer."""
    total = 0.0
    for i in range(count):
        out[i] = gamma(alpha, rng)
        total += out[i]
    for i in range(count):
        out[i] = out[i] / total if total > 0 else 1.0 / count
