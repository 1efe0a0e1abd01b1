"""Whether a likelihood has a maximum at finite parameters, decided by linear algebra instead of by iteration.

Each game compares what happened with every other possible outcome. Each such pair is a row: the features of what
happened minus those of the other outcome. The log-likelihood never falls along a direction that has no negative product
with any row. If there is such a direction, the games are *separated* (Albert and Anderson 1984) and strengths diverge
to infinity, or do not matter at all. Otherwise there is exactly one maximum.
"""

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

_NOTHING = 1e-9  # compared with rows of small whole numbers


def has_top(rows: Matrix, free: int) -> bool:
    """Whether the likelihood with these rows has one maximum among that many free parameters.

    It has (Stiemke's lemma) if the rows leave no parameter undecided, and a sum of all of them with positive weights is
    zero. Weights can be scaled up, so they may be required to be at least 1. Rows of whole numbers are safe from
    rounding.
    """
    if np.linalg.matrix_rank(rows, tol=_NOTHING) < free:
        return False
    left = _shortest_sum(rows)
    # What is left of the shortest sum has no negative product with any row: it is zero or a direction of divergence.
    return bool(np.abs(left).max() < _NOTHING * len(rows))


def _shortest_sum(rows: Matrix) -> Matrix:
    """The shortest sum of all rows with weights of at least 1: non-negative least squares (Lawson and Hanson 1974)."""
    all_once = rows.sum(axis=0)
    more = np.zeros(len(rows))  # the excess of each weight over 1
    used = np.zeros(len(rows), bool)
    left: Matrix = all_once
    for _ in range(10 * rows.shape[1] + len(rows)):  # it ends by itself; this guards against rounding
        products = np.where(used, 0.0, rows @ left)
        if products.min() > -_NOTHING * max(1.0, float(np.abs(left).max())):
            break
        used[products.argmin()] = True
        more = _reweighted(rows, all_once, more, used)
        left = all_once + more @ rows
    return left


def _reweighted(rows: Matrix, all_once: Matrix, more: Matrix, used: NDArray[np.bool_]) -> Matrix:
    """The best weights of the rows in use; a row whose weight would become negative is dropped."""
    while True:
        wanted = np.zeros(len(rows))
        wanted[used] = np.linalg.lstsq(rows[used].T, -all_once, rcond=None)[0]
        negative = used & (wanted <= 0)
        if not negative.any():
            return wanted
        share = float((more[negative] / np.maximum(more[negative] - wanted[negative], _NOTHING)).min())
        more = more + share * (wanted - more)
        used &= more > _NOTHING
        more = np.where(used, more, 0.0)
