"""The evaluations that know nothing themselves."""

from typing import Any

from damier.core.generic import heuristic
from damier.core.protocol import Record, Values


class GameEvaluation:
    """The game's own evaluation; 0 for everybody where it has none."""

    def evaluate(self, game: Any, state: Record, out: Values) -> None:
        heuristic(game, state, out)


class NoEvaluation:
    """0 for everybody: only the ends of games count."""

    def evaluate(self, game: Any, state: Record, out: Values) -> None:
        out[:] = 0
