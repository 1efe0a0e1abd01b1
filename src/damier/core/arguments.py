"""The types of the arguments and results of rules."""

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

CHANCE = -1
"""The value of `state.player` at a chance node."""

REFEREE = -1
"""The observer who sees everything."""

Record = Any  # one record of the game's State type; its fields are the game's own business
Moves = NDArray[np.int64]
Values = NDArray[np.float64]
Observation = Annotated[NDArray[np.int64], "whole numbers: what a player knows"]
FeatureRows = Annotated[NDArray[np.float64], "a row for each player, a column for each feature"]
Planes = NDArray[np.float32]
Owners = Annotated[NDArray[np.int64], "a number for each square"]
Permutation = NDArray[np.intp]
Rng = Any  # a random number generator, see `rng`
