"""Perft: count the leaves of the move tree, the classical test of a move generator."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.compile import kernel
from damier.core.generic import Buffers, list_moves
from damier.core.position import Position


def perft(position: Position, depth: int) -> int:
    ...
